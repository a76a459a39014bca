"""Engines and jobs that a person has put to rest. Mutable."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import sqlalchemy as sa

from monitor.model import storable
from monitor.store import rows
from monitor.store.schema import pauses

PauseKind: TypeAlias = Literal["engine", "job"]


@dataclass(frozen=True, slots=True)
class Paused:
    """What rests, why, and since when."""

    kind: PauseKind
    name: str
    reason: str
    paused_at: datetime


def pause(
    connection: sa.Connection, kind: PauseKind, name: str, reason: str, now: datetime
) -> None:
    """Put an engine or a job to rest. What rests already does so since then, for this reason."""
    row = {"kind": kind, "name": storable(name), "reason": storable(reason), "paused_at": now}
    rows.insert_ignore(connection, pauses, [row])
    change = sa.update(pauses).where(_is(kind, name))
    connection.execute(change.values(reason=row["reason"]))


def resume(connection: sa.Connection, kind: PauseKind, name: str) -> bool:
    """End a rest; False if there was none."""
    return bool(connection.execute(sa.delete(pauses).where(_is(kind, name))).rowcount)


def is_paused(connection: sa.Connection, kind: PauseKind, name: str) -> bool:
    """Whether an engine or a job rests."""
    return bool(connection.execute(sa.select(sa.exists().where(_is(kind, name)))).scalar())


def all_of(connection: sa.Connection) -> list[Paused]:
    """Everything that rests, by kind and name."""
    query = sa.select(pauses).order_by(pauses.c.kind, pauses.c.name)
    found = connection.execute(query)
    return [Paused(row.kind, row.name, row.reason, row.paused_at) for row in found]


def _is(kind: PauseKind, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(pauses.c.kind == kind, pauses.c.name == storable(name))
