"""Open the database: SQLite with safe settings, or PostgreSQL through psycopg 3.

SQLite has two engines to one file: the writer begins every transaction with BEGIN IMMEDIATE,
because the default loses updates between processes; readers begin plainly and never block it.

Transactions can have a limit in seconds, after which the database itself ends them with an error of
its driver. Without a limit they take as long as they take.
"""

import logging
import math
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import methodcaller
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, Self, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from monitor.model import StoreBusy, StoreFull, StoreGone, StoreProblem, StoreSlow, canonical_json

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


@contextmanager
def _limit_writing(connection: sa.Connection, seconds: float) -> Iterator[None]:
    if connection.dialect.name != "sqlite":
        with connection.begin():
            connection.exec_driver_sql(f"SET LOCAL {SILENT} = {SILENT_MS}")
            if seconds:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(seconds * _MS)}")
            yield
    elif seconds:
        plain = _driver_connection(connection)
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
def _limit_reading(connection: sa.Connection, seconds: float) -> Iterator[None]:
    with connection.begin():
        if connection.dialect.name != "sqlite":
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * _MS)}")
            yield
            return
        plain, until = _driver_connection(connection), monotonic() + seconds
        plain.set_progress_handler(lambda: monotonic() > until, _STEPS)
        try:
            yield
        finally:
            plain.set_progress_handler(None, 0)


def _driver_connection(connection: sa.Connection) -> Any:  # noqa: ANN401 - a sqlite3.Connection
    return connection.connection.driver_connection


#: An open transaction, for those who are handed one and know no SQL.
Connection: TypeAlias = sa.Connection

log = logging.getLogger(__name__)

_WRITABLE = "check that it can be written"
#: Words of the drivers for faults of a folder, disk or server, and what to do.
_REMEDIES = {
    "disk is full": "make room; nothing that was stored is lost",
    "No space left": "make room; nothing that was stored is lost",
    "unable to open": _WRITABLE,
    "readonly": _WRITABLE,
    "read-only": _WRITABLE,
    "disk I/O": _WRITABLE,
    "not a database": "name another file, or restore a backup",
    "malformed": "restore a backup",
    "locked": "another process holds it; try again when that has ended",
    "lock timeout": "another process holds it; try again when that has ended",
    "idle-in-transaction": "this process was stopped for too long; try again",
    "deadlock": "try again",
    "could not serialize": "try again",
    "interrupted": "ask for less",
    "statement timeout": "ask for less",
    "connect": "check that the server runs and MONITOR_DATABASE_URL is right",
    "resolve host": "check that the server runs and MONITOR_DATABASE_URL is right",
}
#: Words of the driver for a server that was not reached, which it gives no code.
_UNREACHED = ("connect", "resolve host")
_FULL = ("disk is full", "No space left")
_SLOW = ("interrupted", "statement timeout")
#: SQLSTATE classes and codes of a server that is away for a while: connection faults, shutting
#: down, starting up, too many clients; it ended the transaction of a process that was frozen.
_AWAY = ("08", "57P01", "57P02", "57P03", "53300", "25P03")
#: A deadlock, a state that another changed meanwhile, a lock that was not to be had. The
#: transaction was rolled back; the same may be tried again.
_BUSY = ("40P01", "40001", "55P03")
_LOCKED = ("database is locked", "database table is locked", "database schema is locked")
#: What stands in the query of a URL and is neither shown nor put on a command line.
SECRETS = ("password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret")
_HIDDEN = (*SECRETS, "passfile")
#: More than the pool keeps: many tasks at once have one each for a moment.
_MOST_CONNECTIONS = 60
#: A server that is cut off from us is noticed within about a minute, not when TCP gives up.
_NOTICED = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,  # milliseconds
}
#: Between two tries to reach a server.
_BETWEEN_TRIES = 0.5


