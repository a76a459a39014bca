"""Intervals of means whose units come in clusters.

For shares of strata, one correlation within clusters for all; for one mean over many clusters, the
clusters' own parts of it.

Sentences of one sub-stereotype have more in common than others of the same stereotype. A mean over
n of them then varies more than one over n independent sentences, by the design effect of Kish, L.
(1965). Survey Sampling. Wiley, section 5.4. A stereotype alone has four to eight clusters, which
tell its design effect badly; the correlation of units within a cluster is therefore estimated over
several strata together.
"""

import math
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats, Ints
from monitor.stats.chance import t95
from monitor.stats.intervals import Z95, Limits
from monitor.stats.paired import nothing_moved

_FEWEST = 2
#: Values that differ by less than this share of their size are equal, and a skewness is none.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ClusterEffect:
    """Correlation of two units of one cluster, with the degrees of freedom of its estimate.

    `degrees` is clusters less strata; 0 where no correlation can be estimated, because every unit
    is a cluster of its own or every stratum has one cluster.
    """

    correlation: float
    degrees: int

    def inflation(self, clusters: Ints) -> float:
        """Return the factor by which clusters raise the variance of a mean, at least 1.

        `clusters` (n,) has the cluster of each unit of the mean. The factor is (t/z)^2 (1 + (m -
        1) r), m = sum of squared cluster sizes / n, t Student's quantile with `degrees` degrees of
        freedom, and 1 where every unit is a cluster of its own. n divided by it is the effective
        sample size: Korn, E. L., Graubard, B. I. (1998). Confidence intervals for proportions with
        small expected number of positive counts estimated from survey data. Survey Methodology
        24(2), 193-201; never above n: Dean, N., Pagano, M. (2015). Evaluating confidence interval
        methods for binomial proportions in clustered surveys. Journal of Survey Statistics and
        Methodology 3(4), 484-503.
        """
        sizes = np.unique(clusters, return_counts=True)[1].astype(np.float64)
        if not self.degrees or len(sizes) == len(clusters):
            return 1.0
        size = float((sizes**2).sum() / sizes.sum())
        student = (t95(self.degrees) / Z95) ** 2
        return max(1.0, student * (1 + (size - 1) * self.correlation))


#: Every unit is a cluster of its own.
INDEPENDENT = ClusterEffect(0.0, 0)


def cluster_effect(values: Floats, strata: Ints, clusters: Ints) -> ClusterEffect:
    """Estimate the correlation of units within clusters; all arguments have shape (n,).

    A stratum is what has a mean of its own; clusters are numbered over all strata, and a cluster
    that lies in two strata counts in each. By moments: in each stratum the cluster-robust variance
    of its mean (with the factor G/(G - 1) of CR1: Cameron, A. C., Miller, D. L. (2015). A
    practitioner's guide to cluster-robust inference. Journal of Human Resources 50(2), 317-372)
    less the variance of independent units, summed over strata, divided by what a correlation of 1
    would add. The estimate may be below 0. Strata of one unit or one cluster are left out.
    """
    excess: list[float] = []
    largest: list[float] = []
    degrees, together = 0, False
    for stratum in np.unique(strata):
        in_stratum = strata == stratum
        y = values[in_stratum]
        _, cluster_index, sizes = np.unique(
            clusters[in_stratum], return_inverse=True, return_counts=True
        )
        n, groups = len(y), len(sizes)
        if groups < _FEWEST:
            continue
        together |= groups < n
        degrees += groups - 1
        residuals = y - y.mean()
        independent = float(residuals @ residuals) / (n - 1) / n
        sums = np.bincount(cluster_index, residuals)
        robust = groups / (groups - 1) * float(sums @ sums) / n**2
        excess.append(robust - independent)
        largest.append(independent * (float((sizes.astype(np.float64) ** 2).sum()) / n - 1))
    if not together:
        return INDEPENDENT
    whole = math.fsum(largest)
    return ClusterEffect(math.fsum(excess) / whole if whole > 0 else 0.0, degrees)


def effective_size(coefficients: Floats, shares: Floats, n: Floats, inflation: Floats) -> float:
    """Return the number of independent trials whose share is as uncertain as a mean of shares.

    All arguments have shape (strata,): the mean is sum(c_i p_i) with c_i that add up to 1, p_i a
    share of n_i trials, whose variance clusters raise by `inflation`. It is mean (1 - mean) over
    the variance of the mean. Where every stratum is unanimous the observed variance is 0: then half
    a trial in each counts as the other way round, or the strata as one sample.
    """
    mean = float(np.clip(np.sum(coefficients * shares), 0.0, 1.0))
    weights = coefficients**2 * inflation
    half = 0.5 / (n + 1)
    pooled = 1 / float(np.sum(weights / n))
    spread = mean * (1 - mean)
    most = max(pooled, spread / float(np.sum(weights * half * (1 - half) / n)))
    variance = float(np.sum(weights * shares * (1 - shares) / np.maximum(n - 1, 1)))
    if not 0 < mean < 1:
        return pooled
    return min(spread / variance, most) if variance > 0 else most


