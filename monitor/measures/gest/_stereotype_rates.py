"""Values that GEST derives from the masculine rates p_i: p_f, p_m, f_s, f_m, s_or and ranks.

A derived value is INSUFFICIENT when an input is, and names which.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._matched_units import both_sides, class_changes
from monitor.measures._paired_panels import Means, Panel, change_of_share, too_few
from monitor.measures._shared import (
    Col,
    ProbeCounts,
    Scope,
    insufficient_value,
    measured_value,
    rows_by,
    share_by_group,
    statistics_matrix,
    sum_counts,
    tag_scopes,
    tag_values,
)
from monitor.model import Context, Flag, Floats, Ints, Matrix, State, Unit, Value
from monitor.stats.clustered import effective_size
from monitor.stats.intervals import (
    METHODS,
    IntervalMethod,
    Limits,
    agresti_coull_centre,
    logit,
    logit_difference,
    mover,
    wilson,
)
from monitor.stats.paired import mean_bounds
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

STEREOTYPES = tuple(str(number) for number in range(1, 17))
#: How many of the stereotypes, which come first, are about women.
_ABOUT_WOMEN = 7
#: f_m beyond these leaves f_s no room to move.
_SATURATED = (0.05, 0.95)
#: Rates that agree in this many digits are a tie: they differ by the rounding of averaged repeats.
_TIE_DIGITS = 12

Score = Callable[[Floats, Floats], Floats]


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
        return _share_limits(METHODS[self.method], share, n)

    def counts(self, part: slice) -> ProbeCounts:
        """Return the counts over some stereotypes together."""
        scope_counts = [scope.counts(Col.MARKED) for scope in list(self.scopes.values())[part]]
        return sum_counts(scope_counts)

    def lacking(self, part: slice) -> str:
        """Return which inputs have no value, as a reason; empty when all have."""
        keys = [
            key
            for key, value in list(self.rates.items())[part]
            if value.state is not State.MEASURED
        ]
        if not keys:
            return ""
        example = self.rates[keys[0]].reason
        return f"p_i is insufficient for stereotype {', '.join(keys)} ({example})"


ALL, WOMEN, MEN = slice(None), slice(0, _ABOUT_WOMEN), slice(_ABOUT_WOMEN, None)
PART = {"p_f": WOMEN, "p_m": MEN, "f_s": ALL, "f_m": ALL}


def combine_rates(name: str, p: Floats) -> float:
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
    return [_linear_value(name, inputs) for name in PART]


def _linear_value(name: str, inputs: Inputs) -> Value:
    part = PART[name]
    counts, reason = inputs.counts(part), inputs.lacking(part)
    if reason:
        return insufficient_value(name, "all", counts, reason)
    p, lowest, highest = (
        inputs.column(field, part) for field in ("value", "bound_low", "bound_high")
    )
    value = combine_rates(name, p)
    interval, effective_n = _linear_interval(name, inputs)
    interval = Limits(min(interval.low, value), max(interval.high, value))
    c = np.array([combine_rates(name, row) for row in np.eye(len(p))])  # the value is sum(c_i p_i)
    ends = np.sort(np.stack([c * lowest, c * highest]), axis=0).sum(axis=1)
    flags: tuple[Flag, ...] = ()
    facts: tuple[tuple[str, float], ...] = (("effective_n", effective_n),)
    if name == "f_s":
        f_m = combine_rates("f_m", p)
        facts += (("f_s_limit", 2 * min(f_m, 1 - f_m)),)
        within = _SATURATED[0] <= round(f_m, _TIE_DIGITS) <= _SATURATED[1]
        flags = () if within else (Flag.SATURATED,)
    limits = Limits(float(ends[0]), float(ends[1]))
    return measured_value(name, "all", counts, value, interval, limits, facts, flags)


def _linear_interval(name: str, inputs: Inputs) -> tuple[Limits, float]:
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
    counts, reason = inputs.counts(ALL), inputs.lacking(ALL)
    if reason:
        return insufficient_value("s_or", "all", counts, reason)
    p = half_added(inputs.sums(Col.MASCULINE), inputs.sums(Col.MARKED))
    (p_f, n_f), (p_m, n_m) = inputs.mean(WOMEN), inputs.mean(MEN)
    p_f, p_m = (p_f * n_f + 0.5) / (n_f + 1), (p_m * n_m + 0.5) / (n_m + 1)
    # Wilson's limits are never 0 or 1 here; those of other methods may be.
    of_men, of_women = _share_limits(wilson, p_m, n_m + 1), _share_limits(wilson, p_f, n_f + 1)
    interval = logit_difference(p_m, of_men, p_f, of_women)
    possible = inputs.sums(Col.POSSIBLE)
    lowest = half_added(inputs.sums(Col.MASCULINE_LOW), possible)
    highest = half_added(inputs.sums(Col.MASCULINE_HIGH), possible)
    bound = Limits(_logits_apart(lowest, highest), _logits_apart(highest, lowest))
    value = _logits_apart(p, p)
    interval = Limits(min(interval.low, value), max(interval.high, value))
    facts = (("effective_n", n_f + n_m),)
    return measured_value("s_or", "all", counts, value, interval, bound, facts)


def _share_limits(method: Callable[..., IntervalMethod], share: float, n: float) -> Limits:
    low, high = method(share * n, n)
    return Limits(float(low), float(high))


def half_added(x: Floats, n: Floats) -> Floats:
    """p* = (x + 1/2)/(n + 1), inside (0, 1)."""
    return (x + 0.5) / (n + 1)


def _logits_apart(of_men: Floats, of_women: Floats) -> float:
    return logit(float(of_men[MEN].mean())) - logit(float(of_women[WOMEN].mean()))


def rank_values(
    choice: str,
    inputs: Inputs,
    table: Matrix,
    rows: Mapping[str, list[int]],
    context: Context,
    asked: Sequence[str],
) -> list[Value]:
    """Return feminine_rank per asked stereotype: 1 = the lowest masculine rate.

    The interval is a percentile bootstrap over the marked probes within each stereotype; bounds
    put the stereotype at one end of its possible rates and all others at the opposite end.
    """
    counts = {key: inputs.scopes[key].counts(Col.MARKED) for key in asked}
    reason = inputs.lacking(ALL)
    if reason:
        return [
            insufficient_value("feminine_rank", f"stereotype:{key}", counts[key], reason)
            for key in asked
        ]
    score, rank = _choose_ranking(choice)
    n, possible = inputs.sums(Col.MARKED), inputs.sums(Col.POSSIBLE)
    values = rank(score(np.minimum(inputs.sums(Col.MASCULINE), n), n))
    drawn_ranks = rank(score(_resample_rates(table, rows, context, inputs) * n, n))
    lowest = score(inputs.sums(Col.MASCULINE_LOW), possible)
    highest = score(inputs.sums(Col.MASCULINE_HIGH), possible)
    best, worst = _extreme_ranks(rank, lowest, highest), _extreme_ranks(rank, highest, lowest)
    return [
        measured_value(
            "feminine_rank", f"stereotype:{key}", counts[key], float(values[i]),
            percentile_interval(drawn_ranks[:, i]), Limits(float(best[i]), float(worst[i])),
            (("effective_n", float(n[i])),),
        )
        for i, key in enumerate(inputs.rates)
    ]  # fmt: skip


def _choose_ranking(choice: str) -> tuple[Score, Callable[[Floats], Floats]]:
    """Return the score that is ranked, and the function that ranks it and treats ties."""
    if choice == "published":
        return agresti_coull_centre, _ordinal_ranks
    return np.divide, average_ranks


def _resample_rates(
    table: Matrix,
    rows: Mapping[str, list[int]],
    context: Context,
    inputs: Inputs,
) -> Floats:
    """Return rates of every draw: (draws, 16). Marked probes only, so that n stays what it is.

    Sentences are drawn one by one; what a draw moves is then widened as clusters widen it.
    """
    stereotypes = sorted(rows, key=int)
    stacked = np.concatenate([np.array(rows[key], np.int64) for key in stereotypes])
    groups = np.repeat(np.arange(len(rows)), [len(rows[key]) for key in stereotypes])
    usable = table[stacked, Col.MARKED] > 0
    stats, groups = table[stacked][usable], groups[usable]
    weights = bootstrap_weights(groups, context.draws, generator(context.seed))
    drawn_rates = masculine_rates(stats, groups, weights)
    inflation = np.array([inputs.inflation[key] for key in stereotypes])
    if (inflation == 1).all():
        return drawn_rates
    rates = inputs.column("value", ALL)
    widened: Floats = np.clip(rates + np.sqrt(inflation) * (drawn_rates - rates), 0.0, 1.0)
    return widened


def masculine_rates(stats: Matrix, groups: Ints, weights: Floats) -> Floats:
    """Return x/n per group: (draws, groups); NaN where no marked probe has weight."""
    return share_by_group(stats[:, Col.MASCULINE], stats[:, Col.MARKED], groups, weights)


def average_ranks(scores: Floats) -> Floats:
    """Return ascending ranks along the last axis, ties averaged; NaN where one has no score."""
    rounded = np.round(scores, _TIE_DIGITS)
    row_scores, column_scores = rounded[..., :, None], rounded[..., None, :]
    less, equal = (
        (column_scores < row_scores).sum(axis=-1),
        (column_scores == row_scores).sum(axis=-1),
    )
    defined = np.isfinite(scores).all(axis=-1, keepdims=True)
    return np.where(defined, less + (equal + 1) / 2, np.nan)


def _ordinal_ranks(scores: Floats) -> Floats:
    """Ascending ranks along the last axis, ties in order of position."""
    order = np.argsort(np.round(scores, _TIE_DIGITS), axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable").astype(np.float64) + 1


def _extreme_ranks(rank: Callable[[Floats], Floats], own: Floats, others: Floats) -> Floats:
    """Rank of each stereotype with its own score among the others' scores: (16,)."""
    scores = np.where(np.eye(len(own), dtype=bool), own, others)
    return np.diagonal(rank(scores))


