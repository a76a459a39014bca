"""Rankers by vectors: the cosine between the mean vectors of a question and of a document.

`w2v_add` weighs all words equally; in `w2v_si` a word weighs as much as it surprises in the
collection.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints, digest
from monitor.rankers.index import Index, split_blocks
from monitor.rankers.ranking import Ranked, Unranked, best_documents

#: Numbers of vectors that are gathered at a time: 64 MB of float64.
_GATHERED = 2**23
_NO_VECTOR = Unranked("no word of the question has a vector")
_NO_MEAN = Unranked("the vectors of the question's words cancel out, or none of them weighs")
_NO_DOCUMENT = Unranked("no document has a word with a vector")


class RankerVectors(Protocol):
    """Word vectors, mapped into memory."""

    @property
    def name(self) -> str: ...
    @property
    def digest(self) -> str:
        """SHA-256 of words and vectors."""
        ...

    @property
    def matrix(self) -> NDArray[np.float32]:
        """(words, dimensions)."""
        ...

    def rows(self, words: Sequence[str]) -> Ints:
        """The row of each word, -1 for one without a vector."""
        ...


#: A weight for each word of an index.
Weighting = Callable[[Index], Floats]


@dataclass(frozen=True, slots=True)
class MeanVectorRanker:
    """A ranker by the cosine of means. `weights` says what each word of the index counts.

    `own_words`: a word of the question that the collection lacks counts 1; otherwise it is left
    out.
    """

    vectors: RankerVectors
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


def _equal_weights(index: Index) -> Floats:
    return np.ones(len(index.words))


def w2v_add(vectors: RankerVectors) -> MeanVectorRanker:
    """The ranker with these vectors."""
    return MeanVectorRanker(vectors, "w2v_add", _equal_weights, own_words=True)


def _surprise_weights(index: Index) -> Floats:
    return np.asarray(-np.log(index.frequencies / max(index.meta.tokens, 1)))


def w2v_si(vectors: RankerVectors) -> MeanVectorRanker:
    """The ranker with these vectors."""
    return MeanVectorRanker(vectors, "w2v_si", _surprise_weights, own_words=False)
