"""Engines that are not to be asked before a time: what a restart must not forget. Mutable."""

from datetime import datetime

import sqlalchemy as sa

from monitor.faults import Suspension
from monitor.model import storable
from monitor.store import events, rows, tasks
from monitor.store.schema import suspensions


def get(connection: sa.Connection, lane: str, exit_name: str) -> Suspension | None:
    """The suspension of a lane through an exit, over or not; None when there is none."""
    query = sa.select(suspensions).where(
        suspensions.c.lane == lane, suspensions.c.exit == exit_name
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else Suspension(row.until, row.reason, row.detail, row.times)


def put(
    connection: sa.Connection, lane: str, exit_name: str, found: Suspension, now: datetime
) -> None:
    """Suspend a lane, or change until when; another process may do the same."""
    content = {
        "until": found.until,
        "reason": storable(found.reason),
        "detail": storable(found.detail),
        "times": found.times,
        "since": now,
    }
    row = {"lane": lane, "exit": exit_name} | content
    if rows.insert_new(connection, suspensions, row) is None:
        here = (suspensions.c.lane == lane) & (suspensions.c.exit == exit_name)
        connection.execute(sa.update(suspensions).where(here).values(content))


def remove(connection: sa.Connection, lane: str, exit_name: str) -> None:
    """Forget a suspension: the engine has answered again."""
    connection.execute(
        sa.delete(suspensions).where(suspensions.c.lane == lane, suspensions.c.exit == exit_name)
    )


def lift(
    connection: sa.Connection, name: str, now: datetime, reason: str = "by a person"
) -> list[str]:
    """Forget the suspensions of a lane, or of an engine at any address, with an event for each.

    Tasks that wait for the lanes can go on now. Returns the lanes.
    """
    found = sorted({str(row["lane"]) for row in all_of(connection)})
    lanes = [lane for lane in found if name in (lane, lane.partition("@")[0])]
    connection.execute(sa.delete(suspensions).where(suspensions.c.lane.in_(lanes)))
    tasks.hurry(connection, lanes)
    for lane in lanes:
        events.add(connection, "suspension_lifted", lane, reason, now=now)
    return lanes


def all_of(connection: sa.Connection) -> list[dict[str, object]]:
    """Every suspension, over or not, by lane."""
    query = sa.select(suspensions).order_by(suspensions.c.lane, suspensions.c.exit)
    return [dict(row) for row in connection.execute(query).mappings()]
