"""What becomes of ticks: every way in which one can end, on both databases, by a clock of ours."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from monitor.model import RunState, Stage, StoreFull, StoreGone, StoreProblem, TaskState
from monitor.store.collect import pauses, runs
from monitor.store.journal import events
from monitor.store.schedule import tasks, ticks
from monitor.store.schedule.tasks import TOGETHER
from tests.daemon.conftest import DAY, HOUR, MINUTE, MONDAY, OWN, WEEK, Place, schedule
from tests.factories import make_list, portuguese, rows

FAR = datetime(2999, 1, 1, tzinfo=UTC)


class Crash(BaseException):
    """The process dies here."""


def alarms(place):
    with place.database.read() as connection:
        return {(one.kind, one.subject): one.detail for one in events.list_open_alarms(connection)}


def pause(place, now, reason=""):
    with place.database.begin() as connection:
        pauses.add_pause(connection, "job", "mini", reason, now)


def resume(place):
    with place.database.begin() as connection:
        pauses.end_pause(connection, "job", "mini", MONDAY)


# --- in time --------------------------------------------------------------------------------------


def test_nothing_is_owed_from_before_a_job_was_watched(place):
    place.job()
    place.at(MONDAY + HOUR)
    assert place.ticks() == []
    assert place.watched()["mini"].next_at == MONDAY + WEEK


def test_a_tick_becomes_a_run_with_a_task_for_each_lane(place):
    place.job()
    place.at(MONDAY - HOUR)
    place.at(MONDAY + MINUTE)
    [tick] = place.ticks()
    assert (tick.due_at, tick.state, tick.reason) == (MONDAY, "running", "")
    with place.database.read() as connection:
        run = runs.get_run(connection, tick.run_id)
    assert (run.due_at, run.kind, run.state) == (MONDAY, "scheduled", "running")
    assert [(one.stage, one.lane) for one in place.tasks(run.id)] == [
        ("collect", "libretranslate@127.0.0.1:9"),
        ("derive", ""),
    ]
    assert place.woken == 1
    assert place.watched()["mini"].next_at == MONDAY + WEEK


def test_the_engines_of_a_synchronised_job_are_asked_by_one_task(place):
    place.job(synchronised=True)
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    [tick] = place.ticks()
    assert [one.lane for one in place.tasks(tick.run_id)] == [TOGETHER, ""]


def test_jitter_delays_the_start_and_not_the_due_time(place):
    place.job(schedule=schedule(jitter=3600))
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    [tick] = place.ticks()
    assert (tick.due_at, tick.state) == (MONDAY, "due")
    assert MONDAY < tick.start_at <= MONDAY + HOUR
    place.at(tick.start_at - timedelta(milliseconds=1))
    assert place.states() == [(MONDAY, "due")]
    place.at(tick.start_at)
    assert place.states() == [(MONDAY, "running")]


# --- after an outage ------------------------------------------------------------------------------


@pytest.mark.parametrize(("policy", "newest"), [("latest", "running"), ("none", "missed")])
def test_after_an_outage_the_policy_of_the_job_holds(place, policy, newest):
    place.job(schedule=schedule(catch_up=policy))
    place.at(MONDAY - HOUR)
    place.restart()
    place.at(MONDAY + 2 * WEEK + 2 * HOUR)
    assert place.states() == [
        (MONDAY, "missed"),
        (MONDAY + WEEK, "missed"),
        (MONDAY + 2 * WEEK, newest),
    ]
    assert f"catch-up is {policy}" in place.ticks()[0].reason
    place.restart()
    place.at(MONDAY + 2 * WEEK + 3 * HOUR)
    assert len(place.ticks()) == 3


# --- one run at a time ----------------------------------------------------------------------------


def begun(place):
    """A job whose first tick is being asked."""
    place.job(schedule=schedule("0 * * * *"))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)
    [tick] = place.ticks()
    assert tick.state == "running"
    return tick


def test_a_tick_is_overlapped_by_a_run_that_is_being_asked(place):
    first = begun(place)
    place.at(MONDAY + HOUR)
    assert place.states() == [(MONDAY, "running"), (MONDAY + HOUR, "overlapped")]
    assert (
        place.ticks()[1].reason == f"run {first.run_id}, of the tick before, is still being asked"
    )


def test_a_run_that_waits_is_wound_up_for_the_next_tick(place):
    first = begun(place)
    place.settle(first.run_id, TaskState.OPEN, "suspended until tomorrow", FAR)
    place.at(MONDAY + HOUR)
    assert place.states() == [(MONDAY, "running"), (MONDAY + HOUR, "due")]
    [collect, derive] = place.tasks(first.run_id)
    assert (collect.state, collect.reason) == (
        "done",
        "suspended until tomorrow; the next tick was due",
    )
    with place.database.begin() as connection:
        tasks.settle_task(connection, derive.id, TaskState.DONE)
        runs.set_state(connection, first.run_id, RunState.PARTIAL)
    place.at(MONDAY + HOUR + MINUTE)
    place.at(MONDAY + HOUR + 2 * MINUTE)
    assert place.states() == [(MONDAY, "partial"), (MONDAY + HOUR, "running")]


def test_of_ticks_that_wait_for_a_run_to_end_the_newest_is_begun(place):
    first = begun(place)
    place.settle(first.run_id, TaskState.DONE)
    place.at(MONDAY + HOUR)
    place.at(MONDAY + 2 * HOUR)
    assert place.states() == [
        (MONDAY, "running"),
        (MONDAY + HOUR, "overlapped"),
        (MONDAY + 2 * HOUR, "due"),
    ]


def test_of_several_ticks_in_time_the_first_is_begun(place):
    place.job(schedule=schedule("* * * * *"))
    place.at(MONDAY)
    place.at(MONDAY + 3 * MINUTE)
    assert [state for _, state in place.states()] == ["running", "overlapped", "overlapped"]


# --- rests and changes ----------------------------------------------------------------------------


def test_ticks_of_a_paused_job_are_missed(place):
    place.job(schedule=schedule("0 * * * *"))
    place.at(MONDAY - MINUTE)
    pause(place, MONDAY - MINUTE, "the server moves")
    place.at(MONDAY)
    place.at(MONDAY + HOUR)
    resume(place)
    place.at(MONDAY + 2 * HOUR)
    assert [state for _, state in place.states()] == ["missed", "missed", "running"]
    assert place.ticks()[0].reason == (
        "paused by a person since 2026-03-02 04:59 UTC: the server moves"
    )


def test_a_tick_whose_start_is_delayed_into_a_pause_is_missed(place):
    place.job(schedule=schedule(jitter=3600))
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    pause(place, MONDAY)
    place.at(MONDAY + HOUR)
    assert place.states() == [(MONDAY, "missed")]


def test_a_job_whose_file_is_gone_has_no_ticks_until_it_is_back(place):
    path = place.job()
    place.at(MONDAY - HOUR)
    content = path.read_bytes()
    path.unlink()
    place.at(MONDAY + HOUR)
    assert place.ticks() == []
    assert not place.watched()["mini"].is_active
    path.write_bytes(content)
    place.at(MONDAY + WEEK + MINUTE)
    assert place.states() == [(MONDAY, "missed"), (MONDAY + WEEK, "running")]


def test_a_delayed_tick_of_a_job_whose_file_is_gone_is_missed(place):
    path = place.job(schedule=schedule(jitter=3600))
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    path.unlink()
    place.at(MONDAY + HOUR)
    [tick] = place.ticks()
    assert (tick.state, tick.reason) == ("missed", "its job file is gone")


def test_another_schedule_owes_nothing_from_before_it_was_there(place):
    place.job()
    place.at(MONDAY - HOUR)
    place.job(schedule=schedule("0 6 * * *"))
    changed = MONDAY + 3 * DAY
    place.at(changed)  # the tick of Monday is owed by the schedule that was in force then
    assert place.states() == [(MONDAY, "running")]
    place.settle(1, TaskState.DONE)
    place.restart()
    place.at(changed + 30 * MINUTE)
    assert place.states() == [(MONDAY, "running")]
    place.at(changed + HOUR)
    assert place.states() == [(MONDAY, "running"), (changed + HOUR, "due")]


def test_a_job_that_breaks_while_it_runs_goes_on_as_it_was(place):
    path = place.job()
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    path.write_text("name = ", encoding="utf-8")
    place.at(MONDAY + HOUR)
    place.restart()
    place.at(MONDAY + WEEK)
    assert place.states() == [(MONDAY, "running"), (MONDAY + WEEK, "overlapped")]
    assert "not valid TOML" in place.watched()["mini"].trouble


# --- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "due"),
    [
        # put forward at 01:00 UTC: 02:30 is never shown and comes at 03:30
        (datetime(2026, 3, 28, 12, tzinfo=UTC), ["2026-03-29 01:30", "2026-03-30 00:30"]),
        # put back at 01:00 UTC: 02:30 is shown twice and comes once
        (datetime(2026, 10, 24, 12, tzinfo=UTC), ["2026-10-25 00:30", "2026-10-26 01:30"]),
    ],
)
def test_both_days_of_the_change_of_time_have_one_tick(place, first, due):
    place.job(schedule=schedule("30 2 * * *", timezone="Europe/Berlin", catch_up="none"))
    for step in range(48 * 4):
        now = first + step * 15 * MINUTE
        place.at(now)
    assert [f"{at:%Y-%m-%d %H:%M}" for at, _ in place.states()] == due
    assert [state for _, state in place.states()] == ["running", "overlapped"]


def test_a_clock_that_is_put_back_asks_nothing_twice(place):
    tick = begun(place)
    place.settle(tick.run_id, TaskState.DONE)
    for now in (MONDAY - 30 * MINUTE, MONDAY, MONDAY + 30 * MINUTE):
        place.ticking.forget_jobs()
        place.at(now)
        assert place.states() == [(MONDAY, "running")]
    assert len(rows(place.database, "SELECT * FROM runs")) == 1


def test_what_a_clock_that_was_ahead_wrote_down_is_taken_back(place):
    begun(place)
    place.settle(1, TaskState.OPEN, "waits", FAR)
    place.at(MONDAY + 3 * HOUR + 30 * MINUTE)
    assert [state for _, state in place.states()] == ["running", "missed", "missed", "due"]
    now = MONDAY + HOUR + MINUTE
    assert place.ticking.take_back(now) == 2
    assert place.ticking.take_back(now) == 0
    [said] = rows(place.database, "SELECT detail FROM events WHERE kind = 'ticks_taken_back'")
    assert said["detail"] == "2 due ticks of times still to come: the clock was ahead"
    place.ticking.forget_jobs()
    place.at(now)
    assert [at for at, _ in place.states()] == [MONDAY, MONDAY + HOUR]
    place.at(MONDAY + 2 * HOUR)
    assert [at for at, _ in place.states()] == [MONDAY, MONDAY + HOUR, MONDAY + 2 * HOUR]


# --- crashes and faults ---------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["ticks.begin_tick", "tasks.plan_tasks"])
def test_a_crash_between_a_run_and_its_tasks_is_healed(place, monkeypatch, where):
    place.job()
    place.at(MONDAY - HOUR)

    def dies(*_):
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(f"monitor.daemon.ticking.{where}", dies)
        with pytest.raises(Crash):
            place.at(MONDAY)
    assert place.states() == [(MONDAY, "due")]
    assert len(rows(place.database, "SELECT * FROM runs")) == 1
    place.restart()
    place.at(MONDAY + HOUR)
    [tick] = place.ticks()
    assert tick.state == "running"
    assert len(place.tasks(tick.run_id)) == 2
    assert len(rows(place.database, "SELECT * FROM runs")) == 1


def test_a_running_tick_whose_run_has_no_tasks_gets_them(place):
    tick = begun(place)
    with place.database.begin() as connection:
        connection.exec_driver_sql("DELETE FROM tasks")
    place.at(MONDAY + MINUTE)
    assert len(place.tasks(tick.run_id)) == 2


@pytest.mark.parametrize(
    ("derived", "run_state", "ended"),
    [
        (TaskState.DONE, RunState.DONE, "done"),
        (TaskState.DONE, RunState.PARTIAL, "partial"),
        (TaskState.FAILED, RunState.INTERRUPTED, "failed"),
    ],
)
def test_a_tick_whose_run_has_nothing_left_to_do_ends(place, derived, run_state, ended):
    tick = begun(place)
    place.settle(tick.run_id, TaskState.DONE, "why not all")
    with place.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, tick.run_id):
            if task.stage is Stage.DERIVE:
                tasks.settle_task(connection, task.id, derived)
        runs.set_state(connection, tick.run_id, run_state)
    place.at(MONDAY + MINUTE)
    [tick] = place.ticks()
    assert (tick.state, tick.reason) == (ended, "why not all")
    assert tick.ended_at == MONDAY + MINUTE


def test_a_tick_that_cannot_be_begun_says_why_and_raises_an_alarm(place):
    place.job(engines=[OWN | {"own": False, "config": {"base_url": "https://translate.test"}}])
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    [tick] = place.ticks()
    assert tick.state == "failed"
    assert "nobody is asked before the job says more" in tick.reason
    assert alarms(place) == {("tick_failed", "mini"): tick.reason}
    place.job()
    place.at(MONDAY + WEEK)
    assert [state for _, state in place.states()] == ["failed", "running"]
    assert alarms(place) == {}


def test_a_list_that_was_changed_after_it_was_published_fails_the_tick(place):
    place.job(schedule=schedule("0 * * * *"))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)
    place.settle(1, TaskState.OPEN, "waits", FAR)
    make_list(place.folder, items=[{"key": "k", "text": "Another.", "stereotype": "1"}])
    place.at(MONDAY + HOUR)
    [_, derive] = place.tasks(1)
    with place.database.begin() as connection:
        tasks.settle_task(connection, derive.id, TaskState.DONE)
        runs.set_state(connection, 1, RunState.PARTIAL)
    place.at(MONDAY + HOUR + MINUTE)
    place.at(MONDAY + HOUR + 2 * MINUTE)
    assert [state for _, state in place.states()] == ["partial", "failed"]
    assert "mini@1" in place.ticks()[1].reason


def test_a_fault_of_ours_fails_the_tick_and_not_the_other_jobs(place, monkeypatch, caplog):
    place.job()
    place.job("other")
    place.at(MONDAY - HOUR)
    from monitor import pipeline

    start = pipeline.start

    def odd(database, audit, *rest):
        if audit.job.name == "mini":
            raise RuntimeError("of ours")
        return start(database, audit, *rest)

    monkeypatch.setattr("monitor.pipeline.start", odd)
    place.at(MONDAY)
    [tick] = place.ticks()
    assert (tick.state, tick.reason) == ("failed", "RuntimeError: of ours")
    assert place.states("other") == [(MONDAY, "running")]
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize("fault", [StoreGone("away"), StoreFull("no room")])
def test_a_database_that_is_away_leaves_the_tick_due(place, monkeypatch, fault):
    place.job()
    place.at(MONDAY - HOUR)

    def fails(*_):
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr("monitor.pipeline.start", fails)
        with pytest.raises(type(fault)):
            place.at(MONDAY)
    assert place.states() == [(MONDAY, "due")]
    place.at(MONDAY + HOUR)
    assert place.states() == [(MONDAY, "running")]


def test_a_run_of_before_files_were_stored_cannot_be_planned(place):
    tick = begun(place)
    with place.database.begin() as connection:
        connection.exec_driver_sql("DELETE FROM tasks")
        connection.exec_driver_sql("UPDATE runs SET bundle_id = NULL")
        connection.exec_driver_sql("UPDATE ticks SET state = 'due', run_id = NULL")
    place.at(MONDAY + MINUTE)
    [tick] = place.ticks()
    assert tick.state == "failed"
    assert "run 1 of mini has no stored job files" in tick.reason


def test_of_very_many_ticks_of_a_paused_job_the_row_of_the_oldest_counts_the_rest(
    place, monkeypatch
):
    monkeypatch.setattr("monitor.ticks.MOST_MISSED", 5)
    place.job(schedule=schedule("0 * * * *"))
    place.at(MONDAY - MINUTE)
    pause(place, MONDAY - MINUTE)
    place.at(MONDAY + 9 * HOUR)
    found = place.ticks()
    assert [str(one.state) for one in found] == ["missed"] * 5
    assert found[0].reason.startswith("paused by a person since ")
    assert "; so were 5 before it, from " in found[0].reason
    assert found[0].reason.endswith(", that have no row")


# --- recordings -----------------------------------------------------------------------------------


def settled(place, count):
    """Wait until so many ticks have ended."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = [tick for tick in place.ticks() if tick.ended_at]
        if len(found) >= count and not place.past.in_flight:
            return
        time.sleep(0.02)
    pytest.fail("the ticks did not end")


