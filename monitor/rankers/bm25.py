"""BM25: a word counts by its rarity, and more where it stands often in a short document.

score(q, d) = sum over the words t of q: n_q(t) * idf(t) * f / (f + k1 * (1 - b + b * |d| / avgdl)),
idf(t) = ln(1 + (N - n(t) + 1/2) / (n(t) + 1/2)), with f = times of t in d, N documents of which
n(t) hold t, avgdl = mean length, empty documents included. It is the formula of Lucene with exact
lengths and without its constant factor (k1 + 1); a score is above 0 and has no upper limit.

Robertson, S., Zaragoza, H. (2009). The Probabilistic Relevance Framework: BM25 and Beyond.
doi:10.1561/1500000019. Kamphuis, C. et al. (2020). Which BM25 Do You Mean?
doi:10.1007/978-3-030-45442-5_4.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.rankers.index import Index
from monitor.rankers.ranking import UNKNOWN, Ranked, Unranked, best, holding, known, summed


@dataclass(frozen=True, slots=True)
class Bm25:
    """The ranker."""

    k1: float = 1.2
    b: float = 0.75
    name: str = "bm25"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question."""
        words = known(index, query)
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
            for word, times, documents, counts in holding(index, words)
        )
        return best(*summed(index, parts), depth)

    @staticmethod
    def _rarity(index: Index, word: int) -> float:
        holders = index.holders(word)
        return math.log(1 + (index.documents - holders + 0.5) / (holders + 0.5))
