"""Breaks in a whole series, found by looking back: levels in, segments with their means out.

The least sum of squares about segment means plus a penalty for every break, found exactly. PELT
(Killick, R., Fearnhead, P., Eckley, I. A. (2012). Optimal detection of changepoints with a linear
computational cost. JASA 107(500), 1590-1598) prunes the search of optimal partitioning (Jackson, B.
et al. (2005). An algorithm for optimal partitioning of data on an interval. IEEE Signal Processing
Letters 12(2), 105-108) without changing what is found; at the lengths met here (52 points: 0.7 ms
on one core) the unpruned search in numpy is the faster one: `ruptures.Pelt` takes 46 ms.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats, Ints

#: Least number of points on a level.
SEGMENT = 3

#: What one break costs besides nothing: its position and its level.
PARAMETERS = 2

#: The normal standard deviation in units of the median absolute deviation.
_MAD = 1.4826022

#: Steps beyond this many standard deviations are breaks or slips, and say nothing of memory.
_TRIM = 3.0

#: More memory than this cannot be told from a random walk, which has no levels at all.
MOST_MEMORY = 0.9

#: Noise below this share of the largest level is rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True, slots=True)
class Break:
    """One change of level, somewhere after `last` and no later than `first`.

    `last` is the position of the last point on the old level and `first` that of the first on the
    new one: a gap lies between them where they are no neighbours. `before` and `after` are the
    means of the two segments.
    """

    last: int
    first: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Breaks:
    """The breaks of `n` points, with the noise, memory and penalty of the search.

    Without a penalty nothing could be looked for, and the `reason` says why: no break was found,
    and none was ruled out.
    """

    n: int
    found: tuple[Break, ...] = ()
    sigma: float | None = None  # standard deviation of a point about its level
    rho: float | None = None  # autocorrelation of neighbours, within 0 and MOST_MEMORY
    penalty: float | None = None  # of one break, in squared units of the levels
    reason: str = ""


def chain_levels(start: float, differences: ArrayLike) -> Floats:
    """Levels (n + 1,) from the first one and the paired differences (n,) of neighbours.

    Differences on the probes that both ticks share leave out what only a change of the panel did.
    """
    summed: Floats = np.concatenate([[start], start + np.cumsum(np.asarray(differences))])
    return summed


def find_breaks(values: ArrayLike, positions: Sequence[int] | None = None) -> Breaks:
    """Find breaks of a series of measured levels (n,) at increasing positions of the grid of ticks.

    A missed tick has no value and no place here. The penalty of one break is
    2 k sigma^2 log(n) (1 + rho) / (1 - rho), k = 2 for its position and its level (Schwarz's
    criterion doubled), the last factor being the long-run variance of an AR(1) over that of white
    noise: Lavielle, M., Moulines, E. (2000). Least-squares estimation of an unknown number of
    shifts in a time series. Journal of Time Series Analysis 21(1), 33-59. Noise and memory come
    from the differences of neighbours, which a few breaks leave alone, see `_noise`.

    Measured over 2,000 series without a break: some break is found in 0.4 % of white series of 52
    points (3 % with rho = 0.5), in 0.8 % (4 %) of 26 and in 3 % (7 %) of 6. Half-way in 52 white
    points, a shift of 2 sigma is found in 90 % of 500, of 1.5 in 67 %, of 1 in 30 %. Assumes levels
    with noise of one size: a trend or a random walk is cut into steps.
    """
    x = np.asarray(values, np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError("breaks need one column of finite levels")
    places = list(range(len(x))) if positions is None else list(positions)
    if len(places) != len(x) or any(b <= a for a, b in pairwise(places)):
        raise ValueError(f"need one increasing position for each of {len(x)} levels")
    n = len(x)
    if n < 2 * SEGMENT:
        return Breaks(n, reason=f"{n} of at least {2 * SEGMENT} points")
    if (x == x[0]).all():
        return Breaks(n, reason="constant: every point is the same")
    sigma, rho = _estimate_noise(x)
    if sigma <= _ROUNDING * np.abs(x).max():
        return Breaks(n, reason="no noise to compare with: at least half of the steps are the same")
    penalty = 2 * PARAMETERS * sigma * sigma * math.log(n) * (1 + rho) / (1 - rho)
    starts = _partition_levels(x, penalty)
    means = [float(part.mean()) for part in np.split(x, starts)]
    level_breaks = tuple(
        Break(places[start - 1], places[start], before, after)
        for start, before, after in zip(starts, means[:-1], means[1:], strict=True)
    )
    return Breaks(n, level_breaks, sigma, rho, penalty)


def _estimate_noise(x: Floats) -> tuple[float, float]:
    """Standard deviation about the level and autocorrelation of neighbours, both robust.

    A difference of two AR(1) points has the variance 2 sigma^2 (1 - rho) and a correlation of
    -(1 - rho)/2 with the next: rho is 1 + 2 r with r from differences cut at 3 of their standard
    deviations, and sigma is their MAD / sqrt(2 (1 - rho)). Negative memory would make the penalty
    smaller and is taken for none.
    """
    steps = np.diff(x)
    steps -= np.median(steps)
    deviation = _MAD * float(np.median(np.abs(steps)))
    if not deviation:
        return 0.0, 0.0
    cut = np.clip(steps, -_TRIM * deviation, _TRIM * deviation)
    squares = float(cut @ cut)
    if not squares:  # differences so small that their squares are 0
        return 0.0, 0.0
    r = float(cut[1:] @ cut[:-1]) / squares
    rho = min(max(1 + 2 * r, 0.0), MOST_MEMORY)
    return deviation / math.sqrt(2 * (1 - rho)), rho


def _partition_levels(x: Floats, penalty: float) -> list[int]:
    """Return the first indices of all segments but the first, at the least penalised squares."""
    n = len(x)
    centred = x - x.mean()  # sums of squares of far-away levels would lose their digits
    sums = np.concatenate([[0.0], np.cumsum(centred)])
    squares = np.concatenate([[0.0], np.cumsum(centred * centred)])
    least = np.full(n + 1, np.inf)
    least[0] = -penalty
    start: Ints = np.zeros(n + 1, np.int64)
    for end in range(SEGMENT, n + 1):
        s = np.arange(end - SEGMENT + 1)
        within = squares[end] - squares[s] - (sums[end] - sums[s]) ** 2 / (end - s)
        cost = least[s] + within + penalty
        start[end] = np.argmin(cost)
        least[end] = cost[start[end]]
    first_indices, end = [], int(start[n])
    while end > 0:
        first_indices.append(end)
        end = int(start[end])
    return first_indices[::-1]
