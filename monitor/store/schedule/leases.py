"""Process names, leases with a growing token, and the lead of a database."""

import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from pathlib import Path
from platform import node

import sqlalchemy as sa

from monitor.model import StoreGone
from monitor.store import rows
from monitor.store.database import Database, since_away
from monitor.store.schema import leases

log = logging.getLogger(__name__)

_PROC = Path("/proc")
_ENOUGH = 13  # characters of a random name


@cache
def _read_machine_name() -> str:
    """Return the machine since its start, or the container, whose process numbers differ.

    Machines may share a name, and the first name space of all has the same number everywhere.
    """
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        space = (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        return node()
    return f"{node()}/{boot[:_ENOUGH]}/{space}"


def _read_start_time(process: int) -> str:
    """Return the start of a process in ticks of the machine; empty where it is gone."""
    try:
        fields = (_PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


@cache
def _format_process(process: int) -> str:
    return f"{_read_machine_name()}:{process}:{_read_start_time(process)}"


def this_process() -> str:
    """Return the name of this process, `machine:process:start time`."""
    return _format_process(os.getpid())


def is_at_work(name: str) -> bool | None:
    """Return whether a process is there; None where nobody here can say, as of another machine."""
    machine, number, began = ("", "", *name.split(":"))[-3:]
    if machine != _read_machine_name() or not _read_start_time(os.getpid()):
        return None
    if not (number.isdigit() and began):
        return False
    start = _read_start_time(int(number))
    return start == began if start else _check_hidden(int(number))


def _check_hidden(process: int) -> bool | None:
    """Return False for no process with this number, None where that is unknown."""
    if (_PROC / str(process)).exists():
        return False  # a zombie
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return None


@dataclass(frozen=True, slots=True)
class Lease:
    """A name that was taken. `next_at` and `failures` are what the holder before left behind."""

    name: str
    token: int
    holder: str
    next_at: datetime | None = None
    failures: int = 0


def read_clock(connection: sa.Connection) -> datetime:
    """Return the time for leases: of the server where there is one."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    moment: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    return moment.astimezone(UTC)


def take_lease(connection: sa.Connection, name: str, holder: str, seconds: float) -> Lease | None:
    """Take a name for so long; None while another holds it and has not let it run out.

    What a process of this machine held that is no longer there is free at once.
    """
    now = read_clock(connection)
    free = {"name": name, "token": 0, "holder": "", "until": now}
    rows.insert_ignore(connection, leases, [free])
    lease_query = sa.select(leases).where(leases.c.name == name).with_for_update()
    row = connection.execute(lease_query).one_or_none()
    if row is None:  # swept away between the two; the next try finds it
        return None
    # While the server was away nobody could renew: who holds answers goes before who has none.
    is_kept = row.until > now or since_away() < seconds
    if row.holder and is_kept and is_at_work(row.holder) is not False:
        return None
    taken = Lease(name, row.token + 1, holder, row.next_at, row.failures)
    change = sa.update(leases).where(leases.c.name == name)
    until = now + timedelta(seconds=seconds)
    connection.execute(change.values(token=taken.token, holder=holder, until=until))
    return taken


def renew_leases(connection: sa.Connection, held: Sequence[Lease], seconds: float) -> set[str]:
    """Hold these names for so long from now. Returns the names that were given to others."""
    until = read_clock(connection) + timedelta(seconds=seconds)
    gone = set()
    for lease in sorted(held, key=attrgetter("name")):  # always in one order: no deadlock
        change = sa.update(leases).where(_is_ours(lease)).values(until=until)
        if not connection.execute(change).rowcount:
            gone.add(lease.name)
    return gone


def note_rest(connection: sa.Connection, lease: Lease, rest: float, failures: int) -> None:
    """Write down what its next holder has to know, whatever becomes of this one."""
    next_at = read_clock(connection) + timedelta(seconds=rest)
    change = sa.update(leases).where(_is_ours(lease))
    connection.execute(change.values(next_at=next_at, failures=failures))


def release_lease(connection: sa.Connection, lease: Lease) -> None:
    """Give a name back."""
    now = read_clock(connection)
    connection.execute(sa.update(leases).where(_is_ours(lease)).values(holder="", until=now))


def find_lost(connection: sa.Connection, held: Sequence[Lease]) -> set[str]:
    """Return lost names; the others stay ours until this transaction ends."""
    names = {"wanted": [lease.name for lease in held]}
    now = {row.name: (row.token, row.holder) for row in connection.execute(_HELD, names)}
    return {lease.name for lease in held if now.get(lease.name) != (lease.token, lease.holder)}


_HELD = (
    sa.select(leases.c.name, leases.c.token, leases.c.holder)
    .where(leases.c.name.in_(sa.bindparam("wanted", expanding=True)))
    .order_by(leases.c.name)
    # holds off `take_lease`, and not the renewal of the same lease (PostgreSQL)
    .with_for_update(read=True, key_share=True)
)


def _is_ours(lease: Lease) -> sa.ColumnElement[bool]:
    return sa.and_(
        leases.c.name == lease.name, leases.c.token == lease.token, leases.c.holder == lease.holder
    )


def find_holder(connection: sa.Connection, name: str) -> str:
    """Return who holds a name now; empty if it could be taken."""
    now = read_clock(connection)
    row = connection.execute(sa.select(leases).where(leases.c.name == name)).one_or_none()
    if row is None or not row.holder or row.until <= now or is_at_work(row.holder) is False:
        return ""
    return str(row.holder)


#: Any number will do that no other program locks in the same database.
_KEY = 0x6D6F6E69746F72


class Lead:
    """The lead of a database. The server takes it away with the connection that it hangs on.

    SQLite has one machine, whose daemons are told apart by a lock on a file; there the lead is had
    for the asking.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: sa.Connection | None = None

    def held(self) -> bool:
        """Return whether this process leads now; it tries to, where nobody does.

        Raises StoreGone where the server is away: then nobody knows who leads.
        """
        if self._database.keeps_files:
            return True
        if self._connection is not None:
            try:
                self._connection.execute(sa.text("SELECT 1"))
            except sa.exc.DBAPIError as error:
                log.warning("the lead is lost: %s", error.orig)
                self.release()
            else:
                return True
        try:
            return self._take()
        except sa.exc.DBAPIError as error:
            raise StoreGone(f"{self._database.place}: {error.orig}") from error

    def _take(self) -> bool:
        connection = self._database.writer.connect()
        is_ours = False
        try:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            query = sa.text("SELECT pg_try_advisory_lock(:key)")
            is_ours = bool(connection.execute(query, {"key": _KEY}).scalar())
        finally:
            if not is_ours:
                connection.close()
        self._connection = connection if is_ours else None
        return is_ours

    def release(self) -> None:
        """Let another lead. The connection is closed, not given back: the lock hangs on it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sa.exc.SQLAlchemyError):
                connection.invalidate()
            with suppress(sa.exc.SQLAlchemyError):
                connection.close()
