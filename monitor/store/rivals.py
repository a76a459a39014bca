"""Engines held against each other on the same questions of one tick."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind
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