def test_a_tick_of_a_recorded_job_makes_the_runs_of_new_dates(place):
    from tests.engines.test_recorded import ALL_MASCULINE, ITEMS, collection, recorded_job

    make_list(place.folder, items=ITEMS)
    collection(place.folder, {"2023-06-01": ALL_MASCULINE, "2023-05-01": portuguese(ITEMS)})
    recorded_job(place.folder, schedule=schedule(catch_up="all"))
    place.at(MONDAY - HOUR)
    place.at(MONDAY + WEEK)
    settled(place, 2)
    assert [(str(one.state), one.reason) for one in place.ticks()] == [
        ("done", "2 new dates"),
        ("done", "2 new dates"),
    ]
    made = rows(place.database, "SELECT state FROM runs ORDER BY id")
    assert [row["state"] for row in made] == ["done", "done"]
    collection(place.folder, {"2023-07-01": ALL_MASCULINE})
    place.at(MONDAY + 2 * WEEK)
    settled(place, 3)
    assert place.ticks()[-1].reason == "1 new date"
    place.past.close(wait=True)


def test_ticks_in_the_future_do_not_count_as_the_last(place):
    begun(place)
    with place.database.read() as connection:
        assert ticks.find_last_noted(connection, "mini", MONDAY - MINUTE) is None
        assert ticks.find_last_noted(connection, "mini", MONDAY) == MONDAY


