"""Control charts on the values of a series, and breaks found by looking back."""

import numpy as np

from monitor.stats import ewma
from monitor.stats.breaks import breaks

#: Points that make the target.
BASELINE = ewma.BASELINE
#: Mean of |difference of two normal numbers| in standard deviations.
_MOVING_RANGE = 1.128
#: Limits in standard deviations: the usual ones, and those of 512 series and 44 points at 2.5 %.
USUAL, CORRECTED = 3.0, 4.88


def _baseline(values):
    first = values[:BASELINE]
    return first.mean(), np.abs(np.diff(first)).mean() / _MOVING_RANGE


def shewhart(values, limit: float = USUAL) -> np.ndarray:
    """Positions at which a value lies outside the limits."""
    centre, sd = _baseline(values)
    late = np.flatnonzero(np.abs(values[BASELINE:] - centre) > limit * sd)
    return late + BASELINE


def by_ewma(values) -> np.ndarray:
    """The same of the product's chart, with the standard deviation of the baseline."""
    _, sd = _baseline(values)
    return np.array(ewma.chart(values, sd).outside, int)


def first_at_or_after(outside: np.ndarray, at: int) -> int | None:
    """Ticks from a change to the first signal; None without one."""
    late = outside[outside >= at]
    return int(late[0]) - at if len(late) else None


def back(values, at: int) -> tuple[bool, int | None]:
    """(PELT finds the change within a tick at the end of the year, ticks until it first does)."""
    near = [abs(one.first - at) <= 1 for one in breaks(values).found]
    for end in range(at + 1, len(values) + 1):
        if any(abs(one.first - at) <= 1 for one in breaks(values[:end]).found):
            return any(near), end - 1 - at
    return any(near), None
