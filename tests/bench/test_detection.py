"""Simulated years hold what their rows say, and are decided on what the measure finds."""

from dataclasses import replace

import numpy as np
import pytest

from bench import _change_years as years
from bench import detection
from bench._change_decisions import Asking, findings, watch
from bench._change_years import CLUSTER, F_M, F_S, PROBES, QUANTITIES, RUNS, STEREOTYPE, TICKS
from monitor.measures.gest import masculine_rate
from monitor.model import Context, GenderClass, Unit
from monitor.stages.changes import decisions
from monitor.stats.paired import sign_flip
from tests.cases import check_each

ALONE = Asking(4)


def a_year(systems=2, seed=1, **words):
    rng = np.random.default_rng(seed)
    return years.quiet(rng, systems, **words), rng


def units(year, system, probes, runs):
    """The questions of some runs, pooled as the product pools them."""
    pooled = []
    for probe in np.flatnonzero(probes):
        classes = []
        for run in runs:
            at = (system, run // RUNS, run % RUNS, probe)
            if not year.seen[at]:
                classes.append(None)
            elif not year.marked[at]:
                classes.append(GenderClass.NONE)
            else:
                hit = year.masculine[at]
                classes.append(GenderClass.MASCULINE if hit else GenderClass.FEMININE)
        tags = {
            "stereotype": str(STEREOTYPE[probe] + 1),
            "sub_stereotype": str(CLUSTER[probe]),
        }
        pooled.append(Unit(f"k{probe:05d}", tags, tuple(classes)))
    return pooled


def paired(before, after):
    changes = masculine_rate.MEASURE.paired(before, after, Context(seed=0))
    return {one.name: one for one in changes if one.scope == "all"}


@check_each("lacks", [False, True])
def test_values_and_pooled_changes_are_those_of_the_measure(lacks):
    year, rng = a_year()
    years.two_lists(rng, year)
    if lacks:
        years.missing(rng, year, 0.38, 0.14)
    before, since, too_few = np.array([1, 3, 4]), np.array([90, 91]), set()
    for probes in year.lists:
        ours = years.differences(year, probes).reshape(2, TICKS * RUNS, -1)
        for system in (0, 1):
            one = paired(*(units(year, system, probes, [run]) for run in (0, 91)))
            many = paired(*(units(year, system, probes, runs) for runs in (before, since)))
            for which, name in enumerate(QUANTITIES):
                if one[name].delta is None:
                    assert np.isnan(ours[system, 91, which])
                    too_few.add(name)
                    continue
                assert ours[system, 91, which] == pytest.approx(one[name].delta, abs=1e-12), name
                terms = years.parts(year, system, probes, which, before, since)
                change = sign_flip(terms, CLUSTER)
                assert change.total == pytest.approx(many[name].delta, abs=1e-12), name
                assert change.p == pytest.approx(many[name].p, rel=1e-6), name
                spread = dict(many[name].facts)["spread"]
                assert change.spread == pytest.approx(spread, rel=1e-9), name
    assert too_few == ({"f_s", "f_m", "s_or"} if lacks else set())


@check_each("alter", [None, years.in_few_probes])
def test_the_stated_share_of_answers_differs_between_two_runs(alter):
    year, rng = a_year(10)
    if alter:
        alter(rng, year)
    differ = (year.masculine[:, :, 0] != year.masculine[:, :, 1]).mean()
    assert differ == pytest.approx(years.DIFFERENT, abs=0.002)
    marks = (year.marked[:, 1:] != year.marked[:, :-1]).mean()
    assert marks == pytest.approx(years.DIFFERENT_MARK, abs=0.001)


@check_each("quantity", [F_S, F_M])
@check_each("back", [None, 3])
def test_a_step_has_the_stated_size_at_its_tick(quantity, back):
    year, rng = a_year(6, flips=False)
    at = years.step(rng, year, quantity, 0.05, 12, 42, back=back)
    for system, tick in enumerate(at):
        change = years.level_change(year, system, quantity, [tick - 1], [tick])
        assert change == pytest.approx(0.05, abs=0.012)
        other = years.level_change(year, system, F_S + F_M - quantity, [tick - 1], [tick])
        assert abs(other) < 0.012
        stays = years.level_change(year, system, quantity, [tick], [tick + 3])
        assert stays == pytest.approx(-change if back else 0.0, abs=1e-12)
        assert (year.masculine[system] == year.level[system][:, None]).all()


def test_a_drift_reaches_its_size_at_the_end_of_the_year():
    year, rng = a_year(4, flips=False)
    years.drift(rng, year, F_M, 0.06)
    for system in range(4):
        whole = years.level_change(year, system, F_M, [0], [TICKS - 1])
        half = years.level_change(year, system, F_M, [0], [TICKS // 2])
        assert whole == pytest.approx(0.06, abs=0.01)
        assert 0.01 < half < whole


def test_families_are_drawn_together_and_anew_at_every_run():
    year, rng = a_year(1)
    before = year.masculine.copy()
    years.in_families(rng, year, 0.5)
    moved = np.flatnonzero((before != year.masculine).mean(axis=(0, 1, 2)) > 0.2)
    assert 10 < len(moved) <= 20
    runs = year.masculine.reshape(TICKS * RUNS, PROBES)[:, moved]
    assert len(np.unique(runs, axis=0)) <= 4
    assert runs.mean() == pytest.approx(0.5, abs=0.15)


@check_each("rate", [0.005, 0.05])
def test_answers_that_change_for_good_have_no_direction(rate):
    year, rng = a_year(20)
    years.for_good(rng, year, rate)
    moved = (year.level[:, 1:] != year.level[:, :-1]).mean()
    assert moved == pytest.approx(rate, rel=0.1)
    assert abs(year.level[:, -1].mean() - year.level[:, 0].mean()) < 0.03


@check_each("memory", [0.0, 0.9])
def test_a_week_moves_all_its_runs_alike(memory):
    year, rng = a_year(30)
    years.weeks_alike(rng, year, 2.0, memory)
    f_m = years.differences(year, year.lists[0])[..., F_M]
    own, of_week = (f_m[:, 1:, 0] - f_m[:, 1:, 1]).std(), f_m[:, 1:].mean(axis=2)
    shared = (of_week - of_week.mean(axis=1, keepdims=True)).std()
    assert shared > 1.2 * own / np.sqrt(2)
    steps = np.corrcoef(of_week[:, :-1].ravel(), of_week[:, 1:].ravel())[0, 1]
    assert (steps > 0.6) == (memory > 0)


def test_one_tick_is_odd_and_nothing_is_left_of_it():
    year, rng = a_year(1, flips=False)
    years.odd_tick(rng, year, 0.05, np.array([20]))
    f_m = years.differences(year, year.lists[0])[0, :, :, F_M]
    [tick] = np.flatnonzero(f_m[:, 0] > 0.02)
    assert 6 <= tick < 20
    assert (f_m[tick] > 0.02).all()


def test_confirming_runs_are_asked_once_a_tick_while_a_signal_stands():
    values = np.random.default_rng(2).normal(0, 0.01, (TICKS, RUNS, 4))
    values[30:, :, F_M] += 0.2
    decided = watch(values, ALONE)
    [signal] = [one for one in decided.watches[F_M].signals if one.standing == "decided"]
    assert (signal.at, signal.up) == (30, True)
    runs = [one.run for one in decided.watches[F_M].runs]
    assert runs == sorted(runs) or decided.confirming  # a confirming run may come before the noise
    confirming = [run for run in runs if run % RUNS == 2]
    assert len(confirming) == len(set(confirming)) == decided.confirming >= 1
    assert 0 not in runs
    without = watch(values, replace(ALONE, noise=False, confirm=False))
    assert all(one.run % RUNS == 0 for one in without.watches[0].runs)
    assert without.confirming == 0


def test_missing_values_are_left_out():
    values = np.zeros((TICKS, RUNS, 4))
    values[5, 0, 0] = np.nan
    decided = watch(values, ALONE)
    assert 15 not in [one.run for one in decided.watches[0].runs]
    assert 15 in [one.run for one in decided.watches[1].runs]


def test_a_change_that_cannot_be_missed_is_found_on_the_list_and_beyond():
    year, rng = a_year(3)
    at = years.step(rng, year, F_M, 0.1, 20, 30)
    changes, _ = findings(year, Asking(12), apart=True)
    for system, tick in enumerate(at):
        [own] = [one for one in changes if one.system == system and one.quantity == F_M]
        assert own.signal.at == tick
        assert own.beyond == own.signal.decided_at
        assert not own.by_first_runs
        for announced in (own.size, own.size_of_deciding):
            assert announced == pytest.approx(0.1, abs=0.03)


def test_events_of_a_job_share_its_level(monkeypatch):
    asked = []

    def event_level(number, series):
        asked.append((number, series))
        return 0.0

    monkeypatch.setattr(decisions, "event_level", event_level)
    monkeypatch.setattr(decisions, "origin_level", lambda *_: 1.0)
    year, rng = a_year(3)
    years.step(rng, year, F_M, 0.1, 20, 30)
    changes, _ = findings(year, Asking(12))
    numbers = sorted({number for number, _ in asked})
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(asked) == len(changes)
    assert len(numbers) == len({(one.signal.decided_at, one.system) for one in changes}) >= 3
    changed = [one for one in changes if one.quantity == F_M and one.signal.up]
    assert all(one.by_first_runs and one.beyond >= one.signal.decided_at for one in changed)


def test_rows_have_names_of_their_own_and_their_seeds_repeat():
    rows = [row for _, _, group in detection.GROUPS for row in group]
    assert len({row.name for row in rows}) == len(rows)
    for row in (rows[0], rows[-1]):
        np.testing.assert_array_equal(row.run(3, 1), row.run(3, 1))
        assert row.run(3, 1) != row.run(4, 1) or not np.any(row.run(3, 1))


def test_a_bar_is_missed_where_too_much_is_found(capsys):
    row = detection.Quiet("row")
    row.say(np.array([[1.0, 0, 0, 0, 0]] * 6 + [[0.0] * 5] * 94))
    row.say(np.array([[1.0, 1, 0, 0, 0]] * 5 + [[0.0] * 5] * 95))
    missed, met = capsys.readouterr().out.splitlines()
    assert ("6.0%" in missed, missed.count("MISSED"), missed.count("met")) == (True, 1, 1)
    assert (met.count("met"), "MISSED" in met) == (2, False)
