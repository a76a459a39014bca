"""Real pipes: whoever reads the first line and leaves ends the program, quietly."""

import os
import subprocess
import sys

import pytest

from monitor.cli import exits as _ending
from monitor.store.database import connect
from tests.conftest import copy_sqlite
from tests.series_scene import Scene

UNREAD = 141
#: More than a pipe holds unread, so that the program has to notice.
N_SERIES = 400


@pytest.fixture(scope="module")
def home(sqlite_template, tmp_path_factory):
    """A folder with an archive of many series; nobody may write into it."""
    folder = tmp_path_factory.mktemp("many-series")
    copy_sqlite(sqlite_template, folder / "monitor.db")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    scene = Scene(database)
    run = scene.done(0)
    for number in range(N_SERIES):
        scene.point(scene.series(f"an-engine-with-a-long-name-{number}"), run)
    database.close()
    return folder


@pytest.fixture
def archive(home, monkeypatch):
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"sqlite:///{home / 'monitor.db'}")
    monkeypatch.setenv("MONITOR_HOME", str(home))
    # without buffers, Python itself takes a write that was cut off for a whole one
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def first_line(*arguments, errors=subprocess.PIPE, lines=1):
    """(exit code, lines, standard error) of `monitor ... | head -n LINES`."""
    with subprocess.Popen(
        [sys.executable, "-m", "monitor.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=errors,
    ) as process:
        read = [process.stdout.readline().decode() for _ in range(lines)]
        process.stdout.close()
        said = process.stderr.read().decode() if process.stderr else ""
        code = process.wait(timeout=60)
    return code, read, said


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]], ids=["people", "csv", "json"])
def test_the_rest_of_a_list_is_not_read(archive, form):
    code, [line], said = first_line("series", "list", *form)
    assert code == UNREAD
    assert line == {"": "\n", "--csv": line, "--json": "[\n"}[form[0] if form else ""]
    assert "Traceback" not in said
    assert "Broken pipe" not in said
    assert "Exception ignored" not in said


def test_nobody_reads_either_stream(archive):
    code, _, _ = first_line("series", "list", errors=subprocess.STDOUT)
    assert code == UNREAD


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["series", "--help"]])
def test_short_output_that_nobody_reads(arguments):
    """It fits into the pipe, or the reader was gone before: never a warning, never code 120."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "monitor.cli", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (UNREAD, b"")


def test_an_error_that_nobody_reads_has_an_exit_code(archive):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "monitor.cli", "series", "show", "99999"],
        stdout=subprocess.PIPE,
        stderr=writing,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stdout) == (UNREAD, b"")


def test_closed_streams_are_no_fault(archive):
    command = f"{sys.executable} -m monitor.cli --version >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr


def test_all_of_it_read_is_all_well(archive):
    done = subprocess.run(
        [sys.executable, "-m", "monitor.cli", "series", "list", "--csv"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == N_SERIES + 1


def test_a_connection_that_broke_is_a_fault_and_said(monkeypatch, capsys):
    """A pipe of ours is another thing than one of a server."""
    from monitor import cli

    def broken(*_):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(sys, "argv", ["monitor", "lists", "show"])
    monkeypatch.setattr("monitor.cli.commands._loaded", broken)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 4
    assert "Broken pipe" in capsys.readouterr().err


def test_what_is_no_pipe_is_read(tmp_path):
    with (tmp_path / "out").open("w") as file:
        assert not _ending.is_unread(file)
    assert not _ending.is_unread(None)
    assert not _ending.is_unread(file)  # closed
