"""Retrieval by word vectors, by debiased ones and by strongly debiased ones: Fabris et al. 2020.

Debiasing hides what vectors say of gender. The study measures the stereotypes of the lists and
their relevance on the same topics, documents and judgements for each kind of vectors.
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
from monitor.measures.effectiveness.ap import AP
from monitor.measures.effectiveness.ndcg import NDCG
from monitor.measures.effectiveness.p import P
from monitor.measures.gsr.gsr import Gsr
from monitor.ranked.lists import kendall_distance
from monitor.ranked.score import MeasureScore, known_pairs
from monitor.stats.correlation import pearson, spearman
from monitor.stats.paired import paired_t
from monitor.studies import _fabris_collection as collections
from monitor.studies import _study_charts as charts
from monitor.studies._fabris_collection import (
    ChangedVectors,
    FabrisCollection,
    Run,
    write_changed_vectors,
)
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_must,
)

_TOP, _DEEP = 10, 100


@dataclass(frozen=True, slots=True)
class DebiasedSystem:
    """The lists of one kind of vectors, measured."""

    name: str
    score: MeasureScore
    effects: Mapping[str, MeasureScore] | None  # by measure; None without judgements
    x: Mapping[str, float]  # genderedness of the queries that have one
    distances: Mapping[str, float]  # from the regular list

    @property
    def row(self) -> tuple[Cell, ...]:
        """Slope and means, each None where there is none."""
        score, details = self.score, self.score.details
        relative = [details.get(key) for key in ("relative_gsr", "relative_low", "relative_high")]
        means = [effect.value for effect in self.effects.values()] if self.effects else [None] * 3
        return (self.name, score.used, score.value, score.low, score.high, *relative, *means)

    @property
    def points(self) -> list[tuple[float, float]]:
        """(genderedness of the query, of its list)."""
        return known_pairs(self.x, self.score.per_query)

    @property
    def moves(self) -> list[tuple[float, float]]:
        """(|g(q)|, how far its list moved)."""
        return [(abs(x), distance) for distance, x in known_pairs(self.distances, self.x)]

    @property
    def moved(self) -> tuple[Cell, ...]:
        """Mean distance, and how it goes with |g(q)|; None where either is constant."""
        pairs = self.moves
        if not pairs:
            return (self.name, 0, None, None, None)
        x, y = [a for a, _ in pairs], [b for _, b in pairs]
        return (self.name, len(pairs), sum(y) / len(y), pearson(x, y), spearman(x, y))

    def tests(self, regular: "DebiasedSystem") -> list[tuple[Cell, ...]]:
        """One row for each measure of relevance."""
        rows: list[tuple[Cell, ...]] = []
        if self.effects is None or regular.effects is None:
            return rows
        for name, effect in self.effects.items():
            both = known_pairs(effect.per_query, regular.effects[name].per_query)
            apart = [a - b for a, b in both]
            mean = sum(apart) / len(apart) if apart else None
            rows.append((self.name, name, len(apart), mean, *(paired_t(apart) or (None, None))))
        return rows

    def queries(self) -> list[tuple[Cell, ...]]:
        """One row for each query."""
        values = self.score.per_query
        return [
            (self.name, key, self.x.get(key), values[key], self.distances.get(key))
            for key in values
        ]


def measure_systems(
    runs: Mapping[str, Run], read: FabrisCollection, lexicon: Lexicon, floor: int
) -> Sequence[DebiasedSystem]:
    """Every system, the regular one first: what the others are compared with."""
    regular = next(iter(runs.values()))
    ranked = {key for run in runs.values() for lists in run.values() for key in lists}
    texts = tokenise({key: read.texts[key] for key in ranked})
    x = collections.gendered_queries(read.topics, lexicon)
    systems = []
    for name, run in runs.items():
        apart = {
            key: distance
            for key, lists in run.items()
            if key in regular and (distance := kendall_distance(lists, regular[key])) is not None
        }
        score = _measure_gsr(run, regular, texts, read, lexicon, floor)
        systems.append(DebiasedSystem(name, score, _measure_effects(run, read), x, apart))
    return systems


def _measure_gsr(
    run: Run, regular: Run, texts: object, read: FabrisCollection, lexicon: Lexicon, floor: int
) -> MeasureScore:
    return Gsr(floor=floor).score(
        run,
        texts,
        queries=read.topics,
        lexicon=lexicon,
        baseline=None if run is regular else regular,
    )


def _measure_effects(run: Run, read: FabrisCollection) -> dict[str, MeasureScore] | None:
    if read.qrels is None:
        return None
    measures = {"AP": AP(), f"P@{_TOP}": P(cutoff=_TOP), f"nDCG@{_DEEP}": NDCG(cutoff=_DEEP)}
    return {
        name: measure.score(run, qrels=read.qrels, draws=0) for name, measure in measures.items()
    }


#: Vectors are written as float32: 50 products of numbers up to 1 leave no more than this.
_ROUNDING = 1e-6


class Debias(Study):
    """Section 4.2.3."""

    name = "debias"
    title = "Retrieval with regular, debiased and strongly debiased word vectors"
    paper = f"{collections.PAPER}, section 4.2.3"
    question = (
        "How far does debiasing the vectors lower the stereotypes of the lists, what does it cost "
        "in relevance, and does it move the lists of gendered queries most?"
    )
    example = (
        "debias --docs robust04 --topics topics.txt --qrels qrels.txt --vectors w2v.bin "
        "--ranker w2v_si"
    )
    options = (
        *collections.OPTIONS,
        Option("vectors", "File of word vectors, or glove-6b-50d where that is installed.",
               default=collections.BUILT_IN),
        Option("ranker", "How documents are ranked by vectors: w2v_add or w2v_si.",
               default="w2v_add"),
    )  # fmt: skip

    #: A small collection with topics made of it, where the vectors are installed.
    reference = ReferenceInputs({"docs": "oracles/lee350.json"})

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        return super().validation(data) if collections.has_builtin_vectors() else None

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Rank three times and compare."""
        make = collections.vector_ranker(given["ranker"])
        source = open_vectors(given["vectors"])
        lexicon = collections.open_lexicon(given["lexicon"])
        with TemporaryDirectory() as folder:
            tell("indexing the documents")
            read = collections.open_collection(given, Path(folder) / "index")
            tell("debiasing the vectors")
            vectors = write_changed_vectors(source, read, Path(folder))
            runs = {}
            for change, vectors_of_change in vectors.vectors.items():
                tell(f"ranking: {change}")
                runs[str(change)] = collections.rank_topics(
                    read.index, make(vectors_of_change), read.topics, given["depth"]
                )
            checks = _check_properties(vectors)
        tell("measuring")
        systems = measure_systems(runs, read, lexicon, given["floor"])
        files = ", ".join(f"{name} SHA-256 {digest}" for name, digest in source.hashes().items())
        return StudyResult(
            ran={
                **read.ran,
                "vectors": f"{source.name}: {files}",
                "lexicon": f"{lexicon.name}, SHA-256 {lexicon.digest}",
                "ranker": f"{given['ranker']}, lists of at most {given['depth']:,}",
            },
            checks=checks,
            tables=_make_tables(systems),
            figures=_draw_figures(systems),
            limits=[collections.LICENSED],
            notes=[*read.notes, collections.RELEVANCE, *_make_notes(systems)],
        )


