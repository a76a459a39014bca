"""Base of AP, P, nDCG and RR: lists and relevance judgements in, one number per list out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from monitor.measures._ranked_mean import MeanOverQueries
from monitor.model import (
    Direction,
    Floats,
    InvalidInput,
    Meaning,
    Quantity,
    QuantityUnit,
    Symmetry,
    Validity,
)
from monitor.ranked.effectiveness import JudgedLists, judged
from monitor.ranked.inputs import RankedInput
from monitor.ranked.score import PerList

NO_JUDGEMENTS = "no relevance judgements are known"
NO_RELEVANT = "none of the judged documents is relevant"

#: Grades above this are a fault of the file: no gain of theirs could be written down.
_HIGHEST_GRADE = 50


def make_quantity(name: str, title: str) -> tuple[Quantity, ...]:
    """A number in [0, 1] that says nothing about women and men."""
    meaning = Meaning(
        label=title, unit=QuantityUnit.SCORE, up="ranks better", down="ranks worse", rank=1
    )
    return (
        Quantity(name, title, Direction.UNSIGNED, Symmetry.EVEN, None, 0.0, 1.0, meaning=meaning),
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

    neutral_queries: ClassVar[bool] = False
    reads_words: ClassVar[bool] = False
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
            int(row): NO_RELEVANT if lists.queries[row] in judgements else NO_JUDGEMENTS
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