def mean_limits(values: Floats, clusters: Ints, lowest: float, highest: float) -> Limits | None:
    """Return 95 % limits of the mean of units that come in clusters; None below two clusters.

    `values` and `clusters` have shape (n,), and no value lies outside `lowest` and `highest`, which
    may be infinite. The parts that G clusters have in the mean give its standard error and its
    skewness; the limits are those of Student's t with G - 1 degrees of freedom after the
    transformation that takes the skewness off: Hall, P. (1992). On the removal of skewness by
    transformation. Journal of the Royal Statistical Society B 54(1), 221-228. Most means of ranked
    lists are skewed, because many queries reach the end of the range.

    Where all values are equal, a share of at most `nothing_moved(G)` of the clusters may have any
    other value; if nothing bounds them, the limits are the value.
    """
    _, of = np.unique(clusters, return_inverse=True)
    n, groups = len(values), int(of.max(initial=-1)) + 1
    if groups < _FEWEST:
        return None
    mean = float(values.mean())
    if float(np.ptp(values)) <= _ROUNDING * max(1.0, abs(mean)):
        share = nothing_moved(groups)
        ends = (mean + share * (end - mean) if np.isfinite(end) else mean for end in
                (lowest, highest))  # fmt: skip
        return Limits(*ends)
    parts = np.bincount(of, values - mean) * groups / n
    spread = math.sqrt(float(parts @ parts) / (groups - 1))
    if spread <= _ROUNDING * float(np.abs(values - mean).max()):
        return Limits(mean, mean)
    skew = float(np.mean((parts / spread) ** 3)) / math.sqrt(groups)
    low, high = (
        mean - spread / math.sqrt(groups) * _back_transform(t, skew)
        for t in (t95(groups - 1), -t95(groups - 1))
    )
    return Limits(min(max(low, lowest), mean), max(min(high, highest), mean))


def _back_transform(t: float, skew: float) -> float:
    """Quantile of a studentised mean from that of its transformation; `skew` is over sqrt(G)."""
    if abs(skew) <= _ROUNDING:
        return t
    return 3 / skew * (float(np.cbrt(1 + skew * (t - skew / 6))) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """Units (n,) that lie in one of K topics and in one of H templates that every topic has.

    `topic` is numbered from 0 to K - 1; a unit without a template is a template of its own.
    """

    topic: Ints
    template: Ints

    def limits(self, value: float, parts: Floats, terms: Floats, least: float) -> Limits:
        """Return 95 % limits of a statistic over topics and templates like these.

        `parts` (K,) is what each topic adds to the deviation of the statistic from its mean,
        `terms` (n,) what each unit adds to that of its topic, `least` a variance below which the
        statistic is not known.
        """
        variance, degrees = self._variance(parts, terms)
        half = t95(degrees) * math.sqrt(max(variance, least))
        return Limits(value - half, value + half)

    def inflation(self, values: Floats) -> float:
        """Return the factor by which both raise the variance of a mean of values (n,), at least 1.

        With Student's quantile in it, as in `ClusterEffect.inflation`.
        """
        n = len(values)
        if n < _FEWEST or np.ptp(values) == 0:
            return 1.0
        residuals = values - values.mean()
        _, topic, sizes = np.unique(self.topic, return_inverse=True, return_counts=True)
        parts = np.bincount(topic, residuals)
        if len(parts) < _FEWEST:
            return 1.0
        variance, degrees = self._variance(parts / n, (residuals - (parts / sizes)[topic]) / n)
        independent = float(residuals @ residuals) / (n - 1) / n
        return max(1.0, (t95(degrees) / Z95) ** 2 * variance / independent)

    def _variance(self, parts: Floats, terms: Floats) -> tuple[float, int]:
        """Variance of a statistic with its degrees of freedom.

        That of the sums over topics, and what the sums over templates vary more than their units
        do: Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway
        clustering. Journal of Business & Economic Statistics 29(2), 238-249. Degrees of freedom by
        Satterthwaite, because templates are few.
        """
        topics = len(parts)
        over_topics = topics / (topics - 1) * float(parts @ parts)
        _, of = np.unique(self.template, return_inverse=True)
        templates = int(of.max(initial=-1)) + 1
        excess = 0.0
        if _FEWEST <= templates < len(terms):
            sums, factor = np.bincount(of, terms), templates / (templates - 1)
            excess = max(factor * float(sums @ sums - terms @ terms), 0.0)
        variance = over_topics + excess
        shares = over_topics**2 / (topics - 1) + excess**2 / max(templates - 1, 1)
        degrees = int(variance**2 / shares) if shares > 0 else topics - 1
        return variance, min(max(degrees, 1), topics - 1)
