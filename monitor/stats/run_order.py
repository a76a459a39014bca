"""Exact order of whole runs: how probable it is that some runs lie beyond others by chance.

A run asks all questions once and has one value. While nothing changes every order of the runs is
equally probable, whatever the answers within one run have to do with each other: families of
sentences that change together make single runs more variable, and the order of the runs stays as
probable as before. So nothing has to be assumed of answers; only that runs are exchangeable.

Hoeffding, W. (1952). The large-sample power of tests based on permutations of observations. Annals
of Mathematical Statistics 23(2), 169-192; Wilks, S. S. (1942). Statistical prediction with special
reference to the problem of tolerance limits. Annals of Mathematical Statistics 13(4), 400-409, has
the law of how many of later observations exceed an earlier one in rank.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from monitor.model import Floats, Matrix

#: Runs since a change that are counted at most.
MOST_RUNS = 400


@lru_cache(maxsize=1 << 16)
def order_chance(before: int, since: int, exceptions: int = 0) -> float:
    """Probability that all runs since a time are above all but some of the runs before, in (0, 1].

    `before` and `since` are numbers of runs; at most `exceptions` of those before may lie among or
    above those since: C(since + exceptions, since) / C(before + since, since). The same for below.
    Equal values count as not beyond, which makes the true probability smaller. Raises ValueError
    for numbers of runs that are not positive.
    """
    if before < 1 or since < 1 or exceptions < 0:
        raise ValueError(f"need runs on both sides, got {before!r}, {since!r}, {exceptions!r}")
    allowed = min(exceptions, before)
    return math.comb(since + allowed, since) / math.comb(before + since, since)


def order_power(before: int, since: int, shift: float) -> float:
    """Probability that all runs since lie above all runs before after a shift, in [0, 1].

    `shift` is in standard deviations of a run, whose noise is taken as normal. Integral over the
    largest run before: P = int m phi(x) Phi(x)^(m - 1) Phi(shift - x)^k dx.
    """
    x = np.linspace(-8.0, 8.0, 1601)
    normal = np.vectorize(NormalDist().cdf)
    largest = np.diff(normal(x) ** before)
    middle = (x[1:] + x[:-1]) / 2
    return float(largest @ normal(shift - middle) ** since)


@lru_cache(maxsize=4096)
def smallest_shift(before: int, since: int, power: float) -> float:
    """Smallest shift, in standard deviations of a run, that is found with this probability."""
    low, high = 0.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if order_power(before, since, middle) >= power else (middle, high)
    return high


@lru_cache(maxsize=1 << 16)
def runs_needed(before: int, level: float, exceptions: int = 0) -> int | None:
    """Fewest runs since a time whose order has a probability of at most `level`; None: too many.

    `before`: number of runs before. None where even `MOST_RUNS` runs are not enough.
    """
    if before <= exceptions:
        return None
    for since in range(1, MOST_RUNS + 1):
        if order_chance(before, since, exceptions) <= level:
            return since
    return None


def tick_effect(
    values: Sequence[float], ticks: Sequence[int], step: int | None = None
) -> float | None:
    """Return the p of "runs of one tick are no more alike than others", beside a change.

    `values` and `ticks` (runs,): the value of each run and the number of its tick. One-way analysis
    of variance by ticks. Taken off before is what is no noise of ticks: a step at the tick `step`,
    or without one a straight line over the ticks; and the tick that lies furthest off, because one
    odd tick says nothing of the others. F = (SS_between / (T - 3)) / (SS_within / (N - T)), upper
    tail in [0, 1]. Without the furthest tick it is too large: of independent normal runs it is at
    most 0.05 in 1 to 2 % (9 to 40 ticks). None where fewer than 8 ticks have two runs, or where
    runs of a tick never differ.
    """
    numbers = np.asarray(ticks, np.int64)
    y = np.asarray(values, np.float64)
    names, index, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    if np.count_nonzero(sizes > 1) < 8:  # noqa: PLR2004 - as many A/A ticks as any decision needs
        return None
    means = np.bincount(index, y) / sizes
    within = float(np.sum((y - means[index]) ** 2))
    if within <= 0:
        return None
    change = names - names.mean() if step is None else names >= step
    weight = np.sqrt(sizes)
    design, weighted = np.column_stack([weight, weight * change]), means * weight
    rest = _design_residuals(design, weighted)
    is_other = np.arange(len(names)) != np.argmax(np.abs(rest))
    rest = _design_residuals(design[is_other], weighted[is_other])
    between, n_ticks, n_runs = float(rest @ rest), len(names), len(y)
    ratio = (between / (n_ticks - 3)) / (within / (n_runs - n_ticks))
    from scipy.special import fdtrc  # noqa: PLC0415 - start-up time

    return float(fdtrc(n_ticks - 3, n_runs - n_ticks, ratio))


def _design_residuals(design: Matrix, values: Floats) -> Floats:
    """Return the least-squares residuals of values (n,) on the columns of a design (n, k)."""
    return np.asarray(values - design @ np.linalg.lstsq(design, values, rcond=None)[0], np.float64)
