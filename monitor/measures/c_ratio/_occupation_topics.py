"""c-ratio bias of translations: occupations with their outputs, and values over occupations.

Changes are of the same outputs twice. Their target is the exact share on both sides, whatever the
measure's parameter says: a rounded one follows the model. So the bias of a topic moves by as much
as its share of women among the outputs that are marked on both sides.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from monitor.change import Paired
from monitor.measures._matched_units import PairedStatistics, class_changes
from monitor.measures._paired_panels import Panel, Possible, about, change_of_share
from monitor.measures._shared import (
    CORRELATION,
    MASCULINE,
    Col,
    ProbeCounts,
    Scope,
    insufficient_value,
    make_quantity,
    share_bounds,
)
from monitor.measures.c_ratio._bias_statistics import (
    STATISTICS,
    BiasPanel,
    baseline,
    bias_statistics,
    chance_statistics,
    rounded_target,
    share_fraction,
)
from monitor.model import Context, Floats, Ints, Share, State, Symmetry, TopicValue, Value
from monitor.stats.chance import binomial_law
from monitor.stats.clustered import Crossed
from monitor.stats.correlation import (
    average_ranks,
    pearson,
    pearson_change,
    spearman,
    weighted_pearson,
    weighted_spearman,
)
from monitor.stats.intervals import (
    IntervalMethod,
    Limits,
    absolute_limits,
    wilson,
)
from monitor.stats.paired import mean_bounds, sign_flip
from monitor.stats.resampling import (
    bootstrap_weights,
    draw_permutations,
    generator,
    percentile_interval,
)

#: More than the repeats of all outputs of an occupation together.
_LARGEST_DENOMINATOR = 10_000
#: The quantities over occupations in their order.
OVER_TOPICS = (
    *(
        quantity
        for statistic in STATISTICS
        for quantity in (statistic.quantity, statistic.baseline, statistic.excess)
        if quantity
    ),
    baseline(
        "mab_always_masculine", "mean absolute bias, were every output masculine",
        "distance of a system that always uses masculine forms", Symmetry.COMPLEMENT,
    ),
    baseline(
        "mab_permuted", "mean absolute bias against permuted references",
        "distance from shares of other occupations",
    ),
    *(
        make_quantity(
            name, f"{kind}correlation with the reference", f"{kind}correlation with shares at work",
            CORRELATION, "correlation", "follows the shares at work more closely",
            "follows the shares at work less closely",
        )
        for name, kind in (("pearson", ""), ("spearman", "rank "))
    ),
)  # fmt: skip
#: Independent streams of the one seed.
_BOOTSTRAP, _PERMUTATION = 0, 1


@dataclass(frozen=True, slots=True)
class OutputRules:
    """Parameters by which an occupation is usable, and by which its target is taken."""

    target: str
    min_templates: int
    floor: int


@dataclass(frozen=True, slots=True)
class OutputTopic:
    """An occupation with the column sums of its outputs and its reference share, if any."""

    key: str
    scope: Scope
    share: Share | None
    rules: OutputRules

    @property
    def marked(self) -> int:
        """Number of marked outputs: the denominator of the model ratio."""
        return self.scope.counts(Col.MARKED).used

    @property
    def uncertain(self) -> bool:
        """Not usable as it is, but it would be if enough unknown outputs were marked."""
        possible = self.scope.total(Col.POSSIBLE)
        eligible = self.share is not None and self.scope.planned >= self.rules.min_templates
        return eligible and self.marked < self.rules.floor <= possible

    def model(self) -> float:
        """Women's share of the marked outputs."""
        return min(self.scope.total(Col.FEMININE) / self.marked, 1.0)

    def target(self, share: Share, model: float) -> float:
        """The share to compare with: as it is, or rounded to what the outputs can show."""
        if self.rules.target == "exact":
            return share.value
        # Averaged repeats are thirds or fifths, to which this brings the float back.
        women = Fraction(model * self.marked).limit_denominator(_LARGEST_DENOMINATOR)
        return float(rounded_target(share_fraction(share), self.marked, women / self.marked))

    def null_sizes(self, share: Share) -> tuple[float, float]:
        """Mean size and mean square of the bias if outputs were drawn at the reference share."""
        law, hits = binomial_law(self.marked, share.value), np.arange(self.marked + 1)
        models = hits / self.marked
        bias = models - [self.target(share, model) for model in models.tolist()]
        return float(law @ np.abs(bias)), float(law @ bias**2)

    def bias_bounds(self, share: Share) -> Limits:
        """Lowest and highest possible bias whatever the unknown outputs are.

        Sharp for the exact target. A rounded target lies within 1/(2m) of the share for every
        number m of marked outputs from the present one on, which gives outer bounds.
        """
        low, high = (1 - end for end in reversed(share_bounds(self.scope, MASCULINE)))
        unknown = self.scope.total(Col.POSSIBLE) > self.scope.total(Col.MARKED) or low != high
        slack = 0.0
        if self.rules.target != "exact":
            if not unknown:
                target = self.target(share, self.model())
                return Limits(low - target, high - target)
            slack = 0.5 / max(self.marked, 1)
        least, most = max(share.value - slack, 0.0), min(share.value + slack, 1.0)
        return Limits(low - most, high - least)


