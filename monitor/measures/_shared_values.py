"""Building blocks of values: column sums of a scope in, counts, facts and plain shares out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.measures._shared_classes import Col
from monitor.model import Flag, Floats, Ints, Matrix, State, Value
from monitor.stats.clustered import ClusterEffect, cluster_effect
from monitor.stats.intervals import METHODS, Limits

#: Below this many usable answers a value is exploratory.
EXPLORATORY_BELOW = 50

Facts = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many probes a value rests on."""

    planned: int
    answered: int
    used: int
    unidentified: int


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope with the column sums of its planned probes."""

    name: str
    planned: int
    sums: Floats

    def total(self, column: Col) -> float:
        """Sum of one column."""
        return float(self.sums[column])

    def counts(self, used: Col) -> Counts:
        """Counts for a value that rests on the probes of column `used`."""
        answered, read = round(self.total(Col.ANSWERED)), round(self.total(Col.READ))
        return Counts(self.planned, answered, round(self.total(used)), answered - read)

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
    """Which columns make a share: x/n, and the lowest and highest x over the n then possible."""

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
    """How much the clusters of probes widen the interval of a share; arrays are (units,)."""

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
        at = np.asarray(rows, np.int64)
        return self.effect.inflation(self.cluster[at[self.table[at, self.ratio.below] > 0]])

    def within(self, rows: Sequence[int] | Ints) -> float:
        """The same for a scope that may be one cluster: the interval is then about that cluster."""
        at = np.asarray(rows, np.int64)
        return self.inflation(at) if len(np.unique(self.cluster[at])) > 1 else 1.0


def bounds(scope: Scope, ratio: Ratio) -> Limits:
    """Lowest and highest possible share whatever the unknown repeats are; [0, 1] if all are.

    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3),
    343-360. With one repeat per probe: x/(n + u) and (x + u)/(n + u).
    """
    possible = scope.planned if ratio.possible is None else scope.total(ratio.possible)
    if not possible:
        return Limits(0.0, 1.0)
    return Limits(scope.total(ratio.lowest) / possible, scope.total(ratio.highest) / possible)


def exploratory(counts: Counts) -> tuple[Flag, ...]:
    """The flag of values that rest on few answers."""
    return (Flag.EXPLORATORY,) if counts.used < EXPLORATORY_BELOW else ()


def insufficient(
    name: str,
    scope: str,
    counts: Counts,
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


def measured(
    name: str,
    scope: str,
    counts: Counts,
    value: float,
    interval: Limits | None,
    limits: Limits | None,
    flags: tuple[Flag, ...] = (),
    facts: Facts = (),
) -> Value:
    """A value with its interval and its bounds, either of which may be unknown."""
    low, high = interval or (None, None)
    bound_low, bound_high = limits or (None, None)
    if limits:  # sums taken along two ways may differ in the last bit
        bound_low, bound_high = min(limits.low, value), max(limits.high, value)
    return Value(
        name, scope, State.MEASURED, counts.planned, counts.answered, counts.used,
        counts.unidentified, value, low, high, bound_low, bound_high, flags=flags, facts=facts,
    )  # fmt: skip


def too_few(label: str, counts: Counts, floor: int, what: str = "usable") -> str:
    """`stereotype 3: 4 usable answers of 40 planned, floor 10`."""
    return f"{label}: {counts.used} {what} answers of {counts.planned} planned, floor {floor}"


def share(
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
    possible = bounds(scope, ratio)
    if counts.used < max(floor, 1):
        label = scope.name.removeprefix("tag:").replace(":", " ")
        what = "usable" if ratio is MASCULINE else "read"
        return insufficient(
            name, scope.name, counts, too_few(label, counts, floor, what), facts,
            possible if counts.used else None,
        )  # fmt: skip
    n = scope.total(ratio.below)
    x = min(scope.total(ratio.above), n)  # thirds and fifths may add up to a little more
    low, high = METHODS[method](x / inflation, n / inflation)
    flags = tuple(dict.fromkeys(flags + exploratory(counts)))
    facts = (*facts, ("effective_n", n / inflation))
    interval = Limits(float(low), float(high))
    return measured(name, scope.name, counts, x / n, interval, possible, flags, facts)
