"""When a series is decided to have changed: runs in their order, signals and findings out."""

import itertools
import random

import pytest

from monitor.stages.changes.decisions import (
    ALPHA,
    EXCEPTIONS,
    DecisionRule,
    SeriesWatch,
    SignalStanding,
    WholeRunValue,
    share_of_boundary,
    share_of_length,
    step_level,
)
from monitor.stats.series import order_chance

PER_TEST = ALPHA / (2 * 4)


def watched(values, per_tick=2, per_test=PER_TEST):
    """A watch that has seen these values, so many runs a tick, and all that it decided."""
    watch, decided = SeriesWatch(), []
    for number, value in enumerate(values):
        signal = watch.add(WholeRunValue(number, number // per_tick, value), per_test)
        decided += [signal] if signal else []
    return watch, decided


def noise(n, seed=1):
    rng = random.Random(seed)  # noqa: S311 - no secret
    return [rng.gauss(0, 1) for _ in range(n)]


def shifted(before, since, by, seed=1):
    values = noise(before + since, seed)
    return values[:before] + [value + by for value in values[before:]]


def test_the_shares_of_all_boundaries_and_lengths_add_up_to_one():
    assert sum(map(share_of_boundary, range(1, 200_000))) == pytest.approx(1, abs=1e-4)
    assert sum(map(share_of_length, range(1, 200_000))) == pytest.approx(1, abs=1e-3)


def test_a_step_is_decided_with_the_first_run_that_makes_its_order_improbable():
    watch, [found] = watched(shifted(20, 12, 9))
    needed = found.needed
    assert (found.rule, found.up, found.at, found.standing) == (
        DecisionRule.STEP, True, 10, SignalStanding.DECIDED,
    )  # fmt: skip
    assert found.since == tuple(range(20, 20 + needed))
    assert found.before == tuple(range(20))
    assert found.chance == order_chance(20, needed) <= found.level == step_level(PER_TEST, 20)
    assert order_chance(20, needed - 1) > found.level
    assert [run.run for run in watch.level] == list(range(20, 32))


def test_a_fall_is_decided_like_a_rise():
    _, [rise] = watched(shifted(20, 12, 9))
    _, [fall] = watched([-value for value in shifted(20, 12, 9)])
    assert (fall.up, fall.since, fall.chance) == (False, rise.since, rise.chance)


def test_more_series_need_more_runs():
    _, [few] = watched(shifted(24, 12, 9))
    _, [many] = watched(shifted(24, 12, 9), per_test=ALPHA / (2 * 120))
    assert len(few.since) == 4
    assert len(many.since) == 6


def test_nothing_is_decided_before_sixteen_runs():
    _, decided = watched(shifted(6, 60, 9))
    [found] = decided
    assert len(found.before) + len(found.since) >= 16
    assert not watched(shifted(8, 7, 50))[1]


def test_a_signal_stands_until_a_run_does_not_show_it():
    values = shifted(20, 3, 9)
    watch, decided = watched(values)
    [raised] = watch.raised()
    assert (raised.standing, raised.at, raised.since) == (SignalStanding.RAISED, 10, (20, 21, 22))
    assert not decided
    watch.add(WholeRunValue(23, 11, 0.0), PER_TEST)
    assert not watch.raised()
    [dropped] = watch.signals
    assert (dropped.standing, dropped.at, dropped.decided_at) == (SignalStanding.DROPPED, 10, 11)
    assert (dropped.since, dropped.chance) == (raised.since, raised.chance)


def test_two_odd_runs_before_a_change_delay_it_and_hide_it_not():
    values = shifted(30, 20, 9)
    values[8], values[21] = 30.0, 30.0
    _, [found] = watched(values)
    assert found.exceptions == EXCEPTIONS
    assert found.at == 15
    assert found.chance == order_chance(30, len(found.since), EXCEPTIONS)


def test_one_odd_tick_before_a_change_is_an_exception_and_makes_no_noise_of_ticks():
    values = shifted(30, 40, 9)
    values[8] = values[9] = 30.0
    _, [found] = watched(values)
    assert (found.by_ticks, found.exceptions, found.at) == (False, EXCEPTIONS, 15)


def test_a_slow_drift_is_decided_against_the_first_runs():
    values = [value + 0.04 * number for number, value in enumerate(noise(104))]
    _, decided = watched(values)
    assert DecisionRule.DRIFT in {one.rule for one in decided}
    first = next(one for one in decided if one.rule is DecisionRule.DRIFT)
    assert first.before == tuple(range(16))
    assert first.up


def test_a_change_back_is_decided_from_the_level_since_the_first_change():
    values = shifted(30, 20, 9) + noise(30, seed=4)
    _, decided = watched(values)
    assert [(one.up, one.at) for one in decided] == [(True, 15), (False, 25)]


def test_equal_values_lie_beyond_nothing():
    assert not watched([1.0] * 200)[1]
    assert not watched([0.0] * 20 + [0.0, 1.0] * 40)[1]
    _, [found] = watched([0.0] * 20 + [1.0] * 20)
    assert found.at == 10


def test_runs_of_a_tick_that_are_alike_count_as_one():
    """Each tick has a value of its own, which both of its runs show."""
    rng = random.Random(3)  # noqa: S311 - no secret
    of_tick = [rng.gauss(0, 5) for _ in range(14)]
    values = [level + rng.gauss(0, 0.1) for level in of_tick for _ in range(2)]
    values += [30 + rng.gauss(0, 0.1) for _ in range(40)]
    _, [found] = watched(values)
    assert found.by_ticks
    assert found.chance == order_chance(14, -(-len(found.since) // 2))


def test_a_job_in_which_nothing_changes_has_a_finding_in_at_most_five_percent():
    """Runs of four series, exchangeable and nothing else: heavy tails, many equal values."""
    rng = random.Random(9)  # noqa: S311 - no secret
    jobs = 300
    alarms = 0
    for _ in range(jobs):
        series = [[round(rng.paretovariate(1.5), 1) for _ in range(150)] for _ in range(4)]
        alarms += any(watched(values)[1] for values in series)
    assert alarms / jobs <= 0.05


def test_asking_again_where_a_signal_stands_makes_no_false_findings():
    """A run is added only where a signal stands, as the daemon does."""
    rng = random.Random(2)  # noqa: S311 - no secret
    alarms = 0
    for _ in range(400):
        watch, numbers = SeriesWatch(), itertools.count()
        for tick in range(75):
            for _ in range(2):
                watch.add(WholeRunValue(next(numbers), tick, rng.gauss(0, 1)), PER_TEST * 4)
            if watch.raised():
                watch.add(WholeRunValue(next(numbers), tick, rng.gauss(0, 1)), PER_TEST * 4)
        alarms += any(one.standing is SignalStanding.DECIDED for one in watch.signals)
    assert alarms / 400 <= 0.05
