"""What operation leaves behind goes when nobody goes by it any more, and no earlier."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.daemon.watching import SCHEDULE_CHANGED
from monitor.pipeline.maintenance import collect_garbage
from monitor.store import schema as tables
from monitor.store.journal import events
from monitor.store.maintenance import retention
from monitor.store.schedule import leases
from tests.factories import Scripted, make_audit, mini_items, portuguese, rows, run_audit

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=2)
ENDED = ("run:1", "lane:translator:run:1", "run:99", "lane:a@b:run:99")


@pytest.fixture
def ended(database, tmp_path):
    """A database with one run that is done."""
    run_audit(database, make_audit(tmp_path), Scripted(portuguese(mini_items())))
    with database.begin() as connection:
        connection.execute(sa.delete(tables.leases))
    return database


def sweep(database, now=NOW, dry_run=False):
    collect_garbage(database, now, dry_run)


def hold(database, *names, until=LONG_AGO, holder=""):
    with database.begin() as connection:
        for name in names:
            row = {"name": name, "token": 7, "holder": holder, "until": until}
            connection.execute(sa.insert(tables.leases).values(row))


def held(database):
    return {row["name"] for row in rows(database, "SELECT name FROM leases")}


@pytest.mark.parametrize("holder", ["", "elsewhere:1:1"])
def test_turns_of_runs_that_have_ended_go(ended, holder, monkeypatch):
    monkeypatch.setattr(retention, "DELETED_AT_ONCE", 3)
    others = {"lane:translator@direct", "lane:landing@direct", "run:", "run:x", "lane:run:@direct"}
    hold(ended, *ENDED, *others, holder=holder)
    sweep(ended, dry_run=True)
    assert held(ended) == others | set(ENDED)
    sweep(ended)
    assert held(ended) == others


def test_a_turn_that_somebody_had_within_a_day_stays(ended):
    hold(ended, "run:1", until=datetime.now(UTC) - timedelta(hours=23))
    hold(ended, "lane:translator:run:1", until=datetime.now(UTC) + timedelta(hours=1), holder="x")
    sweep(ended)
    assert held(ended) == {"run:1", "lane:translator:run:1"}


@pytest.mark.parametrize("what", ["running", "interrupted", "task"])
def test_turns_of_a_run_that_goes_on_stay(ended, what):
    hold(ended, *ENDED)
    task = {
        "run_id": 1, "stage": "redo", "lane": "", "state": "open", "tries": 0, "reason": "",
        "changed_at": NOW,
    }  # fmt: skip
    goes_on = sa.update(tables.runs).values(state=what)
    with ended.begin() as connection:
        connection.execute(sa.insert(tables.tasks).values(task) if what == "task" else goes_on)
    sweep(ended)
    assert held(ended) == {"run:1", "lane:translator:run:1"}


def test_who_lost_a_turn_before_it_was_forgotten_does_not_have_the_next_one(ended):
    with ended.begin() as connection:
        frozen = leases.take_lease(connection, "run:1", "elsewhere:1:1", 30)
        connection.execute(sa.update(tables.leases).values(until=LONG_AGO))
    sweep(ended)
    with ended.begin() as connection:
        assert leases.find_lost(connection, [frozen]) == {"run:1"}
        again = leases.take_lease(connection, "run:1", "elsewhere:2:2", 30)
        assert again.token == frozen.token
        assert leases.find_lost(connection, [frozen, again]) == {"run:1"}
        assert leases.find_lost(connection, [again]) == set()


def test_processes_that_were_not_heard_of_for_a_day_go(database):
    with database.begin() as connection:
        events.announce_process(connection, "a:1:1", "worker", "", NOW - timedelta(hours=25))
        events.announce_process(connection, "b:1:1", "worker", "", NOW - timedelta(hours=23))
    sweep(database)
    assert [row["name"] for row in rows(database, "SELECT name FROM processes")] == ["b:1:1"]


def test_alarms_that_were_resolved_a_year_ago_go(database):
    old = NOW - timedelta(days=366)
    with database.begin() as connection:
        for subject in ("stands", "resolved", "lately"):
            events.raise_alarm(connection, "disk", subject, "", old - timedelta(days=9))
        events.resolve_alarm(connection, "disk", "resolved", old)
        events.resolve_alarm(connection, "disk", "lately", NOW - timedelta(days=364))
    sweep(database)
    found = rows(database, "SELECT subject FROM alarms ORDER BY id")
    assert [row["subject"] for row in found] == ["stands", "lately"]


def test_events_of_two_years_ago_go_but_what_counts_for_ever(database, monkeypatch, caplog):
    monkeypatch.setattr(retention, "DELETED_AT_ONCE", 2)
    old = NOW - timedelta(days=731)
    with database.begin() as connection:
        for kind in ("swept", "paused", SCHEDULE_CHANGED, "fenced", "swept", "resumed", "swept"):
            events.add_event(connection, kind, "x", "", now=old)
        events.add_event(connection, "swept", "", "", now=NOW - timedelta(days=729))
    with caplog.at_level(logging.INFO, "monitor.pipeline.maintenance"):
        sweep(database)
    found = rows(database, "SELECT kind FROM events ORDER BY id")
    assert [row["kind"] for row in found] == [SCHEDULE_CHANGED, "fenced", "swept"]
    assert "forgot turns=0 processes=0 alarms=0 events=5" in caplog.text
