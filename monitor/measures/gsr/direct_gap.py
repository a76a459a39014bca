"""Direct stereotypes of ranked lists: how many documents are about women and about men."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from monitor.change import Paired
from monitor.measures._library_input import Run, TextsGiven, read_input
from monitor.measures._paired_panels import COMPARES, Possible, change_of_mean
from monitor.measures._query_means import has_list, moved_units, panel_of, query_values, with_pages
from monitor.measures._shared import (
    SCORE,
    UNBOUNDED,
    Changes,
    Estimate,
    Facts,
    ProbeCounts,
    SearchMeasure,
    Units,
    checked,
    choice,
    make_quantity,
    whole,
)
from monitor.measures.gsr._slopes import (
    NEUTRAL,
    check_name,
    lexicon_of,
    select_neutral,
    select_rows,
)
from monitor.model import (
    Context,
    Direction,
    Floats,
    Ints,
    InvalidInput,
    Matrix,
    Quantity,
    Result,
    Unit,
    Validity,
    Value,
    WordScores,
)
from monitor.names import format_name
from monitor.ranked.gap import (
    ADDED,
    Baseline,
    Gaps,
    Over,
    base_of_others,
    base_of_relevant,
    compare_with_base,
    compute_gaps,
    end_gaps,
    even_base,
)
from monitor.ranked.genderedness import check_lexicon, query_genderedness, select_queries
from monitor.ranked.inputs import PairedInput, RankedInput, asked_of, asked_twice, pin_units
from monitor.ranked.score import MeasureScore, group_means, mean_score
from monitor.stats.intervals import Limits, wilson

LOG_GAP = "log_gap"
SHARES = {"share_men_over": "men", "share_women_over": "women"}
BINS = ("masculine", "neutral", "feminine")


@dataclass(frozen=True, slots=True)
class Scoped:
    """The queries of one scope by their rows; where there is no scope at all, `reason` says why."""

    name: str
    rows: Ints
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedGaps:
    """All that is known of the gaps of some planned queries."""

    planned: tuple[str, ...]
    cluster: Ints  # which queries are about the same thing
    x: Floats  # g(q), NaN where it is not known
    unknown: str  # why no query has a g(q), if so
    gaps: Gaps
    base: Baseline
    floor: int  # queries at least
    limits: tuple[float, float]  # of one gap


def make_scopes(
    found: ComparedGaps, edges: tuple[float, float], units: Sequence[Unit]
) -> list[Scoped]:
    """Return all queries, those declared neutral, and the bins below, between and above."""
    rows_of_all = np.arange(len(found.planned))
    kept_keys = {unit.key for unit in select_neutral(units)}
    scopes_of_all = [Scoped("all", rows_of_all)]
    if kept_keys:
        scopes_of_all.append(Scoped(NEUTRAL, select_rows(found.planned, kept_keys)))
    members = (
        found.x < edges[0],
        (found.x >= edges[0]) & (found.x <= edges[1]),
        found.x > edges[1],
    )
    return scopes_of_all + [
        Scoped(f"bin:{name}", np.flatnonzero(member).astype(np.int64), found.unknown)
        for name, member in zip(BINS, members, strict=True)
    ]


def log_gap_score(name: str, found: ComparedGaps, scoped: Scoped) -> MeasureScore:
    """The mean gap over the queries of a scope."""
    rows = scoped.rows
    per_query = replace(select_queries(found.gaps.found, rows), x=found.x[rows])
    planned = [found.planned[row] for row in rows]
    score = mean_score(name, per_query, planned, found.limits, found.cluster[rows])
    if score.value is not None and score.used < found.floor:
        reason = f"{score.used} usable queries of {len(rows)} planned, floor {found.floor}"
        score = replace(score, value=None, reason=reason)
    if score.value is None and scoped.reason:
        score = replace(score, reason=scoped.reason)
    return replace(score, details=dict(gap_facts(found, scoped, score.value)))


def gap_facts(found: ComparedGaps, scoped: Scoped, mean: float | None) -> Facts:
    """Return the paper's own ratio m/f: its geometric mean, and over all documents at once."""
    men, women = (
        float(np.nansum(documents[scoped.rows])) for documents in (found.gaps.men, found.gaps.women)
    )
    ratios = [("gap", np.exp(-mean))] if mean is not None else []
    ratios += [("gap_pooled", men / women)] if women else []
    counts = [
        ("documents_men", men),
        ("documents_women", women),
        ("baseline_systems", found.base.members),
    ]
    return tuple((name, float(number)) for name, number in counts + ratios)


