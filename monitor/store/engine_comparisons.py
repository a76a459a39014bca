"""Engines compared on the same questions of one tick: results, runs to choose from, all tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind
from monitor.store.hidden import Hidden
from monitor.store.schema import comparisons, engines, runs, series_keys


@dataclass(frozen=True, slots=True)
class Rivals:
    """One quantity of two engines: `delta` is the second's value less the first's."""

    comparison_id: int
    series_id: int  # of the second
    other_id: int  # of the first
    run_id: int
    due_at: datetime
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    first: str
    second: str
    n: int
    only_first: int
    only_second: int
    changed: int
    value_first: float | None
    value_second: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str
    reason: str


def rivals(
    connection: sa.Connection, run_id: int, only: Sequence[int] | None = None
) -> list[Rivals]:
    """Comparisons of two engines in a run, all or these, by list, target, measure and quantity."""
    other = series_keys.alias("other")
    first, second = engines.alias("first"), engines.alias("second")
    query: sa.Select[Any] = (
        sa.select(
            comparisons.c.id, comparisons.c.series_id, comparisons.c.other_id,
            comparisons.c.after_run_id, comparisons.c.due_at, series_keys.c.list,
            series_keys.c.source_lang, series_keys.c.target, series_keys.c.measure,
            series_keys.c.quantity, series_keys.c.reference, first.c.name, second.c.name,
            comparisons.c.n, comparisons.c.only_before, comparisons.c.only_after,
            comparisons.c.changed, comparisons.c.before, comparisons.c.after,
            comparisons.c.delta, comparisons.c.low, comparisons.c.high, comparisons.c.p,
            comparisons.c.test, comparisons.c.reason,
        )
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .join(other, other.c.id == comparisons.c.other_id)
        .join(first, first.c.id == other.c.engine_id)
        .join(second, second.c.id == series_keys.c.engine_id)
        .where(
            comparisons.c.after_run_id == run_id,
            comparisons.c.contrast == Contrast.ENGINES,
            comparisons.c.is_current,
        )
        .order_by(
            series_keys.c.list, series_keys.c.source_lang, series_keys.c.target,
            series_keys.c.measure, series_keys.c.reference, series_keys.c.quantity,
            first.c.name, second.c.name, comparisons.c.id,
        )
    )  # fmt: skip
    if only is not None:
        query = query.where(comparisons.c.id.in_(only))
    return [Rivals(*row) for row in connection.execute(query)]


def newest_run(connection: sa.Connection, job: str | None) -> int | None:
    """The newest run in which engines were held against each other, of a job or of any."""
    query = (
        sa.select(runs.c.id)
        .where(
            runs.c.kind == RunKind.SCHEDULED,
            sa.exists().where(
                comparisons.c.after_run_id == runs.c.id,
                comparisons.c.contrast == Contrast.ENGINES,
                comparisons.c.is_current,
            ),
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    if job is not None:
        query = query.where(runs.c.job == job)
    return connection.execute(query).scalar()


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
