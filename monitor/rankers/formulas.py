"""Formulas of rankers, by words and by vectors; `make_ranker` makes one from its name.

Documents of the same score stand in the order of their ids, everywhere and always. A question
without any word that says something has no list, because any order of documents would be invented.

BM25: score(q, d) = sum over the words t of q:
n_q(t) * idf(t) * f / (f + k1 * (1 - b + b * |d| / avgdl)),
idf(t) = ln(1 + (N - n(t) + 1/2) / (n(t) + 1/2)), with f = times of t in d, N documents of which
n(t) hold t, avgdl = mean length, empty documents included. It is the formula of Lucene with exact
lengths and without its constant factor (k1 + 1); a score is above 0 and has no upper limit.
Robertson, S., Zaragoza, H. (2009). The Probabilistic Relevance Framework: BM25 and Beyond.
doi:10.1561/1500000019. Kamphuis, C. et al. (2020). Which BM25 Do You Mean?
doi:10.1007/978-3-030-45442-5_4.

tf-idf (SMART's ltc.ltc): a word weighs (1 + ln f) * ln(N / n(t)) in a text that has it f times;
both vectors have length 1. The score is in (0, 1]. A word of every document weighs nothing: a
question of such words alone has no list, and a document in which no word of the question weighs
anything is not listed. Salton, G., Buckley, C. (1988). Term-weighting approaches in automatic text
retrieval. doi:10.1016/0306-4573(88)90021-0.

Query likelihood: score(q, d) = sum over the words t of q:
n_q(t) * ln((f + mu * p(t)) / (|d| + mu)), with p(t) = share of t among all tokens of the
collection. Words that the collection lacks are left out, because every document would get minus
infinity; documents without any word of the question are not listed. A score is at most 0.
Zhai, C., Lafferty, J. (2004). A study of smoothing methods for language models applied to
information retrieval. doi:10.1145/984321.984322.

Vectors: the cosine between the mean vectors of a question and of a document. `w2v_add` weighs all
words equally; in `w2v_si` a word weighs as much as it surprises in the collection.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from monitor.lexicons.ranker_vectors import StoredVectors
from monitor.model import Floats, Ints, InvalidInput, digest
from monitor.rankers.choice import NAMES, NUMBERS, VECTOR_NAMES
from monitor.rankers.index import Index, split_blocks

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

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """The best `depth` documents for the tokens of a question, fewer where fewer fit."""


#: (number of a word of the index, how often the question has it), in the order of words.
Words = Sequence[tuple[int, int]]


class WordRanker(ABC):
    """Base of rankers by the words that a question and a document share."""

    __slots__ = ()

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Rank by the words of the question that the collection has."""
        numbers = ((index.words.number(word), times) for word, times in Counter(query).items())
        if words := sorted((number, times) for number, times in numbers if number >= 0):
            return self._rank_words(index, words, depth)
        return Unranked("no word of the question stands in the collection")

    @abstractmethod
    def _rank_words(self, index: Index, words: Words, depth: int) -> Ranked | Unranked: ...


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
    index: Index, words: Words
) -> Iterator[tuple[int, int, NDArray[np.int32], Floats]]:
    """(word, times in the question, documents that hold it, how often each does)."""
    for word, times in words:
        documents, counts = index.postings(word)
        yield word, times, documents, counts.astype(np.float64)


@dataclass(frozen=True, slots=True)
class Bm25(WordRanker):
    """Ranker by BM25."""

    k1: float = 1.2
    b: float = 0.75
    name: str = "bm25"
    version: int = 1

    def _rank_words(self, index: Index, words: Words, depth: int) -> Ranked:
        """Documents with at least one word of the question."""
        long = self.k1 * self.b / index.average_length
        parts = (
            (
                documents,
                times
                * self._rarity(index, word)
                * counts
                / (counts + self.k1 * (1 - self.b) + long * index.lengths[documents]),
            )
            for word, times, documents, counts in find_postings(index, words)
        )
        return best_documents(*sum_parts(index, parts), depth)

    @staticmethod
    def _rarity(index: Index, word: int) -> float:
        holders = index.holders(word)
        return math.log(1 + (index.documents - holders + 0.5) / (holders + 0.5))


