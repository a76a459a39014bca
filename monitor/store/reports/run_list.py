"""Runs and weekly reports as pages list them: runs a page at a time, found by keys."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import RunKind, RunState, make_storable
from monitor.store import rows
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.changes.series import ALL
from monitor.store.schema import (
    attempts,
    engines,
    jobs,
    lists,
    points,
    probes,
    reports,
    run_lists,
    runs,
    series_keys,
    stages_done,
)
from monitor.store.selectables import TARGET, UNFINISHED


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
    query = _select_listed(hidden).order_by(runs.c.due_at.desc(), runs.c.id.desc())
    for column, value in ((runs.c.job, job), (runs.c.kind, kind), (runs.c.state, state)):
        if value:
            query = query.where(column == value)
    run_rows = connection.execute(query.limit(size + 1).offset((page - 1) * size))
    return [_make_listed(row) for row in run_rows]


def find_run(connection: sa.Connection, hidden: EmbargoFilter, run_id: int) -> ListedRun | None:
    """Return a run by its number; None where there is none, or it is hidden."""
    query = _select_listed(hidden).where(runs.c.id == run_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else _make_listed(row)


def _select_listed(hidden: EmbargoFilter) -> sa.Select[Any]:
    columns = (runs.c[name] for name in ListedRun._fields)
    return sa.select(*columns).where(hidden.runs_shown(runs.c.id))


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


def list_systems(
    connection: sa.Connection, run_id: int, hidden: EmbargoFilter | None = None
) -> list[tuple[int, str]]:
    """Return (number, label) of the engines that a run asks, or of which an answer may be seen."""
    asked = attempts.c.run_id == run_id, attempts.c.engine_id == engines.c.id
    which = sa.exists().where(*asked)
    if hidden is not None and hidden.evidence:
        seen = (
            sa.select(attempts.c.id)
            .join(probes, probes.c.id == attempts.c.probe_id)
            .where(*asked, hidden.answers_shown(engines.c.id, TARGET))
            .correlate(engines)
        )
        which = seen.exists()
    query = sa.select(engines.c.id, engines.c.name).where(which).order_by(engines.c.name)
    return [(row.id, row.name) for row in connection.execute(query)]


# --- due reports ----------------------------------------------------------------------------------

WEEKLY = "weekly"
DUE, MADE, FAILED = "due", "made", "failed"


class StoredReport(NamedTuple):
    """One due report. `digest` is the SHA-256 of its JSON, empty where it is not made.

    `made_at` of one that could not be made is when it was tried last.
    """

    id: int
    job: str
    due_at: datetime
    state: str
    reason: str
    folder: str
    digest: str
    made_at: datetime | None


_COLUMNS = tuple(reports.c[name] for name in StoredReport._fields)


def find_last_due(connection: sa.Connection, job: str) -> datetime | None:
    """Return the due time of the newest report of a job that is written down."""
    query = sa.select(sa.func.max(reports.c.due_at))
    return connection.execute(query.where(_is_of_job(job))).scalar()


def note_due_reports(
    connection: sa.Connection, job: str, due_at: Iterable[datetime], folder: str
) -> None:
    """Write down reports that are due; those that are known stay as they are."""
    content = [
        {
            "job": job, "kind": WEEKLY, "due_at": moment, "state": DUE, "reason": "",
            "folder": folder, "digest": "", "made_at": None,
        }
        for moment in due_at
    ]  # fmt: skip
    rows.insert_ignore(connection, reports, content)


def find_unmade(connection: sa.Connection, job: str) -> list[StoredReport]:
    """Return the due reports of a job that are not made, the oldest first."""
    query = sa.select(*_COLUMNS).where(_is_of_job(job), reports.c.state != MADE)
    unmade = connection.execute(query.order_by(reports.c.due_at))
    return [StoredReport._make(row) for row in unmade]


def mark_made(connection: sa.Connection, report_id: int, digest: str, now: datetime) -> None:
    """Write down that a report is made, with the digest of its JSON."""
    _finish_report(connection, report_id, state=MADE, reason="", digest=digest, made_at=now)


def mark_failed(connection: sa.Connection, report_id: int, reason: str, now: datetime) -> None:
    """Write down that a report could not be made."""
    reason = make_storable(reason)
    _finish_report(connection, report_id, state=FAILED, reason=reason, made_at=now)


def find_ahead(connection: sa.Connection, of: datetime) -> dict[str, list[datetime]]:
    """Return {job: due times later than this one that are written down}, each the oldest first."""
    query = sa.select(reports.c.job, reports.c.due_at).where(reports.c.due_at > of)
    due = connection.execute(query.order_by(reports.c.job, reports.c.due_at))
    by_job = rows.group_rows(due, lambda row: str(row.job))
    return {job: [row.due_at for row in group] for job, group in by_job.items()}


def remove_later(connection: sa.Connection, later_than: datetime) -> None:
    """Remove reports that are due later, made or not: a clock was ahead when they were noted."""
    connection.execute(sa.delete(reports).where(reports.c.due_at > later_than))


def _finish_report(connection: sa.Connection, report_id: int, **content: object) -> None:
    change = sa.update(reports).where(reports.c.id == report_id, reports.c.state != MADE)
    connection.execute(change.values(content))


def _is_of_job(job: str) -> sa.ColumnElement[bool]:
    return sa.and_(reports.c.job == job, reports.c.kind == WEEKLY)


def find_unfinished_jobs(
    connection: sa.Connection, names: Sequence[str], after: datetime, until: datetime
) -> list[str]:
    """Return jobs, of some or of all, with a tick in a stretch of time that has not ended yet."""
    job_names: set[str] = set()
    for table, is_unfinished in UNFINISHED:
        query = sa.select(table.c.job).where(
            is_unfinished, table.c.due_at > after, table.c.due_at <= until
        )
        query = query.where(table.c.job.in_(names)) if names else query
        job_names.update(connection.execute(query).scalars())
    return sorted(job_names)


def list_reported_jobs(connection: sa.Connection) -> list[str]:
    """Return jobs with reports, in order."""
    query = sa.select(reports.c.job).distinct().order_by(reports.c.job)
    return list(connection.execute(query).scalars())


def list_newest(connection: sa.Connection, job: str, *, page: int, size: int) -> list[StoredReport]:
    """Return reports of a job or of all, the newest first, one more than a page."""
    query = sa.select(*_COLUMNS).order_by(reports.c.due_at.desc(), reports.c.id.desc())
    if job:
        query = query.where(reports.c.job == job)
    query = query.offset((page - 1) * size).limit(size + 1)
    return [StoredReport._make(row) for row in connection.execute(query)]


def find_report(connection: sa.Connection, number: int) -> StoredReport | None:
    """Return a report by its number; None where there is none."""
    row = connection.execute(sa.select(*_COLUMNS).where(reports.c.id == number)).one_or_none()
    return None if row is None else StoredReport._make(row)


def read_report_tables(connection: sa.Connection, job: str) -> list[Mapping[str, Any]]:
    """Return the tables `report` of all versions of a job, the newest first, each once."""
    query = sa.select(jobs.c.content).where(jobs.c.name == job).order_by(jobs.c.id.desc())
    tables: list[Mapping[str, Any]] = []
    for content in connection.execute(query).scalars():
        table = content.get("report")
        if table and table not in tables:
            tables.append(table)
    return tables
