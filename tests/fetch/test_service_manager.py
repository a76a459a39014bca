"""What systemd is told, over a socket of the test."""

import os
import socket
from contextlib import closing

import pytest

from monitor.fetch.service_manager import ServiceManager


@pytest.fixture(params=["file", "abstract"])
def manager(request, tmp_path):
    """(the address as systemd gives it, a socket that hears what is told)."""
    name = str(tmp_path / "notify") if request.param == "file" else f"@monitor-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
        heard.bind("\0" + name[1:] if name.startswith("@") else name)
        heard.settimeout(30)
        yield name, heard


def test_every_state_is_a_datagram(manager):
    address, heard = manager
    told = ServiceManager.from_environment({"NOTIFY_SOCKET": address})
    told.report_ready("3 jobs")
    told.report_status("two\nlines")
    told.report_alive()
    told.report_stopping()
    assert [heard.recv(1000) for _ in range(4)] == [
        b"READY=1\nSTATUS=3 jobs",
        b"STATUS=two lines",
        b"WATCHDOG=1",
        b"STOPPING=1",
    ]


def test_the_watchdog_is_for_the_process_that_was_meant():
    environment = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "30000000"}
    assert ServiceManager.from_environment(environment).watchdog_seconds == 30
    ours = environment | {"WATCHDOG_PID": str(os.getpid())}
    assert ServiceManager.from_environment(ours).watchdog_seconds == 30
    assert (
        ServiceManager.from_environment(environment | {"WATCHDOG_PID": "1"}).watchdog_seconds == 0
    )
    assert (
        ServiceManager.from_environment(environment | {"WATCHDOG_USEC": "soon"}).watchdog_seconds
        == 0
    )
    assert ServiceManager.from_environment({"WATCHDOG_USEC": "30000000"}).watchdog_seconds == 0


def test_nobody_is_told_where_nobody_asked():
    ServiceManager.from_environment({}).report_ready("3 jobs")


def test_a_manager_that_is_gone_is_no_fault(tmp_path, caplog):
    ServiceManager(str(tmp_path / "nobody")).report_alive()
    assert "cannot be told WATCHDOG=1" in caplog.text
