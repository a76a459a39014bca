"""Tails of two laws in plain arithmetic: a statistic and degrees of freedom in, p or quantile out.

Written without `scipy.stats`, whose import takes longer than all the rest; the tests compare.
"""

import math
from functools import lru_cache

from monitor.stats.intervals import Z95

#: The smallest p that is given: what is rarer still, no float can hold.
LEAST_P = 2.2250738585072014e-308
_STEPS = 200
#: Beyond so many degrees of freedom the expansion is exact to nine digits.
_MANY = 200


def chi_squared_tail(statistic: float, degrees: int) -> float:
    """Probability that chi-squared with whole degrees of freedom reaches the statistic.

    The finite sums of Abramowitz, M., Stegun, I. A. (1964). Handbook of Mathematical Functions,
    26.4.4 and 26.4.5.
    """
    if degrees < 1 or not statistic >= 0:
        raise ValueError(f"need degrees >= 1 and a statistic >= 0, got {degrees!r}, {statistic!r}")
    half = statistic / 2
    even = degrees % 2 == 0
    term = math.exp(-half) if even else math.sqrt(2 * statistic / math.pi) * math.exp(-half)
    tail = 0.0 if even else math.erfc(math.sqrt(half))
    for step in range(degrees // 2):
        tail += term
        term *= half / (step + 1) if even else statistic / (2 * step + 3)
    return min(tail, 1.0)


@lru_cache(maxsize=1024)
def t95(degrees: int) -> float:
    """Quantile of 97.5 % of Student's t with whole degrees of freedom.

    Up to 200 degrees the finite sums of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4, solved by
    halving; beyond, the expansion 26.7.5.
    """
    if degrees < 1:
        raise ValueError(f"need at least 1 degree of freedom, got {degrees!r}")
    if degrees > _MANY:
        z, n = Z95, degrees
        first, second = z**3 + z, 5 * z**5 + 16 * z**3 + 3 * z
        third = 3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z
        return z + first / (4 * n) + second / (96 * n**2) + third / (384 * n**3)
    low, high = 1.0, 20.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_inside(middle, degrees) < 0.95 else (low, middle)  # noqa: PLR2004 - the level
    return (low + high) / 2


def _t_inside(t: float, degrees: int) -> float:
    """Probability that Student's t lies within -t and t."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2 == 1
    term, total = (cosine if odd else 1.0), 0.0
    for step in range((degrees - 1) // 2 if odd else degrees // 2):
        total += term
        even_factor = (2 * step + 1) / (2 * step + 2)
        odd_factor = (2 * step + 2) / (2 * step + 3)
        term *= cosine**2 * (odd_factor if odd else even_factor)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
