"""The simulation of change detection decides as the product does, on what the measure finds."""

import numpy as np
import pytest

from bench import _detection_answers as answers
from bench import _detection_charts as charts
from bench import _detection_rules as rules
from bench import _detection_tests as tests
from bench._detection_answers import Noise
from bench._detection_years import Effect, a_year, changed, returned, series_of
from monitor.change import ChangeKind
from monitor.measures import masculine_rate
from monitor.model import Context
from tests.cases import check_each

NOISES = [
    Noise("apart"),
    Noise("clusters", clusters=True),
    Noise("together", shared="cluster", clusters=True),
    Noise("mix", push=0.75, shared="mix"),
    Noise("drift", push=0.75, shared="drift"),
]


def a_system(noise, seed=1, probes=800):
    rng = np.random.default_rng(seed)
    return answers.synthetic(noise, rng, probes), rng


@check_each("noise", NOISES)
@check_each("quantity", ["f_s", "f_m", "p_i"])
def test_arrays_say_what_the_measure_says_of_units(noise, quantity):
    system, rng = a_system(noise)
    rows = answers.turned(system, quantity, 0.1, rng)
    found = answers.year(system, noise, rng, (2, rows), ticks=3)
    for tick in (1, 2, 3):
        assert tests.agrees(found, tick) == 20


@pytest.mark.parametrize("noise", NOISES[:3], ids=lambda noise: noise.name)
def test_the_stated_share_has_another_answer_from_tick_to_tick(noise):
    system, rng = a_system(noise, probes=3_000)
    found = answers.year(system, noise, rng)
    moved = (np.diff(found.answers, axis=0) != 0).mean() * len(found.active) / len(system.one)
    assert moved == pytest.approx(0.02, abs=0.003)


@pytest.mark.parametrize(("quantity", "which"), [("f_s", 0), ("f_m", 1)])
def test_a_change_has_the_stated_size_and_stays(quantity, which):
    noise = Noise("still", flips=0.0)
    system, rng = a_system(noise, probes=3_200)
    rows = answers.turned(system, quantity, 0.05, rng)
    found = answers.year(system, noise, rng, (2, rows), ticks=4)
    step = tests.steps(found)
    assert abs(step.delta[1, which]) == pytest.approx(0.05, abs=0.005)
    assert abs(step.delta[1, 1 - which]) < 0.005
    assert (step.p[[0, 2, 3]] == 1).all()


def test_looks_and_levels_are_those_of_the_product():
    found = a_year(Noise("apart"), 6, None, False, 3)
    rules.same_as_product(found.p)
    assert not found.refuted[found.p > tests.SMALL].any()


def test_every_rule_finds_a_change_that_cannot_be_missed_and_no_other_where_nothing_moved():
    p = np.ones((4, 52, 4))
    p[2, 30, :2] = 1e-40
    for name, rule in rules.RULES.items():
        assert sorted(rules.applied(rule, p)) == [(30, 2, 0), (30, 2, 1)], name


def test_what_is_counted():
    truth = np.zeros((2, 52, 4), int)
    truth[0, 3, 0], truth[0, 3, 3] = 1, -1
    found = rules.Tally.of(1, 52)
    found.add(0, [(3, 0, 0), (3, 0, 3), (3, 1, 1), (9, 1, 0)], truth)
    assert (found.hits, found.there) == (1, 1)
    assert found.per_look[[3, 9, 10]].tolist() == [0.5, 1.0, 0.0]
    assert found.years_with == (1, 1)


def test_the_floor_of_noise_speaks_where_all_sentences_move_together_and_nowhere_else():
    counted = {}
    for noise in (Noise("mix", push=1.0, shared="mix"), Noise("apart")):
        system, rng = a_system(noise, probes=3_000)
        found = answers.year(system, noise, rng)
        quiet = tests.noise_of_days(found, 1.0, rng)
        counted[noise.name] = tests.against_noise(quiet, 20, 1, 2_800, 0.02)
        assert tests.against_noise(quiet, 7, 1, 2_800, 0.02) == 0.0
    assert counted["mix"] > 0.001
    assert counted["apart"] == 0.0


def test_a_tick_that_is_odd_alone_is_there_once_and_an_odd_week_twice():
    effect, noise = Effect("f_s", 0.1), Noise("apart")
    for stays in (False, True):
        p, there = returned(effect, noise, stays, 6)
        assert (p < 1e-6).all()
        assert there.mean() == (1.0 if stays else pytest.approx(0.0, abs=0.2))


def test_what_asks_again_is_held_against_the_tick_before_the_last():
    noise = Noise("still", flips=0.0)
    system, rng = a_system(noise)
    rows = answers.turned(system, "f_s", 0.1, rng)
    found = answers.year(system, noise, rng, (2, rows), ticks=3)
    assert tests.confirming(found, [1]).p[0, 0] < 1e-6
    assert tests.confirming(found, [2]).p[0, 0] < 1e-6  # step 2 moved nothing, tick 1 is before
    assert tests.confirming(found, [2], 0).p[0, 0] == 1
    assert tests.confirming(found, [0]).p[0, 0] == 1  # there is none before the first


def test_a_change_is_found_by_one_test():
    found = changed(Effect("f_m", 0.05), Noise("apart"), 3, floors=False)
    assert (found.p[:, 1] < 1e-6).all()
    assert not found.refuted[:, 1].any()


def test_charts():
    values = np.random.default_rng(4).normal(0.5, 0.01, 53)
    values[26:] += 0.1
    assert charts.first_at_or_after(charts.shewhart(values), 26) == 0
    assert charts.first_at_or_after(charts.shewhart(values[:20], 50.0), 8) is None


def test_a_series_looked_back_over_shows_its_change():
    steps, values = series_of(Effect("f_m", 0.05), Noise("apart"), 26, 1)
    assert abs(values[26, 1] - values[25, 1]) == pytest.approx(0.05, abs=0.015)
    drifts = charts.seen(ChangeKind.DRIFT)(steps[1])
    assert charts.first_at_or_after(drifts, 26) == 0
    is_near, delay = charts.shift_delay(steps[1], 26)
    assert is_near
    assert 0 < delay < 10


def test_the_limits_of_steps_are_nearly_those_of_the_measure():
    noise = Noise("apart")
    system, rng = a_system(noise, probes=3_000)
    found = answers.year(system, noise, rng, ticks=2)
    answered = []
    for t in (0, 1):
        said = system.one.copy()
        said[found.active] = found.answers[t]
        answered.append(tests.units(system, said))
    theirs = {
        one.name: one
        for one in masculine_rate.MEASURE.paired(*answered, Context(seed=0))
        if one.scope == "all"
    }
    step = tests.steps(found)
    for which, name in enumerate(("f_s", "f_m")):
        ours = charts.steps_of(step, 0.0, which, int(step.n[0, 0]))[0]
        assert ours.low == pytest.approx(theirs[name].low, rel=0.02)
        assert ours.high == pytest.approx(theirs[name].high, rel=0.02)
