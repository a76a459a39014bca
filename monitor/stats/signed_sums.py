"""The law of a sum whose terms have random signs: sizes of terms and a total in, its tail out.

S = sum of e_k d_k, where each e_k is +1 or -1 with probability 1/2. No random numbers, so that a
tail of 1e-30 is as good as one of 0.5, and the same for everybody.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats
from monitor.stats.chance import LEAST_P

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
    if _log_sums(counts) < 2 * math.log(_FEW):
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


@dataclass(frozen=True, slots=True)
class _Contour:
    """The line of integration: real part, log of the integrand on the axis, and step of nodes."""

    real: float
    log_top: float  # not below log P(S >= total): Chernoff's bound
    step: float
    span: float | None  # of the lattice that S lies on


def _choose_contour(sizes: Floats, counts: Floats, total: float) -> _Contour:
    deviation = math.sqrt(float(counts @ sizes**2))
    real = max(_find_saddlepoint(sizes, counts, total), _OFF_POLE / deviation)
    log_top = float(counts @ (np.logaddexp(real * sizes, -real * sizes) - _LN2)) - real * total
    # By Hoeffding (1963) the tilted sum is beyond nine deviations with probability exp(-40).
    reach = max(9 * deviation, (_ALIAS - log_top) / real)
    unit = _common_unit(sizes)  # S moves by twice the size of a term
    return _Contour(real, log_top, 2 * math.pi / reach, None if unit is None else 2 * unit)


def _log_sums(counts: Floats) -> float:
    """Logarithm of how many sums there are at most."""
    return float(np.log(counts + 1).sum())


def _of_many(sizes: Floats, counts: Floats, total: float, whole: float) -> float:
    """Compute log P(S >= total): by adding up where few patterns reach it, else by integration."""
    contour = _choose_contour(sizes, counts, total)
    reaching = float(counts.sum()) * _LN2 + contour.log_top
    if reaching < 2 * math.log(_FEW):
        counted = _count_patterns(sizes, counts, (whole - total) / 2, _SAME * whole)
        if counted is not None:
            return counted
    return _integrate_contour(sizes, counts, total, contour)


def _integrate_contour(sizes: Floats, counts: Floats, total: float, contour: _Contour) -> float:
    """Compute log P(S >= total) by the trapezoidal rule along the contour, with few nodes."""
    last = min(_CELLS // len(sizes), _MOST_NODES)
    integral = None
    if contour.span is not None:
        nodes = max(math.ceil(math.pi / contour.span / contour.step), _NODES_AT_ONCE)
        if nodes <= last:
            integral = _over_period(sizes, counts, total, contour.real, contour.span, nodes)
    if integral is None:
        integral = _over_line(sizes, counts, total, contour, last)
    # Only far above a tail that no float holds could rounding leave nothing of it.
    return contour.log_top + math.log(integral) if integral > 0 else contour.log_top


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


def _over_line(sizes: Floats, counts: Floats, total: float, contour: _Contour, last: int) -> float:
    """The integral where S has no lattice, until nothing adds to it any more."""
    real, step = contour.real, contour.step
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
