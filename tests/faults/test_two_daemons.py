"""Two daemons at once: one leads; and where both think that they do, nothing is done twice.

That a second one is refused in the same home is in `tests/daemon/test_process.py`.
"""

import time
from contextlib import contextmanager

import pytest

from monitor.work import queue
from tests.faults import killing
from tests.faults.counting import ITEMS
from tests.faults.killing import Installation, expected, until

SOME = ITEMS[:40]
PROBES, QUESTIONS = 80, 120
PACE = 20.0
#: Much longer than a daemon that stands by waits between two looks.
SOON = 15.0


@pytest.fixture(scope="module")
def addresses():
    with killing.services() as found:
        yield found


@contextmanager
def two(url, home, addresses, *workers):
    """Two daemons, each with a home of its own, and workers; none is running yet."""
    roles = ("daemon", "daemon-2", *workers)
    here = Installation(url, home, addresses, roles, items=SOME, pace=PACE)
    here.homes["daemon-2"] = home / "second"
    here.homes["daemon-2"].mkdir()
    here.environment["MONITOR_DATABASE_URL"] = url
    try:
        yield here
    except BaseException as error:
        error.add_note(here.said()[-3000:])
        raise
    finally:
        here.close()


def kinds(here):
    """What happened to how many daemons."""
    found = here.select("SELECT kind, COUNT(*) AS n FROM events GROUP BY kind")
    return {row["kind"]: row["n"] for row in found}


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_the_one_that_stands_by_takes_over(database_url, tmp_path, addresses):
    with two(database_url, tmp_path, addresses, "worker") as here:
        here.start("daemon")
        until(lambda: "killed: 1 tick owed" in here.said(), "the one that leads")
        second = here.start("daemon-2")
        until(lambda: "another daemon leads" in here.log("daemon-2").read_text(), "the other")
        until(here.states, "the tick")
        here.kill(["daemon"])
        here.start("worker")
        began = time.monotonic()
        until(lambda: kinds(here).get("daemon_started") == 2, "the other to lead")
        assert time.monotonic() - began < SOON
        until(here.ended, "the end of the run")
        assert here.left() == expected(PROBES)
        assert here.times_asked() == QUESTIONS
        # the one that was killed is there again, and stands by in its turn
        here.start("daemon")
        until(lambda: "another daemon leads" in here.log("daemon").read_text(), "the first")
        assert second.poll() is None
        assert set(here.stop()) == {0}
        found = kinds(here)
        assert (found["job_loaded"], found["daemon_started"], found["daemon_stopped"]) == (1, 2, 2)
        assert queue.TaskQueue(here.database, "direct").waiting() == 0


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_two_that_both_believe_that_they_lead_begin_a_tick_once(
    dialect, database_url, tmp_path, addresses
):
    workers = () if dialect == "sqlite" else ("worker",)
    with two(database_url, tmp_path, addresses, *workers) as here:
        met = tmp_path / "met"
        met.mkdir()
        here.environment["DOOMED_LEADS"] = str(met)
        if dialect == "sqlite":  # answers are beside the file, wherever who asks is at home
            here.homes["daemon-2"] = here.home
        here.supervise()
        until(here.ended, "the end of the run")
        until(lambda: kinds(here).get("daemon_started") == 2, "both to lead")
        assert len(list(met.iterdir())) == 2  # both were about to begin the run
        assert "another daemon leads" not in here.said()
        assert here.left() == expected(PROBES)
        assert here.times_asked() == QUESTIONS
        assert here.dead() == []
        assert set(here.stop()) == {0}
