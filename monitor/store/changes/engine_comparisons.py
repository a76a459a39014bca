"""Comparisons of two systems on the same questions of one run."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.schema import comparisons, engines, runs, series_keys

#: What nobody is kept from seeing.
ALL_SHOWN = EmbargoFilter()


class ComparedRun(NamedTuple):
    """A run in which systems are compared."""

    run_id: int
    job: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """One quantity of two engines: `delta` is the second's value less the first's.

    On the `n` questions that both answered usably; `p` is None where nothing could be tested.
    """

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


def find_comparisons(
    connection: sa.Connection, run_id: int, hidden: EmbargoFilter = ALL_SHOWN
) -> list[EngineComparison]:
    """Return all comparisons of two engines in a run, by list, target, measure and quantity."""
    other_keys = series_keys.alias("other")
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
        .join(other_keys, other_keys.c.id == comparisons.c.other_id)
        .join(first, first.c.id == other_keys.c.engine_id)
        .join(second, second.c.id == series_keys.c.engine_id)
        .where(comparisons.c.after_run_id == run_id, *_are_both_visible(hidden))
        .order_by(
            series_keys.c.list, series_keys.c.source_lang, series_keys.c.target,
            series_keys.c.measure, series_keys.c.reference, series_keys.c.quantity,
            first.c.name, second.c.name, comparisons.c.id,
        )
    )  # fmt: skip
    return [EngineComparison(*row) for row in connection.execute(query)]


def _are_both_visible(hidden: EmbargoFilter) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition for comparisons of two visible engines."""
    return (
        comparisons.c.contrast == Contrast.ENGINES,
        comparisons.c.is_current,
        hidden.series_shown(comparisons.c.series_id),
        hidden.series_shown(comparisons.c.other_id),
    )


def _has_comparisons(hidden: EmbargoFilter) -> tuple[sa.ColumnElement[bool], ...]:
    compared = sa.exists().where(
        comparisons.c.after_run_id == runs.c.id, *_are_both_visible(hidden)
    )
    return runs.c.kind == RunKind.SCHEDULED, compared


def find_jobs(connection: sa.Connection, hidden: EmbargoFilter) -> list[str]:
    """Return the jobs in whose runs systems are compared."""
    query = sa.select(runs.c.job).where(*_has_comparisons(hidden))
    return list(connection.execute(query.distinct().order_by(runs.c.job)).scalars())


def find_runs(
    connection: sa.Connection, job: str, most: int, hidden: EmbargoFilter = ALL_SHOWN
) -> list[ComparedRun]:
    """Return the newest scheduled runs in which systems are compared, of a job or of all."""
    query = (
        sa.select(runs.c.id, runs.c.job, runs.c.due_at)
        .where(*_has_comparisons(hidden))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(most)
    )
    if job:
        query = query.where(runs.c.job == job)
    return [ComparedRun._make(row) for row in connection.execute(query)]


def find_run(
    connection: sa.Connection, run_id: int, hidden: EmbargoFilter = ALL_SHOWN
) -> ComparedRun | None:
    """Return a run, whether or not systems are compared in it; None where none may be seen."""
    query = sa.select(runs.c.id, runs.c.job, runs.c.due_at)
    query = query.where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    row = connection.execute(query).one_or_none()
    return None if row is None else ComparedRun._make(row)
