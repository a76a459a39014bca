import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from monitor.stats.intervals import (
    Limits,
    agresti_coull,
    agresti_coull_centre,
    logit,
    logit_difference,
    mover,
    wilson,
)
from tests.cases import check_each

#: The level whose normal quantile is 1.959964.
ALPHA = math.erfc(1.959964 / math.sqrt(2))


@st.composite
def counts(draw):
    n = draw(st.integers(1, 5000))
    return draw(st.integers(0, n)), n


@given(counts())
def test_wilson_is_that_of_statsmodels(case):
    x, n = case
    low, high = wilson(x, n)
    assert (low, high) == pytest.approx(proportion_confint(x, n, ALPHA, "wilson"), abs=1e-12)


@given(counts())
def test_agresti_coull_is_that_of_statsmodels(case):
    x, n = case
    low, high = agresti_coull(x, n)
    expected = proportion_confint(x, n, ALPHA, "agresti_coull")
    assert (low, high) == pytest.approx(np.clip(expected, 0, 1), abs=1e-12)


@given(st.floats(0, 1), st.floats(0.1, 1e6))
def test_intervals_contain_the_share_and_stay_within_0_and_1(share, n):
    x = share * n
    assume(x <= n)
    for method in (wilson, agresti_coull):
        low, high = method(x, n)
        assert 0 <= low <= x / n <= high <= 1


@given(counts())
def test_agresti_coull_contains_wilson_and_both_mirror(case):
    x, n = case
    inner, outer = wilson(x, n), agresti_coull(x, n)
    assert outer.low <= inner.low + 1e-12
    assert outer.high >= inner.high - 1e-12
    assert wilson(n - x, n).low == pytest.approx(1 - inner.high, abs=1e-12)


def test_wilson_by_hand():
    # x = 0: the upper limit is z^2/(n + z^2)
    low, high = wilson([0, 10], [10, 10])
    assert low.tolist() == pytest.approx([0.0, 10 / 13.841458881])
    assert high.tolist() == pytest.approx([3.841458881 / 13.841458881, 1.0])
    assert low[0] == 0.0
    assert high[1] == 1.0


def test_the_published_centre():
    # computed with a longer z than the 1.959964 that is stated
    assert agresti_coull_centre(64, 199) == pytest.approx(0.32498646871110826, abs=1e-8)


@check_each(("x", "n"), [(0, 0), (1, 0), (3, 2), (-1, 5), (float("nan"), 5)])
def test_impossible_counts_are_refused(x, n):
    with pytest.raises(ValueError, match="0 <= x <= n"):
        wilson(x, n)


def test_mover_of_one_is_its_own_interval_and_of_minus_one_its_mirror():
    assert mover([1], [0.4], [0.3], [0.6]) == pytest.approx((0.3, 0.6))
    assert mover([-1], [0.4], [0.3], [0.6]) == pytest.approx((-0.6, -0.3))


def test_mover_of_a_difference_is_newcombe():
    # Newcombe (1998), Statistics in Medicine 17, 873-890, example (a), method 10:
    # 56/70 - 48/80 is .2000 with .0524 to .3339
    low, high = wilson([56, 48], [70, 80])
    assert mover([1, -1], [56 / 70, 48 / 80], low, high) == pytest.approx(
        (0.0524, 0.3339), abs=5e-5
    )


def test_mover_has_a_width_when_every_answer_is_masculine():
    low, high = wilson([40] * 16, [40] * 16)
    assert mover([1 / 16] * 16, [1.0] * 16, low, high).low < 0.99


def test_logit_difference_negates_when_the_two_change_places():
    first, second = (0.8, Limits(0.7, 0.9)), (0.4, Limits(0.3, 0.55))
    ahead, behind = logit_difference(*first, *second), logit_difference(*second, *first)
    assert ahead == pytest.approx((-behind.high, -behind.low))
    assert ahead.low < logit(0.8) - logit(0.4) < ahead.high


def test_logit():
    assert logit(0.5) == 0.0
    assert logit(0.8) == pytest.approx(math.log(4))
    for p in (0.0, 1.0):
        with pytest.raises(ValueError, match="0 < p < 1"):
            logit(p)
