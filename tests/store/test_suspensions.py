"""What a restart must not forget, on both databases."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from monitor.faults import Suspension
from monitor.store.collect import pauses

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
LATER = AT + timedelta(hours=3)
ONE = Suspension(LATER, "quota", "Quota exceeded", 2)


def get(database, lane="deepl", exit_name="direct"):
    with database.read() as connection:
        return pauses.find_suspension(connection, lane, exit_name)


def put(database, found, lane="deepl", exit_name="direct", now=AT):
    with database.begin() as connection:
        pauses.store_suspension(connection, lane, exit_name, found, now)


def all_of(database):
    with database.read() as connection:
        return pauses.list_suspensions(connection)


def test_nothing_is_suspended_at_first(database):
    assert get(database) is None
    assert all_of(database) == []


def test_a_suspension_comes_back_as_it_was(database):
    put(database, ONE)
    assert get(database) == ONE
    [row] = all_of(database)
    assert row.pop("id") > 0
    assert row == {"lane": "deepl", "exit": "direct", "until": LATER, "reason": "quota",
                   "detail": "Quota exceeded", "times": 2, "since": AT}  # fmt: skip


def test_each_lane_and_each_exit_has_its_own(database):
    put(database, ONE, "deepl", "direct")
    put(database, Suspension(AT, "blocked", "", 1), "deepl", "vienna")
    put(database, Suspension(AT, "rate", "", 1), "chat@127.0.0.1:1", "direct")
    assert get(database, "deepl", "vienna").reason == "blocked"
    assert get(database, "chat@127.0.0.1:1").reason == "rate"
    assert get(database) == ONE
    assert [(row["lane"], row["exit"]) for row in all_of(database)] == [
        ("chat@127.0.0.1:1", "direct"), ("deepl", "direct"), ("deepl", "vienna"),
    ]  # fmt: skip


def test_a_second_one_takes_the_place_of_the_first(database):
    put(database, ONE)
    second = Suspension(AT, "blocked", "", 3)
    put(database, second, now=LATER)
    assert get(database) == second
    [row] = all_of(database)
    assert row["since"] == LATER


def test_forgetting(database):
    put(database, ONE)
    put(database, ONE, exit_name="vienna")
    with database.begin() as connection:
        pauses.remove_suspension(connection, "deepl", "direct")
        pauses.remove_suspension(connection, "deepl", "never-there")
    assert get(database) is None
    assert get(database, exit_name="vienna") == ONE


@pytest.mark.parametrize("words", ["a\0b", "half \ud83d of a pair", "Ärztin 👩‍⚕️", "x" * 5000])
def test_the_words_of_a_service_are_kept_whatever_they_are(database, words):
    put(database, Suspension(LATER, "quota", words, 1))
    put(database, Suspension(LATER, "quota", words, 2))
    kept = get(database)
    assert len(kept.detail) == len(words)
    assert kept.times == 2


def test_a_failed_transaction_leaves_no_suspension(database):
    def put_and_fail():
        with database.begin() as connection:
            pauses.store_suspension(connection, "deepl", "direct", ONE, AT)
            raise RuntimeError("disk is full")

    with pytest.raises(RuntimeError, match="disk is full"):
        put_and_fail()
    assert get(database) is None


def test_two_processes_that_suspend_the_same_lane_at_once(database):
    """The second waits for the first, and neither fails."""
    inside, failures = threading.Barrier(2), []

    def work(times):
        try:
            for _ in range(5):
                inside.wait(10)
                put(database, Suspension(LATER, "quota", "", times))
        except Exception as error:  # noqa: BLE001 - shown below
            failures.append(error)
            inside.abort()

    threads = [threading.Thread(target=work, args=(times,)) for times in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert failures == []
    [row] = all_of(database)
    assert row["times"] in (1, 2)
