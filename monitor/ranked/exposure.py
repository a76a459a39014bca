"""Exposure of groups and neutrality of documents down a ranked list, and distances from targets.

Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring bias in a
ranked list using term-based representations. ECIR '24, equations 5 to 12.

Attention-weighted exposure: Sapiezynski, P., Zeng, W., Robertson, R. E., Mislove, A., Wilson, C.
(2019). Quantifying the impact of user attention on fair group representation in ranked lists.
WWW '19 Companion.

Neutrality: Rekabsaz, N., Kopeinik, S., Schedl, M. (2021). Societal biases in retrieved contents:
Measurement framework and adversarial mitigation of BERT rankers. SIGIR '21, equations 1 to 4.

Prefixes: Rekabsaz, N., Schedl, M. (2020). Do neural ranking models intensify gender bias?
SIGIR '20, equations 1 to 5.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints


def term_exposure(counts: Ints, lengths: Ints, weights: Floats) -> Floats:
    """(L, G) TE_g = sum over ranks of weight times M_g / |d|; a document without words adds 0."""
    shares = counts / np.maximum(lengths, 1)[..., None]
    return np.asarray(np.einsum("lkg,lk->lg", shares, weights), dtype=np.float64)


def ratio_of(numerator: Floats, denominator: Floats) -> Floats:
    """Their ratio, NaN where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(denominator > 0, numerator / denominator, np.nan), np.float64)


def shares_of(exposure: Floats) -> Floats:
    """(L, G) share of each group in all exposure; NaN where no group has any."""
    return ratio_of(exposure, exposure.sum(axis=1, keepdims=True))


def share_distance(shares: Floats, targets: Sequence[float]) -> Floats:
    """(L,) sum_g |p_g - J_g|, from 0 to 2 (1 - min J)."""
    return np.asarray(np.abs(shares - np.asarray(targets)).sum(axis=-1), dtype=np.float64)


def reachable_corners(known: Floats, unknown: Floats) -> Floats:
    """Return (L, G + 1, G) corners of all shares that unknown exposure could lead to.

    `known` (L, G) exposure of groups; `unknown` (L,) the most that may be added to it, however it
    falls on the groups. The shares that can be reached are those between the known ones and, for
    each group, those where it alone is given everything. NaN where nothing is known or unknown.
    """
    groups = known.shape[1]
    all_to_one = known[:, None, :] + unknown[:, None, None] * np.eye(groups)
    corners = np.concatenate([known[:, None, :], all_to_one], axis=1)
    return ratio_of(corners, corners.sum(axis=2, keepdims=True))


def nearest_shares(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those that are nearest to the targets.

    Everything unknown goes to groups below their target, in proportion to their targets: no other
    shares are nearer by the sum of differences, or by Jensen-Shannon divergence.
    """
    target_shares = np.asarray(targets)
    total = known.sum(axis=1) + unknown
    least = ratio_of(known, total[:, None])
    free = np.ones(known.shape, np.bool_)
    reached = least
    for _ in range(known.shape[1]):
        remaining = 1.0 - np.where(free, 0.0, least).sum(axis=1)
        scale = ratio_of(remaining, np.where(free, target_shares, 0.0).sum(axis=1))
        reached = np.where(free, np.nan_to_num(scale)[:, None] * target_shares, least)
        free &= reached >= least
    return np.where(np.isnan(least), np.nan, np.maximum(reached, least))


#: (L, ..., G) shares and (G,) targets in, (L, ...) distances out.
Distance = Callable[[Floats, Sequence[float]], Floats]


def term_associations(counts: Ints, *, half: bool) -> Floats:
    """(L, K, G) M_g / sum M; a document without terms stands for every group alike, or for none."""
    total = counts.sum(axis=-1, keepdims=True)
    without = 1.0 / counts.shape[-1] if half else 0.0
    return np.where(total > 0, counts / np.maximum(total, 1), without)


def euclidean_distance(shares: Floats, targets: Sequence[float]) -> Floats:
    """Square root of the sum of squared differences."""
    return np.asarray(np.sqrt(((shares - np.asarray(targets)) ** 2).sum(axis=-1)), np.float64)


def jensen_shannon(shares: Floats, targets: Sequence[float]) -> Floats:
    """Jensen-Shannon divergence in bits, from 0 to 1."""
    target_shares = np.broadcast_to(np.asarray(targets), shares.shape)
    middle = (shares + target_shares) / 2
    return (_kl_terms(shares, middle) + _kl_terms(target_shares, middle)) / 2


def _kl_terms(of: Floats, beside: Floats) -> Floats:
    """Sum of p log2(p / q), with nothing where p is 0; NaN where p is."""
    is_positive = ~(of <= 0)
    ratio = np.where(is_positive, of, 1.0) / np.where(is_positive, beside, 1.0)
    return np.asarray(
        np.where(is_positive, of * np.log2(ratio), 0.0).sum(axis=-1), dtype=np.float64
    )


def nearest_euclidean(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those with the least squared differences."""
    target_shares = np.asarray(targets)
    least = ratio_of(known, (known.sum(axis=1) + unknown)[:, None])
    free = np.ones(known.shape, np.bool_)
    nearest_shares = least
    for _ in range(known.shape[1]):
        remaining = 1.0 - np.where(free, 0.0, least).sum(axis=1)
        spare = np.where(free, target_shares, 0.0).sum(axis=1) - remaining
        step = spare / np.maximum(free.sum(axis=1), 1)
        nearest_shares = np.where(free, target_shares - step[:, None], least)
        free &= nearest_shares >= least
    return np.where(np.isnan(least), np.nan, np.maximum(nearest_shares, least))


#: Distance and the reachable shares that it is least for, by name.
DISTANCES: dict[str, tuple[Distance, Callable[[Floats, Floats, Sequence[float]], Floats]]] = {
    "L1": (share_distance, nearest_shares),
    "L2": (euclidean_distance, nearest_euclidean),
    "JS": (jensen_shannon, nearest_shares),
}


def most_distance(distance: Distance, targets: Sequence[float]) -> float:
    """The largest distance: one group has everything, and a distance is convex."""
    return float(distance(np.eye(len(targets)), targets).max())


_ROUNDING = 1e-12


def widest_distance(targets: Sequence[float]) -> float:
    """The largest possible sum of |p_g - J_g|: 2 (1 - min J), where one group has everything."""
    return 2.0 * (1.0 - min(targets))


def least_neutral(targets: Sequence[float], *, raw: bool) -> float:
    """The lowest neutrality of any document; below 0 only in the published form."""
    return 1.0 - widest_distance(targets) if raw else 0.0


def neutrality(counts: Ints, targets: Sequence[float], tau: int, *, raw: bool) -> Floats:
    """(...) omega of documents from the magnitudes of their groups, (..., G).

    1 where all groups together have at most `tau` terms, else 1 - sum_g |M_g / sum M - J_g| / max,
    with max = 2 (1 - min J), so that it lies in [0, 1]. `raw` leaves the division out, as published
    for two groups of equal shares, where it makes no difference.
    """
    total = counts.sum(axis=-1)
    shares = counts / np.maximum(total, 1)[..., None]
    distance = np.abs(shares - np.asarray(targets)).sum(axis=-1)
    # max is 1 for two equal shares, and divides nothing there
    scale = 1.0 if raw else widest_distance(targets)
    omega = 1.0 - distance / scale
    # the last bit of a document of one group alone is no neutrality, and would be one to a ratio
    omega = np.where(np.abs(omega) < _ROUNDING, 0.0, omega)
    return np.asarray(np.where(total <= tau, 1.0, omega), dtype=np.float64)


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
