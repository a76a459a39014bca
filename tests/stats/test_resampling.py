import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.stats.resampling import (
    bootstrap_weights,
    draw_permutations,
    generator,
    percentile_interval,
)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.integers(0, 2**32))
def test_every_group_keeps_its_size(groups, seed):
    groups = np.array(groups)
    weights = bootstrap_weights(groups, 20, generator(seed))
    assert weights.shape == (20, len(groups))
    for group in np.unique(groups):
        assert (weights[:, groups == group].sum(axis=1) == (groups == group).sum()).all()


def test_weights_follow_the_seed_and_the_stream():
    groups = np.zeros(50, np.int64)
    first = bootstrap_weights(groups, 10, generator(7))
    assert (first == bootstrap_weights(groups, 10, generator(7))).all()
    assert (first != bootstrap_weights(groups, 10, generator(8))).any()
    assert (first != bootstrap_weights(groups, 10, generator(7, stream=1))).any()


def test_weights_have_the_moments_of_the_multinomial():
    weights = bootstrap_weights(np.repeat([0, 1], [4, 10]), 40_000, generator(1))
    assert weights.mean(axis=0) == pytest.approx(np.ones(14), abs=0.03)
    assert weights.var(axis=0) == pytest.approx(np.repeat([3 / 4, 9 / 10], [4, 10]), abs=0.03)


def test_no_units_have_no_weights():
    assert bootstrap_weights(np.zeros(0, np.int64), 5, generator(0)).shape == (5, 0)


def test_permutations_are_permutations_and_differ():
    rows = draw_permutations(6, 500, generator(3))
    assert (np.sort(rows, axis=1) == np.arange(6)).all()
    assert rows.mean(axis=0) == pytest.approx(np.full(6, 2.5), abs=0.25)


def test_percentiles():
    assert percentile_interval(np.arange(101.0)) == pytest.approx((2.5, 97.5))
    assert percentile_interval(np.arange(101.0), level=0.9) == pytest.approx((5, 95))


def test_few_undefined_draws_are_left_out_and_many_leave_no_interval():
    draws = np.arange(100.0)
    draws[:5] = np.nan
    assert percentile_interval(draws) == pytest.approx(
        np.quantile(np.arange(5, 100), [0.025, 0.975])
    )
    draws[:6] = np.nan
    assert percentile_interval(draws) is None
    assert percentile_interval(np.array([])) is None
