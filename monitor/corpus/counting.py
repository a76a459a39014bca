"""Count the pairs of words that occur near each other in an encoded corpus.

The corpus is read in chunks. The pairs of a chunk become runs: keys with their counts, sorted, both
packed into one number of 64 bits. The count has the `bits` lowest; one that does not fit is split
into several parts with the same key, which `summed` adds up. Runs of chunks are stored in a
temporary file by ranges of keys and merged range by range, so that memory holds little more than
the result. Each unordered pair is counted once; the symmetric matrix is made at the end. An entry
(a, b) goes to the next free place of row b, then to that of row a. The places are known before, so
that runs are placed independently of each other, in threads.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import lcm
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from monitor.corpus.encoding import Cooccurrences, NumberedText
from monitor.model import Floats, Ints, InvalidInput, StoreProblem

Portion = TypeVar("Portion")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Portion], Result], portions: Sequence[Portion], threads: int
) -> list[Result]:
    """The results in the order of the portions. Raises the first thing that was raised."""
    if threads == 1:
        return [work(portion) for portion in portions]
    waiting = iter(enumerate(portions))
    lock = Lock()
    results: dict[int, Result] = {}
    raised: list[BaseException] = []

    def keep_working() -> None:
        while not raised:
            with lock:
                position, portion = next(waiting, (-1, None))
            if portion is None:
                return
            try:
                results[position] = work(portion)
            except BaseException as error:  # noqa: BLE001 - the caller raises it
                raised.append(error)

    helpers = [Thread(target=keep_working) for _ in range(threads)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    if raised:
        raise raised[0]
    return [results[position] for position in range(len(portions))]


class Spill:
    """A list of arrays; several threads may add and read."""

    def __init__(self) -> None:
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - it is closed with the list
        self._lock = Lock()
        self._places: list[tuple[int, int]] = []
        self._end = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, numbers: Ints) -> int:
        """Keep an array; its place in the list. Raises StoreProblem where there is no room."""
        content = numbers.view(np.uint8).data
        with self._lock:
            begin = self._end
            self._end += len(content)
            self._places.append((begin, len(content)))
            last_place = len(self._places) - 1
        try:
            while content:
                written = os.pwrite(self._file.fileno(), content, begin)
                content, begin = content[written:], begin + written
        except OSError as error:
            raise StoreProblem(
                f"counts wait in a file that cannot be written: {error.strerror or error}; about "
                "40 bytes are needed for each token: name a folder with room in TMPDIR"
            ) from error
        return last_place

    def read(self, place: int) -> Ints:
        """The array at a place."""
        begin, size = self._places[place]
        content = bytearray(size)
        rest = memoryview(content)
        while rest:
            got = os.preadv(self._file.fileno(), [rest], begin)
            rest, begin = rest[got:], begin + got
        return np.frombuffer(content, np.int64)

    def close(self) -> None:
        """Give the room back."""
        self._file.close()


#: The key of what is no pair: it comes last when keys are sorted.
NO_KEY = int(np.iinfo(np.int64).max)

_SIGN = 1


def bits_of_counts(keys: int) -> int:
    """Return how many bits are left for counts beside so many different keys."""
    return 64 - _SIGN - (keys - 1).bit_length()


def run_of(keys: Ints, weight: int, bits: int) -> Ints:
    """The run of some keys in any order, each occurrence counted `weight` times; sorts them."""
    keys.sort()
    keys = keys[: np.searchsorted(keys, NO_KEY)]
    bounds = np.flatnonzero(np.append(_first_of_keys(keys), True))
    counts = np.diff(bounds)
    counts *= weight
    return pack_run(keys[bounds[:-1]], counts, bits)


def merge_runs(runs: Sequence[Ints], bits: int) -> Ints:
    """One run of several."""
    together = np.concatenate(runs)
    together.sort()
    return pack_run(*sum_run(together, bits), bits)


def sum_run(run: Ints, bits: int) -> tuple[Ints, Ints]:
    """The keys of a run, each once, and their counts."""
    keys = run >> bits
    counts = run & _largest_count(bits)
    first = _first_of_keys(keys)
    if first.all():
        return keys, counts
    starts = np.flatnonzero(first)
    return keys[starts], np.add.reduceat(counts, starts)


def pack_run(keys: Ints, counts: Ints, bits: int) -> Ints:
    """The run of different sorted keys."""
    most = _largest_count(bits)
    run = keys << bits
    if counts.max(initial=0) <= most:
        run |= counts
        return run
    run |= np.minimum(counts, most)
    over = counts > most
    rest = pack_run(keys[over], counts[over] - most, bits)
    run_with_rest = np.concatenate([run, rest])
    run_with_rest.sort()
    return run_with_rest


def split_run(run: Ints, cuts: Ints) -> list[Ints]:
    """A run in parts that begin at the keys of `cuts`."""
    return np.split(run, np.searchsorted(run, cuts))


def _largest_count(bits: int) -> int:
    return (1 << bits) - 1


def _first_of_keys(keys: Ints) -> NDArray[np.bool_]:
    """Return where a key differs from the one before."""
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


WINDOW = 5

#: Pairs that a thread sorts at once: 80 MB of keys. More find more repeats, and leave the cache.
_PAIRS = 10_000_000
#: The fractions of longer windows have no common denominator that leaves room for counts.
_LONGEST_HARMONIC = 15
_LONGEST = 10_000


class Weighting(StrEnum):
    """The weight of a pair of places by its distance."""

    FLAT = "flat"  # 1
    HARMONIC = "harmonic"  # 1 / distance, as GloVe counts


@dataclass(frozen=True, slots=True)
class Window:
    """Weights of pairs by their distance, in whole numbers: a pair counts weight / scale."""

    weights: tuple[int, ...]  # of the distances 1, 2, ...
    scale: int

    @classmethod
    def of(cls, window: int, weighting: Weighting) -> "Window":
        """The window of so many tokens on either side. Raises InvalidInput."""
        flat = weighting is Weighting.FLAT
        longest = _LONGEST if flat else _LONGEST_HARMONIC
        if not 1 <= window <= longest:
            raise InvalidInput(
                f"window {window:,}: with {weighting} weights it has 1 to {longest:,} tokens"
            )
        distances = range(1, window + 1)
        scale = 1 if flat else lcm(*distances)
        return cls(tuple(1 if flat else scale // distance for distance in distances), scale)

    def groups(self) -> list[tuple[Sequence[int], int]]:
        """Distances whose pairs count the same, and what they count."""
        distances: dict[int, list[int]] = {}
        for distance, weight in enumerate(self.weights, start=1):
            distances.setdefault(weight, []).append(distance)
        return [(group, weight) for weight, group in distances.items()]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Places of a corpus whose pairs with later ones are counted together."""

    corpus: NumberedText
    begin: int
    end: int

    @property
    def size(self) -> int:
        """Return the number of places."""
        return self.end - self.begin

    def keys(self, distances: Sequence[int]) -> Ints:
        """(distances, places) smaller id * words + larger id; NO_KEY beyond the document."""
        words, reach = len(self.corpus.vocabulary), max(distances)
        ids_here, lasts = self.tokens(reach), self.lasts(reach)
        keys = np.empty((len(distances), self.size), np.int64)
        for row, distance in zip(keys, distances, strict=True):
            first, second = ids_here[: self.size], ids_here[distance : distance + self.size]
            np.minimum(first, second, out=row)
            np.multiply(row, words - 1, out=row)
            np.add(row, first, out=row)
            np.add(row, second, out=row)
            for last in lasts[:distance]:
                row[last] = NO_KEY
        return keys

    def tokens(self, reach: int) -> Ints:
        """(places + reach,) ids, 0 beyond the corpus."""
        ids_here = np.zeros(self.size + reach, np.int64)
        read = self.corpus.tokens[self.begin : self.end + reach]
        ids_here[: len(read)] = read
        return ids_here

    def lasts(self, reach: int) -> list[Ints]:
        """Places that are last of a document, those one before, and so on."""
        ends = self.corpus.offsets[1:]
        low, high = np.searchsorted(ends, [self.begin, self.end + reach], "right")
        near = ends[low:high] - self.begin
        places = [near - back for back in range(1, reach + 1)]
        return [places_at[(places_at >= 0) & (places_at < self.size)] for places_at in places]


