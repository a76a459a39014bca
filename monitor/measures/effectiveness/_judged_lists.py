"""Base of AP, P, nDCG and RR: lists and relevance judgements in, one number per list out.

As trec_eval and ir_measures compute them: the order of a list is as given, documents without a
judgement are not relevant, relevant documents that were not found count in the denominators of
average precision and nDCG.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from monitor.measures._query_means import MeanOverQueries
from monitor.measures._shared import SCORE, make_quantity, ratio_of
from monitor.model import Floats, Ints, InvalidInput, Quantity, Validity
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists, rank_discounts
from monitor.ranked.score import PerList

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
    return ratio_of((precision * hits).sum(axis=1), found.relevant(rel))


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
    return ratio_of(_gain_of(graded, gain), _gain_of(found.pool[:, :cutoff], gain))


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


#: Grades above this are a fault of the file: no gain of theirs could be written down.
_HIGHEST_GRADE = 50


def score_quantity(name: str, title: str) -> tuple[Quantity, ...]:
    """A number in [0, 1] that says nothing about women and men."""
    return (
        make_quantity(name, title, title, SCORE, "score", "ranks better", "ranks worse", rank=1),
    )


def validity(means: str) -> Validity:
    """Return the meaning of such a number, and the limits that all of them share."""
    return Validity(
        means=means,
        does_not_mean=(
            "It says nothing about women and men, and a change of it is no change of bias."
        ),
        assumes=(
            "The judgements are of this collection and of these questions, and what nobody judged "
            "is not relevant."
        ),
        harm=(
            "Quality of service: who asks these questions finds less of what was judged to answer "
            "them; whom that concerns, the number does not say."
        ),
    )


class Effectiveness(MeanOverQueries):
    """Base of measures of how well the relevant documents are found."""

    __slots__ = ()

    neutral_queries = False
    reads_words = False
    #: The least grade that is relevant.
    rel: int = 1

    def of(self, found: JudgedLists) -> Floats:
        """(L,) the formula itself; not used where a query has no relevant document."""
        raise NotImplementedError

    def completed(self, given: RankedInput) -> RankedInput:
        """With the judged queries that the run lacks among the planned ones: they were not asked.

        Raises InvalidInput without judgements, for grades that are none, and for judgements of
        none of the queries.
        """
        if given.judgements is None:
            raise InvalidInput(f"{self.name}: give relevance judgements as qrels=...")
        _check_judgements(given.judgements)
        if given.planned and not any(key in given.judgements for key in given.planned):
            raise InvalidInput(
                f"{self.name}: qrels judge none of the run's queries; the run has "
                f"{given.planned[0]!r}, the qrels {next(iter(given.judgements), 'no query')!r}"
            )
        absent = [
            key for key in sorted(self._judged_queries(given)) if key not in set(given.planned)
        ]
        return replace(given, planned=(*given.planned, *absent))

    def per_list(self, ranked: RankedInput) -> PerList:
        judgements = ranked.judgements or {}
        lists = ranked.lists.cut(self.depth())
        judged_lists = judged(lists, judgements, ranked.addresses)
        relevant = judged_lists.relevant(self.rel) > 0
        values = np.where(relevant, self.of(judged_lists), np.nan)
        reasons = {
            int(row): "none of the judged documents is relevant"
            if lists.queries[row] in judgements
            else "no relevance judgements are known"
            for row in np.flatnonzero(~relevant)
        }
        nothing = np.zeros(len(values), np.int64)
        return PerList(
            values, values, values, lists.lengths, judged_lists.judged, nothing, nothing, reasons
        )

    def details(self, given: RankedInput, found: PerList) -> Mapping[str, float]:
        """`queries_not_run`, judged and without a list; `documents_unjudged` that count."""
        unanswered = self._judged_queries(given) - set(given.lists.queries)
        return {
            "queries_not_run": float(len(unanswered)),
            "documents_unjudged": float((found.documents - found.used).sum()),
        }

    def _judged_queries(self, given: RankedInput) -> set[str]:
        """The queries that have a relevant document."""
        return {
            query
            for query, grades in (given.judgements or {}).items()
            if any(grade >= self.rel for grade in grades.values())
        }


def _check_judgements(judgements: Mapping[str, Mapping[str, int]]) -> None:
    for query, grades in judgements.items():
        for document, grade in grades.items():
            whole = type(grade) is int or isinstance(grade, np.integer)
            if not whole or grade > _HIGHEST_GRADE:
                raise InvalidInput(
                    f"qrels: query {query!r}, document {document!r}: grade {grade!r} is no whole "
                    f"number up to {_HIGHEST_GRADE}"
                )
