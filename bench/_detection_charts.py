"""Control charts on the values of a series, and whole series looked back over as the product does.

In go 53 values or 52 steps, out come the positions at which something is said.
"""

from collections.abc import Callable

import numpy as np

from bench._detection_tests import Changes, per_answer
from monitor.change import ChangeKind
from monitor.stages.looking_back import Step, look_back
from monitor.stats import ewma
from monitor.stats.intervals import Z95

#: Points that make the target.
BASELINE = ewma.BASELINE
#: Mean of |difference of two normal numbers| in standard deviations.
_MOVING_RANGE = 1.128
#: Limits in standard deviations.
USUAL = 3.0


def _baseline(values):
    first = values[:BASELINE]
    return first.mean(), np.abs(np.diff(first)).mean() / _MOVING_RANGE


def shewhart(values, limit: float = USUAL) -> np.ndarray:
    """Positions at which a value lies outside the limits."""
    centre, sd = _baseline(values)
    late = np.flatnonzero(np.abs(values[BASELINE:] - centre) > limit * sd)
    return late + BASELINE


def steps_of(found: Changes, start: float, which: int, clusters: int) -> list[Step]:
    """The steps of one quantity with their limits, as `sign_flip` gives them."""
    spread = found.variance[:, which] * clusters / (clusters - 1) + 2 * per_answer(found, which)
    half = Z95 * np.sqrt(spread)
    deltas = found.delta[:, which]
    return [
        Step(t + 1, t + 1, t, start, float(d), float(d - h), float(d + h))
        for t, (d, h) in enumerate(zip(deltas, half, strict=True))
    ]


def seen(kind: ChangeKind) -> Callable[[list[Step]], np.ndarray]:
    """Positions of shifts or of drifts."""

    def positions(steps: list[Step]) -> np.ndarray:
        return np.array([one.at for one in look_back(steps, 0) if one.kind is kind], int)

    return positions


def first_at_or_after(outside: np.ndarray, at: int) -> int | None:
    """Ticks from a change to the first signal; None without one."""
    late = outside[outside >= at]
    return int(late[0]) - at if len(late) else None


def shift_delay(steps: list[Step], at: int) -> tuple[bool, int | None]:
    """(a shift within a tick of the change at the end, ticks until that is first seen)."""
    shifts = seen(ChangeKind.SHIFT)

    def is_near(some: list[Step]) -> bool:
        return bool((np.abs(shifts(some) - at) <= 1).any())

    delays = (end - at for end in range(at, len(steps) + 1) if is_near(steps[:end]))
    return is_near(steps), next(delays, None)
