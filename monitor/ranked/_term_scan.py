"""Group terms in plain ASCII texts, found by numbers instead of one token at a time.

Tokens are those of `monitor.text.tokens`, which stays the definition: the tests hold both to the
same counts. Every token's first eight letters are read as one number, a table of bits says which
numbers can be a term, and only those few tokens are looked at by themselves.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints

_BLANK = ord(" ")
#: What the tokens of ASCII are made of, in lower case; everything else is a blank.
_TABLE = bytes(
    ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else _BLANK  # noqa: PLR2004 - ASCII
    for c in range(256)
)
_WIDTH = 8
_BITS = 16
#: Odd and without a pattern, so that products spread over their highest bits (Knuth's multiplier).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(_WIDTH + 1)], np.uint64)


class TermScan:
    """Counts terms, by group, in batches of ASCII texts."""

    def __init__(self, group_of: Mapping[str, int], groups: int) -> None:
        """`group_of` maps terms in lower case to numbers of groups."""
        self._groups = groups
        self._group_of = {
            word.encode("ascii"): group for word, group in group_of.items() if word.isascii()
        }
        starts = [
            int.from_bytes(word[:_WIDTH].ljust(_WIDTH, b"\0"), "little") for word in self._group_of
        ]
        self._possible = np.zeros(1 << _BITS, np.bool_)
        self._possible[_slots(np.array(starts, np.uint64))] = True

    def count(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """((D, G) number of terms, (D,) number of tokens) of texts that are all ASCII."""
        joined = " ".join(texts).encode("ascii").translate(_TABLE)
        letters = np.frombuffer(joined + b" " * (_WIDTH + 1), np.uint8)
        sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        ends_of_texts = np.cumsum(sizes)
        # the places where blanks begin or end: those of tokens take turns
        blank = np.concatenate(([True], letters == _BLANK))
        turns = np.flatnonzero(blank[1:] != blank[:-1])
        starts, ends = turns[::2], turns[1::2]
        before = np.searchsorted(starts, ends_of_texts)
        tokens = np.diff(before, prepend=0)
        chosen = np.flatnonzero(self._possible[_slots(_first_letters(letters, starts, ends))])
        text_of = np.searchsorted(ends_of_texts, starts[chosen], side="right")
        cells = [
            text * self._groups + self._group_of[word]
            for text, start, end in zip(
                text_of.tolist(), starts[chosen].tolist(), ends[chosen].tolist(), strict=True
            )
            if (word := joined[start:end]) in self._group_of
        ]
        found = np.bincount(np.array(cells, np.int64), minlength=len(texts) * self._groups)
        return found.reshape(len(texts), self._groups), tokens.astype(np.int64)


def _first_letters(letters: NDArray[np.uint8], starts: Ints, ends: Ints) -> NDArray[np.uint64]:
    """(T,) the first eight letters of each token as one number, 0 behind its end."""
    overlapping = np.ndarray((len(letters) - _WIDTH + 1,), "<u8", letters, strides=(1,))
    masks = _MASKS[np.minimum(ends - starts, _WIDTH)]
    return np.asarray(overlapping[starts] & masks, dtype=np.uint64)


def _slots(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.asarray((numbers * _SPREAD) >> np.uint64(64 - _BITS), dtype=np.uint64)
