"""Every statement that series and reports send to a database, timed alone.

In go functions that read, out come the statements that they sent with the place in the program and
the shortest time of each of three, all its rows fetched, and its processor time, here and in the
server, which works on it in one process: other work on the machine makes mainly the first longer.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

_ROUNDS = 3
#: Rows at a time; of a list of all of them the collector would take the most time.
_AT_ONCE = 1_000
_STORE = "monitor.store."


class Sent(NamedTuple):
    """One statement as the driver got it; `place` is the function of the store that sent it."""

    place: str
    statement: str
    values: Any


@dataclass(frozen=True)
class Timed:
    """How long a statement takes, also of processor time, and how many rows it gives."""

    place: str
    seconds: float
    busy: float
    rows: int


def _place() -> str:
    """The innermost public function of the store on the stack."""
    frame = sys._getframe(1)  # noqa: SLF001 - what logging does as well
    first = ""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(_STORE) and not module.endswith((".rows", ".database")):
            name = f"{module.removeprefix(_STORE)}.{frame.f_code.co_name}"
            first = first or name
            if not frame.f_code.co_name.startswith(("_", "<", "read_rows", "read_plain_rows")):
                return name
        frame = frame.f_back
    return first or "?"


@contextmanager
def listening(engine: sa.Engine) -> Iterator[list[Sent]]:
    """What is sent to a database until the block ends."""
    sent: list[Sent] = []

    def hear(_connection, _cursor, statement, values, _context, _many) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            sent.append(Sent(_place(), statement, values))

    sa.event.listen(engine, "before_cursor_execute", hear)
    try:
        yield sent
    finally:
        sa.event.remove(engine, "before_cursor_execute", hear)


def timed(database, read: Callable[[sa.Connection], object]) -> list[Timed]:
    """The slowest statement of each place in what a function reads, the slowest first."""
    with listening(database.reader) as sent, database.read() as connection:
        read(connection)
    found: dict[str, Timed] = {}
    different = {(one.place, one.statement, repr(one.values)): one for one in sent}
    with database.read() as connection:
        pid = _server(connection)
        if pid is not None:  # the work of others, which it may call for help, is not seen from here
            connection.exec_driver_sql("SET max_parallel_workers_per_gather = 0")
        for place, statement, values in different.values():
            times, busy, rows = [], [], 0
            for _ in range(_ROUNDS):
                started, before = time.perf_counter(), _busy(pid)
                found_rows = connection.exec_driver_sql(statement, values).partitions(_AT_ONCE)
                rows = sum(len(some) for some in found_rows)
                times.append(time.perf_counter() - started)
                busy.append(_busy(pid) - before)
            one = Timed(place, min(times), min(busy), rows)
            if place not in found or found[place].busy < one.busy:
                found[place] = one
    return sorted(found.values(), key=lambda one: -one.busy)


def _server(connection: sa.Connection) -> Path | None:
    """What Linux says of the server's process of a connection; None where it is not here."""
    if connection.dialect.name != "postgresql":
        return None
    number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
    said = Path(f"/proc/{number}/schedstat")
    return said if said.exists() else None


def _busy(server: Path | None) -> float:
    """Seconds of processor time of this process and of the server's."""
    there = int(server.read_text().split()[0]) / 1e9 if server else 0.0
    return time.process_time() + there
