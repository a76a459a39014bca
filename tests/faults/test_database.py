"""The database goes away, is locked, or has no room, in the middle of a run: nothing is lost.

The rows that are expected are those of a run that nobody disturbed: `killing.expected`.
"""

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.conftest import _migrated
from tests.faults import killing
from tests.faults.counting import ITEMS
from tests.faults.killing import LEASE, Installation, expected, until
from tests.faults.outage import stoppable

SOME = ITEMS[:60]
PROBES, QUESTIONS = 120, 180
#: Requests a second of the first service; of the second twice as many. A run takes six seconds.
PACE = 10.0
ENOUGH = 20
#: Connections that are cut, and how many answers there are before the server crashes.
CUT, HALF = 10, QUESTIONS // 2


@pytest.fixture(scope="module")
def addresses():
    with killing.services() as found:
        yield found


@pytest.fixture(scope="module")
def outages(tmp_path_factory):
    """A server of these tests' own, with a migrated database as a template."""
    with stoppable() as found:
        template = found.server.create()
        _migrated(found.server.url(template), tmp_path_factory.mktemp("template"))
        found.template = template
        yield found


@contextmanager
def installed(url, home, addresses, roles=("daemon",), logs=None, **environment):
    here = Installation(url, home, addresses, roles, items=SOME, pace=PACE, logs=logs)
    here.environment |= environment
    try:
        here.supervise()
        yield here
    except BaseException as error:
        error.add_note(here.said()[-3000:])
        raise
    finally:
        here.close()


def ends(here):
    """The run ends, and every process has lived until it was asked to end."""
    until(here.ended, "the end of the run")
    assert here.dead() == []
    assert set(here.stop()) == {0}


# --- PostgreSQL ---------------------------------------------------------------------------------


@pytest.fixture
def both(outages, tmp_path, addresses):
    """A daemon and a worker, some answers into a run; and the name of their database."""
    name = outages.database(outages.template)
    with installed(outages.server.url(name), tmp_path, addresses, ("daemon", "worker")) as here:
        until(lambda: here.stored() >= ENOUGH, "some answers")
        yield here, name


def test_a_server_that_throws_out_and_then_crashes_costs_nothing(both, outages):
    here, name = both
    chance = random.Random(6)  # noqa: S311
    cut = 0
    with here.answering(HALF):
        while cut < CUT:
            cut += outages.throw_out(name, chance)
            time.sleep(chance.uniform(0.0, 0.1))
        until(lambda: here.times_asked() > HALF, "questions in flight")
        outages.stop()
    until(lambda: "is away, waiting" in here.log("worker").read_text(), "the word of it")
    time.sleep(1.5 * LEASE)  # nobody can say that he still has his turn
    asked = here.times_asked()
    time.sleep(1)
    assert here.times_asked() == asked < QUESTIONS  # nobody is asked what cannot be stored
    assert here.dead() == []
    outages.start()
    ends(here)
    assert here.left() == expected(PROBES)
    assert here.times_asked() == QUESTIONS  # what was in flight was kept, and then stored
    assert "monitor.daemon.service the daemon waits" in here.log("daemon").read_text()


# --- SQLite -------------------------------------------------------------------------------------

_HOLD = """
import sqlite3, sys, time
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
held.execute("ROLLBACK")
"""


def test_another_program_that_holds_the_file_is_waited_for(sqlite_database, tmp_path, addresses):
    file = tmp_path / "monitor.db"
    with installed(f"sqlite:///{file}", tmp_path, addresses) as here:
        until(lambda: here.stored() >= ENOUGH, "some answers")
        began = time.monotonic()
        command = [sys.executable, "-c", _HOLD, str(file), "10"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout.readline() == "held\n"
            time.sleep(0.3)
            held = here.stored()
            until(lambda: other.poll() is not None, "the end of the lock")
        until(lambda: here.stored() > held, "more answers")
        assert time.monotonic() - began >= 10
        ends(here)
        assert here.left() == expected(PROBES)
        assert here.times_asked() == QUESTIONS
        assert (tmp_path / "daemon.log").read_text().count("locked") == 0


# --- a full disk --------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path, sqlite_template):
    """A file system of some megabytes with an installation's database on it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted by this user")
    try:
        for path in sqlite_template.parent.glob("monitor*.db"):
            (folder / path.name).write_bytes(path.read_bytes())
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder, left=0):
    """Take all room but so many bytes; gives the file that takes it."""
    ballast = folder / "ballast"
    room = os.statvfs(folder)
    with ballast.open("wb", buffering=0) as file:
        try:
            for _ in range((room.f_bavail * room.f_frsize - left) // 4096):
                file.write(bytes(4096))
        except OSError:
            pass
    return ballast


def is_whole(here):
    """The database is sound, no file is half written, and each belongs to a row."""
    with sqlite3.connect(here.home / "monitor.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    names = {path.name.partition(".")[0] for path in (here.home / "bodies").rglob("*.*")}
    rows = {row["sha256"] for row in here.select("SELECT sha256 FROM bodies WHERE content IS NULL")}
    assert names == rows
    assert rows


def test_a_disk_without_room_stops_the_asking_until_there_is_room(small_disk, tmp_path, addresses):
    reserve, log = 8 << 20, tmp_path / "daemon.log"
    ballast = fill(small_disk, left=reserve - (1 << 20))
    url = f"sqlite:///{small_disk / 'monitor.db'}"
    with installed(
        url, small_disk, addresses, logs=tmp_path, MONITOR_DISK_RESERVE=str(reserve)
    ) as here:
        # not begun: less is left than the reserve
        task = "SELECT state, reason FROM tasks WHERE stage = 'collect' AND reason <> ''"
        [waits, *_] = until(lambda: here.select(task), "a task that waits")
        assert waits["state"] == "open"
        assert "7 MB are free, less than the reserve of 8 MB" in waits["reason"]
        alarm = "SELECT subject FROM alarms WHERE kind = 'disk' AND resolved_at IS NULL"
        assert until(lambda: here.select(alarm), "the alarm") == [{"subject": "free space"}]
        code, said = here.command("status")
        assert code == 5  # an alarm stands
        assert "collecting stops at 8 MB" in said
        assert here.times_asked() == 0
        ballast.unlink()
        until(lambda: here.stored() >= ENOUGH, "some answers")
        # in the middle: there is nothing left at all
        ballast = fill(small_disk)
        until(lambda: "answers wait to be stored" in log.read_text(), "the word of it")
        time.sleep(1.5 * LEASE)
        stored, asked = here.stored(), here.times_asked()
        time.sleep(1)
        assert (here.stored(), here.times_asked()) == (stored, asked)
        assert stored < QUESTIONS
        ballast.unlink()
        ends(here)
        left = here.left()
        assert [one for one in left.pop("alarms") if one != ("disk", "free space")] == []
        assert left | {"alarms": []} == expected(PROBES)
        assert here.times_asked() == QUESTIONS  # what was in flight was held, and then stored
        is_whole(here)
        assert "full; make room" in log.read_text() or "No space left" in log.read_text()
