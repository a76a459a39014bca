"""Compare lexicons: the same words, tests and ranked lists by each.

Each set of word vectors gives other values. A result that one lexicon alone gives is a result about
this lexicon. With `--texts` another lexicon is learned from texts, by PPMI and SVD.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from monitor import settings
from monitor.corpus.encoding import EncodedCorpus, encode_documents
from monitor.corpus.factors import reduce_dimensions
from monitor.corpus.pmi import Pmi
from monitor.lexicons.build import LexiconOrder, build_lexicon
from monitor.lexicons.installed import installed_lexicons
from monitor.lexicons.lexicon import Lexicon
from monitor.lexicons.permutation import PermutationResult, published_tests, run_test
from monitor.lexicons.vectors import Rows, VectorBlock, open_vectors
from monitor.measures.gsr.lexicon_agreement import LexiconAgreement
from monitor.model import Floats, InvalidInput
from monitor.ranked.genderedness import toy_slope
from monitor.rankers.choice import NUMBERS
from monitor.rankers.formulas import make_ranker
from monitor.stages.derive.corpus_bias import count_words
from monitor.stages.document import charts as _charts
from monitor.stats.correlation import pearson, spearman
from monitor.studies import _corpus_texts as given_texts
from monitor.studies import _fabris_collection as collections
from monitor.studies import _study_charts as charts
from monitor.studies._rankings_files import describe_path
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_printed,
)
from monitor.text.counted_nouns import several

NAME = "learned"
_WINDOW = 5
_OF_TEXTS = {option.name: option for option in given_texts.OPTIONS}
OPTIONS = (
    _OF_TEXTS["texts"],
    _OF_TEXTS["min-count"],
    _OF_TEXTS["tokens"],
    Option("dimensions", "--texts: of the vectors that are learned. SVD takes minutes from 100 on.",
           int, default=50),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The vectors of a corpus, as a source that lexicons are made of."""

    corpus: EncodedCorpus
    words: list[str]
    rows: Rows
    name: str = NAME
    format: str = "ppmi-svd"
    declared: int | None = None

    @property
    def dimensions(self) -> int:
        return int(self.rows.shape[1])

    def hashes(self) -> dict[str, str]:
        """Return the digest of the corpus."""
        return {"corpus": self.corpus.digest}

    def blocks(self) -> Iterator[VectorBlock]:
        """All words at once."""
        yield VectorBlock(self.words, self.rows)


def learn_lexicon(given: Mapping[str, Any], tell: ReportStep) -> tuple[Lexicon, dict[str, str]]:
    """Return the lexicon, and its sources. Raises InvalidInput, also for texts without pairs."""
    texts = given_texts.StudyTexts.of(given)
    tell("learning vectors of the texts")
    corpus = encode_documents(texts.documents(), texts.rules)
    vectors = reduce_dimensions(
        Pmi(count_words(corpus, _WINDOW)), given["dimensions"], seed=given["seed"]
    )
    source = Learned(corpus, list(vectors.words), vectors.left.astype(np.float32))
    ran = {
        "texts": texts.said,
        "vectors of the texts": f"{given_texts.describe_corpus(corpus)}; PPMI, window {_WINDOW}, "
        f"SVD in {source.dimensions} dimensions",
    }
    return build_lexicon(source, LexiconOrder(NAME), {}, lambda *_: None), ran


_LEAST = 2
#: Words of the articles that occur so often have vectors that say something, in seconds.
_OFTEN = 10
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

    first: Lexicon
    second: Lexicon
    words: Sequence[str]
    x: Floats
    y: Floats

    def row(self) -> tuple[Cell, ...]:
        """Return the agreement of both on words; None where scores are constant or too few."""
        r, rho = pearson(self.x, self.y), spearman(self.x, self.y)
        return (self.first.name, self.second.name, len(self.words), r, rho)

    def said(self) -> str:
        """The same as a sentence."""
        first, second, n, r, _ = self.row()
        how = "no correlation, too few or all the same" if r is None else f"r = {r:.2f}"
        return f"{first} and {second}, over the {n:,} words of both: {how}."


