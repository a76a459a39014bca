"""Fairness at every cut-off: runs and documents in, curves of three measures with intervals out."""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from monitor.model import InvalidInput
from monitor.studies import _rankings_files as rankings
from monitor.studies import _study_charts as charts
from monitor.studies._rankings_files import Rankings
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyResult,
    Table,
)
from monitor.text.counted_nouns import several

#: {measure: {system: {cut-off: score}}}
Curves = dict[str, dict[str, dict[int, Any]]]

#: Lists of 25 queries over 350 news texts, with values of the authors' code, against the background
#: that the paper takes.
PUBLISHED_LISTS = ReferenceInputs(
    {
        "inputs": "oracles/c1_nfairr_lee.json",
        "published": ("oracles/c1_nfairr_lee.json", "oracles/d1_texfair_lee.json"),
    },
    {"background": "collection"},
)
_MARKS = ascii_lowercase
_COLUMNS = (
    "system", "measure", "cut-off", "value", "low", "high", "lowest", "highest", "rbdf",
    "queries", "with a value", "documents", "missing",
)  # fmt: skip


class Cutoff(Study):
    """NFaiRR, TExFAIR and TExFAIR without RBDF, from the first rank on."""

    name = "cutoff"
    title = "NFaiRR and TExFAIR at every cut-off"
    paper = f"{rankings.PAPER}, Figure 2"
    question = (
        "How neutral, and how near to equal exposure of women and men, do ranked lists look to "
        "somebody who reads only the first result, the first two, and so on?"
    )
    example = "cutoff --run bm25.run --run neural.run --docs passages.tsv --cutoff 20"
    options = rankings.OPTIONS
    reference = PUBLISHED_LISTS

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for what cannot be read."""
        published = rankings.read_published(given["published"] or (), given)
        tell("reading runs and documents")
        read = rankings.read_rankings(given)
        check_one(read, published)
        curves: Curves = {}
        for name in (rankings.nfairr_name(given), rankings.TEXFAIR, rankings.PLAIN):
            tell(f"computing {name}")
            curves[name] = rankings.compute_curves(read, name, given)
        tell("drawing")
        first = next(iter(read.runs))
        scores_by_measure = {name: of[first] for name, of in curves.items()}
        return StudyResult(
            ran=read.ran,
            checks=tuple(rankings.check_cutoffs(scores_by_measure, published)),
            tables=(_make_table(curves),),
            figures=_draw_figures(curves),
            limits=LIMITS,
            notes=tuple(_make_notes(curves, read)),
        )


LIMITS = (
    Limit(
        "The curves of the paper",
        "they are of the MS MARCO passages under a licence of their own and of rankers that were "
        "trained on them; give their runs and --docs to draw them",
    ),
)


def check_one(read: Rankings, published: Mapping[str, Any]) -> None:
    """Raises InvalidInput where reference values could be of any of several runs."""
    if published and len(read.runs) > 1:
        raise InvalidInput("--published: are values of one run; give one --run with it")


def _make_table(curves: Curves) -> Table:
    rows = tuple(
        _make_row(system, name, cut, score)
        for name, by_system in curves.items()
        for system, by_cut in by_system.items()
        for cut, score in by_cut.items()
    )
    note = (
        "low and high: 95 % interval over queries of this kind, widened by what missing documents "
        "could hold. lowest and highest: these alone. rbdf: the discounted share of documents that "
        "name any group; a high value of the measures beside a low rbdf says little of groups."
    )
    return Table("cutoffs", "Every measure at every cut-off", _COLUMNS, rows, note)


def _make_row(system: str, name: str, cut: int, score: Any) -> tuple[Cell, ...]:  # noqa: ANN401
    return (
        system, name, cut, score.value, score.low, score.high, score.bound_low, score.bound_high,
        score.details.get("rbdf"), score.planned, score.used, score.documents, score.missing,
    )  # fmt: skip


def _draw_figures(curves: Curves) -> tuple[Figure, ...]:
    systems = list(next(iter(curves.values())))
    shown_systems = systems[: charts.MOST]
    marks = dict(zip(shown_systems, _MARKS, strict=False))
    titles = dict(zip(curves, ("NFaiRR", "TExFAIR", "TExFAIR without RBDF"), strict=True))
    rows = [
        {"panel": titles[name], "mark": marks[system], "cut": cut, "value": score.value,
         "low": score.low, "high": score.high}
        for name, by_system in curves.items()
        for system in shown_systems
        for cut, score in by_system[system].items()
    ]  # fmt: skip
    most = max((row["high"] or row["value"] or 0 for row in rows), default=0)
    top = 1.0 if most <= 1 else 2.0
    mark_names = "; ".join(f"{mark}: {system}" for system, mark in marks.items())
    note = "Upright lines are 95 % intervals over queries. A higher value is nearer to neutral."
    if len(shown_systems) > 1:
        note = f"{mark_names}. Intervals stand in the table; with two systems they are drawn too."
    if len(systems) > len(shown_systems):
        note += f" Only the first {len(shown_systems)} of {len(systems)} systems are drawn."
    title = "NFaiRR and TExFAIR by cut-off"
    chart = charts.draw_curves(rows, "cutoffs", title, list(titles.values()), 0.0, top)
    return (Figure("figure-cutoffs", title, chart, note=note),)


def _make_notes(curves: Curves, read: Rankings) -> Iterator[str]:
    """Return how each system begins and ends, and what gives no interval or no value."""
    for name, by_system in curves.items():
        for system, by_cut in by_system.items():
            scores = list(by_cut.items())
            (first, first_score), (last, last_score) = scores[0], scores[-1]
            if first_score.value is None or last_score.value is None:
                cut, score = (
                    (first, first_score) if first_score.value is None else (last, last_score)
                )
                yield f"{system}: {name}@{cut} has no value: {score.reason}."
                continue
            yield (
                f"{system}: {name} is {first_score.value:.3f} at cut-off {first} and "
                f"{last_score.value:.3f} at {last}."
            )
    for system, lists in read.runs.items():
        if len(set(lists.queries)) == 1:
            yield f"{system} has one query: there is no interval, and nothing to say of others."
        deepest = int(lists.lengths.max(initial=0))
        last = max(next(iter(curves.values()))[system])
        if deepest < last:
            yield (
                f"{system}: its longest list has {several(deepest, 'document')}; from there on a "
                "cut-off adds nothing."
            )


STUDY = Cutoff()