def test_places_share_nothing_but_the_database(place):
    """Two daemons on one database begin a tick once."""
    place.job()
    place.at(MONDAY - HOUR)
    other = Place(place.database, place.folder)
    other.at(MONDAY - HOUR)
    place.at(MONDAY)
    other.at(MONDAY)
    assert place.states() == [(MONDAY, "running")]
    assert len(rows(place.database, "SELECT * FROM runs")) == 1


# --- what is late, and what was cut off -----------------------------------------------------------


@pytest.mark.parametrize(("policy", "begun_at"), [("none", []), ("latest", [71 * HOUR])])
def test_a_tick_whose_start_was_slept_through_goes_by_the_policy(place, policy, begun_at):
    place.job(schedule=schedule("0 * * * *", jitter=600, catch_up=policy))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)  # noted; it starts minutes later, when the machine is off
    assert place.states() == [(MONDAY, "due")]
    place.restart()
    place.at(MONDAY + 71 * HOUR + 40 * MINUTE)
    assert place.ticks()[0].state == "missed"
    assert f"of its start; catch-up is {policy}" in place.ticks()[0].reason
    found = [due - MONDAY for due, state in place.states() if state == "running"]
    assert found == begun_at


def test_a_tick_that_starts_later_is_newer_than_one_that_was_slept_through(place):
    place.job(schedule=schedule("0 * * * *", jitter=600))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)
    place.restart()
    newest = MONDAY + 72 * HOUR
    place.at(newest)
    place.at(newest + 15 * MINUTE)
    found = place.states()
    assert found[0] == (MONDAY, "missed")
    assert found[-1] == (newest, "running")


