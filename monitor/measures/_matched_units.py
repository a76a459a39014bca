"""Units of two sets of answers side by side: matched by key, read as statistics, compared.

A measure of classes reads `Both` sides and takes panels of its columns. One that is a statistic of
all probes is compared by its `reduce` (`ComparedByReduce`) and writes nothing of its own.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._paired_panels import (
    Ends,
    Flags,
    Panel,
    Possible,
    Rows,
    change_of_parts,
    endless,
    rounded,
    without_change,
)
from monitor.measures._shared import BaseMeasure, Col, Facts, in_order
from monitor.model import Context, Floats, Ints, Matrix, Quantity, Unit
from monitor.stats.paired import compare_margins, exchange_parts


def match_units(
    before: Sequence[Unit], after: Sequence[Unit]
) -> list[tuple[Unit | None, Unit | None]]:
    """Return the units of each question before and after, by key; None where it was not planned.

    Where a key stands several times, as a sentence under two stereotypes does, the first is matched
    with the first in the order of their tags.
    """
    earlier, later = _by_key(before), _by_key(after)
    return [(earlier.get(key), later.get(key)) for key in sorted({**earlier, **later})]


def _by_key(units: Sequence[Unit]) -> dict[tuple[str, int], Unit]:
    by_key = {(unit.key, 0): unit for unit in units}
    if len(by_key) == len(units):
        return by_key
    seen: Counter[str] = Counter()
    by_key = {}
    for unit in in_order(units):
        by_key[unit.key, seen[unit.key]] = unit
        seen[unit.key] += 1
    return by_key


@dataclass(frozen=True, slots=True, eq=False)
class PairedStatistics:
    """Statistics of the same questions before and after, a row each in the order of their keys.

    `units` are those after, and those before where there is no other: whose tags count. A question
    that was not `planned` (rows,) on one side has a row of zeros there.
    """

    units: Sequence[Unit]
    before: Matrix
    after: Matrix
    planned: tuple[Flags, Flags]

    def panel(
        self, above: int, below: int, cluster: Ints | None = None, *, bounded: bool = True
    ) -> Panel:
        """Return one column on the rows where another is not 0: a number of each probe.

        `bounded` says that it is a share, with bounds among the columns of `Col`.
        """
        tables = self.before, self.after
        before, after = (np.where(table[:, below] > 0, table[:, above], np.nan) for table in tables)
        ends = [
            share_ends(table, above, planned) if bounded else endless(values, planned)
            for table, values, planned in zip(tables, (before, after), self.planned, strict=True)
        ]
        return Panel.of(before, after, cluster, Possible(ends[0], ends[1]))


def share_ends(side: Matrix, above: int, planned: Flags) -> Ends:
    """Return the ends of a share in each row of one side; NaN where it is none."""
    marked = above == Col.MARKED_SHARE
    could = planned if marked else side[:, Col.POSSIBLE] > 0
    if marked:
        low, high = side[:, Col.MARKED_LOW], side[:, Col.MARKED_HIGH]
    else:
        low, high = side[:, Col.MASCULINE_LOW], side[:, Col.MASCULINE_HIGH]
    if above == Col.FEMININE:
        low, high = 1 - high, 1 - low
    return np.where(could, low, np.nan), np.where(could, high, np.nan)


def both_sides(
    before: Sequence[Unit], after: Sequence[Unit], table: Callable[[Sequence[Unit]], Matrix]
) -> PairedStatistics:
    """Match units and read both sides; `table` gives one row of numbers per unit."""
    pairs = match_units(before, after)

    def side(units: Sequence[Unit | None]) -> tuple[Matrix, Flags]:
        planned = np.array([unit is not None for unit in units], np.bool_)
        statistics = table([unit for unit in units if unit])
        rows = np.zeros((len(units), statistics.shape[1]))
        rows[planned] = statistics
        return rows, planned

    (then, was_planned), (now, is_planned) = (
        side([pair[side_index] for pair in pairs]) for side_index in (0, 1)
    )
    units = [unit for earlier, later in pairs if (unit := later or earlier)]
    return PairedStatistics(units, then, now, (was_planned, is_planned))


def class_changes(both: PairedStatistics, rows: Rows) -> Facts:
    """Return how many questions read on both sides have other classes, and Stuart-Maxwell.

    Its statistic is a fact and not the test of the marked share: it also answers to moves between
    unmarked classes, by which no share of marked ones moves. It takes questions as independent.
    """
    row_numbers = np.asarray(rows, np.int64)
    sides = both.before[row_numbers], both.after[row_numbers]
    read_twice = (sides[0][:, Col.READ] > 0) & (sides[1][:, Col.READ] > 0)
    classes = slice(Col.N_MASCULINE, Col.N_UNIDENTIFIED)
    before, after = (
        side[read_twice, classes] / (1 - side[read_twice, Col.N_UNIDENTIFIED])[:, None]
        for side in sides
    )
    differences = rounded(before, after)
    facts: Facts = (("classes_changed", float(differences.any(axis=1).sum())),)
    tested = compare_margins(differences)
    if tested is None:
        return facts
    return (
        *facts, ("stuart_maxwell", tested.statistic),
        ("stuart_maxwell_degrees", float(tested.degrees)), ("p_stuart_maxwell", tested.p),
    )  # fmt: skip


#: Values per group under each row of weights, as `Measure.reduce` has it.
Reduce: TypeAlias = Callable[[Matrix, Ints, Floats], Floats]


class ReducingMeasure(Protocol):
    """The part of a measure that `ComparedByReduce` uses."""

    @property
    def quantities(self) -> tuple[Quantity, ...]: ...
    def unit(self, unit: Unit) -> tuple[float, ...] | None: ...
    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats: ...
    def reducers(self) -> Mapping[str, Reduce]: ...
    def clusterings(self, units: Sequence[Unit]) -> Sequence[Ints]: ...


class ComparedByReduce(BaseMeasure):
    """Base of measures that need no rules of their own for changes: theirs follow from `reduce`.

    A quantity in the scope `all` is what its reducer makes of the statistics of all probes; by
    default the first one has `reduce`. Its change is that on the probes with statistics on both
    sides; p and interval are by how far each cluster of probes alone moves it (`exchange_parts`),
    with several ways of clustering the larger p and the wider interval. Quantities without a
    reducer are not compared.
    """

    __slots__ = ()

    def reducers(self: ReducingMeasure) -> Mapping[str, Reduce]:
        """Return what computes each quantity that is compared, by its name."""
        return {self.quantities[0].name: self.reduce}

    def clusterings(self, units: Sequence[Unit]) -> Sequence[Ints]:
        """Return the numbers of the units' clusters, (units,) for each way of clustering."""
        return [clusters_of(units)]

    def paired(
        self: ReducingMeasure,
        before: Sequence[Unit],
        after: Sequence[Unit],
        context: Context,  # noqa: ARG002 - neither a reference nor draws
    ) -> tuple[Paired, ...]:
        """Return the change of each quantity with a reducer, and why there is none of others."""
        reducers = self.reducers()
        reason = f"no change of its own: see {next(iter(reducers))}"
        others = (one.name for one in self.quantities if one.name not in reducers)
        rest = without_change(dict.fromkeys(others, reason))
        compared = compare_statistics(self, before, after, reducers, self.clusterings)
        return (*compared, *rest)


