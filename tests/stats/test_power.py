import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar

from monitor.stats.power import (
    F_M,
    F_S,
    mcnemar_power,
    probe_weights,
    sign_flip_power,
    smallest_detectable,
    smallest_detectable_sum,
)
from tests.cases import check_each


def mid_p(gained, lost):
    """Exact p of statsmodels less the probability of what was seen."""
    exact = mcnemar([[0, gained], [lost, 0]], exact=True).pvalue
    return exact - scipy.stats.binom.pmf(min(gained, lost), gained + lost, 0.5)


@check_each(("n", "flips", "effect"), [(8, 0.3, 0.4), (25, 0.1, 0.3), (12, 0, 0.5)])
@check_each("alpha", [0.05, 0.3])
def test_mcnemar_is_the_sum_over_all_tables(n, flips, effect, alpha):
    shares = [flips / 2 + effect, flips / 2, 1 - flips - effect]
    expected = sum(
        scipy.stats.multinomial.pmf([g, lost, n - g - lost], n, shares)
        for g in range(n + 1)
        for lost in range(n + 1 - g)
        if g != lost and mid_p(g, lost) <= alpha
    )
    assert mcnemar_power(n, flips, effect, alpha) == pytest.approx(expected, rel=1e-7)
    assert mcnemar_power(n, flips, -effect, alpha) == mcnemar_power(n, flips, effect, alpha)


@pytest.mark.parametrize(("flips", "effect"), [(0.02, 0.0), (0.02, 0.008), (0.1, 0.02)])
def test_mcnemar_is_that_of_a_simulation(flips, effect):
    # 4,000 draws: four standard errors are at most 3.2 %
    rng = np.random.default_rng(1)
    n, alpha = 3000, 0.05
    shares = [flips / 2 + effect, flips / 2, 1 - flips - effect]
    gained, lost, _ = rng.multinomial(n, shares, 4000).T
    fewer, d = np.minimum(gained, lost), gained + lost
    p = 2 * scipy.stats.binom.cdf(fewer, d, 0.5) - scipy.stats.binom.pmf(fewer, d, 0.5)
    assert mcnemar_power(n, flips, effect, alpha) == pytest.approx((p <= alpha).mean(), abs=0.032)


@pytest.mark.parametrize("power", [0.8, 0.9])
def test_connors_sample_size_has_that_power(power):
    # his approximation is good to a few per cent where hundreds of probes flip
    flips, effect, alpha = 0.10, 0.04, 0.05
    z, z_power = scipy.stats.norm.ppf([1 - alpha / 2, power])
    psi = flips + effect
    n = math.ceil((z * math.sqrt(psi) + z_power * math.sqrt(psi - effect**2)) ** 2 / effect**2)
    assert mcnemar_power(n, flips, effect, alpha) == pytest.approx(power, abs=0.02)


def sign_flip_p(rng, terms, flips=400):
    terms = terms[terms != 0]
    if not len(terms):
        return 1.0
    drawn = rng.choice([-1.0, 1.0], (flips, len(terms))) @ terms
    return (1 + (np.abs(drawn) >= abs(terms.sum()) - 1e-12).sum()) / (flips + 1)


@check_each(("shares", "effect"), [(F_S, 0.0), (F_S, 0.025), (F_M, 0.012), ((1.0,), 0.015)])
def test_sign_flips_are_those_of_a_simulation(shares, effect):
    # 600 draws: four standard errors are at most 8 %; 400 flips add a little
    rng = np.random.default_rng(2)
    sizes = [150 + 20 * (k % 5) for k in range(16)] if len(shares) > 1 else [1000]
    weights = probe_weights(sizes, shares)
    flips, alpha = 0.04, 0.05
    more = effect / np.abs(weights).sum()
    found = 0
    for _ in range(600):
        u = rng.random(len(weights))
        d = np.where(u < flips / 2 + more, 1, np.where(u < flips + more, -1, 0))
        found += sign_flip_p(rng, np.abs(weights) * d) <= alpha
    assert sign_flip_power(weights, flips, effect, alpha) == pytest.approx(found / 600, abs=0.085)


