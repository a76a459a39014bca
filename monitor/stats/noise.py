"""Noise of one quantity: how much it differs between two askings of the same week.

A tick and its noise run are an A/A tick: what differs between them is noise. It has two parts. Each
question may have another answer by itself; how far that moves the quantity is the variance under
random signs. And all questions may move together (another server), a shared noise with the variance
s_b^2 at every tick.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: A/A ticks without which there is no floor.
LEAST = 8


@dataclass(frozen=True, slots=True)
class QuietTick:
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
    """Noise of a quantity over `probes` probes while nothing changes, by `n_ticks` A/A ticks.

    Without a floor numbers are None and the `reason` says why. `s_b` is the standard deviation of
    the noise that all probes share at one tick; `own` that of the difference of two ticks by what
    each probe does for itself.
    """

    probes: int
    n_ticks: int
    s_b: float | None = None
    own: float | None = None
    reason: str = ""

    @property
    def sd_of_difference(self) -> float | None:
        """Standard deviation of the difference of two ticks: sqrt(2 s_b^2 + own^2)."""
        if self.s_b is None or self.own is None:
            return None
        return math.sqrt(2 * self.s_b**2 + self.own**2)


def noise_floor(days: Sequence[QuietTick], probes: int, repeats: int = 1) -> Floor:
    """Return the noise of a quantity over `probes` probes, each asked `repeats` times at a tick.

    s_b^2 is the mean of (delta^2 - variance) / 2 over the A/A ticks, or 0 where that is negative;
    `own`^2 their mean variance, of as many probes and repeats as a tick has. Raises ValueError for
    numbers of probes and repeats that are not positive.
    """
    if probes < 1 or repeats < 1:
        raise ValueError(f"a floor needs a probe and a repeat, got {probes!r} and {repeats!r}")
    if len(days) < LEAST:
        return Floor(probes, len(days), reason=f"{len(days)} of at least {LEAST} A/A ticks")
    if not any(quiet.variance for quiet in days):
        reason = f"no noise was seen in {len(days)} A/A ticks"
        return Floor(probes, len(days), s_b=0.0, own=0.0, reason=reason)
    squares = _mean_of([quiet.delta**2 for quiet in days])
    shared = max(squares - _mean_of([quiet.variance for quiet in days]), 0.0)
    rounds = 2 / repeats
    probe_variance = _mean_of(
        [quiet.variance * quiet.n / probes * rounds / quiet.rounds for quiet in days]
    )
    return Floor(probes, len(days), s_b=math.sqrt(shared / 2), own=math.sqrt(probe_variance))


def _mean_of(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
