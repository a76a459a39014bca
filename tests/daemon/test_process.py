"""A real `monitor daemon` on SQLite: owed ticks, signals, kills, a second one, systemd."""

import os
import signal
import socket
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from monitor.work import queue
from tests import warm
from tests.daemon.conftest import OWN, Place, schedule
from tests.factories import make_list, rows
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate

PATIENCE = 30
#: Once a year, so that no tick comes while a test runs.
YEARLY = schedule("0 5 1 jan *")
COUNT = 32


class Gated(LibreTranslate):
    """Answers so many requests, and lets the others wait until it is opened."""

    def __init__(self, most=10**6, **settings):
        super().__init__(**settings)
        self.most, self.begun = most, 0
        self.open, self._gate = threading.Event(), threading.Lock()

    def __call__(self, request, wire):
        with self._gate:
            self.begun += 1
            is_late = self.begun > self.most
        if is_late:
            self.open.wait(PATIENCE)
        super().__call__(request, wire)


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    pytest.fail(f"waited in vain for {what}")


class Installation:
    """A folder with a database and a job that owes a tick, and its daemons."""

    def __init__(self, database, home):
        self.database, self.home = database, home
        self.place = Place(database, home / "jobs")
        make_list(home / "jobs")
        self.processes = []

    def owing(self, running, **changes):
        """A job that was watched a year ago, and not since."""
        engine = OWN | {"pace": 1000.0, "config": {"base_url": running.url}}
        content = {"engines": [engine], "schedule": YEARLY, "contact": "tests@monitor.test"}
        self.place.job(**(content | changes))
        self.place.at(datetime.now(UTC) - timedelta(days=380))

    def daemon(self, *arguments, **environment):
        return self.started("daemon", "--jobs", "jobs", *arguments, **environment)

    def started(self, *arguments, module="monitor.cli", **environment):
        environment = os.environ | {"MONITOR_HOME": str(self.home)} | environment
        log = self.home / f"said-{len(self.processes)}.txt"
        with log.open("w") as file:
            process = warm.begin(
                module, arguments, folder=self.home, environment=environment, said=file
            )
        process.log = log
        self.processes.append(process)
        return process

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()

    def state(self):
        return [str(tick.state) for tick in self.place.ticks()]

    def answered(self):
        sql = """SELECT p.text FROM attempts a JOIN probes p ON p.id = a.probe_id WHERE a.final
            AND a.exchange_id IS NOT NULL"""
        return [row["text"] for row in rows(self.database, sql)]


@pytest.fixture
def here(sqlite_database, tmp_path):
    found = Installation(sqlite_database, tmp_path)
    yield found
    found.end()


def ended(process):
    """(exit code, what was said)."""
    return process.wait(PATIENCE), process.log.read_text()


def test_an_owed_tick_is_asked_and_the_first_signal_ends_the_daemon(here):
    with serve(LibreTranslate()) as running:
        here.owing(running)
        daemon = here.daemon()
        until(lambda: here.state() == ["done"], "the tick to be done")
        daemon.send_signal(signal.SIGTERM)
        code, said = ended(daemon)
    assert code == 0
    assert f"watching 1 job in {here.home / 'jobs'}" in said
    assert "mini: 1 tick owed, catch-up is latest: due now:" in said
    assert len(here.answered()) == COUNT
    kinds = [row["kind"] for row in rows(here.database, "SELECT kind FROM events ORDER BY id")]
    assert [kind for kind in kinds if kind != "swept" and not kind.startswith("answer_shape")] == [
        "job_loaded",
        "daemon_started",
        "daemon_stopped",
    ]
    assert rows(here.database, "SELECT * FROM processes") == []


def test_the_first_signal_stores_what_is_in_flight_and_the_next_start_goes_on(here):
    server = Gated(most=8)
    with serve(server) as running:
        here.owing(running)
        daemon = here.daemon()
        until(lambda: server.begun > 8, "questions in flight")
        daemon.send_signal(signal.SIGINT)
        stopping = "stopping after what is in flight (1)"
        until(lambda: stopping in daemon.log.read_text(), "the daemon to say that it stops")
        time.sleep(0.2)
        assert daemon.poll() is None  # an answer is waited for
        server.open.set()
        assert ended(daemon)[0] == 0
        stored = here.answered()
        assert 8 < len(stored) < COUNT
        first = len(running.requests)
        again = here.daemon()
        until(lambda: here.state() == ["done"], "the tick to be done")
        again.send_signal(signal.SIGTERM)
        assert ended(again)[0] == 0
        later = [request.json["q"] for request in running.requests[first:]]
    assert first == len(stored)
    assert set(later).isdisjoint(stored)
    assert len(here.answered()) == len(set(here.answered())) == COUNT


