"""Ticks of recorded jobs: made in a thread, gone on with after a stop, never marked by a guess."""

import time
from dataclasses import replace

import pytest

from monitor import pipeline
from monitor.daemon import recorded_runner as module
from monitor.daemon.recorded_runner import RecordedRunner
from monitor.fetch.recorded import Library, RecordedFetcher
from monitor.model import InvalidInput, RunState, StoreGone
from monitor.pipeline.schedule.leases import Turns
from monitor.store.journal import events
from monitor.store.schedule import ticks
from monitor.work.recorded import list_recorded_dates, make_missing_runs
from tests.daemon.conftest import HOUR, MONDAY, WEEK, Place, schedule
from tests.engines.test_recorded import ALL_MASCULINE, ITEMS, collection, recorded_job
from tests.factories import make_list, portuguese, rows

PATIENCE = 30


@pytest.fixture
def place(sqlite_database, tmp_path):
    """A recorded job of two dates, with a tick that is due; nothing takes it by itself."""
    found = Place(sqlite_database, tmp_path / "jobs")
    make_list(found.folder, items=ITEMS)
    collection(found.folder, {"2023-06-01": ALL_MASCULINE, "2023-05-01": portuguese(ITEMS)})
    recorded_job(found.folder, schedule=schedule(catch_up="all"))
    found.at(MONDAY - HOUR)
    found.watching.poll_folder(MONDAY)
    found.ticking.note_ticks(found.watching.jobs["mini"], MONDAY)
    return found


def idle(past):
    end = time.monotonic() + PATIENCE
    while past.in_flight:
        assert time.monotonic() < end
        time.sleep(0.02)


def taken(place, past):
    """Let it do what is due."""
    with place.database.read() as connection:
        due = ticks.find_due(connection, MONDAY + WEEK)
    past.take_job(place.watching.jobs["mini"], due)
    past.take_job(place.watching.jobs["mini"], due)  # it has it already
    idle(past)


def again(past):
    past._not_before.clear()


def test_a_database_that_is_away_leaves_the_tick_due(place, monkeypatch):
    past = RecordedRunner(place.shop)

    def gone(*_):
        raise StoreGone("away")

    with monkeypatch.context() as patch:
        patch.setattr(module.pipeline, "audit_of", gone)
        taken(place, past)
    assert place.states() == [(MONDAY, "due")]
    taken(place, past)  # it rests for a while
    assert place.states() == [(MONDAY, "due")]
    again(past)
    with monkeypatch.context() as patch:
        patch.setattr(module.ticks, "end_tick", gone)
        taken(place, past)
    assert place.states() == [(MONDAY, "due")]
    again(past)
    taken(place, past)
    assert [(str(one.state), one.reason) for one in place.ticks()] == [("done", "0 new dates")]
    assert len(rows(place.database, "SELECT * FROM runs")) == 2
    past.close(wait=True)


def test_a_recording_that_cannot_be_read_fails_the_tick_with_an_alarm(place, monkeypatch, caplog):
    def odd(*_):
        raise InvalidInput("translations.csv: no such file")

    monkeypatch.setattr(module, "list_dates", odd)
    past = RecordedRunner(place.shop)
    taken(place, past)
    [tick] = place.ticks()
    assert (tick.state, tick.reason) == ("failed", "translations.csv: no such file")
    with place.database.read() as connection:
        [alarm] = events.list_open_alarms(connection)
    assert (alarm.kind, alarm.subject) == ("tick_failed", "mini")
    assert "no such file" in caplog.text
    past.close(wait=True)


def test_what_was_stopped_in_the_middle_is_gone_on_with(place, monkeypatch):
    answer, stopping = RecordedFetcher.answer_request, []

    def stopped(self, request):
        stopping.append(True)
        return answer(self, request)

    with monkeypatch.context() as patch:
        patch.setattr(RecordedFetcher, "answer_request", stopped)
        past = RecordedRunner(replace(place.shop, stop=lambda: bool(stopping)))
        taken(place, past)
        past.close(wait=True)
    assert place.states() == [(MONDAY, "due")]
    assert [row["state"] for row in rows(place.database, "SELECT state FROM runs")] == [
        "interrupted"
    ]
    past = RecordedRunner(place.shop)
    taken(place, past)
    assert [(str(one.state), one.reason) for one in place.ticks()] == [("done", "2 new dates")]
    made = rows(place.database, "SELECT state FROM runs ORDER BY id")
    assert [row["state"] for row in made] == ["done", "done"]
    past.close(wait=True)


def test_a_run_that_another_process_works_on_is_left_to_it(place):
    past = RecordedRunner(place.shop)
    audit = pipeline.audit_of(place.database, place.watching.jobs["mini"].bundle_id)
    run = pipeline.start(place.database, audit, "scheduled", MONDAY)
    with Turns(place.database) as turns:
        assert turns.take(pipeline.turn_of_run(run.id))
        taken(place, past)
        assert place.states() == [(MONDAY, "due")]
    past.close(wait=True)


def test_closing_what_never_began_is_nothing(place):
    RecordedRunner(place.shop).close(wait=True)


def finished(place):
    made = rows(place.database, "SELECT state FROM runs ORDER BY id")
    return [row["state"] for row in made]


def test_a_run_that_was_cut_off_is_finished_by_its_own_files_after_an_edit(place):
    past = RecordedRunner(place.shop)
    audit = pipeline.audit_of(place.database, place.watching.jobs["mini"].bundle_id)
    dates = list_recorded_dates(audit, Library(audit.path.parent))
    for date in dates:
        pipeline.start(place.database, audit, "scheduled", date)
    recorded_job(place.folder, schedule=schedule(catch_up="all"), tries=3)
    place.watching.poll_folder(MONDAY + HOUR)
    taken(place, past)
    assert [(str(one.state), one.reason) for one in place.ticks()] == [("done", "2 new dates")]
    assert finished(place) == ["done", "done"]
    past.close(wait=True)


def test_a_run_whose_files_are_gone_is_said_and_does_not_stop_new_dates(place):
    past = RecordedRunner(place.shop)
    audit = pipeline.audit_of(place.database, place.watching.jobs["mini"].bundle_id)
    pipeline.start(place.database, audit, "scheduled", MONDAY)
    with place.database.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET bundle_id = NULL")
    recorded_job(place.folder, schedule=schedule(catch_up="all"), tries=3)
    place.watching.poll_folder(MONDAY + HOUR)
    taken(place, past)
    [tick] = place.ticks()
    assert tick.state == "partial"
    assert tick.reason.startswith("2 new dates; run 1 of 2026-03-02 was cut off: ")
    assert finished(place) == ["running", "done", "done"]
    past.close(wait=True)


def test_a_tick_whose_runs_lack_something_is_partial_and_says_what(place, monkeypatch):
    def lacking(*given, **named):
        for made in make_missing_runs(*given, **named):
            yield replace(made, state=RunState.PARTIAL, answered=3, planned=7, stopped=("why",))

    monkeypatch.setattr(module, "make_missing_runs", lacking)
    past = RecordedRunner(place.shop)
    taken(place, past)
    [tick] = place.ticks()
    assert tick.state == "partial"
    assert "run 1 of 2023-05-01: 3 of 7 questions have an answer; why" in tick.reason
    assert "run 2 of 2023-06-01" in tick.reason
    past.close(wait=True)
