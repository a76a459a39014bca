"""Exact probabilities of counts under chance: population and sample in, laws and p-values out.

Written in numpy because importing `scipy.stats` takes longer than all the rest; the tests compare
with scipy.

Tails of laws are from `scipy.special`, which is imported when it is needed, because that takes a
while.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats

#: The smallest p that is given: what is rarer still, no float can hold.
LEAST_P = 2.2250738585072014e-308


def chi_squared_tail(statistic: float, degrees: int) -> float:
    """Return the probability that chi-squared with whole degrees of freedom reaches a statistic."""
    from scipy.special import chdtrc  # noqa: PLC0415 - start-up time

    if degrees < 1 or not statistic >= 0:
        raise ValueError(f"need degrees >= 1 and a statistic >= 0, got {degrees!r}, {statistic!r}")
    return float(chdtrc(degrees, statistic))


def t95(degrees: int) -> float:
    """Return the quantile of 97.5 % of Student's t with whole degrees of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415 - start-up time

    if degrees < 1:
        raise ValueError(f"need at least 1 degree of freedom, got {degrees!r}")
    return float(stdtrit(degrees, 0.975))


def two_sided_t(t: float, df: float) -> float:
    """Return the probability of a t at least as far from 0, df > 0: I_x(df/2, 1/2).

    x = df / (df + t^2); on either side of the middle by the function that keeps its digits.
    """
    from scipy.special import betainc  # noqa: PLC0415 - start-up time

    if math.isnan(t) or not 0 < df < math.inf:
        raise ValueError(f"need a number and degrees of freedom above 0, got {t!r}, {df!r}")
    square = t * t
    if square < df:
        return 1 - float(betainc(0.5, df / 2, square / (df + square)))
    return float(betainc(df / 2, 0.5, df / (df + square)))


#: Outcomes whose probabilities differ by less than this share of them are equally probable.
_SAME = 1e-7


def binomial_law(n: int, p: float) -> Floats:
    """Probability of each of 0..n hits in n independent draws that hit with probability p."""
    if n < 0 or not 0 <= p <= 1:
        raise ValueError(f"need n >= 0 and 0 <= p <= 1, got n={n!r}, p={p!r}")
    if p in (0, 1):
        certain = np.zeros(n + 1)
        certain[n if p else 0] = 1.0
        return certain
    hits = np.arange(n + 1)
    logs = _log_choose(n) + hits * math.log(p) + (n - hits) * math.log1p(-p)
    return _normalise(np.exp(logs))


def hypergeometric_law(population: int, marked: int, n: int) -> Floats:
    """Probability of each of 0..n hits in n draws without replacement from a finite population."""
    if not (0 <= marked <= population and 0 <= n <= population):
        raise ValueError(
            f"cannot draw {n!r} of a population of {population!r} with {marked!r} marked"
        )
    hits = np.arange(max(0, n - (population - marked)), min(n, marked) + 1)
    logs = _log_choose(marked)[hits] + _log_choose(population - marked)[n - hits]
    law = np.zeros(n + 1)
    law[hits] = _normalise(np.exp(logs - logs.max()))
    return law


def _log_choose(n: int) -> Floats:
    """Logarithm of the binomial coefficients of n over 0..n."""
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    logs: Floats = factorials[-1] - factorials - factorials[::-1]
    return logs


def _normalise(law: Floats) -> Floats:
    probabilities: Floats = law / law.sum()
    return probabilities


def two_sided(law: Floats, hits: int) -> float:
    """Exact p-value: probability of all outcomes that are no more probable than this one.

    The rule of Fisher's exact test and of `binom.test` of R; discrete, hence never below its level.
    """
    return min(float(law[law <= law[hits] * (1 + _SAME)].sum()), 1.0)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return adjusted p-values (q): the lowest false discovery rate at which each is reported.

    Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal
    Statistical Society B 57(1), 289-300. Valid for independent or positively dependent tests.
    """
    p_values = np.asarray(p, np.float64)
    if p_values.ndim != 1 or not ((p_values >= 0) & (p_values <= 1)).all():
        raise ValueError("need one column of p-values within 0 and 1")
    order = np.argsort(p_values, kind="stable")[::-1]
    ranks = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum.accumulate(
        np.minimum(p_values[order] * (len(p_values) / ranks), 1.0)
    )
    return adjusted