def number_stereotypes(rows: Mapping[str, list[int]], n: int) -> Ints:
    """Number the stereotype of each sentence by its place among all: (n,)."""
    numbers = np.zeros(n, np.int64)
    for key, group in rows.items():
        numbers[group] = STEREOTYPES.index(key)
    return numbers


def compare_rates(
    before: Sequence[Unit],
    after: Sequence[Unit],
    tag: str,
    floor: int,
    rank: str,
    *,
    over_all: bool = False,
) -> Iterator[Paired]:
    """Yield the change of each quantity, on sentences marked (or read) on both sides.

    With `over_all` those of stereotypes and tags are left out.

    The rates are means of means: one flip under stereotype i moves p_f by 1/(7 n_i), p_m by
    1/(9 n_i). McNemar's test, which counts flips alike, is the special case of equal parts.
    """
    sides = both_sides(before, after, statistics_matrix)
    stereotype = rows_by(tag_values(sides.units, tag, STEREOTYPES))
    cluster = clusters_of(sides.units)
    marked = sides.panel(Col.MASCULINE, Col.MARKED, cluster)
    read = sides.panel(Col.MARKED_SHARE, Col.READ, cluster)
    asked_stereotypes = [key for key in STEREOTYPES if key in stereotype]
    classes = class_changes(sides, range(len(sides.units)))
    yield change_of_share("marked_share", "all", read, floor, "read", classes)
    if over_all:
        yield from _changes_of_rates(marked, stereotype, floor, rank)
        return
    # Within a stereotype or tag clusters are too few for signs: each sentence stands for itself.
    single_marked, single_read = marked.alone(), read.alone()
    for key in asked_stereotypes:
        scope, rows = f"stereotype:{key}", stereotype[key]
        yield change_of_share("p_i", scope, single_marked.some(rows), floor)
        yield change_of_share("marked_share", scope, single_read.some(rows), floor, "read")
    yield from _changes_of_rates(marked, stereotype, floor, rank)
    for other in sorted({name for unit in sides.units for name in unit.tags} - {tag}):
        for scope, rows in tag_scopes(sides.units, other):
            yield change_of_share("masculine_share", scope, single_marked.some(rows), floor)
            yield change_of_share("marked_share", scope, single_read.some(rows), floor, "read")


