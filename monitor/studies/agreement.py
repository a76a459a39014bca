"""Agreement of two measures on the same queries: runs in, correlations by cut-off out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from monitor.measures import parse
from monitor.model import InvalidInput
from monitor.ranked.score import known_pairs, per_query_correlation
from monitor.stats.correlation import weighted_pearson, weighted_spearman
from monitor.stats.resampling import bootstrap_weights, generator, percentile_interval
from monitor.studies import _rankings_files as rankings
from monitor.studies import _study_charts as charts
from monitor.studies._rankings_files import Rankings
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_elsewhere,
    check_must,
)
from monitor.studies.cutoff import PUBLISHED_LISTS, check_one

_DRAWS = 2000
_SHOWN = 10
_NEUTRAL = 0  # tau with which NFaiRR@1 and TExFAIR@1 are the same number
#: Correlations of one set of values computed twice; r divides two sums whose last digits may move.
_WITHIN = 1e-9
_EXACT = 1e-12
_PAIR, _LEAST_PAIRS = 2, 3
_SORTS = ("pearson", "spearman")


class Agreed(NamedTuple):
    """The correlation of two scores, with limits (or None) by its sort."""

    pearson: float | None
    spearman: float | None
    n: int
    limits: Mapping[str, tuple[float | None, float | None]]


class AgreementStudy(Study):
    """NFaiRR against TExFAIR, query by query, at each cut-off."""

    name = "agreement"
    title = "Do NFaiRR and TExFAIR say the same of the same queries?"
    paper = f"{rankings.PAPER}, Table 1"
    question = (
        "Does a query whose list looks neutral document by document also show the words of women "
        "and men equally?"
    )
    example = "agreement --run bm25.run --docs passages.tsv --cutoff 20"
    options = (
        *rankings.OPTIONS,
        Option("at", "The cut-off whose queries are drawn one by one.", int, default=_SHOWN),
    )
    reference = PUBLISHED_LISTS

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for what cannot be read."""
        if not 1 <= given["at"] <= given["cutoff"]:
            raise InvalidInput(f"--at {given['at']}: give a cut-off from 1 to {given['cutoff']}")
        published = rankings.read_published(given["published"] or (), given)
        tell("reading runs and documents")
        read = rankings.read_rankings(given)
        check_one(read, published)
        tell("computing both measures")
        neutral, exposed, plain = (
            rankings.compute_curves(read, name, given)
            for name in (rankings.nfairr_name(given), rankings.TEXFAIR, rankings.PLAIN)
        )
        tell("correlating and drawing")
        seed = given["seed"]
        agreed = {
            system: {
                name: {cut: _correlate_scores(neutral[system][cut], reference[system][cut], seed)
                       for cut in neutral[system]}
                for name, reference in ((rankings.TEXFAIR, exposed), (rankings.PLAIN, plain))
            }
            for system in read.runs
        }  # fmt: skip
        return StudyResult(
            ran=read.ran,
            checks=(
                *_check_published(agreed, published, given, next(iter(read.runs.values())).queries),
                *_same_at_one(read),
            ),
            tables=(_make_table(agreed), _queries_table(neutral, exposed, plain, given["at"])),
            figures=tuple(_draw_figures(agreed, neutral, exposed, given["at"])),
            limits=(
                Limit(
                    "The correlations of the paper",
                    "they are of runs over the MS MARCO passages, which have a licence of their "
                    "own; give such runs and --docs to compute them",
                ),
            ),
            notes=tuple(_make_notes(agreed, given["at"])),
        )


def _correlate_scores(first: Any, second: Any, seed: int) -> Agreed:  # noqa: ANN401 - scores
    """Return the correlation, and its percentile interval under the bootstrap over queries."""
    correlation = per_query_correlation(first, second)
    limits: dict[str, tuple[float | None, float | None]] = dict.fromkeys(_SORTS, (None, None))
    if correlation.pearson is None:
        return Agreed(None, None, correlation.n, limits)
    x, y = np.array(known_pairs(first.per_query, second.per_query), np.float64).T
    weights = bootstrap_weights(np.zeros(len(x), np.int64), _DRAWS, generator(seed)).astype(float)
    for sort, weighted in zip(_SORTS, (weighted_pearson, weighted_spearman), strict=True):
        interval = percentile_interval(weighted(x, y, weights))
        if interval is not None:
            limits[sort] = (interval.low, interval.high)
    return Agreed(correlation.pearson, correlation.spearman, correlation.n, limits)


#: {system: {measure beside NFaiRR: {cut-off: how they agree}}}
Everything = Mapping[str, Mapping[str, Mapping[int, Agreed]]]


def _make_table(agreed: Everything) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for system, by_name in agreed.items():
        for name, by_cut in by_name.items():
            for cut, correlation in by_cut.items():
                of_sorts = (
                    cell
                    for sort in _SORTS
                    for cell in (getattr(correlation, sort), *correlation.limits[sort])
                )
                rows.append((system, name, cut, correlation.n, *of_sorts))
    columns = (
        "system", "NFaiRR against", "cut-off", "queries", "Pearson's r", "low", "high",
        "Spearman's rho", "low of rho", "high of rho",
    )  # fmt: skip
    note = (
        "Over the queries that have a value of both. low and high: 95 %, percentile bootstrap over "
        "queries. A dash: fewer than three queries, or one of both is the same for all."
    )
    return Table(
        "agreement", "Correlation over queries at every cut-off", columns, tuple(rows), note
    )


