"""Runs: keys with their counts, sorted by key, both packed into one whole number of 64 bits.

A key and its count in one number are sorted together by the quickest sort that there is, that of
plain numbers; and they take 8 bytes. The count has the `bits` lowest; one that does not fit is
kept in several parts with the same key, which `summed` adds up.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints

#: The key of what is no pair: it comes last when keys are sorted.
NO_KEY = int(np.iinfo(np.int64).max)

_SIGN = 1


def bits_of_counts(keys: int) -> int:
    """How many bits are left for counts beside so many different keys."""
    return 64 - _SIGN - (keys - 1).bit_length()


def run_of(keys: Ints, weight: int, bits: int) -> Ints:
    """The run of some keys in any order, each occurrence counted `weight` times; sorts them."""
    keys.sort()
    keys = keys[: np.searchsorted(keys, NO_KEY)]
    bounds = np.flatnonzero(np.append(_first(keys), True))
    counts = np.diff(bounds)
    counts *= weight
    return packed(keys[bounds[:-1]], counts, bits)


def merged(runs: Sequence[Ints], bits: int) -> Ints:
    """One run of several."""
    together = np.concatenate(runs)
    together.sort()
    return packed(*summed(together, bits), bits)


def summed(run: Ints, bits: int) -> tuple[Ints, Ints]:
    """The keys of a run, each once, and their counts."""
    keys = run >> bits
    counts = run & _most(bits)
    first = _first(keys)
    if first.all():
        return keys, counts
    starts = np.flatnonzero(first)
    return keys[starts], np.add.reduceat(counts, starts)


def packed(keys: Ints, counts: Ints, bits: int) -> Ints:
    """The run of different sorted keys."""
    most = _most(bits)
    run = keys << bits
    if counts.max(initial=0) <= most:
        run |= counts
        return run
    run |= np.minimum(counts, most)
    over = counts > most
    rest = packed(keys[over], counts[over] - most, bits)
    found = np.concatenate([run, rest])
    found.sort()
    return found


def parted(run: Ints, cuts: Ints) -> list[Ints]:
    """A run in parts that begin at the keys of `cuts`."""
    return np.split(run, np.searchsorted(run, cuts))


def _most(bits: int) -> int:
    return (1 << bits) - 1


def _first(keys: Ints) -> NDArray[np.bool_]:
    """Where a key is another than the one before."""
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first
