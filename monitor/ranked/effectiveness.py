"""Ranked lists and relevance judgements in, the usual numbers of effectiveness out.

As trec_eval and ir_measures compute them: the order of a list is as given, documents without a
judgement are not relevant, relevant documents that were not found count in the denominators of
average precision and nDCG.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from monitor.model import Floats, Ints
from monitor.ranked.lists import Lists, rank_discounts

Gain: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLists:
    """Lists with the grade of every document.

    `grades` (L, K) are 0 where a document was not judged and behind the end of a list; `judged`
    (L,) is the number of documents with a judgement. `pool` (L, M) are all positive grades of each
    query, best first and then 0.
    """

    grades: Ints
    judged: Ints
    pool: Ints

    def relevant(self, rel: int) -> Ints:
        """(L,) number of documents of the collection with a grade of at least `rel`."""
        return np.asarray((self.pool >= rel).sum(axis=1), np.int64)

    def cut(self, cutoff: int | None) -> "JudgedLists":
        """The first ranks alone; the pool stays."""
        return replace(self, grades=self.grades[:, :cutoff])


def judged(
    lists: Lists, judgements: Mapping[str, Mapping[str, int]], addresses: Mapping[str, str]
) -> JudgedLists:
    """The lists with their judgements by query and document."""
    grades = np.zeros(lists.table.shape, np.int64)
    counted = np.zeros(len(lists.queries), np.int64)
    names = [addresses.get(address, address) for address in lists.documents]
    pools = []
    for row, query in enumerate(lists.queries):
        judged_documents = judgements.get(query, {})
        pools.append(
            sorted((grade for grade in judged_documents.values() if grade > 0), reverse=True)
        )
        for rank, number in enumerate(lists.table[row].tolist()):
            grade = judged_documents.get(names[number]) if number >= 0 else None
            if grade is not None:
                grades[row, rank] = grade
                counted[row] += 1
    pool = np.zeros((len(pools), max(map(len, pools), default=0)), np.int64)
    for row, grades_of_row in enumerate(pools):
        pool[row, : len(grades_of_row)] = grades_of_row
    return JudgedLists(grades, counted, pool)


def average_precision(found: JudgedLists, rel: int) -> Floats:
    """(L,) sum of the precisions at the ranks of relevant documents, over all relevant ones.

    In [0, 1]; NaN for a query without a relevant document.
    """
    hits = found.grades >= rel
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return _safe_ratio((precision * hits).sum(axis=1), found.relevant(rel))


def precision_at(found: JudgedLists, rel: int, cutoff: int) -> Floats:
    """(L,) relevant documents among the first `cutoff`, over `cutoff` whatever the length."""
    return np.asarray((found.grades[:, :cutoff] >= rel).sum(axis=1) / cutoff, np.float64)


def reciprocal_rank(found: JudgedLists, rel: int) -> Floats:
    """(L,) one over the rank of the first relevant document, 0 where there is none."""
    hits = found.grades >= rel
    if not hits.shape[1]:
        return np.zeros(len(hits))
    return np.where(hits.any(axis=1), 1.0 / (hits.argmax(axis=1) + 1), 0.0)


def ndcg(found: JudgedLists, cutoff: int, gain: Gain) -> Floats:
    """(L,) discounted gain of the first ranks over that of the best order of all judged documents.

    Järvelin, K., Kekäläinen, J. (2002), with the discount 1/log2(r + 1). In [0, 1]; NaN for a query
    without a positive grade. Negative grades gain nothing.
    """
    graded = np.maximum(found.grades[:, :cutoff], 0)
    return _safe_ratio(_gain_of(graded, gain), _gain_of(found.pool[:, :cutoff], gain))


def linear_gain(grades: Floats) -> Floats:
    """The grade itself, as trec_eval takes it."""
    return grades


def exponential_gain(grades: Floats) -> Floats:
    """2^grade - 1: a document of the best grade outweighs many of the next one.

    Burges, C., et al. (2005). Learning to rank using gradient descent. ICML 2005.
    """
    return np.asarray(np.exp2(grades) - 1.0, np.float64)


def _gain_of(grades: Ints, gain: Gain) -> Floats:
    return np.asarray(gain(grades.astype(np.float64)) @ rank_discounts(grades.shape[1]), np.float64)


def _safe_ratio(part: Floats, whole: Floats | Ints) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan), np.float64)
