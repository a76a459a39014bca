"""Read-only SQL queries by users, on SQLite and PostgreSQL.

SQLite is opened for reading alone, permits only SELECT, and does not attach the file about people.
PostgreSQL gets a read-only session of its own, and takes one statement at a time.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from monitor.model import InvalidInput
from monitor.store.database import Database
from monitor.store.schema import PEOPLE

Rows: TypeAlias = tuple[list[str], list[Sequence[Any]]]

_ALLOWED = {
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
}  # fmt: skip
_BUSY_SECONDS = 30.0
_READ_ONLY = "-c default_transaction_read_only=on"
#: Words of the drivers for a statement that would write.
_WRITING = ("not authorized", "read-only", "readonly", "prohibited")


def run_query(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    """Return (columns, rows) of one statement; `:name` stands for a value. Raises InvalidInput."""
    ask = _query_sqlite if database.keeps_files else _query_postgres
    try:
        return ask(database, sql, values)
    except (sqlite3.Error, sqlite3.Warning, psycopg.Error, SQLAlchemyError) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        message = (str(original).strip() or type(original).__name__).splitlines()[0]
        is_writing = any(words in message for words in _WRITING)
        hint = "; here a query can only read" if is_writing else ""
        raise InvalidInput(f"the query cannot be answered: {message}{hint}") from error


def _query_sqlite(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    path = Path(str(database.reader.url.database)).resolve()
    address = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_authorize_action)
        cursor = connection.execute(sql, {name: _bind_value(item) for name, item in values.items()})
        if cursor.description is None:
            raise InvalidInput("that is no query: write one SELECT")
        return [item[0] for item in cursor.description], cursor.fetchall()


def _bind_value(value: object) -> object:
    """Return a value as SQLite stores it: times as text in UTC."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise InvalidInput(f"naive time {value!r}; pass an aware one")
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _authorize_action(action: int, *_about: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _query_postgres(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    url = database.reader.url
    url_options = url.query.get("options", "")
    options = " ".join(
        [*([url_options] if isinstance(url_options, str) and url_options else []), _READ_ONLY]
    )
    engine = sa.create_engine(url, poolclass=NullPool, connect_args={"options": options})
    statement = str(sa.text(sql).compile(dialect=engine.dialect))
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        # only a query can be explained: neither COPY, which writes files, nor SET
        _execute_statement(cursor, f"EXPLAIN (VERBOSE, FORMAT JSON) {statement}", values)
        [[plan]] = cursor.fetchall()
        if PEOPLE in _find_schemas(plan):
            raise InvalidInput(f"what is known of single people ({PEOPLE}.*) is not for queries")
        _execute_statement(cursor, statement, values)
        return [item[0] for item in cursor.description or ()], list(cursor.fetchall())


def _execute_statement(cursor: Any, statement: str, values: Mapping[str, object]) -> None:  # noqa: ANN401
    """Execute a single statement; nothing can follow it that ends the session."""
    cursor.execute(statement, dict(values), prepare=True)


def _find_schemas(plan: Any) -> set[str]:  # noqa: ANN401 - JSON
    """Return every schema that a plan reads."""
    if isinstance(plan, dict):
        schemas = {plan["Schema"]} if "Schema" in plan else set()
        return schemas.union(*map(_find_schemas, plan.values()))
    return set().union(*map(_find_schemas, plan)) if isinstance(plan, list) else set()
