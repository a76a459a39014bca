"""Transactions that end in time: of pages, whose threads are few, and of processes that freeze.

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
#: The setting of PostgreSQL that ends a transaction whose process sends no statement, and after how
#: many milliseconds it ends one that writes: the process was stopped, or its machine has gone, and
#: others wait for the rows that it has locked. What we compute between two takes seconds: the most,
#: deciding 120 series over three years, two.
SILENT = "idle_in_transaction_session_timeout"
SILENT_MS = 60_000
#: Steps of SQLite's machine between two looks at the clock: less than a thousandth of a second.
_STEPS = 10_000
_MS = 1_000


def writing(seconds: float) -> Begin:
    """Begin a transaction that writes, and waits so long for others who hold what is needed."""
    return partial(_writing, seconds=seconds)


def reading(seconds: float) -> Begin:
    """Begins what reads so long: each statement in PostgreSQL, all of them in SQLite."""
    return partial(_reading, seconds=seconds) if seconds else sa.Connection.begin


@contextmanager
def _writing(connection: sa.Connection, seconds: float) -> Iterator[None]:
    if connection.dialect.name != "sqlite":
        with connection.begin():
            connection.exec_driver_sql(f"SET LOCAL {SILENT} = {SILENT_MS}")
            if seconds:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(seconds * _MS)}")
            yield
    elif seconds:
        plain = _driver(connection)
        plain.execute(f"PRAGMA busy_timeout = {int(seconds * _MS)}")
        try:
            with connection.begin():
                yield
        finally:
            plain.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
    else:
        with connection.begin():
            yield


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
