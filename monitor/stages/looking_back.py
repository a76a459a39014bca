"""Find shifts in retrospect: steps of a whole series from tick to tick in, shifts out. Pure.

Levels are sums of the paired differences: what other questions do to a value is in none of them.
What is found is told in levels that agree with the value of its own tick, because values of ticks
with other questions lie elsewhere. Retrospective, so that nothing here is a finding by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.model import Floats
from monitor.stats.breaks import chain_levels, find_breaks


@dataclass(frozen=True, slots=True)
class Step:
    """A change between two neighbouring measured ticks, by their positions on the grid."""

    at: int  # position of after
    run: int  # after
    before_run: int
    before: float
    delta: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A shift: the first tick on the new level, and the level before and after.

    Both are as of that tick, on its questions.
    """

    at: int
    run: int
    before_run: int
    before: float
    after: float
    why: str


def look_back(steps: Sequence[Step], first_at: int) -> list[Seen]:
    """Return shifts by PELT; `first_at` is the position of the first measured tick."""
    if not steps:
        return []
    values = chain_levels(steps[0].before, [step.delta for step in steps])
    positions = [first_at, *(step.at for step in steps)]
    return _shifts(values, positions, steps)


def first_found_at(steps: Sequence[Step], first_at: int, shift_at: int) -> int:
    """Return the tick from which on looking back at every tick finds a shift at `shift_at`.

    `steps` end with a tick that finds it. The same answers give the same tick, whenever the series
    is looked back over.
    """
    found_at = steps[-1].at
    for n in range(len(steps) - 1, 0, -1):
        known_steps = steps[:n]
        if known_steps[-1].at < shift_at or shift_at not in [
            shift.at for shift in look_back(known_steps, first_at)
        ]:
            break
        found_at = known_steps[-1].at
    return found_at


def _shifts(values: Floats, positions: Sequence[int], steps: Sequence[Step]) -> list[Seen]:
    found = find_breaks(values.tolist(), positions)
    by_position, away = {step.at: step for step in steps}, _away(values, steps)
    return [
        Seen(
            one.first, step.run, step.before_run, one.before + away[one.first],
            one.after + away[one.first],
            f"PELT over {found.n} ticks (noise {found.sigma:.2g}, memory {found.rho:.2f}).",
        )
        for one, step in ((one, by_position[one.first]) for one in found.found)
    ]  # fmt: skip


def _away(values: Floats, steps: Sequence[Step]) -> dict[int, float]:
    """How far the value of a tick is from its level: by what other questions did to it."""
    return {
        step.at: step.before + step.delta - level
        for step, level in zip(steps, values[1:].tolist(), strict=True)
    }