def _check_properties(vectors: ChangedVectors) -> list[StudyCheck]:
    """Yield what strong debiasing must do: nothing is left along the direction."""
    what = "furthest that a strongly debiased vector lies along the gender direction"
    remaining = vectors.left(VectorChange.STRONG)
    where = "Bolukbasi et al. 2016, step 2"
    return [check_must(what, where, remaining, 0.0, _ROUNDING)]


def _make_tables(systems: Sequence[DebiasedSystem]) -> list[Table]:
    regular = systems[0]
    return [
        Table(
            "systems",
            "Stereotypes and relevance by system",
            ("vectors", "queries", "GSR", "low", "high", "relative GSR", "relative low",
             "relative high", "AP", "P@10", "nDCG@100"),
            tuple(system.row for system in systems),
            "Relative GSR is (m - m0)/m0 with m0 of the regular vectors; none where m0 cannot be "
            "told from 0. Intervals at 95 %.",
        ),
        Table(
            "tests",
            "Paired t-tests against the regular vectors",
            ("vectors", "measure", "topics", "mean difference", "t", "p"),
            tuple(row for system in systems[1:] for row in system.tests(regular)),
            "Two-sided, of the differences of each topic; none where all differ by the same.",
        ),
        Table(
            "distances",
            "How far lists move, and whether gendered queries move more",
            ("vectors", "queries", "mean Kendall distance", "Pearson's r with |g(q)|",
             "Spearman's rho with |g(q)|"),
            tuple(system.moved for system in systems[1:]),
            "Share of pairs of documents that a list orders otherwise than that of the regular "
            "vectors; |g(q)| is how gendered a query is.",
        ),
        Table(
            "queries",
            "Every query",
            ("vectors", "query", "genderedness of the query", "of its list", "Kendall distance"),
            tuple(row for system in systems for row in system.queries()),
        ),
    ]  # fmt: skip


def _draw_figures(systems: Sequence[DebiasedSystem]) -> list[Figure]:
    figures = []
    title = "Genderedness of lists against that of queries"
    points = {system.name: system.points for system in systems}
    lines = {
        system.name: collections.line_ends(
            system.points, system.score.value, system.score.details["intercept"]
        )
        for system in systems
        if system.score.value is not None
    }
    if all(points.values()):
        drawing = charts.draw_system_points(points, lines, "slopes", title, collections.AXES)
        figures.append(Figure("slopes", title, drawing, note="The slope of each line is its GSR."))
    title = "How far lists move against how gendered their queries are"
    moves = {system.name: system.moves for system in systems[1:]}
    if all(moves.values()):
        axes = ("genderedness of the query, |g(q)|", "Kendall distance to the regular list")
        drawing = charts.draw_system_points(moves, {}, "moves", title, axes)
        figures.append(Figure("moves", title, drawing, note="One point for each query."))
    return figures


def _make_notes(systems: Sequence[DebiasedSystem]) -> list[str]:
    sentences = [
        f"{system.name}: no GSR, because {system.score.reason}."
        for system in systems
        if system.score.value is None
    ]
    if systems[0].effects is None:
        sentences.append("No judgements were given, so that nothing is said of relevance.")
    sentences.append(
        "Debiased vectors hide the bias, they do not remove it (Gonen and Goldberg 2019)."
    )
    return sentences


STUDY = Debias()
