"""Due ticks and watched jobs, on both databases."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.model import RunKind, TickState
from monitor.store.collect import runs
from monitor.store.jobs import declarations
from monitor.store.schedule import ticks
from tests.factories import make_audit

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
DUE, MISSED = TickState.DUE, TickState.MISSED


def do(database, what, *args):
    with database.begin() as connection:
        return what(connection, *args)


def look(database, what, *args):
    with database.read() as connection:
        return what(connection, *args)


def note(database, *found, job="mini", now=AT):
    rows = [(due_at, due_at, state, reason) for due_at, state, reason in found]
    do(database, ticks.note_ticks, job, rows, now)


def of_job(database, job="mini", limit=100):
    return look(database, ticks.list_newest, job, limit)


@pytest.fixture
def audit(tmp_path):
    return make_audit(tmp_path)


@pytest.fixture
def run_id(database, audit):
    run = do(
        database, runs.create_run, audit.job, AT, RunKind.SCHEDULED, AT, runs.Provenance("1", {})
    )
    return run.id


@pytest.fixture
def bundle_id(database, audit):
    return do(database, declarations.store_bundle, database, audit, {"mini.toml": b"one"})


# --- ticks ----------------------------------------------------------------------------------------


def test_nothing_is_there_at_first(database):
    assert of_job(database) == []
    assert look(database, ticks.find_last_noted, "mini", AT + 20_000 * HOUR) is None
    assert look(database, ticks.find_due, AT) == []
    assert look(database, ticks.list_running) == []


def test_a_tick_comes_back_as_it_was_noted(database):
    start = AT + timedelta(milliseconds=94_155)
    do(database, ticks.note_ticks, "mini", [(AT, start, DUE, "late\0")], AT - HOUR)
    [tick] = of_job(database)
    assert tick == ticks.DueTick(
        tick.id, "mini", AT, start, DUE, "late\ufffd", None, AT - HOUR, None
    )


def test_a_tick_that_is_missed_has_ended_when_it_is_noted(database):
    note(database, (AT - HOUR, MISSED, "nobody was there"), (AT, DUE, ""))
    due, missed = of_job(database)
    assert (missed.state, missed.ended_at, missed.reason) == (MISSED, AT, "nobody was there")
    assert (due.state, due.ended_at) == (DUE, None)


def test_a_tick_that_is_there_stays_as_it_is(database):
    note(database, (AT, MISSED, "first"))
    note(database, (AT, DUE, "second"), (AT + HOUR, DUE, "third"), now=AT + HOUR)
    note(database, (AT, DUE, "another job's"), job="other")
    assert [(one.due_at, one.reason) for one in of_job(database)] == [
        (AT + HOUR, "third"), (AT, "first"),
    ]  # fmt: skip
    assert [one.reason for one in of_job(database, "other")] == ["another job's"]
    note(database)  # none at all


def test_two_daemons_that_note_the_same_ticks_at_once(database):
    together, failures = threading.Barrier(2), []

    def work(name):
        try:
            for n in range(5):
                together.wait(20)
                note(database, *((AT + n * HOUR + m * HOUR / 60, DUE, name) for m in range(20)))
        except Exception as error:  # noqa: BLE001 - shown below
            failures.append(error)
            together.abort()

    threads = [threading.Thread(target=work, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    found = of_job(database, limit=1000)
    assert len(found) == len({tick.due_at for tick in found}) == 100


def test_very_many_ticks_are_noted_at_once(database):
    many = [(AT + n * HOUR, MISSED, "") for n in range(10_000)]
    note(database, *many)
    assert look(database, ticks.find_last_noted, "mini", AT + 20_000 * HOUR) == many[-1][0]
    assert [one.due_at for one in of_job(database, limit=2)] == [many[-1][0], many[-2][0]]


def test_due_are_ticks_whose_start_has_come_the_oldest_first(database):
    rows = [
        (AT, AT + HOUR, DUE, "delayed by jitter"),
        (AT - HOUR, AT - HOUR, DUE, "oldest"),
        (AT - HOUR / 2, AT, DUE, "starts now"),
        (AT - 2 * HOUR, AT - 2 * HOUR, MISSED, ""),
    ]
    do(database, ticks.note_ticks, "mini", rows, AT)
    assert [one.reason for one in look(database, ticks.find_due, AT)] == ["oldest", "starts now"]
    assert len(look(database, ticks.find_due, AT + HOUR)) == 3


def test_a_tick_is_begun_once_and_ends_once(database, run_id):
    note(database, (AT, DUE, ""))
    [tick] = look(database, ticks.find_due, AT)
    assert do(database, ticks.begin_tick, tick.id, run_id)
    assert not do(database, ticks.begin_tick, tick.id, run_id)
    assert look(database, ticks.find_due, AT) == []
    [running] = look(database, ticks.list_running)
    assert (running.id, running.state, running.run_id) == (tick.id, TickState.RUNNING, run_id)
    assert look(database, ticks.list_open_of_run, run_id) == [running]

    assert do(database, ticks.end_tick, tick.id, TickState.PARTIAL, "3 unanswered\0", AT + HOUR)
    assert not do(database, ticks.end_tick, tick.id, TickState.DONE, "", AT + 2 * HOUR)
    assert not do(database, ticks.begin_tick, tick.id, run_id)
    [ended] = of_job(database)
    assert (ended.state, ended.reason) == (TickState.PARTIAL, "3 unanswered\ufffd")
    assert (ended.ended_at, ended.run_id) == (AT + HOUR, run_id)
    assert look(database, ticks.list_running) == []
    assert look(database, ticks.list_open_of_run, run_id) == []
    assert look(database, ticks.list_open_of_run, run_id + 1) == []


@pytest.mark.parametrize("state", [TickState.MISSED, TickState.OVERLAPPED, TickState.FAILED])
def test_a_tick_can_end_without_being_begun(database, run_id, state):
    note(database, (AT, DUE, ""))
    [tick] = of_job(database)
    assert do(database, ticks.end_tick, tick.id, state, "why", AT)
    assert not do(database, ticks.begin_tick, tick.id, run_id)
    assert look(database, ticks.find_due, AT) == []
    assert of_job(database)[0].state == state


@pytest.mark.parametrize("state", [TickState.DUE, TickState.RUNNING])
def test_a_tick_does_not_end_in_a_state_that_is_no_end(database, state):
    note(database, (AT, DUE, ""))
    [tick] = of_job(database)
    with pytest.raises(ValueError, match="does not end so"):
        do(database, ticks.end_tick, tick.id, state, "", AT)
    assert of_job(database) == [tick]


def test_the_last_noted_tick_is_the_newest_whatever_became_of_it(database):
    note(database, (AT + HOUR, MISSED, ""), (AT, DUE, ""))
    note(database, (AT + 9 * HOUR, DUE, ""), job="other")
    assert look(database, ticks.find_last_noted, "mini", AT + 20_000 * HOUR) == AT + HOUR


# --- watched jobs ---------------------------------------------------------------------------------


def watched(database):
    return look(database, ticks.list_watched)


def test_a_job_is_watched_since_the_first_time(database, audit, bundle_id):
    do(database, ticks.watch_job, "mini", "/jobs/mini.toml", bundle_id, AT)
    first = ticks.WatchedJobRow("mini", "/jobs/mini.toml", bundle_id, AT, True, "", None)
    assert watched(database) == [first]
    newer = do(database, declarations.store_bundle, database, audit, {"mini.toml": b"two"})
    do(database, ticks.watch_job, "mini", "/jobs/new\0.toml", newer, AT + HOUR)
    [now] = watched(database)
    assert (now.path, now.bundle_id, now.watched_since) == ("/jobs/new\ufffd.toml", newer, AT)


def test_a_broken_edit_is_trouble_until_a_version_can_be_used(database, bundle_id):
    do(database, ticks.watch_job, "mini", "mini.toml", bundle_id, AT)
    do(database, ticks.watch_job, "other", "other.toml", bundle_id, AT)
    do(database, ticks.set_trouble, "mini", "schedule.cron: needs \ud800 five fields")
    do(database, ticks.set_trouble, "never-watched", "broken from the start")
    mini, other = watched(database)
    assert mini.trouble == "schedule.cron: needs \ufffd five fields"
    assert mini.is_active
    assert other.trouble == ""
    do(database, ticks.watch_job, "mini", "mini.toml", bundle_id, AT + HOUR)
    assert watched(database)[0].trouble == ""


def test_a_job_whose_file_is_gone_and_comes_back(database, bundle_id):
    do(database, ticks.watch_job, "mini", "mini.toml", bundle_id, AT)
    do(database, ticks.set_next_time, "mini", AT + HOUR)
    assert watched(database)[0].next_at == AT + HOUR
    do(database, ticks.retire_job, "mini")
    [gone] = watched(database)
    assert (gone.is_active, gone.next_at) == (False, None)
    do(database, ticks.watch_job, "mini", "mini.toml", bundle_id, AT + 2 * HOUR)
    [back] = watched(database)
    assert (back.is_active, back.watched_since) == (True, AT)


def test_next_at_can_be_never_and_belongs_to_one_job(database, bundle_id):
    for job in ("mini", "other"):
        do(database, ticks.watch_job, job, f"{job}.toml", bundle_id, AT)
        do(database, ticks.set_next_time, job, AT)
    do(database, ticks.set_next_time, "mini", None)
    assert [one.next_at for one in watched(database)] == [None, AT]


def test_a_failed_transaction_leaves_no_tick(database):
    def fail(connection):
        ticks.note_ticks(connection, "mini", [(AT, AT, DUE, "")], AT)
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        do(database, fail)
    assert of_job(database) == []


def test_a_naive_time_is_refused(database):
    with pytest.raises(sa.exc.StatementError, match="naive"):
        note(database, (AT.replace(tzinfo=None), DUE, ""))
