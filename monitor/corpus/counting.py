"""From an encoded corpus to counts of the pairs of words that stand near each other.

The corpus is gone through in chunks. The pairs of a chunk become numbers, which are sorted and
counted (`runs.py`); what the chunks found waits in a file, by ranges of keys, and is merged range
by range, so that hardly more is in memory than the result. Each unordered pair is counted once;
both orders are made at the end (`symmetric.py`).
"""

from collections.abc import Sequence
from contextlib import closing

import numpy as np

from monitor.corpus.cooccurrences import Cooccurrences
from monitor.corpus.encoded import Numbered
from monitor.corpus.runs import bits_of_counts, merged, parted, run_of
from monitor.corpus.spill import Spill
from monitor.corpus.symmetric import Shape, symmetric
from monitor.corpus.threads import side_by_side
from monitor.corpus.windows import WINDOW, Chunk, Weighting, Window, chunks
from monitor.model import Ints, InvalidInput

#: Each is merged by itself: so much of all that was found is in memory for each thread.
_RANGES = 128


def count(
    corpus: Numbered,
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
        runs = _counted(corpus, near, shape.bits, spill, threads)
        matrix, totals = symmetric(runs, spill, shape, threads)
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
        for parts, part in zip(self._parts, parted(run, self._cuts), strict=True):
            parts.append(self._spill.add(part))

    def merged(self, threads: int) -> list[int]:
        """The places of one run for each range, in the order of their keys."""

        def merge(parts: list[int]) -> int:
            return self._spill.add(merged([self._spill.read(part) for part in parts], self._bits))

        return side_by_side(merge, self._parts, threads)


def _counted(corpus: Numbered, window: Window, bits: int, spill: Spill, threads: int) -> list[int]:
    """The places of runs with all pairs, in the order of their keys."""
    first, *others = chunks(corpus, window)

    def runs(chunk: Chunk) -> list[Ints]:
        groups = window.groups()
        return [run_of(chunk.keys(some).ravel(), weight, bits) for some, weight in groups]

    def put_away(found: Sequence[Ints]) -> None:
        for run in found:
            ranges.add(run)

    found = runs(first)
    ranges = _Ranges(found[0], spill, bits)
    put_away(found)
    side_by_side(lambda chunk: put_away(runs(chunk)), others, threads)
    return ranges.merged(threads)