def _queries_table(neutral: Any, exposed: Any, plain: Any, at: int) -> Table:  # noqa: ANN401
    rows = tuple(
        (system, query, value, exposed[system][at].per_query[query],
         plain[system][at].per_query[query])
        for system, by_cut in neutral.items()
        for query, value in by_cut[at].per_query.items()
    )  # fmt: skip
    columns = ("system", "query", "NFaiRR", "TExFAIR", "TExFAIR without RBDF")
    return Table("queries", f"Every query at cut-off {at}", columns, rows)


def _draw_figures(agreed: Everything, neutral: Any, exposed: Any, cutoff: int) -> Iterator[Figure]:  # noqa: ANN401
    system = next(iter(agreed))
    rows = [
        {"panel": panel, "mark": system, "cut": cut, "value": correlation.pearson,
         "low": correlation.limits["pearson"][0], "high": correlation.limits["pearson"][1]}
        for panel, name in (("with RBDF", rankings.TEXFAIR), ("without RBDF", rankings.PLAIN))
        for cut, correlation in agreed[system][name].items()
    ]  # fmt: skip
    of = f" of {system}" if len(agreed) > 1 else ""
    if any(row["value"] is not None for row in rows):
        title = f"Pearson's r of NFaiRR and TExFAIR over queries, by cut-off{of}"
        chart = charts.draw_curves(
            rows, "agreement", title, ("with RBDF", "without RBDF"), -1.0, 1.0
        )
        yield Figure(
            "figure-agreement", title, chart, note="Upright lines are 95 % intervals over queries."
        )
    pairs = [
        {"first": value, "second": second_value}
        for value, second_value in known_pairs(
            neutral[system][cutoff].per_query, exposed[system][cutoff].per_query
        )
    ]
    if pairs and all(0 <= value <= 1 for pair in pairs for value in pair.values()):
        title = f"Queries at cut-off {cutoff}{of}"
        chart = charts.draw_value_pairs(
            pairs, "queries", title, f"NFaiRR@{cutoff}", f"TExFAIR@{cutoff}"
        )
        note = "One ring a query; on the dotted line both measures give the same number."
        yield Figure("figure-queries", title, chart, note=note)


def _check_published(
    agreed: Everything,
    published: Mapping[str, rankings.Values],
    given: Mapping[str, Any],
    queries: Sequence[str],
) -> Iterator[StudyCheck]:
    """Check against the correlation of the reference values at the same cut-offs, by scipy."""
    from scipy.stats import pearsonr, spearmanr

    first = published.get(rankings.nfairr_name(given), {})
    our_values, query_ids = next(iter(agreed.values())), set(queries)
    for name in (rankings.TEXFAIR, rankings.PLAIN):
        for cut in sorted(first.keys() & published.get(name, {}).keys() & our_values[name].keys()):
            asked = {query: value for query, value in first[cut].items() if query in query_ids}
            pairs = known_pairs(asked, published[name][cut])
            x, y = [a for a, _ in pairs], [b for _, b in pairs]
            our_value = our_values[name][cut]
            for sort, value, function in (
                ("Pearson's r", our_value.pearson, pearsonr),
                ("Spearman's rho", our_value.spearman, spearmanr),
            ):
                yield check_elsewhere(
                    f"{sort} of NFaiRR and {name} at {cut}",
                    f"reference values, correlated by scipy, {len(pairs)} queries",
                    value,
                    float(function(x, y).statistic) if len(pairs) >= _LEAST_PAIRS else None,
                    _WITHIN,
                    "" if our_value.n == len(pairs) else f"ours are {our_value.n} queries",
                )


def _same_at_one(read: Rankings) -> Iterator[StudyCheck]:
    """Check that both formulas give the same number for one document, to the last digits."""
    if len(read.words) != _PAIR:  # with more groups the two differ
        return
    about = {"terms": read.words, "draws": 0}
    for system, lists in read.runs.items():
        neutral_values, exposed_values = (
            parse(name).score(lists, read.counts, **about).per_query
            for name in (f"NFaiRR(tau={_NEUTRAL})@1", f"{rankings.TEXFAIR}@1")
        )
        apart = [abs(a - b) for a, b in known_pairs(neutral_values, exposed_values)]
        yield check_must(
            f"{system}: NFaiRR@1 with tau = 0 is TExFAIR@1, largest difference of a query",
            "must be: a list of one document",
            max(apart, default=None),
            0.0,
            _EXACT,
            "" if apart else "no query has a value of both",
        )


def _make_notes(agreed: Everything, at: int) -> Iterator[str]:
    for system, by_name in agreed.items():
        for name, by_cut in by_name.items():
            yield f"{system}: {_make_sentence(name, at, by_cut[at])}"


def _make_sentence(name: str, at: int, correlation: Agreed) -> str:
    if correlation.pearson is None:
        few = "fewer than three queries have a value of both, or one of both is the same for all"
        return f"there is no correlation of NFaiRR and {name} at cut-off {at}: {few}."
    low, high = correlation.limits["pearson"]
    span = (
        " (no interval: too few queries differ)"
        if low is None or high is None
        else f" (95 % interval {low:.2f} to {high:.2f})"
    )
    return (
        f"NFaiRR and {name} at cut-off {at} correlate with r = {correlation.pearson:.2f}{span} "
        f"over {correlation.n} queries."
    )


STUDY = AgreementStudy()
