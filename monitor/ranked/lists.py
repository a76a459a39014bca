"""Ranked lists in, one table of document numbers out: what every measure of lists works on.

Rank-biased overlap of pairs of lists, and Kendall's distance between them, are here as well.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from monitor.model import Floats, Ints, InvalidInput


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """L ranked lists over D documents.

    `queries` (L,) says what was asked; a query that was put R times has R lists. `table` (L, K)
    holds numbers of documents in the order of their ranks, from 0 to D - 1, and -1 behind the end
    of a list. `scores` (L, K) are those of the ranker, NaN behind the end, where it gave any.
    """

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    table: Ints
    scores: Floats | None = None

    @property
    def lengths(self) -> Ints:
        """(L,) number of documents in each list."""
        return np.asarray((self.table >= 0).sum(axis=1), dtype=np.int64)

    def of(self, queries: Collection[str]) -> "Lists":
        """The lists of some queries alone, over the same documents."""
        query_set = set(queries)
        rows = [row for row, query in enumerate(self.queries) if query in query_set]
        scores = None if self.scores is None else self.scores[rows]
        queries_kept = tuple(self.queries[row] for row in rows)
        return Lists(queries_kept, self.documents, self.table[rows], scores)

    def cut(self, cutoff: int | None) -> "Lists":
        """The first `cutoff` ranks of every list; all of them where it is None."""
        if cutoff is None or cutoff >= self.table.shape[1]:
            return self
        scores = None if self.scores is None else self.scores[:, :cutoff]
        return Lists(self.queries, self.documents, self.table[:, :cutoff], scores)


def lists_of(
    ranked: Iterable[tuple[str, Sequence[str]]],
    scores: Mapping[str, Sequence[float]] | None = None,
    cutoff: int | None = None,
) -> Lists:
    """Lists from (query, documents in the order of their ranks), cut off if asked.

    Raises InvalidInput for a document that stands twice in what is left of a list, naming both:
    which of its two ranks is meant cannot be known.
    """
    queries: list[str] = []
    documents_kept: list[Sequence[str]] = []
    for query, documents in ranked:
        looked_at = documents if cutoff is None else documents[:cutoff]
        if len(set(looked_at)) < len(looked_at):
            twice = next(name for at, name in enumerate(looked_at) if name in looked_at[:at])
            raise InvalidInput(
                f"query {query!r}: document {twice!r} stands twice in its list; each may stand once"
            )
        queries.append(query)
        documents_kept.append(looked_at)
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    numbered = np.fromiter(map(numbers.__getitem__, chain.from_iterable(documents_kept)), np.int64)
    lengths = np.fromiter(map(len, documents_kept), np.int64, len(documents_kept))
    width = int(lengths.max(initial=0))
    table = np.full((len(documents_kept), width), -1, dtype=np.int64)
    table[np.arange(width) < lengths[:, None]] = numbered
    score_table = None if scores is None else np.full(table.shape, np.nan)
    if scores is not None and score_table is not None:
        for row, (query, n) in enumerate(zip(queries, lengths.tolist(), strict=True)):
            score_table[row, :n] = scores[query][:n]
    return Lists(tuple(queries), tuple(numbers), table, score_table)


def rank_discounts(width: int) -> Floats:
    """(width,) 1/log2(r + 1) for the ranks r = 1, 2, ...

    Järvelin, K., Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS
    20(4), with the base and offset of Fabris et al. 2020 and Rekabsaz et al. 2021.
    """
    return np.asarray(1.0 / np.log2(np.arange(2, width + 2)), dtype=np.float64)


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
