"""Inputs of the studies after Fabris et al.: a collection, topics, judgements and word vectors.

Without topics they are made from the collection: the first words of a document ask for this
document. Such known items show how a study works and say nothing about a real collection.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monitor import __version__, settings, trec
from monitor.lexicons import installed
from monitor.lexicons.build import LexiconOrder, write_lexicon
from monitor.lexicons.direction import PAIRS, VectorChange, gender_specific
from monitor.lexicons.lexicon import Lexicon
from monitor.lexicons.ranker_vectors import StoredVectors, load_vectors
from monitor.lexicons.vectors import VectorBlock, VectorSource, open_vectors
from monitor.model import Floats, InvalidInput, MissingPart
from monitor.ranked.genderedness import query_genderedness
from monitor.rankers.build import build_index
from monitor.rankers.formulas import WITH_VECTORS, Ranked, Ranker
from monitor.rankers.index import Index
from monitor.studies._rankings_files import describe_path, read_collection
from monitor.studies.catalogue import Limit, Option
from monitor.text.counted_nouns import several
from monitor.text.tokens import words

PAPER = "Fabris, Purpura, Silvello and Susto (2020), Gender stereotype reinforcement"
#: The lexicon that comes with the program, and what its vectors are called.
BUILT_IN = "glove-6b-50d"
RELEVANCE = (
    "Relevance alone makes a slope positive (section 3.5): systems can be compared by it, and its "
    "level is no finding."
)
LICENSED = Limit(
    "the values printed for Robust04",
    "the collection and the word2vec vectors of Google News are licensed, and not here",
)

#: Words of a document that make a topic, and words that it has at least to give one.
_ASKED, _LEAST_WORDS = 8, 20
_DEEPEST, _MOST_WORDS = 1000, 5000

OPTIONS = (
    Option("docs", "The documents: a folder, JSONL, CSV, TSV or TREC files, or a .json file of "
           "{id: text}.", Path, required=True),
    Option("topics", "The topics: TREC, JSONL, or QID<tab>TEXT lines. Left out, they are made of "
           "the documents, which is no more than a demonstration.", Path),
    Option("qrels", "Relevance judgements: TOPIC 0 DOCUMENT GRADE lines.", Path),
    Option("lexicon", "The lexicon that genderedness is taken from.", default=BUILT_IN),
    Option("depth", "How many documents each list has at most.", int, default=100),
    Option("floor", "Fewest topics for a slope.", int, default=30),
)  # fmt: skip
DRAWN = (
    Option("words", "How many words are drawn for the figure.", int, default=200),
    Option("seed", "Seed of the words that are drawn.", int, default=0),
)

Run = Mapping[str, Sequence[str]]
AXES = ("genderedness g(q): men ← → women", "genderedness of its list")


@dataclass(frozen=True, slots=True)
class FabrisCollection:
    """Texts by document, words by topic, grades by topic and document."""

    texts: Mapping[str, str]
    topics: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]] | None
    index: Index
    ran: Mapping[str, str]
    notes: Sequence[str]


def open_collection(given: Mapping[str, Any], folder: Path) -> FabrisCollection:
    """Read everything and index the documents into a folder. Raises InvalidInput."""
    _check_options(given)
    entries = list(read_collection(given["docs"]))
    texts = {entry.key: f"{entry.title}\n{entry.text}".strip() for entry in entries}
    build_index(entries, folder, lambda _: None, version=__version__)
    ran = {"documents": f"{several(len(texts), 'document')}; {describe_path(given['docs'])}"}
    notes = []
    if given["topics"]:
        topics = trec.read_topics(given["topics"])
        ran["topics"] = f"{several(len(topics), 'topic')}; {describe_path(given['topics'])}"
        qrels = trec.read_qrels(given["qrels"]) if given["qrels"] else None
        if given["qrels"]:
            ran["judgements"] = describe_path(given["qrels"])
    else:
        topics = _known_items(texts)
        qrels = {key: {key: 1} for key in topics}
        topics_note = (
            f"{several(len(topics), 'topic')}, each the first {_ASKED} words of a document"
        )
        ran["topics"] = f"{topics_note}, which alone is relevant"
        notes.append(
            "A demonstration and no reproduction: the topics are made of the documents that they "
            "ask for."
        )
    if not topics:
        raise InvalidInput(f"{given['topics'] or given['docs']}: holds no topic; give --topics")
    return FabrisCollection(texts, topics, qrels, Index(folder), ran, notes)


def _check_options(given: Mapping[str, Any]) -> None:
    if given["qrels"] and not given["topics"]:
        raise InvalidInput(f"--qrels {given['qrels']}: give --topics too; judgements are of topics")
    if not 1 <= given["depth"] <= _DEEPEST:
        raise InvalidInput(f"--depth {given['depth']}: give a number from 1 to {_DEEPEST:,}")


def check_drawn(given: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a number of words or a seed that cannot be used."""
    if not 1 <= given["words"] <= _MOST_WORDS:
        raise InvalidInput(f"--words {given['words']}: give a number from 1 to {_MOST_WORDS:,}")
    if given["seed"] < 0:
        raise InvalidInput(f"--seed {given['seed']}: give a whole number from 0 on")


