"""What every test gets: a clean environment, no network, and a database."""

import fcntl
import gc
import ipaddress
import os
import shutil
import socket
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import sqlalchemy as sa

from monitor import settings
from monitor.store import migrations
from monitor.store.database import connect
from tests import compiled
from tests import postgres as postgresql
from tests.warm import THREADS

_HERE = Path(__file__).parent

# Modules are compiled once: every process of the tests, and every command that they start, would
# do so again where the caller's shell forbids to keep it.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Threads of linear algebra wait for work by turning in circles. With more processes than cores that
# takes most of the processor time: one thread each. Numpy reads it when it is imported, which is
# later; processes that tests begin inherit it.
for _name in THREADS:
    os.environ.setdefault(_name, "1")

# A process of tests has thousands of them in memory from its beginning to its end: to look through
# all of that for garbage so often takes a tenth of its time.
gc.set_threshold(50_000, 20, 50)

compiled.register()

# No test depends on the speed of a machine.
hypothesis.settings.register_profile(
    "monitor", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("monitor")

#: Variables of the tests themselves, which the program does not read.
_OWN = {"MONITOR_TEST_PG_BINDIR", "MONITOR_REFERENCE_DATA", "MONITOR_REQUIRE_BROWSER"}
if os.environ.get("MONITOR_REFERENCE_DATA"):  # a relative path, before a test changes the folder
    os.environ["MONITOR_REFERENCE_DATA"] = str(Path(os.environ["MONITOR_REFERENCE_DATA"]).resolve())

#: Folders and files with the longest tests. Of files with as many tests they are begun first.
_LONG = (
    "faults/", "work/", "daemon/", "fetch/", "test_end_to_end", "test_changes_run", "report/",
    "test_reproduction", "test_notebook", "audit/", "test_release", "test_redo", "test_migrations",
    "test_backup", "test_carousel_run", "test_services_run", "test_saved_shared", "store/",
    "studies/", "web/", "measures/", "pipeline/", "bench/",
)  # fmt: skip
#: Files of few tests that take long. They are begun as if they had more tests: what is long and
#: begun last is what everything waits for at the end.
_FEW_AND_LONG = (
    "faults/test_kills", "faults/test_two_daemons", "bench/", "ranked/test_bounds",
    "measures/test_lm_published", "pipeline/test_noise_floors", "test_changes_run",
    "test_carousel_run", "test_notebook", "test_reproduction_parts", "web/site/test_embargo",
)  # fmt: skip
_AS_MANY = 14


#: Tests of what is said in SQL run on both kinds of database, and so do the end-to-end runs that
#: have the mark `both_databases`; all others run on SQLite.
_ON_BOTH = (
    "store/", "test_views.py", "test_series_grid.py", "test_series_library.py",
    "test_operations.py", "test_migrations.py", "test_backup.py",
)  # fmt: skip
_KINDS = ["sqlite", "postgresql"]


def pytest_generate_tests(metafunc):
    """Run a test once for each kind of database where it is about databases."""
    if "dialect" not in metafunc.fixturenames:
        return
    definition = metafunc.definition
    marks = definition.iter_markers("parametrize")
    if any("dialect" in mark.args[0] for mark in marks):
        return
    name = definition.path.relative_to(_HERE).as_posix()
    if name.startswith(_ON_BOTH) or definition.get_closest_marker("both_databases"):
        metafunc.parametrize("dialect", _KINDS, indirect=True)


def pytest_collection_modifyitems(items):
    """Begin with files of many tests, then of long ones; those of one file stay in their order."""
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (-_size(item.path, counts[item.path]), *_place(item.path)))


def pytest_collection_finish():
    """What was collected stays."""
    gc.freeze()


@cache
def _size(path, n_tests):
    """Return how many tests a file counts for in the order of files."""
    name = path.relative_to(_HERE).as_posix()
    return max(n_tests, _AS_MANY) if name.startswith(_FEW_AND_LONG) else n_tests


@cache
def _place(path):
    """Return where a file stands among those of as many tests."""
    name = path.relative_to(_HERE).as_posix()
    place = next((at for at, start in enumerate(_LONG) if name.startswith(start)), len(_LONG))
    return place, name


