"""Ranked lists in, one table of document numbers out: what every measure of lists works on."""

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
            raise InvalidInput(_repeated_message(query, looked_at))
        queries.append(query)
        documents_kept.append(looked_at)
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    numbered = np.fromiter(map(numbers.__getitem__, chain.from_iterable(documents_kept)), np.int64)
    lengths = np.fromiter(map(len, documents_kept), np.int64, len(documents_kept))
    width = int(lengths.max(initial=0))
    table = np.full((len(documents_kept), width), -1, dtype=np.int64)
    table[np.arange(width) < lengths[:, None]] = numbered
    score_table = None if scores is None else _score_table(queries, documents_kept, scores, width)
    return Lists(tuple(queries), tuple(numbers), table, score_table)


def _repeated_message(query: str, documents: Sequence[str]) -> str:
    seen: set[str] = set()
    again = next(document for document in documents if document in seen or seen.add(document))  # type: ignore[func-returns-value]
    return f"query {query!r}: document {again!r} stands twice in its list; each may stand once"


def _score_table(
    queries: Sequence[str],
    kept: Sequence[Sequence[str]],
    scores: Mapping[str, Sequence[float]],
    width: int,
) -> Floats:
    table = np.full((len(kept), width), np.nan)
    for row, (query, documents) in enumerate(zip(queries, kept, strict=True)):
        table[row, : len(documents)] = scores[query][: len(documents)]
    return table


def rank_discounts(width: int) -> Floats:
    """(width,) 1/log2(r + 1) for the ranks r = 1, 2, ...

    Järvelin, K., Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS
    20(4), with the base and offset of Fabris et al. 2020 and Rekabsaz et al. 2021.
    """
    return np.asarray(1.0 / np.log2(np.arange(2, width + 2)), dtype=np.float64)
