"""The web pages without a network: an archive of one's own, and clients who are somebody.

`make_client(role)` gives a client that has logged in; its `mark` is that of our forms. `clock` is
what the pages take for the time, and can be moved.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from monitor.roles import Role
from monitor.store.access import users
from monitor.store.database import connect
from monitor.store.schema import PEOPLE, metadata
from monitor.web.connections import Reply
from monitor.web.site.app import build_application
from monitor.web.site.site_state import Access, EntryRule, Site, get_cookie_name
from monitor.web.site.visitors import make_session_mark
from tests.conftest import copy_sqlite
from tests.demo import WEEKS, made_once, numbered, on_postgres

PASSWORD = "a long enough password"
HOSTS = frozenset({"localhost", "127.0.0.1"})
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@dataclass
class Clock:
    """What the pages take for the time: some hours after the newest tick of the archive."""

    at: datetime = WEEKS[-1] + timedelta(hours=6)

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite"])
def dialect(request):
    """One database, but for tests that are marked with `tests.web.site.routes.ON_BOTH`.

    Each page's numbers, and every address, are seen on both; the rest is not about SQL.
    """
    return request.param


# --- archives -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def archive_folder(sqlite_template, tmp_path_factory):
    """The folder of the archive (tests/demo.py); nobody may write into it."""
    return made_once(sqlite_template, tmp_path_factory)


@pytest.fixture(scope="session")
def archive_on_postgres(archive_folder, postgres_server, postgres_template):
    """Name of a PostgreSQL database with the same rows, which tests are given copies of."""
    name = postgres_server.create(on_postgres(archive_folder, postgres_server, postgres_template))
    source = connect(f"sqlite:///{archive_folder / 'monitor.db'}", archive_folder / "bodies")
    target = connect(postgres_server.url(name), archive_folder / "bodies")
    try:
        _copy_people(source, target)
    finally:
        source.close()
        target.close()
    return name


def _copy_people(source, target):
    """What `on_postgres` leaves out."""
    with source.read() as reading, target.begin() as writing:
        for table in metadata.sorted_tables:
            if table.schema == PEOPLE:
                found = [dict(row) for row in reading.execute(table.select()).mappings()]
                if found:
                    writing.execute(table.insert(), found)
        numbered(writing)


@pytest.fixture(scope="session")
def poisoned(archive_folder, tmp_path_factory):
    """Makes sites of the archive with attacks in all of it; nobody may write into it."""
    from tests import test_corpus_run
    from tests.web.site.hostile import poison

    home = tmp_path_factory.mktemp("hostile")
    copy_sqlite(archive_folder / "monitor.db", home / "monitor.db")
    database = connect(f"sqlite:///{home / 'monitor.db'}", archive_folder / "bodies")
    # the newest table of professions leads to the texts
    test_corpus_run.add_to(database, home / "texts", WEEKS[-1] + timedelta(hours=1))
    poison(database, home)
    yield lambda entry: Site(database, ZoneInfo("UTC"), Access(entry, HOSTS), Clock(), home)
    database.close()


@pytest.fixture
def archive(request, dialect, archive_folder, tmp_path):
    """An open copy of the archive of this test's own, on either database."""
    if dialect == "sqlite":
        yield from _sqlite(archive_folder, tmp_path)
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("archive_on_postgres"))
    yield from _opened(server.url(name), archive_folder)
    server.drop(name)


@pytest.fixture
def sqlite_archive(archive_folder, tmp_path):
    """The same on SQLite only, for what does not concern SQL."""
    yield from _sqlite(archive_folder, tmp_path)


def _sqlite(folder, home):
    copy_sqlite(folder / "monitor.db", home / "monitor.db")
    yield from _opened(f"sqlite:///{home / 'monitor.db'}", folder)


def _opened(url, folder):
    database = connect(url, folder / "bodies")
    yield database
    database.close()


# --- clients --------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def stored_password():
    """A hash of PASSWORD that takes no time to check, as one for people does on purpose."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


@pytest.fixture
def make_site(clock):
    """Makes the site of a database."""

    def make(database, entry=EntryRule.LOGIN, *, hosts=HOSTS, home=Path(), **access):
        return Site(database, ZoneInfo("UTC"), Access(entry, hosts, **access), clock, home)

    return make


@pytest.fixture
def make_user(stored_password, clock):
    """Adds a user (or finds them) and returns them; their password is PASSWORD."""

    def make(database, name, *roles):
        with database.begin() as connection:
            if users.find_user(connection, name) is None:
                users.add_user(connection, name, roles, stored_password, clock())
            return users.get_user(connection, name)

    return make


@pytest.fixture
def make_client(make_site, make_user, request):
    """Makes a client of a database's pages: nobody in particular, or with a role and logged in.

    `make_client(database, role, entry=Entry.PUBLIC)`; `role` is a Role, several of them, or None;
    `name` is the user's, that of the role if it is not given. The client does not follow
    redirects, has `mark` for forms (`data={"mark": client.mark}`), and sends what browsers send
    with a form of ours.
    """

    def make(database, role=None, *, entry=EntryRule.LOGIN, name="", raises=True, **access):
        client = client_of(make_site(database, entry, **access), raises=raises)
        request.addfinalizer(client.close)
        if role is not None:
            roles = [role] if isinstance(role, Role) else list(role)
            log_in(client, make_user(database, name or "-".join(roles), *roles))
        return client

    return make


def client_of(site, *, raises=True):
    """A client of a site, nobody in particular."""
    client = TestClient(
        build_application(site, {"/readyz": _said, "/metrics": _said}, _said),
        base_url=f"{'https' if site.access.is_secure else 'http'}://localhost",
        headers=SAME_ORIGIN,
        follow_redirects=False,
        raise_server_exceptions=raises,
        client=("127.0.0.1", 50_000),
    )
    client.site, client.mark = site, ""
    return client


def _said(_accept):
    return Reply(b"fine\n")


def log_in(client, user):
    """Give a client a session of a user, as a login does."""
    site = client.site
    with site.database.begin() as connection:
        secret = users.open_session(connection, user, site.now())
    client.cookies.set(get_cookie_name(site), secret)
    client.mark = make_session_mark(secret)
