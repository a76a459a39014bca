"""Lowest and highest possible statistics of numbers that are only known within limits.

Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3), 343-360.
"""

import numpy as np

from monitor.model import Floats
from monitor.stats.intervals import IntervalMethod, Limits


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
