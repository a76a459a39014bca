"""One task at a time: how far it has come is in its row, whoever performs it, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.faults import Suspension
from monitor.model import RunState, Stage, StoreGone, TaskState, TickState
from monitor.pipeline.collect import run_lanes
from monitor.pipeline.derive import readings
from monitor.pipeline.schedule.leases import Turns
from monitor.store.collect import pauses, runs
from monitor.store.journal import events
from monitor.store.schedule import leases, tasks, ticks
from monitor.store.schema import runs as runs_table
from monitor.work import perform
from monitor.work.perform import AWAY_WAIT, BUSY_WAIT, FAULT_WAIT, LACKING_WAIT, MOST_TRIES
from tests.factories import DUE
from tests.standins.libretranslate import LibreTranslate
from tests.work.conftest import lane, server, use

QUESTIONS = 16


@pytest.fixture
def dialect():
    """Where one process performs everything; workers that share PostgreSQL have their own tests."""
    return "sqlite"


@pytest.fixture
def running():
    with server() as one:
        yield one


class Performing:
    """One run of one engine, whose tasks are performed here."""

    def __init__(self, site, running, **changes):
        self.site, self.running = site, running
        self.stopped = False
        self.run = site.begin(use(running, **changes))
        self.collect, self.derive = (task.id for task in site.tasks(self.run))
        self.shop = site.shop(lambda: self.stopped)

    def task(self, stage=Stage.COLLECT):
        return next(one for one in self.site.tasks(self.run) if one.stage is stage)

    def perform(self, stage=Stage.COLLECT):
        """Do one task, once, when its time has come; returns its row."""
        with self.site.database.begin() as connection:
            tasks.wake_tasks(connection)
        perform.perform_task(self.shop, self.task(stage).id)
        return self.task(stage)

    def settle(self, task_id, *arguments, **named):
        with self.site.database.begin() as connection:
            tasks.settle_task(connection, task_id, *arguments, **named)

    def tick(self):
        """A tick that waits for the run."""
        with self.site.database.begin() as connection:
            ticks.note_ticks(connection, "mini", [(DUE, DUE, TickState.DUE, "")], DUE)
            [tick] = ticks.find_due(connection, datetime.now(UTC))
            assert ticks.begin_tick(connection, tick.id, self.run.id)

    def tick_state(self):
        with self.site.database.read() as connection:
            [tick] = ticks.list_newest(connection, "mini", 1)
        return tick.state


@pytest.fixture
def one(site, running):
    return Performing(site, running)


def waits(task):
    """Seconds from now until a task can be begun."""
    return (task.not_before - datetime.now(UTC)).total_seconds()


def fails(error):
    def ask(*_arguments, **_named):
        raise error

    return ask


def test_a_lane_is_asked_and_a_run_derived(one):
    one.tick()
    assert one.perform().state is TaskState.DONE
    assert one.site.is_exactly_once(QUESTIONS)
    assert one.perform(Stage.DERIVE).state is TaskState.DONE
    assert one.site.states() == [RunState.DONE]
    assert one.tick_state() is TickState.DONE
    # a job that is there once too often changes nothing
    one.perform()
    one.perform(Stage.DERIVE)
    perform.perform_task(one.shop, 10_000)
    assert len(one.running.requests) == QUESTIONS


def test_a_lane_is_asked_turn_by_turn(one, monkeypatch):
    monkeypatch.setattr(run_lanes, "TURN_SECONDS", 0.05)
    one.running.app.latency = 0.02
    turns = 0
    while (task := one.perform()).state is TaskState.OPEN:
        assert (task.not_before, task.tries, task.reason) == (None, 0, "")
        turns += 1
    assert turns > 1
    assert one.site.is_exactly_once(QUESTIONS)


def test_a_lane_that_another_asks_is_waited_for(one):
    name = f"lane:{lane(one.running)}@direct"
    with one.site.database.begin() as connection:
        held = leases.take_lease(connection, name, "elsewhere:1:1", 60)
    task = one.perform()
    assert (task.state, task.tries) == (TaskState.OPEN, 0)
    assert 0 < waits(task) <= BUSY_WAIT.total_seconds()
    assert one.running.requests == []
    with one.site.database.begin() as connection:
        leases.release_lease(connection, held)
    assert one.perform().state is TaskState.DONE


def test_a_lane_that_was_taken_in_the_last_moment_is_waited_for(one, monkeypatch):
    monkeypatch.setattr(perform, "_is_busy", lambda *_: False)
    with one.site.database.begin() as connection:
        leases.take_lease(connection, f"lane:{lane(one.running)}@direct", "elsewhere:1:1", 60)
    task = one.perform()
    assert (task.state, task.tries) == (TaskState.OPEN, 0)
    assert 0 < waits(task) <= BUSY_WAIT.total_seconds()


def test_a_run_that_another_derives_is_waited_for(one):
    one.perform()
    with one.site.database.begin() as connection:
        leases.take_lease(connection, f"run:{one.run.id}", "elsewhere:1:1", 60)
    task = one.perform(Stage.DERIVE)
    assert task.state is TaskState.OPEN
    assert 0 < waits(task) <= BUSY_WAIT.total_seconds()


def test_a_suspended_lane_waits_until_its_time_has_come(one):
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=2)
    with one.site.database.begin() as connection:
        suspension = Suspension(until, "quota", "enough for today")
        pauses.store_suspension(connection, lane(one.running), "direct", suspension, DUE)
    task = one.perform()
    assert (task.state, task.tries, task.not_before) == (TaskState.OPEN, 0, until)
    assert "enough for today" in task.reason
    assert one.running.requests == []


def test_a_spent_budget_waits_for_the_next_day(site, running):
    task = Performing(site, running, daily_budget=1).perform()
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    assert (task.state, task.not_before.date()) == (TaskState.OPEN, tomorrow)
    assert task.not_before.time() == datetime.min.time()
    assert "the daily budget of 1 requests is spent" in task.reason
    assert len(running.requests) == 1


def test_a_lane_that_a_person_has_to_mend_is_done_with(one):
    one.running.app._always = LibreTranslate.auth_error()
    one.tick()
    task = one.perform()
    assert task.state is TaskState.DONE
    assert "Invalid API key" in task.reason
    one.perform(Stage.DERIVE)
    assert one.site.states() == [RunState.PARTIAL]
    assert one.tick_state() is TickState.PARTIAL


def test_a_part_that_is_missing_here_is_waited_for(site, running):
    keyed = use(running, config={"base_url": running.url, "key": "KEY_THAT_IS_NOT_SET"})
    run = site.begin(keyed)
    perform.perform_task(site.shop(), site.tasks(run)[0].id)
    task = site.tasks(run)[0]
    assert (task.state, task.tries) == (TaskState.OPEN, 0)
    assert "KEY_THAT_IS_NOT_SET" in task.reason
    assert LACKING_WAIT.total_seconds() - 30 < waits(task) <= LACKING_WAIT.total_seconds()


def test_a_run_without_its_files_waits(one):
    with one.site.database.begin() as connection:
        connection.execute(sa.update(runs_table).values(bundle_id=None))
    task = one.perform()
    assert "has no stored job files" in task.reason
    assert task.state is TaskState.OPEN


def test_a_database_that_is_away_is_waited_for(one, monkeypatch):
    monkeypatch.setattr("monitor.pipeline.collect.runs.ask", fails(StoreGone("the server is away")))
    task = one.perform()
    assert (task.state, task.tries, task.reason) == (TaskState.OPEN, 0, "the server is away")
    assert 0 < waits(task) <= AWAY_WAIT.total_seconds()


def test_a_fault_of_ours_is_tried_again_later_and_later_then_given_up(one, monkeypatch):
    monkeypatch.setattr(
        "monitor.pipeline.collect.runs.ask", fails(ZeroDivisionError("a fault of ours"))
    )
    for tries in range(1, MOST_TRIES):
        task = one.perform()
        assert (task.state, task.tries) == (TaskState.OPEN, tries)
        assert task.reason == "ZeroDivisionError: a fault of ours"
        longest = FAULT_WAIT.total_seconds() * 2 ** (tries - 1)
        assert longest - 10 < waits(task) <= longest
    task = one.perform()
    assert task.state is TaskState.FAILED
    assert task.reason == f"given up after {MOST_TRIES} tries; ZeroDivisionError: a fault of ours"
    [(subject, detail)] = one.site.events("task_failed")
    assert (subject, detail) == (f"mini: collect {lane(one.running)}", task.reason)
    with one.site.database.read() as connection:
        [alarm] = events.list_open_alarms(connection)
        assert (alarm.kind, alarm.subject) == ("task_failed", subject)
        # what was collected is derived from
        assert [found.stage for found in tasks.find_ready(connection, DUE)] == [Stage.DERIVE]
    one.tick()
    one.perform(Stage.DERIVE)
    assert one.site.states() == [RunState.PARTIAL]
    assert one.tick_state() is TickState.FAILED


def test_a_task_whose_process_died_too_often_is_given_up(one):
    with one.site.database.begin() as connection:
        for _ in range(MOST_TRIES):
            tasks.begin_task(connection, one.collect)
    task = one.perform()
    assert task.state is TaskState.FAILED
    assert "each time its process ended before anything was stored" in task.reason
    assert one.running.requests == []


def test_tries_are_counted_anew_once_an_answer_is_stored(one, monkeypatch):
    with one.site.database.begin() as connection:
        for _ in range(MOST_TRIES - 1):
            tasks.begin_task(connection, one.collect)
    seen = []
    real = one.shop.progress

    def progress(stage, done, planned):
        seen.append((done, one.task().tries))
        real(stage, done, planned)

    one.shop = perform.WorkerContext(one.site.database, one.shop.settings, progress, one.shop.stop)
    one.perform()
    assert seen[0] == (0, MOST_TRIES)
    assert {tries for done, tries in seen if done} == {0}


def test_a_run_that_cannot_be_derived_is_given_up(one, monkeypatch):
    one.perform()
    one.tick()
    monkeypatch.setattr(pipeline, "finish", fails(ZeroDivisionError("a fault of ours")))
    for _ in range(MOST_TRIES):
        task = one.perform(Stage.DERIVE)
    assert task.state is TaskState.FAILED
    assert one.site.states() == [RunState.INTERRUPTED]
    assert one.tick_state() is TickState.FAILED


def test_who_derives_late_leaves_the_task_to_the_other(one, monkeypatch, caplog):
    one.perform()
    database, real, others = one.site.database, readings.hear_portion, []

    def late(order):
        if not others:
            with database.begin() as connection:
                connection.execute(
                    sa.text("UPDATE leases SET until = '2000-01-01 00:00:00.000000'")
                )
            others.append(Turns(database, seconds=600))
            assert others[0].take(pipeline.turn_of_run(one.run.id))
        return real(order)

    monkeypatch.setattr(readings, "hear_portion", late)
    task = one.perform(Stage.DERIVE)
    assert others
    assert (task.state, task.reason) == (TaskState.OPEN, "")
    assert "another process works on this now" in caplog.text
    assert one.site.states() == [RunState.RUNNING]
    with database.read() as connection:
        assert not connection.execute(sa.text("SELECT * FROM agreements")).all()


def test_what_was_stopped_is_left_to_others_at_once(one):
    one.running.app.latency = 0.05

    def stop():
        return len(one.running.requests) >= 3

    shop = perform.WorkerContext(one.site.database, one.shop.settings, one.shop.progress, stop)
    with pytest.raises(KeyboardInterrupt):
        perform.perform_task(shop, one.collect)
    task = one.task()
    assert (task.state, task.tries, task.not_before) == (TaskState.OPEN, 0, None)
    asked = len(one.running.requests)
    assert asked < QUESTIONS
    assert one.site.is_exactly_once(asked)
    assert one.perform().state is TaskState.DONE
    assert one.site.is_exactly_once(QUESTIONS)


@pytest.mark.parametrize("ended", [TaskState.DONE, TaskState.FAILED])
@pytest.mark.parametrize("late", ["answers", "fails", "gives up"])
def test_who_comes_back_late_does_not_open_what_another_has_ended(one, monkeypatch, ended, late):
    def ask(*_arguments, **_named):
        one.settle(one.collect, ended, "by another", progress=True)
        if late == "answers":
            return [pipeline.LaneRemainder(lane(one.running), 3)]
        raise ZeroDivisionError

    if late == "gives up":
        with one.site.database.begin() as connection:
            for _ in range(MOST_TRIES - 1):
                tasks.begin_task(connection, one.collect)
    monkeypatch.setattr("monitor.pipeline.collect.runs.ask", ask)
    task = one.perform()
    assert (task.state, task.reason) == (ended, "by another")
    assert one.site.events("task_failed") == []


def test_a_run_that_another_has_derived_meanwhile_stays_as_it_is(one, monkeypatch):
    one.perform()
    one.tick()

    def finish(*_arguments):
        one.settle(one.derive, TaskState.DONE, "by another")
        return pipeline.Summary(one.run, RunState.DONE, 1, 1, 1, ("too late",))

    monkeypatch.setattr(pipeline, "finish", finish)
    assert one.perform(Stage.DERIVE).reason == "by another"
    assert one.tick_state() is TickState.RUNNING


def test_a_run_is_wound_up_only_while_all_of_it_waits(one):
    assert perform.stop_collecting(one.shop, one.run.id, "the next tick is due") is False
    assert one.task().state is TaskState.OPEN
    late = datetime.now(UTC) + timedelta(hours=1)
    one.settle(one.collect, TaskState.OPEN, "suspended", late)
    assert perform.stop_collecting(one.shop, one.run.id, "the next tick is due") is True
    assert one.task().state is TaskState.DONE
    assert one.task().reason == "suspended; the next tick is due"
    assert perform.stop_collecting(one.shop, one.run.id, "again") is False
    one.perform(Stage.DERIVE)
    with one.site.database.read() as connection:
        assert runs.get_run(connection, one.run.id).state is RunState.PARTIAL


def test_what_waits_for_another_is_no_try(one):
    """A dead worker of another machine has its turn for a while; its task is not given up."""
    one.perform()
    one.tick()
    with one.site.database.begin() as connection:
        leases.take_lease(connection, f"run:{one.run.id}", "another/x/1:2:3", 3600)
    for _ in range(MOST_TRIES + 2):
        task = one.perform(Stage.DERIVE)
        assert (task.state, task.tries) == (TaskState.OPEN, 0)
    with one.site.database.begin() as connection:
        connection.execute(sa.text("UPDATE leases SET holder = ''"))
    assert one.perform(Stage.DERIVE).state is TaskState.DONE
    assert one.tick_state() is TickState.DONE


def test_what_was_postponed_is_not_begun_early(one):
    later = datetime.now(UTC) + timedelta(hours=1)
    one.settle(one.collect, TaskState.OPEN, "suspended", later)
    perform.perform_task(one.shop, one.collect)
    assert one.running.requests == []
    assert one.task().tries == 0


def test_who_lost_its_turn_does_not_end_the_task_of_another(one, monkeypatch):
    """A late "the key is wrong" of who was frozen says nothing of who asks now."""

    def late(*_, **__):
        return [
            pipeline.LaneRemainder(lane(one.running), 3, ("Invalid API key",), None, is_busy=True)
        ]

    monkeypatch.setattr("monitor.pipeline.collect.runs.ask", late)
    task = one.perform()
    assert (task.state, task.tries) == (TaskState.OPEN, 0)
    assert waits(task) <= 1


def test_other_runs_that_want_the_engine_have_their_turn(one, monkeypatch):
    more = [pipeline.LaneRemainder(lane(one.running), 3)]
    monkeypatch.setattr("monitor.pipeline.collect.runs.ask", lambda *_, **__: more)
    assert one.perform().not_before is None
    with one.site.database.begin() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO runs (job_id, job, due_at, kind, code_version, packages, created_at, "
                "owner, state, seed) SELECT job_id, 'other', due_at, kind, code_version, packages, "
                "created_at, owner, state, seed FROM runs"
            )
        )
        other = connection.execute(sa.text("SELECT MAX(id) FROM runs")).scalar_one()
        tasks.plan_tasks(connection, other, [lane(one.running)])
    assert waits(one.perform()) > 1
