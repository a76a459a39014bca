"""Daemons and workers, and when they were last heard of. Mutable."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

import sqlalchemy as sa

from monitor.model import RunState, storable
from monitor.store import rows
from monitor.store.schedule.leases import is_at_work
from monitor.store.schema import engines, exchanges, processes, runs

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
    content = {"role": role, "seen_at": now, "detail": storable(detail)}
    change = sa.update(processes).where(processes.c.name == name)
    if not connection.execute(change.values(content)).rowcount:
        rows.insert_ignore(connection, processes, [{"name": name, "started_at": now, **content}])


def remove_process(connection: sa.Connection, name: str) -> None:
    """Forget a process: it has ended."""
    connection.execute(sa.delete(processes).where(processes.c.name == name))


def list_alive(connection: sa.Connection, now: datetime, within: timedelta) -> list[Process]:
    """Return processes that were heard of within this time, by start.

    Those of this machine that are no longer there are left out at once.
    """
    query = sa.select(processes).where(processes.c.seen_at >= now - within)
    query = query.order_by(processes.c.started_at, processes.c.name)
    return [
        Process(row.name, row.role, row.started_at, row.seen_at, row.detail)
        for row in connection.execute(query)
        if is_at_work(row.name) is not False
    ]


def read_announcement(connection: sa.Connection, process: str) -> tuple[str, str] | None:
    """Return (role, what it does) of a process, as it announced itself last."""
    query = sa.select(processes.c.role, processes.c.detail).where(processes.c.name == process)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.role, row.detail)


class HeardProcess(NamedTuple):
    """A daemon or a worker, and when it was last heard of."""

    name: str
    role: str
    detail: str
    started_at: datetime
    seen_at: datetime


class NewestRun(NamedTuple):
    """A job's newest run by its tick."""

    number: int
    due_at: datetime
    state: RunState


def list_heard_processes(
    connection: sa.Connection, now: datetime, within: timedelta
) -> list[HeardProcess]:
    """Return processes that have not ended and were heard of within a time, by start."""
    columns = (processes.c[name] for name in HeardProcess._fields)
    query = sa.select(*columns).where(processes.c.seen_at >= now - within)
    process_rows = connection.execute(query.order_by(processes.c.started_at, processes.c.name))
    return [HeardProcess(*row) for row in process_rows]


def count_requests_by_engine(connection: sa.Connection, since: datetime) -> Counter[str]:
    """Return {name of an engine: exchanges since a time}, over all its models and addresses.

    Each engine's are found by its own index.
    """
    n_requests = (
        sa.select(sa.func.count())
        .where(exchanges.c.engine_id == engines.c.id, exchanges.c.asked_at >= since)
        .scalar_subquery()
    )
    counts: Counter[str] = Counter()
    for name, n in connection.execute(sa.select(engines.c.name, n_requests)):
        counts[_engine_family(name)] += int(n)
    return counts


def _engine_family(label: str) -> str:
    """Return the engine of a label: `chat` of `chat:gpt-x` or of `chat(model=x)`."""
    return label.partition("(")[0].partition(":")[0]


def find_newest_run(connection: sa.Connection, job: str) -> NewestRun | None:
    """Return a job's newest run by its tick; None where it has none."""
    query = (
        sa.select(runs.c.id, runs.c.due_at, runs.c.state)
        .where(runs.c.job == job)
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else NewestRun(row.id, row.due_at, RunState(row.state))
