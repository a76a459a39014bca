"""Differences between groups, averaged over the prefixes of a ranked list.

Rekabsaz, N., Schedl, M. (2020). Do neural ranking models intensify gender bias? SIGIR '20,
equations 1 to 5.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints

#: Magnitudes of groups by the number of their terms.
MAGNITUDES: dict[str, Callable[[Ints], Floats]] = {
    "count": lambda counts: counts.astype(np.float64),
    "log": np.log1p,
    "bool": lambda counts: (counts > 0).astype(np.float64),
}


def prefix_weights(inside: NDArray[np.bool_]) -> Floats:
    """(L, K) weight of each rank in the mean of the means of all prefixes."""
    ranks = np.arange(1, inside.shape[1] + 1)
    later = np.cumsum(np.where(inside, 1.0 / ranks, 0.0)[:, ::-1], axis=1)[:, ::-1]
    return np.where(inside, later / np.maximum(inside.sum(axis=1, keepdims=True), 1), 0.0)


def mean_over_prefixes(
    values: Floats, read: NDArray[np.bool_], inside: NDArray[np.bool_]
) -> Floats:
    """(L,) mean over prefixes of the mean of what was read in each; NaN where nothing was.

    A prefix in which nothing was read is left out.
    """
    n = np.cumsum(read, axis=1)
    means = np.cumsum(np.where(read, values, 0.0), axis=1) / np.maximum(n, 1)
    counted = inside & (n > 0)
    size = counted.sum(axis=1)
    total = np.where(counted, means, 0.0).sum(axis=1)
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)
