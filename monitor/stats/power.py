"""Power of the paired tests: probes, flips and an effect in, probability of finding it out.

Two ticks ask the same probes. While nothing changes a share `flips` of them has another answer, as
many one way as the other. A real change of `effect` adds flips of one direction. Probes count as
independent: `design` is the factor by which their clusters blow up the variance, 1 + (m - 1) icc
for clusters of m (Kish, L. (1965). Survey Sampling. Wiley, section 5.4).
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats
from monitor.stats.chance import binomial_law

#: Weight of each of the 16 stereotypes of GEST, seven about women first, in f_s and in f_m.
F_S = (-1 / 7,) * 7 + (1 / 9,) * 9
F_M = (1 / 14,) * 7 + (1 / 18,) * 9

#: Numbers of flips that are less probable than this together add nothing to a power.
_NEGLIGIBLE = 1e-9

#: Of a smallest effect.
_PRECISION = 1e-5

#: An effect divided by its weights may pass all probes by this much.
_ROUNDING = 1e-9


def mcnemar_power(n: int, flips: float, effect: float, alpha: float) -> float:
    """Return the probability that mid-p McNemar over n probes finds a change by `effect`.

    Exact: over all numbers of flips, gained ones with probability flips/2 + |effect|, lost ones
    flips/2. Connor, R. J. (1987). Sample size for testing differences in proportions for the
    paired-sample design. Biometrics 43(1), 207-211 is its large-sample form. Fagerland, M. W.,
    Lydersen, S., Laake, P. (2013). The McNemar test for binary matched-pairs data: mid-p and
    asymptotic are better than exact conditional. BMC Medical Research Methodology 13, 91.
    """
    size = _check_effect(flips, effect, alpha)
    if n < 1:
        raise ValueError(f"need at least one probe, got {n!r}")
    total = flips + size
    if not total:
        return 0.0
    flipped = binomial_law(n, total)
    share = (flips / 2 + size) / total
    power = 0.0
    for d in np.flatnonzero(flipped > _NEGLIGIBLE / (n + 1)):
        power += float(flipped[d]) * _rejection_probability(int(d), share, alpha)
    return min(power, 1.0)


def _rejection_probability(d: int, share: float, alpha: float) -> float:
    """Probability that d flips, each gained with this probability, are too uneven."""
    fewest = _critical_flips(d, alpha)
    if fewest < 0:
        return 0.0
    gained = binomial_law(d, share)
    return float(gained[: fewest + 1].sum() + gained[d - fewest :].sum())


@lru_cache(maxsize=4096)
def _critical_flips(d: int, alpha: float) -> int:
    """The most flips of the rarer kind, of d, at which mid-p is at most alpha; -1 for none."""
    law = binomial_law(d, 0.5)[: (d + 1) // 2]
    mid_p = 2 * np.cumsum(law) - law
    return int(np.searchsorted(mid_p, alpha, side="right")) - 1


def probe_weights(sizes: Sequence[int], shares: Sequence[float]) -> Floats:
    """Weight of every probe in a sum of group means: share_i / n_i, n_i times for each group.

    With `F_S` and the number of probes of each stereotype: what one flip moves f_s by.
    """
    if len(sizes) != len(shares) or not sizes or min(sizes) < 1:
        raise ValueError("need one share for each group, and a probe in each")
    counts = np.asarray(sizes, np.int64)
    weights: Floats = np.repeat(np.asarray(shares, np.float64) / counts, counts)
    return weights


def sign_flip_power(
    weights: ArrayLike, flips: float, effect: float, alpha: float, design: float = 1.0
) -> float:
    """Probability that a sign-flip test of sum w_k d_k finds a change of it by `effect`.

    d_k is 1, -1 or 0 as probe k flips. The effect is spread evenly: each probe flips towards the
    sign of its weight with the probability e = |effect| / sum |w| more. The test compares with
    sum w^2 (f + e), the sum itself varies by sum w^2 (f + e - e^2); both normal, which the many
    probes of f_s and f_m make good.
    """
    w = np.asarray(weights, np.float64)
    if w.ndim != 1 or not np.isfinite(w).all() or not np.abs(w).sum():
        raise ValueError("need one column of weights that are not all 0")
    if design < 1:
        raise ValueError(f"clusters cannot make a variance smaller, got design {design!r}")
    more = _check_effect(flips, abs(effect) / float(np.abs(w).sum()), alpha)
    squares = design * float(w @ w)
    compared = math.sqrt(squares * (flips + more))
    spread = math.sqrt(squares * max(flips + more - more * more, 0.0))
    limit = -NormalDist().inv_cdf(alpha / 2) * compared
    if not spread:  # nothing flips, or all do
        return float(abs(effect) > limit)
    beyond = NormalDist(abs(effect), spread)
    return 1 - beyond.cdf(limit) + beyond.cdf(-limit)


def smallest_detectable(n: int, flips: float, alpha: float, power: float = 0.8) -> float | None:
    """Smallest change of a share over n probes that mid-p McNemar finds with this probability.

    None where even all probes flipping one way would be found less often.
    """
    return _smallest_effect(lambda effect: mcnemar_power(n, flips, effect, alpha), 1 - flips, power)


def smallest_detectable_sum(
    weights: ArrayLike, flips: float, alpha: float, power: float = 0.8, design: float = 1.0
) -> float | None:
    """Smallest change of a weighted sum that the sign-flip test finds with this probability."""
    most = (1 - flips) * float(np.abs(np.asarray(weights, np.float64)).sum())
    return _smallest_effect(
        lambda effect: sign_flip_power(weights, flips, effect, alpha, design), most, power
    )


def _smallest_effect(found: Callable[[float], float], most: float, power: float) -> float | None:
    """Least effect with this power, rounded up by less than the precision (bisection)."""
    if not 0 < power < 1:
        raise ValueError(f"a power lies between 0 and 1, got {power!r}")
    low, high = 0.0, most * (1 - _PRECISION)
    if found(high) < power:
        return None
    while high - low > _PRECISION:
        middle = (low + high) / 2
        if found(middle) < power:
            low = middle
        else:
            high = middle
    return high


def _check_effect(flips: float, effect: float, alpha: float) -> float:
    size = abs(effect)
    if not (0 <= flips <= 1 and flips + size <= 1 + _ROUNDING):
        raise ValueError(f"flips and effect exceed all probes: {flips!r} and {effect!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"a level lies between 0 and 1, got {alpha!r}")
    return min(size, 1 - flips)
