"""Tests and intervals of change on the same probes: flips or differences in, p and limits out.

The law of a sum whose terms have random signs: S = sum of e_k d_k, where each e_k is +1 or -1 with
probability 1/2. No random numbers, so that a tail of 1e-30 is as good as one of 0.5, and the same
for everybody.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints, Matrix
from monitor.stats.chance import LEAST_P, chi_squared_tail, t95, two_sided_t
from monitor.stats.intervals import Z95, IntervalMethod, Limits, mean_limits

# --- signed sums ----------------------------------------------------------------------------------


Waves: TypeAlias = NDArray[np.complex128]

#: Sizes that differ by less than this share of the largest are one size.
_SAME = 1e-10
#: Sums of half of the terms to look at one by one; beyond, the law is dense.
_FEW = 1 << 14
#: The path of integration keeps this distance from the pole at 0, in standard deviations.
_OFF_POLE = 0.7
#: Logarithm of the error of aliasing, against the tail.
_ALIAS = 25.0
_NODES_AT_ONCE = 16
#: Nodes, and the table of (nodes, sizes), in all: bounds the time.
_MOST_NODES = 1 << 12
_CELLS = 1 << 21
#: What no longer adds to the integral.
_GONE = 1e-11
_NEWTON_STEPS = 100
#: Of the total; the contour may lie beside the saddlepoint.
_CLOSE = 1e-4
_LN2 = math.log(2)


def two_sided(terms: Floats) -> float:
    """Probability that |S| reaches |sum of terms|, where every pattern of signs is as likely.

    Exact where few patterns reach it, and on a lattice; else by integration of the moment
    generating function along the saddlepoint's contour. Robinson, J. (1982). Saddlepoint
    approximations for permutation tests and confidence intervals. Journal of the Royal Statistical
    Society B 44(1), 91-101, has the function, sum of log cosh(t d_k); Rice, S. O. (1980).
    Distribution of quadratic forms in normal random variables: evaluation by numerical integration.
    SIAM Journal on Scientific and Statistical Computing 1(4), 438-448, the integral, of which
    Lugannani and Rice (1980) is the first term; that term alone is off by half an atom where terms
    are alike, and by more where few are large.

    Relative error against enumeration of 24 to 40 terms of eight shapes: at most 2e-5, and 1e-3
    where sizes are nearly but not quite alike; on lattices 1e-9. Among thousands of terms one that
    is larger than all others together costs some 1e-2 of a p of 1e-50.
    """
    sizes, counts = _distinct_sizes(terms)
    whole = float(counts @ sizes)
    total = abs(float(terms.sum()))
    if not len(sizes) or total <= _SAME * whole:
        return 1.0
    log_tail = None
    if float(np.log(counts + 1).sum()) < 2 * math.log(_FEW):
        log_tail = _count_patterns(sizes, counts, (whole - total) / 2, _SAME * whole)
    if log_tail is None:
        log_tail = _of_many(sizes, counts, total, whole)
    return min(max(math.exp(log_tail + _LN2) if log_tail > -709 else 0.0, LEAST_P), 1.0)  # noqa: PLR2004 - exp underflows


def _distinct_sizes(terms: Floats) -> tuple[Floats, Floats]:
    """Sizes that are not 0, descending, and how many terms have each."""
    sizes = np.sort(np.abs(terms))[::-1]
    sizes = sizes[sizes > _SAME * sizes.max(initial=0.0)]
    if not len(sizes):
        return sizes, sizes
    first = np.concatenate([[True], -np.diff(sizes) > _SAME * sizes[0]])
    counts = np.diff(np.append(np.flatnonzero(first), len(sizes)))
    return sizes[first], counts.astype(np.float64)


def _count_patterns(sizes: Floats, counts: Floats, budget: float, slack: float) -> float | None:
    """Compute log P(S >= total) by adding up all patterns; None where there are too many.

    S reaches the total where the terms that are turned round add up to the `budget` or less. The
    terms are dealt into two halves, whose sums are put together at the end: Horowitz, E., Sahni, S.
    (1974). Computing partitions with applications to the knapsack problem. Journal of the ACM
    21(2), 277-292.
    """
    first_half = _turned_sums(sizes[0::2], counts[0::2], budget + slack, slack)
    second_half = (
        _turned_sums(sizes[1::2], counts[1::2], budget + slack, slack) if first_half else None
    )
    if first_half is None or second_half is None:
        return None
    (sums, logs), (other_sums, other_logs) = first_half, second_half
    fitting = np.searchsorted(other_sums, budget + slack - sums, side="right")
    upto = np.logaddexp.accumulate(other_logs)
    fitting_logs = (logs + upto[np.maximum(fitting - 1, 0)])[fitting > 0]
    highest = float(fitting_logs.max())
    return (
        highest + math.log(float(np.exp(fitting_logs - highest).sum())) - float(counts.sum()) * _LN2
    )


def _turned_sums(
    sizes: Floats, counts: Floats, most: float, slack: float
) -> tuple[Floats, Floats] | None:
    """Sums up to `most` of terms turned round, ascending, with the logarithm of their patterns."""
    sums, logs = np.zeros(1), np.zeros(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        turned = min(int(count), int(most / size))
        added = (sums[:, None] + np.arange(turned + 1) * size).ravel()
        if len(added) > _FEW * 8:
            return None
        inside = added <= most
        ways = (logs[:, None] + _log_choose(int(count), turned)).ravel()
        sums, logs = _merge_sums(added[inside], ways[inside], slack)
        if len(sums) > _FEW:
            return None
    return sums, logs


def _log_choose(n: int, most: int) -> Floats:
    """Logarithm of the binomial coefficients of n over 0..most."""
    factors = np.log(np.arange(n, n - most, -1)) - np.log(np.arange(1, most + 1))
    return np.concatenate([[0.0], np.cumsum(factors)])


def _merge_sums(sums: Floats, logs: Floats, slack: float) -> tuple[Floats, Floats]:
    """Sums that are the same by rounding become one, which keeps lattices small."""
    order = np.argsort(sums, kind="stable")
    sums, logs = sums[order], logs[order]
    first = np.concatenate([[True], np.diff(sums) > slack])
    starts = np.flatnonzero(first)
    return sums[starts], np.logaddexp.reduceat(logs, starts)


def _common_unit(sizes: Floats) -> float | None:
    """The largest number of which all sizes are multiples; None where there is none to speak of."""
    least = sizes[0] * 1e-6
    unit = float(sizes[0])
    for size in sizes[1:].tolist():
        rest = size
        while rest > least:
            unit, rest = rest, unit % rest
            rest = 0.0 if unit - rest < least else rest
        if unit <= 10 * least:
            return None
    multiples = np.round(sizes / unit)
    return float(unit) if np.abs(sizes / unit - multiples).max() < _SAME * 1e3 else None


def _of_many(sizes: Floats, counts: Floats, total: float, whole: float) -> float:
    """Compute log P(S >= total): by adding up where few patterns reach it, else by integration.

    The integral is that of the trapezoidal rule along a line of this real part, with few nodes.
    """
    deviation = math.sqrt(float(counts @ sizes**2))
    real = max(_find_saddlepoint(sizes, counts, total), _OFF_POLE / deviation)
    # The integrand on the axis is not below log P(S >= total): Chernoff's bound.
    log_top = float(counts @ (np.logaddexp(real * sizes, -real * sizes) - _LN2)) - real * total
    if float(counts.sum()) * _LN2 + log_top < 2 * math.log(_FEW):
        counted = _count_patterns(sizes, counts, (whole - total) / 2, _SAME * whole)
        if counted is not None:
            return counted
    # By Hoeffding (1963) the tilted sum is beyond nine deviations with probability exp(-40).
    step = 2 * math.pi / max(9 * deviation, (_ALIAS - log_top) / real)
    last = min(_CELLS // len(sizes), _MOST_NODES)
    span = 2 * (_common_unit(sizes) or 0.0)  # S moves by twice the size of a term
    nodes = max(math.ceil(math.pi / span / step), _NODES_AT_ONCE) if span else last + 1
    if nodes <= last:
        integral = _over_period(sizes, counts, total, real, span, nodes)
    else:
        integral = _over_line(sizes, counts, total, real, step, last)
    # Only far above a tail that no float holds could rounding leave nothing of it.
    return log_top + math.log(integral) if integral > 0 else log_top


def _find_saddlepoint(sizes: Floats, counts: Floats, total: float) -> float:
    """Return the t where the tilted sum has the total as mean, by Newton from below."""
    t = total / float(counts @ sizes**2)
    for _ in range(_NEWTON_STEPS):
        tanh = np.tanh(t * sizes)
        slope = float(counts @ (sizes**2 * (1 - tanh**2)))
        missing = total - float(counts @ (sizes * tanh))
        if slope <= 0 or missing <= _CLOSE * total:
            break
        t += missing / slope
    return t


def _tilt_integrand(sizes: Floats, counts: Floats, total: float, real: float, y: Floats) -> Waves:
    """exp(K(c + iy) - (c + iy) total) relative to y = 0: (nodes,)."""
    turns = np.outer(y, sizes)
    ratio = np.cos(turns) + 1j * (np.tanh(real * sizes) * np.sin(turns))
    several = counts > 1
    ratio[:, several] **= counts[several]
    waves: Waves = np.prod(ratio, axis=1) * np.exp(-1j * y * total)
    return waves


def _over_period(
    sizes: Floats, counts: Floats, total: float, real: float, span: float, nodes: int
) -> float:
    """The integral where S lies on a lattice of this span: one period is all."""
    width = math.pi / span / nodes
    y = np.asarray((np.arange(nodes) + 0.5) * width, np.float64)
    waves = (
        _tilt_integrand(sizes, counts, total, real, y)
        * span
        / (1 - np.exp(-(real + 1j * y) * span))
    )
    return float(np.real(waves).sum() * width / math.pi)


def _over_line(
    sizes: Floats, counts: Floats, total: float, real: float, step: float, last: int
) -> float:
    """The integral where S has no lattice, until nothing adds to it any more."""
    summed, first, quiet = 0.5 / real, 1, 0
    enough = _echo_length(sizes, counts) / step
    while first < last and quiet <= enough:
        y = np.asarray(step * np.arange(first, first + _NODES_AT_ONCE), np.float64)
        waves = _tilt_integrand(sizes, counts, total, real, y)
        summed += float(np.real(waves / (real + 1j * y)).sum())
        quiet = quiet + _NODES_AT_ONCE if np.abs(waves).max() < _GONE else 0
        first += _NODES_AT_ONCE
    return summed * step / math.pi


def _echo_length(sizes: Floats, counts: Floats) -> float:
    """Return how long the integrand has to be quiet before nothing follows.

    Sizes that are nearly alike are in step again at pi over their mean, as loud as their spread
    lets them be.
    """
    terms = float(counts.sum())
    mean = float(counts @ sizes) / terms
    spread = math.sqrt(max(float(counts @ sizes**2) / terms - mean**2, 0.0)) / mean
    loud = terms * (math.pi * spread) ** 2 / 2 < -math.log(_GONE)
    return 1.5 * math.pi / mean if loud else 0.0


# --- tests ----------------------------------------------------------------------------------------


#: A matrix whose condition is above this has no inverse to speak of.
_SINGULAR = 1e12
#: A cluster's sum below this share of its terms' sizes is rounding, and so are differences of pairs
#: that are equal but for their binary digits, as 0.3 - 0.2 and 0.6 - 0.5.
_ROUNDING = 1e-12
#: Units whose sides are exchanged at a time, to bound memory.
_AT_ONCE = 128


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided mid-p of the two kinds of flips under equal chances; 1 without flips.

    Twice the one-sided probability, in which what was seen counts half. Fagerland, M. W., Lydersen,
    S., Laake, P. (2013). The McNemar test for binary matched-pairs data: mid-p and asymptotic are
    better than exact conditional. BMC Medical Research Methodology 13:91. Nothing below 2.2e-308.
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"flips are counts, got {gained!r} and {lost!r}")
    n, fewer = gained + lost, min(gained, lost)
    if gained == lost:
        return 1.0
    hits = np.arange(1, fewer + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n + 1 - hits) / hits))])
    logs[-1] -= _LN2  # what was seen counts half
    logs += (1 - n) * _LN2
    highest = float(logs.max())
    log_p = highest + math.log(float(np.exp(logs - highest).sum()))
    return min(max(math.exp(log_p), LEAST_P), 1.0)


def nothing_moved(n: int) -> float:
    """Upper 97.5 % limit of the share of clusters that move, where none of n did: about 3.7/n.

    1 - .025 ** (1/n): Hanley, J. A., Lippman-Hand, A. (1983). If nothing goes wrong, is everything
    all right? JAMA 249(13), 1743-1745 (the rule of three, 3/n, is its 95 %).
    """
    if n < 1:
        raise ValueError("nothing was compared")
    return -math.expm1(math.log(0.025) / n)


def flip_interval(gained: int, lost: int, n: int) -> Limits:
    """95 % limits of the difference of paired proportions (gained - lost)/n, inside [-1, 1].

    Adjusted Wald: one flip more each way, two probes more. Bonett, D. G., Price, R. M. (2012).
    Adjusted Wald confidence interval for a difference of binomial proportions based on paired data.
    Journal of Educational and Behavioral Statistics 37(4), 479-488; recommended by Fagerland, M.
    W., Lydersen, S., Laake, P. (2014). Statistics in Medicine 33(16), 2850-2875. Without any flip
    the wider `nothing_moved`, for there the adjusted limits miss more often than stated.
    """
    if min(gained, lost) < 0 or n < max(gained + lost, 1):
        raise ValueError(f"need flips within n > 0 probes, got {gained!r}, {lost!r} of {n!r}")
    if gained == lost == 0:
        limit = nothing_moved(n)
        return Limits(-limit, limit)
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    centre, half = up - down, Z95 * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    seen = (gained - lost) / n
    return Limits(max(min(centre - half, seen), -1.0), min(max(centre + half, seen), 1.0))


class Homogeneity(NamedTuple):
    """Stuart-Maxwell: whether the classes are as frequent after as before."""

    statistic: float
    degrees: int
    p: float


def compare_margins(differences: Matrix) -> Homogeneity | None:
    """Test equal margins by chi-squared, from differences of class shares: (probes, classes).

    The covariance is the sum of the products of differences, which for answers of one class each is
    that of Stuart and Maxwell; repeats may differ. Classes that nobody left or entered are dropped,
    and one class is redundant. None where nothing left its class, or where the covariance is
    singular, as it is where classes fall into parts without moves between them. Stuart, A. (1955).
    A test for homogeneity of the marginal distributions in a two-way classification. Biometrika
    42(3/4), 412-416; Maxwell, A. E. (1970). Comparing the classification of subjects by two
    independent judges. British Journal of Psychiatry 116, 651-655.
    """
    moved, covariance = differences.sum(axis=0), differences.T @ differences
    active = np.flatnonzero(np.diag(covariance) > _ROUNDING)[:-1]
    if not len(active):
        return None
    part = covariance[np.ix_(active, active)]
    if np.linalg.cond(part) > _SINGULAR:
        return None
    statistic = max(float(moved[active] @ np.linalg.solve(part, moved[active])), 0.0)
    return Homogeneity(statistic, len(active), chi_squared_tail(statistic, len(active)))


@dataclass(frozen=True, slots=True)
class FlipTest:
    """A sum of differences over clusters with its 95 % interval and sign-flip p.

    `spread` is the standard deviation of the sum if each cluster's sign were a fair coin.
    """

    total: float
    low: float | None
    high: float | None
    p: float
    clusters: int  # all
    moved: int  # those whose terms do not add up to 0
    spread: float

    @property
    def evidence(self) -> tuple[tuple[str, float], ...]:
        """The facts that the claim beyond the list reads."""
        return (("spread", self.spread),)


def sign_flip(terms: Floats, clusters: Ints | None = None, step: float = 0.0) -> FlipTest:
    """Two-sided test that each cluster's sum is as likely positive as negative.

    `terms` (probes,) add up to the change of the quantity; `clusters` (probes,) are whole numbers,
    None where every probe stands for itself. `step` is how far the total goes when one cluster
    flips (root mean square): it stands for the changes that were not seen.

    p: probability under all patterns of signs that |total| is reached, deterministic and good in
    the far tail; 1 where nothing moved. Interval: total -+ t * sqrt(G/(G - 1) *
    sum((d_g - mean)^2) + 2 step^2), t with G - 1 degrees of freedom: the cluster-robust variance
    with the factor of CR1 (Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to
    cluster-robust inference. Journal of Human Resources 50(2), 317-372) and one step each way, as
    Bonett and Price (2012) add to flips. Where nothing moved: -+ G * step * `nothing_moved(G)`;
    without a step, or with one cluster, there is no interval.
    """
    values = np.asarray(terms, np.float64)
    if values.ndim != 1 or not np.isfinite(values).all() or step < 0:
        raise ValueError("need one column of finite terms and a step of at least 0")
    sums = _by_cluster(values, clusters)
    moved = int(np.count_nonzero(sums))
    # Sums of floats depend on their order; this does not.
    total = math.fsum(values.tolist()) if moved else 0.0
    low, high = _robust_limits(sums, moved, total, step)
    return FlipTest(
        total, low, high, two_sided(sums), len(sums), moved,
        spread=math.hypot(*sums.tolist()),
    )  # fmt: skip


def exchange_parts(
    reduce: Callable[[Matrix, Ints, Floats], Floats], before: Matrix, after: Matrix
) -> Floats:
    """Return how far a statistic moves when one unit alone goes from before to after: (units,).

    `before` and `after` hold the columns of each unit, (units, columns); `reduce` gives the
    statistic of one group under each row of weights, as that of a measure does. The others are
    where half of each side is, so that a part changes its sign when the sides change places. Parts
    of a mean add up to its change; of other statistics nearly (`recentre_flip`). The part of a unit
    that did not move is 0, and so is one without which the statistic has no value.
    """
    n, stacked = len(before), np.concatenate([before, after])
    parts, moved = np.zeros(n), np.flatnonzero((before != after).any(axis=1))
    groups = np.zeros(2 * n, np.int64)
    for first in range(0, len(moved), _AT_ONCE):
        rows = moved[first : first + _AT_ONCE]
        weights = np.full((2, len(rows), 2 * n), 0.5)
        for side, (stays, goes) in enumerate(((rows, n + rows), (n + rows, rows))):
            weights[side, np.arange(len(rows)), stays] = 1.0
            weights[side, np.arange(len(rows)), goes] = 0.0
        then, now = reduce(stacked, groups, weights.reshape(-1, 2 * n))[:, 0].reshape(2, -1)
        parts[rows] = np.nan_to_num(now - then)
    return np.where(np.abs(parts) > _ROUNDING, parts, 0.0)


def recentre_flip(ends: tuple[float, float], flip: FlipTest) -> FlipTest:
    """Return a test of parts with the change from one end to the other, and limits about it.

    Without limits where nothing moved; a change that is rounding is none.
    """
    change = ends[1] - ends[0] if abs(ends[1] - ends[0]) > _ROUNDING else 0.0
    if flip.low is None or flip.high is None or not flip.moved:
        return replace(flip, total=change, low=None, high=None)
    shift = change - flip.total
    return replace(flip, total=change, low=flip.low + shift, high=flip.high + shift)


def paired_t(differences: Sequence[float]) -> tuple[float, float] | None:
    """Return (t, two-sided p) of Student's test that pairs do not differ on average.

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
    variance = math.fsum((difference - mean) ** 2 for difference in differences) / (n - 1)
    t = mean / math.sqrt(variance / n)
    return t, two_sided_t(t, n - 1)


