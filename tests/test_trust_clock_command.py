"""`monitor jobs trust-clock`: a person says that the clock is right, and writes no SQL for it."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor import settings
from monitor.daemon import watching
from monitor.store.database import connect
from monitor.store.journal import events
from tests.command import program


@pytest.fixture
def place(database_url, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    settings.load.cache_clear()
    database = connect(database_url, tmp_path / "bodies")
    with program(tmp_path, monkeypatch, capsys) as run:
        yield run, database
    database.close()


def write_ahead(database):
    """Write events of one day and of forty days ahead; returns the time of now."""
    now = datetime.now(UTC)
    with database.begin() as connection:
        for days in (1, 40):
            events.add_event(connection, "run_began", "x", "", now=now + timedelta(days=days))
    return now


def find_note(database):
    with database.read() as connection:
        newest = events.list_newest(connection, 9)
    [noted] = [event for event in newest if event.kind == watching.CLOCK_TRUSTED]
    return noted


def test_a_history_of_times_to_come_is_believed_no_more(place):
    run, database = place
    now = write_ahead(database)
    assert watching.find_clock_fault(database, now)
    code, out, err = run("jobs", "trust-clock", "--reason", "AB: it was a month ahead")
    assert (code, err) == (0, "")
    assert f"{now + timedelta(days=40):%Y-%m-%d}" in out
    assert watching.find_clock_fault(database, now) == ""
    with database.read() as connection:
        assert not events.list_open_alarms(connection)
    noted = find_note(database)
    assert noted.detail == "AB: it was a month ahead"
    assert run("jobs", "trust-clock", "--reason", "again")[0] == 2


@pytest.mark.parametrize("arguments", [[], ["--reason", " "], ["--reason", "nothing is wrong"]])
def test_nothing_is_noted_without_need_or_reason(place, arguments):
    run, database = place
    code, _, err = run("jobs", "trust-clock", *arguments)
    assert code == 2
    assert err
    with database.read() as connection:
        assert not events.list_newest(connection, 9)


def test_what_is_noted_is_dated_now_and_names_the_time_that_was_wrong(place):
    run, database = place
    now = write_ahead(database)
    assert run("jobs", "trust-clock", "--reason", "AB: it was ahead")[0] == 0
    noted = find_note(database)
    assert abs(noted.at - now) < timedelta(minutes=5)
    assert datetime.fromisoformat(noted.subject) - now == timedelta(days=40)


def test_an_event_of_an_older_version_counts_up_to_its_own_time(place):
    _, database = place
    now = write_ahead(database)
    with database.begin() as connection:
        events.add_event(
            connection, watching.CLOCK_TRUSTED, "", "old", now=now + timedelta(days=40)
        )
    assert watching.find_clock_fault(database, now) == ""


def test_a_single_row_still_to_come_needs_no_word(place):
    run, database = place
    now = datetime.now(UTC)
    with database.begin() as connection:
        events.add_event(connection, "run_began", "x", "", now=now + timedelta(days=40))
    assert watching.find_clock_fault(database, now) == ""
    code, _, err = run("jobs", "trust-clock", "--reason", "AB: it was ahead")
    assert (code, "more than a day" in err) == (2, True)
