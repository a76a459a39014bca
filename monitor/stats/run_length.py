"""Run lengths of EWMA charts by Markov chains: weight and limit in, mean number of points out.

Brook, D., Evans, D. A. (1972). An approach to the probability distribution of cusum run length.
Biometrika 59(3), 539-549, as Lucas & Saccucci (1990) apply it: the band between the limits is cut
into cells, the statistic moves from the middle of one to another, and leaving the band absorbs.
"""

import math
from functools import lru_cache

import numpy as np

from monitor.model import Floats

#: Cells of the band; odd, so that the target is the middle of one. The published tables are met.
_CELLS = 101

#: The variance of the statistic grows until it lacks less than this share of its final one.
_SETTLED = 1e-4

#: Limits are looked for between these: nearly every point is outside, and hardly ever one is.
_WIDTHS = (0.5, 6.0)

#: Of the run length looked for, as a share of it.
_PRECISION = 1e-5

#: {(run length, weight): limit} of the charts of this program, as `search` finds them: it takes
#: seconds, and the tests do it again.
_FOUND = {(500.0, 0.2): 2.9663830134535303}


def run_length(weight: float, limit: float, shift: float = 0.0, *, exact: bool = True) -> float:
    """Mean number of points until the chart signals, the process being `shift` sds off its target.

    `limit` is in standard deviations of the statistic. `exact` limits widen from the first point
    on, as `ewma.chart` draws them: point t has the variance weight / (2 - weight) *
    (1 - (1 - weight)^(2 t)). Without `exact` the final limits hold from the start, as in the tables
    of Lucas & Saccucci (1990).
    """
    if not (0 < weight <= 1 and limit > 0):
        raise ValueError(f"need a weight in (0, 1] and a limit, got {weight!r}, {limit!r}")
    final = limit * math.sqrt(weight / (2 - weight))
    stay = _moves(final, final, weight, shift)
    left = np.asarray(np.linalg.solve(np.eye(_CELLS) - stay, np.ones(_CELLS)), np.float64)
    if not exact or weight == 1:  # without memory the first limits are the final ones
        return float(left[_CELLS // 2])
    # Backwards from the settled band: how long a run lasts that stands in a cell at point t.
    settled = math.ceil(math.log(_SETTLED) / (2 * math.log(1 - weight)))
    bands = [final * math.sqrt(1 - (1 - weight) ** (2 * t)) for t in range(1, settled + 1)]
    following = final
    for band in reversed(bands):
        left = 1 + _moves(band, following, weight, shift) @ left
        following = band
    start = _moves(0.0, following, weight, shift)[_CELLS // 2]
    return float(1 + start @ left)


@lru_cache(maxsize=32)
def limit_for(length: float, weight: float) -> float:
    """Limit at which the chart with exact limits has this run length in control."""
    known = _FOUND.get((length, weight))
    return search(length, weight) if known is None else known


def search(length: float, weight: float) -> float:
    """The same, looked for.

    The logarithm of the run length is close to straight in the limit: the false-position search of
    Dowell & Jarratt (1971, BIT 11, 168-174) needs about eight evaluations.
    """
    low, high = _WIDTHS
    below, above = (math.log(run_length(weight, width) / length) for width in _WIDTHS)
    if not below <= 0 <= above:
        raise ValueError(f"no limit within {_WIDTHS} has the run length {length!r}")
    while True:
        limit = high - above * (high - low) / (above - below)
        here = math.log(run_length(weight, limit) / length)
        if abs(here) < _PRECISION:
            return limit
        if here * above < 0:
            low, below = high, above
        else:
            below /= 2
        high, above = limit, here


def _moves(band: float, following: float, weight: float, shift: float) -> Floats:
    """Probabilities (from, to) of moving from the cells of one band into those of the next."""
    middles = (np.arange(_CELLS) - _CELLS // 2) * (2 * band / _CELLS)
    edges = (np.arange(_CELLS + 1) - _CELLS / 2) * (2 * following / _CELLS)
    needed = (edges[None, :] - (1 - weight) * middles[:, None]) / weight - shift
    below = _normal(needed)
    moves: Floats = np.diff(below, axis=1)
    return moves


def _normal(z: Floats) -> Floats:
    """Standard normal distribution function."""
    scaled = (z / -math.sqrt(2)).ravel().tolist()
    return np.array([math.erfc(value) / 2 for value in scaled]).reshape(z.shape)
