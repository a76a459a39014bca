"""Hands of one process: every ready task is performed, no lane by two at a time."""

import threading
import time
from contextlib import contextmanager

import pytest

from monitor import pipeline, settings
from monitor.model import RunKind, StoreGone, TaskState
from monitor.pipeline.collect.run_context import never
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import TOGETHER
from monitor.work import perform as module
from monitor.work.perform import ThreadExecutor, WorkerContext
from tests.factories import DUE, make_audit, quiet

PATIENCE = 30


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.01)
    pytest.fail(f"waited in vain for {what}")


class Performed:
    """Stands in for `perform`: ends each task after `turns` turns, and knows who overlapped."""

    def __init__(self, database, turns=1):
        self.database, self.turns = database, turns
        self.begun, self.now, self.most, self.overlaps = [], [], 0, 0
        self.gate, self.lock = threading.Event(), threading.Lock()
        self.gate.set()
        self.fault = None

    def __call__(self, _shop, task_id):
        with self.database.read() as connection:
            task = tasks.get_task(connection, task_id)
        with self.lock:
            self.overlaps += task.lane in self.now and task.lane not in ("", TOGETHER)
            self.begun.append(task_id)
            self.now.append(task.lane)
            self.most = max(self.most, len(self.now))
        try:
            self.gate.wait(PATIENCE)
            if self.fault:
                raise self.fault
            if self.begun.count(task_id) >= self.turns:
                with self.database.begin() as connection:
                    tasks.settle_task(connection, task_id, TaskState.DONE)
        finally:
            with self.lock:
                self.now.remove(task.lane)


@pytest.fixture
def performed(sqlite_database, monkeypatch):
    found = Performed(sqlite_database)
    monkeypatch.setattr(module, "perform_task", found)
    return found


@pytest.fixture
def plan(sqlite_database, tmp_path):
    """Plans a run with these lanes."""
    audit, count = make_audit(tmp_path / "jobs"), iter(range(100))

    def make(*lanes):
        from datetime import timedelta

        due_at = DUE + timedelta(days=next(count))
        run = pipeline.start(sqlite_database, audit, RunKind.SCHEDULED, due_at)
        with sqlite_database.begin() as connection:
            tasks.plan_tasks(connection, run.id, lanes)
        return run.id

    return make


@contextmanager
def at_work(database, at_once=8):
    hands = ThreadExecutor(WorkerContext(database, settings.load(), quiet, never), at_once)
    hands.start()
    try:
        yield hands
    finally:
        hands.close(wait=True)


def left(database, *run_ids):
    with database.read() as connection:
        return [
            one
            for run_id in run_ids
            for one in tasks.list_run_tasks(connection, run_id)
            if one.state is TaskState.OPEN
        ]


def test_all_tasks_of_a_run_are_performed_and_what_derives_comes_last(
    sqlite_database, performed, plan
):
    run_id = plan("a", "b", "c")
    with at_work(sqlite_database):
        until(lambda: not left(sqlite_database, run_id), "all tasks")
    assert sorted(performed.begun[:3]) == [1, 2, 3]
    assert performed.begun[3:] == [4]


def test_a_lane_is_asked_by_one_at_a_time_and_runs_take_turns(sqlite_database, performed, plan):
    performed.turns = 5
    first, second = plan("a", "b"), plan("a", "b")
    with at_work(sqlite_database):
        until(lambda: not left(sqlite_database, first, second), "all tasks")
    assert performed.overlaps == 0
    asked = [one for one in performed.begun if one in (1, 4)]  # of lane a, in either run
    assert asked == [1, 4] * 5


def test_synchronised_runs_are_told_apart(sqlite_database, performed, plan):
    performed.gate.clear()
    plan(TOGETHER)
    plan(TOGETHER)
    with at_work(sqlite_database) as hands:
        until(lambda: hands.in_flight == 2, "both runs")
        performed.gate.set()


def test_no_more_than_so_many_at_once(sqlite_database, performed, plan):
    run_id = plan(*"abcdef")
    performed.gate.clear()
    with at_work(sqlite_database, at_once=2) as hands:
        until(lambda: hands.in_flight == 2, "two tasks")
        hands.wake()
        time.sleep(0.1)
        assert len(performed.begun) == 2
        performed.gate.set()
        until(lambda: not left(sqlite_database, run_id), "all tasks")
    assert performed.most == 2