def compare_statistics(
    measure: ReducingMeasure,
    before: Sequence[Unit],
    after: Sequence[Unit],
    reducers: Mapping[str, Reduce],
    clusterings: Callable[[Sequence[Unit]], Sequence[Ints]],
) -> list[Paired]:
    """Return the change of each quantity with a reducer, over all of these units."""
    pairs = match_units(before, after)
    sides = [[unit and measure.unit(unit) for unit in side] for side in zip(*pairs, strict=True)]
    width = max((len(row) for side in sides for row in side if row is not None), default=1)
    tables = np.zeros((2, len(pairs), width))
    has_statistics = np.zeros((2, len(pairs)), np.bool_)
    for index, side in enumerate(sides):
        for row, statistics in enumerate(side):
            if statistics is not None:
                tables[index, row], has_statistics[index, row] = statistics, True
    moved = (tables[0] != tables[1]).any(axis=1)
    then, now = (np.where(one, 0.0, np.nan) for one in has_statistics)
    units = [unit for pair in pairs if (unit := pair[1] or pair[0])]
    panels = [Panel.of(then, now, cluster, changed=moved) for cluster in clusterings(units)]
    return [
        _change_of_statistic(quantity, reducers[quantity.name], panels, tables)
        for quantity in measure.quantities
        if quantity.name in reducers
    ]


def _change_of_statistic(
    quantity: Quantity, reduce: Reduce, panels: Sequence[Panel], tables: Floats
) -> Paired:
    """Return the change of a statistic of all probes; `tables` is (2, probes, columns)."""
    kept = panels[0].usable
    before, after = (reduce_rows(reduce, table[kept]) for table in tables)
    if before is None or after is None:
        none = "no probe has statistics on both sides"
        lacking = none if not kept.any() else f"{quantity.name} has no value on a side"
        return panels[0].record(quantity.name, reason=lacking)
    parts = exchange_parts(reduce, tables[0, kept], tables[1, kept])
    widest = quantity.high - quantity.low
    changes = [
        change_of_parts(quantity.name, panel, parts, (before, after), widest) for panel in panels
    ]
    least_sure = max(changes, key=lambda change: -1.0 if change.p is None else change.p)
    if any(change.low is None or change.high is None for change in changes):
        return replace(least_sure, low=None, high=None)
    return replace(
        least_sure,
        low=min(change.low for change in changes if change.low is not None),
        high=max(change.high for change in changes if change.high is not None),
    )


def reduce_rows(reduce: Reduce, table: Matrix) -> float | None:
    """Return the statistic of all rows; None where there is none."""
    if not len(table):
        return None
    value = reduce(table, np.zeros(len(table), np.int64), np.ones((1, len(table))))[0, 0]
    return float(value) if np.isfinite(value) else None