def _explain_shortfall(topic: OutputTopic) -> str:
    """Return why there are too few outputs, or an empty string."""
    planned, rules = topic.scope.planned, topic.rules
    if planned < rules.min_templates:
        return f"{planned} templates planned, at least {rules.min_templates} needed"
    if topic.marked < rules.floor:
        return f"{topic.marked} marked outputs of {planned} planned, floor {rules.floor}"
    return ""


def topic_value(topic: OutputTopic) -> TopicValue:
    """Model share against reference share; the bounds are those of the bias.

    The Wilson limits of the model share only describe: templates are not independent draws.
    Without a reference share the model share still stands.
    """
    counts, share, shortfall = (
        topic.scope.counts(Col.MARKED),
        topic.share,
        _explain_shortfall(topic),
    )
    reason = shortfall if share else "no reference share"
    model = low = high = target = bias = None
    limits: Limits | None = None
    if not shortfall:
        model = topic.model()
        ends = wilson(model * topic.marked, topic.marked)
        low, high = float(ends.low), float(ends.high)
    if share:
        target = topic.target(share, model) if model is not None else share.value
        if topic.marked and topic.scope.planned >= topic.rules.min_templates:
            limits = topic.bias_bounds(share)
    if not reason and model is not None and target is not None:
        bias = model - target
    return TopicValue(
        topic.key, State.INSUFFICIENT if reason else State.MEASURED,
        counts.planned, counts.answered, counts.used, counts.unidentified,
        women=topic.scope.total(Col.FEMININE), men=topic.scope.total(Col.MASCULINE),
        model=model, model_low=low, model_high=high, target=target, bias=bias,
        bound_low=limits.low if limits else None, bound_high=limits.high if limits else None,
        source=share.source if share else "", country=share.country if share else "",
        as_of=share.as_of if share else "", reason=reason,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """All planned outputs; arrays are (outputs,). Topics are numbered in their order."""

    topic: Ints
    template: Ints
    women: Floats
    marked: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class OutputPanel(BiasPanel):
    """The usable occupations of a run, with their marked outputs."""

    topics: Sequence[OutputTopic]
    shares: Sequence[Share]
    weights: Floats = field(repr=False)  # (draws, topics)
    crossed: Crossed  # the marked outputs, n of them
    women: Floats  # (n,) share of feminine among the repeats of an output

    def lacking(self, name: str, reason: str) -> Value:
        """A quantity that cannot be computed, with the reason."""
        return insufficient_value(name, "all", self.counts, reason, self.facts)


def make_panel(
    topics: Sequence[OutputTopic],
    values: Sequence[TopicValue],
    counts: ProbeCounts,
    context: Context,
    outputs: Outputs,
) -> OutputPanel:
    """Select the usable topics with their outputs, and draw the bootstrap over them."""
    usable = [index for index, value in enumerate(values) if value.state is State.MEASURED]
    used = sum(values[index].used for index in usable)
    position = np.full(len(values), -1, np.int64)
    position[usable] = np.arange(len(usable))
    in_panel = outputs.marked & (position[outputs.topic] >= 0)
    uncertain = [
        topic.bias_bounds(topic.share) for topic in topics if topic.uncertain and topic.share
    ]
    return OutputPanel(
        [values[index] for index in usable],
        IntervalMethod(*np.array(uncertain, np.float64).reshape(-1, 2).T),
        ProbeCounts(counts.planned, counts.answered, used, counts.unidentified),
        (("n_topics", float(len(usable))), ("n_topics_planned", float(len(topics)))),
        [topics[index] for index in usable],
        [share for index in usable if (share := topics[index].share)],
        bootstrap_weights(
            np.zeros(len(usable), np.int64), context.draws, generator(context.seed, _BOOTSTRAP)
        ),
        Crossed(position[outputs.topic[in_panel]], outputs.template[in_panel]),
        outputs.women[in_panel],
    )


def summarise_topics(usable: OutputPanel, ddof: int, context: Context) -> list[Value]:
    """All quantities over topics; `usable` holds enough of them."""
    values = _bias_values(usable, ddof, context)
    values["pearson"] = _correlate(usable, "pearson", pearson, weighted_pearson)
    values["spearman"] = _correlate(usable, "spearman", spearman, weighted_spearman)
    return [values[quantity.name] for quantity in OVER_TOPICS]


def _bias_values(usable: OutputPanel, ddof: int, context: Context) -> dict[str, Value]:
    bias = usable.column("bias")
    drawn_bias = np.where(usable.weights > 0, bias, np.nan)
    lowest, highest = np.nanmin(drawn_bias, axis=1), np.nanmax(drawn_bias, axis=1)
    statistics = bias_statistics(bias, ddof)
    mb, sb, mab = statistics["mb"], statistics["sb"], statistics["mab"]
    permuted, null = _permute_references(usable, context)
    pairs = list(zip(usable.topics, usable.shares, strict=True))
    # SB and MAB of independent outputs that are drawn at the reference shares.
    sizes, squares = np.array([topic.null_sizes(share) for topic, share in pairs]).T
    chance = chance_statistics(sizes, squares, ddof)
    mab_null, sb_null = chance["mab"], chance["sb"]
    at_zero = [topic.target(share, 0.0) for topic, share in pairs]
    # An excess is that of the outputs' own mean; sb and mab without it hold what chance makes.
    size, slope = np.abs(bias) - mab, (bias - mb) / sb if sb else np.zeros(len(bias))
    target = float(usable.column("target").mean())
    intervals = {
        # At the ends every output is masculine, or feminine.
        "mb": _crossed_limits(usable, mb, bias - mb, np.ones(len(bias)), (-target, 1 - target)),
        "excess_mab": _crossed_limits(
            usable, mab - mab_null, size, np.sign(bias), (-mab_null, 1 - mab_null)
        ),
        # One-sided by construction: no resample reaches beyond the extreme that was observed.
        "min_beta": percentile_interval(lowest),
        "max_beta": percentile_interval(highest),
    }
    if sb:
        parts = slope * (bias - mb) / 2 - sb / 2
        intervals["excess_sb"] = _crossed_limits(
            usable, sb - sb_null, parts, slope, (-sb_null, 1 - sb_null)
        )
    values = usable.bias_values(ddof, chance, intervals, {})
    values["mab_always_masculine"] = usable.value("mab_always_masculine", float(np.mean(at_zero)))
    values["mab_permuted"] = usable.value("mab_permuted", permuted, null)
    return values


def _crossed_limits(
    usable: OutputPanel, value: float, parts: Floats, slopes: Floats, ends: tuple[float, float]
) -> Limits:
    """Limits of a mean over occupations and templates of this kind, inside its range.

    `parts` (topics,) add up to 0; a topic's share of women moves its part by `slopes` (topics,).
    Where all outputs are alike, half an output in each occupation counts as the other way round.
    """
    topic, size = usable.crossed.topic, len(parts)
    n = np.bincount(topic, minlength=size)
    half = 0.5 / (n + 1)
    least = float(np.sum(slopes**2 * half * (1 - half) / n)) / size**2
    apart = (usable.women - usable.column("model")[topic]) * (slopes / n)[topic]
    low, high = usable.crossed.limits(value, parts / size, apart / size, least)
    return Limits(max(low, min(ends[0], value)), min(high, max(ends[1], value)))


def _permute_references(usable: OutputPanel, context: Context) -> tuple[float, Limits | None]:
    """Return the mean MAB over all permutations of references, and the central 95 % of some."""
    topics, models = usable.topics, usable.column("model")
    if all(topic.rules.target == "exact" for topic in topics):
        targets = np.array([share.value for share in usable.shares])[None, :]
    else:  # a rounded target depends on the topic that it is compared with
        pairs = zip(topics, models.tolist(), strict=True)
        targets = np.array(
            [[t.target(share, model) for share in usable.shares] for t, model in pairs]
        )
    distance = np.abs(models[:, None] - targets)
    orders = draw_permutations(len(topics), context.draws, generator(context.seed, _PERMUTATION))
    permuted_mab = distance[np.arange(len(topics)), orders].mean(axis=1)
    # Every reference meets every topic equally often, so the mean needs no draws.
    return float(distance.mean()), percentile_interval(permuted_mab)


def _correlate(
    usable: OutputPanel,
    name: str,
    plain: Callable[[Floats, Floats], float | None],
    weighted: Callable[[Floats, Floats, Floats], Floats],
) -> Value:
    """Return the correlation of model and reference shares over topics."""
    models = usable.column("model")
    shares = np.array([share.value for share in usable.shares])
    value = plain(models, shares)
    if value is None:
        constant = "model" if np.ptp(models) < np.ptp(shares) else "reference"
        return usable.lacking(name, f"the {constant} shares are the same for all occupations")
    correlations = weighted(models, shares, usable.weights)
    return usable.value(name, value, percentile_interval(correlations))


# --- changes --------------------------------------------------------------------------------------


#: On a fixed panel these do not depend on the answers.
_BASELINE = "a baseline: on the same occupations and references no answer moves it"
#: Nothing bounds what is neither a mean nor made of means.
_UNBOUNDED = Limits(-np.inf, np.inf)
#: On a fixed panel chance makes the same of both sides.
_AS_WITHOUT = "on the same occupations and references it changes by as much as {}"


def compare_outputs(
    both: PairedStatistics,
    occupations: list[str],
    shares: Mapping[str, Share],
    rules: OutputRules,
    topics_floor: int,
    ddof: int,
) -> Iterator[Paired]:
    """The change of each quantity over the occupations usable on both sides."""
    topics = _Topics.of(both, occupations, shares, rules, ddof)
    if len(topics.share) < topics_floor:
        reason = (
            f"{len(topics.share)} occupations of {len(set(occupations))} are usable on both sides, "
            f"floor {topics_floor}"
        )
        for quantity in OVER_TOPICS:
            yield topics.panel.record(quantity.name, reason=reason)
    else:
        yield from topics.biases()
        yield topics.correlation("pearson", topics.models, topics.share)
        ranked = average_ranks(topics.models[0]), average_ranks(topics.models[1])
        yield topics.correlation("spearman", ranked, average_ranks(topics.share))
    read = both.panel(Col.MARKED_SHARE, Col.READ, _number_occupations(occupations))
    facts = class_changes(both, range(len(both.units)))
    yield change_of_share("occupation_marked_share", "all", read, rules.floor, "read", facts)


def _number_occupations(occupations: list[str]) -> Ints:
    number_of = {key: number for number, key in enumerate(sorted(set(occupations)))}
    return np.array([number_of[key] for key in occupations], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Topics:
    """The K usable occupations with women's shares before and after; arrays are (K,)."""

    panel: Panel  # one row per output; those of usable occupations are usable
    index: Ints  # (outputs,) which occupation, from 0
    n: Floats  # outputs marked on both sides
    models: tuple[Floats, Floats]
    share: Floats  # reference
    ddof: int
    lost: int  # usable before, and not on both sides
    new: int

    @classmethod
    def of(
        cls,
        both: PairedStatistics,
        occupations: list[str],
        shares: Mapping[str, Share],
        rules: OutputRules,
        ddof: int,
    ) -> "_Topics":
        """Select the occupations that have enough templates, marked outputs and a reference."""
        index = _number_occupations(occupations)
        keys = sorted(set(occupations))
        panel = both.panel(Col.FEMININE, Col.MARKED, index)
        has_share = np.array([key in shares for key in keys], bool)

        def count(rows: Floats) -> Floats:
            return np.asarray(np.bincount(index, rows, len(keys)), np.float64)

        sides = [
            has_share & (count(_planned_rows(side)) >= rules.min_templates)
            for side in (both.before, both.after)
        ]
        marked = [count(side[:, Col.MARKED]) >= rules.floor for side in (both.before, both.after)]
        n = count(panel.usable.astype(np.float64))
        usable = sides[0] & sides[1] & (n >= max(rules.floor, 1))
        compared = panel.usable & usable[index]
        sums = [
            np.bincount(index[compared], side[compared], len(keys))[usable]
            for side in (panel.before, panel.after)
        ]
        outside = np.where(usable[index], 0.0, np.nan)  # of occupations that are not compared
        possible = panel.possible and Possible(
            (panel.possible.before[0] + outside, panel.possible.before[1] + outside),
            (panel.possible.after[0] + outside, panel.possible.after[1] + outside),
        )
        difference = np.where(compared, panel.difference, 0.0)
        return cls(
            replace(
                panel,
                usable=compared,
                difference=difference,
                changed=difference != 0,
                possible=possible,
            ),
            index,
            n[usable],
            (np.minimum(sums[0] / n[usable], 1.0), np.minimum(sums[1] / n[usable], 1.0)),
            np.array([shares[key].value for key, fits in zip(keys, usable, strict=True) if fits]),
            ddof,
            int((sides[0] & marked[0] & ~usable).sum()),
            int((sides[1] & marked[1] & ~usable).sum()),
        )

    def biases(self) -> Iterator[Paired]:
        """mb, sb, mab, the extremes and the baselines."""
        size = len(self.share)
        before, after = (model - self.share for model in self.models)
        then, now = (bias_statistics(bias, self.ddof) for bias in (before, after))
        # One output that turns over moves the bias of its occupation by 1/n.
        step = float(np.sqrt(np.mean(1 / self.n**2))) / size
        absolute = np.abs(before), np.abs(after)
        total = absolute[0] + absolute[1]
        # |b| - |a| = (b - a) times (b + a) over the sum of both sizes.
        slopes = np.divide(before + after, total, out=np.zeros(size), where=total > 0) / size
        for statistic in STATISTICS:
            name, ends = statistic.name, (then[statistic.name], now[statistic.name])
            if name == "mb":
                yield self._record_change(
                    name, self._moved / size, ends, step, np.full(size, 1 / size)
                )
            elif name == "sb":
                yield self._compare_spread(before, after, ends)
            elif name == "mab":
                terms = (absolute[1] - absolute[0]) / size
                yield self._record_change(name, terms, ends, step, slopes, bounds=self._mab_bounds)
            else:
                yield self.panel.record(name, ends=ends, facts=self._panel_facts())
            if statistic.baseline:
                yield self._without_change(statistic.baseline.name, _BASELINE)
            if statistic.excess:
                yield self._without_change(statistic.excess.name, _AS_WITHOUT.format(name))
        yield self._without_change("mab_always_masculine", _BASELINE)
        # Every reference meets every occupation: a mean over occupations, exact without draws.
        apart = [np.abs(model[:, None] - self.share).mean(axis=1) for model in self.models]
        means = float(apart[0].mean()), float(apart[1].mean())
        yield self._record_change("mab_permuted", (apart[1] - apart[0]) / size, means, step)

    def _without_change(self, name: str, reason: str) -> Paired:
        return self.panel.record(name, reason=reason, facts=self._panel_facts())

    def _mab_bounds(self) -> Limits:
        """The lowest and highest change of the mean of |bias|; outer, each side by itself."""
        possible = self.panel.possible
        if possible is None:
            return _UNBOUNDED
        least, most = [], []
        for low, high in (possible.before, possible.after):
            models = []
            for occupation in np.unique(self.index[self.panel.usable]):
                rows = (self.index == occupation) & possible.open
                models.append(mean_bounds(low[rows], high[rows], self.panel.usable[rows]))
            ends = np.array(models) - self.share[:, None]
            sizes = absolute_limits(ends[:, 0], ends[:, 1])
            least.append(float(sizes.low.mean()))
            most.append(float(sizes.high.mean()))
        return Limits(least[1] - most[0], most[1] - least[0])

    @property
    def _moved(self) -> Floats:
        """(K,) change of the share of women, exactly 0 where no output moved."""
        index = np.unique(self.index[self.panel.usable], return_inverse=True)[1]
        return np.bincount(index, self.panel.difference[self.panel.usable]) / self.n

    def _compare_spread(self, before: Floats, after: Floats, ends: tuple[float, float]) -> Paired:
        """Return the change of the standard deviation, as parts of occupations that moved.

        The variance is quadratic, so its change is the sum of differences times the sum of the
        deviations before and after; divided by the sum of both standard deviations.
        """
        deviations = (before - before.mean()) + (after - after.mean())
        free = (len(before) - self.ddof) * (ends[0] + ends[1])
        slopes = deviations / free if free > 0 else np.zeros(len(before))
        step = float(np.sqrt(np.mean((slopes / self.n) ** 2)))
        return self._record_change(
            "sb",
            self._moved * slopes,
            ends,
            step,
            slopes,
            (("linearised", 1.0),),
            lambda: _UNBOUNDED,
        )

    def correlation(self, name: str, models: tuple[Floats, Floats], share: Floats) -> Paired:
        """The change of a correlation with the reference, linearised along the way."""
        values = pearson(models[0], share), pearson(models[1], share)
        if values[0] is None or values[1] is None:
            what = "reference" if np.ptp(share) <= np.ptp(models[0]) else "model"
            reason = f"the {what} shares are the same for all occupations"
            return self._without_change(name, reason)
        parts = pearson_change(*models, share)
        ends = values[0], values[1]
        if parts is None:
            return self.panel.record(name, ends=ends, facts=self._panel_facts())
        return self._record_change(name, parts, ends, 0.0, facts=(("linearised", 1.0),))

    def _record_change(
        self,
        name: str,
        terms: Floats,
        ends: tuple[float, float],
        step: float,
        slopes: Floats | None = None,
        facts: tuple[tuple[str, float], ...] = (),
        bounds: Callable[[], Limits] | None = None,
    ) -> Paired:
        """Return the change of a quantity, by sign-flip over occupations.

        `slopes` (K,) is what a change of the share of women in one occupation adds; `bounds`
        computes those of what is no sum of such changes.
        """
        flip, all_facts = about(ends, sign_flip(terms, step=step)), (*self._panel_facts(), *facts)
        if slopes is not None:
            keys = np.unique(self.index[self.panel.usable])
            position = np.minimum(np.searchsorted(keys, self.index), len(keys) - 1)
            all_facts += self.panel.missing(
                flip.total, (slopes / self.n)[position], self.index, bounds
            )
        return self.panel.record(name, ends=ends, flip=flip, widest=2.0, facts=all_facts)

    def _panel_facts(self) -> tuple[tuple[str, float], ...]:
        return (
            ("n_topics", float(len(self.share))),
            ("topics_moved", float(np.count_nonzero(self._moved))),
            ("topics_only_before", float(self.lost)),
            ("topics_only_after", float(self.new)),
        )


def _planned_rows(side: Floats) -> Floats:
    """Return 1 for every row that was planned: it was answered, or could have been marked."""
    planned: Floats = ((side[:, Col.ANSWERED] > 0) | (side[:, Col.POSSIBLE] > 0)).astype(np.float64)
    return planned
