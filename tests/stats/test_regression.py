import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from monitor.stats.regression import (
    fieller_limits,
    fit_line,
    hc3_covariance,
    jackknife_limits,
    p_of_null,
    permuted_slopes,
    sign_flip_p,
    slope_bounds,
    weighted_slopes,
)
from monitor.stats.resampling import bootstrap_weights, generator
from tests.cases import check_each

RNG = np.random.default_rng(3)
X = RNG.normal(0.1, 0.2, 40)
Y = 0.7 * X + RNG.normal(0, 0.1 + np.abs(X))


def test_the_line_is_that_of_scipy():
    line, told = fit_line(X, Y), stats.linregress(X, Y)
    assert line.slope == pytest.approx(told.slope, abs=1e-13)
    assert line.intercept == pytest.approx(told.intercept, abs=1e-13)
    assert line.r == pytest.approx(told.rvalue, abs=1e-13)
    assert line.se == pytest.approx(told.stderr, abs=1e-13)
    assert line.n == 40


def test_hc3_is_the_sandwich_of_matrices():
    line = fit_line(X, Y)
    design = np.stack([np.ones(40), X], axis=1)
    bread = np.linalg.inv(design.T @ design)
    leverage = np.sum((design @ bread) * design, axis=1)
    error = (Y - design @ (bread @ design.T @ Y)) / (1 - leverage)
    meat = design.T @ (design * error[:, None] ** 2)
    assert line.leverage == pytest.approx(leverage)
    assert line.hc3 == pytest.approx(np.sqrt((bread @ meat @ bread)[1, 1]), abs=1e-13)
    assert hc3_covariance(
        line.centred, line.leverage, line.residuals, -line.residuals
    ) == pytest.approx(-(line.hc3**2))


def test_influence_is_what_leaving_a_point_out_does():
    line = fit_line(X, Y)
    for at in range(40):
        rest = np.arange(40) != at
        expected = line.slope - fit_line(X[rest], Y[rest]).slope
        assert line.influence[at] == pytest.approx(expected, abs=1e-12)


def test_a_point_that_carries_the_line_alone_has_no_influence_and_no_robust_error():
    line = fit_line([0.0, 0.0, 0.0, 1.0], [0.1, 0.2, 0.3, 0.9])
    assert np.isnan(line.influence).tolist() == [False, False, False, True]
    assert line.hc3 is None
    assert line.se == pytest.approx(stats.linregress([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.9]).stderr)


@check_each("x", [[], [1.0], [0.3] * 9, [1.0, 1.0 + 1e-10]])
def test_no_line_through_too_few_points_or_constant_x(x):
    assert fit_line(x, np.arange(len(x), dtype=float)) is None


def test_two_points_have_a_slope_without_an_error():
    line = fit_line([0.0, 2.0], [1.0, 2.0])
    assert (line.slope, line.intercept, line.se, line.hc3) == (0.5, 1.0, None, None)


def test_constant_y_has_slope_0_and_no_correlation():
    line = fit_line(X, np.full(40, 0.3))
    assert abs(line.slope) < 1e-15
    assert line.r is None


def test_what_is_no_column_of_numbers_is_refused():
    with pytest.raises(ValueError, match="one length"):
        fit_line([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="finite"):
        fit_line([1.0, 2.0], [1.0, np.nan])


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), min_size=3, max_size=6))
def test_bounds_of_a_slope_are_its_extremes_over_all_corners(points):
    x, one, two = np.array(points).T
    low, high = np.minimum(one, two), np.maximum(one, two)
    if x.var() < 1e-6:
        return
    corners = [fit_line(x, y).slope for y in itertools.product(*zip(low, high, strict=True))]
    found = slope_bounds(x, low, high)
    assert found == pytest.approx((min(corners), max(corners)), abs=1e-9)


def test_weighted_slopes_are_slopes_of_repeated_points():
    weights = bootstrap_weights(np.zeros(40, np.int64), 20, generator(1))
    found = weighted_slopes(X, Y, weights)
    for row, counts in enumerate(weights.astype(int)):
        expected = fit_line(np.repeat(X, counts), np.repeat(Y, counts)).slope
        assert found[row] == pytest.approx(expected, abs=1e-12)


def test_draws_with_constant_x_are_marked():
    found = weighted_slopes(np.array([0.1, 0.2]), np.ones(2), np.array([[2.0, 0]]))
    assert np.isnan(found).all()
    assert np.isnan(weighted_slopes(np.zeros(0), np.zeros(0), np.ones((2, 0)))).all()


