"""Sets of documents that a ranked list is compared with, and their best order.

IFaiRR of Rekabsaz et al. (2021), equation 4: a list is as neutral as the most neutral documents of
a background set would be, in their best order, at the same cut-off.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats, Ints
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists, rank_discounts
from monitor.text.terms import Terms

#: From magnitudes (D, G) to neutralities (D,).
Neutral = Callable[[Ints], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """P sets of documents by what matters of them at a cut-off k.

    `best` (L, k) neutralities of the most neutral documents of each list's set, best first, 0 where
    the set has fewer; `unknown` (L,) number of documents of the set that hold nothing readable.
    """

    best: Floats
    unknown: Ints

    def best_order(self, weights: Floats) -> Floats:
        """(L,) best order of what could be read, on the ranks that have weight (L, k)."""
        return np.asarray((self.best * -np.sort(-weights, axis=1)).sum(axis=1), dtype=np.float64)

    def ideal_with(self, neutral: int) -> Floats:
        """(L,) best order on all ranks, were so many of the unknown documents fully neutral."""
        weights = rank_discounts(self.best.shape[1])
        rest = self.best[:, : len(weights) - neutral] @ weights[neutral:]
        return np.asarray(weights[:neutral].sum() + rest, dtype=np.float64)


def make_background(
    which: str, given: RankedInput, cutoff: int, terms: Terms, neutral: Neutral
) -> Background:
    """The background of each list.

    "list": all of its own documents. "union": those of all lists of the same query, of the systems
    beside it too. "run": those of all lists of the system. "collection": all that have a text.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    sets, documents, of_list = _find_members(which, given, numbers)
    counts, row = given.texts.counts(tuple(numbers), terms)
    read = row >= 0
    read[read] = counts.lengths[row[read]] > 0
    omega = np.full(len(row), np.nan)
    omega[read] = neutral(counts.counts[row[read]])
    size = int(max(of_list.max(initial=-1), sets.max(initial=-1))) + 1
    best, unknown = _best_values(sets, omega[documents], size, cutoff)
    return Background(best[of_list], unknown[of_list])


def _find_members(
    which: str, given: RankedInput, numbers: defaultdict[str, int]
) -> tuple[Ints, Ints, Ints]:
    """((N,) numbers of sets, (N,) of documents in them, no pair twice; (L,) set of each list)."""
    lists = given.lists
    own_numbers = _number_documents(lists.documents, numbers)
    if which == "list":
        query_numbers = np.arange(len(lists.queries), dtype=np.int64)
        sets, documents = _flatten_lists(lists, query_numbers, own_numbers)
        return sets, documents, query_numbers
    if which == "union":
        return _of_queries(given, own_numbers, numbers)
    if which == "collection":
        own_numbers = np.union1d(own_numbers, _number_documents(given.texts.documents, numbers))
    return np.zeros(len(own_numbers), np.int64), own_numbers, np.zeros(len(lists.queries), np.int64)


def _of_queries(
    given: RankedInput, own: Ints, numbers: defaultdict[str, int]
) -> tuple[Ints, Ints, Ints]:
    number = {query: index for index, query in enumerate(dict.fromkeys(given.lists.queries))}
    of_list = np.array([number[query] for query in given.lists.queries], np.int64)
    parts = [_flatten_lists(given.lists, of_list, own), *_other_lists(given, number, numbers)]
    sets, documents = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    pair = np.unique(sets * max(len(numbers), 1) + documents)
    return pair // max(len(numbers), 1), pair % max(len(numbers), 1), of_list


def _other_lists(
    given: RankedInput, number: dict[str, int], numbers: defaultdict[str, int]
) -> Iterator[tuple[Ints, Ints]]:
    for lists in given.beside.values():
        rows = np.array([number.get(query, -1) for query in lists.queries], np.int64)
        sets, documents = _flatten_lists(lists, rows, _number_documents(lists.documents, numbers))
        yield sets[sets >= 0], documents[sets >= 0]


def _number_documents(documents: Sequence[str], numbers: defaultdict[str, int]) -> Ints:
    return np.fromiter(map(numbers.__getitem__, documents), np.int64, len(documents))


def _flatten_lists(lists: Lists, of_list: Ints, number: Ints) -> tuple[Ints, Ints]:
    inside = lists.table >= 0
    sets = np.broadcast_to(of_list[:, None], inside.shape)[inside]
    return sets, number[lists.table[inside]] if len(number) else np.zeros(0, np.int64)


def _best_values(sets: Ints, omega: Floats, size: int, cutoff: int) -> tuple[Floats, Ints]:
    """((P, k) highest values of each set, (P,) number of those that are NaN)."""
    read = ~np.isnan(omega)
    unknown = np.bincount(sets[~read], minlength=size)
    sets, omega = sets[read], omega[read]
    order = np.lexsort((-omega, sets))
    sets, omega = sets[order], omega[order]
    rank = np.arange(len(sets)) - np.searchsorted(sets, sets)
    is_kept = rank < cutoff
    best = np.zeros((size, cutoff))
    best[sets[is_kept], rank[is_kept]] = omega[is_kept]
    return best, unknown.astype(np.int64)
