"""How many documents speak of women and of men, against the slope of their words: Fabris et al.

Systems that over-represent men in masculine and women in feminine queries make direct stereotypes
stronger. Whether these are the systems with a high GSR is asked of all our rankers on one
collection.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from monitor.model import InvalidInput
from monitor.studies import _fabris_collection as collections
from monitor.studies.records import Cell, Figure, Found, Option, Table, Tell

if TYPE_CHECKING:
    from monitor.lexicons.lexicon import Lexicon
    from monitor.ranked.score import Score

_BINS = ("masculine", "neutral", "feminine")
_FEWEST_QUERIES = 10


@dataclass(frozen=True, slots=True)
class System:
    """One ranker, measured twice."""

    name: str
    gsr: "Score"
    gap: "Score"

    def share(self, group: str, where: str) -> float | None:
        """Share of the queries of a bin whose lists over-represent a group."""
        return self.gap.details.get(f"share_{group}_over:{where}")

    def rows(self) -> list[tuple[Cell, ...]]:
        """One row for each bin of queries."""
        told = self.gap.details
        return [
            (
                self.name,
                where,
                int(told.get(f"queries:{where}", 0)),
                told.get(f"log_gap:{where}"),
                self.share("men", where),
                self.share("women", where),
            )
            for where in _BINS
        ]

    def agreement(self) -> tuple[Cell, ...]:
        """How genderedness and gap of the same lists go together."""
        from monitor.stats.correlation import pearson, spearman

        pairs = self.pairs()
        x, y = [a for a, _ in pairs], [b for _, b in pairs]
        return (self.name, len(pairs), pearson(x, y), spearman(x, y))

    def pairs(self) -> list[tuple[float, float]]:
        """(genderedness of a list, its gap)."""
        gaps = self.gap.per_query
        both = ((value, gaps.get(key)) for key, value in self.gsr.per_query.items())
        return [(a, b) for a, b in both if a is not None and b is not None]


@dataclass(frozen=True, slots=True)
class Direct:
    """Section 4.2.5, Figure 12."""

    name: str = "direct"
    title: str = "Direct stereotypes: documents about women and men, against GSR"
    paper: str = f"{collections.PAPER}, section 4.2.5, Figure 12"
    question: str = (
        "Do systems with a high GSR also find too many documents about men for masculine queries, "
        "and too many about women for feminine ones?"
    )
    example: str = "direct --docs robust04 --topics topics.txt --qrels qrels.txt"
    options: tuple[Option, ...] = (
        *collections.OPTIONS,
        Option("vectors", "Vectors for the rankers w2v_add and w2v_si: a file, or glove-6b-50d. "
               "Left out, these do not run."),
        Option("baseline", "What is too many: beside (more than the other systems), relevant "
               "(than the relevant documents) or none (than half).", default="beside"),
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """A small collection with topics made of it."""
        docs = data / "oracles" / "lee350.json"
        if not docs.is_file() or not collections.has_vectors():
            return None
        return {"docs": docs, "vectors": collections.BUILT_IN}

    def run(self, given: Mapping[str, Any], tell: Tell) -> Found:
        """Rank with every ranker, and measure each beside the others."""
        lexicon = collections.lexicon(given["lexicon"])
        _check(given)
        with TemporaryDirectory() as folder:
            tell("indexing the documents")
            read = collections.opened(given, Path(folder) / "index")
            runs = _runs(given, read, Path(folder), tell)
        tell("measuring")
        systems = _systems(runs, read, lexicon, given)
        return Found(
            ran={
                **read.ran,
                "lexicon": f"{lexicon.name}, SHA-256 {lexicon.digest}",
                "rankers": f"{', '.join(runs)}; lists of at most {given['depth']:,}",
            },
            tables=_tables(systems),
            figures=_figures(systems),
            limits=[collections.LICENSED],
            notes=[*read.notes, collections.RELEVANCE, *_notes(systems)],
        )


def _check(given: Mapping[str, Any]) -> None:
    from monitor.measures.gsr.direct_gap import BASELINES

    baseline = given["baseline"]
    if baseline not in BASELINES:
        raise InvalidInput(f"--baseline {baseline}: unknown; known: {', '.join(BASELINES)}")
    if baseline == "relevant" and given["topics"] and not given["qrels"]:
        raise InvalidInput("--baseline relevant: give --qrels, which says what is relevant")


def _runs(
    given: Mapping[str, Any], read: collections.Collection, folder: Path, tell: Tell
) -> dict[str, collections.Run]:
    from monitor.lexicons.debias import Change
    from monitor.lexicons.vectors import open_vectors
    from monitor.rankers.choose import NUMBERS, WITH_VECTORS, ranker
    from monitor.studies._fabris_collection import changed

    made = {name: ranker(name, {}, None) for name in NUMBERS}
    if given["vectors"]:
        asked = {word for text in read.topics.values() for word in read.index.query(text)}
        words = {*read.index.words.all(), *asked}
        regular = changed(open_vectors(given["vectors"]), words, folder).vectors[Change.REGULAR]
        made |= {name: ranker(name, {}, regular) for name in WITH_VECTORS}
    runs = {}
    for name, one in made.items():
        tell(f"ranking: {name}")
        runs[name] = collections.ranked(read.index, one, read.topics, given["depth"])
    return runs


def _systems(
    runs: Mapping[str, collections.Run],
    read: collections.Collection,
    lexicon: "Lexicon",
    given: Mapping[str, Any],
) -> list[System]:
    from monitor.measures import tokenise
    from monitor.measures.gsr.direct_gap import DirectGap
    from monitor.measures.gsr.gsr import Gsr

    needed = {key for run in runs.values() for some in run.values() for key in some}
    needed |= {key for grades in (read.qrels or {}).values() for key in grades}
    texts = tokenise({key: read.texts.get(key) for key in sorted(needed)})
    gap, slope = DirectGap(baseline=given["baseline"]), Gsr(floor=given["floor"])
    return [
        System(
            name,
            slope.score(run, texts, queries=read.topics, lexicon=lexicon),
            gap.score(
                run,
                texts,
                queries=read.topics,
                lexicon=lexicon,
                qrels=read.qrels,
                beside={other: one for other, one in runs.items() if other != name},
            ),
        )
        for name, run in runs.items()
    ]


def _tables(systems: Sequence[System]) -> list[Table]:
    return [
        Table(
            "systems",
            "GSR and mean gap by system",
            ("system", "queries", "GSR", "low", "high", "ln of women over men", "its low",
             "its high", "men over women"),
            tuple(
                (one.name, one.gsr.used, one.gsr.value, one.gsr.low, one.gsr.high, one.gap.value,
                 one.gap.low, one.gap.high, one.gap.details.get("gap"))
                for one in systems
            ),
            "The last column is the paper's m/f, with 1/2 added to both counts of a list.",
        ),
        Table(
            "bins",
            "Who is over-represented, by how gendered the queries are",
            ("system", "queries are", "queries", "ln of women over men", "share with too many men",
             "share with too many women"),
            tuple(row for one in systems for row in one.rows()),
            "Masculine is a genderedness below -.1, feminine one above .1. There is no share "
            f"below {_FEWEST_QUERIES} queries.",
        ),
        Table(
            "agreement",
            "Whether the words of lists and the people they are about say the same",
            ("system", "queries", "Pearson's r", "Spearman's rho"),
            tuple(one.agreement() for one in systems),
        ),
    ]  # fmt: skip


def _figures(systems: Sequence[System]) -> list[Figure]:
    from monitor.studies import _study_charts as charts

    found = []
    placed = {
        "too many men": _placed(systems, "men", "masculine"),
        "too many women": _placed(systems, "women", "feminine"),
    }
    if points := {name: some for name, some in placed.items() if some}:
        title = "Direct stereotypes against GSR"
        axes = ("GSR", "share of masculine or feminine queries")
        drawing = charts.draw_system_points(points, {}, "direct", title, axes)
        note = (
            "Up to two points for each system: masculine queries with too many documents about "
            f"men, feminine ones with too many about women; none below {_FEWEST_QUERIES} queries."
        )
        found.append(Figure("direct", title, drawing, note=note))
    first = systems[0]
    if first.pairs():
        title = f"{first.name}: people that lists are about, against their words"
        axes = (collections.AXES[1], "ln of documents about women over men")
        drawing = charts.draw_system_points({first.name: first.pairs()}, {}, "lists", title, axes)
        found.append(Figure("lists", title, drawing, note="One point for each query."))
    return found


def _placed(systems: Sequence[System], group: str, where: str) -> list[tuple[float, float]]:
    both = ((one.gsr.value, one.share(group, where)) for one in systems)
    return [(a, b) for a, b in both if a is not None and b is not None]


def _notes(systems: Sequence[System]) -> list[str]:
    return [
        f"{one.name}: no {what}, because {score.reason}."
        for one in systems
        for what, score in (("GSR", one.gsr), ("mean gap", one.gap))
        if score.value is None
    ]


STUDY = Direct()