def _is_here(host):
    if host in ("", "localhost", None):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class NetworkUsed(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Refuse every connection but Unix sockets and loopback."""
    patch = pytest.MonkeyPatch()
    connect_, connect_ex, lookup = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def guard(sock, address):
        if sock.family in (socket.AF_INET, socket.AF_INET6) and not _is_here(address[0]):
            raise NetworkUsed(f"a test must not reach {address!r}")

    def guarded_connect(self, address):
        guard(self, address)
        return connect_(self, address)

    def guarded_connect_ex(self, address):
        guard(self, address)
        return connect_ex(self, address)

    def guarded_lookup(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        if not _is_here(name):
            raise NetworkUsed(f"a test must not look up {host!r}")
        return lookup(host, *args, **kwargs)

    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    patch.setattr(socket, "getaddrinfo", guarded_lookup)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    """No setting of the caller's shell reaches a test, and none of one test the next."""
    for name in list(os.environ):
        if name.startswith("MONITOR_") and name not in _OWN:
            monkeypatch.delenv(name)
    settings.load.cache_clear()
    yield
    settings.load.cache_clear()


@pytest.fixture(autouse=True)
def quick_look_ups(monkeypatch):
    """Stand-ins of Wikidata need no rest between questions."""
    monkeypatch.setattr("monitor.pipeline.collect.lookups._PACE", 1000.0)


@pytest.fixture
def in_list_order(monkeypatch):
    """Questions have one place, and so the order of their list: tests can speak of its halves."""
    monkeypatch.setattr("monitor.stages.jobs.plan.place", lambda _step, _seed: b"")


@pytest.fixture(autouse=True)
def closed_databases(monkeypatch):
    """Dispose of every SQLAlchemy engine that a test made, so that no file stays open."""
    made = []
    create = sa.create_engine

    def remembered(*args, **kwargs):
        made.append(compiled.share(create(*args, **kwargs)))
        return made[-1]

    monkeypatch.setattr(sa, "create_engine", remembered)
    yield
    for engine in made:
        engine.dispose()


@pytest.fixture(scope="session")
def postgres_server():
    """The session's PostgreSQL server; a failure to start it fails the tests."""
    with postgresql.running() as server:
        yield server


def _migrated(url, folder):
    database = connect(url, folder / "bodies")
    try:
        migrations.upgrade(database)
    finally:
        database.close()


@pytest.fixture(scope="session")
def postgres_template(postgres_server, tmp_path_factory):
    """Name of a migrated database that tests are given copies of."""
    name = postgres_server.create()
    _migrated(postgres_server.url(name), tmp_path_factory.mktemp("template"))
    return name


def made_once(factory, name, make):
    """The folder of this name; one of the processes of these tests fills it for all of them.

    `make(folder)` is called while the others wait. Where it fails, the next one begins anew.
    """
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory):
    """A migrated SQLite file that tests are given copies of."""

    def make(folder):
        _migrated(f"sqlite:///{folder / 'monitor.db'}", folder)

    return made_once(tmp_path_factory, "sqlite-template", make) / "monitor.db"


@pytest.fixture
def dialect(request):
    """Kind of the database of a test: SQLite, or both in turn (`pytest_generate_tests`)."""
    return getattr(request, "param", "sqlite")


def copy_sqlite(source, target):
    """Copy both files of a database: its own and that of people."""
    for path in source.parent.glob(f"{source.stem}*{source.suffix}"):
        shutil.copyfile(path, target.with_name(path.name.replace(source.stem, target.stem, 1)))


@pytest.fixture
def empty_url(request, dialect, tmp_path):
    """URL of a database without any table."""
    if dialect == "sqlite":
        yield f"sqlite:///{tmp_path / 'monitor.db'}"
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create()
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def database_url(request, dialect, tmp_path):
    """URL of a migrated database of this test's own."""
    if dialect == "sqlite":
        copy_sqlite(request.getfixturevalue("sqlite_template"), tmp_path / "monitor.db")
        yield f"sqlite:///{tmp_path / 'monitor.db'}"
        return
    template = request.getfixturevalue("postgres_template")
    server = request.getfixturevalue("postgres_server")
    name = server.create(template)
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def empty_database(empty_url, tmp_path):
    """An open database without any table."""
    database = connect(empty_url, tmp_path / "bodies")
    yield database
    database.close()


@pytest.fixture
def database(database_url, tmp_path):
    """An open, migrated database."""
    database = connect(database_url, tmp_path / "bodies")
    yield database
    database.close()


@pytest.fixture
def sqlite_database(sqlite_template, tmp_path):
    """An open, migrated SQLite database, for what only concerns SQLite."""
    copy_sqlite(sqlite_template, tmp_path / "monitor.db")
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    yield database
    database.close()


@pytest.fixture(scope="session")
def reference_data():
    """Folder of the reference data that results are validated against."""
    chosen = os.environ.get("MONITOR_REFERENCE_DATA")
    if not chosen:
        pytest.skip("MONITOR_REFERENCE_DATA is not set: no validation against reference data")
    folder = Path(chosen)
    if not folder.is_dir():
        pytest.fail(f"MONITOR_REFERENCE_DATA={chosen}: no such folder")
    return folder