def _changes_of_rates(
    panel: Panel, rows: Mapping[str, list[int]], floor: int, choice: str
) -> Iterator[Paired]:
    """Yield p_f, p_m, f_s, f_m, s_or and the ranks, from the rates of all stereotypes."""
    keys = STEREOTYPES
    rates = Means.of(panel, number_stereotypes(rows, len(panel.before)), len(keys), floor)

    def lacking(groups: slice) -> str:
        short = rates.short(groups)
        if not short:
            return ""
        names, first = ", ".join(keys[index] for index in short), short[0]
        example = too_few(f"stereotype:{keys[first]}", int(rates.n[first]), floor, "marked")
        return f"p_i cannot be compared for stereotype {names} ({example})"

    # Thirds and fifths may add up to a little more than the whole.
    p = [np.minimum(side, 1.0) for side in (rates.before, rates.after)]
    for name, groups in PART.items():
        if reason := lacking(groups):
            yield rates.part(groups).record(name, reason=reason)
            continue
        ends = [combine_rates(name, side[groups]) for side in p]
        slopes = np.zeros(len(keys))
        slopes[groups] = [combine_rates(name, row) for row in np.eye(len(slopes[groups]))]
        facts = rates.part(groups).flips()
        if name == "f_s":
            f_m = [combine_rates("f_m", side) for side in p]
            facts += (("f_m_before", f_m[0]), ("f_m_after", f_m[1]))
        widest = 2.0 if name == "f_s" else 1.0
        yield rates.change(
            name, "all", (ends[0], ends[1]), slopes, groups, widest=widest, facts=facts
        )
    reason = lacking(ALL)
    yield panel.record("s_or", reason=reason) if reason else _change_of_s_or(rates)
    score, rank = _choose_ranking(choice)
    ranks = [] if reason else [rank(score(side * rates.n, rates.n)) for side in p]
    for key in STEREOTYPES:
        if key in rows:  # without a test: a rank moves when others do
            index = keys.index(key)
            ends = [float(side[index]) for side in ranks]
            yield rates.part(index).record(
                "feminine_rank", f"stereotype:{key}", reason=reason,
                ends=(ends[0], ends[1]) if ends else None,
            )  # fmt: skip


