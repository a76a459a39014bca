"""Whole series looked back over."""

import numpy as np
import pytest

from monitor.change import ChangeKind
from monitor.stages.looking_back import Step, look_back
from tests.cases import check_each

HALF = 0.02


def steps(values, positions=None, half=HALF):
    places = list(range(len(values))) if positions is None else positions
    return [
        Step(places[n], n + 1, n, values[n - 1], values[n] - values[n - 1],
             values[n] - values[n - 1] - half, values[n] - values[n - 1] + half)
        for n in range(1, len(values))
    ]  # fmt: skip


def noisy(*levels, seed=3):
    rng = np.random.default_rng(seed)
    return [level + float(rng.normal(0, 0.005)) for level in levels]


def kinds(found):
    return [(one.kind, one.at) for one in found]


def test_a_lasting_shift_is_seen_at_its_first_tick():
    values = noisy(*[0.2] * 20, *[0.3] * 20)
    [shift] = [one for one in look_back(steps(values), 0) if one.kind is ChangeKind.SHIFT]
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
    found = look_back(steps(values, positions), 0)
    assert (ChangeKind.SHIFT, 14) in kinds(found)


def test_a_slow_drift_leaves_the_limits():
    values = noisy(*[0.2] * 10, *(0.2 + 0.004 * n for n in range(25)))
    drifts = [one for one in look_back(steps(values), 0) if one.kind is ChangeKind.DRIFT]
    assert len(drifts) == 1
    assert drifts[0].at > 10
    assert drifts[0].after > drifts[0].before


def test_levels_are_those_of_the_questions_of_the_tick():
    """Another list, from the sixth tick on: all values are lower by 0.1, and nothing changed."""
    values = noisy(*[0.2] * 20, *[0.3] * 20)
    asked = [
        Step(one.at, one.run, one.before_run, one.before - 0.1 * (one.at > 5), one.delta, one.low,
             one.high)
        for one in steps(values)
    ]  # fmt: skip
    found = look_back(asked, 0)
    assert {one.kind for one in found} == set(ChangeKind) - {ChangeKind.STEP}
    for one in found:
        assert one.before == pytest.approx(0.1, abs=0.015)
        assert one.after == pytest.approx(0.2, abs=0.015)


def test_a_drift_names_levels_that_were_there():
    values = noisy(*[0.2] * 10, *[0.6] * 3)
    [drift] = [one for one in look_back(steps(values), 0) if one.kind is ChangeKind.DRIFT]
    assert drift.after == pytest.approx(values[drift.at])


def test_without_intervals_there_is_no_chart():
    bare = [Step(one.at, one.run, one.before_run, one.before, one.delta, None, None)
            for one in steps(noisy(*[0.2] * 10, *[0.4] * 20))]  # fmt: skip
    assert ChangeKind.DRIFT not in dict(kinds(look_back(bare, 0)))