def scope_shares(found: ComparedGaps, scoped: Scoped) -> Iterator[tuple[str, Estimate]]:
    """Yield by quantity how often the lists of a scope over-represent a group."""
    groups = compare_with_base(found.gaps, found.base)
    cluster = found.cluster[scoped.rows]
    for quantity, group in SHARES.items():
        over_group = groups[group]
        columns = over_group.values, over_group.low, over_group.high
        part = Over(*(column[scoped.rows] for column in columns))
        result = _share_of_lists(part, cluster, found.floor)
        if result.value is None:
            reason = scoped.reason or found.base.reason or result.reason
            result = replace(result, reason=reason)
        yield quantity, result


def _share_of_lists(over_rows: Over, cluster: Ints, floor: int) -> Estimate:
    is_known, possible = ~np.isnan(over_rows.values), ~np.isnan(over_rows.low)
    used = int(is_known.sum())
    limits = None
    if possible.any():
        limits = Limits(
            float(over_rows.low[possible].mean()), float(over_rows.high[possible].mean())
        )
    if used < floor:
        reason = f"{used} queries of {len(is_known)} planned can be compared, floor {floor}"
        return Estimate(None, None, limits, used, reason)
    value = float(over_rows.values[is_known].mean())
    n = len(np.unique(cluster[is_known]))
    ends = limits or Limits(value, value)
    low, _ = wilson(ends.low * n, n)
    _, high = wilson(ends.high * n, n)
    return Estimate(value, Limits(float(low), float(high)), limits, used)


def scope_values(
    found: ComparedGaps, scoped: Scoped, units: Sequence[Unit], name: str
) -> Iterator[Value]:
    """Yield the points of one scope."""
    by_key = {unit.key: unit for unit in units}
    n_answered = sum(has_list(by_key[found.planned[row]]) for row in scoped.rows)
    score = log_gap_score(name, found, scoped)
    per_query = select_queries(found.gaps.found, scoped.rows)
    documents: Facts = (
        ("documents", float(per_query.documents.sum())),
        ("documents_missing", float(per_query.missing.sum())),
        ("documents_empty", float(per_query.empty.sum())),
        *score.details.items(),
    )
    counts = ProbeCounts(len(scoped.rows), n_answered, score.used, 0)
    limits = _make_limits(score.bound_low, score.bound_high) if n_answered else None
    interval = _make_limits(score.low, score.high) if score.value is not None else None
    mean = Estimate(score.value, interval, limits, score.used, score.reason, documents)
    yield mean.point(LOG_GAP, scoped.name, counts)
    members: Facts = (("baseline_systems", float(found.base.members)),)
    for quantity, share in scope_shares(found, scoped):
        counts = ProbeCounts(len(scoped.rows), n_answered, share.used, 0)
        bounds = share.bounds if n_answered else None
        yield replace(share, bounds=bounds, facts=members).point(quantity, scoped.name, counts)


def _make_limits(low: float | None, high: float | None) -> Limits | None:
    return None if low is None or high is None else Limits(low, high)


def share_details(found: ComparedGaps, all_scopes: Sequence[Scoped]) -> dict[str, float]:
    """Return shares and gaps of every scope by name (`share_men_over:feminine`), if known."""
    details: dict[str, float] = {}
    for scoped in all_scopes:
        _, _, name = scoped.name.partition(":")
        ending = f":{name}" if name else ""
        for quantity, result in scope_shares(found, scoped):
            if result.value is not None:
                details[quantity + ending] = result.value
        if name:
            values = found.gaps.found.values[scoped.rows]
            if (is_known := np.isfinite(values)).any():
                details[LOG_GAP + ending] = float(values[is_known].mean())
            details[f"queries{ending}"] = float(len(scoped.rows))
    return details


