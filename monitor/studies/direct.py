"""Documents that speak of women and of men, against the slope of their words: Fabris et al.

Systems that over-represent men in masculine and women in feminine queries make direct stereotypes
stronger. Whether these are the systems with a high GSR is asked of all our rankers on one
collection.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monitor.lexicons.direction import VectorChange
from monitor.lexicons.lexicon import Lexicon
from monitor.lexicons.vectors import open_vectors
from monitor.measures import tokenise
from monitor.measures.gsr.direct_gap import BASELINES, DirectGap
from monitor.measures.gsr.gsr import Gsr
from monitor.model import InvalidInput
from monitor.ranked.score import MeasureScore, known_pairs
from monitor.rankers.choice import NUMBERS
from monitor.rankers.formulas import WITH_VECTORS, make_ranker
from monitor.stats.correlation import pearson, spearman
from monitor.studies import _fabris_collection as collections
from monitor.studies import _study_charts as charts
from monitor.studies._fabris_collection import write_changed_vectors
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyResult,
    Table,
)

_BINS = ("masculine", "neutral", "feminine")
_FEWEST_QUERIES = 10


@dataclass(frozen=True, slots=True)
class DirectSystem:
    """One ranker, measured twice."""

    name: str
    gsr: MeasureScore
    gap: MeasureScore

    def share(self, group: str, where: str) -> float | None:
        """Share of the queries of a bin whose lists over-represent a group."""
        return self.gap.details.get(f"share_{group}_over:{where}")

    def rows(self) -> list[tuple[Cell, ...]]:
        """One row for each bin of queries."""
        details = self.gap.details
        return [
            (
                self.name,
                where,
                int(details.get(f"queries:{where}", 0)),
                details.get(f"log_gap:{where}"),
                self.share("men", where),
                self.share("women", where),
            )
            for where in _BINS
        ]

    def agreement(self) -> tuple[Cell, ...]:
        """Return how genderedness and gap of the same lists correlate."""
        pairs = self.pairs()
        x, y = [a for a, _ in pairs], [b for _, b in pairs]
        return (self.name, len(pairs), pearson(x, y), spearman(x, y))

    def pairs(self) -> list[tuple[float, float]]:
        """(genderedness of a list, its gap)."""
        return known_pairs(self.gsr.per_query, self.gap.per_query)


class Direct(Study):
    """Section 4.2.5, Figure 12."""

    name = "direct"
    title = "Direct stereotypes: documents about women and men, against GSR"
    paper = f"{collections.PAPER}, section 4.2.5, Figure 12"
    question = (
        "Do systems with a high GSR also find too many documents about men for masculine queries, "
        "and too many about women for feminine ones?"
    )
    example = "direct --docs robust04 --topics topics.txt --qrels qrels.txt"
    options = (
        *collections.OPTIONS,
        Option("vectors", "Vectors for the rankers w2v_add and w2v_si: a file, or glove-6b-50d. "
               "Left out, these do not run."),
        Option("baseline", "What is too many: beside (more than the other systems), relevant "
               "(than the relevant documents) or none (than half).", default="beside"),
    )  # fmt: skip

    #: A small collection with topics made of it.
    reference = ReferenceInputs({"docs": "oracles/lee350.json"}, {"vectors": collections.BUILT_IN})

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        return super().validation(data) if collections.has_builtin_vectors() else None

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Rank with every ranker, and measure each beside the others."""
        lexicon = collections.open_lexicon(given["lexicon"])
        _check_options(given)
        with TemporaryDirectory() as folder:
            tell("indexing the documents")
            read = collections.open_collection(given, Path(folder) / "index")
            runs = _rank_all(given, read, Path(folder), tell)
        tell("measuring")
        systems = _measure_systems(runs, read, lexicon, given)
        return StudyResult(
            ran={
                **read.ran,
                "lexicon": f"{lexicon.name}, SHA-256 {lexicon.digest}",
                "rankers": f"{', '.join(runs)}; lists of at most {given['depth']:,}",
            },
            tables=_make_tables(systems),
            figures=_draw_figures(systems),
            limits=[collections.LICENSED],
            notes=[*read.notes, collections.RELEVANCE, *_make_notes(systems)],
        )


def _check_options(given: Mapping[str, Any]) -> None:
    baseline = given["baseline"]
    if baseline not in BASELINES:
        raise InvalidInput(f"--baseline {baseline}: unknown; known: {', '.join(BASELINES)}")
    if baseline == "relevant" and given["topics"] and not given["qrels"]:
        raise InvalidInput("--baseline relevant: give --qrels, which says what is relevant")


