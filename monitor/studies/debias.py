"""Retrieval by word vectors, by debiased ones and by strongly debiased ones: Fabris et al. 2020.

Debiasing hides what vectors say of gender. What becomes of the stereotypes of the lists, and what
it costs in relevance, is asked of the same topics, documents and judgements three times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from monitor.studies import _fabris_collection as collections
from monitor.studies.found import Against, Check, Figure, Found, Option, Table, Tell

if TYPE_CHECKING:
    from monitor.studies._debias_compared import System
    from monitor.studies._debias_vectors import Changed

#: Vectors are written as float32: 50 products of numbers up to 1 leave no more than this.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Debias:
    """Section 4.2.3."""

    name: str = "debias"
    title: str = "Retrieval with regular, debiased and strongly debiased word vectors"
    paper: str = f"{collections.PAPER}, section 4.2.3"
    question: str = (
        "How far does debiasing the vectors lower the stereotypes of the lists, what does it cost "
        "in relevance, and does it move the lists of gendered queries most?"
    )
    example: str = (
        "debias --docs robust04 --topics topics.txt --qrels qrels.txt --vectors w2v.bin "
        "--ranker w2v_si"
    )
    options: tuple[Option, ...] = (
        *collections.OPTIONS,
        Option("vectors", "File of word vectors, or glove-6b-50d where that is installed.",
               default=collections.BUILT_IN),
        Option("ranker", "How documents are ranked by vectors: w2v_add or w2v_si.",
               default="w2v_add"),
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """A small collection with topics made of it, where the vectors are installed."""
        docs = data / "oracles" / "lee350.json"
        if not docs.is_file() or not collections.has_vectors():
            return None
        return {"docs": docs}

    def run(self, given: Mapping[str, Any], tell: Tell) -> Found:
        """Rank three times and compare."""
        from monitor.lexicons.vectors import open_vectors
        from monitor.studies import _debias_compared as compared
        from monitor.studies._debias_vectors import changed

        make = collections.by_vectors(given["ranker"])
        source = open_vectors(given["vectors"])
        lexicon = collections.lexicon(given["lexicon"])
        with TemporaryDirectory() as folder:
            tell("indexing the documents")
            read = collections.opened(given, Path(folder) / "index")
            tell("debiasing the vectors")
            asked = {word for text in read.topics.values() for word in read.index.query(text)}
            vectors = changed(source, {*read.index.words.all(), *asked}, Path(folder))
            runs = {}
            for change, one in vectors.vectors.items():
                tell(f"ranking: {change}")
                runs[str(change)] = collections.ranked(
                    read.index, make(one), read.topics, given["depth"]
                )
            checks = _properties(vectors)
        tell("measuring")
        systems = compared.systems(runs, read, lexicon, given["floor"])
        files = ", ".join(f"{name} SHA-256 {digest}" for name, digest in source.hashes().items())
        return Found(
            ran={
                **read.ran,
                "vectors": f"{source.name}: {files}",
                "lexicon": f"{lexicon.name}, SHA-256 {lexicon.digest}",
                "ranker": f"{given['ranker']}, lists of at most {given['depth']:,}",
            },
            checks=checks,
            tables=_tables(systems),
            figures=_figures(systems),
            limits=[collections.LICENSED],
            notes=[*read.notes, collections.RELEVANCE, *_notes(systems)],
        )


def _properties(vectors: "Changed") -> list[Check]:
    """What strong debiasing must do with any vectors: nothing is left along the direction."""
    from monitor.lexicons.debias import Change

    what = "furthest that a strongly debiased vector lies along the gender direction"
    left = vectors.left(Change.STRONG)
    where = "Bolukbasi et al. 2016, step 2"
    return [Check(what, where, left, 0.0, _ROUNDING, against=Against.MUST)]


def _tables(systems: "Sequence[System]") -> list[Table]:
    regular = systems[0]
    return [
        Table(
            "systems",
            "Stereotypes and relevance by system",
            ("vectors", "queries", "GSR", "low", "high", "relative GSR", "relative low",
             "relative high", "AP", "P@10", "nDCG@100"),
            tuple(one.row for one in systems),
            "Relative GSR is (m - m0)/m0 with m0 of the regular vectors; none where m0 cannot be "
            "told from 0. Intervals at 95 %.",
        ),
        Table(
            "tests",
            "Paired t-tests against the regular vectors",
            ("vectors", "measure", "topics", "mean difference", "t", "p"),
            tuple(row for one in systems[1:] for row in one.tests(regular)),
            "Two-sided, of the differences of each topic; none where all differ by the same.",
        ),
        Table(
            "distances",
            "How far lists move, and whether gendered queries move more",
            ("vectors", "queries", "mean Kendall distance", "Pearson's r with |g(q)|",
             "Spearman's rho with |g(q)|"),
            tuple(one.moved for one in systems[1:]),
            "Share of pairs of documents that a list orders otherwise than that of the regular "
            "vectors; |g(q)| is how gendered a query is.",
        ),
        Table(
            "queries",
            "Every query",
            ("vectors", "query", "genderedness of the query", "of its list", "Kendall distance"),
            tuple(row for one in systems for row in one.queries()),
        ),
    ]  # fmt: skip


def _figures(systems: "Sequence[System]") -> list[Figure]:
    from monitor.studies import _fabris_charts as charts

    found = []
    title = "Genderedness of lists against that of queries"
    points = {one.name: one.points for one in systems}
    lines = {
        one.name: collections.ends(one.points, one.score.value, one.score.details["intercept"])
        for one in systems
        if one.score.value is not None
    }
    if all(points.values()):
        drawing = charts.scatter(points, lines, "slopes", title, collections.AXES)
        found.append(Figure("slopes", title, drawing, note="The slope of each line is its GSR."))
    title = "How far lists move against how gendered their queries are"
    moves = {one.name: one.moves for one in systems[1:]}
    if all(moves.values()):
        axes = ("genderedness of the query, |g(q)|", "Kendall distance to the regular list")
        drawing = charts.scatter(moves, {}, "moves", title, axes)
        found.append(Figure("moves", title, drawing, note="One point for each query."))
    return found


def _notes(systems: "Sequence[System]") -> list[str]:
    said = [
        f"{one.name}: no GSR, because {one.score.reason}."
        for one in systems
        if one.score.value is None
    ]
    if systems[0].effects is None:
        said.append("No judgements were given, so that nothing is said of relevance.")
    said.append("Debiased vectors hide the bias, they do not remove it (Gonen and Goldberg 2019).")
    return said


STUDY = Debias()
