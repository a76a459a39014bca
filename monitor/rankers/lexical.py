"""Rankers by words: BM25, tf-idf with cosine, query likelihood with a Dirichlet prior.

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
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats
from monitor.rankers.index import Index
from monitor.rankers.ranking import (
    UNKNOWN,
    Ranked,
    Unranked,
    best_documents,
    find_postings,
    known_words,
    sum_parts,
)


@dataclass(frozen=True, slots=True)
class Bm25:
    """Ranker by BM25."""

    k1: float = 1.2
    b: float = 0.75
    name: str = "bm25"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question."""
        words = known_words(index, query)
        if not words:
            return UNKNOWN
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
class TfIdf:
    """Ranker by tf-idf with cosine. The lengths of documents are computed once for an index."""

    name: str = "tf_idf"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question that not all documents have."""
        words = known_words(index, query)
        if not words:
            return UNKNOWN
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
class QueryLikelihood:
    """Ranker by query likelihood."""

    mu: float = 2500.0
    name: str = "query_likelihood"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question."""
        words = known_words(index, query)
        if not words:
            return UNKNOWN
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
