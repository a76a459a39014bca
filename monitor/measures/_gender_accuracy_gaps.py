"""Differences of accuracies over twin sentences: accuracies with their rows in, a gap out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from monitor.measures._shared import Col, Counts, insufficient, measured
from monitor.model import Context, Floats, Ints, Matrix, State, Value
from monitor.stats.intervals import Limits, mover
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

#: Fewer base sentences give resamples too much alike.
_LEAST_BASES = 10


class Reducing(Protocol):
    """What gaps need of the measure."""

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Arm:
    """One accuracy in a gap, with its coefficient and the rows of its probes."""

    label: str
    coefficient: float
    rows: Sequence[int]
    accuracy: Value


def gap(
    name: str,
    measure: Reducing,
    arms: Sequence[Arm],
    table: Matrix,
    bases: Ints,
    context: Context,
) -> Value:
    """Sum of coefficient times accuracy; INSUFFICIENT when an accuracy is, naming which."""
    values = [arm.accuracy for arm in arms]
    scope, counts = values[0].scope, _counts(values)
    lacking = [arm for arm in arms if arm.accuracy.state is not State.MEASURED]
    if lacking:
        labels = "; ".join(arm.label for arm in lacking)
        reason = f"accuracy is insufficient for {labels} ({lacking[0].accuracy.reason})"
        return insufficient(name, scope, counts, reason)
    c = np.array([arm.coefficient for arm in arms])
    p, low, high, lowest, highest = (
        _column(values, field) for field in ("value", "low", "high", "bound_low", "bound_high")
    )
    value = float(np.sum(c * p))
    rows = np.array([row for arm in arms for row in arm.rows], np.int64)
    n_bases = len(np.unique(bases[rows[table[rows, Col.MARKED] > 0]]))
    interval = None
    if n_bases >= _LEAST_BASES and ((p > 0) & (p < 1)).all():
        interval = percentile_interval(_resampled(measure, arms, table, bases, context))
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
    return measured(name, scope, counts, value, interval, limits, flags, facts)


def _counts(values: Sequence[Value]) -> Counts:
    return Counts(
        sum(v.planned for v in values), sum(v.answered for v in values),
        sum(v.used for v in values), sum(v.unidentified for v in values),
    )  # fmt: skip


def _column(values: Sequence[Value], field: str) -> Floats:
    """One field of the accuracies, all of which have a value."""
    return np.array([float(getattr(value, field)) for value in values])


def _resampled(
    measure: Reducing,
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
    drawn = bootstrap_weights(
        np.zeros(int(owner.max()) + 1, np.int64), context.draws, generator(context.seed)
    )
    shares = measure.reduce(table[rows], groups, drawn[:, owner])
    gaps: Floats = (shares * np.array([arm.coefficient for arm in arms])).sum(axis=1)
    return gaps
