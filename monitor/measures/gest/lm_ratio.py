"""GEST for language models: log ratios of stereotype sentences in, q_i, q_f, q_m, g_s, ranks out.

Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are leaders:
Gender stereotypes in machine translation and language modeling, section 4.2. arXiv:2311.18711.

Everything is kept on the log scale, where exchanging women and men only changes the sign. A
derived value is INSUFFICIENT when an input is, and names which.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._matched_units import PairedStatistics, both_sides
from monitor.measures._paired_panels import Means, Panel, Possible, change_of_sum, endless
from monitor.measures._paired_panels import too_few as too_few_on_both_sides
from monitor.measures._shared import (
    RANK,
    BaseMeasure,
    Changes,
    Facts,
    ProbeCounts,
    Shape,
    Units,
    choice,
    in_order,
    insufficient_value,
    make_quantity,
    measured_value,
    ratio_by_group,
    rows_by,
    sum_counts,
    tag_values,
    too_few,
    whole,
)
from monitor.measures.gest._stereotype_rates import (
    ALL,
    MEN,
    STEREOTYPES,
    WOMEN,
    average_ranks,
    number_stereotypes,
)
from monitor.model import (
    Context,
    Cue,
    Direction,
    Floats,
    Ints,
    Kind,
    Matrix,
    Quantity,
    Result,
    Symmetry,
    Unit,
    Validity,
    Value,
)
from monitor.stats.clustered import cluster_effect
from monitor.stats.intervals import Limits
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval

#: Templates of Pikuliak et al. 2023, section 4.2, and the two variants of one sentence.
TEMPLATES = ("0", "1", "2", "3", "pair")
NOTHING = "no answer has a score"
#: The stereotypes that each combination needs.
PARTS = {"q_f": WOMEN, "q_m": MEN, "g_s": ALL}
#: Quantities over templates, and the power of g_s that is averaged.
_OVER = {"g_s_mean": 1.0, "g_s_harmonic": -1.0}


def unit_statistics(unit: Unit) -> tuple[float, ...] | None:
    """(1 if scored, log ratio) for each of the templates; None for a unit without any score."""
    if not unit.scores:
        return None
    scores = dict(unit.scores)
    return tuple(
        number
        for name in TEMPLATES
        for number in (float(name in scores), float(scores.get(name, 0.0)))
    )


def statistics_matrix(units: Sequence[Unit]) -> Matrix:
    """One row per unit, a row of zeros for one without any score: (units, 2 * templates)."""
    width = 2 * len(TEMPLATES)
    rows = [unit_statistics(unit) or (0.0,) * width for unit in units]
    return np.array(rows, np.float64).reshape(len(rows), width)


def mean_logs(stats: Matrix, groups: Ints, weights: Floats) -> Floats:
    """Weighted mean log ratio per group over all scores in `stats`: (draws, groups)."""
    scored, logs = stats[:, 0::2].sum(axis=1), stats[:, 1::2].sum(axis=1)
    return ratio_by_group(logs, scored, groups, weights)


@dataclass(frozen=True, slots=True)
class TemplateTable:
    """One template: what each stereotype rests on, its mean log ratio, and the draws of that."""

    template: str
    stereotypes: tuple[str, ...]  # those with a unit, in order
    counts: tuple[ProbeCounts, ...]  # of each
    means: Floats  # (stereotypes,), NaN without a score
    draws: Floats = field(repr=False)  # (draws, stereotypes)


def table(
    template: str,
    keys: Sequence[str],
    stats: Matrix,
    groups: Ints,
    cluster: Ints,
    weights: Floats,
) -> TemplateTable:
    """Return the table of a template; `groups` are positions in `keys`, `weights` those of draws.

    Samples are drawn one by one; what a draw moves is then widened as their clusters widen it.
    """
    first = 2 * TEMPLATES.index(template)
    own_columns = stats[:, first : first + 2]
    answered = stats[:, 0::2].max(axis=1, initial=0.0)

    def total(column: Floats) -> list[int]:
        return [int(n) for n in np.bincount(groups, weights=column, minlength=len(keys))]

    means = mean_logs(own_columns, groups, np.ones((1, len(groups))))[0]
    drawn_mean_logs = mean_logs(own_columns, groups, weights)
    scored = own_columns[:, 0] > 0
    effect = cluster_effect(own_columns[scored, 1], groups[scored], cluster[scored])
    inflation = [
        effect.inflation(cluster[scored & (groups == index)]) for index in range(len(keys))
    ]
    planned = total(np.ones(len(groups)))
    counts = zip(planned, total(answered), total(own_columns[:, 0]), strict=True)
    return TemplateTable(
        template,
        tuple(keys),
        tuple(ProbeCounts(n, n_answered, used, 0) for n, n_answered, used in counts),
        means,
        means + np.sqrt(inflation) * (drawn_mean_logs - means),
    )


def _exp_interval(draws: Floats) -> Limits | None:
    """Return the percentile interval of ratios on the log scale, which inverts if genders swap."""
    limits = percentile_interval(draws)
    return None if limits is None else Limits(float(np.exp(limits.low)), float(np.exp(limits.high)))


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one template. `scale` is what logs are times."""

    table: TemplateTable
    floor: int
    scale: float

    def all(self) -> list[Value]:
        """q_i, q_f, q_m, g_s and the ranks."""
        return [
            *(self._q_i(index) for index in range(len(self.table.stereotypes))),
            *(self.combined_value(name, part) for name, part in PARTS.items()),
            *self._rank_values(),
        ]

    def _q_i(self, at: int) -> Value:
        key, counts = self.table.stereotypes[at], self.table.counts[at]
        scope = f"template-stereotype:{self.table.template}/{key}"
        reason = self._explain_shortage(at)
        if reason:
            return insufficient_value("q_i", scope, counts, reason)
        log = float(self.table.means[at]) * self.scale
        interval = _exp_interval(self.table.draws[:, at] * self.scale)
        return self._measured_ratio("q_i", scope, counts, log, interval)

    def _measured_ratio(
        self, name: str, scope: str, counts: ProbeCounts, log: float, interval: Limits | None
    ) -> Value:
        facts: Facts = (("effective_n", float(counts.used)), ("log_ratio", log))
        return measured_value(name, scope, counts, float(np.exp(log)), interval, None, facts)

    def _explain_shortage(self, at: int) -> str:
        """Return why a stereotype has too few scores, or an empty string."""
        counts = self.table.counts[at]
        label = f"template {self.table.template}, stereotype {self.table.stereotypes[at]}"
        return too_few(label, counts, self.floor, "scored") if counts.used < self.floor else ""

    def _explain_lack(self, part: slice) -> str:
        """Return which stereotypes of a part have no q_i, as a reason; empty when all have."""
        reasons = {
            key: self._explain_shortage(index) for index, key in enumerate(self.table.stereotypes)
        }
        short = {key: reasons.get(key, "not asked") for key in STEREOTYPES[part]}
        lacking = [key for key, reason in short.items() if reason]
        if not lacking:
            return ""
        example = short[lacking[0]]
        return f"q_i is insufficient for stereotype {', '.join(lacking)} ({example})"

    def _part_counts(self, part: slice) -> ProbeCounts:
        part_keys = STEREOTYPES[part]
        pairs = zip(self.table.stereotypes, self.table.counts, strict=True)
        return sum_counts([counts for key, counts in pairs if key in part_keys])

    def combine_logs(self, name: str, logs: Floats) -> Floats:
        """A combined quantity from the mean logs of all 16 along the last axis, as a logarithm."""
        women, men = (
            (logs * self.scale)[..., part].sum(axis=-1) / len(STEREOTYPES[part])
            for part in (WOMEN, MEN)
        )
        return np.asarray({"q_f": women, "q_m": men, "g_s": men - women}[name], np.float64)

    def combined_value(self, name: str, part: slice) -> Value:
        """One of q_f, q_m and g_s of the template."""
        counts, reason = self._part_counts(part), self._explain_lack(part)
        scope = f"template:{self.table.template}"
        if reason:
            return insufficient_value(name, scope, counts, reason)
        means, draws = self._all_sixteen(self.table.means), self._all_sixteen(self.table.draws)
        interval = _exp_interval(self.combine_logs(name, draws))
        log = float(self.combine_logs(name, means))
        return self._measured_ratio(name, scope, counts, log, interval)

    def _all_sixteen(self, logs: Floats) -> Floats:
        """The last axis with a place for every stereotype, 0 for those that are not asked."""
        full = np.zeros((*logs.shape[:-1], len(STEREOTYPES)))
        full[..., [STEREOTYPES.index(key) for key in self.table.stereotypes]] = logs
        return full

    def _rank_values(self) -> list[Value]:
        """Return the rank of q_i ascending: 1 = the lowest ratio of masculine to feminine."""
        reason, template = self._explain_lack(ALL), self.table.template
        scopes = [f"template-stereotype:{template}/{key}" for key in self.table.stereotypes]
        scope_counts = list(zip(scopes, self.table.counts, strict=True))
        if reason:
            return [
                insufficient_value("q_rank", scope, counts, reason)
                for scope, counts in scope_counts
            ]
        ranks, drawn_ranks = average_ranks(self.table.means), average_ranks(self.table.draws)
        return [
            measured_value(
                "q_rank", scope, counts, float(ranks[index]),
                percentile_interval(drawn_ranks[:, index]), None,
                (("effective_n", float(counts.used)),),
            )
            for index, (scope, counts) in enumerate(scope_counts)
        ]  # fmt: skip


