"""`monitor serve` as a shell runs it: the pages, the refusals and the graceful end."""

import os
import re
import signal
import subprocess
import sys

import httpx
import pytest

from tests.conftest import copy_sqlite
from tests.looked_after import AT, end_run, new_run

LONG = 60.0


@pytest.fixture
def folder(sqlite_template, tmp_path):
    copy_sqlite(sqlite_template, tmp_path / "monitor.db")
    return tmp_path


def command(*arguments):
    return [sys.executable, "-m", "monitor.cli", "serve", *arguments]


def clean():
    return {name: value for name, value in os.environ.items() if not name.startswith("MONITOR_")}


def refused(folder, *arguments):
    done = subprocess.run(
        command(*arguments),
        cwd=folder,
        env=clean(),
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    return done.returncode, " ".join(done.stderr.split())


def test_it_serves_until_it_is_told_to_stop(folder, sqlite_database):
    run = new_run(sqlite_database, "j")
    end_run(sqlite_database, run, AT)
    with subprocess.Popen(
        command("--port", "0"), cwd=folder, env=clean(), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = process.stderr.readline()
            url = re.fullmatch(r"serving (http://127\.0\.0\.1:\d+)/\n", said)[1]
            with httpx.Client(base_url=url, timeout=LONG, trust_env=False) as client:
                report = client.get("/")
                assert report.status_code == 200
                assert report.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
                assert client.get("/healthz").json()["alive"] is True
                assert client.get("/readyz").json()["ready"] is True
                assert client.get("/metrics").text.startswith("# HELP gbmonitor_")
                assert client.get("/monitor.db").status_code == 404
                assert client.post("/", content=b"x").status_code == 405
        finally:
            process.send_signal(signal.SIGTERM)
            _, rest = process.communicate(timeout=LONG)
    assert process.returncode == 0, rest


@pytest.mark.parametrize("host", ["::", "192.0.2.1"])
def test_other_machines_are_refused(folder, host):
    code, said = refused(folder, "--host", host)
    assert code == 2
    assert f"--host {host}: other machines could read everything there without a login" in said
    assert "put a proxy with a login in front" in said


def test_what_is_no_host_is_refused(folder):
    assert refused(folder, "--host", "my.host") == (
        2,
        "monitor: --host: 'my.host' is no IP address, nor localhost",
    )


def test_without_a_database_there_is_nothing_to_serve(tmp_path):
    code, said = refused(tmp_path)
    assert code == 4
    assert "make one with `monitor init`" in said
