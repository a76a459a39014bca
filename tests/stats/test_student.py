import math

import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from monitor.stats.chance import two_sided_t
from monitor.stats.paired import paired_t
from tests.cases import check_each


@settings(deadline=None, max_examples=300)
@given(st.floats(-200, 200), st.one_of(st.integers(1, 400), st.floats(0.1, 400)))
def test_p_is_that_of_scipy(t, df):
    assume(abs(t) > 1e-6)  # nearer to 0 scipy loses digits, and says 1 for 1e-8
    assert two_sided_t(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-9)


def test_p_next_to_no_difference():
    """One degree of freedom is the Cauchy distribution: p = 1 - 2 arctan(t) / pi."""
    for t in (0.0, 1e-12, 4.9e-9, 1e-7):
        assert two_sided_t(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, rel=1e-15)


@check_each(
    ("t", "df", "p"),
    # critical values of the tables
    [(12.706, 1, 0.05), (2.306, 8, 0.05), (3.355, 8, 0.01), (2.042, 30, 0.05), (5.041, 8, 0.001)],
)
def test_p_of_the_tables(t, df, p):
    assert two_sided_t(t, df) == pytest.approx(p, rel=1e-3)
    assert two_sided_t(-t, df) == two_sided_t(t, df)


def test_the_ends():
    assert two_sided_t(0.0, 8) == 1
    assert two_sided_t(math.inf, 8) == 0
    assert two_sided_t(1e200, 8) == 0
    assert two_sided_t(1e-200, 8) == 1
    assert two_sided_t(1.96, 1e9) == pytest.approx(2 * scipy.stats.norm.sf(1.96), rel=1e-5)


@check_each(("t", "df"), [(math.nan, 8), (1.0, 0), (1.0, math.inf), (1.0, math.nan)])
def test_what_cannot_be_is_an_error(t, df):
    with pytest.raises(ValueError, match="degrees of freedom"):
        two_sided_t(t, df)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=30))
def test_the_paired_test_is_that_of_scipy(differences):
    assume(max(differences) - min(differences) > 1e-3)
    expected = scipy.stats.ttest_1samp(differences, 0.0)
    t, p = paired_t(differences)
    assert t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert p == pytest.approx(expected.pvalue, rel=1e-9)


@check_each(
    "differences", [[], [0.5], [0.5, 0.5, 0.5], [0.3 - 0.2, 0.6 - 0.5], [0.1 + 0.2 - 0.3, 0.0]]
)
def test_pairs_that_all_differ_by_the_same_are_not_tested(differences):
    assert paired_t(differences) is None
