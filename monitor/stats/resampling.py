"""Seeded bootstrap weights and percentile intervals: group numbers in, weights of draws out.

Weights belong to positions, so a caller sorts its units by key first; then neither the order of
input nor the hash seed nor threads can change a result.
"""

import numpy as np

from monitor.model import Floats, Ints
from monitor.stats.intervals import Limits

#: A percentile interval needs nearly every draw; fewer defined ones would be a biased selection.
_LEAST_DEFINED = 0.95

#: Of some thousands of units so many draws stay in the cache of a processor: five times as fast as
#: all at once. The random numbers are the same ones.
_DRAWS_AT_ONCE = 32


def generator(seed: int, stream: int = 0) -> np.random.Generator:
    """PCG64 from a non-negative seed; streams of one seed are independent of each other."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, stream])))


def bootstrap_weights(groups: Ints, draws: int, rng: np.random.Generator) -> Floats:
    """Return how often each unit is drawn when every group is resampled to its own size.

    `groups` has shape (units,); the result (draws, units) holds whole numbers that sum to the
    group's size within each group. One group for all units is the plain bootstrap.
    """
    units = len(groups)
    if units == 0:
        return np.zeros((draws, 0))
    order = np.argsort(groups, kind="stable")
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    size_of, start_of = np.repeat(sizes, sizes), np.repeat(starts, sizes)
    columns: Ints | slice = slice(None) if np.array_equal(order, np.arange(units)) else order
    weights = np.empty((draws, units))
    for first in range(0, draws, _DRAWS_AT_ONCE):
        rows = min(_DRAWS_AT_ONCE, draws - first)
        uniform = rng.random((rows, units))
        uniform *= size_of
        picks = uniform.astype(np.int64)
        picks += start_of
        picks += np.arange(rows)[:, None] * units
        counts = np.bincount(picks.ravel(), minlength=rows * units)
        weights[first : first + rows, columns] = counts.reshape(rows, units)
    return weights


def draw_permutations(units: int, draws: int, rng: np.random.Generator) -> Ints:
    """Random orders of 0..units-1, one per row: (draws, units)."""
    rows: Ints = np.argsort(rng.random((draws, units)), axis=1).astype(np.int64)
    return rows


def percentile_interval(values: Floats, level: float = 0.95) -> Limits | None:
    """Percentile interval of the draws along the first and only axis.

    None without draws, or when more than 5 % of them are undefined (NaN), as the correlation of a
    resample with constant values is. Efron, B., Tibshirani, R. J. (1993). An Introduction to the
    Bootstrap. Chapman & Hall, chapter 13.
    """
    defined = values[np.isfinite(values)]
    if len(defined) == 0 or len(defined) < _LEAST_DEFINED * len(values):
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Limits(float(low), float(high))