#: Postings that are weighed at a time.
_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class TfIdf(WordRanker):
    """Ranker by tf-idf with cosine. The lengths of documents are computed once for an index."""

    name: str = "tf_idf"
    version: int = 1

    def _rank_words(self, index: Index, words: Words, depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question that not all documents have."""
        rarity = {word: math.log(index.documents / index.holders(word)) for word, _ in words}
        weighty = [(word, times) for word, times in words if rarity[word] > 0]
        if not weighty:
            return Unranked("every word of the question stands in all documents")
        query_weights = {word: (1 + math.log(times)) * rarity[word] for word, times in weighty}
        length = math.hypot(*query_weights.values())
        lengths = index.derived(f"{self.name}-{self.version}", lambda: _document_lengths(index))
        parts = (
            (documents, query_weights[word] / length * (1 + np.log(counts)) * rarity[word])
            for word, _, documents, counts in find_postings(index, weighty)
        )
        documents, scores = sum_parts(index, parts)
        return best_documents(documents, scores / lengths[documents], depth)


def _document_lengths(index: Index) -> Floats:
    """Euclidean length of each document's vector; 0 where no word weighs anything."""
    holders = np.diff(index.bounds)
    rarity = np.log(index.documents / holders)
    squares = np.zeros(index.documents)
    for start in range(0, len(index.posting_counts), _BLOCK):
        end = min(start + _BLOCK, len(index.posting_counts))
        places = np.arange(start, end)
        words = np.searchsorted(index.bounds, places, side="right") - 1
        weights = (1 + np.log(index.posting_counts[start:end])) * rarity[words]
        squares += np.bincount(
            index.posting_documents[start:end], weights**2, minlength=index.documents
        )
    return np.asarray(np.sqrt(squares))


@dataclass(frozen=True, slots=True)
class QueryLikelihood(WordRanker):
    """Ranker by query likelihood."""

    mu: float = 2500.0
    name: str = "query_likelihood"
    version: int = 1

    def _rank_words(self, index: Index, words: Words, depth: int) -> Ranked:
        """Documents with at least one word of the question."""
        prior = {
            word: self.mu * float(index.frequencies[word]) / index.meta.tokens for word, _ in words
        }
        # what a document gets for the words that it holds, above what it gets without them
        parts = (
            (documents, times * np.log1p(counts / prior[word]))
            for word, times, documents, counts in find_postings(index, words)
        )
        documents, scores = sum_parts(index, parts)
        without = sum(times * float(np.log(prior[word])) for word, times in words)
        query_length = sum(times for _, times in words)
        scores += without - query_length * np.log(index.lengths[documents] + self.mu)
        return best_documents(documents, scores, depth)


#: Numbers of vectors that are gathered at a time: 64 MB of float64.
_GATHERED = 2**23
_NO_VECTOR = Unranked("no word of the question has a vector")
_NO_MEAN = Unranked("the vectors of the question's words cancel out, or none of them weighs")
_NO_DOCUMENT = Unranked("no document has a word with a vector")


#: A weight for each word of an index.
Weighting = Callable[[Index], Floats]


@dataclass(frozen=True, slots=True)
class MeanVectorRanker:
    """A ranker by the cosine of means. `weights` says what each word of the index counts.

    `own_words`: a word of the question that the collection lacks counts 1; otherwise it is left
    out.
    """

    vectors: StoredVectors
    name: str
    weights: Weighting
    own_words: bool
    version: int = 1
    #: Means by index, and which documents have one, so that a file is opened once.
    _open: dict[tuple[str, str], tuple[NDArray[Any], Ints]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Every document with a word that has a vector, whether or not it shares a word."""
        question_vector = self._question(index, query)
        if isinstance(question_vector, Unranked):
            return question_vector
        means, usable = self.prepare(index)
        cosines = np.concatenate(
            [
                means[start : start + _GATHERED // means.shape[1]].astype(np.float64)
                @ question_vector
                for start in range(0, len(means), _GATHERED // means.shape[1])
            ]
        )
        if not len(usable):
            return _NO_DOCUMENT
        return best_documents(usable, np.clip(cosines[usable], -1.0, 1.0), depth)

    def _question(self, index: Index, query: Sequence[str]) -> Floats | Unranked:
        """The mean of the question's words with length 1."""
        counted = Counter(query)
        words = sorted(counted)
        rows = self.vectors.rows(words)
        if not (rows >= 0).any():
            return _NO_VECTOR
        numbers = np.array([index.words.number(word) for word in words])
        of_index = self.weights(index)
        weight = 1.0 if self.own_words else 0.0
        inside = of_index[np.maximum(numbers, 0)] if len(of_index) else np.zeros(len(words))
        weights = np.where(numbers >= 0, inside, weight) * [counted[word] for word in words]
        weights[rows < 0] = 0.0
        total = weights @ self.vectors.matrix[np.maximum(rows, 0)].astype(np.float64)
        length = np.linalg.norm(total)
        return _NO_MEAN if length == 0 else np.asarray(total / length)

    def prepare(self, index: Index) -> tuple[NDArray[Any], Ints]:
        """(means, documents that have one), computed at the first call for an index."""
        index_key = (str(index.folder), index.meta.digest)
        if index_key not in self._open:
            expected_digest = digest([index.meta.digest, self.vectors.digest, self.version])[:24]
            means = index.derived(f"{self.name}-{expected_digest}", lambda: self._means(index))
            self._open[index_key] = means, np.flatnonzero(means.any(axis=1))
        return self._open[index_key]

    def _means(self, index: Index) -> NDArray[np.float32]:
        """(documents, dimensions) means with length 1; zeros without any word with a vector."""
        rows = self.vectors.rows(index.words.all())
        weights = np.where(rows >= 0, self.weights(index), 0.0)
        rows = np.maximum(rows, 0)
        numbers, bounds, words, counts = index.forward()
        size = self.vectors.matrix.shape[1]
        means = np.zeros((index.documents, size), np.float32)
        for block in split_blocks(bounds, max(1, _GATHERED // size)):
            inside = slice(block.start, block.end)
            word_numbers = words[inside]
            # float64 before anything is added up
            scaled = self.vectors.matrix[rows[word_numbers]].astype(np.float64)
            scaled *= (weights[word_numbers] * counts[inside])[:, None]
            starts = bounds[block.first : block.last] - block.start
            filled = np.diff(bounds[block.first : block.last + 1]) > 0
            if not filled.any():
                continue
            sums = np.add.reduceat(scaled, starts[filled], axis=0)
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            np.divide(sums, lengths, out=sums, where=lengths > 0)
            means[numbers[block.first : block.last][filled]] = sums
        return means


def w2v_add(vectors: StoredVectors) -> MeanVectorRanker:
    """The ranker with these vectors in which all words weigh equally."""
    return MeanVectorRanker(
        vectors, "w2v_add", lambda index: np.ones(len(index.words)), own_words=True
    )


def w2v_si(vectors: StoredVectors) -> MeanVectorRanker:
    """The ranker with these vectors in which words weigh what they surprise."""

    def weights(index: Index) -> Floats:
        return np.asarray(-np.log(index.frequencies / max(index.meta.tokens, 1)))

    return MeanVectorRanker(vectors, "w2v_si", weights, own_words=False)


WITH_VECTORS = dict(zip(VECTOR_NAMES, (w2v_add, w2v_si), strict=True))
_BY_WORDS: Mapping[str, Callable[..., Ranker]] = {
    "bm25": Bm25,
    "query_likelihood": QueryLikelihood,
    "tf_idf": TfIdf,
}


def make_ranker(name: str, numbers: Mapping[str, str], vectors: StoredVectors | None) -> Ranker:
    """The ranker of this name; `numbers` has those that it takes, and others are not looked at."""
    if name in WITH_VECTORS:
        if vectors is None:
            raise InvalidInput(f"{name} needs vectors")
        return WITH_VECTORS[name](vectors)
    if name not in NUMBERS:
        raise InvalidInput(f"unknown ranker {name!r}; known: {', '.join(NAMES)}")
    parameters = {key: float(numbers[key]) for key in NUMBERS[name] if key in numbers}
    return _BY_WORDS[name](**parameters)
