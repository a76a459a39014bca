"""The daemon's loop, a round at a time: jumps of the clock, faults, the lead, signs of life."""

import os
import signal
import threading
import time
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import settings
from monitor.daemon.service import Daemon, DaemonContext, HomeLock, handle_signals
from monitor.model import SchemaChanged, StoreGone, StoreProblem
from monitor.pipeline.collect.run_context import never
from monitor.store.database import connect
from monitor.store.journal import events as processes
from monitor.work.perform import WorkerContext
from tests.daemon.conftest import HOUR, MINUTE, MONDAY, WEEK, schedule
from tests.factories import quiet, rows


class Idle:
    """Hands that do nothing."""

    in_flight = 0

    def __init__(self):
        self.is_alive, self.started, self.woken, self.closed = True, 0, 0, []

    def start(self):
        self.started += 1

    def wake(self):
        self.woken += 1

    def close(self, *, wait):
        self.closed.append(wait)


class Told:
    """A service manager that wants a sign of life all the time."""

    def __init__(self, watchdog_seconds=1e-9):
        self.watchdog_seconds, self.said = watchdog_seconds, []

    def report_ready(self, status):
        self.said.append(f"ready {status}")

    def report_status(self, status):
        self.said.append(status)

    def report_alive(self):
        self.said.append("alive")

    def report_stopping(self):
        self.said.append("stopping")


class Companion:
    def __init__(self):
        self.said = []

    def start(self):
        self.said.append("start")

    def stop(self):
        self.said.append("stop")


class Service:
    """A daemon whose time a test sets."""

    def __init__(self, place, database=None):
        self.place, self.now = place, MONDAY - HOUR
        self.hands, self.manager, self.said = Idle(), Told(), []
        self.companion = Companion()
        database = database or place.database
        self.database = database
        means = DaemonContext(
            shop=WorkerContext(database, settings.load(), quiet, never),
            folder=place.folder,
            hands=lambda _shop: self.hands,
            manager=self.manager,
            companions=lambda _idle: [self.companion],
            say=self.said.append,
            now=lambda: self.now,
        )
        self.daemon = Daemon(means, database)

    def round(self, now=None):
        self.now = now or self.now
        self.daemon.reload()
        self.daemon._resting_until = float("-inf")
        self.daemon._do_round()

    def end(self):
        self.daemon._upkeep.stop()
        self.daemon._lead.release()

    def events(self):
        return [row["kind"] for row in rows(self.database, "SELECT kind FROM events ORDER BY id")]


@pytest.fixture
def service(place):
    found = Service(place)
    yield found
    found.end()


def test_a_round_begins_what_is_due_and_wakes_the_hands(service):
    service.place.job()
    service.round()
    assert service.hands.started == 1
    assert service.said[0] == f"watching 1 job in {service.place.folder}"
    service.round(MONDAY)
    assert service.place.states() == [(MONDAY, "running")]
    assert service.hands.woken == 1
    assert any("next mini at 2026-03-09 05:00 UTC" in line for line in service.manager.said)


def test_at_the_start_it_says_what_is_owed_and_what_cannot_be_used(service):
    service.place.job()
    service.place.at(MONDAY - HOUR)
    (service.place.folder / "odd.toml").write_text("name = ", encoding="utf-8")
    service.round(MONDAY + 2 * WEEK + HOUR)
    assert service.said[0] == f"watching 1 job in {service.place.folder}"
    assert service.said[1].startswith(f"cannot be used: {service.place.folder / 'odd.toml'}: ")
    assert service.said[2] == (
        "mini: 3 ticks owed, catch-up is latest: due now: 2026-03-16 05:00 UTC; 2 missed"
    )