@pytest.mark.parametrize("policy", ["none", "latest"])
def test_a_tick_that_waited_for_a_run_until_now_is_not_late(place, policy):
    place.job(schedule=schedule("0 * * * *", catch_up=policy))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)
    place.settle(1, TaskState.DONE)
    for minutes in range(0, 12, 4):
        place.at(MONDAY + HOUR + minutes * MINUTE)
    assert place.states()[-1] == (MONDAY + HOUR, "due")
    ended(place)
    place.at(MONDAY + HOUR + 12 * MINUTE)
    place.at(MONDAY + HOUR + 13 * MINUTE)
    assert place.states() == [(MONDAY, "done"), (MONDAY + HOUR, "running")]


def ended(place):
    """The first run has ended, and its tick with it."""
    with place.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, 1):
            tasks.settle_task(connection, task.id, TaskState.DONE)
        runs.set_state(connection, 1, RunState.DONE)
    place.ticking.heal_ticks(MONDAY)


def test_a_tick_that_waited_while_nobody_was_there_is_late(place):
    place.job(schedule=schedule("0 5 * * *", catch_up="none"))
    place.at(MONDAY - MINUTE)
    place.at(MONDAY)
    place.settle(1, TaskState.DONE)
    place.at(MONDAY + DAY)
    assert place.states()[-1] == (MONDAY + DAY, "due")
    place.restart()
    ended(place)
    place.at(MONDAY + DAY + 3 * HOUR)
    assert place.states() == [(MONDAY, "done"), (MONDAY + DAY, "missed")]