def test_what_is_derived_anew_is_done_beside_one_run_at_a_time(sqlite_database, performed, plan):
    """However much of it there is, what is due finds its hands free."""
    runs = [plan(lane) for lane in "abc"]
    with sqlite_database.begin() as connection:
        for run_id in runs:
            for task in tasks.list_run_tasks(connection, run_id):
                tasks.settle_task(connection, task.id, TaskState.DONE)
            tasks.plan_redo(connection, run_id)
    performed.gate.clear()
    with at_work(sqlite_database, at_once=1) as hands:
        until(lambda: performed.now == [""], "the first to be derived anew")
        due = plan("d")
        hands.wake()
        until(lambda: performed.now == ["", "d"], "what is due to be asked beside it")
        performed.gate.set()
        until(lambda: not left(sqlite_database, *runs, due), "the rest")
    assert len(performed.begun) == 5
    assert performed.most == 2


def test_closing_waits_for_what_is_in_flight_and_begins_nothing_more(
    sqlite_database, performed, plan
):
    run_id = plan("a", "b")
    performed.gate.clear()
    with at_work(sqlite_database, at_once=1) as hands:
        until(lambda: hands.in_flight == 1, "a task")
        threading.Timer(0.2, performed.gate.set).start()
        hands.close(wait=True)
        assert hands.in_flight == 0
        assert not hands.is_alive
    assert [one.lane for one in left(sqlite_database, run_id)] == ["b", ""]


def test_closing_need_not_wait(sqlite_database, performed, plan):
    plan("a")
    performed.gate.clear()
    with at_work(sqlite_database) as hands:
        until(lambda: hands.in_flight == 1, "a task")
        hands.close(wait=False)
        assert hands.in_flight == 1
        performed.gate.set()


@pytest.mark.parametrize("fault", [StoreGone("away"), RuntimeError("of ours"), KeyboardInterrupt()])
def test_a_task_that_fails_does_not_end_the_loop(
    sqlite_database, performed, plan, monkeypatch, fault
):
    monkeypatch.setattr(module, "FIRST_REST", 0.05)
    monkeypatch.setattr(module, "_LONGEST_REST", 0.1)
    performed.fault = fault
    run_id = plan("a")
    with at_work(sqlite_database) as hands:
        until(lambda: len(performed.begun) >= 2, "a second try")
        assert hands.is_alive
        performed.fault = None
        until(lambda: not left(sqlite_database, run_id), "all tasks")


@pytest.mark.parametrize("fault", [StoreGone("away"), RuntimeError("of ours")])
def test_a_database_that_is_away_does_not_end_the_loop(
    sqlite_database, performed, plan, monkeypatch, fault
):
    monkeypatch.setattr(module, "_LONGEST_REST", 0.05)
    monkeypatch.setattr(module, "FIRST_REST", 0.05)
    ready, failed = tasks.find_ready, []

    def sometimes(*arguments):
        if len(failed) < 3:
            failed.append(1)
            raise fault
        return ready(*arguments)

    monkeypatch.setattr(module.tasks, "find_ready", sometimes)
    run_id = plan("a")
    with at_work(sqlite_database):
        until(lambda: not left(sqlite_database, run_id), "all tasks")
    assert len(failed) == 3


def test_a_thread_that_cannot_be_started_leaves_its_task_for_later(
    sqlite_database, performed, plan, monkeypatch, caplog
):
    monkeypatch.setattr(module, "_LONGEST_REST", 0.05)
    run_id = plan()
    real, failed = module.Thread.start, []

    def sometimes(self):
        if self.name.startswith("task-") and not failed:
            failed.append(self.name)
            raise RuntimeError("can't start new thread")
        real(self)

    monkeypatch.setattr(module.Thread, "start", sometimes)
    with at_work(sqlite_database) as here:
        until(lambda: not left(sqlite_database, run_id), "its tasks were not performed")
        until(lambda: here.in_flight == 0, "a task counts as being performed")
    assert failed
    assert "tasks could not be looked for" in caplog.text
