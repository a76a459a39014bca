"""A noise run counts for the ticks that ended after it, whenever they are decided."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast
from monitor.model import RunKind
from monitor.pipeline import concluding
from monitor.pipeline.declared import declared_by, member_of
from monitor.pipeline.noise import floors
from monitor.stats import noise as stats
from monitor.store import changes, comparisons, runs
from monitor.store.schema import runs as runs_table
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit
from tests.series_scene import Scene, week

WEEK = timedelta(weeks=1)
ITEMS = mini_items(4)


# --- which noise runs count -----------------------------------------------------------------------


@pytest.fixture
def scene(database):
    """Nine ticks of a series, the first eight asked again for noise."""
    found = Scene(database)
    found.f_s = found.series()
    for number in range(8):
        tick, noise = found.run(number), found.run(number, kind="noise")
        found.compared(
            found.f_s, tick, noise, contrast="days", delta=0.01 * (-1) ** number,
            facts={"spread": 0.01}, n=38,
        )  # fmt: skip
    found.noise, found.tick = noise, found.run(8)
    found.compared(found.f_s, tick, found.tick)
    return found


def ended(scene, run_id, at):
    with scene.database.begin() as connection:
        change = sa.update(runs_table).where(runs_table.c.id == run_id)
        connection.execute(change.values(finished_at=at))


def ticks_of_floor(scene):
    """How many A/A ticks the floor of the last tick is of; 0 without one."""
    with scene.database.read() as connection:
        tests = comparisons.of_run(connection, scene.tick, Contrast.STEP)
        primaries = frozenset(member_of(one) for one in tests)
        declared = SimpleNamespace(witnesses=(), primaries=primaries, repeats={})
        found = floors(connection, declared, tests, scene.tick)
    return found[scene.f_s].n_ticks if found else 0


def test_what_ended_before_the_tick_had_ended_counts(scene):
    assert ticks_of_floor(scene) == 8
    ended(scene, scene.noise, week(8))
    assert ticks_of_floor(scene) == 8


@pytest.mark.parametrize("at", [week(8) + timedelta(seconds=1), week(20), None])
def test_what_ended_later_or_not_at_all_does_not(scene, at):
    ended(scene, scene.noise, at)
    assert ticks_of_floor(scene) == 0  # seven are too few


def test_a_tick_that_has_not_ended_has_no_floor(scene):
    ended(scene, scene.tick, None)
    assert ticks_of_floor(scene) == 0


# --- decided again --------------------------------------------------------------------------------


def answers(run):
    """Other sentences are feminine in each run."""
    return Scripted(portuguese(ITEMS, lambda item: (int(item["stereotype"]) + run) % 3 == 0))


def ask(database, audit, number):
    run_audit(database, audit, answers(number), DUE + number * WEEK)
    with database.read() as connection:
        return runs.get(connection, runs.scheduled_at(connection, "mini", DUE + number * WEEK))


def ask_again(database, audit, number, run):
    noise = pipeline.start_noise(database, audit, DUE + number * WEEK)
    pipeline.run(database, audit, noise, answers(run), quiet)
    return noise


def ledger(database):
    with database.read() as connection:
        return changes.ledger(connection, "mini")


def floors_at(database, audit, run):
    with database.read() as connection:
        tests = comparisons.of_run(connection, run.id, Contrast.STEP)
        return floors(connection, declared_by(connection, audit), tests, run.id)


def test_a_tick_that_is_decided_again_has_the_floor_that_it_had(database, tmp_path, monkeypatch):
    monkeypatch.setattr(stats, "LEAST", 1)
    audit = make_audit(tmp_path, items=ITEMS, noise={"share": 1.0})
    ask(database, audit, 0)
    first = ask(database, audit, 1)
    before = ledger(database)
    ask_again(database, audit, 0, 5)  # late: the next tick is decided already
    assert floors_at(database, audit, first) == {}
    pipeline.conclude(database, audit, first, quiet)
    assert ledger(database) == before
    second = ask(database, audit, 2)
    assert floors_at(database, audit, second) != {}
    pipeline.conclude(database, audit, first, quiet)
    assert ledger(database)[:2] == before


def test_ticks_that_were_decided_before_a_noise_run_was_compared_are_decided_anew(
    database, tmp_path, monkeypatch
):
    audit = make_audit(tmp_path, items=ITEMS, noise={"share": 1.0})
    early = ask(database, audit, 0)
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "conclude", lambda *_: 0)  # it ended, and its process as well
        noise = ask_again(database, audit, 0, 5)
    with monkeypatch.context() as patch:
        patch.setattr(concluding.undecided, "others", lambda *_: [])  # later runs would decide it
        late = ask(database, audit, 1)
    decided = []
    real = concluding.detect

    def detect(database, audit, run, now):
        decided.append(run.id)
        return real(database, audit, run, now)

    monkeypatch.setattr(concluding, "detect", detect)
    pipeline.conclude(database, audit, noise, quiet)
    assert decided == [noise.id, late.id]
    assert early.id not in decided
    pipeline.conclude(database, audit, noise, quiet)
    assert decided == [noise.id, late.id, noise.id]
    assert noise.kind is RunKind.NOISE
