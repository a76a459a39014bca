"""Which places of a corpus are near each other: pairs within a window, inside one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import lcm

import numpy as np

from monitor.corpus.encoded import Numbered
from monitor.corpus.runs import NO_KEY
from monitor.model import Ints, InvalidInput

WINDOW = 5

#: Pairs that a thread sorts at once: 80 MB of keys. More find more repeats, and leave the cache.
_PAIRS = 10_000_000
#: The fractions of longer windows have no common denominator that leaves room for counts.
_LONGEST_HARMONIC = 15
_LONGEST = 10_000


class Weighting(StrEnum):
    """What a pair of places counts."""

    FLAT = "flat"  # 1
    HARMONIC = "harmonic"  # 1 / distance, as GloVe counts


@dataclass(frozen=True, slots=True)
class Window:
    """What pairs count by their distance, in whole numbers: a pair counts weight / scale."""

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
        return [(some, weight) for weight, some in distances.items()]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Places of a corpus whose pairs with later ones are counted together."""

    corpus: Numbered
    begin: int
    end: int

    @property
    def size(self) -> int:
        """How many places these are."""
        return self.end - self.begin

    def keys(self, distances: Sequence[int]) -> Ints:
        """(distances, places) smaller id * words + larger id; NO_KEY beyond the document."""
        words, reach = len(self.corpus.vocabulary), max(distances)
        here, lasts = self.tokens(reach), self.lasts(reach)
        keys = np.empty((len(distances), self.size), np.int64)
        for some, distance in zip(keys, distances, strict=True):
            first, second = here[: self.size], here[distance : distance + self.size]
            np.minimum(first, second, out=some)
            np.multiply(some, words - 1, out=some)
            np.add(some, first, out=some)
            np.add(some, second, out=some)
            for last in lasts[:distance]:
                some[last] = NO_KEY
        return keys

    def tokens(self, reach: int) -> Ints:
        """(places + reach,) ids, 0 beyond the corpus."""
        here = np.zeros(self.size + reach, np.int64)
        read = self.corpus.tokens[self.begin : self.end + reach]
        here[: len(read)] = read
        return here

    def lasts(self, reach: int) -> list[Ints]:
        """Places that are last of a document, those one before, and so on."""
        ends = self.corpus.offsets[1:]
        low, high = np.searchsorted(ends, [self.begin, self.end + reach], "right")
        near = ends[low:high] - self.begin
        places = [near - back for back in range(1, reach + 1)]
        return [some[(some >= 0) & (some < self.size)] for some in places]


def chunks(corpus: Numbered, window: Window) -> list[Chunk]:
    """All places of a corpus, one chunk at least."""
    tokens, step = len(corpus.tokens), max(1, _PAIRS // len(window.weights))
    begins = range(0, max(tokens, 1), step)
    return [Chunk(corpus, begin, min(begin + step, tokens)) for begin in begins]
