"""Pending work for metrics and supervision: ticks, watched jobs and tasks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import Stage, TaskState, TickState
from monitor.store.schedule import tasks as todo
from monitor.store.schema import bundles, jobs, tasks, ticks, watched_jobs

_OPEN_TICKS = (TickState.DUE, TickState.RUNNING)


@dataclass(frozen=True, slots=True)
class OpenTick:
    """A tick that is due or running."""

    id: int
    job: str
    due_at: datetime
    start_at: datetime
    state: TickState


def list_open_ticks(connection: sa.Connection) -> list[OpenTick]:
    """Return the ticks that have not ended, the oldest first."""
    query = (
        sa.select(ticks.c.id, ticks.c.job, ticks.c.due_at, ticks.c.start_at, ticks.c.state)
        .where(ticks.c.state.in_(_OPEN_TICKS))
        .order_by(ticks.c.due_at, ticks.c.id)
    )
    return [OpenTick(*row[:-1], TickState(row.state)) for row in connection.execute(query)]


def find_newest_tick(connection: sa.Connection) -> int:
    """Return the id of the newest tick, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(ticks.c.id))).scalar() or 0)


def count_ended_ticks(
    connection: sa.Connection, after: int, still_open: Collection[int]
) -> dict[tuple[str, str], int]:
    """Return {(job, state): ended ticks} after an id or among those that were open."""
    query = (
        sa.select(ticks.c.job, ticks.c.state, sa.func.count())
        .where(
            (ticks.c.id > after) | ticks.c.id.in_(sorted(still_open)),
            ticks.c.state.not_in(_OPEN_TICKS),
        )
        .group_by(ticks.c.job, ticks.c.state)
    )
    return {(job, state): int(n) for job, state, n in connection.execute(query)}


def read_last_ticks(
    connection: sa.Connection, job_names: Sequence[str]
) -> dict[str, tuple[str, datetime]]:
    """Return {job: (state, due time) of its newest tick} of these jobs."""
    last_ticks: dict[str, tuple[str, datetime]] = {}
    for job in job_names:
        query = (
            sa.select(ticks.c.state, ticks.c.due_at)
            .where(ticks.c.job == job)
            .order_by(ticks.c.due_at.desc())
            .limit(1)
        )
        row = connection.execute(query).one_or_none()
        if row is not None:
            last_ticks[job] = (row.state, row.due_at)
    return last_ticks


def list_active_jobs(connection: sa.Connection) -> list[str]:
    """Return the jobs that are watched now, by name."""
    query = sa.select(watched_jobs.c.job).where(watched_jobs.c.is_active)
    return list(connection.execute(query.order_by(watched_jobs.c.job)).scalars())


def read_active_contents(connection: sa.Connection) -> list[tuple[datetime, object]]:
    """Return (watched since, content) of the jobs that are watched now, by name."""
    query = (
        sa.select(watched_jobs.c.watched_since, jobs.c.content)
        .join(bundles, bundles.c.id == watched_jobs.c.bundle_id)
        .join(jobs, jobs.c.id == bundles.c.job_id)
        .where(watched_jobs.c.is_active)
        .order_by(watched_jobs.c.job)
    )
    return [(row.watched_since, row.content) for row in connection.execute(query)]


def count_tasks(connection: sa.Connection) -> dict[tuple[str, str], int]:
    """Return {(stage, state): tasks} that are open or were given up."""
    counts = {
        (stage.value, state.value): 0
        for stage in Stage
        for state in (TaskState.OPEN, TaskState.FAILED)
    }
    query = (
        sa.select(tasks.c.stage, tasks.c.state, sa.func.count())
        .where(tasks.c.state.in_((TaskState.OPEN, TaskState.FAILED)))
        .group_by(tasks.c.stage, tasks.c.state)
    )
    return counts | {(stage, state): int(n) for stage, state, n in connection.execute(query)}


def find_ready_since(connection: sa.Connection, now: datetime) -> datetime | None:
    """Return since when the oldest task that could begin waits; None without one.

    A run's derivation is ready when the last of its other tasks has changed.
    """
    waiting = todo.find_ready(connection, now)
    if not waiting:
        return None
    changed = sa.select(tasks.c.run_id, tasks.c.id, tasks.c.changed_at).where(
        tasks.c.run_id.in_({task.run_id for task in waiting})
    )
    ready_times: dict[int, datetime] = {}
    of_run: dict[int, datetime] = {}
    for run_id, task_id, changed_at in connection.execute(changed):
        ready_times[task_id] = changed_at
        of_run[run_id] = max(changed_at, of_run.get(run_id, changed_at))
    return min(
        max(
            task.not_before or ready_times[task.id],
            ready_times[task.id] if task.stage is Stage.COLLECT else of_run[task.run_id],
        )
        for task in waiting
    )