@cache
def _adapt_numpy() -> None:
    """Let sqlite3 take numpy's numbers, which it would store as eight-byte blobs, silently."""
    import numpy as np  # noqa: PLC0415 - a command that computes nothing does without

    for kind in (np.int64, np.int32, np.float32, np.bool_):
        sqlite3.register_adapter(kind, methodcaller("item"))


#: When this process last noticed that a server was away.
_away = SimpleNamespace(noticed_at=-math.inf)


def since_away() -> float:
    """Return seconds since a server was last noticed to be away; infinite if never."""
    return float(monotonic() - _away.noticed_at)


@dataclass(frozen=True, slots=True)
class Database:
    """A writer and a reader to one database. `bodies` is the folder of large answers.

    `patience` is for how many seconds a server that has gone is waited for before a transaction
    begins; a command gives up at once, what runs for years does not. `wait` is for how many seconds
    others are waited for that hold what is to be written, `longest` how many reading may take; 0 is
    what the database does by itself, and as long as it takes. `fence` is called at the beginning of
    every write transaction, and raises where this process may not write any more.
    """

    writer: sa.Engine
    reader: sa.Engine
    bodies: Path
    patience: float = 0.0
    wait: float = 0.0
    longest: float = 0.0
    fence: Callable[[Connection], None] | None = None

    @contextmanager
    def begin(self, wait: float = 0.0) -> Iterator[sa.Connection]:
        """One write transaction: commits at the end, rolls back on any exception.

        Raises StoreProblem: StoreGone where the server is away, StoreFull where no room is left,
        StoreBusy where others hold what is needed, for longer than `wait` if that is given. Raises
        what the fence raises.
        """
        begin = partial(_limit_writing, seconds=wait or self.wait)
        with self._transaction(self.writer, begin) as connection:
            if self.fence:
                self.fence(connection)
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One consistent read. Raises StoreProblem: StoreSlow where it takes too long."""
        begin: Begin = sa.Connection.begin
        if self.longest:  # of each statement in PostgreSQL, of all of them in SQLite
            begin = partial(_limit_reading, seconds=self.longest)
        with self._transaction(self.reader, begin) as connection:
            yield connection

    @contextmanager
    def _transaction(self, engine: sa.Engine, begin: Begin) -> Iterator[sa.Connection]:
        connection = self._reached(engine)
        try:
            with _named_problems(engine.url), begin(connection):
                yield connection
        finally:
            connection.close()

    def _reached(self, engine: sa.Engine) -> sa.Connection:
        until = monotonic() + self.patience
        while True:
            try:
                with _named_problems(engine.url):
                    return engine.connect()
            except StoreGone as error:
                if monotonic() >= until:
                    raise
                log.warning("the database is away, waiting: %s", error)
                _away.noticed_at = monotonic()
                sleep(_BETWEEN_TRIES)

    def fenced(self, fence: Callable[[Connection], None] | None) -> Self:
        """Return the same database with another fence, or with none."""
        return replace(self, fence=fence)

    def close(self) -> None:
        """Give all connections back."""
        self.writer.dispose()
        self.reader.dispose()

    @property
    def place(self) -> str:
        """Return where the database is, for people: a path, or a URL without its password."""
        return _describe_url(self.writer.url)

    @property
    def is_there(self) -> bool:
        """False where the file of a SQLite database does not exist yet."""
        name = self.writer.url.database
        return not self.keeps_files or name in (None, "", ":memory:") or Path(str(name)).exists()

    @property
    def keeps_files(self) -> bool:
        """Large bodies are files beside a SQLite database, rows in PostgreSQL."""
        return self.writer.dialect.name == "sqlite"


def _describe_url(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    public_url = url.difference_update_query(_HIDDEN)
    return public_url.render_as_string(hide_password=True)


@contextmanager
def _named_problems(url: URL) -> Iterator[None]:
    """Turn the driver's words for a fault into one sentence."""
    try:
        yield
    except DBAPIError as error:
        words = (str(error.orig).strip() or type(error.orig).__name__).splitlines()[0]
        remedy = next((text for fault, text in _REMEDIES.items() if fault in words), "")
        problem = _make_problem(error, words)
        if problem is StoreProblem and not remedy:
            raise
        remedy = remedy or "it may come back by itself"
        raise problem(f"{_describe_url(url)}: {words}; {remedy}") from error
    except NoFreeConnection as error:
        words = "all connections of this process are in use"
        raise StoreBusy(f"{_describe_url(url)}: {words}; it may come back by itself") from error


