"""The PostgreSQL schema of the workers' queue: created, and upgraded.

Its tables are those of the library Procrastinate, whose statements are passed in. They have a
schema of their own, so that neither our migrations nor an export meets them. Its version is the
comment of the schema.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from monitor.model import StoreProblem
from monitor.store.database import Connection, Database

SCHEMA = "procrastinate"
#: Number of the lock under which one process at a time makes or upgrades it.
_LOCK = 5_717_350_202
_MARK = "monitor, tables of procrastinate at "


@dataclass(frozen=True, slots=True)
class QueueStatements:
    """Statements that create the tables, and {step: statements that lead to it}, in order."""

    whole: str
    steps: Mapping[str, str]

    @property
    def newest(self) -> str:
        """Return the step that `whole` has come to."""
        return list(self.steps)[-1]


def _read_version(connection: Connection) -> str | None:
    """Return the version of the tables; None where there are none."""
    query = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = :name"
    row = connection.execute(sa.text(query), {"name": SCHEMA}).one_or_none()
    if row is None:
        return None
    return str(row[0] or "").removeprefix(_MARK)


def ensure_schema(database: Database, statements: QueueStatements) -> None:
    """Make the tables, or bring them to these statements' version; alone, in one transaction.

    Raises StoreProblem where they are of a newer version, or may not be made.
    """
    try:
        with database.begin() as connection:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            _upgrade_schema(connection, database, statements)
    except DBAPIError as error:
        words = str(error.orig).splitlines()[0]
        raise StoreProblem(
            f"{database.place}: the schema {SCHEMA} cannot be made: {words}"
        ) from error


def _upgrade_schema(
    connection: Connection, database: Database, statements: QueueStatements
) -> None:
    now = _read_version(connection)
    if now is None:
        connection.execute(sa.text(f"CREATE SCHEMA {SCHEMA}"))
        missing = [statements.whole]
    elif now in statements.steps:
        missing = [text for step, text in statements.steps.items() if step > now]
    else:
        raise _make_unknown_version(database, now)
    if not missing:
        return
    connection.execute(sa.text(f"SET LOCAL search_path TO {SCHEMA}"))
    for text in missing:
        connection.exec_driver_sql(text, execution_options={"no_parameters": True})
    connection.execute(sa.text(f"COMMENT ON SCHEMA {SCHEMA} IS '{_MARK}{statements.newest}'"))


def check_schema(database: Database, statements: QueueStatements) -> None:
    """Raise StoreProblem unless the tables are there, in exactly this version."""
    with database.read() as connection:
        now = _read_version(connection)
    if now == statements.newest:
        return
    if now is None or now in statements.steps:
        state = "has no tables for workers yet" if now is None else "has tables of an older version"
        raise StoreProblem(f"{database.place}: {state}; run `monitor db upgrade`")
    raise _make_unknown_version(database, now)


def _make_unknown_version(database: Database, now: str) -> StoreProblem:
    origin = f"of another version of procrastinate ({now})" if now else "not made by this program"
    return StoreProblem(
        f"{database.place}: the schema {SCHEMA} is {origin}; install the version that made it, or "
        f"stop all workers, drop the schema and run `monitor db upgrade`: nothing is lost by that"
    )


@contextmanager
def enter_schema(database: Database) -> Iterator[Any]:
    """One transaction in that schema: the driver's own connection."""
    with database.begin() as connection:
        connection.execute(sa.text(f"SET LOCAL search_path TO {SCHEMA}"))
        yield connection.connection.driver_connection
