"""Changes of the gaps of queries: gaps before and after in, a record for each scope out."""

from collections.abc import Iterator, Sequence

import numpy as np

from monitor.change import Paired
from monitor.measures._gap_values import LOG_GAP, SHARES, Compared, Scoped, scopes
from monitor.measures._gsr_values import NEUTRAL, neutral
from monitor.measures._ranked_answers import moved_units
from monitor.measures._ranked_paired import COMPARES, Panel, change_of_mean
from monitor.model import Floats, Unit
from monitor.ranked.gap import over


def changes(
    units: tuple[Sequence[Unit], Sequence[Unit]],
    sides: Sequence[Compared],
    edges: tuple[float, float],
    floor: int,
    cutoff: int | None,
    beside_others: bool,
) -> Iterator[Paired]:
    """All quantities in all scopes that there are after; both `units` and `sides` before, after.

    Of two lists that are compared with the same baseline, the one after has it.
    """
    before, after = sides
    then, now = units
    every = moved_units(then, now, after.planned, cutoff)
    only_before = [unit for unit in then if unit.key not in {one.key for one in now}]
    logs = _finite(before.gaps.logs), _finite(after.gaps.logs)
    overs = [over(side.gaps, after.base) for side in sides]
    about = after.cluster
    for scoped in scopes(after, edges, [*now, *only_before]):
        if scoped.name == NEUTRAL and not neutral(now):
            continue
        yield _change(LOG_GAP, scoped, Panel(*logs, every, about), floor)
        for quantity, group in SHARES.items():
            known = logs if beside_others else [side[group].values for side in overs]
            panel = Panel(known[0], known[1], every, about)
            reason = COMPARES if beside_others else after.base.reason
            yield _change(quantity, scoped, panel, floor, reason, flips=True)


def _change(
    quantity: str,
    scoped: Scoped,
    panel: Panel,
    floor: int,
    reason: str = "",
    flips: bool = False,
) -> Paired:
    rows = panel.some(scoped.rows)
    reason = scoped.reason or reason
    return change_of_mean(
        quantity,
        scoped.name,
        rows,
        floor=floor,
        widest=1.0 if flips else np.inf,
        flips=flips,
        reason=reason,
    )


def _finite(logs: Floats) -> Floats:
    """A gap that is infinite has no part in a mean."""
    return np.where(np.isfinite(logs), logs, np.nan)