def test_a_jump_of_the_clock_is_written_down_and_all_jobs_are_looked_at(service):
    service.place.job(schedule=schedule("0 * * * *"))
    service.round()
    assert "clock_jumped" not in service.events()
    service.round(MONDAY + MINUTE)
    assert service.place.states() == [(MONDAY, "running")]
    [jump] = rows(service.database, "SELECT detail FROM events WHERE kind = 'clock_jumped'")
    assert jump["detail"] in ("+3660 s", "+3659 s", "+3658 s")
    service.round(MONDAY - HOUR)
    service.round(MONDAY)
    assert service.place.states() == [(MONDAY, "running")]
    assert service.events().count("clock_jumped") == 3


def test_seconds_are_no_jump(service):
    service.round()
    service.round(service.now + timedelta(seconds=59))
    assert "clock_jumped" not in service.events()


def test_it_waits_for_a_database_that_is_away_and_goes_on(service, monkeypatch):
    service.place.job()
    with monkeypatch.context() as patch:

        def gone(*_):
            raise StoreGone("the server is away")

        patch.setattr("monitor.daemon.watching.JobWatcher.poll_folder", gone)
        service.round()
        assert service.manager.said[-1] == "waiting: the server is away"
        assert service.daemon._resting_until > time.monotonic()
        told = len(service.manager.said)
        service.daemon._do_round()  # it rests
        assert service.manager.said[told:] in ([], ["alive"])
        rests = []
        for _ in range(8):
            service.round()
            rests.append(service.daemon._rest)
    assert rests[-1] == 30
    service.round()
    assert service.hands.started == 1
    assert set(service.place.watched()) == {"mini"}


def test_a_fault_of_ours_does_not_end_it(service, monkeypatch, caplog):
    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.watching.JobWatcher.poll_folder", lambda *_: 1 / 0)
        service.round()
    assert "ZeroDivisionError" in caplog.text
    service.round()
    assert service.hands.started == 1


def test_no_sign_of_life_is_given_for_hands_that_have_died(service):
    service.round()
    service.manager.said.clear()
    service.hands.is_alive = False
    service.round()
    assert "alive" not in service.manager.said
    service.hands.is_alive = True
    service.round()
    assert "alive" in service.manager.said


def test_it_is_announced_while_it_is_there(service):
    service.place.job()
    service.round()
    service.round()
    with service.database.read() as connection:
        [one] = processes.list_alive(connection, service.now, MINUTE)
    assert one.role == "daemon"
    assert one.detail.startswith("1 job, next mini")


def test_a_doubted_clock_is_what_it_is_announced_with(service):
    service.place.job()
    with service.database.begin() as connection:
        for days in (1, 40):
            processes.add_event(
                connection, "run_began", "x", "", now=service.now + timedelta(days=days)
            )
    service.round()
    service.daemon._beat.make_due()
    service.round()
    with service.database.read() as connection:
        [one] = processes.list_alive(connection, service.now, MINUTE)
    assert one.detail.startswith("waiting: the clock says")


def test_the_loop_ends_when_it_is_told_to(service):
    service.daemon.stop()
    assert service.daemon.run() == 0
    assert service.companion.said == ["start", "stop"]
    assert service.manager.said == ["stopping"]
    assert service.events() == ["daemon_stopped"]


def test_it_ends_where_another_version_has_upgraded_the_database(service):
    service.round()
    with service.database.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '4711'"))
    service.daemon._beat.make_due()
    with pytest.raises(SchemaChanged, match=r"upgraded \(schema \d+ -> 4711\).*start it again"):
        service.daemon.run()
    assert service.hands.closed == [True]
    assert service.companion.said == ["start", "stop"]


def test_hands_are_waited_for_when_it_ends(service):
    service.round()
    service.daemon.stop()
    service.daemon.run()
    assert service.hands.closed == [True]