def test_equal_weights_are_mcnemar():
    weights = probe_weights([3000], [1.0])
    for effect in (0.0, 0.006, 0.01):
        ours = sign_flip_power(weights, 0.02, effect, 0.01)
        assert ours == pytest.approx(mcnemar_power(3000, 0.02, effect, 0.01), abs=0.02)


def test_weights_are_what_one_flip_moves_f_s_by():
    sizes = [10, 20, 10, 10, 10, 10, 10, *[30] * 9]
    weights = probe_weights(sizes, F_S)
    p = [np.zeros(n) for n in sizes]
    p[1][0] = 1
    f_s = np.mean([part.mean() for part in p[7:]]) - np.mean([part.mean() for part in p[:7]])
    assert weights[10] == pytest.approx(f_s)
    assert np.abs(weights).sum() == pytest.approx(2)
    assert np.abs(probe_weights(sizes, F_M)).sum() == pytest.approx(1)


@pytest.mark.parametrize("power", [0.8, 0.9])
def test_the_smallest_change_is_found_that_often_and_less_is_not(power):
    effect = smallest_detectable(500, 0.02, 0.05, power)
    assert mcnemar_power(500, 0.02, effect, 0.05) >= power
    assert mcnemar_power(500, 0.02, effect - 2e-5, 0.05) < power
    weights = probe_weights([190] * 16, F_S)
    effect = smallest_detectable_sum(weights, 0.02, 0.05, power)
    assert sign_flip_power(weights, 0.02, effect, 0.05) >= power
    assert sign_flip_power(weights, 0.02, effect - 2e-5, 0.05) < power


def test_smaller_levels_fewer_probes_and_clusters_cost_power():
    weights = probe_weights([190] * 16, F_S)
    plain = smallest_detectable_sum(weights, 0.02, 0.05)
    assert smallest_detectable_sum(weights, 0.02, 1e-6) > plain
    assert smallest_detectable_sum(weights, 0.02, 0.05, design=2) > plain
    assert smallest_detectable_sum(weights, 0.06, 0.05) > plain
    assert smallest_detectable(200, 0.02, 0.05) > smallest_detectable(3000, 0.02, 0.05)


def test_too_few_probes_find_nothing():
    assert smallest_detectable(3, 0.0, 0.05) is None
    assert mcnemar_power(3, 0.0, 1.0, 0.05) == 0
    assert smallest_detectable_sum([1.0], 0.0, 1e-9) is None


def test_a_system_that_answers_the_same_twice():
    # nothing flips by itself: six flips one way have a mid-p of 2^-6, five of 2^-5
    assert mcnemar_power(100, 0.0, 0.0, 0.05) == 0
    expected = scipy.stats.binom.sf(5, 100, 0.1)
    assert mcnemar_power(100, 0.0, 0.1, 0.02) == pytest.approx(expected)
    assert sign_flip_power([0.5, 0.5], 0.0, 0.0, 0.05) == 0
    assert sign_flip_power([0.2] * 100, 0.0, 20.0, 0.05) == 1


def test_what_cannot_be_is_an_error():
    for flips, effect in [(-0.1, 0), (0.8, 0.3), (1.1, 0), (math.nan, 0)]:
        with pytest.raises(ValueError, match="exceed"):
            mcnemar_power(10, flips, effect, 0.05)
    for alpha in (0.0, 1.0):
        with pytest.raises(ValueError, match="level"):
            sign_flip_power([1.0], 0.1, 0.1, alpha)
    with pytest.raises(ValueError, match="probe"):
        mcnemar_power(0, 0.1, 0.1, 0.05)
    for weights in ([], [0.0], [math.nan], [[1.0]]):
        with pytest.raises(ValueError, match="weights"):
            sign_flip_power(weights, 0.1, 0.1, 0.05)
    with pytest.raises(ValueError, match="design"):
        sign_flip_power([1.0], 0.1, 0.1, 0.05, design=0.5)
    with pytest.raises(ValueError, match="power"):
        smallest_detectable(10, 0.1, 0.05, power=1.0)
    for sizes, shares in [([1], [1.0, 2.0]), ([], []), ([0], [1.0])]:
        with pytest.raises(ValueError, match="group"):
            probe_weights(sizes, shares)
