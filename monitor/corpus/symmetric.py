"""Counts of unordered pairs in, the symmetric matrix of both orders out, as rows of a sparse one.

The runs come in the order of their keys. An entry (a, b) goes to the next free place of row b,
then to that of row a: what stands left of the diagonal in a row comes from rows above, so that the
columns of a row are in order. Where each run begins in each row is known before, so that runs are
placed independently of each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from monitor.corpus.runs import packed, summed
from monitor.corpus.spill import Spill
from monitor.corpus.threads import side_by_side
from monitor.model import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Shape:
    """How keys and counts are read."""

    words: int  # a key is row * words + column
    bits: int  # of a count
    scale: int  # what counts are divided by


@dataclass(frozen=True, slots=True)
class _Part:
    """Entries of the matrix by row, then column."""

    rows: Ints
    columns: Ints
    counts: Ints

    @classmethod
    def of(cls, run: Ints, shape: Shape) -> "_Part":
        """The entries of a run, those of the diagonal twice: once for each of the two places."""
        keys, counts = summed(run, shape.bits)
        rows = keys // shape.words
        columns = keys - rows * shape.words
        counts[rows == columns] *= 2
        return cls(rows, columns, counts)

    def sizes(self, words: int) -> Ints:
        """(words,) how many entries each row gets of these, on both sides of the diagonal."""
        off = self.rows != self.columns
        sizes: Ints = np.bincount(self.rows, minlength=words)
        sizes += np.bincount(self.columns[off], minlength=words)
        return sizes

    def flipped(self, shape: Shape) -> "_Part":
        """The same on the other side of the diagonal, and without it."""
        off = self.rows != self.columns
        keys = self.columns[off] * shape.words + self.rows[off]
        run = packed(keys, self.counts[off], shape.bits)
        run.sort()
        return _Part.of(run, shape)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A sparse matrix that is being filled."""

    shape: Shape
    begins: Ints  # (words + 1,) places of the rows
    columns: NDArray[np.signedinteger]
    values: NDArray[np.number]

    def place(self, part: _Part, free: Ints) -> None:
        """Entries from the free places of their rows on; moves these."""
        held = np.bincount(part.rows, minlength=self.shape.words)
        at = (free - (np.cumsum(held) - held))[part.rows]
        at += np.arange(len(at))
        self.columns[at] = part.columns
        scale = self.shape.scale
        self.values[at] = part.counts if scale == 1 else part.counts / scale
        free += held

    def totals(self, rows: slice) -> Floats:
        """The sums of some rows."""
        begins = self.begins[rows]
        found = np.zeros(len(begins) - 1)
        full = np.flatnonzero(np.diff(begins))
        if len(full):
            values = self.values[begins[0] : begins[-1]].astype(np.float64)
            found[full] = np.add.reduceat(values, begins[:-1][full] - begins[0])
        return found


def symmetric(
    runs: Sequence[int], spill: Spill, shape: Shape, threads: int
) -> tuple["csr_array", Floats]:
    """The matrix of the runs that wait at some places, and the sums of its rows."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - it takes long to import

    # (runs + 1, words): how much of each row is taken before each run comes
    taken = np.zeros((len(runs) + 1, shape.words), np.int32)

    def measure(number: int) -> int:
        part = _Part.of(spill.read(runs[number]), shape)
        taken[number + 1] = part.sizes(shape.words)
        return int(part.counts.max(initial=0))

    largest = max(side_by_side(measure, range(len(runs)), threads))
    for number in range(len(runs)):
        taken[number + 1] += taken[number]
    begins = np.concatenate([[0], np.cumsum(taken[-1], dtype=np.int64)])
    whole = _Matrix(
        shape,
        begins,
        np.empty(begins[-1], np.int32 if begins[-1] <= _INT32 else np.int64),
        np.empty(begins[-1], _kind(largest, shape.scale)),
    )

    def place(number: int) -> None:
        free = begins[:-1] + taken[number]
        part = _Part.of(spill.read(runs[number]), shape)
        whole.place(part.flipped(shape), free)
        whole.place(part, free)

    side_by_side(place, range(len(runs)), threads)
    places = begins.astype(whole.columns.dtype)
    matrix = csr_array((whole.values, whole.columns, places), shape=(shape.words, shape.words))
    between = np.searchsorted(begins, np.linspace(0, begins[-1], len(runs) + 1)[1:-1])
    cuts = np.unique([0, *between, shape.words])
    some = [slice(low, high + 1) for low, high in pairwise(cuts.tolist())]
    return matrix, np.concatenate(side_by_side(whole.totals, some, threads))


_INT32 = np.iinfo(np.int32).max


def _kind(largest: int, scale: int) -> type[np.number]:
    if scale != 1:
        return np.float64
    return np.int32 if largest <= _INT32 else np.int64
