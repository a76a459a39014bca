"""tf-idf with cosine (SMART's ltc.ltc): the angle between the words of a question and a document.

A word weighs (1 + ln f) * ln(N / n(t)) in a text that has it f times, N documents of which n(t)
hold t; both vectors are brought to length 1. The score is in (0, 1]. A word that stands in every
document weighs nothing: a question of such words alone has no list, and a document in which no word
of the question weighs anything is not listed.

Salton, G., Buckley, C. (1988). Term-weighting approaches in automatic text retrieval.
doi:10.1016/0306-4573(88)90021-0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats
from monitor.rankers.index import Index
from monitor.rankers.ranking import UNKNOWN, Ranked, Unranked, best, holding, known, summed

#: Postings that are weighed at a time.
_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class TfIdf:
    """The ranker. The lengths of documents are computed once for an index."""

    name: str = "tf_idf"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question that not all documents have."""
        words = known(index, query)
        if not words:
            return UNKNOWN
        rarity = {word: math.log(index.documents / index.holders(word)) for word, _ in words}
        weighty = [(word, times) for word, times in words if rarity[word] > 0]
        if not weighty:
            return Unranked("every word of the question stands in all documents")
        asked = {word: (1 + math.log(times)) * rarity[word] for word, times in weighty}
        length = math.hypot(*asked.values())
        lengths = index.derived(f"{self.name}-{self.version}", lambda: _lengths(index))
        parts = (
            (documents, asked[word] / length * (1 + np.log(counts)) * rarity[word])
            for word, _, documents, counts in holding(index, weighty)
        )
        documents, scores = summed(index, parts)
        return best(documents, scores / lengths[documents], depth)


def _lengths(index: Index) -> Floats:
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