def _known_items(texts: Mapping[str, str]) -> dict[str, str]:
    """The first words of every document that has enough of them."""
    read = {key: words(text) for key, text in texts.items()}
    return {key: " ".join(w[:_ASKED]) for key, w in read.items() if len(w) >= _LEAST_WORDS}


def rank_topics(index: Index, ranker: Ranker, topics: Mapping[str, str], depth: int) -> Run:
    """The list of every topic that the ranker has one for, best first."""
    lists = {}
    for key, text in topics.items():
        answer = ranker.rank(index, index.query(text), depth)
        if isinstance(answer, Ranked):
            lists[key] = [index.key(number) for number in answer.documents.tolist()]
    if not lists:
        raise InvalidInput(
            f"ranker {ranker.name}: finds nothing for any of {several(len(topics), 'topic')}; "
            "topics and documents share no word that it knows"
        )
    return lists


def vector_ranker(name: str) -> Callable[[StoredVectors], Ranker]:
    """Return a function that makes the ranker of this name. Raises InvalidInput."""
    if name not in WITH_VECTORS:
        raise InvalidInput(
            f"--ranker {name}: ranks by no vectors; known: {', '.join(WITH_VECTORS)}"
        )
    return WITH_VECTORS[name]


def open_lexicon(name: str) -> Lexicon:
    """The installed lexicon of this name. Raises InvalidInput."""
    return installed.find(name, settings.load().home)


def gendered_queries(queries: Mapping[str, str], lexicon: Lexicon) -> dict[str, float]:
    """The genderedness of the queries that have one."""
    values = query_genderedness(list(queries.values()), lexicon).tolist()
    return {
        query: value for query, value in zip(queries, values, strict=True) if not math.isnan(value)
    }


def sign_of(value: float | None) -> float | None:
    """-1, 0 or 1; None of no value."""
    return None if value is None else float((value > 0) - (value < 0))


def has_builtin_vectors() -> bool:
    """Return whether the vectors of the built-in lexicon are installed."""
    try:
        open_vectors(BUILT_IN)
    except MissingPart:
        return False
    return True


def line_ends(
    points: Iterable[tuple[float, float]], slope: float, intercept: float
) -> tuple[float, float, float, float]:
    """A fitted line from the least to the greatest x of its points."""
    along = [x for x, _ in points]
    low, high = min(along), max(along)
    return low, intercept + slope * low, high, intercept + slope * high


@dataclass(frozen=True, slots=True)
class SelectedVectors:
    """A file of vectors of which only some words are taken; the pairs must be among them."""

    source: VectorSource
    words: frozenset[str]

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def format(self) -> str:
        return self.source.format

    @property
    def dimensions(self) -> int:
        return self.source.dimensions

    @property
    def declared(self) -> int | None:
        return self.source.declared

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each file."""
        return self.source.hashes()

    def blocks(self) -> Iterator[VectorBlock]:
        """The rows of the words that are taken."""
        for block in self.source.blocks():
            places = [row for row, word in enumerate(block.words) if word in self.words]
            if places:
                yield VectorBlock([block.words[row] for row in places], block.rows[places])


@dataclass(frozen=True, slots=True)
class ChangedVectors:
    """The same words under every change, and the direction that was taken out of them."""

    vectors: Mapping[VectorChange, StoredVectors]
    direction: Floats

    def left(self, change: VectorChange) -> float:
        """The furthest that any vector still lies along the direction."""
        rows = self.vectors[change].matrix.astype(np.float64)
        return float(np.abs(rows @ self.direction).max())


def write_changed_vectors(
    source: VectorSource, read: FabrisCollection, folder: Path
) -> ChangedVectors:
    """The vectors of the words of documents and topics under every change, written into a folder.

    The direction is that of the whole file: it rests on the words of the pairs alone. Raises
    InvalidInput for vectors without the pairs.
    """
    asked = {word for text in read.topics.values() for word in read.index.query(text)}
    pairs = {word for pair in PAIRS for word in pair}
    taken = frozenset({*read.index.words.all(), *asked, *pairs, *gender_specific(PAIRS)})
    paths = {change: folder / f"{change}.vectors" for change in VectorChange}
    order = LexiconOrder("study", changes=tuple(paths))
    with write_lexicon(SelectedVectors(source, taken), order, paths, lambda *_: None) as lexicon:
        listed = lexicon.meta["direction"]
    direction = np.array(listed, np.float64)
    return ChangedVectors({change: load_vectors(path) for change, path in paths.items()}, direction)
