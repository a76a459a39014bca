"""Slopes of straight lines: two columns in, slope with its errors, draws and influences out.

Written in numpy because one call must serve thousands of bootstrap weights, and because importing
`scipy.stats` takes longer than all the rest; the tests compare with scipy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats, Ints
from monitor.stats.chance import t95
from monitor.stats.intervals import Z95, Limits

#: A variance of x below this is no variation.
LEAST_VARIANCE = 1e-18
#: Of a resample, below this share of the variance of all it is rounding.
_LEAST_SHARE = 1e-12
_LEAST_PAIRS = 2
#: A point of such a leverage carries its part of the line alone.
_ALONE = 1e-9
#: Numbers of a (draws, units) table at a time: bounds the memory.
_CELLS = 1 << 21
#: Up to so many units every pattern of signs is tried.
_EXACT_UNITS = 12


@dataclass(frozen=True, slots=True, eq=False)
class FittedLine:
    """Ordinary least squares of y on x over n points; arrays have shape (n,).

    `se` is the classical standard error of the slope, `hc3` the one that holds whatever the
    spread of y at each x; None where there are too few points for one. `r` is None for constant y.
    """

    slope: float
    intercept: float
    r: float | None
    se: float | None
    hc3: float | None
    centred: Floats  # x less its mean
    residuals: Floats
    leverage: Floats
    sxx: float

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.centred)

    @property
    def influence(self) -> Floats:
        """(n,) the slope with all points less the slope without this one; NaN if there is none.

        Exact: Cook, R. D. (1977). Detection of influential observation in linear regression.
        Technometrics 19(1), 15-18.
        """
        rest = 1 - self.leverage
        alone = rest < _ALONE
        moved = self.centred * self.residuals / (self.sxx * np.where(alone, 1.0, rest))
        return np.asarray(np.where(alone, np.nan, moved), np.float64)


def fit_line(x: ArrayLike, y: ArrayLike) -> FittedLine | None:
    """The line through some points; None below two points or for constant x."""
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"need two columns of one length, got {first.shape} and {second.shape}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a line needs finite numbers")
    n = len(first)
    if n < _LEAST_PAIRS or first.var() < LEAST_VARIANCE:
        return None
    dx, dy = first - first.mean(), second - second.mean()
    sxx, syy = float(dx @ dx), float(dy @ dy)
    slope = float(dx @ dy) / sxx
    residuals = dy - slope * dx
    leverage = 1 / n + dx * dx / sxx
    varies, free = syy > LEAST_VARIANCE * n, n - _LEAST_PAIRS
    variance = hc3_covariance(dx, leverage, residuals, residuals)
    return FittedLine(
        slope=slope,
        intercept=float(second.mean() - slope * first.mean()),
        r=float(np.clip(slope * np.sqrt(sxx / syy), -1.0, 1.0)) if varies else None,
        se=float(np.sqrt(residuals @ residuals / free / sxx)) if free > 0 else None,
        hc3=None if variance is None else float(np.sqrt(variance)),
        centred=dx,
        residuals=residuals,
        leverage=leverage,
        sxx=sxx,
    )


def hc3_covariance(
    centred: Floats, leverage: Floats, first: Floats, second: Floats
) -> float | None:
    """Covariance of two slopes on the same x from their residuals; None if a point stands alone.

    MacKinnon, J. G., White, H. (1985). Some heteroskedasticity-consistent covariance matrix
    estimators with improved finite sample properties. Journal of Econometrics 29(3), 305-325.
    """
    rest = 1 - leverage
    if len(centred) <= _LEAST_PAIRS or rest.min() < _ALONE:
        return None
    sxx = float(centred @ centred)
    return float(np.sum((centred / rest) ** 2 * first * second)) / sxx**2


def slope_bounds(x: Floats, low: Floats, high: Floats) -> Limits:
    """Lowest and highest slope of points whose y lie anywhere from low to high: exact.

    The slope is linear in every y, with the sign of x less its mean. Which points there are is
    taken as known.
    """
    dx = x - x.mean()
    sxx = float(dx @ dx)
    below, above = np.where(dx > 0, low, high), np.where(dx > 0, high, low)
    return Limits(float(dx @ below) / sxx, float(dx @ above) / sxx)


def weighted_slopes(x: Floats, y: Floats, weights: Floats) -> Floats:
    """(draws,) slopes under each row of weights over points (units,).

    NaN marks draws with constant x; `percentile_interval` leaves them out.
    """
    if not len(x):
        return np.full(len(weights), np.nan)
    dx = x - x.mean()
    columns = np.stack([np.ones_like(dx), dx, y, dx * y, dx * dx], axis=1)
    total, sx, sy, sxy, sxx = (weights @ columns).T
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sx / total
        spread = sxx - sx * mean
        least = max(LEAST_VARIANCE, _LEAST_SHARE * float(np.mean(dx * dx)))
        spread = np.where(spread > least * total, spread, np.nan)
        return np.asarray((sxy - mean * sy) / spread, dtype=np.float64)


def jackknife_limits(x: Floats, y: Floats, cluster: Ints | None = None) -> Limits | None:
    """95 % limits of the slope of y on x, both (units,), from leaving out one cluster at a time.

    Points of one `cluster` (units,), numbered from 0, are left out together; without clusters each
    stands for itself. Variance (G - 1)/G sum((b_g - mean)^2) over the slopes without each of G
    clusters, which is CR3; Student's t with the effective number of clusters as its degrees of
    freedom, 1 / sum(h_g^2), h_g the share of a cluster in the sum of squares of x: few clusters far
    from the mean decide a slope, however many there are (Carter, A. V., Schnepel, K. T.,
    Steigerwald, D. G. (2017). Asymptotic behavior of a t-test robust to cluster heterogeneity.
    Review of Economics and Statistics 99(4), 698-709). None where a slope without a cluster is not
    defined.
    """
    line = fit_line(x, y)
    of = np.arange(len(x)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    groups = int(of.max(initial=-1)) + 1
    if line is None or groups <= _LEAST_PAIRS:
        return None
    slopes = weighted_slopes(x, y, (of[None, :] != np.arange(groups)[:, None]).astype(np.float64))
    if not np.isfinite(slopes).all():
        return None
    shares = np.bincount(of, line.centred**2) / line.sxx
    degrees = max(int(1 / float(shares @ shares)), 1)
    variance = (groups - 1) / groups * float(np.sum((slopes - slopes.mean()) ** 2))
    half = t95(degrees) * float(np.sqrt(variance))
    return Limits(line.slope - half, line.slope + half)


def _draws_at_once(units: int, draws: int) -> list[int]:
    """Return how many draws to make at a time."""
    step = max(1, _CELLS // max(units, 1))
    return [min(step, draws - first) for first in range(0, draws, step)]


def permuted_slopes(
    centred: Floats,
    y: Floats,
    draws: int,
    rng: np.random.Generator,
    cluster: Ints | None = None,
) -> Floats:
    """Return (draws,) slopes after the x were given to the y at random: the law of chance alone.

    Points of one `cluster` (units,), numbered from 0, get one x, the mean of those of a cluster.
    """
    cluster_of = np.arange(len(y)) if cluster is None else cluster
    cluster_means = np.bincount(cluster_of, centred) / np.bincount(cluster_of)
    parts = []
    for rows in _draws_at_once(len(y), draws):
        x = rng.permuted(np.broadcast_to(cluster_means, (rows, len(cluster_means))), axis=1)[
            :, cluster_of
        ]
        x -= x.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", x, x)
        with np.errstate(invalid="ignore", divide="ignore"):
            slopes = (x @ y) / spread
        parts.append(slopes[spread > LEAST_VARIANCE * len(y)])
    return np.concatenate([np.zeros(0), *parts])


def sign_flip_p(terms: Floats, draws: int, rng: np.random.Generator) -> float | None:
    """Two-sided p of a sum of terms that are as likely positive as negative: sign-flip test.

    Every pattern of signs up to 12 units; beyond, (b + 1)/(B + 1) over B random ones. None
    without units or draws.
    """
    units = len(terms)
    if not units or not draws:
        return None
    least = abs(float(terms.sum())) * (1 - _LEAST_SHARE)
    if units <= _EXACT_UNITS:
        patterns = (np.arange(2**units)[:, None] >> np.arange(units)) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ terms) >= least))
    extreme = 0
    for rows in _draws_at_once(units, draws):
        signs: Ints = 1 - 2 * rng.integers(0, 2, (rows, units), np.int8).astype(np.int64)
        extreme += int(np.sum(np.abs(signs @ terms) >= least))
    return (extreme + 1) / (draws + 1)


def p_of_null(value: float, null: Floats) -> float | None:
    """Two-sided p of a value among draws of chance, (b + 1)/(B + 1); None without draws."""
    if not len(null):
        return None
    least = abs(value) * (1 - _LEAST_SHARE)
    return (int(np.sum(np.abs(null) >= least)) + 1) / (len(null) + 1)


def fieller_limits(
    above: float, below: float, variance_above: float, variance_below: float, covariance: float
) -> Limits | None:
    """95 % limits of above/below; None where the interval of `below` contains 0.

    Fieller, E. C. (1954). Some problems in interval estimation. Journal of the Royal Statistical
    Society B 16(2), 175-185.
    """
    z = Z95**2
    first = below**2 - z * variance_below
    if first <= 0:
        return None
    middle = above * below - z * covariance
    last = above**2 - z * variance_above
    root = float(np.sqrt(max(middle**2 - first * last, 0.0)))
    return Limits((middle - root) / first, (middle + root) / first)
