"""Noise floor of one quantity: what it did while nothing changed in, how far it may move out.

A tick and its noise run, a part of the questions asked again a day later, are an A/A tick: what
differs between them is noise. It has two parts. Each question may have another answer by itself;
how far that moves the quantity is the variance under random signs that the paired test goes by. And
all questions may move together (another server, another model for a part of the users), which no
test over questions sees: a shared noise with the variance s_b^2 at every tick.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.stats.student import two_sided_t
from monitor.stats.tails import chi_squared_tail

#: A/A ticks without which there is no floor.
LEAST = 8

#: Shared noise counts where A/A ticks differ by so much that questions by themselves do it rarer.
SHOWN = 0.05

_STEPS = 100
_PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class Quiet:
    """A difference between two measurements with nothing changed in between.

    `variance` is its own: of the sum of the clusters' parts, each with a random sign. `n` probes
    are in both; each side is the mean of this many repeats.
    """

    delta: float
    variance: float
    n: int
    before_repeats: int = 1
    after_repeats: int = 1

    def __post_init__(self) -> None:
        if min(self.n, self.before_repeats, self.after_repeats) < 1:
            raise ValueError(f"a difference needs probes and repeats on both sides: {self!r}")
        if not (math.isfinite(self.delta) and 0 <= self.variance < math.inf):
            raise ValueError(f"a difference that is no number says nothing of noise: {self!r}")
        if self.delta and not self.variance:
            raise ValueError(f"no probe has moved and yet there is a difference: {self!r}")

    @property
    def rounds(self) -> float:
        """Variance of the difference in units of one repeat's, 1/before + 1/after."""
        return 1 / self.before_repeats + 1 / self.after_repeats


@dataclass(frozen=True, slots=True)
class Floor:
    """What a quantity over `probes` probes does while nothing changes, by `n_ticks` A/A ticks.

    Without a floor numbers are None and the `reason` says why. `s_b` is the standard deviation of
    the noise that all probes share at one tick, at most `s_b_high` (one-sided 95 %; None where
    nothing moved, or less than single probes do by chance); `own` that of the difference of two
    ticks by what each probe does for itself. `p_shared` is the p of "each probe for itself".
    """

    probes: int
    n_ticks: int
    s_b: float | None = None
    s_b_high: float | None = None
    own: float | None = None
    p_shared: float | None = None
    degrees: float = 0.0
    reason: str = ""

    @property
    def sd_of_difference(self) -> float | None:
        """Standard deviation of the difference of two ticks: sqrt(2 s_b^2 + own^2)."""
        if self.s_b is None or self.own is None:
            return None
        return math.sqrt(2 * self.s_b**2 + self.own**2)

    @property
    def counts(self) -> bool:
        """Whether it was shown that probes share a noise, which the paired test cannot know."""
        return self.p_shared is not None and self.p_shared <= SHOWN

    def statistic(self, delta: float) -> float | None:
        """|delta| in standard deviations of the noise; None without a floor or without noise."""
        sd = self.sd_of_difference
        return abs(delta) / sd if sd else None

    def p(self, delta: float) -> float | None:
        """The p of a difference this large by noise alone, by Student's t; None if none is shared.

        As far as was shown: the paired test says all then.
        """
        sd = self.sd_of_difference
        return two_sided_t(delta / sd, self.degrees) if sd and self.counts else None


def floor(days: Sequence[Quiet], probes: int, repeats: int = 1) -> Floor:
    """Noise floor of a quantity over `probes` probes, each asked `repeats` times at a tick.

    s_b^2 is the mean of (delta^2 - variance) / 2 over the A/A ticks, or 0 where that is negative;
    `own`^2 their mean variance, of as many probes and repeats as a tick has. T of them have moved
    at all, and only these say whether a noise is shared: sum(delta^2 / variance) against
    chi-squared on T degrees of freedom, which varies more than the sum of few clusters' signs.
    `degrees` are T (sd^2 / mean delta^2)^2: Satterthwaite, F. E. (1946). An approximate
    distribution of estimates of variance components. Biometrics Bulletin 2(6), 110-114; T itself
    where the A/A ticks ask all probes. `s_b_high` solves P(chi-squared > sum(delta^2 / (2 s^2 +
    variance))) = 0.95 for s: Viechtbauer, W. (2007). Confidence intervals for the amount of
    heterogeneity in meta-analysis. Statistics in Medicine 26(1), 37-52.

    Of 200,000 simulated floors for each of 120 settings (8, 12, 30 and 51 A/A ticks on 10, 30 and
    100 % of the probes; 2 s_b^2 from 0 to 300 variances) those in which the noise was shown to be
    shared gave quiet differences a p of at most 0.05 in 5.1 %, 0.01 in 1.1 % and 0.001 in 0.1 % of
    cases or fewer. On T degrees of freedom it would be 5.8 %, 1.4 % and 0.2 %.
    """
    if probes < 1 or repeats < 1:
        raise ValueError(f"a floor needs a probe and a repeat, got {probes!r} and {repeats!r}")
    if len(days) < LEAST:
        return Floor(probes, len(days), reason=f"{len(days)} of at least {LEAST} A/A ticks")
    moved = [quiet for quiet in days if quiet.variance]
    if not moved:
        reason = f"no noise was seen in {len(days)} A/A ticks"
        return Floor(probes, len(days), s_b=0.0, own=0.0, reason=reason)
    squares = _mean([quiet.delta**2 for quiet in days])
    shared = max(squares - _mean([quiet.variance for quiet in days]), 0.0)
    rounds = 2 / repeats
    own = _mean([one.variance * one.n / probes * rounds / one.rounds for one in days])
    highest = _highest(moved)
    return Floor(
        probes,
        len(days),
        s_b=math.sqrt(shared / 2),
        s_b_high=None if highest is None else math.sqrt(highest / 2),
        own=math.sqrt(own),
        p_shared=_beyond(moved, 0.0),
        degrees=len(moved) * min((shared + own) / squares, 1.0) ** 2 if squares else 0.0,
    )


def _beyond(days: Sequence[Quiet], shared: float) -> float:
    """P(chi-squared > sum(delta^2 / (shared + variance))), on as many degrees as there are days."""
    total = math.fsum(quiet.delta**2 / (shared + quiet.variance) for quiet in days)
    return chi_squared_tail(total, len(days))


def _highest(days: Sequence[Quiet]) -> float | None:
    """The shared variance of a difference above which the A/A ticks would be too quiet, at 5 %.

    None where they are too quiet without any.
    """
    enough = 1 - SHOWN
    if _beyond(days, 0.0) >= enough:
        return None
    low, high = 0.0, math.fsum(quiet.delta**2 + quiet.variance for quiet in days)
    while _beyond(days, high) < enough:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _beyond(days, middle) < enough else (low, middle)
        if high - low <= _PRECISION * high:
            break
    return high


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