def test_draws_do_not_depend_on_how_many_are_made_at_a_time(monkeypatch):
    whole = permuted_slopes(X, Y, 50, generator(4))
    flips = sign_flip_p(Y, 50, generator(4))
    monkeypatch.setattr("monitor.stats.regression._CELLS", 300)
    assert len(whole) == len(permuted_slopes(X, Y, 50, generator(4))) == 50
    assert 0 < flips <= 1


def test_points_of_a_cluster_are_one():
    """Three copies of every point tell no more than one."""
    x, y, cluster = np.repeat(X, 3), np.repeat(Y, 3), np.repeat(np.arange(40), 3)
    once = jackknife_limits(X, Y)
    assert jackknife_limits(x, y, cluster) == pytest.approx(once)
    apart = jackknife_limits(x, y)
    assert apart.high - apart.low < 0.7 * (once.high - once.low)
    null = permuted_slopes(x - x.mean(), y, 2000, generator(7), cluster)
    alone = permuted_slopes(X - X.mean(), Y, 2000, generator(7))
    assert null.std() == pytest.approx(alone.std(), rel=0.05)


def test_the_jackknife_by_hand():
    x, y = np.array([0.0, 1, 2, 3, 5]), np.array([0.0, 1, 1, 4, 4])
    slopes = np.array([fit_line(np.delete(x, at), np.delete(y, at)).slope for at in range(5)])
    variance = 4 / 5 * ((slopes - slopes.mean()) ** 2).sum()
    shares = (x - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
    t = stats.t.ppf(0.975, math.floor(1 / (shares**2).sum()))
    limits = jackknife_limits(x, y)
    assert limits.high - fit_line(x, y).slope == pytest.approx(t * math.sqrt(variance), rel=1e-6)
    assert limits.high + limits.low == pytest.approx(2 * fit_line(x, y).slope)


# one point decides, x is constant, too few points
@check_each("x", [[0.0, 0, 0, 1], [1.0, 1, 1, 1], [0.0, 1]])
def test_there_is_no_jackknife_without_a_slope(x):
    assert jackknife_limits(np.array(x), np.arange(float(len(x)))) is None


def test_the_jackknife_is_as_wide_as_the_error_says():
    x = np.random.default_rng(8).normal(0, 1, 400)
    y = 0.5 * x + np.random.default_rng(9).normal(0, 1, 400) * (1 + np.abs(x))
    limits = jackknife_limits(x, y)
    assert (limits.high - limits.low) / 2 / 1.98 == pytest.approx(fit_line(x, y).hc3, rel=0.02)


def test_permuted_slopes_lie_about_0_with_the_spread_of_chance():
    centred = X - X.mean()
    drawn = permuted_slopes(centred, Y, 4000, generator(6))
    assert drawn.mean() == pytest.approx(0, abs=0.02)
    expected = Y.std(ddof=1) / np.sqrt(centred @ centred)
    assert drawn.std() == pytest.approx(expected, rel=0.05)


def test_sign_flips_of_few_terms_are_all_tried():
    assert sign_flip_p(np.array([1.0, 2.0, 3.0]), 10, generator(0)) == 2 / 8
    assert sign_flip_p(np.array([1.0, -1.0]), 10, generator(0)) == 1.0
    assert sign_flip_p(np.zeros(5), 10, generator(0)) == 1.0
    assert sign_flip_p(np.zeros(0), 10, generator(0)) is None
    assert sign_flip_p(np.ones(3), 0, generator(0)) is None


def test_sign_flips_of_many_terms_are_never_0():
    assert sign_flip_p(np.ones(40), 999, generator(0)) == 1 / 1000
    even = np.where(np.arange(40) % 2, 1.0, -1.0)
    assert sign_flip_p(even, 999, generator(0)) == 1.0


def test_p_of_null_counts_itself():
    null = np.array([-3.0, -1.0, 0.0, 2.0])
    assert p_of_null(2.0, null) == 3 / 5
    assert p_of_null(9.0, null) == 1 / 5
    assert p_of_null(1.0, np.zeros(0)) is None


def test_fieller_is_the_set_of_ratios_that_are_not_refused():
    low, high = fieller_limits(0.4, 1.0, 0.01, 0.02, 0.005)
    for ratio in (low, high):
        deviation = 0.4 - ratio * 1.0
        spread = np.sqrt(0.01 - 2 * ratio * 0.005 + ratio**2 * 0.02)
        assert abs(deviation / spread) == pytest.approx(1.959964, abs=1e-9)
    assert low < 0.4 < high


def test_fieller_has_no_limits_where_the_base_could_be_0():
    assert fieller_limits(0.4, 0.1, 0.01, 0.02, 0.0) is None
    assert fieller_limits(1.0, 0.5, 0.0, 0.0, 0.0) == (2.0, 2.0)
