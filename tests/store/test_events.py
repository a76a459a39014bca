"""Events and alarms, on both databases."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.model import RunKind
from monitor.store.collect import runs
from monitor.store.journal import events
from monitor.store.schema import alarms
from tests.factories import make_audit

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)


def add(database, *args, now=AT, **rest):
    with database.begin() as connection:
        events.add_event(connection, *args, now=now, **rest)


def newest(database, *args):
    with database.read() as connection:
        return events.list_newest(connection, *args)


def change(database, what, *args):
    with database.begin() as connection:
        return what(connection, *args)


def standing(database):
    with database.read() as connection:
        return events.list_open_alarms(connection)


def count(database):
    with database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(alarms)).scalar_one()


# --- events ---------------------------------------------------------------------------------------


def test_events_come_newest_first_and_by_kind(database):
    add(database, "paused", "deepl", "their terms changed")
    add(database, "job-broken", "mini", "schedule.cron: needs five fields", now=AT + HOUR)
    add(database, "paused", "toy", "", now=AT - HOUR)
    add(database, "paused", "later in the same moment", "")
    assert [one.subject for one in newest(database, 10)] == [
        "mini", "later in the same moment", "deepl", "toy",
    ]  # fmt: skip
    assert [one.subject for one in newest(database, 2)] == ["mini", "later in the same moment"]
    assert [one.subject for one in newest(database, 2, "paused")] == [
        "later in the same moment", "deepl",
    ]  # fmt: skip
    assert newest(database, 10, "unheard of") == []


def test_an_event_of_a_run_with_any_words(database, tmp_path):
    job = make_audit(tmp_path).job
    made = runs.Provenance("1", {})
    run = change(database, runs.create_run, job, AT, RunKind.SCHEDULED, AT, made)
    add(database, "late\0", "a\0b", "half \ud83d of a pair", run_id=run.id)
    [event] = newest(database, 10, "late\0")
    assert event == events.Event(
        event.id, AT, "late\ufffd", "a\ufffdb", "half \ufffd of a pair", run.id
    )


# --- alarms ---------------------------------------------------------------------------------------


def test_an_alarm_that_still_stands_is_one_row(database):
    assert change(database, events.raise_alarm, "stale", "deepl", "2 days", AT)
    assert not change(database, events.raise_alarm, "stale", "deepl", "3 days", AT + HOUR)
    [alarm] = standing(database)
    assert alarm == events.Alarm(alarm.id, "stale", "deepl", "3 days", AT, AT + HOUR)


def test_each_kind_and_subject_has_its_own(database):
    for number, (kind, subject) in enumerate([("stale", "b"), ("stale", "a"), ("disk", "a")]):
        assert change(database, events.raise_alarm, kind, subject, "", AT + number * HOUR)
    assert [(one.kind, one.subject) for one in standing(database)] == [
        ("stale", "b"), ("stale", "a"), ("disk", "a"),
    ]  # fmt: skip
    assert change(database, events.resolve_alarm, "stale", "a", AT)
    assert [(one.kind, one.subject) for one in standing(database)] == [
        ("stale", "b"),
        ("disk", "a"),
    ]


def test_an_alarm_that_comes_back_is_a_new_row(database):
    assert not change(database, events.resolve_alarm, "stale", "deepl", AT)
    change(database, events.raise_alarm, "stale", "deepl", "once", AT)
    assert change(database, events.resolve_alarm, "stale", "deepl", AT + HOUR)
    assert not change(database, events.resolve_alarm, "stale", "deepl", AT + 2 * HOUR)
    assert standing(database) == []
    assert change(database, events.raise_alarm, "stale", "deepl", "again", AT + 3 * HOUR)
    [alarm] = standing(database)
    assert (alarm.detail, alarm.since) == ("again", AT + 3 * HOUR)
    with database.read() as connection:
        query = sa.select(alarms.c.detail, alarms.c.resolved_at).order_by(alarms.c.id)
        assert list(connection.execute(query)) == [("once", AT + HOUR), ("again", None)]


def test_any_words_raise_one_alarm_and_resolve_it(database):
    words = ("stale\0", "half \ud83d of a pair", "\0", AT)
    assert change(database, events.raise_alarm, *words)
    assert not change(database, events.raise_alarm, *words)
    assert change(database, events.resolve_alarm, *words[:2], AT)


def test_two_processes_that_raise_the_same_alarm_at_once(database):
    together, failures, new = threading.Barrier(2), [], []

    def work():
        try:
            for number in range(8):
                together.wait(20)
                if change(database, events.raise_alarm, "stale", str(number), "", AT):
                    new.append(number)
        except Exception as error:  # noqa: BLE001 - shown below
            failures.append(error)
            together.abort()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert sorted(new) == list(range(8))
    assert count(database) == 8


def test_a_second_process_waits_for_the_first_to_raise_its_alarm(database):
    """The order that would open two rows, where nothing but luck kept them apart."""
    second = threading.Thread(
        target=change, args=(database, events.raise_alarm, "stale", "deepl", "second", AT)
    )
    with database.begin() as connection:
        events.raise_alarm(connection, "stale", "deepl", "first", AT)
        second.start()
        second.join(0.5)
        assert second.is_alive()
    second.join(30)
    [alarm] = standing(database)
    assert alarm.detail == "second"


def test_a_failed_transaction_leaves_neither(database):
    def fail(connection):
        events.add_event(connection, "paused", "deepl", "", now=AT)
        events.raise_alarm(connection, "stale", "deepl", "", AT)
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        change(database, fail)
    assert newest(database, 10) == []
    assert standing(database) == []
