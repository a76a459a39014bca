"""A fixed list of words that many words at once are looked up in, without a dictionary.

The words lie in one run of bytes and are found by a hash of theirs. A hash only proposes: the
bytes are compared, so no word is ever taken for another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints

Hashes: TypeAlias = NDArray[np.uint64]

#: No word holds it: readers of vectors end a word or a row there.
SEPARATOR = b"\n"

#: Bytes that are hashed and compared at once.
_STEP = 8

#: Masks of the first 0, 1, ... 8 bytes of a little-endian number.
_MASKS = np.array([2 ** (8 * n) - 1 for n in range(_STEP + 1)], np.uint64)

# constants of splitmix64 (Steele, Lea, Flood 2014)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def _mixed(values: Hashes) -> Hashes:
    values = (values ^ (values >> np.uint64(30))) * _FIRST
    values = (values ^ (values >> np.uint64(27))) * _SECOND
    return values ^ (values >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class _Spelled:
    """Words as bytes: word i has `lengths[i]` of them from `starts[i]` on."""

    eights: Hashes  # the eight bytes from each byte on
    starts: Ints
    lengths: Ints

    @classmethod
    def of(cls, words: Sequence[str]) -> "_Spelled":
        joined = "\n".join(words)
        if joined.count("\n") >= len(words):
            # no table has words with an end of line in them, nor an empty one
            joined = "\n".join("" if "\n" in word else word for word in words)
        # half a surrogate pair is no character, and equals no word that is kept
        return cls.joined(joined.encode("utf-8", "surrogatepass"), empty=not words)

    @classmethod
    def joined(cls, body: bytes, *, empty: bool) -> "_Spelled":
        """Words as they stand one behind the other."""
        padded = body + bytes(_STEP)
        eights: Hashes = np.ndarray((len(body) + 1,), "<u8", padded, strides=(1,))
        if empty:
            return cls(eights, np.empty(0, np.int64), np.empty(0, np.int64))
        breaks = np.flatnonzero(np.frombuffer(body, np.uint8) == SEPARATOR[0])
        starts = np.concatenate([[0], breaks + 1])
        return cls(eights, starts, np.concatenate([breaks, [len(body)]]) - starts)

    def steps(self, which: Ints) -> Iterator[tuple[Ints, Hashes]]:
        """Of these words, eight bytes after the other: (places in `which`, values).

        Words that have ended are left out.
        """
        places = np.arange(len(which))
        left, at = self.lengths[which], self.starts[which]
        while len(places):
            values = self.eights[at] & _MASKS[np.minimum(left, _STEP)]
            yield places, values
            on = np.flatnonzero(left > _STEP)
            places, left, at = places[on], left[on] - _STEP, at[on] + _STEP

    def hashes(self) -> Hashes:
        """(words,) a number of each, from all its bytes and its length."""
        found = self.lengths.astype(np.uint64) * _GAMMA
        for places, values in self.steps(np.arange(len(self.lengths))):
            found[places] = _mixed((found[places] + _GAMMA) ^ values)
        return found


class Words:
    """Different words in some order."""

    def __init__(self, body: bytes) -> None:
        self.body = body  # joined by SEPARATOR

    @classmethod
    def of(cls, words: Sequence[str]) -> "Words":
        """The table of words that are different and not empty. Raises ValueError."""
        encoded = [word.encode("utf-8") for word in words]
        if any(not word or SEPARATOR in word for word in encoded):
            raise ValueError("a word is empty or holds the end of a line")
        return cls(SEPARATOR.join(encoded))

    def __reduce__(self) -> tuple[type["Words"], tuple[bytes]]:
        # the index is made anew, which is quicker than sending it to another process
        return Words, (self.body,)

    def __len__(self) -> int:
        return len(self._spelled.lengths)

    def __iter__(self) -> Iterator[str]:
        return iter(self.body.decode("utf-8").split("\n") if self.body else [])

    @cached_property
    def _spelled(self) -> _Spelled:
        return _Spelled.joined(self.body, empty=not self.body)

    @cached_property
    def _index(self) -> tuple[Hashes, Ints, int]:
        """Hashes in ascending order, the word of each, and how many words share one at most."""
        hashes = self._spelled.hashes()
        order = np.argsort(hashes)
        hashes = hashes[order]
        new = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1], [True]]))
        return hashes, order, int(np.diff(new).max(initial=0)) if len(hashes) else 0

    def find(self, words: Sequence[str]) -> Ints:
        """(words,) the place of each in this table; -1 for those that it lacks."""
        found = np.full(len(words), -1, np.int64)
        hashes, order, most = self._index
        if not most or not len(words):
            return found
        asked = _Spelled.of(words)
        wanted = asked.hashes()
        first = np.searchsorted(hashes, wanted)
        for step in range(most):
            at = np.minimum(first + step, len(hashes) - 1)
            open_ = np.flatnonzero((found < 0) & (hashes[at] == wanted))
            candidates = order[at[open_]]
            same = self._same(asked, open_, candidates)
            found[open_[same]] = candidates[same]
        return found

    def _same(self, asked: _Spelled, which: Ints, candidates: Ints) -> NDArray[np.bool_]:
        """Which of the words asked for are their candidate, byte for byte."""
        ours = self._spelled
        same: NDArray[np.bool_] = asked.lengths[which] == ours.lengths[candidates]
        equal = np.flatnonzero(same)
        pairs = zip(asked.steps(which[equal]), ours.steps(candidates[equal]), strict=True)
        for (places, left), (_, right) in pairs:
            same[equal[places[left != right]]] = False
        return same
