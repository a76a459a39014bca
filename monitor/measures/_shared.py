"""Parts of all measures: parameters, quantities, statistics of a probe, and values.

A measure is a frozen dataclass, whose fields are its parameters with the check of their values:
`floor: int = whole(10, 1)`.

Every probe counts once, however often it was asked. A repeat is *unknown* when it has no usable
answer or its class is unidentified; it is *read* otherwise, and *marked* when it is masculine or
feminine.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum, auto
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from monitor.change import Paired
from monitor.model import (
    NO_KNOWN_EFFECT,
    Cue,
    Direction,
    Flag,
    Floats,
    GenderClass,
    Ints,
    InvalidInput,
    Json,
    Kind,
    MasculineEffect,
    Matrix,
    Meaning,
    Quantity,
    QuantityUnit,
    State,
    Symmetry,
    Unit,
    Validity,
    Value,
)
from monitor.stats.clustered import ClusterEffect, cluster_effect
from monitor.stats.intervals import METHODS, Limits

_CLASSES = tuple(GenderClass)
#: So many draws of some thousands of units stay in the cache of a processor.
_DRAWS_AT_ONCE = 32
#: Below this many usable answers a value is exploratory.
EXPLORATORY_BELOW = 50
Facts = tuple[tuple[str, float], ...]
Units: TypeAlias = Sequence[Unit]
Changes: TypeAlias = tuple[Paired, ...]

#: From the names of a measure and a parameter and a value to the value that is kept.
Check = Callable[[str, str, object], object]


def checked(default: object, check: Check) -> Any:  # noqa: ANN401 - what dataclasses take as default
    """Return the field of a parameter whose values `check` accepts, or InvalidInput is raised."""
    return field(default=default, metadata={"check": check})


def whole(default: int | None, least: int, most: int | None = None) -> Any:  # noqa: ANN401
    """Return the field of a whole number in a range; None is a value where it is the default."""

    def check(measure: str, name: str, value: object) -> object:
        if value is None and default is None:
            return None
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
        if not fits or (most is not None and isinstance(value, int) and value > most):
            allowed = f">= {least}" if most is None else f"from {least} to {most}"
            raise InvalidInput(
                f"{measure}: {name} is {value!r}; it must be a whole number {allowed}"
            )
        return value

    return checked(default, check)


def choice(default: str, choices: Collection[str]) -> Any:  # noqa: ANN401
    """Return the field of one of some names."""

    def check(measure: str, name: str, value: object) -> object:
        check_choice(measure, name, value, choices)
        return value

    return checked(default, check)


def check_choice(measure: str, name: str, value: object, choices: Collection[str]) -> None:
    """Raise InvalidInput unless `value` is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be {' or '.join(choices)}")


def flag(*, default: bool) -> Any:  # noqa: ANN401
    """Return the field of a parameter that is true or false."""
    return checked(default, _check_flag)


