"""The exact order of runs: probabilities by enumeration, and the alikeness of runs of a tick."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from monitor.stats.series import (
    order_chance,
    order_power,
    runs_needed,
    smallest_shift,
    tick_effect,
)


def enumerated(before, since, exceptions):
    """The share of all orders in which at most so many runs before exceed the lowest one since."""
    n = before + since
    hits = total = 0
    for ranks in combinations(range(n), since):  # ranks of the runs since
        above = sum(rank > min(ranks) for rank in range(n) if rank not in ranks)
        hits += above <= exceptions
        total += 1
    return hits / total


@pytest.mark.parametrize(
    ("before", "since", "exceptions"), [(4, 3, 0), (6, 2, 0), (5, 4, 1), (7, 3, 2), (2, 3, 2)]
)
def test_the_chance_of_an_order_is_that_of_all_orders(before, since, exceptions):
    expected = enumerated(before, since, exceptions)
    assert order_chance(before, since, exceptions) == pytest.approx(expected, rel=1e-12)


def test_runs_without_a_side_have_no_order():
    for wrong in ((0, 1, 0), (1, 0, 0), (1, 1, -1)):
        with pytest.raises(ValueError, match="both sides"):
            order_chance(*wrong)


def test_as_many_runs_are_needed_as_the_level_asks_for():
    needed = runs_needed(24, 1e-5)
    assert order_chance(24, needed) <= 1e-5 < order_chance(24, needed - 1)
    assert runs_needed(2, 1e-5, 2) is None
    assert runs_needed(1, 1e-9) is None


def test_power_is_that_of_simulated_runs():
    rng = np.random.default_rng(5)
    before, since = rng.normal(size=(40_000, 12)), rng.normal(2.5, 1, size=(40_000, 4))
    seen = np.mean(since.min(axis=1) > before.max(axis=1))
    assert order_power(12, 4, 2.5) == pytest.approx(seen, abs=0.01)
    shift = smallest_shift(12, 4, 0.8)
    assert order_power(12, 4, shift) == pytest.approx(0.8, abs=1e-4)


def test_runs_of_a_tick_that_are_alike_are_noticed():
    rng = np.random.default_rng(8)
    ticks = np.repeat(np.arange(12), 2)
    alone = [tick_effect(rng.normal(size=24), ticks) for _ in range(400)]
    assert np.mean(np.asarray(alone) <= 0.05) <= 0.05
    shared = rng.normal(0, 5, 12)[ticks] + rng.normal(size=24)
    assert tick_effect(shared, ticks) < 1e-4


def test_a_drift_is_no_noise_of_ticks():
    rng = np.random.default_rng(8)
    ticks = np.repeat(np.arange(12), 2)
    assert tick_effect(3.0 * ticks + rng.normal(size=24), ticks) > 0.01


def test_one_odd_tick_is_no_noise_of_ticks():
    rng = np.random.default_rng(8)
    ticks = np.repeat(np.arange(12), 2)
    odd = rng.normal(size=24) + 30 * (ticks == 5)
    assert tick_effect(odd, ticks) > 0.01


def test_the_tick_effect_is_a_one_way_analysis_of_variance_without_the_furthest_tick():
    rng = np.random.default_rng(2)
    ticks = np.repeat(np.arange(9), 2)
    values = rng.normal(size=18)
    means = values.reshape(9, 2).mean(axis=1)
    slope, intercept = np.polyfit(np.arange(9), means, 1)
    kept = np.arange(9) != np.argmax(np.abs(means - slope * np.arange(9) - intercept))
    slope, intercept = np.polyfit(np.arange(9)[kept], means[kept], 1)
    between = 2 * float(np.sum((means - slope * np.arange(9) - intercept)[kept] ** 2))
    within = float(np.sum((values - means[ticks]) ** 2))
    expected = stats.f.sf((between / 6) / (within / 9), 6, 9)
    assert tick_effect(values, ticks) == pytest.approx(expected, rel=1e-9)


def test_without_pairs_or_differences_nothing_is_known():
    ticks = np.repeat(np.arange(12), 2)
    assert tick_effect(np.zeros(24), ticks) is None
    assert tick_effect(np.arange(12.0), np.arange(12)) is None
    assert math.isfinite(tick_effect(np.arange(24.0) % 5, ticks))
