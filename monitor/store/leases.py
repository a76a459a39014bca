"""Who alone may do something now: an engine's lane, or the derivation of a run.

A lease has a token that grows with every taking. Who stores something in its name checks the token
in the same transaction (`lost`), so that a process that was frozen, and comes back after its lease
was given to another, stores nothing (a fencing token).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from monitor.store import rows
from monitor.store.database import since_away
from monitor.store.holders import at_work
from monitor.store.schema import leases


@dataclass(frozen=True, slots=True)
class Lease:
    """A name that was taken. `next_at` and `failures` are what the holder before left behind."""

    name: str
    token: int
    holder: str
    next_at: datetime | None = None
    failures: int = 0


def clock(connection: sa.Connection) -> datetime:
    """The time that leases go by: of the server where there is one, because machines differ."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    moment: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    return moment.astimezone(UTC)


def take(connection: sa.Connection, name: str, holder: str, seconds: float) -> Lease | None:
    """Take a name for so long; None while another holds it and has not let it run out.

    What a process of this machine held that is no longer there is free at once.
    """
    now = clock(connection)
    free = {"name": name, "token": 0, "holder": "", "until": now}
    rows.insert_ignore(connection, leases, [free])
    here = sa.select(leases).where(leases.c.name == name).with_for_update()
    row = connection.execute(here).one_or_none()
    if row is None:  # swept away between the two; the next try finds it
        return None
    # While the server was away nobody could renew: who holds answers goes before who has none.
    is_kept = row.until > now or since_away() < seconds
    if row.holder and is_kept and at_work(row.holder) is not False:
        return None
    taken = Lease(name, row.token + 1, holder, row.next_at, row.failures)
    change = sa.update(leases).where(leases.c.name == name)
    until = now + timedelta(seconds=seconds)
    connection.execute(change.values(token=taken.token, holder=holder, until=until))
    return taken


def renew(connection: sa.Connection, held: Sequence[Lease], seconds: float) -> set[str]:
    """Hold these names for so long from now. Returns the names that were given to others."""
    until = clock(connection) + timedelta(seconds=seconds)
    gone = set()
    for lease in sorted(held, key=lambda one: one.name):  # always in one order: no deadlock
        change = sa.update(leases).where(_ours(lease)).values(until=until)
        if not connection.execute(change).rowcount:
            gone.add(lease.name)
    return gone


def note(connection: sa.Connection, lease: Lease, rest: float, failures: int) -> None:
    """Write down what its next holder has to know, whatever becomes of this one."""
    next_at = clock(connection) + timedelta(seconds=rest)
    change = sa.update(leases).where(_ours(lease))
    connection.execute(change.values(next_at=next_at, failures=failures))


def release(connection: sa.Connection, lease: Lease) -> None:
    """Give a name back."""
    now = clock(connection)
    connection.execute(sa.update(leases).where(_ours(lease)).values(holder="", until=now))


def lost(connection: sa.Connection, held: Sequence[Lease]) -> set[str]:
    """The names that are no longer ours; the others stay ours until this transaction ends."""
    names = [lease.name for lease in held]
    query = sa.select(leases.c.name, leases.c.token, leases.c.holder)
    query = query.where(leases.c.name.in_(names)).order_by(leases.c.name)
    # holds off `take`, and not the renewal of the same lease (PostgreSQL)
    query = query.with_for_update(read=True, key_share=True)
    now = {row.name: (row.token, row.holder) for row in connection.execute(query)}
    return {one.name for one in held if now.get(one.name) != (one.token, one.holder)}


def _ours(lease: Lease) -> sa.ColumnElement[bool]:
    return sa.and_(
        leases.c.name == lease.name,
        leases.c.token == lease.token,
        leases.c.holder == lease.holder,
    )


def held_by(connection: sa.Connection, name: str) -> str:
    """Who holds a name now; empty if it could be taken."""
    now = clock(connection)
    row = connection.execute(sa.select(leases).where(leases.c.name == name)).one_or_none()
    if row is None or not row.holder or row.until <= now or at_work(row.holder) is False:
        return ""
    return str(row.holder)
