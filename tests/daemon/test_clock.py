"""The clock calls at ticks, and only says whose it is."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from monitor.daemon.watching import Clock, TickTrigger, WatchedJob
from monitor.jobs import Schedule
from tests.daemon.conftest import MONDAY, WEEK


def known(name, cron):
    return WatchedJob(name, name, 1, Schedule(cron=cron), is_recorded=False, owed_since=MONDAY)


def test_the_trigger_gives_the_next_tick_and_none_of_years_of_absence():
    trigger = TickTrigger(Schedule(cron="0 5 * * mon"))
    before = MONDAY - timedelta(hours=1)
    assert trigger.get_next_fire_time(None, before) == MONDAY
    assert trigger.get_next_fire_time(MONDAY, MONDAY) == MONDAY + WEEK
    assert trigger.get_next_fire_time(MONDAY, before) == MONDAY + WEEK
    minutely = TickTrigger(Schedule(cron="* * * * *"))
    later = datetime(2036, 3, 2, 5, 0, 30, tzinfo=UTC)
    assert minutely.get_next_fire_time(MONDAY, later) == later + timedelta(seconds=30)


def test_a_date_that_never_comes_is_never_called():
    assert TickTrigger(Schedule(cron="0 5 31 feb *")).get_next_fire_time(None, MONDAY) is None


def test_the_clock_calls_with_the_name_of_each_job_that_is_due():
    called, two = [], threading.Event()

    def look(name):
        called.append(name)
        if len(called) >= 2:
            two.set()

    clock = Clock(look)
    with time_machine.travel(MONDAY - timedelta(seconds=0.3), tick=True):
        clock.follow_jobs({name: known(name, "0 5 * * mon") for name in ("a", "b")})
        clock.start()
        try:
            assert two.wait(30)
        finally:
            clock.stop()
    assert sorted(called) == ["a", "b"]


@pytest.mark.parametrize("change", ["gone", "another schedule"])
def test_the_clock_follows_the_jobs(change):
    called = []
    clock = Clock(called.append)
    with time_machine.travel(MONDAY - timedelta(seconds=0.3), tick=True):
        clock.follow_jobs({"a": known("a", "0 5 * * mon")})
        clock.follow_jobs({} if change == "gone" else {"a": known("a", "0 6 * * mon")})
        clock.start()
        time.sleep(0.6)
        clock.stop()
    assert called == []


def test_a_clock_that_was_put_forward_is_noticed_when_it_is_told():
    called = threading.Event()
    clock = Clock(lambda _name: called.set())
    with time_machine.travel(MONDAY - timedelta(hours=5), tick=True) as traveller:
        clock.follow_jobs({"a": known("a", "0 5 * * mon")})
        clock.start()
        try:
            traveller.shift(timedelta(hours=6))
            clock.handle_jump()
            assert called.wait(30)
        finally:
            clock.stop()