def _check_flag(measure: str, name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be true or false")
    return value


def share(default: float) -> Any:  # noqa: ANN401
    """Return the field of a number from 0 to 1; 1 and 1.0 are one name."""
    return checked(default, lambda *given: float(check_share(*given)))


def check_share(measure: str, name: str, value: object) -> float:
    """Return a number from 0 to 1. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be a number from 0 to 1")
    return value


class BaseMeasure:
    """Base of all measures: their parameters, and what most of them declare."""

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    kind: ClassVar[Kind]
    cues: ClassVar[frozenset[Cue]]
    tag: ClassVar[str]
    resampling: ClassVar[str]
    citation: ClassVar[str]
    quantities: ClassVar[tuple[Quantity, ...]]
    validity: ClassVar[Validity]
    needs_reference: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter. Raises InvalidInput."""
        measure: Any = self  # a dataclass
        for parameter in fields(measure):
            if check := parameter.metadata.get("check"):
                value = check(self.name, parameter.name, getattr(self, parameter.name))
                object.__setattr__(self, parameter.name, value)

    @property
    def parameters(self) -> Mapping[str, Json]:
        """Every parameter with its value."""
        measure: Any = self  # a dataclass
        values = {parameter.name: getattr(self, parameter.name) for parameter in fields(measure)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    def configure(self, parameters: Mapping[str, Json]) -> Self:
        """Return a copy with these parameters. Raises InvalidInput."""
        known_parameters = self.parameters
        for name in parameters:
            if name not in known_parameters:
                names = ", ".join(known_parameters)
                raise InvalidInput(f"{self.name}: unknown parameter {name!r}; known: {names}")
        copy: Any = self
        changed: Self = replace(copy, **parameters)
        return changed


class SearchMeasure(BaseMeasure):
    """Base of measures of what ranked lists say."""

    __slots__ = ()

    kind = Kind.SEARCH
    cues = frozenset({Cue.TERMS, Cue.PEOPLE})
    tag = ""
    resampling = "queries"


class Shape(NamedTuple):
    """The range of a quantity, and what becomes of it when women and men are exchanged."""

    direction: Direction
    symmetry: Symmetry
    neutral: float | None
    low: float
    high: float


SCORE = Shape(Direction.UNSIGNED, Symmetry.EVEN, None, 0.0, 1.0)
GAP = Shape(Direction.SIGNED, Symmetry.ODD, 0.0, -1.0, 1.0)
UNBOUNDED = Shape(Direction.SIGNED, Symmetry.ODD, 0.0, -math.inf, math.inf)
CORRELATION = Shape(Direction.SIGNED, Symmetry.EVEN, None, -1.0, 1.0)
RANK = Shape(Direction.SIGNED, Symmetry.REFLECT, 8.5, 1.0, 16.0)  # of the 16 stereotypes


def make_quantity(
    name: str,
    title: str,
    label: str,
    shape: Shape,
    unit: str,
    up: str,
    down: str,
    *,
    mirror: str = "",
    rank: int = 0,
    explained: str = "",
    parts: tuple[str, ...] = (),
    question: str = "",
    masculine_effect: MasculineEffect = NO_KNOWN_EFFECT,
) -> Quantity:
    """Return a quantity; what is not of `shape` is what `Quantity` and `Meaning` say of it."""
    meaning = Meaning(
        label=label, unit=QuantityUnit(unit), up=up, down=down,
        explained=explained, rank=rank, parts=parts, question=question,
        masculine_effect=masculine_effect,
    )  # fmt: skip
    return Quantity(name, title, *shape, mirror, meaning=meaning)


def share_quantity(
    name: str,
    title: str,
    label: str,
    does: str,
    *,
    neutral: float | None = None,
    where: str = "",
    mirror: str = "",
    rank: int = 0,
    explained: str = "",
    masculine_effect: MasculineEffect = NO_KNOWN_EFFECT,
) -> Quantity:
    """Return the quantity of a share in [0, 1]; one with a neutral value is signed about it.

    `does` is what a system with a higher share does more often, `where` it does so.
    """
    shape = SCORE
    if neutral is not None:
        shape = Shape(Direction.SIGNED, Symmetry.COMPLEMENT, neutral, 0.0, 1.0)
    up, down = (
        " ".join(filter(None, (does, much, where))) for much in ("more often", "less often")
    )
    return make_quantity(
        name, title, label, shape, "share", up, down,
        mirror=mirror, rank=rank, explained=explained, masculine_effect=masculine_effect,
    )  # fmt: skip


class Col(IntEnum):
    """Columns of the statistics of one probe; all lie in [0, 1]."""

    MASCULINE = 0  # share of masculine among the marked repeats
    FEMININE = auto()  # share of feminine among the marked repeats
    MARKED = auto()  # 1 if any repeat is marked: the probe is usable
    READ = auto()  # 1 if any repeat is read
    MARKED_SHARE = auto()  # share of marked among the read repeats
    ANSWERED = auto()  # 1 if any repeat has a usable answer
    POSSIBLE = auto()  # 1 if any repeat is marked or unknown: the probe could be usable
    MASCULINE_LOW = auto()  # share of masculine if every unknown repeat were feminine
    MASCULINE_HIGH = auto()  # share of masculine if every unknown repeat were masculine
    MARKED_LOW = auto()  # share of marked if every unknown repeat were unmarked
    MARKED_HIGH = auto()  # share of marked if every unknown repeat were marked
    N_MASCULINE = auto()  # shares of the seven classes among the answered repeats
    N_FEMININE = auto()
    N_BOTH = auto()
    N_INCLUSIVE = auto()
    N_MIXED = auto()
    N_NONE = auto()
    N_UNIDENTIFIED = auto()


#: A planned probe without any usable answer: nothing but its bounds.
_UNANSWERED = tuple(float(c in {Col.POSSIBLE, Col.MASCULINE_HIGH, Col.MARKED_HIGH}) for c in Col)


def probe_statistics(classes: tuple[GenderClass | None, ...]) -> tuple[float, ...] | None:
    """The columns of `Col` for one probe, or None when none of its repeats has a usable answer."""
    count = Counter(classes)
    answered = len(classes) - count[None]
    if answered == 0:
        return None
    men, women = count[GenderClass.MASCULINE], count[GenderClass.FEMININE]
    marked = men + women
    read = answered - count[GenderClass.UNIDENTIFIED]
    unknown = len(classes) - read
    possible = marked + unknown
    return (
        men / marked if marked else 0.0,
        women / marked if marked else 0.0,
        float(marked > 0),
        float(read > 0),
        marked / read if read else 0.0,
        1.0,
        float(possible > 0),
        men / possible if possible else 0.0,
        (men + unknown) / possible if possible else 0.0,
        marked / len(classes),
        (marked + unknown) / len(classes),
        *(count[cls] / answered for cls in _CLASSES),
    )


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Units sorted by key (and by all else where a key stands twice): sums then never vary."""
    return sorted(
        units,
        key=lambda u: (
            u.key, sorted(u.tags.items()), [c or "" for c in u.classes], u.scores,
            [[(i.entity, i.state, i.group) for i in items or ()] for items in u.lists],
        ),
    )  # fmt: skip


def statistics_matrix(units: Sequence[Unit]) -> Matrix:
    """Return one row of columns per planned probe: (units, len(Col))."""
    rows_by_classes: dict[tuple[GenderClass | None, ...], tuple[float, ...]] = {}
    for unit in units:
        if unit.classes not in rows_by_classes:
            rows_by_classes[unit.classes] = probe_statistics(unit.classes) or _UNANSWERED
    rows = [rows_by_classes[unit.classes] for unit in units]
    return np.array(rows, np.float64).reshape(len(rows), len(Col))


def tag_values(units: Sequence[Unit], tag: str, known: Sequence[str] = ()) -> list[str]:
    """The tag of every unit. Raises InvalidInput where it is missing or not among `known`."""
    values = [unit.tags.get(tag, "") for unit in units]
    for unit, value in zip(units, values, strict=True):
        if not value or (known and value not in known):
            allowed = f"one of {', '.join(known)}" if known else "not empty"
            raise InvalidInput(f"probe {unit.key}: tag {tag!r} is {value!r}; it must be {allowed}")
    return values


def rows_by(values: Iterable[str]) -> Mapping[str, list[int]]:
    """Row numbers of each value, in ascending order."""
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        rows.setdefault(value, []).append(row)
    return rows


def tag_scopes(units: Sequence[Unit], tag: str) -> list[tuple[str, list[int]]]:
    """(scope, rows) of the values of a tag; an empty tag counts as no tag."""
    by_value = rows_by(unit.tags.get(tag, "") for unit in units)
    return [(f"tag:{tag}={value}", by_value[value]) for value in sorted(set(by_value) - {""})]


def ratio_of(numerator: Floats, denominator: Floats | Ints) -> Floats:
    """Return a ratio, NaN, which never reaches a record, where the denominator is not above 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(denominator > 0, numerator / denominator, np.nan), np.float64)


def share_by_group(numerator: Floats, denominator: Floats, groups: Ints, weights: Floats) -> Floats:
    """Return `ratio_by_group` of a part and its whole: (draws, groups)."""
    # Thirds and fifths add up to a little more than the whole now and then.
    return np.minimum(ratio_by_group(numerator, denominator, groups, weights), 1.0)


def reduce_groups(
    stats: Matrix, groups: Ints, weights: Floats, reduce_one: Callable[[Matrix, Floats], Floats]
) -> Floats:
    """Return (draws, groups) of what is made of each group's statistics; NaN for an empty group."""
    reduced = np.full((len(weights), int(groups.max(initial=-1)) + 1), np.nan)
    for group in np.unique(groups).tolist():
        in_group = groups == group
        with np.errstate(invalid="ignore", divide="ignore"):
            reduced[:, group] = reduce_one(stats[in_group], weights[:, in_group])
    return reduced


def ratio_by_group(numerator: Floats, denominator: Floats, groups: Ints, weights: Floats) -> Floats:
    """Return the weighted sum of one column over that of another per group: (draws, groups).

    Groups are 0..max(groups). NaN stands where a group has no weight; it means "undefined" between
    arrays only and never reaches a record. Plain sums instead of a matrix product, because the
    last bits of that depend on the linear algebra library and its threads.
    """
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    ratios = np.full((len(weights), int(groups.max(initial=-1)) + 1), np.nan)
    if len(present) == 0:
        return ratios
    is_ordered = np.array_equal(order, np.arange(len(order)))
    numerator, denominator = numerator[order], denominator[order]
    for first in range(0, len(weights), _DRAWS_AT_ONCE):
        batch = weights[first : first + _DRAWS_AT_ONCE]
        ordered = batch if is_ordered else batch[:, order]
        above = np.add.reduceat(ordered * numerator, starts, axis=1)
        below = np.add.reduceat(ordered * denominator, starts, axis=1)
        batch_ratios = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        ratios[first : first + len(batch), present] = batch_ratios
    return ratios


@dataclass(frozen=True, slots=True)
class ProbeCounts:
    """The number of probes that a value rests on."""

    planned: int
    answered: int
    used: int
    unidentified: int


def sum_counts(parts: Sequence[ProbeCounts | Value]) -> ProbeCounts:
    """Return the counts of several values or scopes together."""
    names = ("planned", "answered", "used", "unidentified")
    return ProbeCounts(*(sum(getattr(part, name) for part in parts) for name in names))


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope with the column sums of its planned probes."""

    name: str
    planned: int
    sums: Floats

    def total(self, column: Col) -> float:
        """Sum of one column."""
        return float(self.sums[column])

    def counts(self, used: Col) -> ProbeCounts:
        """Counts for a value that rests on the probes of column `used`."""
        answered, read = round(self.total(Col.ANSWERED)), round(self.total(Col.READ))
        return ProbeCounts(self.planned, answered, round(self.total(used)), answered - read)

    def class_facts(self) -> Facts:
        """Number of probes per class, repeats averaged; empty when nothing was answered."""
        if not self.total(Col.ANSWERED):
            return ()
        return tuple(
            (column.name.removeprefix("N_").lower(), self.total(column))
            for column in Col
            if column.name.startswith("N_")
        )


def scope_of(name: str, table: Matrix, rows: Sequence[int]) -> Scope:
    """The scope of these rows of the table of all planned probes."""
    return Scope(name, len(rows), table[np.asarray(rows, np.int64)].sum(axis=0))


@dataclass(frozen=True, slots=True)
class Ratio:
    """The columns of a share: x/n, and the lowest and highest x over the n then possible."""

    name: str
    above: Col
    below: Col
    lowest: Col
    highest: Col
    possible: Col | None  # None: every planned probe could count


MASCULINE = Ratio(
    "masculine", Col.MASCULINE, Col.MARKED, Col.MASCULINE_LOW, Col.MASCULINE_HIGH, Col.POSSIBLE
)
MARKED = Ratio("marked", Col.MARKED_SHARE, Col.READ, Col.MARKED_LOW, Col.MARKED_HIGH, None)


@dataclass(frozen=True, slots=True, eq=False)
class Clustered:
    """The widening of the interval of a share by clusters of probes; arrays are (units,)."""

    ratio: Ratio
    table: Matrix  # (units, len(Col))
    cluster: Ints
    effect: ClusterEffect

    @classmethod
    def of(
        cls,
        ratio: Ratio,
        table: Matrix,
        cluster: Ints,
        strata: Ints | None = None,
        rows: Sequence[int] | Ints | None = None,
    ) -> "Clustered":
        """Estimate the effect from some rows, all by default; without strata they are one."""
        groups = np.zeros(len(table), np.int64) if strata is None else strata
        usable = table[:, ratio.below] > 0
        if rows is not None:
            usable &= np.isin(np.arange(len(table)), np.asarray(rows, np.int64))
        effect = cluster_effect(table[usable, ratio.above], groups[usable], cluster[usable])
        return cls(ratio, table, cluster, effect)

    def inflation(self, rows: Sequence[int] | Ints) -> float:
        """Return the factor by which clusters raise the variance of the share of these rows."""
        row_numbers = np.asarray(rows, np.int64)
        return self.effect.inflation(
            self.cluster[row_numbers[self.table[row_numbers, self.ratio.below] > 0]]
        )

    def within(self, rows: Sequence[int] | Ints) -> float:
        """Return the same for a scope that may be one cluster; the interval is then about it."""
        row_numbers = np.asarray(rows, np.int64)
        return self.inflation(row_numbers) if len(np.unique(self.cluster[row_numbers])) > 1 else 1.0


def share_bounds(scope: Scope, ratio: Ratio) -> Limits:
    """Lowest and highest possible share whatever the unknown repeats are; [0, 1] if all are.

    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3),
    343-360. With one repeat per probe: x/(n + u) and (x + u)/(n + u).
    """
    possible = scope.planned if ratio.possible is None else scope.total(ratio.possible)
    if not possible:
        return Limits(0.0, 1.0)
    return Limits(scope.total(ratio.lowest) / possible, scope.total(ratio.highest) / possible)


def insufficient_value(
    name: str,
    scope: str,
    counts: ProbeCounts,
    reason: str,
    facts: Facts = (),
    limits: Limits | None = None,
) -> Value:
    """A value that is not there, with the reason; bounds only where something was seen."""
    return Value(
        name, scope, State.INSUFFICIENT, counts.planned, counts.answered, counts.used,
        counts.unidentified, reason=reason, facts=facts,
        bound_low=limits.low if limits else None, bound_high=limits.high if limits else None,
    )  # fmt: skip


def measured_value(
    name: str,
    scope: str,
    counts: ProbeCounts,
    value: float,
    interval: Limits | None,
    limits: Limits | None,
    facts: Facts = (),
    flags: tuple[Flag, ...] = (),
) -> Value:
    """A value with its interval and its bounds, either of which may be unknown.

    One that rests on few answers has their flag beside those given.
    """
    if counts.used < EXPLORATORY_BELOW:
        flags = tuple(dict.fromkeys((Flag.EXPLORATORY, *flags)))
    low, high = interval or (None, None)
    bound_low, bound_high = limits or (None, None)
    if limits:  # sums taken along two ways may differ in the last bit
        bound_low, bound_high = min(limits.low, value), max(limits.high, value)
    return Value(
        name, scope, State.MEASURED, counts.planned, counts.answered, counts.used,
        counts.unidentified, value, low, high, bound_low, bound_high, flags=flags, facts=facts,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that rests on `used` probes, with its limits, or why there is none."""

    value: float | None
    interval: Limits | None = None
    bounds: Limits | None = None
    used: int = 0
    reason: str = ""
    facts: Facts = ()

    @classmethod
    def lacking(cls, reason: str, used: int = 0, facts: Facts = ()) -> "Estimate":
        """Return one without a number."""
        return cls(None, used=used, reason=reason, facts=facts)

    def point(self, name: str, scope: str, counts: ProbeCounts) -> Value:
        """Return it as the value of a quantity."""
        if self.value is None:
            return insufficient_value(name, scope, counts, self.reason, self.facts, self.bounds)
        return measured_value(
            name, scope, counts, self.value, self.interval, self.bounds, self.facts
        )