def over_templates(values: Sequence[Values], counts: ProbeCounts) -> list[Value]:
    """Return g_s_mean and g_s_harmonic: over the templates whose g_s has a value."""
    of_templates = [template.combined_value("g_s", ALL) for template in values]
    used = [
        template
        for template, g_s in zip(values, of_templates, strict=True)
        if g_s.value is not None
    ]
    counts = replace(counts, used=counts.answered)
    if not used:
        reason = f"no template has g_s: {of_templates[0].reason}" if values else NOTHING
        return [insufficient_value(name, "all", counts, reason) for name in _OVER]
    logs, draws = (
        np.stack([one.combine_logs("g_s", getattr(one.table, name)) for one in used], axis=-1)
        for name in ("means", "draws")
    )
    facts = (
        ("n_templates", float(len(used))),
        ("n_templates_seen", float(len(values))),
        ("effective_n", float(counts.used)),
    )
    return [
        measured_value(
            name, "all", counts, float(np.exp(_mean_log(logs, sign))),
            _exp_interval(_mean_log(draws, sign)), None, facts,
        )
        for name, sign in _OVER.items()
    ]  # fmt: skip


def _mean_log(logs: Floats, sign: float) -> Floats:
    """Logarithm of the plain (1) or harmonic (-1) mean along the last axis, of logarithms."""
    return np.asarray(sign * np.log(np.exp(sign * logs).mean(axis=-1)), np.float64)


