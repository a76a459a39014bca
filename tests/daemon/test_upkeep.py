"""Alarms every minute and retention once a day, by the daemon that leads."""

import pytest

from monitor.daemon import upkeep as module
from monitor.daemon.upkeep import Upkeep
from monitor.model import StoreGone
from tests.daemon.conftest import DAY, HOUR, MINUTE, MONDAY
from tests.factories import rows


class Upkept:
    def __init__(self, database):
        self.now, self.leads, self.database = MONDAY, True, database
        self.upkeep = Upkeep(database, lambda: self.leads, lambda: self.now)

    def at(self, now):
        self.now = now
        self.upkeep.look()

    def swept(self):
        return rows(self.database, "SELECT * FROM events WHERE kind = 'swept'")


@pytest.fixture
def upkept(database):
    found = Upkept(database)
    yield found
    found.upkeep.stop()


def test_what_is_past_its_time_is_taken_away_once_a_day_also_over_restarts(upkept):
    upkept.at(MONDAY)
    upkept.at(MONDAY + MINUTE)
    assert len(upkept.swept()) == 1
    Upkept(upkept.database).at(MONDAY + 23 * HOUR)
    assert len(upkept.swept()) == 1
    upkept.at(MONDAY + DAY)
    assert len(upkept.swept()) == 2
    upkept.at(MONDAY - DAY)  # a clock that was a year ahead must not end it for a year
    assert len(upkept.swept()) == 3


def test_alarms_are_looked_after(upkept, monkeypatch):
    looked = []
    monkeypatch.setattr(module, "supervise_jobs", lambda _database, now: looked.append(now))
    upkept.at(MONDAY)
    upkept.at(MONDAY + MINUTE)
    assert looked == [MONDAY, MONDAY + MINUTE]


@pytest.mark.parametrize("fault", [StoreGone("away"), RuntimeError("of ours")])
def test_a_fault_is_said_and_ends_nothing(upkept, monkeypatch, caplog, fault):
    def fails(*_):
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(module, "supervise_jobs", fails)
        upkept.at(MONDAY)
    assert str(fault) in caplog.text
    upkept.at(MONDAY + MINUTE)
    assert len(upkept.swept()) == 1


def test_a_sweep_stops_between_two_portions(upkept, monkeypatch):
    def sweep(_database, _now, dry_run, progress):
        upkept.upkeep.stop()
        progress(1)
        pytest.fail("it went on")

    monkeypatch.setattr(module, "collect_garbage", sweep)
    upkept.at(MONDAY)
    assert upkept.swept() == []


@pytest.mark.parametrize("leads", [True, False])
def test_only_who_leads_does_it(upkept, monkeypatch, leads):
    import threading

    looked = threading.Event()
    asked = threading.Event()

    def leading():
        asked.set()
        return leads

    monkeypatch.setattr(module, "_UPKEEP_SECONDS", 0.01)
    monkeypatch.setattr(Upkeep, "look", lambda _self: looked.set())
    upkeep = Upkeep(upkept.database, leading)
    upkeep.start()
    assert asked.wait(30)
    if leads:
        assert looked.wait(30)
    upkeep.stop()
    assert looked.is_set() == leads
