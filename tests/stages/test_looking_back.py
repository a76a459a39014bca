"""Whole series looked back over."""

import numpy as np
import pytest

from monitor.stages.changes.decisions import RunStep, first_found_at, look_back
from tests.cases import check_each


def steps(values, positions=None):
    places = list(range(len(values))) if positions is None else positions
    return [
        RunStep(places[n], n + 1, n, values[n - 1], values[n] - values[n - 1])
        for n in range(1, len(values))
    ]


def noisy(*levels, seed=3):
    rng = np.random.default_rng(seed)
    return [level + float(rng.normal(0, 0.005)) for level in levels]


def test_a_lasting_shift_is_seen_at_its_first_tick():
    values = noisy(*[0.2] * 20, *[0.3] * 20)
    [shift] = look_back(steps(values), 0)
    assert (shift.at, shift.run, shift.before_run) == (20, 21, 20)
    assert shift.before == pytest.approx(0.2, abs=0.01)
    assert shift.after == pytest.approx(0.3, abs=0.01)


def test_a_quiet_series_shows_nothing():
    assert look_back(steps(noisy(*[0.2] * 40)), 0) == []


@check_each("values", [[], [0.2], [0.2, 0.3], [0.2] * 30])
def test_what_is_too_short_or_constant_shows_nothing(values):
    assert look_back(steps(values), 0) == []


def test_gaps_keep_their_places():
    values = noisy(*[0.2] * 10, *[0.3] * 10)
    positions = [*range(10), *range(14, 24)]
    assert 14 in [shift.at for shift in look_back(steps(values, positions), 0)]


def test_levels_are_those_of_the_questions_of_the_tick():
    """Another list, from the sixth tick on: all values are lower by 0.1, and nothing changed."""
    values = noisy(*[0.2] * 20, *[0.3] * 20)
    asked = [
        RunStep(one.at, one.run, one.before_run, one.before - 0.1 * (one.at > 5), one.delta)
        for one in steps(values)
    ]
    [shift] = look_back(asked, 0)
    assert shift.before == pytest.approx(0.1, abs=0.015)
    assert shift.after == pytest.approx(0.2, abs=0.015)


def test_a_shift_is_first_found_at_the_tick_that_would_have_found_it():
    """What is known only at the end gives the same tick as looking back at every tick."""
    back = steps(noisy(*[0.2] * 20, *[0.3] * 20))
    [shift] = look_back(back, 0)
    found_at = first_found_at(back, 0, shift.at)
    is_found = [
        shift.at in [seen.at for seen in look_back(back[: n + 1], 0)] for n in range(len(back))
    ]
    first = [step.at for step in back].index(found_at)
    assert all(is_found[first:])
    assert not is_found[first - 1]
    assert shift.at <= found_at < back[-1].at