def test_the_second_signal_ends_it_at_once(here):
    server = Gated(most=4)
    with serve(server) as running:
        here.owing(running)
        daemon = here.daemon()
        until(lambda: server.begun > 4, "questions in flight")
        daemon.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        daemon.send_signal(signal.SIGTERM)
        assert ended(daemon)[0] == 130
        server.open.set()
    assert here.state() == ["running"]


def test_a_kill_costs_what_was_in_flight_and_nothing_else(here):
    server = Gated(most=12)
    with serve(server) as running:
        here.owing(running)
        daemon = here.daemon()
        until(lambda: server.begun > 12 and len(here.answered()) >= 4, "answers")
        daemon.kill()
        daemon.wait(PATIENCE)
        server.open.set()
        stored = set(here.answered())
        until(lambda: len(running.requests) >= server.begun, "late answers")
        first = len(running.requests)
        again = here.daemon()
        until(lambda: here.state() == ["done"], "the tick to be done")
        again.send_signal(signal.SIGTERM)
        assert ended(again)[0] == 0
        later = [request.json["q"] for request in running.requests[first:]]
    assert stored
    assert stored.isdisjoint(later)
    assert len(here.answered()) == len(set(here.answered())) == COUNT
    assert len(rows(here.database, "SELECT * FROM runs")) == 1


def test_a_second_daemon_of_a_folder_is_refused_and_names_the_first(here):
    here.place.job()
    first = here.daemon()
    until(lambda: rows(here.database, "SELECT * FROM processes"), "the first daemon")
    code, said = ended(here.daemon())
    assert code == 4
    assert f"process {first.pid} is the daemon of this folder already" in said
    first.send_signal(signal.SIGTERM)
    assert ended(first)[0] == 0


def test_a_folder_that_is_not_there_is_named(here):
    code, said = ended(here.daemon("--jobs", "nowhere"))
    assert code == 2
    assert "nowhere: no such folder" in said


def test_systemd_hears_that_it_is_ready_alive_and_stopping(here):
    here.place.job()
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
        heard.bind(str(here.home / "notify"))
        heard.settimeout(PATIENCE)
        daemon = here.daemon(NOTIFY_SOCKET=str(here.home / "notify"), WATCHDOG_USEC="400000")
        told = []
        while sum(one == b"WATCHDOG=1" for one in told) < 3 or not any(
            one.startswith(b"READY=1\nSTATUS=1 job,") for one in told
        ):
            told.append(heard.recv(1000))
        daemon.send_signal(signal.SIGTERM)
        while b"STOPPING=1" not in told:
            told.append(heard.recv(1000))
        assert ended(daemon)[0] == 0


def test_a_hang_up_looks_at_the_job_files_now(here):
    here.place.job()
    daemon = here.daemon()
    until(lambda: rows(here.database, "SELECT * FROM processes"), "the daemon")
    here.place.job("other")
    daemon.send_signal(signal.SIGHUP)
    until(lambda: "other" in here.place.watched(), "the other job")
    daemon.send_signal(signal.SIGTERM)
    assert ended(daemon)[0] == 0


def test_health_is_served_where_it_is_wanted(here):
    import httpx

    here.place.job()
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    daemon = here.daemon(MONITOR_HEALTH=f"127.0.0.1:{port}")
    until(lambda: rows(here.database, "SELECT * FROM processes"), "the daemon")
    assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    daemon.send_signal(signal.SIGTERM)
    assert ended(daemon)[0] == 0


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_on_postgresql_the_daemon_begins_and_a_worker_asks(database, database_url, tmp_path):
    queue.ensure_queue(database)
    here = Installation(database, tmp_path)
    environment = {"MONITOR_DATABASE_URL": database_url}
    try:
        with serve(LibreTranslate()) as running:
            here.owing(running)
            here.daemon(**environment)
            until(lambda: here.state() == ["running"], "the tick to be begun")
            here.started("worker", **environment)
            until(lambda: here.state() == ["done"], "the tick to be done")
            for process in here.processes:
                process.send_signal(signal.SIGTERM)
            assert [ended(process)[0] for process in here.processes] == [0, 0]
    finally:
        here.end()
    assert len(here.answered()) == COUNT
