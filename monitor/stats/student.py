"""Student's t: a statistic and its degrees of freedom in, a two-sided p-value out.

Written out because importing `scipy.stats` takes longer than all the rest; the tests compare with
scipy.
"""

import math
from collections.abc import Sequence

#: Stop when a term changes the fraction by less than this share.
_PRECISION = 4e-15

#: Differences that are equal, as 0.3 - 0.2 and 0.6 - 0.5, are this near to each other in binary.
_ROUNDING = 1e-12

#: Stands for a denominator of 0 in Lentz's method.
_TINY = 1e-300


def two_sided_t(t: float, df: float) -> float:
    """Probability of a t at least as far from 0, df > 0: I_x(df/2, 1/2) at x = df / (df + t^2)."""
    if math.isnan(t) or not 0 < df < math.inf:
        raise ValueError(f"need a number and degrees of freedom above 0, got {t!r}, {df!r}")
    if math.isinf(t):
        return 0.0
    return min(_incomplete_beta(df / (df + t * t), t * t / (df + t * t), df / 2, 0.5), 1.0)


def paired_t(differences: Sequence[float]) -> tuple[float, float] | None:
    """(t, two-sided p) of Student's test that pairs do not differ on average.

    None below two pairs, and where all differ by the same but for rounding: nothing says how far
    means vary.
    """
    n = len(differences)
    if n < 2:  # noqa: PLR2004 - one difference has no spread
        return None
    low, high = min(differences), max(differences)
    if high - low <= _ROUNDING * max(1.0, -low, high):
        return None
    mean = math.fsum(differences) / n
    variance = math.fsum((one - mean) ** 2 for one in differences) / (n - 1)
    t = mean / math.sqrt(variance / n)
    return t, two_sided_t(t, n - 1)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b); `rest` is 1 - x with all of its digits."""
    if x <= 0:
        return 0.0
    if rest <= 0:
        return 1.0
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logs + a * math.log(x) + b * math.log(rest))
    # The fraction converges fast on this side of the mean alone.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(rest, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Continued fraction of the incomplete beta function by Lentz's method.

    Abramowitz, M., Stegun, I. A. (1964). Handbook of Mathematical Functions, 26.5.8. Press, W. H.
    et al. (2007). Numerical Recipes, 3rd edition, section 6.4.
    """
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    m = 0
    while True:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        factor = 1.0
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            factor = c * d
            value *= factor
        if abs(factor - 1) < _PRECISION:
            return value


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