def compare_gaps(
    units: tuple[Sequence[Unit], Sequence[Unit]],
    sides: Sequence[ComparedGaps],
    edges: tuple[float, float],
    cutoff: int | None,
    beside_others: bool,
    given: PairedInput,
    gaps_of: Callable[[RankedInput], Gaps],
) -> Iterator[Paired]:
    """Yield all quantities in all scopes that there are after; `units` and `sides`: before, after.

    Of two lists that are compared with the same baseline, the one after has it. `given` are the
    lists of both sides, `gaps_of` computes the gaps of other lists of the same queries.
    """
    before, after = sides
    then, now = units
    moved = moved_units(then, now, after.planned, cutoff)
    keys = [{unit.key for unit in side} for side in units]
    only_before = [unit for unit in then if unit.key not in keys[1]]
    logs = _finite_logs(before.gaps.logs), _finite_logs(after.gaps.logs)
    overs = [compare_with_base(side.gaps, after.base) for side in sides]
    clusters = after.cluster
    planned_on = [np.array([key in side for key in after.planned]) for side in keys]

    def possible(sides: Sequence[tuple[Floats, Floats]]) -> Possible:
        ends = [
            (np.where(planned, low, np.nan), np.where(planned, high, np.nan))
            for planned, (low, high) in zip(planned_on, sides, strict=True)
        ]
        return Possible(ends[0], ends[1])

    of_logs = with_pages(
        panel_of(*logs, moved, clusters, possible([end_gaps(side.gaps) for side in sides])),
        given, lambda lists: _finite_logs(gaps_of(lists).logs), cutoff,
    )  # fmt: skip
    of_shares = {}
    for quantity, group in SHARES.items():
        if beside_others:
            of_shares[quantity] = panel_of(*logs, moved, clusters)
            continue
        then_over, now_over = (side[group] for side in overs)
        ends = possible([(side.low, side.high) for side in (then_over, now_over)])
        panel = panel_of(then_over.values, now_over.values, moved, clusters, ends)

        def shares(lists: RankedInput, group: str = group) -> Floats:
            return compare_with_base(gaps_of(lists), after.base)[group].values

        of_shares[quantity] = with_pages(panel, given, shares, cutoff)
    for scoped in make_scopes(after, edges, [*now, *only_before]):
        if scoped.name == NEUTRAL and not select_neutral(now):
            continue
        rows, reason = scoped.rows, COMPARES if beside_others else after.base.reason
        yield change_of_mean(
            LOG_GAP, scoped.name, of_logs.some(rows), floor=after.floor, reason=scoped.reason
        )
        for quantity, panel in of_shares.items():
            yield change_of_mean(
                quantity, scoped.name, panel.some(rows), floor=after.floor, widest=1.0, flips=True,
                reason=scoped.reason or reason,
            )  # fmt: skip


def _finite_logs(logs: Floats) -> Floats:
    """A gap that is infinite has no part in a mean."""
    return np.where(np.isfinite(logs), logs, np.nan)


BASELINES = ("beside", "relevant", "none")
_EDGES = 2


def _over_share(who: str, other: str) -> Quantity:
    return make_quantity(
        f"share_{who}_over", f"share of queries over-representing {who}",
        f"questions that show too many {who}", SCORE._replace(direction=Direction.SIGNED), "share",
        f"shows too many {who} for more questions", f"shows too many {who} for fewer questions",
        mirror=f"share_{other}_over",
    )  # fmt: skip


QUANTITIES = (
    make_quantity(
        LOG_GAP, "ln of documents about women over documents about men",
        "documents about women against documents about men (log ratio)", UNBOUNDED, "log odds",
        "shows more documents about women", "shows fewer documents about women", rank=1,
        question="Does {system} show documents about women as often as about men?",
    ),
    _over_share("men", "women"),
    _over_share("women", "men"),
)  # fmt: skip


