"""Correlations of two columns: arrays in, a number or None out.

Written in numpy because one call must serve thousands of bootstrap weights, and because importing
`scipy.stats` takes longer than all the rest; the tests compare with scipy.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats, Ints
from monitor.stats.intervals import Z95, Limits

_LEAST_PAIRS = 3
#: Spread below this share of the mean square is rounding, not variation.
_CONSTANT = 1e-12
#: Of an integral along a way, and how far its sum may be off.
_NODES = 16
_WAY = 1e-6

Weighted = Callable[[Floats, Floats, Floats], Floats]


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Pearson's r in [-1, 1]; None below 3 pairs or when a column is constant."""
    return _unweighted(weighted_pearson, x, y)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """Spearman's rho in [-1, 1], ties averaged; None below 3 pairs or for a constant column."""
    return _unweighted(weighted_spearman, x, y)


def _unweighted(weighted: Weighted, x: ArrayLike, y: ArrayLike) -> float | None:
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"need two columns of one length, got {first.shape} and {second.shape}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a correlation needs finite numbers")
    if len(first) < _LEAST_PAIRS:
        return None
    value = float(weighted(first, second, np.ones((1, len(first))))[0])
    return None if np.isnan(value) else value


def weighted_pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r under each row of weights: x, y (units,), weights (draws, units) -> (draws,).

    NaN marks draws in which a column is constant; `percentile_interval` leaves them out.
    """
    rows = weights.shape
    return _weighted_moments(np.broadcast_to(x, rows), np.broadcast_to(y, rows), weights)


def weighted_spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's rho under each row of whole-number weights, ranks taken anew in each row."""
    return _weighted_moments(_weighted_ranks(x, weights), _weighted_ranks(y, weights), weights)


def _weighted_moments(x: Floats, y: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / total
    dy = y - (weights * y).sum(axis=1, keepdims=True) / total
    xx, yy = (weights * dx * dx).sum(axis=1), (weights * dy * dy).sum(axis=1)
    varies = (xx > _CONSTANT * (weights * x * x).sum(axis=1)) & (
        yy > _CONSTANT * (weights * y * y).sum(axis=1)
    )
    scale = np.sqrt(np.where(varies, xx, 1.0)) * np.sqrt(np.where(varies, yy, 1.0))
    r = np.clip((weights * dx * dy).sum(axis=1) / scale, -1.0, 1.0)
    return np.where(varies, r, np.nan)


def average_ranks(values: Floats) -> Floats:
    """(n,) ranks from 1, ties averaged."""
    ranks: Floats = _weighted_ranks(values, np.ones((1, len(values))))[0]
    return ranks


def _weighted_ranks(values: Floats, weights: Floats) -> Floats:
    """Return the mean rank of each value in the sample of the weights: (draws, units)."""
    # Equal shares computed along different ways may differ in the last bit, yet are one value.
    _, value_index = np.unique(np.round(values, 12), return_inverse=True)
    order = np.argsort(value_index, kind="stable")
    starts: Ints = np.flatnonzero(np.diff(value_index[order], prepend=-1)).astype(np.int64)
    size = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(size, axis=1) - size + (size + 1) / 2
    return np.asarray(ranks[:, value_index], np.float64)


def pearson_change(before: Floats, after: Floats, y: Floats) -> Floats | None:
    """Return (n,) what each pair adds to the change of r when x goes from `before` to `after`.

    The gradient of r along the straight way between the two, integrated: the parts add up to the
    change, are 0 for x that stood still, and change sign with the direction of time. Aumann, R. J.,
    Shapley, L. S. (1974). Values of Non-Atomic Games. Princeton University Press. None where a
    column is constant on the way.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    x = before + (nodes[:, None] + 1) / 2 * (after - before)
    x = x - x.mean(axis=1, keepdims=True)
    w = y - y.mean()
    size, y_size = np.sqrt((x * x).sum(axis=1)), float(np.sqrt(w @ w))
    if y_size <= 0 or size.min() <= 0:
        return None
    r = (x @ w) / size / y_size
    gradient = w / y_size / size[:, None] - r[:, None] * x / (size**2)[:, None]
    parts = (after - before) * (weights @ gradient) / 2
    change = pearson(after, y), pearson(before, y)
    if change[0] is None or change[1] is None:
        return None
    return parts if abs(parts.sum() - change[0] + change[1]) < _WAY else None


def fisher_interval(r: float, n: int, *, ranks: bool = False) -> Limits | None:
    """Limits of a correlation over n pairs by Fisher's transformation; None below 4 or at +-1.

    `ranks` takes the variance (1 + r^2/2)/(n - 3) for Spearman's rho: Bonett, D. G., Wright, T. A.
    (2000). Sample size requirements for estimating Pearson, Kendall and Spearman correlations.
    Psychometrika 65(1), 23-28.
    """
    if n <= _LEAST_PAIRS or abs(r) >= 1:
        return None
    half = Z95 * np.sqrt((1 + r * r / 2 if ranks else 1.0) / (n - 3))
    centre = np.arctanh(r)
    return Limits(float(np.tanh(centre - half)), float(np.tanh(centre + half)))
