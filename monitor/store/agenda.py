"""What a daemon and people who look ask of ticks, runs and events together."""

import re
from collections import Counter
from datetime import datetime

import sqlalchemy as sa

from monitor.jobs import lane_of
from monitor.model import RunKind
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


def take_back(connection: sa.Connection, now: datetime) -> int:
    """Remove ticks that are not due yet and have no run: a clock was ahead when they were noted."""
    found = connection.execute(
        sa.delete(ticks).where(ticks.c.due_at > now, ticks.c.run_id.is_(None))
    )
    return int(found.rowcount)


def newest_by_subject(connection: sa.Connection, kind: str) -> dict[str, datetime]:
    """{subject: when an event of this kind last happened to it}."""
    query = (
        sa.select(events.c.subject, sa.func.max(events.c.at))
        .where(events.c.kind == kind)
        .group_by(events.c.subject)
    )
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
    query = sa.select(engines.c.name, engines.c.config).distinct()
    found = {
        lane_of(re.split(r"[:(]", row.name, maxsplit=1)[0], row.config)
        for row in connection.execute(query)
    }
    return sorted(found)


def jobs(connection: sa.Connection) -> list[str]:
    """The jobs that are or were watched, or have runs."""
    query = sa.union(sa.select(watched_jobs.c.job), sa.select(runs_table.c.job))
    return sorted(connection.execute(query).scalars())