def _rank_all(
    given: Mapping[str, Any], read: collections.FabrisCollection, folder: Path, tell: ReportStep
) -> dict[str, collections.Run]:
    rankers = {name: make_ranker(name, {}, None) for name in NUMBERS}
    if given["vectors"]:
        changed = write_changed_vectors(open_vectors(given["vectors"]), read, folder)
        regular = changed.vectors[VectorChange.REGULAR]
        rankers |= {name: make_ranker(name, {}, regular) for name in WITH_VECTORS}
    runs = {}
    for name, ranker_of_name in rankers.items():
        tell(f"ranking: {name}")
        runs[name] = collections.rank_topics(
            read.index, ranker_of_name, read.topics, given["depth"]
        )
    return runs


def _measure_systems(
    runs: Mapping[str, collections.Run],
    read: collections.FabrisCollection,
    lexicon: Lexicon,
    given: Mapping[str, Any],
) -> list[DirectSystem]:
    needed = {key for run in runs.values() for lists in run.values() for key in lists}
    needed |= {key for grades in (read.qrels or {}).values() for key in grades}
    texts = tokenise({key: read.texts.get(key) for key in sorted(needed)})
    gap, slope = DirectGap(baseline=given["baseline"]), Gsr(floor=given["floor"])
    return [
        DirectSystem(
            name,
            slope.score(run, texts, queries=read.topics, lexicon=lexicon),
            gap.score(
                run,
                texts,
                queries=read.topics,
                lexicon=lexicon,
                qrels=read.qrels,
                beside={
                    other_name: other_run
                    for other_name, other_run in runs.items()
                    if other_name != name
                },
            ),
        )
        for name, run in runs.items()
    ]


def _make_tables(systems: Sequence[DirectSystem]) -> list[Table]:
    return [
        Table(
            "systems",
            "GSR and mean gap by system",
            ("system", "queries", "GSR", "low", "high", "ln of women over men", "its low",
             "its high", "men over women"),
            tuple(
                (system.name, system.gsr.used, system.gsr.value, system.gsr.low, system.gsr.high,
                 system.gap.value, system.gap.low, system.gap.high, system.gap.details.get("gap"))
                for system in systems
            ),
            "The last column is the paper's m/f, with 1/2 added to both counts of a list.",
        ),
        Table(
            "bins",
            "Who is over-represented, by how gendered the queries are",
            ("system", "queries are", "queries", "ln of women over men", "share with too many men",
             "share with too many women"),
            tuple(row for system in systems for row in system.rows()),
            "Masculine is a genderedness below -.1, feminine one above .1. There is no share "
            f"below {_FEWEST_QUERIES} queries.",
        ),
        Table(
            "agreement",
            "Whether the words of lists and the people they are about say the same",
            ("system", "queries", "Pearson's r", "Spearman's rho"),
            tuple(system.agreement() for system in systems),
        ),
    ]  # fmt: skip


def _draw_figures(systems: Sequence[DirectSystem]) -> list[Figure]:
    figures = []
    placed = {
        "too many men": _place_systems(systems, "men", "masculine"),
        "too many women": _place_systems(systems, "women", "feminine"),
    }
    if points := {name: some for name, some in placed.items() if some}:
        title = "Direct stereotypes against GSR"
        axes = ("GSR", "share of masculine or feminine queries")
        drawing = charts.draw_system_points(points, {}, "direct", title, axes)
        note = (
            "Up to two points for each system: masculine queries with too many documents about "
            f"men, feminine ones with too many about women; none below {_FEWEST_QUERIES} queries."
        )
        figures.append(Figure("direct", title, drawing, note=note))
    first = systems[0]
    if first.pairs():
        title = f"{first.name}: people that lists are about, against their words"
        axes = (collections.AXES[1], "ln of documents about women over men")
        drawing = charts.draw_system_points({first.name: first.pairs()}, {}, "lists", title, axes)
        figures.append(Figure("lists", title, drawing, note="One point for each query."))
    return figures


def _place_systems(
    systems: Sequence[DirectSystem], group: str, where: str
) -> list[tuple[float, float]]:
    values = ((system.gsr.value, system.share(group, where)) for system in systems)
    return [(a, b) for a, b in values if a is not None and b is not None]


def _make_notes(systems: Sequence[DirectSystem]) -> list[str]:
    return [
        f"{system.name}: no {what}, because {score.reason}."
        for system in systems
        for what, score in (("GSR", system.gsr), ("mean gap", system.gap))
        if score.value is None
    ]


STUDY = Direct()
