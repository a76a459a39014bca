"""Rank-biased overlap of pairs of ranked lists, and Kendall's distance between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats, Ints
from monitor.ranked.lists import Lists

_LEAST = 2


def kendall_distance(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Share of the pairs of documents of either list that stand the other way round, in [0, 1].

    A document that a list lacks stands behind all that it has; a pair that a list lacks whole is in
    no order there and counts one half. 0 is the same list, 1 the reverse; None below two documents.
    """
    all_documents = list(dict.fromkeys((*first, *second)))
    if len(all_documents) < _LEAST:
        return None
    orders = []
    for ranking in (first, second):
        rank_of = {document: rank for rank, document in enumerate(ranking)}
        ranks = np.array([rank_of.get(document, len(ranking)) for document in all_documents])
        orders.append(np.sign(ranks[:, None] - ranks[None, :]))
    above = np.triu_indices(len(all_documents), 1)
    return float(np.mean((1 - orders[0][above] * orders[1][above]) / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """Documents that pairs of lists share, depth by depth.

    `shared` (P, K) documents that both lists have in their first d ranks, d = 1 ... K; `shorter`
    and `longer` (P,) are the two lengths.
    """

    shared: Ints
    shorter: Ints
    longer: Ints

    @property
    def agreement(self) -> Floats:
        """(P, K) A_d = X_d / d."""
        return self.shared / _depth_range(self.shared.shape[1])


def count_overlaps(first: Ints, second: Ints) -> Overlaps:
    """Overlaps of row i of one table with row i of the other.

    Tables (P, K) as those of `Lists`: numbers of documents, -1 behind the end, numbered alike in
    both. A document counts from the deeper one of its two ranks on.
    """
    width = max(first.shape[1], second.shape[1])
    pairs = len(first)
    top = max(int(table.max(initial=-1)) for table in (first, second)) + 1
    rows, ranks, keys = _number_places(first, top)
    _, other_ranks, other_keys = _number_places(second, top)
    order = np.argsort(other_keys)
    positions = np.searchsorted(other_keys, keys, sorter=order)
    positions = (
        order[np.minimum(positions, len(order) - 1)]
        if len(order)
        else np.zeros(len(keys), np.int64)
    )
    is_shared = other_keys[positions] == keys if len(order) else np.zeros(len(keys), np.bool_)
    deeper = np.maximum(ranks[is_shared], other_ranks[positions[is_shared]])
    counts = np.bincount(rows[is_shared] * width + deeper, minlength=pairs * width)
    shared = np.cumsum(counts.reshape(pairs, width), axis=1, dtype=np.int64)
    lengths = np.stack([(table >= 0).sum(axis=1) for table in (first, second)]).astype(np.int64)
    return Overlaps(shared, lengths.min(axis=0), lengths.max(axis=0))


def _number_places(table: Ints, top: int) -> tuple[Ints, Ints, Ints]:
    """(row, rank from 0, one number for row and document) of every place that holds a document."""
    rows, ranks = (axis.astype(np.int64) for axis in np.nonzero(table >= 0))
    return rows, ranks, rows * top + table[rows, ranks]


def _depth_range(width: int) -> Floats:
    return np.arange(1, width + 1, dtype=np.float64)


def extrapolate_overlap(found: Overlaps, p: float) -> Floats:
    """(P,) RBO_ext, equation 32: the agreement seen goes on behind the ends of both lists.

    From 0 (nothing in common) to 1 (the same), symmetric; lists may differ in length. NaN where a
    list is empty. `p` in (0, 1) is how surely a reader goes on to the next rank.
    """
    pairs, width = found.shared.shape
    s, longer = found.shorter.astype(np.float64)[:, None], found.longer.astype(np.float64)[:, None]
    defined = found.shorter > 0
    d, weight = _depth_range(width), p ** _depth_range(width)
    if not width:
        return np.full(pairs, np.nan)
    at_s, at_longer = (
        np.take_along_axis(found.shared, np.maximum(n - 1, 0)[:, None], axis=1)
        for n in (found.shorter, found.longer)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        unseen = np.where(d > s, at_s * (d - s) / (s * d), 0.0)
        seen = np.where(d <= longer, (found.agreement + unseen) * weight, 0.0).sum(axis=1)
        tail = (((at_longer - at_s) / longer + at_s / s) * p**longer)[:, 0]
    value = np.clip((1 - p) / p * seen + tail, 0.0, 1.0)
    return np.where(defined, value, np.nan)


def numbered_alike(first: Lists, second: Lists) -> tuple[Ints, Ints]:
    """The tables of two sets of lists, the second one with the numbers of the first."""
    numbers = {document: number for number, document in enumerate(first.documents)}
    new = [numbers.setdefault(document, len(numbers)) for document in second.documents]
    if not new:
        return first.table, second.table
    renumbered = np.array(new, np.int64)[second.table]
    return first.table, np.where(second.table >= 0, renumbered, -1)