def split_chunks(corpus: NumberedText, window: Window) -> list[Chunk]:
    """All places of a corpus, one chunk at least."""
    tokens, step = len(corpus.tokens), max(1, _PAIRS // len(window.weights))
    begins = range(0, max(tokens, 1), step)
    return [Chunk(corpus, begin, min(begin + step, tokens)) for begin in begins]


if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Shape:
    """The form in which keys and counts are read."""

    words: int  # a key is row * words + column
    bits: int  # of a count
    scale: int  # what counts are divided by


@dataclass(frozen=True, slots=True)
class _RunPart:
    """Entries of the matrix by row, then column."""

    rows: Ints
    columns: Ints
    counts: Ints

    @classmethod
    def of(cls, run: Ints, shape: Shape) -> "_RunPart":
        """The entries of a run, those of the diagonal twice: once for each of the two places."""
        keys, counts = sum_run(run, shape.bits)
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

    def flipped(self, shape: Shape) -> "_RunPart":
        """The same on the other side of the diagonal, and without it."""
        off = self.rows != self.columns
        keys = self.columns[off] * shape.words + self.rows[off]
        run = pack_run(keys, self.counts[off], shape.bits)
        run.sort()
        return _RunPart.of(run, shape)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A sparse matrix that is being filled."""

    shape: Shape
    begins: Ints  # (words + 1,) places of the rows
    columns: NDArray[np.signedinteger]
    values: NDArray[np.number]

    def place(self, part: _RunPart, free: Ints) -> None:
        """Entries from the free places of their rows on; moves these."""
        held = np.bincount(part.rows, minlength=self.shape.words)
        positions = (free - (np.cumsum(held) - held))[part.rows]
        positions += np.arange(len(positions))
        self.columns[positions] = part.columns
        scale = self.shape.scale
        self.values[positions] = part.counts if scale == 1 else part.counts / scale
        free += held

    def totals(self, rows: slice) -> Floats:
        """The sums of some rows."""
        begins = self.begins[rows]
        sums = np.zeros(len(begins) - 1)
        full = np.flatnonzero(np.diff(begins))
        if len(full):
            values = self.values[begins[0] : begins[-1]].astype(np.float64)
            sums[full] = np.add.reduceat(values, begins[:-1][full] - begins[0])
        return sums


def make_symmetric(
    runs: Sequence[int], spill: Spill, shape: Shape, threads: int
) -> tuple["csr_array", Floats]:
    """The matrix of the runs that wait at some places, and the sums of its rows."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - it takes long to import

    # (runs + 1, words): how much of each row is taken before each run comes
    taken = np.zeros((len(runs) + 1, shape.words), np.int32)

    def measure(number: int) -> int:
        part = _RunPart.of(spill.read(runs[number]), shape)
        taken[number + 1] = part.sizes(shape.words)
        return int(part.counts.max(initial=0))

    largest = max(side_by_side(measure, range(len(runs)), threads))
    for number in range(len(runs)):
        taken[number + 1] += taken[number]
    begins = np.concatenate([[0], np.cumsum(taken[-1], dtype=np.int64)])
    whole = _Matrix(
        shape,
        begins,
        np.empty(begins[-1], _whole_type(begins[-1])),
        np.empty(begins[-1], np.float64 if shape.scale != 1 else _whole_type(largest)),
    )

    def place(number: int) -> None:
        free = begins[:-1] + taken[number]
        part = _RunPart.of(spill.read(runs[number]), shape)
        whole.place(part.flipped(shape), free)
        whole.place(part, free)

    side_by_side(place, range(len(runs)), threads)
    places = begins.astype(whole.columns.dtype)
    matrix = csr_array((whole.values, whole.columns, places), shape=(shape.words, shape.words))
    between = np.searchsorted(begins, np.linspace(0, begins[-1], len(runs) + 1)[1:-1])
    cuts = np.unique([0, *between, shape.words])
    row_slices = [slice(low, high + 1) for low, high in pairwise(cuts.tolist())]
    return matrix, np.concatenate(side_by_side(whole.totals, row_slices, threads))


def _whole_type(largest: int) -> type[np.signedinteger]:
    return np.int32 if largest <= np.iinfo(np.int32).max else np.int64


#: Each is merged by itself: so much of all that was found is in memory for each thread.
_RANGES = 128


def count(
    corpus: NumberedText,
    window: int = WINDOW,
    weighting: Weighting = Weighting.FLAT,
    threads: int = 1,
) -> Cooccurrences:
    """Counts of all pairs within `window` tokens of one document. Raises InvalidInput.

    With flat weights the matrix holds whole numbers: int32, or int64 where these are too small.
    Needs about 40 bytes for each token in the folder of temporary files.
    """
    near = Window.of(window, weighting)
    words = len(corpus.vocabulary)
    shape = Shape(words, bits_of_counts(words * words), near.scale)
    with closing(Spill()) as spill:
        runs = _count_chunks(corpus, near, shape.bits, spill, threads)
        matrix, totals = make_symmetric(runs, spill, shape, threads)
    total = float(totals.sum())
    if not total:
        raise InvalidInput(
            "no two words of the vocabulary stand in one document: nothing to count. Take "
            "documents of more than one word, or a lower minimum count"
        )
    return Cooccurrences(
        corpus.vocabulary, matrix, totals, total, window, corpus.documents, len(corpus.tokens)
    )


class _Ranges:
    """Runs in a file, all cut at the same keys, so that each range of keys is merged by itself."""

    def __init__(self, first: Ints, spill: Spill, bits: int) -> None:
        """Ranges of which the run `first` has about as much in each."""
        begins = np.linspace(0, len(first), _RANGES, endpoint=False, dtype=np.int64)[1:]
        self._cuts = first[begins] >> bits << bits if len(first) else first
        self._parts: list[list[int]] = [[] for _ in range(len(self._cuts) + 1)]
        self._spill, self._bits = spill, bits

    def add(self, run: Ints) -> None:
        """Put a run away."""
        for parts, part in zip(self._parts, split_run(run, self._cuts), strict=True):
            parts.append(self._spill.add(part))

    def merged(self, threads: int) -> list[int]:
        """The places of one run for each range, in the order of their keys."""

        def merge(parts: list[int]) -> int:
            return self._spill.add(
                merge_runs([self._spill.read(part) for part in parts], self._bits)
            )

        return side_by_side(merge, self._parts, threads)


def _count_chunks(
    corpus: NumberedText, window: Window, bits: int, spill: Spill, threads: int
) -> list[int]:
    """The places of runs with all pairs, in the order of their keys."""
    first, *more_chunks = split_chunks(corpus, window)

    def runs(chunk: Chunk) -> list[Ints]:
        groups = window.groups()
        return [run_of(chunk.keys(distances).ravel(), weight, bits) for distances, weight in groups]

    def put_away(first_run: Sequence[Ints]) -> None:
        for run in first_run:
            ranges.add(run)

    first_run = runs(first)
    ranges = _Ranges(first_run[0], spill, bits)
    put_away(first_run)
    side_by_side(lambda chunk: put_away(runs(chunk)), more_chunks, threads)
    return ranges.merged(threads)
