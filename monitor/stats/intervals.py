"""Intervals of proportions and of what is built from several: counts in, limits out.

All functions are vectorised over arrays of one shape and raise ValueError for impossible counts,
so that a proportion of nothing can never become a number.

Limits of statistics of numbers that are only known within limits: Manski, C. F. (1989). Anatomy of
the selection problem. Journal of Human Resources 24(3), 343-360.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats

#: Standard normal quantile of 97.5 %, with the digits that the published GEST figures use.
Z95 = 1.959964

#: Repeats are averaged, so x is a sum of thirds or fifths and may pass n by rounding.
_ROUNDING = 1e-9


class IntervalMethod(NamedTuple):
    """Lower and upper limits, two arrays of one shape."""

    low: Floats
    high: Floats


class Limits(NamedTuple):
    """Lower and upper limit of one number."""

    low: float
    high: float


def _check_counts(x: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    hits, trials = np.asarray(x, np.float64), np.asarray(n, np.float64)
    if not ((trials > 0) & (hits >= -_ROUNDING) & (hits <= trials + _ROUNDING)).all():
        raise ValueError(f"need 0 <= x <= n and n > 0, got x={x!r}, n={n!r}")
    return np.minimum(np.maximum(hits, 0.0), trials), trials


def wilson(x: ArrayLike, n: ArrayLike, z: float = Z95) -> IntervalMethod:
    """Wilson score interval of x/n, inside [0, 1] and never without x/n.

    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22(158), 209-212.
    """
    hits, trials = _check_counts(x, n)
    share = hits / trials
    centre = agresti_coull_centre(hits, trials, z)
    half = z * np.sqrt(hits * (trials - hits) / trials + z * z / 4) / (trials + z * z)
    # Rounding must neither cut the share off nor leave [0, 1].
    low = np.minimum(np.maximum(centre - half, 0.0), share)
    return IntervalMethod(low, np.maximum(np.minimum(centre + half, 1.0), share))


def agresti_coull_centre(x: ArrayLike, n: ArrayLike, z: float = Z95) -> Floats:
    """(x + z^2/2) / (n + z^2), inside (0, 1): what GEST publishes as p_i."""
    hits, trials = _check_counts(x, n)
    centre: Floats = (hits + z * z / 2) / (trials + z * z)
    return centre


def agresti_coull(x: ArrayLike, n: ArrayLike, z: float = Z95) -> IntervalMethod:
    """Agresti-Coull interval clipped to [0, 1]; it contains the Wilson interval.

    Agresti, A., Coull, B. A. (1998). Approximate is better than "exact" for interval estimation of
    binomial proportions. The American Statistician 52(2), 119-126.
    """
    centre = agresti_coull_centre(x, n, z)
    half = z * np.sqrt(centre * (1 - centre) / (np.asarray(n, np.float64) + z * z))
    return IntervalMethod(np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0))


#: Intervals of a proportion by the name that parameters use.
METHODS: dict[str, Callable[[ArrayLike, ArrayLike], IntervalMethod]] = {
    "wilson": wilson,
    "agresti_coull": agresti_coull,
}


def mover(coefficients: ArrayLike, estimates: ArrayLike, low: ArrayLike, high: ArrayLike) -> Limits:
    """Limits of sum(c_i * theta_i) from the limits of independent theta_i; arguments of shape (k,).

    MOVER, method of variance estimates recovery. For proportions: Zou, G. Y., Huang, W., Zhang, X.
    (2009). A note on confidence interval estimation for a linear function of binomial proportions.
    Computational Statistics & Data Analysis 53(4), 1080-1085.
    """
    c, theta = np.asarray(coefficients, np.float64), np.asarray(estimates, np.float64)
    ends = np.stack([c * np.asarray(low, np.float64), c * np.asarray(high, np.float64)])
    centre = float(np.sum(c * theta))
    below = float(np.sqrt(np.sum((c * theta - ends.min(axis=0)) ** 2)))
    above = float(np.sqrt(np.sum((ends.max(axis=0) - c * theta) ** 2)))
    return Limits(centre - below, centre + above)


def logit(p: float) -> float:
    """Natural logarithm of p/(1 - p), for p inside (0, 1)."""
    if not 0 < p < 1:
        raise ValueError(f"logit needs 0 < p < 1, got {p!r}")
    return float(np.log(p) - np.log1p(-p))


def logit_difference(
    first: float, first_limits: Limits, second: float, second_limits: Limits
) -> Limits:
    """Limits of logit(first) - logit(second) for independent proportions inside (0, 1).

    The limits are carried over to the logit scale, where MOVER is applied to the difference: Zou,
    G. Y., Donner, A. (2008). Construction of confidence limits about effect measures: a general
    approach. Statistics in Medicine 27(10), 1693-1702. Against the delta method this keeps the
    asymmetry near 0 and 1, and negates exactly when the two answers change places.
    """
    return mover(
        [1.0, -1.0],
        [logit(first), logit(second)],
        [logit(first_limits.low), logit(second_limits.low)],
        [logit(first_limits.high), logit(second_limits.high)],
    )


def absolute_limits(low: Floats, high: Floats) -> IntervalMethod:
    """Smallest and largest absolute value of each number within its limits."""
    ends = np.abs(low), np.abs(high)
    straddles = (low <= 0) & (high >= 0)
    return IntervalMethod(np.where(straddles, 0.0, np.minimum(*ends)), np.maximum(*ends))


def mean_limits(certain: IntervalMethod, optional: IntervalMethod) -> Limits:
    """Limits of the mean of all certain numbers and any selection of the optional ones."""
    return Limits(
        _least_mean(certain.low, optional.low), -_least_mean(-certain.high, -optional.high)
    )


def lowest_limits(certain: IntervalMethod, optional: IntervalMethod) -> Limits:
    """Limits of the lowest of all certain numbers and any selection of the optional ones."""
    low = np.concatenate([certain.low, optional.low])
    return Limits(float(low.min()), float(certain.high.min()))


def highest_limits(certain: IntervalMethod, optional: IntervalMethod) -> Limits:
    """Limits of the highest of all certain numbers and any selection of the optional ones."""
    high = np.concatenate([certain.high, optional.high])
    return Limits(float(certain.low.max()), float(high.max()))


def _least_mean(certain: Floats, optional: Floats) -> float:
    sums = certain.sum() + np.concatenate([[0.0], np.cumsum(np.sort(optional))])
    return float((sums / (len(certain) + np.arange(len(sums)))).min())
