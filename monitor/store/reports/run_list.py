"""Runs as pages list them: a page at a time, found by keys and never counted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import RunKind, RunState
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.changes.series import ALL
from monitor.store.schema import (
    attempts,
    engines,
    jobs,
    lists,
    points,
    probes,
    run_lists,
    runs,
    series_keys,
    stages_done,
)
from monitor.store.selectables import TARGET


class ListedRun(NamedTuple):
    """A run in a list."""

    id: int
    job: str
    due_at: datetime
    kind: RunKind
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    code_version: str


class RunDescription(NamedTuple):
    """Properties of a run beside its numbers."""

    job_hash: str
    job: dict[str, Any]
    seed: str
    lists: Sequence[str]
    stages: Sequence[tuple[str, str, datetime]]


def list_runs(
    connection: sa.Connection,
    hidden: EmbargoFilter,
    criteria: tuple[str, str, str],
    *,
    page: int,
    size: int,
) -> list[ListedRun]:
    """Return runs of a job, kind and state, the newest first, one more than a page if any."""
    job, kind, state = criteria
    columns = (runs.c[name] for name in ListedRun._fields)
    query = sa.select(*columns).order_by(runs.c.due_at.desc(), runs.c.id.desc())
    query = query.where(hidden.runs_shown(runs.c.id))
    for column, value in ((runs.c.job, job), (runs.c.kind, kind), (runs.c.state, state)):
        if value:
            query = query.where(column == value)
    run_rows = connection.execute(query.limit(size + 1).offset((page - 1) * size))
    return [_make_listed(row) for row in run_rows]


def find_run(connection: sa.Connection, hidden: EmbargoFilter, run_id: int) -> ListedRun | None:
    """Return a run by its number; None where there is none, or it is hidden."""
    columns = (runs.c[name] for name in ListedRun._fields)
    query = sa.select(*columns).where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    row = connection.execute(query).one_or_none()
    return None if row is None else _make_listed(row)


def _make_listed(row: sa.Row[Any]) -> ListedRun:
    return ListedRun._make(row)._replace(kind=RunKind(row.kind), state=RunState(row.state))


def list_jobs(connection: sa.Connection, hidden: EmbargoFilter) -> list[str]:
    """Return the jobs that have runs."""
    query = sa.select(runs.c.job).distinct().order_by(runs.c.job)
    query = query.where(hidden.runs_shown(runs.c.id))
    return list(connection.execute(query).scalars())


def read_detail(connection: sa.Connection, run_id: int) -> RunDescription:
    """Return what a run was made from, and which stages have seen it with which version."""
    of_job = (
        sa.select(jobs.c.content_hash, jobs.c.content, runs.c.seed)
        .join(runs, runs.c.job_id == jobs.c.id)
        .where(runs.c.id == run_id)
    )
    row = connection.execute(of_job).one()
    list_query = (
        sa.select(lists.c.name, lists.c.version)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .order_by(lists.c.name)
    )
    done = (
        sa.select(stages_done.c.stage, stages_done.c.version, stages_done.c.done_at)
        .where(stages_done.c.run_id == run_id)
        .order_by(stages_done.c.done_at, stages_done.c.stage)
    )
    return RunDescription(
        row.content_hash, row.content, row.seed,
        [f"{record.name}@{record.version}" for record in connection.execute(list_query)],
        [(record.stage, record.version, record.done_at) for record in connection.execute(done)],
    )  # fmt: skip


def find_series(connection: sa.Connection, run_id: int) -> list[tuple[int, int]]:
    """Return (series, point) over all questions that a run has current points of."""
    query = (
        sa.select(points.c.series_id, points.c.id)
        .join(series_keys, series_keys.c.id == points.c.series_id)
        .where(points.c.run_id == run_id, points.c.is_current, series_keys.c.scope == ALL)
        .order_by(points.c.series_id)
    )
    return [(row.series_id, row.id) for row in connection.execute(query)]


def list_systems(connection: sa.Connection, run_id: int) -> list[tuple[int, str]]:
    """Return (number, label) of the engines that a run asks."""
    return _read_systems(connection, sa.exists().where(*_select_asked(run_id)))


def list_visible_systems(
    connection: sa.Connection, hidden: EmbargoFilter, run_id: int
) -> list[tuple[int, str]]:
    """Return (number, label) of those of which an answer may be seen."""
    if not hidden.evidence:
        return list_systems(connection, run_id)
    seen = (
        sa.select(attempts.c.id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(*_select_asked(run_id), hidden.answers_shown(engines.c.id, TARGET))
        .correlate(engines)
    )
    return _read_systems(connection, seen.exists())


def _select_asked(run_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return attempts.c.run_id == run_id, attempts.c.engine_id == engines.c.id


def _read_systems(
    connection: sa.Connection, which: sa.ColumnElement[bool]
) -> list[tuple[int, str]]:
    query = sa.select(engines.c.id, engines.c.name).where(which)
    return [(row.id, row.name) for row in connection.execute(query.order_by(engines.c.name))]
