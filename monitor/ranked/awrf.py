"""Attention-weighted exposure of groups by the association of documents, and its distances.

Sapiezynski, P., Zeng, W., Robertson, R. E., Mislove, A., Wilson, C. (2019). Quantifying the impact
of user attention on fair group representation in ranked lists. WWW '19 Companion.
"""

from collections.abc import Callable, Sequence

import numpy as np

from monitor.model import Floats, Ints
from monitor.ranked import exposure
from monitor.ranked.exposure import over

#: (L, ..., G) shares and (G,) targets in, (L, ...) distances out.
Distance = Callable[[Floats, Sequence[float]], Floats]


def associations(counts: Ints, *, half: bool) -> Floats:
    """(L, K, G) M_g / sum M; a document without terms stands for every group alike, or for none."""
    total = counts.sum(axis=-1, keepdims=True)
    without = 1.0 / counts.shape[-1] if half else 0.0
    return np.where(total > 0, counts / np.maximum(total, 1), without)


def euclidean(shares: Floats, targets: Sequence[float]) -> Floats:
    """Square root of the sum of squared differences."""
    return np.asarray(np.sqrt(((shares - np.asarray(targets)) ** 2).sum(axis=-1)), np.float64)


def jensen_shannon(shares: Floats, targets: Sequence[float]) -> Floats:
    """Jensen-Shannon divergence in bits, from 0 to 1."""
    wanted = np.broadcast_to(np.asarray(targets), shares.shape)
    middle = (shares + wanted) / 2
    return (_divergence(shares, middle) + _divergence(wanted, middle)) / 2


def _divergence(of: Floats, beside: Floats) -> Floats:
    """Sum of p log2(p / q), with nothing where p is 0; NaN where p is."""
    some = ~(of <= 0)
    ratio = np.where(some, of, 1.0) / np.where(some, beside, 1.0)
    return np.asarray(np.where(some, of * np.log2(ratio), 0.0).sum(axis=-1), dtype=np.float64)


def nearest_euclidean(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those with the least squared differences."""
    wanted = np.asarray(targets)
    least = over(known, (known.sum(axis=1) + unknown)[:, None])
    free = np.ones(known.shape, np.bool_)
    found = least
    for _ in range(known.shape[1]):
        left = 1.0 - np.where(free, 0.0, least).sum(axis=1)
        spare = np.where(free, wanted, 0.0).sum(axis=1) - left
        step = spare / np.maximum(free.sum(axis=1), 1)
        found = np.where(free, wanted - step[:, None], least)
        free &= found >= least
    return np.where(np.isnan(least), np.nan, np.maximum(found, least))


#: Distance and the reachable shares that it is least for, by name.
DISTANCES: dict[str, tuple[Distance, Callable[[Floats, Floats, Sequence[float]], Floats]]] = {
    "L1": (exposure.distance, exposure.nearest),
    "L2": (euclidean, nearest_euclidean),
    "JS": (jensen_shannon, exposure.nearest),
}


def most(distance: Distance, targets: Sequence[float]) -> float:
    """The largest distance: one group has everything, and a distance is convex."""
    return float(distance(np.eye(len(targets)), targets).max())