def lead_soon(service):
    """Let a daemon go round until it leads: the server gives a lock free a moment after its end."""
    end = time.monotonic() + 30
    while not service.daemon._is_leading and time.monotonic() < end:
        service.round(MONDAY)


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_of_two_daemons_one_leads_and_the_other_takes_over(place, database_url, tmp_path):
    place.job()
    first = Service(place)
    first.round()
    database = connect(database_url, tmp_path / "bodies")
    second = Service(place, database)
    try:
        second.round(MONDAY)
        second.round(MONDAY)
        assert second.said == ["another daemon leads on this database; standing by"]
        assert second.hands.started == 0
        assert place.states() == []
        # the server ends the connection that the lead hangs on, as when the machine is gone
        rows(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'",
        )
        lead_soon(second)
        assert place.states() == [(MONDAY, "running")]
        assert second.hands.started == 1
        first.round(MONDAY)
        assert first.daemon._is_leading is False
        second.daemon._lead.release()
        lead_soon(first)
        assert first.daemon._is_leading is True
        assert place.states() == [(MONDAY, "running")]
    finally:
        first.end()
        second.end()
        database.close()


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_while_the_server_is_away_nobody_leads(place, monkeypatch):
    place.job()
    found = Service(place)
    found.round()
    assert found.daemon._is_leading
    rows(
        place.database,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'",
    )
    with monkeypatch.context() as patch:

        def away(*_, **__):
            raise sa.exc.OperationalError("connect", {}, RuntimeError("refused"))

        patch.setattr(sa.Engine, "connect", away)
        found.round()
        assert not found.daemon._is_leading
        assert "refused" in found.manager.said[-1]
    found.round(MONDAY)
    assert found.daemon._is_leading
    assert place.states() == [(MONDAY, "running")]
    assert found.said[0] == f"watching 1 job in {place.folder}"
    found.end()


def test_it_runs_until_the_first_signal_and_ends_at_once_at_the_second(service, monkeypatch):
    before = signal.getsignal(signal.SIGHUP)  # who starts the tests may ignore it
    service.place.job()
    codes = []
    monkeypatch.setattr(os, "_exit", codes.append)
    service.hands.in_flight = 2
    stirred = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGTERM))
    with handle_signals(service.daemon):
        os.kill(os.getpid(), signal.SIGHUP)
        stirred.start()
        assert service.daemon.run() == 0
        os.kill(os.getpid(), signal.SIGINT)
    assert codes == [130]
    assert service.said[-1] == "stopping after what is in flight (2)"
    assert service.daemon.idle_seconds() < 60
    assert service.companion.said == ["start", "stop"]
    assert signal.getsignal(signal.SIGHUP) is before


def test_a_name_that_the_clock_leaves_is_looked_at_in_the_next_round(service):
    service.place.job()
    service.round()
    service.daemon._ask_for("mini")
    service.daemon._ask_for("gone meanwhile")
    assert service.daemon._woken.is_set()
    looked = []
    look = service.daemon._ticking.note_ticks
    service.daemon._ticking.note_ticks = lambda job, now: looked.append(job.name) or look(job, now)
    service.round()
    assert looked == ["mini"]


def test_another_schedule_is_looked_at_by_the_old_one_first(service):
    service.place.job(schedule=schedule("0 * * * *", catch_up="none"))
    service.round()
    service.place.job(schedule=schedule("30 12 * * *"))
    service.round(MONDAY + HOUR + 10 * MINUTE)
    assert service.place.states() == [(MONDAY, "missed"), (MONDAY + HOUR, "missed")]


def test_a_folder_has_one_daemon(tmp_path):
    first = HomeLock(tmp_path)
    with pytest.raises(StoreProblem, match=r"process \d+ is the daemon of this folder already"):
        HomeLock(tmp_path)
    first.release()
    second = HomeLock(tmp_path)
    second.release()


def test_a_folder_that_is_not_there_has_no_daemon(tmp_path):
    with pytest.raises(StoreProblem, match="No such file"):
        HomeLock(tmp_path / "nowhere")


def test_at_the_start_it_says_which_jobs_cannot_run_yet(service):
    """A service that others run needs governance and a key; a server of one's own needs neither."""
    service.place.job()
    service.place.job("paid", engines=[{"name": "deepl", "targets": ["cs"]}])
    service.round()
    [line] = service.said[1:]
    assert line.startswith("1 of 2 jobs not ready to run, their ticks will fail: paid; ")
