"""What pages show of engines held against each other: runs to choose from, and all tests of one."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind
from monitor.store.hidden import Hidden
from monitor.store.schema import comparisons, runs, series_keys


class Tick(NamedTuple):
    """A run in which engines were held against each other."""

    run_id: int
    job: str
    due_at: datetime


class Tried(NamedTuple):
    """A comparison by what it can be looked for. `p` is None where nothing could be tested."""

    comparison_id: int
    series_id: int
    other_id: int
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    p: float | None
    reason: str


def _held(hidden: Hidden) -> sa.ColumnElement[bool]:
    return sa.exists().where(comparisons.c.after_run_id == runs.c.id, *_shown(hidden))


def _shown(hidden: Hidden) -> tuple[sa.ColumnElement[bool], ...]:
    """Which comparisons are of two engines of both of which the numbers may be seen."""
    return (
        comparisons.c.contrast == Contrast.ENGINES,
        comparisons.c.is_current,
        hidden.series_shown(comparisons.c.series_id),
        hidden.series_shown(comparisons.c.other_id),
    )


def jobs(connection: sa.Connection, hidden: Hidden) -> list[str]:
    """Jobs in which engines were held against each other."""
    query = sa.select(runs.c.job).where(runs.c.kind == RunKind.SCHEDULED, _held(hidden))
    return list(connection.execute(query.distinct().order_by(runs.c.job)).scalars())


def ticks(connection: sa.Connection, hidden: Hidden, job: str, most: int) -> list[Tick]:
    """The newest runs in which engines were held against each other, of a job or of all."""
    query = (
        sa.select(runs.c.id, runs.c.job, runs.c.due_at)
        .where(runs.c.kind == RunKind.SCHEDULED, _held(hidden))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(most)
    )
    if job:
        query = query.where(runs.c.job == job)
    return [Tick._make(row) for row in connection.execute(query)]


def tick(connection: sa.Connection, hidden: Hidden, run_id: int) -> Tick | None:
    """A run, whether or not anything was compared in it; None where none may be seen."""
    query = sa.select(runs.c.id, runs.c.job, runs.c.due_at)
    query = query.where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    row = connection.execute(query).one_or_none()
    return None if row is None else Tick._make(row)


def tests(connection: sa.Connection, hidden: Hidden, run_id: int) -> list[Tried]:
    """All comparisons of two engines in a run."""
    columns = ("list", "source_lang", "target", "measure", "quantity")
    query = (
        sa.select(
            comparisons.c.id, comparisons.c.series_id, comparisons.c.other_id,
            *(series_keys.c[name] for name in columns), comparisons.c.p,
            sa.case((comparisons.c.delta.is_(None), comparisons.c.reason), else_=""),
        )
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .where(comparisons.c.after_run_id == run_id, *_shown(hidden))
        .order_by(comparisons.c.id)
    )  # fmt: skip
    return [Tried._make(row) for row in connection.execute(query)]
