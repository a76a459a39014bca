"""A copy of the demo archive that a test may write into, and the program's commands on it."""

import pytest

from monitor import settings
from monitor.store.database import connect
from tests.audit.reading import JOB, filled, run_at
from tests.command import program
from tests.conftest import copy_sqlite
from tests.demo import made_once, on_postgres


@pytest.fixture(scope="session")
def archive_template(sqlite_template, tmp_path_factory):
    """The folder of the archive; nobody may write into it."""
    return made_once(sqlite_template, tmp_path_factory)


@pytest.fixture
def archive(request, dialect, archive_template, tmp_path, monkeypatch):
    """An open copy of the archive of this test's own, on either database; commands find it."""
    if dialect == "sqlite":
        copy_sqlite(archive_template / "monitor.db", tmp_path / "monitor.db")
        url = f"sqlite:///{tmp_path / 'monitor.db'}"
        yield from _opened(url, archive_template, monkeypatch, tmp_path)
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("archive_on_postgres"))
    yield from _opened(server.url(name), archive_template, monkeypatch, tmp_path)
    server.drop(name)


@pytest.fixture(scope="session")
def archive_on_postgres(archive_template, postgres_server, postgres_template):
    """Name of a PostgreSQL database with the same rows, which tests are given copies of."""
    return on_postgres(archive_template, postgres_server, postgres_template)


def _opened(url, folder, monkeypatch, home):
    monkeypatch.setenv("MONITOR_HOME", str(home))
    monkeypatch.setenv("MONITOR_DATABASE_URL", url)
    settings.load.cache_clear()
    if not (home / "bodies").exists() and (folder / "bodies").exists():
        (home / "bodies").symlink_to(folder / "bodies")
    database = connect(url, folder / "bodies")
    yield database
    database.close()


@pytest.fixture
def monitor(archive, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def audited(monitor, archive, tmp_path):
    """Draws a tick and has somebody read it; gives what the import said."""

    def audit(due_at, wrong=0, by="ab", options=(), language="cs"):
        sheet = tmp_path / f"{due_at:%m%d}-{by}.csv"
        code, _, why = monitor(
            "audit", "draw", JOB, "--run", run_at(archive, due_at), "-o", sheet, *options
        )
        assert code == 0, why
        code, _, why = monitor("audit", "import", filled(sheet, wrong, language), "--by", by)
        assert code == 0, why
        return why

    return audit
