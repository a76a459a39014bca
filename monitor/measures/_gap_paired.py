"""Changes of the gaps of queries: gaps before and after in, a record for each scope out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from monitor.change import Paired
from monitor.measures._gap_values import LOG_GAP, SHARES, Compared, Scoped, scopes
from monitor.measures._gsr import NEUTRAL, neutral
from monitor.measures._missing import Possible
from monitor.measures._ranked_answers import moved_units
from monitor.measures._ranked_pages import page_parts
from monitor.measures._ranked_paired import COMPARES, Panel, change_of_mean
from monitor.model import Floats, Unit
from monitor.ranked.asked import Asked, Twice
from monitor.ranked.gap import Gaps, over
from monitor.ranked.summary import NO_ANSWER


def changes(
    units: tuple[Sequence[Unit], Sequence[Unit]],
    sides: Sequence[Compared],
    edges: tuple[float, float],
    floor: int,
    cutoff: int | None,
    beside_others: bool,
    given: Twice,
    gaps_of: Callable[[Asked], Gaps],
) -> Iterator[Paired]:
    """All quantities in all scopes that there are after; both `units` and `sides` before, after.

    Of two lists that are compared with the same baseline, the one after has it. `given` are the
    lists of both sides, `gaps_of` computes the gaps of other lists of the same queries.
    """
    before, after = sides
    then, now = units
    every = moved_units(then, now, after.planned, cutoff)
    only_before = [unit for unit in then if unit.key not in {one.key for one in now}]
    logs = _finite(before.gaps.logs), _finite(after.gaps.logs)
    overs = [over(side.gaps, after.base) for side in sides]
    about = after.cluster
    asked = [
        np.array([key in {unit.key for unit in side} for key in after.planned]) for side in units
    ]

    def possible(sides: Sequence[tuple[Floats, Floats]]) -> Possible:
        ends = [
            (np.where(keys, low, np.nan), np.where(keys, high, np.nan))
            for keys, (low, high) in zip(asked, sides, strict=True)
        ]
        return Possible.of(ends[0], ends[1])

    def with_pages(panel: Panel, values: Callable[[Asked], Floats]) -> Panel:
        ends = panel.before, panel.after
        parts = page_parts(given, ends, panel.difference, panel.cluster, values, cutoff)
        return replace(panel, pages=parts)

    of_logs = with_pages(
        Panel(*logs, every, about, possible=possible([_log_ends(side.gaps) for side in sides])),
        lambda lists: _finite(gaps_of(lists).logs),
    )
    of_shares = {}
    for quantity, group in SHARES.items():
        if beside_others:
            of_shares[quantity] = Panel(*logs, every, about)
            continue
        then_over, now_over = (side[group] for side in overs)
        ends = possible([(side.low, side.high) for side in (then_over, now_over)])
        panel = Panel(then_over.values, now_over.values, every, about, possible=ends)

        def shares(lists: Asked, group: str = group) -> Floats:
            return over(gaps_of(lists), after.base)[group].values

        of_shares[quantity] = with_pages(panel, shares)
    for scoped in scopes(after, edges, [*now, *only_before]):
        if scoped.name == NEUTRAL and not neutral(now):
            continue
        yield _change(LOG_GAP, scoped, of_logs, floor)
        for quantity, panel in of_shares.items():
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


def _log_ends(gaps: Gaps) -> tuple[Floats, Floats]:
    """The lowest and highest gap of each query; nothing bounds one that was not answered."""
    silent = [gaps.found.reasons.get(row) == NO_ANSWER for row in range(len(gaps.logs))]
    return np.where(silent, -np.inf, gaps.low), np.where(silent, np.inf, gaps.high)


def _finite(logs: Floats) -> Floats:
    """A gap that is infinite has no part in a mean."""
    return np.where(np.isfinite(logs), logs, np.nan)
