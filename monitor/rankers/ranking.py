"""Base of rankers: the protocol, a list or why there is none, and the order of ties.

Documents of the same score stand in the order of their ids, everywhere and always. A question
without any word that says something has no list, because any order of documents would be invented.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints
from monitor.rankers.index import Index

#: Decimals of a score: what is equal stays equal whichever way a processor adds up.
_DIGITS = 9
#: Documents with the score that each gets for one word.
Part = tuple[NDArray[np.int32], Floats]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Numbers of documents, the best first, with their scores."""

    documents: Ints
    scores: Floats


@dataclass(frozen=True, slots=True)
class Unranked:
    """The reason why a question has no list."""

    reason: str


class Ranker(Protocol):
    """A formula that orders the documents of an index for a question."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int:
        """Goes up whenever its scores or its order can change."""
        ...

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """The best `depth` documents for the tokens of a question, fewer where fewer fit."""
        ...


def known_words(index: Index, query: Sequence[str]) -> list[tuple[int, int]]:
    """(number of a word of the index, how often the question has it), in the order of words."""
    numbers = ((index.words.number(word), times) for word, times in Counter(query).items())
    return sorted((number, times) for number, times in numbers if number >= 0)


UNKNOWN = Unranked("no word of the question stands in the collection")


def sum_parts(index: Index, parts: Iterable[Part]) -> tuple[Ints, Floats]:
    """(documents that any part has, the sum of what each gets)."""
    scores = np.zeros(index.documents)
    touched = np.zeros(index.documents, bool)
    for documents, values in parts:
        scores[documents] += values  # a word names each document once
        touched[documents] = True
    document_numbers = np.flatnonzero(touched)
    return document_numbers, scores[document_numbers]


def best_documents(documents: Ints, scores: Floats, depth: int) -> Ranked:
    """The first `depth` documents by score; equal ones by their number, which follows their id."""
    scores = np.round(scores, _DIGITS)
    if len(scores) > depth:
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        is_kept = scores >= least
        documents, scores = documents[is_kept], scores[is_kept]
    order = np.lexsort((documents, -scores))[:depth]
    return Ranked(documents[order], scores[order])


def find_postings(
    index: Index, words: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, NDArray[np.int32], Floats]]:
    """(word, times in the question, documents that hold it, how often each does)."""
    for word, times in words:
        documents, counts = index.postings(word)
        yield word, times, documents, counts.astype(np.float64)
