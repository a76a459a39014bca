"""Engines and jobs that rest, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.store import pauses

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)


def do(database, what, *args):
    with database.begin() as connection:
        return what(connection, *args)


def test_nothing_rests_at_first(database):
    assert not do(database, pauses.find, "engine", "deepl")
    assert do(database, pauses.all_of) == []
    assert not do(database, pauses.resume, "engine", "deepl", AT)


def test_an_engine_and_a_job_of_the_same_name_rest_apart(database):
    do(database, pauses.pause, "engine", "toy", "their terms changed", AT)
    assert do(database, pauses.find, "engine", "toy")
    assert not do(database, pauses.find, "job", "toy")
    do(database, pauses.pause, "job", "toy", "", AT)
    do(database, pauses.pause, "engine", "deepl", "", AT)
    assert [(one.kind, one.name) for one in do(database, pauses.all_of)] == [
        ("engine", "deepl"), ("engine", "toy"), ("job", "toy"),
    ]  # fmt: skip
    assert do(database, pauses.resume, "engine", "toy", AT)
    assert not do(database, pauses.find, "engine", "toy")
    assert do(database, pauses.find, "job", "toy")


def test_a_second_pause_changes_the_reason_and_not_since_when(database):
    do(database, pauses.pause, "engine", "toy", "first", AT)
    do(database, pauses.pause, "engine", "toy", "second", AT + timedelta(hours=1))
    assert do(database, pauses.all_of) == [pauses.Paused("engine", "toy", "second", AT)]


def test_any_words_are_kept_and_found_again(database):
    do(database, pauses.pause, "job", "a\0b", "half \ud83d of a pair", AT)
    assert do(database, pauses.find, "job", "a\0b")
    [one] = do(database, pauses.all_of)
    assert (one.name, one.reason) == ("a\ufffdb", "half \ufffd of a pair")
    assert do(database, pauses.resume, "job", "a\0b", AT)


def test_only_engines_and_jobs_rest(database):
    with pytest.raises(sa.exc.IntegrityError):
        do(database, pauses.pause, "measure", "toy", "", AT)
