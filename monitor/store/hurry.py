"""Transactions that may neither wait nor read for long: of pages, whose threads are few.

In go seconds, out comes what begins a transaction that ends in time; without seconds it takes as
long as it takes. What takes longer is ended by the database itself, with an error of its driver.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from time import monotonic
from typing import Any, TypeAlias

import sqlalchemy as sa

Begin: TypeAlias = Callable[[sa.Connection], AbstractContextManager[object]]

#: Milliseconds that SQLite waits for another writer if nothing else is said.
WAIT_MS = 30_000
#: Steps of SQLite's machine between two looks at the clock: less than a thousandth of a second.
_STEPS = 10_000
_MS = 1_000


def waiting(seconds: float) -> Begin:
    """Begins what waits so long for others who hold what is needed."""
    return partial(_waiting, seconds=seconds) if seconds else sa.Connection.begin


def reading(seconds: float) -> Begin:
    """Begins what reads so long: each statement in PostgreSQL, all of them in SQLite."""
    return partial(_reading, seconds=seconds) if seconds else sa.Connection.begin


@contextmanager
def _waiting(connection: sa.Connection, seconds: float) -> Iterator[None]:
    if connection.dialect.name != "sqlite":
        with connection.begin():
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(seconds * _MS)}")
            yield
        return
    plain = _driver(connection)
    plain.execute(f"PRAGMA busy_timeout = {int(seconds * _MS)}")
    try:
        with connection.begin():
            yield
    finally:
        plain.execute(f"PRAGMA busy_timeout = {WAIT_MS}")


@contextmanager
def _reading(connection: sa.Connection, seconds: float) -> Iterator[None]:
    with connection.begin():
        if connection.dialect.name != "sqlite":
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * _MS)}")
            yield
            return
        plain, until = _driver(connection), monotonic() + seconds
        plain.set_progress_handler(lambda: monotonic() > until, _STEPS)
        try:
            yield
        finally:
            plain.set_progress_handler(None, 0)


def _driver(connection: sa.Connection) -> Any:  # noqa: ANN401 - a sqlite3.Connection
    return connection.connection.driver_connection
