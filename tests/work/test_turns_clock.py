"""A turn that may have run out is not used, before anybody says that it was given to another."""

import time

import pytest

from monitor.model import StoreGone
from monitor.pipeline.schedule.leases import Turns
from monitor.store.schedule import leases


@pytest.fixture
def dialect():
    """Where one process performs everything; workers that share PostgreSQL have their own tests."""
    return "sqlite"


def test_who_could_not_renew_a_turn_knows_that_it_may_be_lost(database, monkeypatch):
    renew, away = leases.renew_leases, True

    def renewed(*arguments):
        if away:
            raise StoreGone("the server is away")
        return renew(*arguments)

    monkeypatch.setattr(leases, "renew_leases", renewed)
    with Turns(database, seconds=1.0) as turns:
        turn = turns.take("lane:x@direct")
        assert not turn.is_lost
        deadline = time.monotonic() + 30
        while not turn.is_lost and time.monotonic() < deadline:
            time.sleep(0.02)
        assert turn.is_lost
        away = False  # nobody has taken it meanwhile
        while turn.is_lost and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not turn.is_lost
        assert not turn.is_given


def test_the_time_of_a_turn_is_a_setting(database, monkeypatch):
    monkeypatch.setenv("MONITOR_LEASE_SECONDS", "1")
    with Turns(database) as turns:
        before = time.monotonic()
        assert turns.take("lane:x@direct").until - before < 2