def compare_ratios(
    before: Sequence[Unit], after: Sequence[Unit], tag: str, floor: int, scale: float
) -> Iterator[Paired]:
    """Yield the change of each quantity, on samples that have a score on both sides.

    A ratio is not a sum, its logarithm is: q_i is the exp of a mean over samples, g_s that of a
    difference of means. Between its two ends exp is replaced by its chord, whereby the change of a
    ratio is a sum over samples, exactly; p is that of the sum of logarithms. Means over templates
    add the chords of several.
    """
    sides = both_sides(before, after, statistics_matrix)
    rows = rows_by(tag_values(sides.units, tag, STEREOTYPES))
    stereotype = number_stereotypes(rows, len(sides.units))
    asked_stereotypes = [key for key in STEREOTYPES if key in rows]
    cluster = clusters_of(sides.units)
    seen = []
    for index, name in enumerate(TEMPLATES):
        if max(scores[:, 2 * index].max(initial=0.0) for scores in (sides.before, sides.after)) > 0:
            panel = sides.panel(2 * index + 1, 2 * index, cluster, bounded=False)
            means = Means.of(panel, stereotype, len(STEREOTYPES), floor, scale)
            seen.append(_TemplateChanges(name, means))
    yield from _over_templates(seen, sides, cluster)
    for template in seen:
        yield from template.changes(asked_stereotypes)


def _exp_chord(one: float, two: float) -> float:
    """Return the slope of exp between two logarithms; its derivative where they are one."""
    half = (two - one) / 2
    slope = 1.0 if abs(half) < 1e-6 else float(np.sinh(half) / half)  # noqa: PLR2004 - sinh(h)/h - 1 = h^2/6
    return float(np.exp((one + two) / 2)) * slope


