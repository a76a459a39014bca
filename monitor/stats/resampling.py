"""Seeded bootstrap weights and percentile intervals: group numbers in, weights of draws out.

Weights belong to positions, so a caller sorts its units by key first; then neither the order of
input nor the hash seed nor threads can change a result.

Draws of ratios over lists that share people: Owen, A. B. (2007). The pigeonhole bootstrap. Annals
of Applied Statistics 1(2), 386-411. Lists and people are drawn independently of each other, so that
one person moves every list in which they stand. Lists are drawn by the caller; here the people are.
"""

from dataclasses import dataclass

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


#: Draws at a time: bounds the memory, and with it the order of random numbers.
_CHUNK = 100


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """Items of lists, in the order of the lists; each list has at least one item.

    `people` numbers those who are drawn from 0 on; -1 stands for all others, who count once in
    every draw.
    """

    lists: Ints
    people: Ints
    hits: Ints  # 1 or 0


def ratio_draws(items: DrawnItems, draws: int, rng: np.random.Generator) -> Floats:
    """Share of hits among the items of each list under each draw: (draws, lists).

    Each drawn person weighs Poisson(1) in all lists alike: how often somebody is drawn when very
    many are. NaN marks draws in which nobody of a list is left. All weights are whole numbers, so
    that no order of summation changes a bit.
    """
    shared = items.people >= 0
    n_lists = int(items.lists.max(initial=-1)) + 1
    fixed = np.zeros((2 * n_lists, 1))  # misses and hits of each list, one below the other
    rows = 2 * items.lists + items.hits
    fixed[:, 0] = np.bincount(rows[~shared], minlength=2 * n_lists)
    order = np.argsort(rows[shared], kind="stable")
    people = items.people[shared][order]
    moved, starts = np.unique(rows[shared][order], return_index=True)
    ratios = np.empty((n_lists, draws))
    for first in range(0, draws, _CHUNK):
        width = min(_CHUNK, draws - first)
        counts = np.repeat(fixed, width, axis=1)
        if len(people):
            # Sums of whole numbers are exact in these short floats, which take half the time.
            weights = rng.poisson(1.0, (int(people.max()) + 1, width)).astype(np.float32)
            counts[moved] += np.add.reduceat(weights[people], starts, axis=0)
        above, total = counts[1::2], counts[::2] + counts[1::2]
        ratios[:, first : first + width] = np.divide(
            above, total, out=np.full_like(total, np.nan), where=total > 0
        )
    return ratios.T


def recentre_draws(drawn: Floats, plain: Floats, low: float, high: float) -> Floats:
    """Draws of a statistic with people drawn, moved to the centre of those without: (draws,).

    Drawing people adds noise to every list, which can only raise a mean of absolute values, a
    standard deviation or a highest value. It may widen an interval, but not shift it. `low` and
    `high` are where the statistic ends.
    """
    shift = drawn - plain
    defined = shift[np.isfinite(shift)]
    moved = drawn - defined.mean() if len(defined) else drawn
    return np.clip(moved, low, high)
