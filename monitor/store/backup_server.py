"""What PostgreSQL's own programs are told so that they copy a database, or put a copy back.

In goes an open database or a URL, out come words for these programs and what a manifest says.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from psycopg.conninfo import make_conninfo
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from monitor import __version__
from monitor.model import InvalidInput, StoreProblem
from monitor.store.backup import counted, revision_of
from monitor.store.backup_files import Manifest
from monitor.store.database import SECRETS, Database
from monitor.store.schema import PEOPLE

DUMP = "database.dump"
#: Schemas that are ours; of the last only the tables, as what waits is planned anew.
SCHEMAS = ("public", PEOPLE, "procrastinate")
WITHOUT_ROWS = "procrastinate.*"


@dataclass(frozen=True, slots=True)
class Where:
    """How PostgreSQL's own programs reach a database. The password is never on a command line."""

    conninfo: str
    password: str
    place: str


def where(database: Database) -> Where:
    """How to reach a database on a server.

    Raises InvalidInput where its URL has secrets that can be handed over on a command line only.
    """
    _, found = database.writer.dialect.create_connect_args(database.writer.url)
    password = str(found.pop("password", "") or "")
    found.pop("context", None)
    if secret := next((name for name in SECRETS if name in found), ""):
        raise InvalidInput(
            f"{database.place}: {secret} can be handed to PostgreSQL's programs on a command line "
            "only, where everybody on this machine can read it; name a way in without it"
        )
    return Where(make_conninfo(**found), password, database.place)


def refuse_password(url: str) -> None:
    """Raise InvalidInput where a URL that stands on a command line has a password."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise InvalidInput("--into: is no URL of a database") from None
    if parsed.password or any(name in parsed.query for name in SECRETS):
        raise InvalidInput(
            "--into: a password on a command line can be read by everybody on this machine; put "
            "it into ~/.pgpass or PGPASSWORD, or the whole URL into MONITOR_DATABASE_URL"
        )


@contextmanager
def snapshot(database: Database, now: datetime) -> Iterator[tuple[str, Manifest]]:
    """(name of a snapshot for PostgreSQL's own programs, what is in it), while it lasts."""
    revision = revision_of(database)
    with database.read() as connection:
        name = str(connection.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one())
        counts = counted(connection)
        yield name, Manifest("postgresql", __version__, revision, now.isoformat(), counts, {})


def require_empty(database: Database) -> None:
    """Raise StoreProblem unless a database on a server has nothing in it."""
    query = """
        SELECT COUNT(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
          AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    """
    with database.read() as connection:
        n = int(connection.execute(sa.text(query)).scalar_one())
    if n:
        raise StoreProblem(
            f"{database.place}: is not empty ({n} tables and views); restore into a new database"
        )
