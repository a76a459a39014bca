"""Daemons and workers, and when they were last heard of. Mutable."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

import sqlalchemy as sa

from monitor.model import make_storable
from monitor.store import rows
from monitor.store.schedule.leases import is_at_work
from monitor.store.schema import processes

Role: TypeAlias = Literal["daemon", "worker"]


@dataclass(frozen=True, slots=True)
class Process:
    """A daemon or a worker by its name, `machine:process:when it began`."""

    name: str
    role: Role
    started_at: datetime
    seen_at: datetime
    detail: str


def announce_process(
    connection: sa.Connection, name: str, role: Role, detail: str, now: datetime
) -> None:
    """Say that a process is there, and what it does; the first time is when it started."""
    content = {"role": role, "seen_at": now, "detail": make_storable(detail)}
    change = sa.update(processes).where(processes.c.name == name)
    if not connection.execute(change.values(content)).rowcount:
        rows.insert_ignore(connection, processes, [{"name": name, "started_at": now, **content}])


def remove_process(connection: sa.Connection, name: str) -> None:
    """Forget a process: it has ended."""
    connection.execute(sa.delete(processes).where(processes.c.name == name))


def list_heard(connection: sa.Connection, now: datetime, within: timedelta) -> list[Process]:
    """Return processes that have not ended and were heard of within a time, by start."""
    query = sa.select(processes).where(processes.c.seen_at >= now - within)
    query = query.order_by(processes.c.started_at, processes.c.name)
    return [
        Process(row.name, row.role, row.started_at, row.seen_at, row.detail)
        for row in connection.execute(query)
    ]


def list_alive(connection: sa.Connection, now: datetime, within: timedelta) -> list[Process]:
    """Return processes as `list_heard`, without those of this machine that are gone."""
    processes_heard = list_heard(connection, now, within)
    return [process for process in processes_heard if is_at_work(process.name) is not False]


def read_announcement(connection: sa.Connection, process: str) -> tuple[str, str] | None:
    """Return (role, what it does) of a process, as it announced itself last."""
    query = sa.select(processes.c.role, processes.c.detail).where(processes.c.name == process)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.role, row.detail)