def wider_flip(first: FlipTest, second: FlipTest) -> FlipTest:
    """Return the first, with the larger p and spread and the wider interval.

    Without an interval where either has none.
    """
    first = replace(first, p=max(first.p, second.p), spread=max(first.spread, second.spread))
    if None in (first.low, first.high, second.low, second.high):
        return replace(first, low=None, high=None)
    half = max((flip.high or 0.0) - flip.total for flip in (first, second))
    return replace(first, low=first.total - half, high=first.total + half)


def _by_cluster(values: Floats, clusters: Ints | None) -> Floats:
    """Sum of each cluster, 0 where only rounding is left: (clusters,)."""
    if clusters is None:
        return values
    numbers = np.asarray(clusters)
    if numbers.shape != values.shape:
        raise ValueError(f"need a cluster for each term, got {numbers.shape} for {values.shape}")
    _, of = np.unique(numbers, return_inverse=True)
    sums = np.bincount(of, values) if len(values) else values
    size = np.bincount(of, np.abs(values)) if len(values) else values
    return np.where(np.abs(sums) > _ROUNDING * size, sums, 0.0)


def _robust_limits(
    sums: Floats, moved: int, total: float, step: float
) -> tuple[float, float] | tuple[None, None]:
    size = len(sums)
    if size < 2 or not (moved or step):  # noqa: PLR2004 - one cluster has no spread
        return None, None
    if not moved:
        half = size * step * nothing_moved(size)
        return -half, half
    spread = float(np.sum((sums - sums.mean()) ** 2)) * size / (size - 1)
    half = t95(size - 1) * math.sqrt(spread + 2 * step**2)
    return total - half, total + half


