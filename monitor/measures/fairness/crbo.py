"""CRBO: rankings of documents, and of the same documents with women and men swapped, in.

Out comes how alike the two are.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.measures._query_means import ListAnswer, MeanOverQueries, shares_of
from monitor.measures._shared import SCORE, checked, make_quantity, whole
from monitor.model import Document, Ints, InvalidInput, Unit, Validity
from monitor.ranked.inputs import RankedInput, first_occurrences
from monitor.ranked.lists import Lists, count_overlaps, extrapolate_overlap, numbered_alike
from monitor.ranked.score import PerList

Flags: TypeAlias = NDArray[np.bool_]

_NO_COUNTERPART = "there is no list over gender-swapped documents"
_NOTHING_FOUND = "the list is empty, so there is nothing to compare"


def _check_persistence(measure: str, name: str, value: object) -> float:
    if not isinstance(value, float) or not 0 < value < 1:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be between 0 and 1")
    return value


@dataclass(frozen=True, slots=True)
class CRBO(MeanOverQueries):
    """Similarity of a ranking to the one over documents in which women and men are swapped.

    Mean over queries of the extrapolated rank-biased overlap (Webber et al. 2010, equation 32) of
    the two lists. In [0, 1], neutral 1: swapping gender in all documents changes nothing in the
    ranking. 0: the two lists have no document in common. Lists may differ in length. Repeats are
    paired in their order. A query whose swapped list is missing or empty has no value, and could
    have any from 0 to 1. `queries_unchanged` is the number of queries whose two lists are the same.

    `p`: how surely a reader goes on to the next rank. `cutoff`: ranks of both lists that count;
    None is all of them. A sum that is simply cut off at rank 10 could not exceed 0.651 at p = 0.9.
    """

    p: float = checked(0.9, _check_persistence)
    cutoff: int | None = whole(None, 1)

    name = "CRBO"
    title = "counterfactual overlap (CRBO)"
    version = 2
    citation = (
        "Webber, W., Moffat, A., Zobel, J. (2010). A similarity measure for indefinite rankings. "
        "ACM Transactions on Information Systems 28(4), 20; between counterfactual rankings: "
        "Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring "
        "bias in a ranked list using term-based representations. ECIR 2024"
    )
    quantities = (
        make_quantity(
            "crbo",
            "overlap of the ranking with the one over gender-swapped documents",
            "likeness to the ranking of gender-swapped documents",
            SCORE._replace(neutral=1.0),
            "score",
            "reacts less to a swap of women and men",
            "reacts more to a swap of women and men",
            rank=1,
        ),
    )
    validity = Validity(
        means=(
            "How alike a ranking is to the one that the same system gives when women and men are "
            "swapped in all documents; 1 is the same."
        ),
        does_not_mean=(
            "It does not say which gender is preferred, nor that unlike rankings are worse for "
            "anybody: a question about one gender should react to the swap."
        ),
        assumes=(
            "The swap changes the gender and nothing else of a document, both rankings come from "
            "the same system and collection, and the first ranks count most."
        ),
        harm=(
            "Allocational: documents are placed otherwise because of the gender that they speak "
            "of, which concerns women and men who are written about and whoever looks for them."
        ),
    )

    def answer(self, unit: Unit) -> ListAnswer:
        """Return the list with the one over swapped documents, either of which may change."""
        pairs = zip(unit.documents, unit.swapped or (None,) * len(unit.documents), strict=False)
        return ListAnswer(
            shares_of([tuple(_document_keys(side or (), self.cutoff) for side in pair)
                       for pair in pairs if pair[0] is not None]),
            {},
        )  # fmt: skip

    def completed(self, given: RankedInput) -> RankedInput:
        if given.swapped is None:
            raise InvalidInput(
                "CRBO: give the run over gender-swapped documents as counterfactual=..."
            )
        return given

    def per_list(self, ranked: RankedInput) -> PerList:
        lists = ranked.lists.cut(self.cutoff)
        first, second, has_swapped = self._pair_tables(ranked)
        overlap = np.full(len(lists.queries), np.nan)
        overlap[has_swapped] = extrapolate_overlap(count_overlaps(first, second), self.p)
        counted = lists.lengths
        nothing = np.zeros(len(counted), np.int64)
        lost = np.isnan(overlap) & (counted > 0)
        reasons = {int(row): _NO_COUNTERPART for row in np.flatnonzero(lost)}
        reasons |= {int(row): _NOTHING_FOUND for row in np.flatnonzero(counted == 0)}
        return PerList(
            overlap,
            np.where(lost, 0.0, overlap),
            np.where(lost, 1.0, overlap),
            counted,
            np.where(lost, 0, counted),
            nothing,
            nothing,
            reasons,
        )

    def details(self, ranked: RankedInput, per_query: PerList) -> Mapping[str, float]:  # noqa: ARG002
        """Return `queries_unchanged`: every list of the query is the same after the swap."""
        first, second, has_swapped = self._pair_tables(ranked)
        same = np.zeros(len(has_swapped), np.bool_)
        same[has_swapped] = are_identical(first, second)
        of_query = defaultdict[str, list[bool]](list)
        for query, is_same in zip(ranked.lists.queries, same.tolist(), strict=True):
            of_query[query].append(is_same)
        return {"queries_unchanged": float(sum(map(all, of_query.values())))}

    def _pair_tables(self, ranked: RankedInput) -> tuple[Ints, Ints, Flags]:
        """Return (lists that have a swapped one, their swapped lists, (L,) which have one)."""
        row = find_counterparts(ranked)
        has_swapped = row >= 0
        if ranked.swapped is None:
            return ranked.lists.table[has_swapped], ranked.lists.table[has_swapped], has_swapped
        lists = _merge_addresses(ranked.lists.cut(self.cutoff), ranked.addresses)
        first, second = numbered_alike(lists, ranked.swapped.cut(self.cutoff))
        return first[has_swapped], second[row[has_swapped]], has_swapped


def find_counterparts(ranked: RankedInput) -> Ints:
    """Return (L,) row of the swapped list of each list, -1 without one; repeats in their order."""
    rows = defaultdict[str, list[int]](list)
    for index, query in enumerate(ranked.swapped.queries if ranked.swapped else ()):
        rows[query].append(index)
    rows_left = {query: iter(group) for query, group in rows.items()}
    row_of_list = (next(rows_left.get(query, iter(())), -1) for query in ranked.lists.queries)
    return np.fromiter(row_of_list, np.int64, len(ranked.lists.queries))


def are_identical(first: Ints, second: Ints) -> Flags:
    """Return (P,) whether two lists hold the same documents in the same order, and at least one."""
    width = max(first.shape[1], second.shape[1])
    padded_first, padded_second = (
        np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=-1)
        for table in (first, second)
    )
    return np.asarray(
        (padded_first == padded_second).all(axis=1) & (padded_first >= 0).any(axis=1), np.bool_
    )


def _document_keys(documents: Sequence[Document], cutoff: int | None) -> tuple[str, ...]:
    return tuple(first_occurrence.key for first_occurrence in first_occurrences(documents)[:cutoff])


def _merge_addresses(lists: Lists, addresses: Mapping[str, str]) -> Lists:
    """The lists with every document under its own address, one number for each."""
    if not addresses:
        return lists
    numbers: dict[str, int] = {}
    new = [
        numbers.setdefault(addresses.get(document, document), len(numbers))
        for document in lists.documents
    ]
    table = np.where(lists.table >= 0, np.array(new, np.int64)[lists.table], -1)
    return replace(lists, documents=tuple(numbers), table=table)


MEASURE = CRBO()
