"""What a daemon and people who look ask of ticks, runs and events together."""

import re
from collections import Counter
from datetime import datetime

import sqlalchemy as sa

from monitor.model import RunKind, RunState, TickState
from monitor.store import runs
from monitor.store.runs import Run
from monitor.store.schema import engines, events, tasks, ticks, watched_jobs
from monitor.store.schema import runs as runs_table


def scheduled_run(connection: sa.Connection, job: str, due_at: datetime) -> Run | None:
    """The run that was begun for a tick; None if there is none."""
    query = sa.select(runs_table.c.id).where(
        runs_table.c.job == job,
        runs_table.c.due_at == due_at,
        runs_table.c.kind == RunKind.SCHEDULED,
    )
    found = connection.execute(query).scalar()
    return None if found is None else runs.get(connection, int(found))


def last_noted(connection: sa.Connection, job: str, now: datetime) -> datetime | None:
    """The due time of a job's newest tick that is not in the future: ticks after it may be owed."""
    query = sa.select(sa.func.max(ticks.c.due_at))
    query = query.where(ticks.c.job == job, ticks.c.due_at <= now)
    found: datetime | None = connection.execute(query).scalar()
    return found


def cut_off(connection: sa.Connection, job: str) -> list[Run]:
    """A job's runs of ticks that were left in the middle, the oldest first."""
    query = sa.select(runs_table.c.id).where(
        runs_table.c.job == job,
        runs_table.c.kind == RunKind.SCHEDULED,
        runs_table.c.state.in_((RunState.RUNNING, RunState.INTERRUPTED)),
    )
    found = connection.execute(query.order_by(runs_table.c.due_at, runs_table.c.id)).scalars()
    return [runs.get(connection, int(run_id)) for run_id in found.all()]


def without_tasks(connection: sa.Connection) -> list[Run]:
    """Begun runs of watched jobs that nobody planned, and whose tick is not about to be begun."""
    to_come = sa.select(ticks.c.id).where(
        ticks.c.job == runs_table.c.job,
        ticks.c.due_at == runs_table.c.due_at,
        ticks.c.state == TickState.DUE,
    )
    query = sa.select(runs_table.c.id).where(
        runs_table.c.kind != RunKind.MANUAL,
        runs_table.c.state == RunState.RUNNING,
        runs_table.c.bundle_id.is_not(None),
        runs_table.c.job.in_(sa.select(watched_jobs.c.job)),
        ~sa.exists().where(tasks.c.run_id == runs_table.c.id),
        ~to_come.exists(),
    )
    found = connection.execute(query.order_by(runs_table.c.id)).scalars()
    return [runs.get(connection, int(run_id)) for run_id in found.all()]


def take_back(connection: sa.Connection, now: datetime) -> int:
    """Remove ticks that are not due yet and have no run: a clock was ahead when they were noted."""
    found = connection.execute(
        sa.delete(ticks).where(
            ticks.c.due_at > now, ticks.c.noted_at > now, ticks.c.run_id.is_(None)
        )
    )
    return int(found.rowcount)


def later(connection: sa.Connection, than: datetime) -> tuple[datetime, datetime] | None:
    """The first and last time after this one at which an event or a tick was written down."""
    found: list[datetime] = []
    for column in (events.c.at, ticks.c.noted_at):
        query = sa.select(sa.func.min(column), sa.func.max(column)).where(column > than)
        found.extend(at for at in connection.execute(query).one() if at is not None)
    return (min(found), max(found)) if found else None


def newest_by_subject(connection: sa.Connection, kind: str) -> dict[str, datetime]:
    """{subject: when the newest event of this kind happened to it}, in the order of writing.

    The times themselves may be those of a clock that was wrong.
    """
    newest = sa.select(sa.func.max(events.c.id)).where(events.c.kind == kind)
    newest = newest.group_by(events.c.subject)
    query = sa.select(events.c.subject, events.c.at).where(events.c.id.in_(newest))
    return {row[0]: row[1] for row in connection.execute(query)}


def counted(connection: sa.Connection, since: datetime) -> Counter[str]:
    """How many ticks that came due since then are in each state."""
    query = (
        sa.select(ticks.c.state, sa.func.count())
        .where(ticks.c.due_at >= since)
        .group_by(ticks.c.state)
    )
    return Counter({row[0]: int(row[1]) for row in connection.execute(query)})


def waiting(connection: sa.Connection) -> list[dict[str, object]]:
    """Open tasks that say why they wait, with their run and job."""
    query = (
        sa.select(
            tasks.c.run_id, runs_table.c.job, tasks.c.lane, tasks.c.not_before, tasks.c.reason
        )
        .join(runs_table, runs_table.c.id == tasks.c.run_id)
        .where(tasks.c.state == "open", tasks.c.reason != "")
        .order_by(tasks.c.id)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def lanes(connection: sa.Connection) -> list[str]:
    """The lanes that were ever asked: services, and servers with their hosts."""
    from monitor.jobs import lane_of  # noqa: PLC0415 - `monitor status` does without job files

    query = sa.select(engines.c.name, engines.c.config)
    found = {
        lane_of(re.split(r"[:(]", row.name, maxsplit=1)[0], row.config)
        for row in connection.execute(query)
    }
    return sorted(found)


def jobs(connection: sa.Connection) -> list[str]:
    """The jobs that are or were watched, or have runs."""
    query = sa.union(sa.select(watched_jobs.c.job), sa.select(runs_table.c.job))
    return sorted(connection.execute(query).scalars())
