"""Whether runs of one tick count as one run: shared noise, odd ticks, too few ticks."""

import numpy as np
import pytest

from monitor.stages.changes.decisions import (
    ALPHA,
    EXCEPTIONS,
    LEAST_TICKS,
    DecisionRule,
    SeriesWatch,
    WholeRunValue,
)
from monitor.stats.series import order_chance, tick_effect
from tests.cases import check_each

PER_TEST = ALPHA / (2 * 4)


def decided(values, per_tick=2):
    watch = SeriesWatch()
    signals = [
        watch.add(WholeRunValue(number, number // per_tick, float(value)), PER_TEST)
        for number, value in enumerate(values)
    ]
    return [signal for signal in signals if signal]


def noise(ticks, shared=0.0, seed=1):
    """Two runs a tick: noise of each run, and noise that both share."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=2 * ticks) + np.repeat(rng.normal(0, shared or 1e-9, ticks), 2)


@check_each("at", [0, 5, 12])
def test_a_change_after_one_odd_tick_is_decided_by_runs(at):
    values = noise(30)
    values[2 * at : 2 * at + 2] += 40
    values[40:] += 9
    found = decided(values)[-1]
    assert (found.at, found.up, found.by_ticks, found.exceptions) == (20, True, False, EXCEPTIONS)


def test_an_odd_tick_may_have_a_confirming_run():
    values = np.random.default_rng(3).normal(size=90)
    values[15:18] += 40
    values[60:] += 9
    found = decided(values, per_tick=3)[-1]
    assert (found.at, found.up, found.exceptions) == (20, True, 3)


@check_each("seed", [1, 2, 3])
def test_runs_that_are_alike_count_as_one_also_where_few_lie_before(seed):
    """The level before has 6 ticks, which alone say too little; those since are counted as well."""
    values = noise(60, shared=8.0, seed=seed)
    values[12:] += 60
    for found in decided(values):
        assert found.by_ticks
        n_before, n_since = len(found.before) // 2, -(-len(found.since) // 2)
        assert found.chance == order_chance(n_before, n_since, found.exceptions // EXCEPTIONS)


@check_each(("odd_ticks", "is_decided"), [((5,), True), ((5, 6), False)])
def test_counted_by_ticks_one_tick_may_be_odd_and_not_two(odd_ticks, is_decided):
    """Of an odd tick one run lies beyond the runs since, so that both are within EXCEPTIONS."""
    values = noise(60) / 50 + np.repeat(np.random.default_rng(4).normal(size=60), 2)
    values[40:] = 30 + noise(40) / 50
    for tick in odd_ticks:
        values[2 * tick : 2 * tick + 2] = 29, 31
    found = decided(values)
    assert bool(found) == is_decided
    assert all(one.by_ticks and one.exceptions for one in found)


def test_ticks_count_until_eight_were_asked_twice():
    once = np.random.default_rng(5).normal(size=80)
    once[20:] += 9
    [found] = decided(once, per_tick=1)
    assert found.by_ticks
    twice = noise(12)
    twice[2 * (LEAST_TICKS - 2) :] += 9
    [found] = decided(twice)
    assert not found.by_ticks


def test_a_drift_of_runs_that_are_alike_is_decided_by_ticks():
    values = noise(160, shared=4.0, seed=7) + 0.06 * np.arange(320)
    drifts = [one for one in decided(values) if one.rule is DecisionRule.DRIFT]
    assert drifts
    for found in drifts:
        assert found.by_ticks
        n_before = len({run // 2 for run in found.before})
        n_since = len({run // 2 for run in found.since})
        assert found.needed == n_since
        assert found.chance == order_chance(n_before, n_since, found.exceptions // EXCEPTIONS)


def test_the_step_that_is_decided_is_no_noise_of_ticks():
    ticks = np.repeat(np.arange(20), 2)
    values = noise(20) + np.where(ticks >= 12, 30.0, 0.0)
    assert tick_effect(values, ticks) < 1e-6
    assert tick_effect(values, ticks, step=12) > 0.05


@check_each("ticks", [9, 26])
def test_one_odd_tick_says_nothing_of_the_others(ticks):
    numbers = np.repeat(np.arange(ticks), 2)
    values = noise(ticks)
    odd = values + np.where(numbers == 4, 50.0, 0.0)
    assert tick_effect(odd, numbers) > 0.02
    assert tick_effect(noise(ticks, shared=6.0), numbers) < 0.02


def test_independent_runs_are_seldom_taken_for_alike():
    for ticks, most in ((9, 0.025), (26, 0.04)):
        numbers = np.repeat(np.arange(ticks), 2)
        p = [tick_effect(noise(ticks, seed=seed), numbers, 7) for seed in range(400)]
        assert 0 < np.mean(np.asarray(p) <= 0.05) <= most


def test_the_tick_effect_is_an_analysis_of_variance_without_the_furthest_tick():
    from scipy import stats

    ticks = np.repeat(np.arange(9), 2)
    values = noise(9, seed=4)
    means = values.reshape(9, 2).mean(axis=1)
    within = float(np.sum((values - means[ticks]) ** 2))
    line = np.polynomial.Polynomial.fit(np.arange(9), means, 1)
    kept = np.arange(9) != np.argmax(np.abs(means - line(np.arange(9))))
    line = np.polynomial.Polynomial.fit(np.arange(9)[kept], means[kept], 1)
    between = 2 * float(np.sum((means[kept] - line(np.arange(9)[kept])) ** 2))
    expected = stats.f.sf((between / 6) / (within / 9), 6, 9)
    assert tick_effect(values, ticks) == pytest.approx(expected, rel=1e-9)
