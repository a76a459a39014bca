"""On PostgreSQL the daemon performs nothing: it keeps the queue of the workers filled."""

import time

import pytest

from monitor.daemon.service import make_executor
from monitor.model import StoreGone
from monitor.work import queue
from monitor.work.perform import ThreadExecutor
from monitor.work.queue import TaskDispatcher, TaskQueue
from tests.daemon.conftest import HOUR, MONDAY

PATIENCE = 30


@pytest.fixture
def dialect():
    return "postgresql"


@pytest.fixture
def handing(place):
    queue.ensure_queue(place.database)
    place.job()
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    found = make_executor(place.shop, 8)
    assert isinstance(found, TaskDispatcher)
    yield found
    found.close(wait=True)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_tasks_that_are_ready_become_jobs_of_the_queue(place, handing):
    jobs = TaskQueue(place.database, "direct")
    assert jobs.waiting() == 0
    handing.start()
    until(lambda: jobs.waiting() == 1)
    assert handing.is_alive
    assert handing.in_flight == 0
    handing.wake()
    handing.close(wait=True)
    assert not handing.is_alive
    assert jobs.waiting() == 1


@pytest.mark.parametrize("fault", [StoreGone("away"), RuntimeError("of ours")])
def test_a_database_that_is_away_does_not_end_it(place, handing, monkeypatch, fault):
    monkeypatch.setattr("monitor.work.perform._LONGEST_REST", 0.05)
    monkeypatch.setattr("monitor.work.perform.FIRST_REST", 0.05)
    handing._rest = 0.05
    rescue, failed = TaskQueue.rescue, []

    def sometimes(self, seconds):
        if len(failed) < 2:
            failed.append(1)
            raise fault
        return rescue(self, seconds)

    monkeypatch.setattr(TaskQueue, "rescue", sometimes)
    handing.start()
    until(lambda: TaskQueue(place.database, "direct").waiting() == 1)
    assert len(failed) == 2


def test_on_sqlite_the_daemon_has_hands_itself(sqlite_database, place):
    from dataclasses import replace

    assert isinstance(
        make_executor(replace(place.shop, database=sqlite_database), 2), ThreadExecutor
    )
