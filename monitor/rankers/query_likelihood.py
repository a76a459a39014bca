"""Query likelihood with a Dirichlet prior: how probable the question is as words of a document.

score(q, d) = sum over the words t of q: n_q(t) * ln((f + mu * p(t)) / (|d| + mu)), with f = times
of t in d, p(t) = share of t among all tokens of the collection. Words that the collection lacks
are left out, because every document would get minus infinity; documents without any word of the
question are not listed. A score is at most 0.

Zhai, C., Lafferty, J. (2004). A study of smoothing methods for language models applied to
information retrieval. doi:10.1145/984321.984322.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.rankers.index import Index
from monitor.rankers.ranking import UNKNOWN, Ranked, Unranked, best, holding, known, summed


@dataclass(frozen=True, slots=True)
class QueryLikelihood:
    """The ranker."""

    mu: float = 2500.0
    name: str = "query_likelihood"
    version: int = 1

    def rank(self, index: Index, query: Sequence[str], depth: int) -> Ranked | Unranked:
        """Documents with at least one word of the question."""
        words = known(index, query)
        if not words:
            return UNKNOWN
        prior = {
            word: self.mu * float(index.frequencies[word]) / index.meta.tokens for word, _ in words
        }
        # what a document gets for the words that it holds, above what it gets without them
        parts = (
            (documents, times * np.log1p(counts / prior[word]))
            for word, times, documents, counts in holding(index, words)
        )
        documents, scores = summed(index, parts)
        without = sum(times * float(np.log(prior[word])) for word, times in words)
        asked = sum(times for _, times in words)
        scores += without - asked * np.log(index.lengths[documents] + self.mu)
        return best(documents, scores, depth)