def _check_edges(measure: str, name: str, value: object) -> tuple[float, ...]:
    """Return two ascending edges of g(q) within -1 and 1. Raises InvalidInput."""
    if isinstance(value, list | tuple) and len(value) == _EDGES:
        numbers = [edge for edge in value if type(edge) in (int, float) and abs(edge) <= 1]
        if len(numbers) == _EDGES and all(a < b for a, b in pairwise(numbers)):
            return tuple(float(number) for number in numbers)
    raise InvalidInput(
        f"{measure}: {name} is {value!r}; it must be two ascending edges within -1 and 1, such as "
        "[-0.1, 0.1]"
    )


@dataclass(frozen=True, slots=True)
class DirectGap(SearchMeasure):
    """The gap between documents about women and about men, and who is over-represented where.

    A document is about women (men) if it mentions more female (male) entities, by the words of
    Appendix B of the paper. log_gap = mean over queries of ln((f + 1/2)/(m + 1/2)), f and m the
    numbers of such documents in a list: positive towards women, neutral 0, nothing bounds it. The
    paper's gap(q) is m/f; the fact `gap` has its geometric mean. share_men_over (share_women_over)
    = share of queries whose list has a gap on men's (women's) side of the baseline's, in [0, 1];
    ties are neither. All for all queries, and by bin of their genderedness g(q): a system that
    over-represents men in masculine and women in feminine queries makes direct stereotypes
    stronger. Documents without a text are left out, and bound what they could change.

    `cutoff`: ranks that count, None all. `zero`: "half" adds 1/2 to both counts, "paper" nothing;
    then a list without documents of one group has no logarithm, but a side, and a sign can differ.
    `baseline`: "beside", the geometric mean of the other systems in the run (never the system
    itself; all that answered anything, and only queries that all of them answered); "relevant", the
    documents that are judged relevant; "none", as many documents about women as about men. `bins`:
    below the first edge of g(q) a query is masculine, above the second feminine, else neutral; the
    edges are a choice of ours. `lexicon`: gives g(q); empty is the built-in one. Fewer than `floor`
    queries make no value. English only.
    """

    cutoff: int | None = whole(None, 1)
    zero: str = choice("half", ADDED)
    baseline: str = choice("beside", BASELINES)
    bins: tuple[float, ...] = checked((-0.1, 0.1), _check_edges)
    lexicon: str = checked("", check_name)
    floor: int = whole(10, 1)

    name = "direct_gap"
    title = "direct gap of ranked lists"
    version = 2
    citation = (
        "Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype "
        "reinforcement: Measuring the gender bias conveyed by ranking algorithms. Information "
        "Processing & Management 57(6), 102377, section 4.2.5"
    )
    quantities = QUANTITIES
    #: The shares are of the same gaps as log_gap, counted by side.
    primaries = (LOG_GAP,)
    validity = Validity(
        means=(
            "How many more documents mention more women than men than the other way round, in the "
            "lists for a question; 0 is as many of both."
        ),
        does_not_mean=(
            "It does not say how women and men are spoken of, nor that as many of both would be "
            "right for a question."
        ),
        assumes=(
            "The words for female and male entities find the people whom a document is about, "
            "every document of a list counts the same, and those that could not be read are like "
            "the others; English only."
        ),
        harm=(
            "Representational: one group is found less where it could be found, which concerns "
            "women or men as those whom results on a subject are about."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (log_gap,) of one query, repeats averaged; None without one."""
        ranked = asked_of([unit], {})
        value = float(
            compute_gaps(ranked, ranked.lists.cut(self.cutoff), self.zero).found.values[0]
        )
        return (value,) if math.isfinite(value) else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """(draws, groups) weighted means of the queries' gaps; NaN where none has weight."""
        return group_means(stats[:, 0], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return all quantities of all scopes, and the gap of every query."""
        lexicon = context.lexicons[0] if context.lexicons else None
        if lexicon is not None:
            check_lexicon(lexicon)
        comparison = self._compare_lists(asked_of(units, context.beside), lexicon)
        all_scopes = make_scopes(comparison, self._bins, units)
        name = format_name(self)
        return Result(
            tuple(
                value
                for scoped in all_scopes
                for value in scope_values(comparison, scoped, units, name)
            ),
            queries=query_values(
                LOG_GAP, replace(comparison.gaps.found, x=comparison.x), comparison.planned
            ),
        )

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Return changes in every scope. Shares relative to other systems are not compared."""
        lexicon = context.lexicons[0] if context.lexicons else None
        if lexicon is not None:
            check_lexicon(lexicon)
        then, now = pin_units(before, after), list(after)
        inputs = asked_twice(then, now, {})
        sides = [self._compare_lists(side, lexicon) for side in (inputs.before, inputs.after)]

        def gaps_of(lists: RankedInput) -> Gaps:
            return compute_gaps(lists, lists.lists.cut(self.cutoff), self.zero)

        return tuple(
            compare_gaps(
                (then, now), sides, self._bins, self.cutoff, self.baseline == "beside", inputs,
                gaps_of,
            )
        )  # fmt: skip

    def score(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str] | None = None,
        lexicon: WordScores | str | None = None,
        qrels: Mapping[str, Mapping[str, int]] | str | None = None,
        beside: Mapping[str, Run] | None = None,
        seed: int = 0,  # noqa: ARG002 - nothing is drawn any more
        draws: int = 2000,  # noqa: ARG002
    ) -> MeasureScore:
        """Compute log_gap of a run, as a library; shares by bin are among the details.

        `run`, `texts` and `qrels` as for other measures of ranked lists; `beside` are runs of other
        systems by name. Bins need `queries`, {query: its words}; `lexicon` is one or its name.
        `seed` and `draws` have no effect, because nothing is drawn. Raises InvalidInput for what
        cannot be used, and for a baseline that is not handed over.
        """
        if self.baseline == "relevant" and not qrels:
            raise InvalidInput(f"{self.name}: baseline='relevant' needs qrels=...")
        scores = lexicon_of(lexicon, self.lexicon) if queries is not None else None
        if scores is not None:
            check_lexicon(scores)
        ranked = read_input(run, texts, queries=queries, qrels=qrels, beside=beside)
        comparison = self._compare_lists(ranked, scores)
        whole_run, *further_scopes = make_scopes(comparison, self._bins, [])
        score = log_gap_score(format_name(self), comparison, whole_run)
        detail_scopes = [Scoped("all", whole_run.rows), *further_scopes]
        return replace(score, details={**score.details, **share_details(comparison, detail_scopes)})

    @property
    def _bins(self) -> tuple[float, float]:
        return self.bins[0], self.bins[1]

    @property
    def _limits(self) -> tuple[float, float]:
        """The range of one gap: all documents of a list may be about one group."""
        added = ADDED[self.zero]
        if not added or self.cutoff is None:
            return -math.inf, math.inf
        most = math.log((self.cutoff + added) / added)
        return -most, most

    def _compare_lists(self, given: RankedInput, lexicon: WordScores | None) -> ComparedGaps:
        words = tuple(given.queries.get(key, "") for key in given.planned)
        x, unknown = np.full(len(words), np.nan), "no lexicon and no words of the queries are known"
        if lexicon is not None:
            x = query_genderedness(words, lexicon)
            unknown = "" if np.isfinite(x).any() else f"no query has a word in {lexicon.name}"
        own_gaps = compute_gaps(given, given.lists.cut(self.cutoff), self.zero)
        return ComparedGaps(
            given.planned, given.clusters(), x, unknown, own_gaps, self._choose_base(given),
            self.floor, self._limits,
        )  # fmt: skip

    def _choose_base(self, given: RankedInput) -> Baseline:
        if self.baseline == "beside":
            return base_of_others(given, self.cutoff, self.zero)
        return (
            base_of_relevant(given, self.zero) if self.baseline == "relevant" else even_base(given)
        )


MEASURE = DirectGap()
