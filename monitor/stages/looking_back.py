"""Whole series looked back over: steps from tick to tick in, shifts and drifts out. Pure.

Levels are sums of the paired differences: what other questions do to a value is in none of them.
What is found is told in levels that agree with the value of its own tick, because values of ticks
with other questions lie elsewhere. Retrospective, so that nothing here is a finding by itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.change import ChangeKind
from monitor.model import Floats
from monitor.stats.breaks import breaks, levels
from monitor.stats.ewma import chart
from monitor.stats.intervals import Z95


@dataclass(frozen=True, slots=True)
class Step:
    """A change between two neighbouring measured ticks, by their positions on the grid."""

    at: int  # position of after
    run: int  # after
    before_run: int
    before: float
    delta: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A shift or a drift: the first tick on the new level, and the level before and after.

    Both are as of that tick, on its questions.
    """

    kind: ChangeKind
    at: int
    run: int
    before_run: int
    before: float
    after: float
    why: str


def look_back(steps: Sequence[Step], first_at: int) -> list[Seen]:
    """Shifts by PELT and drifts by EWMA; `first_at` is the position of the first measured tick."""
    if not steps:
        return []
    values = levels(steps[0].before, [one.delta for one in steps])
    positions = [first_at, *(one.at for one in steps)]
    return [*_shifts(values, positions, steps), *_drifts(values, positions, steps)]


def _shifts(values: Floats, positions: Sequence[int], steps: Sequence[Step]) -> list[Seen]:
    found = breaks(values.tolist(), positions)
    by_position, away = {one.at: one for one in steps}, _away(values, steps)
    return [
        Seen(
            ChangeKind.SHIFT, one.first, step.run, step.before_run, one.before + away[one.first],
            one.after + away[one.first],
            f"PELT over {found.n} ticks (noise {found.sigma:.2g}, memory {found.rho:.2f}).",
        )
        for one, step in ((one, by_position[one.first]) for one in found.found)
    ]  # fmt: skip


def _away(values: Floats, steps: Sequence[Step]) -> dict[int, float]:
    """How far the value of a tick is from its level: by what other questions did to it."""
    return {
        one.at: one.before + one.delta - level
        for one, level in zip(steps, values[1:].tolist(), strict=True)
    }


def _drifts(values: Floats, positions: Sequence[int], steps: Sequence[Step]) -> list[Seen]:
    """The first tick of each stay outside of the limits."""
    sds = [_deviation(one) for one in steps]
    if any(sd is None or sd <= 0 for sd in sds):
        return []
    known = [sd for sd in sds if sd is not None]
    made = chart(values, [known[0], *known], positions)
    if made.target is None:
        return []
    by_position, away = {one.at: one for one in steps}, _away(values, steps)
    found, was_outside = [], False
    for point in made.points:
        if point.outside and not was_outside:
            step = by_position[point.position]
            found.append(
                Seen(
                    ChangeKind.DRIFT, point.position, step.run, step.before_run,
                    made.target + away[point.position], step.before + step.delta,
                    f"EWMA, {point.statistic:.3f}, left its limits, {point.low:.3f} to "
                    f"{point.high:.3f} (a false alarm in {made.run_length:.0f} ticks on average, "
                    "where nothing changes).",
                )
            )  # fmt: skip
        was_outside = point.outside
    return found


def _deviation(one: Step) -> float | None:
    """Standard deviation of one level, of the interval of a difference of two."""
    if one.low is None or one.high is None:
        return None
    return (one.high - one.low) / (2 * Z95) / math.sqrt(2)