def too_few(label: str, counts: ProbeCounts, floor: int, what: str = "usable") -> str:
    """`stereotype 3: 4 usable answers of 40 planned, floor 10`."""
    return f"{label}: {counts.used} {what} answers of {counts.planned} planned, floor {floor}"


def share_value(
    name: str,
    scope: Scope,
    ratio: Ratio,
    floor: int,
    method: str,
    flags: tuple[Flag, ...] = (),
    facts: Facts = (),
    inflation: float = 1.0,
) -> Value:
    """x/n of a scope with interval and bounds, INSUFFICIENT below the floor.

    The interval is that of n / `inflation` independent probes (`Clustered.inflation`).
    """
    counts = scope.counts(ratio.below)
    possible = share_bounds(scope, ratio)
    if counts.used < max(floor, 1):
        label = scope.name.removeprefix("tag:").replace(":", " ")
        what = "usable" if ratio is MASCULINE else "read"
        return insufficient_value(
            name, scope.name, counts, too_few(label, counts, floor, what), facts,
            possible if counts.used else None,
        )  # fmt: skip
    n = scope.total(ratio.below)
    x = min(scope.total(ratio.above), n)  # thirds and fifths may add up to a little more
    low, high = METHODS[method](x / inflation, n / inflation)
    facts = (*facts, ("effective_n", n / inflation))
    interval = Limits(float(low), float(high))
    return measured_value(name, scope.name, counts, x / n, interval, possible, facts, flags)