_Flags = NDArray[np.bool_]

#: p of `missing_p` up to which missing answers are said to have come or gone with a change.
SUSPECT = 0.05


def mean_bounds(low: Floats, high: Floats, known: _Flags) -> Limits:
    """Return the lowest and highest mean of known terms and any of the others.

    `low` and `high` (N,) are the ends of each term, infinite where nothing bounds it; `known` (N,)
    are the terms that count, at least one. Whether another one counts is as open as its value: an
    answer that is missing might have been one without a value. The bounds are sharp: Manski,
    C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3), 343-360.
    """
    if not known.any():
        raise ValueError("a mean needs a known term")
    certain, optional = (IntervalMethod(low[rows], high[rows]) for rows in (known, ~known))
    return mean_limits(certain, optional)


def missing_p(kept: Sequence[tuple[int, int]], moved: Sequence[tuple[int, int]]) -> float | None:
    """Return the p of: answers of each class are as likely missing after as before.

    By class, `kept` are the numbers of questions of the panel that have it (before, after), `moved`
    of those that have it at one side and are missing at the other (missing after, missing before).
    Where answers of a class are missing with the same probability on both sides, whatever it is,
    those of `moved` are divided like those of `kept`: a binomial test, two-sided, mid-p. The least
    p of the classes times their number, at most 1; None where no question moved.
    """
    p = [
        _binomial_p(lost, lost + gained, (before + 0.5) / (before + after + 1))
        for (before, after), (lost, gained) in zip(kept, moved, strict=True)
        if lost + gained
    ]
    return min(1.0, len(p) * min(p)) if p else None


def _binomial_p(hits: int, n: int, share: float) -> float:
    """Two-sided mid-p: twice the smaller tail, in which what was seen counts half."""
    k = np.arange(n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - k[:-1]) / k[1:]))])
    logs += k * math.log(share) + (n - k) * math.log1p(-share)
    chances = np.exp(logs)
    below = float(chances[:hits].sum() + chances[hits] / 2)
    above = float(chances[hits + 1 :].sum() + chances[hits] / 2)
    return min(1.0, 2 * min(below, above))
