"""Measures of named persons: functions of sums over the questions, their intervals and changes.

A measure says what one question adds (`unit`) and how each quantity follows from the sums
(`shares`, `others`, `differences`). Values, intervals, scopes and changes are the same for all.

Intervals resample clusters of questions. Where sentences share two things, as occupations and
templates, both are resampled at once: a draw weighs a question by how often its occupation was
drawn times how often its template was (Owen, A. B. (2007), The pigeonhole bootstrap, Annals of
Applied Statistics 1(2), 386-411). In the scope of one occupation templates alone are resampled.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import ClassVar, TypeAlias

import numpy as np

from monitor.change import Paired
from monitor.measures._matched_units import (
    ComparedByReduce,
    Reduce,
    compare_statistics,
    match_units,
)
from monitor.measures._shared import (
    Changes,
    Facts,
    ProbeCounts,
    Units,
    in_order,
    insufficient_value,
    measured_value,
    ratio_of,
    rows_by,
    too_few,
    whole,
)
from monitor.model import (
    Context,
    Cue,
    Floats,
    GenderClass,
    Ints,
    Kind,
    Matrix,
    Quantity,
    Result,
    Unit,
    Value,
)
from monitor.stats.intervals import METHODS, Z95, Limits
from monitor.stats.paired import SUSPECT, exchange_parts, missing_p
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

#: Tag of the occupation, or other noun, of the person whose gender is read.
OCCUPATION_TAG = "occupation"
_DRAWS_AT_ONCE = 64

#: A quantity from sums of columns: (..., columns) -> (...), NaN where it is undefined.
Formula: TypeAlias = Callable[[Floats], Floats]


def _subtract(above: Formula, below: Formula, sums: Floats) -> Floats:
    return above(sums) - below(sums)


def class_shares(unit: Unit) -> dict[GenderClass, float] | None:
    """Return the share of each class among the answered repeats; None without an answer."""
    answered = [cls for cls in unit.classes if cls is not None]
    if not answered:
        return None
    return {cls: answered.count(cls) / len(answered) for cls in GenderClass}


@dataclass(frozen=True, slots=True)
class Ratio:
    """The columns of a share. `is_of_marked`: an unidentified answer is in neither of them."""

    above: int
    below: int
    is_of_marked: bool = False

    def __call__(self, sums: Floats) -> Floats:
        """Return the share of sums (..., columns)."""
        return ratio_of(sums[..., self.above], sums[..., self.below])


@dataclass(frozen=True, slots=True)
class EntitySums(ComparedByReduce):
    """Base of measures that are functions of sums over questions.

    Of several ways to cluster questions the last one is that within the scope of one occupation.

    `floor`: questions with an answer below which a value is INSUFFICIENT.
    """

    floor: int = whole(10, 1)

    kind = Kind.MT
    cues = frozenset({Cue.ENTITY})
    #: Number of the sums.
    columns: ClassVar[int]
    #: Quantities that are shares of questions, and others that are shares in another sense.
    shares: ClassVar[Mapping[str, Ratio]] = {}
    others: ClassVar[Mapping[str, Formula]] = {}
    #: Quantities that are differences of two of these.
    differences: ClassVar[Mapping[str, tuple[Formula, Formula]]] = {}
    #: Quantities that each occupation has as well.
    of_occupations: ClassVar[tuple[str, ...]] = ()

    @property
    def formulas(self) -> Mapping[str, Formula]:
        """Return the formula of each quantity over the sums."""
        gaps = {name: partial(_subtract, *pair) for name, pair in self.differences.items()}
        return {**self.shares, **self.others, **gaps}

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return what one question adds to each sum; None without a usable answer."""
        raise NotImplementedError

    def describe_sums(self, sums: Floats) -> Facts:
        """Return facts of the sums, for example the cells of a table."""
        del sums
        return ()

    def reducers(self) -> Mapping[str, Reduce]:
        """Return the change of every quantity: all follow from the sums."""
        return {name: partial(_reduce, formula) for name, formula in self.formulas.items()}

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Return the first quantity per group: (draws, groups)."""
        return _reduce(self.formulas[self.quantities[0].name], stats, groups, weights)

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Return the change of every quantity, over all questions and by occupation.

        The bounds say what answers that are missing on one side could make of a change over all.
        """
        pairs = match_units(before, after)
        reducers = self.reducers()
        compared = compare_statistics(self, before, after, reducers, self.clusterings)
        changes = [self._with_bounds(change, pairs) for change in compared]
        if context.over_all or not self.of_occupations:
            return tuple(changes)
        reducers = {name: reducers[name] for name in self.of_occupations}
        occupations = {unit.tags.get(OCCUPATION_TAG, "") for unit in (*before, *after)}
        for occupation in sorted(occupations - {""}):
            sides = [
                [unit for unit in side if unit.tags.get(OCCUPATION_TAG) == occupation]
                for side in (before, after)
            ]
            of_occupation = compare_statistics(
                self, sides[0], sides[1], reducers, lambda units: self.clusterings(units)[-1:]
            )
            scope = f"tag:{OCCUPATION_TAG}={occupation}"
            changes += [replace(change, scope=scope) for change in of_occupation]
        return tuple(changes)

    def _with_bounds(
        self, change: Paired, pairs: Sequence[tuple[Unit | None, Unit | None]]
    ) -> Paired:
        """Return the change with the least and the most that it could be."""
        if change.delta is None:
            return change
        planned = [(then, now) for then, now in pairs if then and now]
        widest = self._change_ends(change.name, planned)
        missing = self._missing(change, planned)
        bounds = (
            ("bound_low", min(widest.low, change.delta)),
            ("bound_high", max(widest.high, change.delta)),
        )
        return replace(change, facts=(*change.facts, *missing, *bounds))

    def _missing(self, change: Paired, planned: Sequence[tuple[Unit, Unit]]) -> Facts:
        """Return `missing_suspect` and what it rests on, as `missing_facts` of other measures does.

        The classes whose answers can be missing are those of the persons.
        """
        sums = [(self.unit(then), self.unit(now)) for then, now in planned]
        panel = [at for at, (then, now) in enumerate(sums) if then and now]
        lost = [at for at, (then, now) in enumerate(sums) if then and not now]
        gained = [at for at, (then, now) in enumerate(sums) if now and not then]
        counts = [
            [_count_classes([planned[at][side] for at in rows]) for side, rows in halves]
            for halves in (((0, panel), (1, panel)), ((0, lost), (1, gained)))
        ]
        kept, moved = ([(then[cls], now[cls]) for cls in GenderClass] for then, now in counts)
        p = missing_p(kept, moved)
        if p is None:
            return (("missing_suspect", 0.0),)
        suspect = False
        if p <= SUSPECT and change.delta:
            tables = [np.array([sums[at][side] for at in panel], np.float64) for side in (0, 1)]
            reached = self._change_ends(
                change.name, [planned[at] for at in (*panel, *lost, *gained)]
            )
            chance = Z95 * math.hypot(
                *exchange_parts(self.reducers()[change.name], *tables).tolist()
            )
            suspect = reached.low - chance <= 0 <= reached.high + chance
        return (
            ("missing_suspect", float(suspect)),
            ("became_missing", float(len(lost))),
            ("was_missing", float(len(gained))),
            ("p_missing", p),
        )

    def _change_ends(self, name: str, planned: Sequence[tuple[Unit, Unit]]) -> Limits:
        """Return the least and the most that a change over these questions could be."""
        before, after = (self._ends(name, [pair[side] for pair in planned]) for side in (0, 1))
        return Limits(after.low - before.high, after.high - before.low)

    def _ends(self, name: str, units: Sequence[Unit]) -> Limits:
        """Return the least and the most that a quantity could be, whatever is missing.

        A quantity is a share of sums, or a difference of two, each of which is largest where all
        missing answers to questions of one kind have one class. Changing the class of one kind at
        a time finds it, because a share of sums has no other peaks.
        """
        sums = [self.unit(unit) for unit in units]
        known = np.array([one for one in sums if one is not None], np.float64)
        total = known.sum(axis=0) if len(known) else np.zeros(self.columns)
        kinds: Counter[tuple[tuple[float, ...], ...]] = Counter()
        for unit, one in zip(units, sums, strict=True):
            if one is None:
                kinds[self._possible_sums(unit)] += 1
        shares = self.differences.get(name, (self.formulas[name],))
        least, most = (
            [_extreme(share, total, kinds, largest=largest) for share in shares]
            for largest in (False, True)
        )
        low, high = (0.0, 0.0) if len(shares) == 1 else (most[1], least[1])
        return Limits(least[0] - low, most[0] - high)

    def _possible_sums(self, unit: Unit) -> tuple[tuple[float, ...], ...]:
        """Return what a question could add to the sums, by the class of its answer."""
        answers = (self.unit(replace(unit, classes=(cls,))) for cls in GenderClass)
        return tuple(dict.fromkeys(one for one in answers if one is not None))

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return all values, over all questions and by occupation."""
        ordered = in_order(units)
        sums_of = [self.unit(unit) for unit in ordered]
        answered = np.array([sums is not None for sums in sums_of], np.bool_)
        table = np.array([sums or (0.0,) * self.columns for sums in sums_of], np.float64)
        table = table.reshape(len(ordered), self.columns)
        known = np.flatnonzero(answered)
        clusterings = self.clusterings([ordered[row] for row in known])
        weights = [
            _cluster_weights(clusters, context, stream)
            for stream, clusters in enumerate(clusterings)
        ]
        unknown = _count_unidentified(ordered)
        values = self._values(
            "all", list(range(len(ordered))), table, answered, unknown,
            _draw_sums(table[known], reduce(np.multiply, weights), np.arange(len(known))),
            clusterings[0], self.formulas,
        )  # fmt: skip
        place = np.cumsum(answered) - 1
        by_tag = rows_by(unit.tags.get(OCCUPATION_TAG, "") for unit in ordered)
        formulas = {name: self.formulas[name] for name in self.of_occupations}
        for occupation in sorted(set(by_tag) - {""}) if formulas else []:
            rows = by_tag[occupation]
            used = place[[row for row in rows if answered[row]]]
            values += self._values(
                f"tag:{OCCUPATION_TAG}={occupation}", rows, table, answered, unknown,
                _draw_sums(table[known], weights[-1], used), clusterings[-1][used], formulas,
            )  # fmt: skip
        return Result(tuple(values))

    def _values(
        self,
        scope: str,
        rows: Sequence[int],
        table: Matrix,
        answered: np.ndarray,
        unknown: Floats,
        drawn: Floats,
        clusters: Ints,
        formulas: Mapping[str, Formula],
    ) -> list[Value]:
        chosen = np.asarray(rows, np.int64)
        n = int(answered[chosen].sum())
        answers = ProbeCounts(len(rows), n, n, round(float(unknown[chosen].sum())))
        sums = table[chosen].sum(axis=0)
        facts = self.describe_sums(sums)
        values = []
        for quantity in self.quantities:
            if quantity.name not in formulas:
                continue
            counts = self._count_used(quantity, sums, answers)
            value = float(formulas[quantity.name](sums))
            if counts.used < max(self.floor, 1):
                label = scope.removeprefix("tag:").replace("=", " ")
                reason = too_few(label, counts, self.floor)
                values.append(insufficient_value(quantity.name, scope, counts, reason, facts))
            elif not np.isfinite(value):
                reason = f"{quantity.title}: no question of the list, or no answer, is of that kind"
                values.append(insufficient_value(quantity.name, scope, counts, reason, facts))
            else:
                interval = percentile_interval(formulas[quantity.name](drawn))
                values.append(
                    measured_value(
                        quantity.name, scope, counts, value,
                        self._interval(quantity, value, interval, clusters),
                        self._bounds(quantity, sums, counts), facts,
                    )
                )  # fmt: skip
        return values

    def _count_used(self, quantity: Quantity, sums: Floats, counts: ProbeCounts) -> ProbeCounts:
        """Return the counts with the number of questions that a quantity rests on."""
        del quantity, sums
        return counts

    def _interval(
        self, quantity: Quantity, value: float, interval: Limits | None, clusters: Ints
    ) -> Limits | None:
        """Return the interval with the value inside; of a share that no draw moves Wilson's.

        Wilson's is then that of as many independent questions as there are clusters.
        """
        if interval is not None and interval.high > interval.low:
            return Limits(min(interval.low, value), max(interval.high, value))
        if quantity.name not in self.shares:
            return None
        n = float(len(np.unique(clusters)))
        low, high = METHODS["wilson"](value * n, n)
        return Limits(float(low), float(high))

    def _bounds(self, quantity: Quantity, sums: Floats, counts: ProbeCounts) -> Limits | None:
        """Return the share if every question not known had counted against it, or for it.

        None for a quantity that is no share.
        """
        if quantity.name not in self.shares:
            return None
        ratio = self.shares[quantity.name]
        missing = counts.planned - counts.answered
        missing += counts.unidentified if ratio.is_of_marked else 0
        above, below = float(sums[ratio.above]), float(sums[ratio.below]) + missing
        return Limits(above / below, (above + missing) / below)


def _extreme(
    formula: Formula,
    total: Floats,
    kinds: Mapping[tuple[tuple[float, ...], ...], int],
    *,
    largest: bool,
) -> float:
    """Return the largest or smallest share of the sums with one class for each kind of question."""
    options = [n * np.array(possible, np.float64) for possible, n in kinds.items()]
    choice = [0] * len(options)
    sign = 1.0 if largest else -1.0

    def value() -> float:
        sums = total + sum((rows[at] for rows, at in zip(options, choice, strict=True)), 0.0)
        share = float(formula(np.asarray(sums)))
        return sign * share if np.isfinite(share) else -np.inf

    best, moved = value(), True
    while moved:
        moved = False
        for kind, rows in enumerate(options):
            for at in range(len(rows)):
                before, choice[kind] = choice[kind], at
                computed = value()
                if computed > best:
                    best, moved = computed, True
                else:
                    choice[kind] = before
    return sign * best if np.isfinite(best) else 0.0


def _reduce(formula: Formula, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
    """Return a quantity per group under each row of weights: (draws, groups)."""
    size = int(groups.max(initial=-1)) + 1
    if not size:
        return np.zeros((len(weights), 0))
    return np.stack(
        [
            formula(_draw_sums(stats, weights, np.flatnonzero(groups == group)))
            for group in range(size)
        ],
        axis=1,
    )


def _draw_sums(table: Matrix, weights: Floats, rows: Ints) -> Floats:
    """Return the weighted sums of some rows under each draw: (draws, columns).

    Weights are whole. So whole numbers have exact sums in any order: a matrix product gives them.
    Other columns are summed row by row: the last bits of a product depend on the linear algebra
    library and its threads.
    """
    sums = np.zeros((len(weights), table.shape[1]))
    used = rows[(table[rows] != 0).any(axis=1)]
    values = table[used]
    exact = (values == np.rint(values)).all(axis=0)
    for first in range(0, len(weights), _DRAWS_AT_ONCE):
        some = weights[first : first + _DRAWS_AT_ONCE, used]
        draws = slice(first, first + len(some))
        sums[draws, exact] = some @ values[:, exact]
        for column in np.flatnonzero(~exact):
            counted = values[:, column] != 0
            sums[draws, column] = (some[:, counted] * values[counted, column]).sum(axis=1)
    return sums


def _cluster_weights(clusters: Ints, context: Context, stream: int) -> Floats:
    """Return how often the cluster of each question is drawn: (draws, questions)."""
    count = int(clusters.max(initial=-1)) + 1
    weights = bootstrap_weights(
        np.zeros(count, np.int64), context.draws, generator(context.seed, stream)
    )
    return weights[:, clusters] if count else np.zeros((context.draws, 0))


def _count_classes(units: Sequence[Unit]) -> Counter[GenderClass | None]:
    """Return how many questions have each class, by its first answer; None without classes."""
    return Counter(next((cls for cls in unit.classes if cls is not None), None) for unit in units)


def _count_unidentified(units: Sequence[Unit]) -> Floats:
    """Return the share of unidentified answers of each question."""
    answered = (len(unit.classes) - unit.classes.count(None) for unit in units)
    unidentified = (unit.classes.count(GenderClass.UNIDENTIFIED) for unit in units)
    return np.array([n / max(of, 1) for n, of in zip(unidentified, answered, strict=True)])