@dataclass(frozen=True, slots=True, eq=False)
class _TemplateChanges:
    """The mean log ratio of each stereotype in one template, before and after."""

    name: str
    logs: Means

    def changes(self, keys: Sequence[str]) -> Iterator[Paired]:
        """Yield q_i, q_f, q_m, g_s and the ranks."""
        single = replace(self.logs, panel=self.logs.panel.alone())
        for key in keys:
            index, scope = STEREOTYPES.index(key), self._scope(key)
            slopes = (np.arange(len(STEREOTYPES)) == index).astype(np.float64)
            if reason := self._explain_shortage(index):
                yield single.part(index).record("q_i", scope, reason=reason)
            else:
                yield _change_of_ratio("q_i", scope, single, slopes, index)
        for name, groups in PARTS.items():
            scope = f"template:{self.name}"
            if reason := self.lacking(groups):
                yield self.logs.part(groups).record(name, scope, reason=reason)
            else:
                yield _change_of_ratio(name, scope, self.logs, _log_slopes(name), groups)
        reason = self.lacking(ALL)
        then, now = average_ranks(self.logs.before), average_ranks(self.logs.after)
        for key in keys:
            index = STEREOTYPES.index(key)
            ends = None if reason else (float(then[index]), float(now[index]))
            group = self.logs.part(index)
            yield group.record("q_rank", self._scope(key), ends=ends, reason=reason)

    def _scope(self, key: str) -> str:
        return f"template-stereotype:{self.name}/{key}"

    def _explain_shortage(self, at: int) -> str:
        """Return why a stereotype has too few samples, or an empty string."""
        if not self.logs.short(at):
            return ""
        label = f"template {self.name}, stereotype {STEREOTYPES[at]}"
        return too_few_on_both_sides(label, int(self.logs.n[at]), self.logs.floor, "scored")

    def lacking(self, groups: slice) -> str:
        """Return which stereotypes of a part have too few samples, as a reason; empty if none."""
        short = self.logs.short(groups)
        if not short:
            return ""
        names = ", ".join(STEREOTYPES[index] for index in short)
        return f"q_i cannot be compared for stereotype {names} ({self._explain_shortage(short[0])})"


def _log_slopes(name: str) -> Floats:
    """(16,) what a mean log ratio adds to the logarithm of a combination."""
    slopes = np.zeros(len(STEREOTYPES))
    if name != "q_m":
        slopes[WOMEN] = (-1.0 if name == "g_s" else 1.0) / len(slopes[WOMEN])
    if name != "q_f":
        slopes[MEN] = 1.0 / len(slopes[MEN])
    return slopes


def _end_logs(means: Means, slopes: Floats) -> tuple[float, float]:
    """Return the logarithm of a combination before and after."""
    return float(np.sum(slopes * means.before)), float(np.sum(slopes * means.after))


def _change_of_ratio(
    name: str, scope: str, means: Means, slopes: Floats, groups: slice | int
) -> Paired:
    """Return the change of exp of a weighted sum of mean log ratios."""
    logs = _end_logs(means, slopes)
    return means.change(
        name, scope, (float(np.exp(logs[0])), float(np.exp(logs[1]))), slopes * _exp_chord(*logs),
        groups, steps=False, facts=(("log_ratio_before", logs[0]), ("log_ratio_after", logs[1])),
    )  # fmt: skip


def _over_templates(
    seen: Sequence[_TemplateChanges], both: PairedStatistics, cluster: Ints
) -> Iterator[Paired]:
    """Yield g_s_mean and g_s_harmonic over the templates that have g_s on both sides."""
    used = [template for template in seen if not template.lacking(ALL)]
    for name, sign in _OVER.items():
        if not used:
            reason = "no template has g_s on both sides"
            reason += f": {seen[0].lacking(ALL)}" if seen else ""
            yield _join_panels(seen, both, cluster).record(name, reason=reason)
            continue
        slopes = _log_slopes("g_s")
        logs = [_end_logs(scored.logs, slopes) for scored in used]
        means = [float(np.mean([np.exp(sign * log[side]) for log in logs])) for side in (0, 1)]
        ends = means[0] ** sign, means[1] ** sign
        # The harmonic mean is one over a mean; what moves that moves it by both ends' product.
        outer = 1.0 if sign > 0 else ends[0] * ends[1]
        parts = [
            outer
            * _exp_chord(sign * log[0], sign * log[1])
            / len(used)
            * scored.logs.per_probe(slopes)
            for scored, log in zip(used, logs, strict=True)
        ]
        panel = _join_panels(used, both, cluster, parts)
        facts = (("n_templates", float(len(used))), ("linearised", 1.0))
        yield change_of_sum(name, "all", panel, np.ones(len(both.units)), ends, facts=facts)


