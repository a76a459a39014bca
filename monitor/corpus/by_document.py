"""Which pairs of words stand near each other in each document, so that documents can be weighed.

Counts of a corpus are sums over its documents. A resample of documents, or a corpus in which some
are exchanged, is then a weighted sum of the same rows, and nothing is counted twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from monitor.model import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Numbers of one kind that are held at the same time, so that memory does not grow with draws.
_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Counts of B corpora, a column each: pairs of words (P, B), neighbours of words (V, B)."""

    cells: Floats
    margins: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ByDocument:
    """Counts of P pairs of words, and of the neighbours of all V words, in each of D documents.

    `cells` has shape (P, D), sorted by the numbers of their words, `row` and `context` (P,);
    `margins` has shape (V, D).
    """

    cells: "csr_array"
    row: Ints
    context: Ints
    margins: "csr_array"

    @property
    def documents(self) -> int:
        """How many documents there are, or groups of them."""
        return int(self.margins.shape[1])

    @property
    def at_once(self) -> int:
        """How many corpora to make at the same time."""
        return max(_AT_ONCE // max(*self.cells.shape, *self.margins.shape, 1), 1)

    def sums(self, weights: Floats) -> Sums:
        """The corpora in which document d stands `weights[b, d]` times."""
        columns = np.ascontiguousarray(weights.T)
        return Sums(self.cells @ columns, self.margins @ columns)

    def merged(self, group: Ints, groups: int) -> "ByDocument":
        """The same with the documents of each group as one; -1 leaves a document out."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - start-up time

        inside = np.flatnonzero(group >= 0)
        shape = self.documents, groups
        to = csr_array((np.ones(len(inside)), (inside, group[inside])), shape=shape)
        return ByDocument(
            (self.cells @ to).tocsr(), self.row, self.context, (self.margins @ to).tocsr()
        )


def by_document(
    tokens: Ints,
    offsets: Ints,
    words: int,
    window: int,
    rows: Ints,
    contexts: Ints | None = None,
) -> ByDocument:
    """Count pairs within `window` tokens of each other in the same document, flat weights.

    `tokens` are numbers of the V `words`, document d is `tokens[offsets[d]:offsets[d + 1]]`. With
    `contexts`, every pair of a word of `rows` and one of them has its place, also if it never
    occurs; without, the pairs of `rows` with all words that do occur. Both are rising numbers.
    """
    documents = len(offsets) - 1
    of = np.repeat(np.arange(documents), np.diff(offsets))
    is_row = _mask(rows, words)
    is_context = np.ones(words, np.bool_) if contexts is None else _mask(contexts, words)
    keys = [np.zeros(0, np.int64)]
    for one, other in _pairs(tokens, of, window):
        inside = is_row[tokens[one]] & is_context[tokens[other]]
        cell = tokens[one[inside]] * words + tokens[other[inside]]
        keys.append(cell * documents + of[one[inside]])
    key, n = np.unique(np.concatenate(keys), return_counts=True)
    if contexts is None:
        cell = np.unique(key // max(documents, 1))
    else:
        cell = (rows[:, None] * words + contexts).ravel()
    at = np.searchsorted(cell, key // max(documents, 1))
    return ByDocument(
        _sparse(n, at, key % max(documents, 1), (len(cell), documents)),
        cell // max(words, 1),
        cell % max(words, 1),
        _sparse(_neighbours(offsets, window), tokens, of, (words, documents)),
    )


def _mask(chosen: Ints, words: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    found = np.zeros(words, np.bool_)
    found[chosen] = True
    return found


def _neighbours(offsets: Ints, window: int) -> Ints:
    """(tokens,) how many tokens of its document are near each."""
    lengths = np.diff(offsets)
    place = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    behind = np.repeat(lengths, lengths) - 1 - place
    return np.asarray(np.minimum(place, window) + np.minimum(behind, window), np.int64)


def _pairs(tokens: Ints, of: Ints, window: int) -> Iterator[tuple[Ints, Ints]]:
    """Places of the two words of every pair, each pair both ways round."""
    for distance in range(1, min(window, len(tokens) - 1) + 1):
        first = np.flatnonzero(of[:-distance] == of[distance:])
        yield first, first + distance
        yield first + distance, first


def _sparse(n: Ints, row: Ints, column: Ints, shape: tuple[int, int]) -> "csr_array":
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array((n.astype(np.float64), (row, column)), shape=shape)
