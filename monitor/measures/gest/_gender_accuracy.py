"""Accuracy where the gender is said: sorts of sentences, differences of accuracies, and changes.

Twins of a base sentence are a cluster. In the panel of changes masculine stands for right and
feminine for wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._paired import Means, Panel, change_of_share, too_few
from monitor.measures._paired_units import PairedStatistics, class_changes
from monitor.measures._shared import (
    Col,
    ProbeCounts,
    insufficient_value,
    measured_value,
    rows_by,
    tag_values,
)
from monitor.model import Context, Floats, Ints, InvalidInput, Matrix, State, Unit, Value
from monitor.stats.intervals import Limits, mover
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

FEMININE, MASCULINE_SAID = "feminine", "masculine"
WOMEN, MEN = "women", "men"

#: Of each accuracy in a gap: label, coefficient, rows.
Arms: TypeAlias = list[tuple[str, float, list[int]]]


#: Fewer base sentences give resamples too much alike.
_LEAST_BASES = 10


@dataclass(frozen=True, slots=True)
class Sorts:
    """The gender that each sentence says, and the stereotype that it is about."""

    said: Sequence[str]
    about: Sequence[str]

    @classmethod
    def of(cls, units: Sequence[Unit], tag: str) -> "Sorts":
        """Return what the tags say. Raises InvalidInput for a value that is none of theirs."""
        genders = tag_values(units, tag, (FEMININE, MASCULINE_SAID))
        return cls(genders, [_about_gender(unit) for unit in units])

    def saying(self, said: str, rows: Sequence[int]) -> list[int]:
        """The rows in which this gender is said."""
        return [row for row in rows if self.said[row] == said]

    def sides(self, rows: Sequence[int]) -> Arms:
        """Return label, coefficient and rows of the accuracies in accuracy_gap."""
        return [
            (f"{gender} said", sign, self.saying(gender, rows))
            for gender, sign in ((MASCULINE_SAID, 1.0), (FEMININE, -1.0))
        ]

    def stereotyped(self, rows: Sequence[int]) -> Arms:
        """Return the same of stereotype_gap."""
        return [
            (
                f"{gender} said, about {about}",
                0.5 if (gender == FEMININE) == (about == WOMEN) else -0.5,
                [row for row in self.saying(gender, rows) if self.about[row] == about],
            )
            for gender in (FEMININE, MASCULINE_SAID)
            for about in (WOMEN, MEN)
        ]


def _about_gender(unit: Unit) -> str:
    about = unit.tags.get("about", "")
    if about not in {"", WOMEN, MEN}:
        raise InvalidInput(
            f"probe {unit.key}: tag 'about' is {about!r}; it must be {WOMEN}, {MEN} or empty"
        )
    return about


def tag_scopes(units: Sequence[Unit], tag: str) -> list[tuple[str, list[int]]]:
    """(scope, rows) of the values of a tag; an empty tag counts as no tag."""
    by_value = rows_by(unit.tags.get(tag, "") for unit in units)
    return [(f"tag:{tag}={value}", by_value[value]) for value in sorted(set(by_value) - {""})]


class GapMeasure(Protocol):
    """The part of the measure that gaps use."""

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Arm:
    """One accuracy in a gap, with its coefficient and the rows of its probes."""

    label: str
    coefficient: float
    rows: Sequence[int]
    accuracy: Value


def accuracy_gap(
    name: str,
    measure: GapMeasure,
    arms: Sequence[Arm],
    table: Matrix,
    bases: Ints,
    context: Context,
) -> Value:
    """Sum of coefficient times accuracy; INSUFFICIENT when an accuracy is, naming which."""
    values = [arm.accuracy for arm in arms]
    scope, counts = values[0].scope, _sum_counts(values)
    lacking = [arm for arm in arms if arm.accuracy.state is not State.MEASURED]
    if lacking:
        labels = "; ".join(arm.label for arm in lacking)
        reason = f"accuracy is insufficient for {labels} ({lacking[0].accuracy.reason})"
        return insufficient_value(name, scope, counts, reason)
    c = np.array([arm.coefficient for arm in arms])
    p, low, high, lowest, highest = (
        _value_column(values, field)
        for field in ("value", "low", "high", "bound_low", "bound_high")
    )
    value = float(np.sum(c * p))
    rows = np.array([row for arm in arms for row in arm.rows], np.int64)
    n_bases = len(np.unique(bases[rows[table[rows, Col.MARKED] > 0]]))
    interval = None
    if n_bases >= _LEAST_BASES and ((p > 0) & (p < 1)).all():
        interval = percentile_interval(_resample_gap(measure, arms, table, bases, context))
    by_mover = interval is None
    interval = interval or mover(c, p, low, high)
    # A percentile interval need not hold the value, which every reader expects of it.
    interval = Limits(max(min(interval.low, value), -1.0), min(max(interval.high, value), 1.0))
    ends = np.sort(np.stack([c * lowest, c * highest]), axis=0).sum(axis=1)
    facts = (
        ("effective_n", float(counts.used)),
        ("n_bases", float(n_bases)),
        ("mover", float(by_mover)),
    )
    flags = tuple(dict.fromkeys(flag for accuracy in values for flag in accuracy.flags))
    limits = Limits(float(ends[0]), float(ends[1]))
    return measured_value(name, scope, counts, value, interval, limits, flags, facts)


def _sum_counts(values: Sequence[Value]) -> ProbeCounts:
    return ProbeCounts(
        sum(v.planned for v in values), sum(v.answered for v in values),
        sum(v.used for v in values), sum(v.unidentified for v in values),
    )  # fmt: skip


def _value_column(values: Sequence[Value], field: str) -> Floats:
    """One field of the accuracies, all of which have a value."""
    return np.array([float(getattr(value, field)) for value in values])


def _resample_gap(
    measure: GapMeasure,
    arms: Sequence[Arm],
    table: Matrix,
    bases: Ints,
    context: Context,
) -> Floats:
    """The gap in every draw of base sentences, each with all its twins: (draws,)."""
    rows = np.concatenate([np.asarray(arm.rows, np.int64) for arm in arms])
    groups = np.repeat(np.arange(len(arms)), [len(arm.rows) for arm in arms])
    usable = table[rows, Col.MARKED] > 0
    rows, groups = rows[usable], groups[usable]
    # Numbered in the order of rows, so that swapping women and men draws the same sentences.
    owner = np.unique(bases[rows], return_inverse=True)[1]
    drawn_bootstrap_weights = bootstrap_weights(
        np.zeros(int(owner.max()) + 1, np.int64), context.draws, generator(context.seed)
    )
    shares = measure.reduce(table[rows], groups, drawn_bootstrap_weights[:, owner])
    gaps: Floats = (shares * np.array([arm.coefficient for arm in arms])).sum(axis=1)
    return gaps


def compare_accuracies(both: PairedStatistics, sorts: Sorts, floor: int) -> Iterator[Paired]:
    """Every quantity over all sentences and per frame, the accuracies per topic."""
    twice = _Twice.of(both, sorts, floor)
    for scope, rows in [("all", range(len(both.units))), *tag_scopes(both.units, "frame")]:
        yield from twice.accuracies(scope, rows)
        yield twice.gap("accuracy_gap", scope, sorts.sides(rows))
        yield twice.gap("stereotype_gap", scope, sorts.stereotyped(rows))
        facts = class_changes(both, rows)
        read = twice.read.some(rows)
        yield change_of_share("said_marked_share", scope, read, floor, "read", facts)
    for scope, rows in tag_scopes(both.units, "topic"):
        yield from twice.accuracies(scope, rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Twice:
    """The readings of the same sentences before and after."""

    right: Panel
    read: Panel
    sorts: Sorts
    floor: int

    @classmethod
    def of(cls, both: PairedStatistics, sorts: Sorts, floor: int) -> "_Twice":
        """Panels of sentences that are marked, and that are read, on both sides."""
        cluster = clusters_of(both.units)
        right = both.panel(Col.MASCULINE, Col.MARKED, cluster)
        return cls(right, both.panel(Col.MARKED_SHARE, Col.READ, cluster), sorts, floor)

    def accuracies(self, scope: str, rows: Sequence[int]) -> Iterator[Paired]:
        """Yield the changes of the shares of right answers."""
        for name, gender in (("accuracy_f", FEMININE), ("accuracy_m", MASCULINE_SAID)):
            part = self.right.some(self.sorts.saying(gender, rows))
            yield change_of_share(name, scope, part, self.floor)

    def gap(self, name: str, scope: str, arms: Arms) -> Paired:
        """Return the change of a sum of coefficients times accuracies."""
        panel = self.right.some(np.concatenate([np.asarray(rows, np.int64) for _, _, rows in arms]))
        arm = np.repeat(np.arange(len(arms)), [len(rows) for _, _, rows in arms])
        accuracies = Means.of(panel, arm, len(arms), self.floor)
        if short := accuracies.short(slice(None)):
            labels = "; ".join(arms[index][0] for index in short)
            example = too_few(scope, int(accuracies.n[short[0]]), self.floor, "marked")
            reason = f"accuracy cannot be compared for {labels} ({example})"
            return panel.record(name, scope, reason=reason)
        c = np.array([coefficient for _, coefficient, _ in arms])
        ends = float(c @ accuracies.before), float(c @ accuracies.after)
        return accuracies.change(name, scope, ends, c, widest=2.0, facts=panel.flips())