def _make_problem(error: DBAPIError, words: str) -> type[StoreProblem]:
    """Return the problem that fits an error: server away, disk full, locked, or another."""
    if any(fault in words for fault in _FULL):
        return StoreFull
    if any(fault in words for fault in _SLOW):
        return StoreSlow
    state = getattr(error.orig, "sqlstate", None)
    if state in _BUSY or any(fault in words for fault in _LOCKED):
        return StoreBusy
    away = state is not None and str(state).startswith(_AWAY)
    lost = error.connection_invalidated or (
        state is None and any(fault in words for fault in _UNREACHED)
    )
    return StoreGone if away or lost else StoreProblem


def people_file(url: URL) -> str:
    """Return the file of the tables about people, `monitor-people.db` beside the database.

    It is made here if need be, readable by its owner only.
    """
    name = url.database
    if name in (None, "", ":memory:"):
        return ":memory:"
    path = Path(str(name))
    people_path = path.with_name(f"{path.stem}-people{path.suffix}")
    if not people_path.exists():
        with suppress(OSError):
            people_path.touch(mode=0o600)
    return str(people_path)


def _sqlite_engine(url: URL, begin: str) -> sa.Engine:
    engine = sa.create_engine(url, json_serializer=canonical_json)

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - a sqlite3.Connection
        connection.isolation_level = None  # transactions are begun below, not by the driver
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("ATTACH DATABASE ? AS people", (people_file(url),))
        if begin == "BEGIN IMMEDIATE":
            for file in ("main", "people"):
                cursor.execute(f"PRAGMA {file}.journal_mode = WAL")
                cursor.execute(f"PRAGMA {file}.synchronous = FULL")
        cursor.close()

    @sa.event.listens_for(engine, "before_cursor_execute")
    def _adapt(*_statement: object) -> None:
        if "numpy" in sys.modules:  # else no number can be one of its own
            _adapt_numpy()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _prefer_indexes(connection: Any, _record: object) -> None:  # noqa: ANN401 - a psycopg connection
    """Let SQLite prefer indexes: most queries are about one of many runs.

    With the cost of a page that the server assumes, that of a turning disk, some of it would be
    looked for in whole tables: the ends of a run's questions in 0.7 s among 2 million, not 0.02 s.
    Nor is a query compiled anew each time that it is asked, which takes longer than most take.
    """
    connection.execute("SET random_page_cost = 1.1; SET jit = off")
    connection.commit()  # else the next rollback takes it back


def connect(url: str, bodies: Path) -> Database:
    """Open `url`, whose schema must be there already. Raises StoreProblem.

    See `migrations`.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return Database(
                _sqlite_engine(parsed, "BEGIN IMMEDIATE"), _sqlite_engine(parsed, "BEGIN"), bodies
            )
        if parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
            engine = sa.create_engine(
                parsed,
                json_serializer=canonical_json,
                isolation_level="READ COMMITTED",
                pool_pre_ping=True,  # a server that was away has closed what the pool holds
                max_overflow=_MOST_CONNECTIONS,
                connect_args={name: v for name, v in _NOTICED.items() if name not in parsed.query},
            )
            sa.event.listen(engine, "connect", _prefer_indexes)
            reader = engine.execution_options(isolation_level="REPEATABLE READ")
            return Database(engine, reader, bodies)
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreProblem(f"MONITOR_DATABASE_URL: {error}") from error
    raise StoreProblem(f"MONITOR_DATABASE_URL: {parsed.drivername!r}: use sqlite or postgresql")
