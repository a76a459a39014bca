"""Opens the database: SQLite with the hooks that make it safe, or PostgreSQL through psycopg 3.

Two engines to one SQLite file: the writer begins every transaction with BEGIN IMMEDIATE, because
the default loses updates between processes; readers begin plainly and never block it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from monitor.model import StoreProblem, canonical_json

#: An open transaction, for those who are handed one and know no SQL.
Connection: TypeAlias = sa.Connection

_BUSY_MS = 30_000
_WRITABLE = "check that it can be written"
#: Words of the drivers for faults of a folder, disk or server, and what to do.
_REMEDIES = {
    "unable to open": _WRITABLE,
    "readonly": _WRITABLE,
    "read-only": _WRITABLE,
    "disk is full": _WRITABLE,
    "disk I/O": _WRITABLE,
    "not a database": "name another file, or restore a backup",
    "malformed": "restore a backup",
    "locked": "another process holds it; try again when that has ended",
    "connect": "check that the server runs and MONITOR_DATABASE_URL is right",
}


def _plain_number(value: Any) -> float:  # noqa: ANN401 - a numpy scalar
    number: float = value.item()
    return number


# sqlite3 would store these as eight-byte blobs, silently.
for _numpy_type in (np.int64, np.int32, np.float32, np.bool_):
    sqlite3.register_adapter(_numpy_type, _plain_number)


@dataclass(frozen=True, slots=True)
class Database:
    """A writer and a reader to one database. `bodies` is the folder of large answers."""

    writer: sa.Engine
    reader: sa.Engine
    bodies: Path

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """One write transaction: commits at the end, rolls back on any exception."""
        with _named_problems(self.writer.url), self.writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One consistent read."""
        with _named_problems(self.reader.url), self.reader.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give all connections back."""
        self.writer.dispose()
        self.reader.dispose()

    @property
    def place(self) -> str:
        """Where the database is, for people: a path, or a URL without its password."""
        return _place(self.writer.url)

    @property
    def is_there(self) -> bool:
        """False where the file of a SQLite database does not exist yet."""
        name = self.writer.url.database
        return not self.keeps_files or name in (None, "", ":memory:") or Path(str(name)).exists()

    @property
    def keeps_files(self) -> bool:
        """Large bodies are files beside a SQLite database, rows in PostgreSQL."""
        return self.writer.dialect.name == "sqlite"


def _place(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.render_as_string(hide_password=True)


@contextmanager
def _named_problems(url: URL) -> Iterator[None]:
    """Turn the driver's words for a folder, disk or server fault into one sentence."""
    try:
        yield
    except DBAPIError as error:
        words = str(error.orig).strip().splitlines()[0]
        for fault, remedy in _REMEDIES.items():
            if fault in words:
                place = _place(url)
                raise StoreProblem(f"{place}: {words}; {remedy}") from error
        raise


def people_file(url: URL) -> str:
    """The file of what is known of people, beside that of the database: `monitor-people.db`.

    It is made here if need be, readable by its owner only.
    """
    name = url.database
    if name in (None, "", ":memory:"):
        return ":memory:"
    path = Path(str(name))
    beside = path.with_name(f"{path.stem}-people{path.suffix}")
    if not beside.exists():
        with suppress(OSError):
            beside.touch(mode=0o600)
    return str(beside)


def _sqlite_engine(url: URL, begin: str) -> sa.Engine:
    engine = sa.create_engine(url, json_serializer=canonical_json)

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - a sqlite3.Connection
        connection.isolation_level = None  # transactions are begun below, not by the driver
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("ATTACH DATABASE ? AS people", (people_file(url),))
        if begin == "BEGIN IMMEDIATE":
            for file in ("main", "people"):
                cursor.execute(f"PRAGMA {file}.journal_mode = WAL")
                cursor.execute(f"PRAGMA {file}.synchronous = FULL")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def connect(url: str, bodies: Path) -> Database:
    """Open `url`; the schema must be there already (see `migrate`). Raises StoreProblem."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return Database(
                _sqlite_engine(parsed, "BEGIN IMMEDIATE"), _sqlite_engine(parsed, "BEGIN"), bodies
            )
        if parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
            engine = sa.create_engine(
                parsed, json_serializer=canonical_json, isolation_level="READ COMMITTED"
            )
            reader = engine.execution_options(isolation_level="REPEATABLE READ")
            return Database(engine, reader, bodies)
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreProblem(f"MONITOR_DATABASE_URL: {error}") from error
    raise StoreProblem(f"MONITOR_DATABASE_URL: {parsed.drivername!r}: use sqlite or postgresql")
