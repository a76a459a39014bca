"""Engines and jobs that a person has paused. Mutable; each change leaves an event."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import sqlalchemy as sa

from monitor.model import storable
from monitor.store import events, rows
from monitor.store.schema import pauses

PauseKind: TypeAlias = Literal["engine", "job"]


@dataclass(frozen=True, slots=True)
class Paused:
    """A paused engine or job, why, and since when."""

    kind: PauseKind
    name: str
    reason: str
    paused_at: datetime

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"paused by a person since {self.paused_at:%Y-%m-%d %H:%M} UTC{why}"


def pause(
    connection: sa.Connection, kind: PauseKind, name: str, reason: str, now: datetime
) -> None:
    """Pause an engine or a job. One that is paused stays so since then, for this reason."""
    row = {"kind": kind, "name": storable(name), "reason": storable(reason), "paused_at": now}
    rows.insert_ignore(connection, pauses, [row])
    change = sa.update(pauses).where(_is(kind, name))
    connection.execute(change.values(reason=row["reason"]))
    events.add(connection, "paused", f"{kind} {name}", reason, now=now)


def resume(
    connection: sa.Connection, kind: PauseKind, name: str, now: datetime, reason: str = ""
) -> bool:
    """End a pause; return False if there was none."""
    if not connection.execute(sa.delete(pauses).where(_is(kind, name))).rowcount:
        return False
    events.add(connection, "resumed", f"{kind} {name}", reason, now=now)
    return True


def find(connection: sa.Connection, kind: PauseKind, name: str) -> Paused | None:
    """Return the pause of an engine or a job; None where there is none."""
    row = connection.execute(sa.select(pauses).where(_is(kind, name))).one_or_none()
    return None if row is None else Paused(row.kind, row.name, row.reason, row.paused_at)


def all_of(connection: sa.Connection) -> list[Paused]:
    """Everything that rests, by kind and name."""
    query = sa.select(pauses).order_by(pauses.c.kind, pauses.c.name)
    found = connection.execute(query)
    return [Paused(row.kind, row.name, row.reason, row.paused_at) for row in found]


def _is(kind: PauseKind, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(pauses.c.kind == kind, pauses.c.name == storable(name))
