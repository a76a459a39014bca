"""Noise floor of one quantity: what it did while nothing changed in, how far it may move out.

Two noises: of minutes (two repeats of one tick) and of days (a tick and its noise run, a random
part of the probes asked again a day later; an A/A tick). A value of one tick with R repeats has the
variance s_b^2 + s_w^2 / R, the difference of two ticks twice that: the repeatability and
intermediate precision of ISO 5725-2:2019, with ticks for laboratories.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.stats.student import two_sided_t

#: A/A ticks without which there is no floor.
LEAST = 8

#: Standard errors that a p allows s_b^2 to be larger than its estimate.
_CAUTION = 2.0


@dataclass(frozen=True, slots=True)
class Quiet:
    """A difference between two measurements with nothing changed in between.

    `n` probes are in both; each side is the mean of this many repeats.
    """

    delta: float
    n: int
    before_repeats: int = 1
    after_repeats: int = 1

    def __post_init__(self) -> None:
        if min(self.n, self.before_repeats, self.after_repeats) < 1:
            raise ValueError(f"a difference needs probes and repeats on both sides: {self!r}")
        if not math.isfinite(self.delta):
            raise ValueError(f"a difference that is no number says nothing of noise: {self!r}")

    @property
    def rounds(self) -> float:
        """Variance of the difference in units of one repeat's, 1/before + 1/after."""
        return 1 / self.before_repeats + 1 / self.after_repeats


@dataclass(frozen=True, slots=True)
class Floor:
    """Standard deviations of a quantity over `probes` probes while nothing changes.

    `s_b` is that of days, `s_b_error` the standard error of its square; None without a floor, and
    the `reason` says why. `s_w` is that of minutes of one repeat, None where fewer than 8 ticks
    were repeated: all noise is in `s_b` then. `n_ticks` counts the A/A ticks.
    """

    probes: int
    n_ticks: int
    s_b: float | None = None
    s_b_error: float | None = None
    s_w: float | None = None
    reason: str = ""

    def sd_of_difference(self, repeats: int) -> float | None:
        """Standard deviation of the difference of two ticks: sqrt(2 (s_b^2 + s_w^2 / repeats))."""
        return self._sd(repeats, cautious=False)

    def statistic(self, delta: float, repeats: int) -> float | None:
        """|delta| in standard deviations of the noise; None without a floor or without noise."""
        sd = self.sd_of_difference(repeats)
        return abs(delta) / sd if sd else None

    def p(self, delta: float, repeats: int) -> float | None:
        """The p of a difference this large by noise alone: Student's t on the number of A/A ticks.

        Two standard errors are added to s_b^2 first. Without them the difference of two estimates,
        cut off at 0, makes too small a floor too often: measured over 40,000 floors for each of 162
        settings (8, 12 and 30 A/A ticks on a tenth of the probes and on all; 1, 2 and 4 repeats;
        s_b^2 from 0 to 50 s_w^2), up to 17 % of quiet differences had p < 0.05 and 10 % p < 0.01;
        with them at most 1.9 %, 0.3 % and, below 0.001, 0.05 %. None without a floor, or where no
        noise was ever seen (any change is a fact then and needs no p).
        """
        sd = self._sd(repeats, cautious=True)
        return two_sided_t(delta / sd, self.n_ticks) if sd else None

    def _sd(self, repeats: int, *, cautious: bool) -> float | None:
        if repeats < 1:
            raise ValueError(f"a tick has at least one repeat, got {repeats!r}")
        if self.s_b is None or self.s_b_error is None:
            return None
        days = self.s_b**2 + (_CAUTION * self.s_b_error if cautious else 0.0)
        return math.sqrt(2 * (days + (self.s_w or 0.0) ** 2 / repeats))


def floor(minutes: Sequence[Quiet], days: Sequence[Quiet], probes: int) -> Floor:
    """Noise floor of a quantity over `probes` probes, from quiet differences of both kinds.

    Minutes: v = mean of n delta^2 / (1/R_1 + 1/R_2), the variance of one probe and repeat, and
    s_w^2 = v / probes: probes are independent within minutes. Days: s_b^2 is the mean of
    (delta^2 - v (1/R_1 + 1/R_2) / m) / 2 over the A/A ticks with m probes in both, or 0 where that
    is negative. What is left of it is not scaled to the number of probes: right for a noise that
    all probes share (another server, another model for a part of the users), too large otherwise.
    """
    if probes < 1:
        raise ValueError(f"a floor is that of at least one probe, got {probes!r}")
    ticks = len(days)
    if ticks < LEAST:
        return Floor(probes, ticks, reason=f"{ticks} of at least {LEAST} A/A ticks")
    scaled = [quiet.n * quiet.delta**2 / quiet.rounds for quiet in minutes]
    per_probe = _mean(scaled) if len(scaled) >= LEAST else 0.0
    shares = [per_probe * quiet.rounds / quiet.n / 2 for quiet in days]
    squares = [quiet.delta**2 / 2 for quiet in days]
    # Both means are of squares of normal differences: relative variance 2 / (number of them).
    error = math.sqrt(
        2 * _mean(squares) ** 2 / ticks + 2 * _mean(shares) ** 2 / max(len(scaled), 1)
    )
    return Floor(
        probes, ticks,
        s_b=math.sqrt(max(_mean(squares) - _mean(shares), 0.0)),
        s_b_error=error,
        s_w=math.sqrt(per_probe / probes) if len(scaled) >= LEAST else None,
        reason="" if any(squares) or per_probe else f"no noise was seen in {ticks} A/A ticks",
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
