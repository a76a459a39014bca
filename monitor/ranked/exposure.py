"""Exposure of groups down a ranked list, its distance from target shares, and what bounds it.

Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring bias in a
ranked list using term-based representations. ECIR '24, equations 5 to 12.
"""

from collections.abc import Sequence

import numpy as np

from monitor.model import Floats, Ints


def term_exposure(counts: Ints, lengths: Ints, weights: Floats) -> Floats:
    """(L, G) TE_g = sum over ranks of weight times M_g / |d|; a document without words adds 0."""
    shares = counts / np.maximum(lengths, 1)[..., None]
    return np.asarray(np.einsum("lkg,lk->lg", shares, weights), dtype=np.float64)


def over(numerator: Floats, denominator: Floats) -> Floats:
    """Their ratio, NaN where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(denominator > 0, numerator / denominator, np.nan), np.float64)


def shares_of(exposure: Floats) -> Floats:
    """(L, G) share of each group in all exposure; NaN where no group has any."""
    return over(exposure, exposure.sum(axis=1, keepdims=True))


def distance(shares: Floats, targets: Sequence[float]) -> Floats:
    """(L,) sum_g |p_g - J_g|, from 0 to 2 (1 - min J)."""
    return np.asarray(np.abs(shares - np.asarray(targets)).sum(axis=-1), dtype=np.float64)


def reachable_corners(known: Floats, unknown: Floats) -> Floats:
    """(L, G + 1, G) corners of all shares that exposure which is not known could lead to.

    `known` (L, G) exposure of groups; `unknown` (L,) the most that may be added to it, however it
    falls on the groups. The shares that can be reached are those between the known ones and, for
    each group, those where it alone is given everything. NaN where nothing is known or unknown.
    """
    groups = known.shape[1]
    given = known[:, None, :] + unknown[:, None, None] * np.eye(groups)
    corners = np.concatenate([known[:, None, :], given], axis=1)
    return over(corners, corners.sum(axis=2, keepdims=True))


def nearest(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those that are nearest to the targets.

    Everything unknown goes to groups below their target, in proportion to their targets: no other
    shares are nearer by the sum of differences, or by Jensen-Shannon divergence.
    """
    wanted = np.asarray(targets)
    total = known.sum(axis=1) + unknown
    least = over(known, total[:, None])
    free = np.ones(known.shape, np.bool_)
    found = least
    for _ in range(known.shape[1]):
        left = 1.0 - np.where(free, 0.0, least).sum(axis=1)
        scale = over(left, np.where(free, wanted, 0.0).sum(axis=1))
        found = np.where(free, np.nan_to_num(scale)[:, None] * wanted, least)
        free &= found >= least
    return np.where(np.isnan(least), np.nan, np.maximum(found, least))
