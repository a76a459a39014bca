import itertools
import math

import numpy as np
import pytest
import scipy.integrate
from hypothesis import given
from hypothesis import strategies as st

from monitor.stats.evalues import flips, from_p, signs
from tests.cases import check_each

TERM = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-6)


@check_each(("gained", "lost"), [(0, 0), (1, 0), (3, 8), (25, 4), (150, 90)])
def test_flips_are_the_integral_of_their_likelihood_ratios(gained, lost):
    def ratio(q):
        return math.exp(
            gained * math.log(2 * q) + lost * math.log(2 * (1 - q)) if 0 < q < 1 else -math.inf
        )

    expected, _ = scipy.integrate.quad(ratio, 0, 1, epsabs=0, epsrel=1e-10, limit=200)
    assert flips(gained, lost) == pytest.approx(expected, rel=1e-6)


def test_flips_by_hand():
    assert flips(10, 0) == pytest.approx(2**10 / 11)
    assert flips(1, 1) == pytest.approx(4 / 6)
    assert flips(5000, 0) == math.inf  # beyond the largest number, and said as such
    assert flips(0, 7) == flips(7, 0)


@check_each("n", [0, 1, 2, 7, 40])
def test_fair_flips_have_a_mean_of_exactly_one(n):
    mean = sum(math.comb(n, g) / 2**n * flips(g, n - g) for g in range(n + 1))
    assert mean == pytest.approx(1)


def test_fair_flips_seldom_ever_reach_the_limit():
    # 4,000 endless samplings cut off at 1,000 flips: at most 5 % may ever reach 20 (standard error
    # 0.0034); a p-value looked at as often would have crossed 0.05 far more often.
    rng = np.random.default_rng(3)
    gained = np.cumsum(rng.random((4000, 1000)) < 0.5, axis=1)
    table = [[flips(g, n - g) for g in range(n + 1)] for n in range(1, 1001)]
    ever = np.zeros(4000, bool)
    for n, row in enumerate(table):
        ever |= np.array(row)[gained[:, n]] >= 20
    assert 0.01 < ever.mean() <= 0.05


@check_each("spread", [None, 0.3, 5.0, 1000.0])
def test_symmetric_signs_have_a_mean_of_exactly_one(spread):
    sizes = [0.01, 0.5, 0.5, 3.0, 0.0, 40.0, 1.1]
    every = [
        signs([s * x for s, x in zip(choice, sizes, strict=True)], spread)
        for choice in itertools.product([-1, 1], repeat=len(sizes))
    ]
    assert np.mean(every) == pytest.approx(1, rel=1e-9)


def test_signs_are_the_mean_of_the_products():
    x, spread = np.array([0.4, -0.1, 0.9]), 2.0
    rates = [way * 2 ** (k / 2) / spread for k in range(9) for way in (1, -1)]
    expected = np.mean([np.prod(np.exp(r * x) / np.cosh(r * x)) for r in rates])
    assert signs(x, spread) == pytest.approx(expected, rel=1e-12)


def test_symmetric_terms_seldom_ever_reach_the_limit():
    # Cauchy terms, which have no variance at all, looked at after each of 200; standard error of
    # the share 0.0097 at the limit of 0.05.
    rng = np.random.default_rng(4)
    ever = 0
    for _ in range(500):
        x = rng.standard_cauchy(200)
        ever += any(signs(x[:n], spread=20.0) >= 20 for n in range(5, 201, 5))
    assert ever / 500 <= 0.05


def test_evidence_grows_with_a_real_change():
    rng = np.random.default_rng(5)
    x = rng.normal(0.8, 1, 100)
    assert signs(x) > 1000
    assert signs(-x) == pytest.approx(signs(x))
    assert signs(x - x.mean()) < 1
    assert flips(60, 20) > 1000
    assert flips(40, 40) < 1


@given(st.lists(TERM, max_size=30), st.floats(1e-3, 1e3))
def test_the_unit_of_the_terms_does_not_matter(terms, unit):
    assert signs([unit * x for x in terms]) == pytest.approx(signs(terms), rel=1e-6)


def test_no_sign_is_no_evidence():
    assert signs([]) == signs([0.0, 0.0]) == signs([0.0], 3.0) == 1
    assert signs([1e-300, 1e-300]) == pytest.approx(signs([1.0, 1.0]))
    assert signs([1.0] * 5000) > 1e50


def test_calibrated_p_has_a_mean_of_one():
    assert from_p(1.0) == pytest.approx(0.5)
    # substituting p = exp(-u) keeps the peak at 0 in sight; the tail beyond u is 1/u
    mean, _ = scipy.integrate.quad(lambda u: from_p(math.exp(-u)) * math.exp(-u), 0, 500, limit=500)
    assert mean + 1 / 500 == pytest.approx(1, abs=1e-5)


@check_each("p", [1e-300, 1e-8, 0.001, 0.05, 0.5, 0.99, 0.999, 0.99995, 0.9999999])
def test_calibrated_p_is_the_mean_of_its_powers(p):
    expected, _ = scipy.integrate.quad(
        lambda kappa: kappa * p ** (kappa - 1), 0, 1, epsrel=1e-12, limit=500
    )
    assert from_p(p) == pytest.approx(expected, rel=1e-8)


def test_p_of_nothing_is_infinite_evidence():
    assert from_p(0.0) == math.inf


def test_what_cannot_be_is_an_error():
    for p in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="p-value"):
            from_p(p)
    with pytest.raises(ValueError, match="counted"):
        flips(-1, 0)
    with pytest.raises(ValueError, match="finite"):
        signs([math.nan])
    for spread in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="spread"):
            signs([1.0], spread)
