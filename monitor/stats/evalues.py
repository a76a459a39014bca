"""E-values of published claims: flips, signed terms or a p-value in, evidence out.

An e-value is a number of at least 0 whose mean is at most 1 when nothing has changed; 20 says what
p = 0.05 is asked to say. E-values may be multiplied where each has a mean of at most 1 given what
went before; those of two comparisons that share a measurement may not.
By Markov's inequality E >= 1/alpha has a probability of at most alpha. What is called anytime
valid here is more: under continued sampling the probability that E *ever* reaches 1/alpha is at
most alpha (Ville's inequality), so that a claim stays valid however often it was looked at.

Ramdas, A., Gruenwald, P., Vovk, V., Shafer, G. (2023). Game-theoretic statistics and safe anytime-
valid inference. Statistical Science 38(4), 576-601.
"""

import math
from collections.abc import Sequence

import numpy as np

from monitor.model import Floats

#: Sizes of the effect, in standard deviations of the sum, that `signs` averages over: a factor of
#: sqrt 2 apart, so that none in between is missed by more.
_SIZES = 2.0 ** (np.arange(9) / 2)

#: -log p below which `from_p` takes the series: its next term is u^3/120, below 1e-14 here.
_NEAR_ONE = 1e-4


def flips(gained: int, lost: int) -> float:
    """E-value of paired binary answers that flipped, against "either way is equally probable".

    E = integral of (2 q)^g (2 (1 - q))^l dq over q in [0, 1] = 2^n g! l! / (n + 1)!, n = g + l: the
    beta-binomial mixture with a uniform prior of the share q of gains. For each q the product of
    2 q or 2 (1 - q) has mean 1 at every next flip that is a fair coin, so it is a martingale, and
    so is the mixture: E is anytime valid as flips come in. 1 without flips.

    Ville, J. (1939). Etude critique de la notion de collectif. Gauthier-Villars. Robbins, H.
    (1970). Statistical methods related to the law of the iterated logarithm. Annals of Mathematical
    Statistics 41(5), 1397-1409. Flips of one cluster are no independent coins: use `signs` of the
    clusters' sums there.
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"flips are counted from 0, got {gained!r} and {lost!r}")
    n = gained + lost
    logs = n * math.log(2) + math.lgamma(gained + 1) + math.lgamma(lost + 1) - math.lgamma(n + 2)
    return _exp(logs)


def signs(terms: Sequence[float], spread: float | None = None) -> float:
    """E-value of independent real terms, against "each is as probable as its negative".

    E = mean over lambda of prod_k exp(lambda x_k) / cosh(lambda x_k), lambda = +-s / spread, s = 1,
    sqrt 2, 2, ..., 16. Proof: given |x_k| the sign is a fair coin, so a factor has the mean
    (exp(lambda |x_k|) + exp(-lambda |x_k|)) / (2 cosh(lambda |x_k|)) = 1, whatever the size, the
    law or the variance of the term; products of independent factors and mixtures of such products
    have mean 1 as well. 1 when all terms are 0 or there are none.

    Without a `spread` it is sqrt(sum x_k^2), a function of the sizes alone: E = 1 in the mean for
    one sample that was fixed in advance, not under continued sampling. With a `spread` given before
    the first term (what sqrt(sum x_k^2) is expected to be) E is a martingale over the terms and
    anytime valid.

    De la Pena, V. H. (1999). A general class of exponential inequalities for martingales and
    ratios. Annals of Probability 27(1), 537-564 (symmetric terms; exp(-x^2/2) there is replaced by
    the exact 1/cosh x here).
    """
    x = np.asarray(terms, np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError(f"need one column of finite terms, got {terms!r}")
    if spread is not None and not 0 < spread < math.inf:
        raise ValueError(f"the spread must be above 0, got {spread!r}")
    largest = float(np.abs(x).max()) if len(x) else 0.0
    if largest == 0:
        return 1.0
    # Scaled by the largest term, so that neither tiny nor huge terms leave the range of squares.
    scale = largest * float(np.linalg.norm(x / largest)) if spread is None else spread
    rates = np.concatenate([_SIZES, -_SIZES])
    logs = _log_factors(np.outer(rates, x / scale)).sum(axis=1)
    peak = float(logs.max())
    return _exp(peak + math.log(float(np.exp(logs - peak).mean())))


def from_p(p: float) -> float:
    """E-value of a p-value: the mean of kappa p^(kappa - 1) over kappa in [0, 1].

    (1 - p + p log p) / (p log(p)^2); 1/2 for p = 1, infinite for p = 0. Vovk, V., Wang, R. (2021).
    E-values: calibration, combination and applications. Annals of Statistics 49(3), 1736-1754,
    equation 2. Of one sample: not anytime valid.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"a p-value lies within 0 and 1, got {p!r}")
    if p == 0:
        return math.inf
    u = -math.log(p)
    if u < _NEAR_ONE:  # the quotient loses its digits; its series around p = 1
        return 1 / 2 + u / 6 + u * u / 24
    return (math.expm1(u) - u) / (u * u)


def _log_factors(y: Floats) -> Floats:
    """log(exp(y) / cosh(y)) without overflow: log 2 - log(1 + exp(-2 y))."""
    factors: Floats = math.log(2) - np.logaddexp(0.0, -2 * y)
    return factors


def _exp(logs: float) -> float:
    """exp, infinite beyond the largest number."""
    try:
        return math.exp(logs)
    except OverflowError:
        return math.inf
