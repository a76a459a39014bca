"""Tails of laws: a statistic and degrees of freedom in, p or quantile out.

From `scipy.special`, which is imported when it is needed, because that takes a while; importing
`scipy.stats` takes longer than all the rest.
"""

import math

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