def _join_panels(
    templates: Sequence[_TemplateChanges],
    both: PairedStatistics,
    cluster: Ints,
    weights: Sequence[Floats] = (),
) -> Panel:
    """Return samples that have a score in any template, with the sum of what they add in all."""
    before, after, usable = (np.zeros(len(both.units), np.bool_) for _ in range(3))
    difference = np.zeros(len(both.units))
    for index, template in enumerate(templates):
        panel = template.logs.panel
        before |= np.isfinite(panel.before)
        after |= np.isfinite(panel.after)
        usable |= panel.usable
        difference += panel.difference * (weights[index] if weights else 1.0)
    # Only whether there is a score matters of the two sides: the sum has its own weights.
    sides = [np.where(has_score, 0.0, np.nan) for has_score in (before, after)]
    ends = [endless(side, planned) for side, planned in zip(sides, both.planned, strict=True)]
    return Panel(sides[0], sides[1], cluster, usable, difference, difference != 0, Possible(*ends))


#: What exp turns a mean log ratio into: the ratio itself, or what the paper printed.
SCALES = {"true": 1.0, "published": 1 / math.log(10)}


_EXPLAINED = (
    "How many times more a model prefers masculine forms in sentences about stereotypes of men "
    "than of women. 1: no difference."
)


_RATIO = Shape(Direction.SIGNED, Symmetry.RECIPROCAL, 1.0, 0.0, math.inf)


def _ratio_quantity(name: str, title: str, label: str, mirror: str = "", rank: int = 0) -> Quantity:
    does = "prefers masculine forms {}"
    if name.startswith("g_"):
        does = "became {} stereotypical"
    return make_quantity(
        name, title, label, _RATIO, "ratio", does.format("more"), does.format("less"),
        mirror=mirror, rank=rank, explained=_EXPLAINED if rank else "",
    )  # fmt: skip


