"""Who is there, on both databases."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

from monitor.store.journal import events
from monitor.store.schedule.leases import this_process

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ANNOUNCE_AND_WAIT = """
from monitor.store.schedule.leases import this_process
print(this_process(), flush=True)
input()
"""


def do(database, what, *args):
    with database.begin() as connection:
        return what(connection, *args)


def alive(database, now=AT, within=MINUTE):
    return do(database, events.list_alive, now, within)


def test_nobody_is_there_at_first(database):
    assert alive(database) == []
    do(database, events.remove_process, "elsewhere:1:2")


def test_a_process_started_when_it_was_first_heard_of(database):
    do(database, events.announce_process, "elsewhere:1:2", "worker", "idle\0", AT)
    do(database, events.announce_process, "elsewhere:1:2", "worker", "asks deepl", AT + MINUTE)
    assert alive(database, AT + MINUTE) == [
        events.Process("elsewhere:1:2", "worker", AT, AT + MINUTE, "asks deepl")
    ]


def test_who_was_not_heard_of_in_time_is_not_alive(database):
    do(database, events.announce_process, "elsewhere:1:2", "worker", "", AT)
    do(database, events.announce_process, "elsewhere:3:4", "daemon", "", AT + MINUTE / 2)
    assert [one.name for one in alive(database, AT + MINUTE)] == ["elsewhere:1:2", "elsewhere:3:4"]
    assert [one.name for one in alive(database, AT + MINUTE * 1.25)] == ["elsewhere:3:4"]
    assert alive(database, AT + 2 * MINUTE) == []


def test_who_has_ended_is_forgotten(database):
    for name in ("elsewhere:1:2", "elsewhere:3:4"):
        do(database, events.announce_process, name, "worker", "", AT)
    do(database, events.remove_process, "elsewhere:1:2")
    assert [one.name for one in alive(database)] == ["elsewhere:3:4"]


def test_a_process_of_this_machine_that_was_killed_is_not_alive(database):
    command = [sys.executable, "-c", ANNOUNCE_AND_WAIT]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with other:
        name = other.stdout.readline().strip()
        for one in (this_process(), name):
            do(database, events.announce_process, one, "worker", "", AT)
        assert {one.name for one in alive(database)} == {this_process(), name}
        other.kill()
    assert [one.name for one in alive(database)] == [this_process()]
