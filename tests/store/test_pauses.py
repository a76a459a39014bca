"""Engines and jobs that rest, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.store.collect import pauses

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)


def do(database, what, *args):
    with database.begin() as connection:
        return what(connection, *args)


def test_nothing_rests_at_first(database):
    assert not do(database, pauses.find_pause, "engine", "deepl")
    assert do(database, pauses.list_pauses) == []
    assert not do(database, pauses.end_pause, "engine", "deepl", AT)


def test_an_engine_and_a_job_of_the_same_name_rest_apart(database):
    do(database, pauses.add_pause, "engine", "toy", "their terms changed", AT)
    assert do(database, pauses.find_pause, "engine", "toy")
    assert not do(database, pauses.find_pause, "job", "toy")
    do(database, pauses.add_pause, "job", "toy", "", AT)
    do(database, pauses.add_pause, "engine", "deepl", "", AT)
    assert [(one.kind, one.name) for one in do(database, pauses.list_pauses)] == [
        ("engine", "deepl"), ("engine", "toy"), ("job", "toy"),
    ]  # fmt: skip
    assert do(database, pauses.end_pause, "engine", "toy", AT)
    assert not do(database, pauses.find_pause, "engine", "toy")
    assert do(database, pauses.find_pause, "job", "toy")


def test_a_second_pause_changes_the_reason_and_not_since_when(database):
    do(database, pauses.add_pause, "engine", "toy", "first", AT)
    do(database, pauses.add_pause, "engine", "toy", "second", AT + timedelta(hours=1))
    assert do(database, pauses.list_pauses) == [pauses.ManualPause("engine", "toy", "second", AT)]


def test_any_words_are_kept_and_found_again(database):
    do(database, pauses.add_pause, "job", "a\0b", "half \ud83d of a pair", AT)
    assert do(database, pauses.find_pause, "job", "a\0b")
    [one] = do(database, pauses.list_pauses)
    assert (one.name, one.reason) == ("a\ufffdb", "half \ufffd of a pair")
    assert do(database, pauses.end_pause, "job", "a\0b", AT)


def test_only_engines_and_jobs_rest(database):
    with pytest.raises(sa.exc.IntegrityError):
        do(database, pauses.add_pause, "measure", "toy", "", AT)