def cut_off(place, monkeypatch):
    """A tick whose run was begun, and has no tasks: the process died in between."""

    def dies(*_):
        raise Crash

    place.job()
    place.at(MONDAY - HOUR)
    with monkeypatch.context() as patch:
        patch.setattr(place.ticking, "_plan_tasks", dies)
        with pytest.raises(Crash):
            place.at(MONDAY)
    place.restart()


@pytest.mark.parametrize("change", ["paused", "gone"])
def test_a_run_that_was_begun_is_gone_on_with_though_its_job_is_not(place, monkeypatch, change):
    cut_off(place, monkeypatch)
    if change == "paused":
        pause(place, MONDAY)
    else:
        (place.folder / "mini.toml").unlink()
    place.at(MONDAY + MINUTE)
    [tick] = place.ticks()
    assert (tick.state, tick.run_id) == ("running", 1)
    assert len(place.tasks(1)) == 2


def test_a_run_without_tasks_whose_tick_has_ended_is_planned(place, monkeypatch):
    cut_off(place, monkeypatch)
    with place.database.begin() as connection:
        connection.exec_driver_sql("UPDATE ticks SET state = 'missed'")
    place.at(MONDAY + MINUTE)
    assert len(place.tasks(1)) == 2
    assert place.woken == 1
    place.settle(1, TaskState.DONE)
    place.at(MONDAY + 2 * MINUTE)
    assert [one.state for one in place.tasks(1)] == ["done", "open"]  # planned once


