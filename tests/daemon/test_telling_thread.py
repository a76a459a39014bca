"""The daemon tells what it found, by a thread that no server holds up, once among several."""

import json
import signal
import subprocess
import sys
import threading
import time

import pytest

from monitor import settings
from monitor.daemon import upkeep as module
from monitor.daemon.upkeep import NotificationSender, Upkeep
from monitor.model import StoreGone
from monitor.store.journal import events, notifications
from tests.daemon.conftest import HOUR, MINUTE, MONDAY
from tests.standins.mailbox import Hook, serving

PATIENCE = 180.0


def until(what):
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


@pytest.fixture
def hook(monkeypatch):
    with serving(Hook()) as server:
        monkeypatch.setenv("MONITOR_NOTIFY_OPERATIONS", server.url())
        settings.load.cache_clear()
        yield server


@pytest.fixture
def alarm(database):
    """Stands for an hour; of a kind that only who raised it ends."""
    with database.begin() as connection:
        events.raise_alarm(connection, "job_broken", "mini", "no cron", MONDAY - HOUR)


def states(database):
    with database.read() as connection:
        return [one.state for one in notifications.list_newest(connection, 99)]


def titles(hook):
    return [json.loads(body)["title"] for _, body in hook.posts]


def test_upkeep_tells_alarms_in_its_own_time(database, alarm, hook):
    upkeep = Upkeep(database, lambda: True, lambda: MONDAY)
    try:
        upkeep.look()
        until(lambda: states(database) == ["sent"])
        upkeep.look()
    finally:
        upkeep.stop()
    assert titles(hook) == ["Alarm job_broken: mini"]


def test_what_the_supervisor_raises_is_told_at_its_second_look(database, hook, monkeypatch):
    """The alarm of the disk, from a quota that is used up."""
    now = [MONDAY]
    monkeypatch.setenv("MONITOR_QUOTA", "1")
    settings.load.cache_clear()
    upkeep = Upkeep(database, lambda: True, lambda: now[0])
    try:
        upkeep.look()
        assert states(database) == []
        now[0] += MINUTE
        upkeep.look()
        until(lambda: states(database) == ["sent"])
        monkeypatch.setenv("MONITOR_QUOTA", "0")
        settings.load.cache_clear()
        now[0] += MINUTE
        upkeep.look()
        until(lambda: states(database) == ["sent", "sent"])
    finally:
        upkeep.stop()
    assert titles(hook) == ["Alarm disk: quota", "Alarm disk is over: quota"]


def test_without_a_route_nothing_is_written_and_no_thread_is_begun(database, alarm):
    telling = NotificationSender(database, lambda: MONDAY)
    telling.look()
    telling.stop()
    assert states(database) == []
    assert telling._thread is None


def test_a_server_that_hangs_holds_up_neither_looks_nor_the_end(database, alarm, hook, monkeypatch):
    monkeypatch.setattr(module, "_LAST_SECONDS", 0.1)
    hook.open.clear()
    telling = NotificationSender(database, lambda: MONDAY)
    telling.look()
    assert hook.asked.acquire(timeout=PATIENCE)
    telling.look()  # returns, though a message is under way
    telling.stop()  # and so does this
    assert telling._thread.is_alive()
    assert states(database) == ["open"]
    hook.open.set()
    until(lambda: not telling._thread.is_alive())
    assert states(database) == ["sent"]
    assert len(hook.posts) == 1


@pytest.mark.parametrize("fault", [StoreGone("away"), RuntimeError("of ours")])
def test_a_fault_while_sending_is_said_and_ends_nothing(
    database, alarm, hook, monkeypatch, caplog, fault
):
    tried, real = threading.Semaphore(0), module.deliver_notices

    def fails(*_):
        tried.release()
        raise fault

    telling = NotificationSender(database, lambda: MONDAY)
    try:
        monkeypatch.setattr(module, "deliver_notices", fails)
        telling.look()
        assert tried.acquire(timeout=PATIENCE)
        monkeypatch.setattr(module, "deliver_notices", real)
        telling.look()
        until(lambda: states(database) == ["sent"])
    finally:
        telling.stop()
    assert str(fault) in caplog.text


def test_a_fault_of_ours_keeps_upkeep_from_nothing(database, hook, monkeypatch, caplog):
    monkeypatch.setattr(module, "write_notices", lambda *_: 1 / 0)
    NotificationSender(database, lambda: MONDAY).look()
    assert "telling failed" in caplog.text

    def away(*_):
        raise StoreGone("away")

    monkeypatch.setattr(module, "write_notices", away)
    with pytest.raises(StoreGone):
        NotificationSender(database, lambda: MONDAY).look()


# --- processes ------------------------------------------------------------------------------------

_PROCESS = """
import sys, time
from datetime import datetime
from pathlib import Path
from monitor.daemon.upkeep import NotificationSender
from monitor.store.journal import notifications
from monitor.store.database import connect
url, bodies, at, n, patience = sys.argv[1:]
database = connect(url, Path(bodies))
telling = NotificationSender(database, lambda: datetime.fromisoformat(at))
print("here", flush=True)
sys.stdin.readline()
end, sent = time.monotonic() + float(patience), 0
while sent < int(n) and time.monotonic() < end:
    telling.look()
    time.sleep(0.05)
    with database.read() as connection:
        sent = [one.state for one in notifications.list_newest(connection, 99)].count("sent")
telling.stop()
"""


def process(database_url, tmp_path, n, at=MONDAY):
    """Looks without pause until `n` notices are sent, whoever sends them."""
    words = [database_url, str(tmp_path / "bodies"), at.isoformat(), str(n), str(PATIENCE)]
    begun = subprocess.Popen(
        [sys.executable, "-c", _PROCESS, *words], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert begun.stdout.readline() == "here\n"
    return begun


def go(one):
    one.stdin.write("go\n")
    one.stdin.flush()


def ended(one):
    one.wait(PATIENCE)
    one.stdin.close()
    one.stdout.close()
    return one.returncode


def test_two_processes_at_once_tell_once(database, database_url, tmp_path, hook):
    with database.begin() as connection:
        for n in range(4):
            events.raise_alarm(connection, "job_broken", f"j{n}", "no cron", MONDAY - HOUR)
    some = [process(database_url, tmp_path, 4) for _ in range(2)]
    for one in some:
        go(one)
    assert [ended(one) for one in some] == [0, 0]
    assert states(database) == ["sent"] * 4
    assert sorted(titles(hook)) == [f"Alarm job_broken: j{n}" for n in range(4)]


def test_a_kill_in_the_middle_loses_nothing_and_says_what_may_be_twice(
    database, database_url, tmp_path, alarm, hook
):
    hook.open.clear()
    one = process(database_url, tmp_path, 1)
    go(one)
    assert hook.asked.acquire(timeout=PATIENCE)
    one.send_signal(signal.SIGKILL)
    assert ended(one) == -signal.SIGKILL
    hook.open.set()
    assert states(database) == ["open"]
    again = process(database_url, tmp_path, 1, MONDAY + HOUR)
    go(again)
    assert ended(again) == 0
    assert states(database) == ["sent"]
    messages = [json.loads(body)["message"] for _, body in hook.posts]
    assert len(messages) == 2
    assert "second time" not in messages[0]
    assert "second time" in messages[1]
