"""What pages show of weekly reports: what was due, and what jobs say of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import Kind
from monitor.store.schema import attempts, engines, jobs, reports


class Stored(NamedTuple):
    """One due report. `digest` is the SHA-256 of its JSON, empty where it is not made."""

    id: int
    job: str
    due_at: datetime
    state: str
    reason: str
    folder: str
    digest: str
    made_at: datetime | None


_COLUMNS = tuple(reports.c[name] for name in Stored._fields)


def names(connection: sa.Connection) -> list[str]:
    """Jobs with reports, in order."""
    query = sa.select(reports.c.job).distinct().order_by(reports.c.job)
    return list(connection.execute(query).scalars())


def newest(connection: sa.Connection, job: str, *, page: int, size: int) -> list[Stored]:
    """Reports of a job or of all, the newest first, one more than a page."""
    query = sa.select(*_COLUMNS).order_by(reports.c.due_at.desc(), reports.c.id.desc())
    if job:
        query = query.where(reports.c.job == job)
    query = query.offset((page - 1) * size).limit(size + 1)
    return [Stored._make(row) for row in connection.execute(query)]


def one(connection: sa.Connection, number: int) -> Stored | None:
    """A report by its number; None where there is none."""
    row = connection.execute(sa.select(*_COLUMNS).where(reports.c.id == number)).one_or_none()
    return None if row is None else Stored._make(row)


def tables(connection: sa.Connection, job: str) -> list[Mapping[str, Any]]:
    """The tables `report` of all versions of a job, the newest first, each once."""
    query = sa.select(jobs.c.content).where(jobs.c.name == job).order_by(jobs.c.id.desc())
    found: list[Mapping[str, Any]] = []
    for content in connection.execute(query).scalars():
        table = content.get("report")
        if table and table not in found:
            found.append(table)
    return found


def shows_people(connection: sa.Connection, run_id: int) -> bool:
    """Whether a run asked search engines: its report has names of people whom they show."""
    query = sa.select(
        sa.exists().where(
            engines.c.kind == Kind.SEARCH,
            sa.exists().where(attempts.c.run_id == run_id, attempts.c.engine_id == engines.c.id),
        )
    )
    return bool(connection.execute(query).scalar_one())
