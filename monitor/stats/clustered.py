"""Sampling variance of means whose units come in clusters, from one correlation for all strata.

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
from monitor.stats.intervals import Z95
from monitor.stats.tails import t95

_FEWEST = 2


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
        own = strata == stratum
        y = values[own]
        _, of, sizes = np.unique(clusters[own], return_inverse=True, return_counts=True)
        n, groups = len(y), len(sizes)
        if groups < _FEWEST:
            continue
        together |= groups < n
        degrees += groups - 1
        residuals = y - y.mean()
        independent = float(residuals @ residuals) / (n - 1) / n
        sums = np.bincount(of, residuals)
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