class Lexicons(Study):
    """Figure 11, and reliability across embeddings."""

    name = "lexicons"
    title = "Reliability of genderedness across word vectors"
    paper = f"{collections.PAPER}, Figure 11"
    question = (
        "Do two lexicons put the same words, the same lists and the same systems in the same order?"
    )
    example = "lexicons --vectors wiki-news-300d.vec"
    options = (
        Option("lexicons", "A lexicon to compare, by its name; left out, all that are installed. "
               "Give it once a lexicon.", several=True),
        Option("vectors", "A file of word vectors, of which a lexicon is made for this study "
               "alone. Give it once a file.", Path, several=True),
        *OPTIONS,
        *collections.DRAWN,
        *(
            replace(option, required=False)
            for option in collections.OPTIONS
            if option.name != "lexicon"
        ),
    )  # fmt: skip
    #: The lexicon that comes with the program, beside one of 106 articles of Wikipedia.
    reference = ReferenceInputs(
        {"texts": ("oracles/enwiki106.json.gz",)},
        {"lexicons": [collections.BUILT_IN], "tokens": "blanks", "min-count": _OFTEN},
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Compare every pair of lexicons."""
        collections.check_drawn(given)
        books, ran = _open_lexicons(given, tell)
        tell("comparing words")
        pairs = [_share_words(*pair) for pair in combinations(books, 2)]
        tested = [run_test(test, book) for test in published_tests() for book in books]
        slopes = {book.name: toy_slope(book) for book in books}
        tables = [_words_table(pairs), *_lexicon_tables(books, tested, slopes)]
        notes = [pair.said() for pair in pairs]
        if given["docs"]:
            list_sources, further, more = _lists_table(given, books, tell)
            notes += more
            ran |= list_sources
            tables.append(further)
        figures = [
            _draw_figure(number, pair, given) for number, pair in enumerate(pairs, 1) if pair.words
        ]
        checks = [
            *map(_check_sign, tested),
            *(_check_slope(*name_slope) for name_slope in slopes.items()),
        ]
        return StudyResult(ran, checks, tables, figures, _LIMITS, notes)


def _open_lexicons(
    given: Mapping[str, Any], tell: ReportStep
) -> tuple[list[Lexicon], dict[str, str]]:
    """Return two lexicons or more, no two of them the same, and what each was made of.

    A lexicon that is made here is told by its sources: its scores differ between processors in
    their last bits, and so does its digest. Raises InvalidInput.
    """
    names = given["lexicons"] or installed_lexicons(settings.load().home)
    books = [collections.open_lexicon(name) for name in names]
    files = {book.name: f", SHA-256 {book.digest}" for book in books}
    sources: dict[str, str] = {}
    for path in given["vectors"] or ():
        tell(f"making a lexicon of {path.name}")
        books.append(
            build_lexicon(open_vectors(path), LexiconOrder(path.stem), {}, lambda *_: None)
        )
        sources[f"vectors {path.name}"] = describe_path(path)
    if given["texts"]:
        book, learned = learn_lexicon(given, tell)
        books.append(book)
        sources |= learned
    ran = {book.name: f"{len(book):,} words{files.get(book.name, '')}" for book in books}
    if len(books) < _LEAST:
        raise InvalidInput(
            f"two lexicons are compared, and only {', '.join(names)} is there; name others with "
            "--lexicons, give --vectors FILE or --texts FILE, or make one: monitor lexicon build"
        )
    for first, second in combinations(books, 2):
        if first.digest == second.digest or first.name == second.name:
            raise InvalidInput(
                f"lexicons {first.name!r} and {second.name!r} are the same or have one name; two "
                "different ones are compared"
            )
    return books, ran | sources


def _check_sign(test_result: PermutationResult) -> StudyCheck:
    """The side that the paper finds: its sizes are of other vectors, its sides are the claim.

    A lexicon that lacks most words of a test says nothing of it.
    """
    lacking, known_count = len(test_result.dropped), len(test_result.low) + len(test_result.high)
    enough = test_result.split is not None and lacking <= known_count
    sign = (
        collections.sign_of(test_result.split.difference) if test_result.split and enough else None
    )
    measured = (
        f"difference {test_result.split.difference:.3f}, p {test_result.split.p:.2g}"
        if test_result.split
        else ""
    )
    without = f"without {lacking:,} of {several(lacking + known_count, 'word')}" if lacking else ""
    return check_printed(
        f"{test_result.lexicon}: sign of {test_result.test.label}",
        f"Table {test_result.test.table}",
        sign,
        1.0,
        0.0,
        "; ".join(part for part in (measured, without) if part),
    )


def _check_slope(lexicon: str, slope: float | None) -> StudyCheck:
    """That the system of stereotypes has the slope of one."""
    what = f"{lexicon}: sign of the slope of the stereotype"
    note = "" if slope is not None else "it lacks too many of the professions"
    return check_printed(what, "section 3.4, toy 1", collections.sign_of(slope), 1.0, 0.0, note)


def _share_words(first: Lexicon, second: Lexicon) -> Shared:
    words = first.words.body.decode("utf-8").split("\n")
    scores = second.scores(words)
    is_known = np.isfinite(scores)
    shared_words = [
        word for word, is_shared in zip(words, is_known.tolist(), strict=True) if is_shared
    ]
    return Shared(first, second, shared_words, first.values[is_known], scores[is_known])


def _words_table(pairs: Sequence[Shared]) -> Table:
    return Table(
        "agreement",
        "Agreement on words",
        ("lexicon", "and", "words of both", "Pearson's r", "Spearman's rho"),
        tuple(pair.row() for pair in pairs),
        "Over all words that both have, rare ones included, whose vectors are the least sure.",
    )


def _lexicon_tables(
    books: Sequence[Lexicon],
    tested: Sequence[PermutationResult],
    slopes: Mapping[str, float | None],
) -> list[Table]:
    """The permutation tests and the scale of each lexicon."""
    return [
        Table(
            "tests",
            "Permutation tests of Tables A.4 to A.7 in each lexicon",
            ("test and word list", "lexicon", "words dropped", "difference", "p", "paper"),
            tuple(map(_test_row, tested)),
            "The paper prints 0.0 for A.7, which no such test can give; it is left out.",
        ),
        Table(
            "scales",
            "The scale of each lexicon",
            ("lexicon", "lowest", "highest", "slope of toy 1, system S"),
            tuple((book.name, book.low, book.high, slopes[book.name]) for book in books),
            "Slopes of two lexicons can be compared only after each is divided by its own scale.",
        ),
    ]  # fmt: skip


def _test_row(test_result: PermutationResult) -> tuple[Cell, ...]:
    split = test_result.split
    numbers = (split.difference, split.p) if split else (None, None)
    return (
        test_result.test.label,
        test_result.lexicon,
        len(test_result.dropped),
        *numbers,
        test_result.test.printed_p or None,
    )


def _lists_table(
    given: Mapping[str, Any], books: Sequence[Lexicon], tell: ReportStep
) -> tuple[Mapping[str, str], Table, list[str]]:
    """Return the agreement of lexicons on the lists of the rankers by words."""
    tell("ranking the collection")
    with TemporaryDirectory() as folder:
        read = collections.open_collection(given, Path(folder) / "index")
        runs = {
            name: collections.rank_topics(
                read.index, make_ranker(name, {}, None), read.topics, given["depth"]
            )
            for name in NUMBERS
        }
    rows: list[tuple[Cell, ...]] = []
    notes = list(read.notes)
    for first, second in combinations(books, 2):
        for name, run in runs.items():
            agreement = LexiconAgreement(floor=given["floor"]).score(
                run, read.texts, queries=read.topics, lexicon=(first, second)
            )
            rows.append((first.name, second.name, name, agreement.used, agreement.value,
                         agreement.low, agreement.high))  # fmt: skip
            if agreement.value is None:
                notes.append(f"{name}: no agreement, because {agreement.reason}.")
    table = Table(
        "lists",
        "Agreement on lists",
        ("lexicon", "and", "system", "queries", "Pearson's r", "low", "high"),
        tuple(rows),
        "Over queries, of the genderedness of their lists. Intervals at 95 %.",
    )
    return read.ran, table, notes


def _draw_figure(number: int, pair: Shared, given: Mapping[str, Any]) -> Figure:
    """Some of the shared words, drawn at random."""
    rng = np.random.default_rng(given["seed"])
    n = min(given["words"], len(pair.words))
    places = np.sort(rng.choice(len(pair.words), n, replace=False))
    points = list(zip(pair.x[places].tolist(), pair.y[places].tolist(), strict=True))
    first, second = _charts.label(pair.first.name), _charts.label(pair.second.name)
    title, name = f"Words by {first} and {second}", f"words-{number}"
    axes = (f"genderedness by {first}", f"genderedness by {second}")
    drawing = charts.draw_system_points({"words": points}, {}, name, title, axes)
    note = f"{n:,} of {len(pair.words):,} shared words, drawn with the seed {given['seed']}."
    return Figure(name, title, drawing, note=note)


STUDY = Lexicons()