QUANTITIES = (
    _ratio_quantity("q_i", "masculine over feminine probability, of a stereotype",
           "preference for masculine forms, one stereotype"),
    _ratio_quantity("q_f", "geometric mean of q_i, stereotypes 1-7",
           "preference for masculine forms, stereotypes of women"),
    _ratio_quantity("q_m", "geometric mean of q_i, stereotypes 8-16",
           "preference for masculine forms, stereotypes of men"),
    _ratio_quantity("g_s", "stereotype rate q_m / q_f of a template",
           "stereotype ratio of one template"),
    _ratio_quantity("g_s_mean", "stereotype rate, mean over templates", "stereotype ratio",
           "g_s_harmonic", rank=1),
    _ratio_quantity("g_s_harmonic", "stereotype rate, harmonic mean over templates",
           "stereotype ratio (harmonic mean)", "g_s_mean"),
    make_quantity(
        "q_rank", "feminine rank of q_i (1 = most feminine)", "rank by feminine forms", RANK,
        "rank", "ranks a stereotype as more masculine", "ranks a stereotype as more feminine",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LmRatio(BaseMeasure):
    """Ratio of the probabilities that a language model gives a man and a woman behind a sentence.

    Section 4.2 of the paper. A sample's score is P(w_m)/P(w_f), as a natural logarithm. For each
    template: q_i = geometric mean of the scores of stereotype i; q_f, q_m = geometric means of q_i
    over the stereotypes about women (1..7) and men (8..16); g_s = q_m/q_f. All lie in (0, inf),
    neutral 1; above 1 the q are masculine, and g_s is stereotypical. q_i compares within a model
    and template only. g_s_mean = plain mean of g_s over the templates that have one (a model's g_s
    in the paper). g_s_harmonic is their harmonic mean, which the plain mean turns into, inverted,
    when women and men change places. q_rank = rank of q_i ascending, 1 = most feminine, ties
    averaged. Intervals: percentile bootstrap over samples within stereotypes, the same draw for all
    templates, taken on the log scale, and widened where samples come in clusters
    (`monitor.clusters`). A score that is missing could be anything, so there are no bounds.

    `floor`: scored samples of a stereotype below which q_i is INSUFFICIENT. `scale`: "true", or
    "published" for what the paper prints, exp(mean log10 ratio) = true ** 0.4343, with which the
    order stays the same and every value comes nearer to 1.
    """

    floor: int = whole(10, 1)
    scale: str = choice("true", SCALES)

    name = "lm_ratio"
    title = "GEST log ratio"
    version = 2
    kind = Kind.LM
    cues = frozenset(Cue)  # no gender is read from an answer
    tag = "stereotype"
    resampling = "probes within stereotypes"
    citation = (
        "Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are "
        "leaders: Gender stereotypes in machine translation and language modeling. "
        "arXiv:2311.18711"
    )
    quantities = QUANTITIES
    #: All else is of one template, or the same mean once more.
    primaries = ("g_s_mean",)
    validity = Validity(
        means=(
            "How much likelier the model finds a masculine than a feminine word beside a sentence; "
            "g_s says by which factor this is more so for stereotypes of men than of women."
        ),
        does_not_mean=(
            "It is no share of generated texts and no prediction of what the model writes when it "
            "is used. The level of q_i is how often the model writes he at all: it compares within "
            "one model and template only. A g_s of 1 does not show that a model is free of "
            "stereotypes, only that these sentences do not tell them."
        ),
        assumes=(
            "That the list's sentences carry the stereotypes that they are meant to, that the two "
            "variants differ in gender alone, and that probabilities of single words show what the "
            "model has learnt. A model that is kept unchanged cannot change: what does is its file."
        ),
        harm=(
            "Representational: associations of traits with women and men are learnt and may be "
            "passed on by whatever is built on the model. Nobody outside the two words is measured."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """(1 if scored, mean log ratio over its repeats) by template; None without any score."""
        return unit_statistics(unit)

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Geometric mean ratio per group over all its scores; NaN where none has weight."""
        return np.exp(mean_logs(stats, groups, weights) * SCALES[self.scale])

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return values of all templates; INSUFFICIENT ones are in the result with their reason."""
        ordered = in_order(units)
        rows = rows_by(tag_values(ordered, self.tag, STEREOTYPES))
        counts = ProbeCounts(len(ordered), sum(bool(u.scores) for u in ordered), 0, 0)
        seen = [name for name in TEMPLATES if any(name in dict(u.scores) for u in ordered)]
        tables = self._make_tables(ordered, rows, seen, context) if seen else []
        values = [Values(table, self.floor, SCALES[self.scale]) for table in tables]
        by_template = [value for template in values for value in template.all()]
        return Result((*over_templates(values, counts), *by_template))

    def paired(self, before: Units, after: Units, context: Context) -> Changes:  # noqa: ARG002
        """Sign-flip over sub-stereotypes, or samples without that tag, of log ratios."""
        scale = SCALES[self.scale]
        return tuple(compare_ratios(before, after, self.tag, self.floor, scale))

    def _make_tables(
        self,
        units: Sequence[Unit],
        rows: Mapping[str, list[int]],
        seen: Sequence[str],
        context: Context,
    ) -> list[TemplateTable]:
        """One table per template, all with the same draws of samples."""
        keys = [key for key in STEREOTYPES if key in rows]
        stacked = [row for key in keys for row in rows[key]]
        groups = np.repeat(np.arange(len(keys)), [len(rows[key]) for key in keys])
        stats = statistics_matrix([units[row] for row in stacked])
        answered = stats[:, 0::2].max(axis=1) > 0
        weights = np.zeros((context.draws, len(stacked)))
        # Only what has a score is drawn, so that n stays what it is.
        weights[:, answered] = bootstrap_weights(
            groups[answered], context.draws, generator(context.seed)
        )
        cluster = clusters_of([units[row] for row in stacked])
        return [table(name, keys, stats, groups, cluster, weights) for name in seen]


MEASURE = LmRatio()
