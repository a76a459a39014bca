import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stats.chance import (
    benjamini_hochberg,
    binomial_law,
    hypergeometric_law,
    two_sided,
)
from tests.cases import check_each


@check_each("n", [0, 1, 7, 10, 50, 400])
@check_each("p", [0.0, 1e-6, 0.1, 0.29, 0.5, 0.93, 1.0])
def test_the_binomial_law_is_that_of_scipy(n, p):
    law = binomial_law(n, p)
    assert law.sum() == pytest.approx(1)
    assert law == pytest.approx(scipy.stats.binom.pmf(np.arange(n + 1), n, p), rel=1e-10)


@check_each(
    ("population", "marked", "n"),
    [(50, 20, 10), (10, 10, 10), (10, 0, 4), (12, 5, 12), (300, 1, 50), (5, 3, 0)],
)
def test_the_hypergeometric_law_is_that_of_scipy(population, marked, n):
    law = hypergeometric_law(population, marked, n)
    expected = scipy.stats.hypergeom.pmf(np.arange(n + 1), population, marked, n)
    assert law == pytest.approx(expected, rel=1e-10)


@check_each("arguments", [(10, 11, 3), (10, 5, 11), (10, -1, 3), (10, 5, -1)])
def test_a_draw_that_cannot_be_is_an_error(arguments):
    with pytest.raises(ValueError, match="cannot draw"):
        hypergeometric_law(*arguments)


@check_each("arguments", [(-1, 0.5), (3, 1.1), (3, -0.1), (3, float("nan"))])
def test_an_impossible_binomial_is_an_error(arguments):
    with pytest.raises(ValueError, match="need n >= 0"):
        binomial_law(*arguments)


@settings(deadline=None)
@given(st.integers(1, 60), st.floats(0.001, 0.999), st.data())
def test_p_is_that_of_the_binomial_test(n, p, data):
    hits = data.draw(st.integers(0, n))
    expected = scipy.stats.binomtest(hits, n, p).pvalue
    assert two_sided(binomial_law(n, p), hits) == pytest.approx(expected, rel=1e-6)


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.data())
def test_p_is_that_of_fishers_exact_test(marked, others, data):
    n = data.draw(st.integers(0, marked + others))
    hits = data.draw(st.integers(max(0, n - others), min(n, marked)))
    table = [[hits, n - hits], [marked - hits, others - n + hits]]
    expected = scipy.stats.fisher_exact(table).pvalue
    law = hypergeometric_law(marked + others, marked, n)
    assert two_sided(law, hits) == pytest.approx(expected, rel=1e-6)


def test_p_by_hand():
    # 0, 1, 9 and 10 heads of 10 fair throws are no more probable than 1: 22 of 1024
    assert two_sided(binomial_law(10, 0.5), 1) == pytest.approx(22 / 1024)
    assert two_sided(binomial_law(10, 0.5), 5) == pytest.approx(1.0)
    assert two_sided(binomial_law(10, 0.0), 1) == 0
    assert two_sided(binomial_law(10, 1.0), 10) == 1


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=30))
def test_q_is_that_of_scipy(p):
    adjusted = benjamini_hochberg(p)
    expected = scipy.stats.false_discovery_control(p) if p else []
    assert adjusted == pytest.approx(np.asarray(expected), abs=1e-12)
    assert (adjusted >= np.asarray(p)).all()


def test_q_by_hand():
    assert benjamini_hochberg([0.04, 0.01, 0.03, 0.9]) == pytest.approx(
        [4 / 3 * 0.04, 0.04, 4 / 3 * 0.04, 0.9]
    )
    for bad in ([1.1], [float("nan")], [[0.1]]):
        with pytest.raises(ValueError, match="p-values"):
            benjamini_hochberg(bad)
