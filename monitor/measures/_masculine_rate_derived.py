"""What GEST derives from the masculine rates p_i: p_f, p_m, f_s, f_m, s_or and feminine ranks.

In go the 16 rates with the column sums behind them, out come values. A derived value is
INSUFFICIENT when an input is, and names which.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from monitor.measures._shared import Col, Counts, Scope, exploratory, insufficient, measured
from monitor.model import Context, Flag, Floats, Ints, Matrix, State, Value
from monitor.stats.clustered import effective_size
from monitor.stats.intervals import (
    METHODS,
    Interval,
    Limits,
    agresti_coull_centre,
    logit,
    logit_difference,
    mover,
    wilson,
)
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

#: How many of the stereotypes, which come first, are about women.
_ABOUT_WOMEN = 7
#: f_m beyond these leaves f_s no room to move.
_SATURATED = (0.05, 0.95)
#: Rates that agree in this many digits are a tie: they differ by the rounding of averaged repeats.
_TIE_DIGITS = 12

Score = Callable[[Floats, Floats], Floats]


class RankedMeasure(Protocol):
    """What ranks need of the measure."""

    @property
    def rank(self) -> str: ...
    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Inputs:
    """Scopes and rates by stereotype, all 16, those without a value included.

    `inflation` is by how much clusters raise the variance of each rate, `method` that of intervals.
    """

    scopes: Mapping[str, Scope]
    rates: Mapping[str, Value]
    inflation: Mapping[str, float]
    method: str

    def sums(self, column: Col) -> Floats:
        """One column by stereotype: (16,)."""
        return np.array([scope.total(column) for scope in self.scopes.values()])

    def column(self, field: str, part: slice) -> Floats:
        """One field of the rates of a part, all of which have a value."""
        return np.array([float(getattr(rate, field)) for rate in [*self.rates.values()][part]])

    def mean(self, part: slice) -> tuple[float, float]:
        """Mean rate of a part, all of which have a value, and its effective number of sentences."""
        p, n = self.column("value", part), self.sums(Col.MARKED)[part]
        inflation = np.array([self.inflation[key] for key in [*self.rates][part]])
        return float(p.mean()), effective_size(np.full(len(p), 1 / len(p)), p, n, inflation)

    def limits(self, share: float, n: float) -> Limits:
        """Interval of a share of n independent sentences."""
        return _limits(METHODS[self.method], share, n)

    def counts(self, part: slice) -> Counts:
        """Counts over some stereotypes together."""
        every = [scope.counts(Col.MARKED) for scope in list(self.scopes.values())[part]]
        return Counts(
            sum(c.planned for c in every), sum(c.answered for c in every),
            sum(c.used for c in every), sum(c.unidentified for c in every),
        )  # fmt: skip

    def lacking(self, part: slice) -> str:
        """Which inputs have no value, as a reason; empty when all have."""
        keys = [
            key
            for key, value in list(self.rates.items())[part]
            if value.state is not State.MEASURED
        ]
        if not keys:
            return ""
        example = self.rates[keys[0]].reason
        return f"p_i is insufficient for stereotype {', '.join(keys)} ({example})"


_ALL, WOMEN, MEN = slice(None), slice(0, _ABOUT_WOMEN), slice(_ABOUT_WOMEN, None)
PART = {"p_f": WOMEN, "p_m": MEN, "f_s": _ALL, "f_m": _ALL}


def combined(name: str, p: Floats) -> float:
    """One of the four linear quantities from the rates of its part."""
    if name in {"p_f", "p_m"}:
        return float(p.mean())
    p_f, p_m = float(p[WOMEN].mean()), float(p[MEN].mean())
    return p_m - p_f if name == "f_s" else (p_m + p_f) / 2


def linear_values(inputs: Inputs) -> list[Value]:
    """p_f, p_m, f_s and f_m with intervals; f_s with its limit and the saturation flag.

    p_f and p_m have the interval of a share of their effective number of sentences, f_s and f_m
    MOVER from these two.
    """
    return [_linear(name, inputs) for name in PART]


def _linear(name: str, inputs: Inputs) -> Value:
    part = PART[name]
    counts, reason = inputs.counts(part), inputs.lacking(part)
    if reason:
        return insufficient(name, "all", counts, reason)
    p, lowest, highest = (
        inputs.column(field, part) for field in ("value", "bound_low", "bound_high")
    )
    value = combined(name, p)
    interval, effective_n = _interval(name, inputs)
    interval = Limits(min(interval.low, value), max(interval.high, value))
    c = np.array([combined(name, row) for row in np.eye(len(p))])  # the value is sum(c_i p_i)
    ends = np.sort(np.stack([c * lowest, c * highest]), axis=0).sum(axis=1)
    flags = exploratory(counts)
    facts: tuple[tuple[str, float], ...] = (("effective_n", effective_n),)
    if name == "f_s":
        f_m = combined("f_m", p)
        facts += (("f_s_limit", 2 * min(f_m, 1 - f_m)),)
        within = _SATURATED[0] <= round(f_m, _TIE_DIGITS) <= _SATURATED[1]
        flags += () if within else (Flag.SATURATED,)
    limits = Limits(float(ends[0]), float(ends[1]))
    return measured(name, "all", counts, value, interval, limits, flags, facts)


def _interval(name: str, inputs: Inputs) -> tuple[Limits, float]:
    """Interval of a linear quantity, and the effective number of sentences behind it."""
    if name in {"p_f", "p_m"}:
        share, n = inputs.mean(PART[name])
        return inputs.limits(share, n), n
    (p_f, n_f), (p_m, n_m) = inputs.mean(WOMEN), inputs.mean(MEN)
    of_women, of_men = inputs.limits(p_f, n_f), inputs.limits(p_m, n_m)
    c = [-1.0, 1.0] if name == "f_s" else [0.5, 0.5]
    low, high = [of_women.low, of_men.low], [of_women.high, of_men.high]
    return mover(c, [p_f, p_m], low, high), n_f + n_m


def s_or(inputs: Inputs) -> Value:
    """Logit p_m - logit p_f with p_i* = (x + 1/2)/(n + 1) and plain means.

    The value is nearer to 0 than the difference of the logits of p_m and p_f, because half a
    sentence each way weighs more in forty than in hundreds; the interval is about the latter. It
    adds half a sentence each way to the effective number behind p_m and p_f, and so is finite.
    """
    counts, reason = inputs.counts(_ALL), inputs.lacking(_ALL)
    if reason:
        return insufficient("s_or", "all", counts, reason)
    p = half_added(inputs.sums(Col.MASCULINE), inputs.sums(Col.MARKED))
    (p_f, n_f), (p_m, n_m) = inputs.mean(WOMEN), inputs.mean(MEN)
    p_f, p_m = (p_f * n_f + 0.5) / (n_f + 1), (p_m * n_m + 0.5) / (n_m + 1)
    # Wilson's limits are never 0 or 1 here; those of other methods may be.
    of_men, of_women = _limits(wilson, p_m, n_m + 1), _limits(wilson, p_f, n_f + 1)
    interval = logit_difference(p_m, of_men, p_f, of_women)
    possible = inputs.sums(Col.POSSIBLE)
    lowest = half_added(inputs.sums(Col.MASCULINE_LOW), possible)
    highest = half_added(inputs.sums(Col.MASCULINE_HIGH), possible)
    bound = Limits(_logits_apart(lowest, highest), _logits_apart(highest, lowest))
    value = _logits_apart(p, p)
    interval = Limits(min(interval.low, value), max(interval.high, value))
    facts = (("effective_n", n_f + n_m),)
    return measured("s_or", "all", counts, value, interval, bound, exploratory(counts), facts)


def _limits(method: Callable[..., Interval], share: float, n: float) -> Limits:
    low, high = method(share * n, n)
    return Limits(float(low), float(high))


def half_added(x: Floats, n: Floats) -> Floats:
    """p* = (x + 1/2)/(n + 1), inside (0, 1)."""
    return (x + 0.5) / (n + 1)


def _logits_apart(of_men: Floats, of_women: Floats) -> float:
    return logit(float(of_men[MEN].mean())) - logit(float(of_women[WOMEN].mean()))


def ranks(
    measure: RankedMeasure,
    inputs: Inputs,
    table: Matrix,
    rows: Mapping[str, list[int]],
    context: Context,
    asked: Sequence[str],
) -> list[Value]:
    """feminine_rank per asked stereotype: 1 = the lowest masculine rate.

    The interval is a percentile bootstrap over the marked probes within each stereotype; bounds
    put the stereotype at one end of its possible rates and all others at the opposite end.
    """
    counts = {key: inputs.scopes[key].counts(Col.MARKED) for key in asked}
    reason = inputs.lacking(_ALL)
    if reason:
        return [
            insufficient("feminine_rank", f"stereotype:{key}", counts[key], reason) for key in asked
        ]
    score, rank = _ranking(measure.rank)
    n, possible = inputs.sums(Col.MARKED), inputs.sums(Col.POSSIBLE)
    values = rank(score(np.minimum(inputs.sums(Col.MASCULINE), n), n))
    drawn = rank(score(_resampled(measure, table, rows, context, inputs) * n, n))
    lowest = score(inputs.sums(Col.MASCULINE_LOW), possible)
    highest = score(inputs.sums(Col.MASCULINE_HIGH), possible)
    best, worst = _extreme(rank, lowest, highest), _extreme(rank, highest, lowest)
    return [
        measured(
            "feminine_rank", f"stereotype:{key}", counts[key], float(values[i]),
            percentile_interval(drawn[:, i]), Limits(float(best[i]), float(worst[i])),
            exploratory(counts[key]), (("effective_n", float(n[i])),),
        )
        for i, key in enumerate(inputs.rates)
    ]  # fmt: skip


def _ranking(choice: str) -> tuple[Score, Callable[[Floats], Floats]]:
    """What is ranked, and how ties are."""
    if choice == "published":
        return agresti_coull_centre, _ordinal
    return np.divide, _averaged


def rank_of(choice: str, x: Floats, n: Floats) -> Floats:
    """Feminine rank of each stereotype with x masculine of n marked answers: (16,)."""
    score, rank = _ranking(choice)
    return rank(score(x, n))


def _resampled(
    measure: RankedMeasure,
    table: Matrix,
    rows: Mapping[str, list[int]],
    context: Context,
    inputs: Inputs,
) -> Floats:
    """Rates of every draw: (draws, 16). Marked probes only, so that n stays what it is.

    Sentences are drawn one by one; what a draw moves is then widened as clusters widen it.
    """
    stereotypes = sorted(rows, key=int)
    stacked = np.concatenate([np.array(rows[key], np.int64) for key in stereotypes])
    groups = np.repeat(np.arange(len(rows)), [len(rows[key]) for key in stereotypes])
    usable = table[stacked, Col.MARKED] > 0
    stats, groups = table[stacked][usable], groups[usable]
    weights = bootstrap_weights(groups, context.draws, generator(context.seed))
    drawn = measure.reduce(stats, groups, weights)
    inflation = np.array([inputs.inflation[key] for key in stereotypes])
    if (inflation == 1).all():
        return drawn
    rates = inputs.column("value", _ALL)
    widened: Floats = np.clip(rates + np.sqrt(inflation) * (drawn - rates), 0.0, 1.0)
    return widened


def _averaged(scores: Floats) -> Floats:
    """Ascending ranks along the last axis, ties averaged."""
    rounded = np.round(scores, _TIE_DIGITS)
    own, other = rounded[..., :, None], rounded[..., None, :]
    less, equal = (other < own).sum(axis=-1), (other == own).sum(axis=-1)
    return np.asarray(less + (equal + 1) / 2, np.float64)


def _ordinal(scores: Floats) -> Floats:
    """Ascending ranks along the last axis, ties in order of position."""
    order = np.argsort(np.round(scores, _TIE_DIGITS), axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable").astype(np.float64) + 1


def _extreme(rank: Callable[[Floats], Floats], own: Floats, others: Floats) -> Floats:
    """Rank of each stereotype with its own score among the others' scores: (16,)."""
    scores = np.where(np.eye(len(own), dtype=bool), own, others)
    return np.diagonal(rank(scores))
