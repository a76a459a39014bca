"""Suspensions of engines after failures, and pauses of engines and jobs by people.

Rows are mutable. A restart must not forget suspensions; each change of a pause leaves an event.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import sqlalchemy as sa

from monitor.faults import Suspension
from monitor.model import make_storable
from monitor.store import rows
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schema import pauses, suspensions


def find_suspension(connection: sa.Connection, lane: str, exit_name: str) -> Suspension | None:
    """Return the suspension of a lane through an exit, over or not; None when there is none."""
    query = sa.select(suspensions).where(_is_of_lane(lane, exit_name))
    return rows.find_record(connection, query, Suspension)


def _is_of_lane(lane: str, exit_name: str) -> sa.ColumnElement[bool]:
    return (suspensions.c.lane == lane) & (suspensions.c.exit == exit_name)


def store_suspension(
    connection: sa.Connection, lane: str, exit_name: str, suspension: Suspension, now: datetime
) -> None:
    """Suspend a lane, or change until when; another process may do the same."""
    content = rows.make_row(suspensions, suspension, since=now)
    row = {"lane": lane, "exit": exit_name} | content
    if rows.insert_new(connection, suspensions, row) is None:
        change = sa.update(suspensions).where(_is_of_lane(lane, exit_name))
        connection.execute(change.values(content))


def remove_suspension(connection: sa.Connection, lane: str, exit_name: str) -> None:
    """Forget a suspension: the engine has answered again."""
    connection.execute(sa.delete(suspensions).where(_is_of_lane(lane, exit_name)))


def lift_suspensions(
    connection: sa.Connection, name: str, now: datetime, reason: str = "by a person"
) -> list[str]:
    """Forget the suspensions of a lane, or of an engine at any address, with an event for each.

    Tasks that wait for the lanes can go on now. Returns the lanes.
    """
    suspended_lanes = sorted({str(row["lane"]) for row in list_suspensions(connection)})
    lanes = [lane for lane in suspended_lanes if name in (lane, lane.partition("@")[0])]
    connection.execute(sa.delete(suspensions).where(suspensions.c.lane.in_(lanes)))
    tasks.hasten_tasks(connection, lanes)
    for lane in lanes:
        events.add_event(connection, "suspension_lifted", lane, reason, now=now)
    return lanes


def list_suspensions(connection: sa.Connection) -> list[dict[str, object]]:
    """Return every suspension, over or not, by lane."""
    query = sa.select(suspensions).order_by(suspensions.c.lane, suspensions.c.exit)
    return rows.read_plain_rows(connection, query)


PauseKind: TypeAlias = Literal["engine", "job"]


@dataclass(frozen=True, slots=True)
class ManualPause:
    """A paused engine or job, why, and since when."""

    kind: PauseKind
    name: str
    reason: str
    paused_at: datetime

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"paused by a person since {self.paused_at:%Y-%m-%d %H:%M} UTC{why}"


def add_pause(
    connection: sa.Connection, kind: PauseKind, name: str, reason: str, now: datetime
) -> ManualPause | None:
    """Pause an engine or a job. One that is paused stays so since then, for this reason.

    Returns the pause whose reason was replaced; None where there was none.
    """
    before = find_pause(connection, kind, name)
    row = rows.make_row(pauses, ManualPause(kind, name, reason, now))
    rows.insert_ignore(connection, pauses, [row])
    change = sa.update(pauses).where(_is_pause_of(kind, name))
    connection.execute(change.values(reason=row["reason"]))
    events.add_event(connection, "paused", f"{kind} {name}", reason, now=now)
    return before


def end_pause(
    connection: sa.Connection, kind: PauseKind, name: str, now: datetime, reason: str = ""
) -> bool:
    """End a pause; return False if there was none."""
    if not connection.execute(sa.delete(pauses).where(_is_pause_of(kind, name))).rowcount:
        return False
    events.add_event(connection, "resumed", f"{kind} {name}", reason, now=now)
    return True


def find_pause(connection: sa.Connection, kind: PauseKind, name: str) -> ManualPause | None:
    """Return the pause of an engine or a job; None where there is none."""
    query = sa.select(pauses).where(_is_pause_of(kind, name))
    return rows.find_record(connection, query, ManualPause)


def list_pauses(connection: sa.Connection) -> list[ManualPause]:
    """Return everything that rests, by kind and name."""
    query = sa.select(pauses).order_by(pauses.c.kind, pauses.c.name)
    return rows.read_records(connection, query, ManualPause)


def _is_pause_of(kind: PauseKind, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(pauses.c.kind == kind, pauses.c.name == make_storable(name))