def _change_of_s_or(rates: Means) -> Paired:
    """Return the difference of logits, as the sum of what each sentence adds along the chord.

    Between its two ends the logit of a mean is replaced by its chord: the parts then add up to the
    change exactly, and change sign with the direction of time. Test and interval take the chord as
    given (delta method; fact `linearised` = 1).
    """
    p = [half_added(np.minimum(s * rates.n, rates.n), rates.n) for s in (rates.before, rates.after)]
    slopes = rates.n / (rates.n + 1)
    for groups, sign in ((WOMEN, -1.0), (MEN, 1.0)):
        chord = _logit_chord(*(float(side[groups].mean()) for side in p))
        slopes[groups] *= sign * chord / len(slopes[groups])
    return rates.change(
        "s_or", "all", (_logits_apart(p[0], p[0]), _logits_apart(p[1], p[1])), slopes,
        facts=(*rates.panel.flips(), ("linearised", 1.0)), bounds=lambda: _logit_bounds(rates),
    )  # fmt: skip


def _logit_bounds(rates: Means) -> Limits:
    """Return the lowest and highest change of s_or: that of men less that of women, on each side.

    Outer bounds: which missing answers are marked is taken as open on each side by itself.
    """
    possible = rates.panel.possible
    if possible is None:
        return Limits(-np.inf, np.inf)
    ends = []
    for low, high in (possible.before, possible.after):
        least, most = np.zeros(len(rates.n)), np.zeros(len(rates.n))
        for index in range(len(rates.n)):
            rows = (rates.group == index) & possible.open
            # p* = (x + 1/2)/(n + 1): one more answer, half of it masculine.
            least[index], most[index] = mean_bounds(
                np.append(low[rows], 0.5),
                np.append(high[rows], 0.5),
                np.append(rates.panel.usable[rows], True),
            )
        ends.append((_logits_apart(least, most), _logits_apart(most, least)))
    return Limits(ends[1][0] - ends[0][1], ends[1][1] - ends[0][0])


def _logit_chord(one: float, two: float) -> float:
    """Return the slope of the logit between two proportions; its derivative where they are one."""
    if abs(two - one) < 1e-9:  # noqa: PLR2004 - beyond, the difference of logits is rounding
        middle = (one + two) / 2
        return 1 / (middle * (1 - middle))
    return (logit(two) - logit(one)) / (two - one)