def test_one_run_that_cannot_be_planned_leaves_the_others_to_be_healed(place, monkeypatch, caplog):
    for name in ("mini", "other"):
        place.job(name=name)
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    with place.database.begin() as connection:
        connection.exec_driver_sql("DELETE FROM tasks")
    first, second = (place.ticks(name)[0].run_id for name in ("mini", "other"))
    lanes = place.ticking._find_lanes

    def some(run):
        if run.id == min(first, second):
            raise StoreProblem("its files cannot be read")
        return lanes(run)

    monkeypatch.setattr(place.ticking, "_find_lanes", some)
    place.ticking.heal_ticks(MONDAY + MINUTE)
    assert len(place.tasks(max(first, second))) == 2
    assert "its files cannot be read" in caplog.text


def test_only_what_was_noted_later_than_now_is_taken_back(place):
    due_at = MONDAY + 3 * HOUR
    with place.database.begin() as connection:
        ticks.note_ticks(connection, "mini", [(due_at, due_at, "missed", "")], MONDAY)
        ticks.note_ticks(connection, "mini", [(due_at + HOUR, due_at, "missed", "")], due_at + HOUR)
        assert ticks.remove_later(connection, MONDAY + HOUR) == 1
    assert place.states() == [(due_at, "missed")]


def test_a_paused_job_is_not_announced_as_the_next(place):
    place.job()
    place.at(MONDAY - HOUR)
    assert place.ticking.next_tick == (MONDAY, "mini")
    pause(place, MONDAY - HOUR)
    place.at(MONDAY - HOUR + MINUTE)
    assert (place.ticking.next_tick, place.ticking.paused_jobs) == (None, {"mini"})
    resume(place)
    place.at(MONDAY - HOUR + 2 * MINUTE)
    assert (place.ticking.next_tick, place.ticking.paused_jobs) == ((MONDAY, "mini"), frozenset())
