"""Whether what is measured depends on the vectors: the same words, tests and lists by each lexicon.

Words lie otherwise in every space of vectors. A finding that holds with one lexicon alone is one
about this lexicon.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from monitor.model import InvalidInput
from monitor.studies import _fabris_collection as collections
from monitor.studies._rankings_given import described
from monitor.studies.found import Cell, Figure, Found, Limit, Option, Table, Tell

if TYPE_CHECKING:
    from monitor.lexicons.lexicon import Lexicon
    from monitor.lexicons.permutation import Tested
    from monitor.model import Floats

_LEAST = 2
_LIMITS = (
    Limit(
        "the paper's own pairs of vectors",
        "the word2vec vectors of Google News are licensed; give their file with --vectors where "
        "you have it",
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """The words that two lexicons share, with their genderedness in each."""

    first: "Lexicon"
    second: "Lexicon"
    words: Sequence[str]
    x: "Floats"
    y: "Floats"

    def row(self) -> tuple[Cell, ...]:
        """How far both agree on words; None where scores are constant or too few."""
        from monitor.stats.correlation import pearson, spearman

        r, rho = pearson(self.x, self.y), spearman(self.x, self.y)
        return (self.first.name, self.second.name, len(self.words), r, rho)


@dataclass(frozen=True, slots=True)
class Lexicons:
    """Figure 11, and reliability across embeddings."""

    name: str = "lexicons"
    title: str = "Reliability of genderedness across word vectors"
    paper: str = f"{collections.PAPER}, Figure 11"
    question: str = (
        "Do two lexicons put the same words, the same lists and the same systems in the same order?"
    )
    example: str = "lexicons --vectors wiki-news-300d.vec"
    options: tuple[Option, ...] = (
        Option("lexicons", "A lexicon to compare, by its name; left out, all that are installed. "
               "Give it once a lexicon.", several=True),
        Option("vectors", "A file of word vectors, of which a lexicon is made for this study "
               "alone. Give it once a file.", Path, several=True),
        *collections.DRAWN,
        *(replace(one, required=False) for one in collections.OPTIONS if one.name != "lexicon"),
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:  # noqa: ARG002 - of the protocol
        """One lexicon comes with the program, and two are compared."""
        return None

    def run(self, given: Mapping[str, Any], tell: Tell) -> Found:
        """Compare every pair of lexicons."""
        collections.check_drawn(given)
        books = _books(given, tell)
        tell("comparing words")
        pairs = [_shared(*pair) for pair in combinations(books, 2)]
        ran = {one.name: f"{len(one):,} words, SHA-256 {one.digest}" for one in books}
        ran |= {f"vectors {path.name}": described(path) for path in given["vectors"] or ()}
        tables = [_of_words(pairs), *_of_books(books)]
        notes: list[str] = []
        if given["docs"]:
            told, further, notes = _of_lists(given, books, tell)
            ran |= told
            tables.append(further)
        figures = [_figure(at, one, given) for at, one in enumerate(pairs, 1) if one.words]
        return Found(ran=ran, tables=tables, figures=figures, limits=_LIMITS, notes=notes)


def _books(given: Mapping[str, Any], tell: Tell) -> "list[Lexicon]":
    """Two lexicons or more, no two of them the same. Raises InvalidInput."""
    from monitor import settings
    from monitor.lexicons.build import Order, build
    from monitor.lexicons.installed import installed
    from monitor.lexicons.vectors import open_vectors

    names = given["lexicons"] or installed(settings.load().home)
    books = [collections.lexicon(name) for name in names]
    for path in given["vectors"] or ():
        tell(f"making a lexicon of {path.name}")
        books.append(build(open_vectors(path), Order(path.stem), {}, lambda *_: None))
    if len(books) < _LEAST:
        raise InvalidInput(
            f"two lexicons are compared, and only {', '.join(names)} is there; name others with "
            "--lexicons, give --vectors FILE, or make one with: monitor lexicon build"
        )
    for first, second in combinations(books, 2):
        if first.digest == second.digest or first.name == second.name:
            raise InvalidInput(
                f"lexicons {first.name!r} and {second.name!r} are the same or have one name; two "
                "different ones are compared"
            )
    return books


def _shared(first: "Lexicon", second: "Lexicon") -> Shared:
    import numpy as np

    words = first.words.body.decode("utf-8").split("\n")
    scores = second.scores(words)
    known = np.isfinite(scores)
    kept = [word for word, one in zip(words, known.tolist(), strict=True) if one]
    return Shared(first, second, kept, first.values[known], scores[known])


def _of_words(pairs: Sequence[Shared]) -> Table:
    return Table(
        "agreement",
        "Agreement on words",
        ("lexicon", "and", "words of both", "Pearson's r", "Spearman's rho"),
        tuple(one.row() for one in pairs),
        "Over all words that both have, rare ones included, whose vectors are the least sure.",
    )


def _of_books(books: "Sequence[Lexicon]") -> list[Table]:
    """The permutation tests and the scale of each lexicon."""
    from monitor.lexicons.permutation import published, run
    from monitor.ranked.genderedness_toy import toy_slope

    return [
        Table(
            "tests",
            "Permutation tests of Tables A.4 to A.7 in each lexicon",
            ("test and word list", "lexicon", "words dropped", "difference", "p", "paper"),
            tuple(_tested(run(test, book)) for test in published() for book in books),
            "The paper prints 0.0 for A.7, which no such test can give; it is left out.",
        ),
        Table(
            "scales",
            "The scale of each lexicon",
            ("lexicon", "lowest", "highest", "slope of toy 1, system S"),
            tuple((book.name, book.low, book.high, toy_slope(book)) for book in books),
            "Slopes of two lexicons can be compared only after each is divided by its own scale.",
        ),
    ]  # fmt: skip


def _tested(one: "Tested") -> tuple[Cell, ...]:
    split = one.split
    found = (split.difference, split.p) if split else (None, None)
    return (one.test.label, one.lexicon, len(one.dropped), *found, one.test.printed_p or None)


def _of_lists(
    given: Mapping[str, Any], books: "Sequence[Lexicon]", tell: Tell
) -> tuple[Mapping[str, str], Table, list[str]]:
    """How far lexicons agree on the lists of our rankers by words."""
    from monitor.measures.lexicon_agreement import LexiconAgreement
    from monitor.rankers.choose import NUMBERS, ranker

    tell("ranking the collection")
    with TemporaryDirectory() as folder:
        read = collections.opened(given, Path(folder) / "index")
        runs = {
            name: collections.ranked(
                read.index, ranker(name, {}, None), read.topics, given["depth"]
            )
            for name in NUMBERS
        }
    rows: list[tuple[Cell, ...]] = []
    notes = list(read.notes)
    for first, second in combinations(books, 2):
        for name, run in runs.items():
            found = LexiconAgreement(floor=given["floor"]).score(
                run, read.texts, queries=read.topics, lexicon=(first, second)
            )
            rows.append((first.name, second.name, name, found.used, found.value, found.low,
                         found.high))  # fmt: skip
            if found.value is None:
                notes.append(f"{name}: no agreement, because {found.reason}.")
    table = Table(
        "lists",
        "Agreement on lists",
        ("lexicon", "and", "system", "queries", "Pearson's r", "low", "high"),
        tuple(rows),
        "Over queries, of the genderedness of their lists. Intervals at 95 %.",
    )
    return read.ran, table, notes


def _figure(at: int, one: Shared, given: Mapping[str, Any]) -> Figure:
    """Some of the shared words, drawn at random."""
    import numpy as np

    from monitor.stages import _charts
    from monitor.studies import _fabris_charts as charts

    rng = np.random.default_rng(given["seed"])
    n = min(given["words"], len(one.words))
    places = np.sort(rng.choice(len(one.words), n, replace=False))
    points = list(zip(one.x[places].tolist(), one.y[places].tolist(), strict=True))
    first, second = _charts.label(one.first.name), _charts.label(one.second.name)
    title, name = f"Words by {first} and {second}", f"words-{at}"
    axes = (f"genderedness by {first}", f"genderedness by {second}")
    drawing = charts.scatter({"words": points}, {}, name, title, axes)
    note = f"{n:,} of {len(one.words):,} shared words, drawn with the seed {given['seed']}."
    return Figure(name, title, drawing, note=note)


STUDY = Lexicons()
