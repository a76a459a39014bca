"""Progress of runs and outcomes of their questions, for metrics and supervision.

Queries use the indexes of a run or a job, so that they stay quick however much is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from monitor.model import RunState
from monitor.store.collect.runs import AGAIN
from monitor.store.schema import (
    attempts,
    engines,
    erasures,
    exchanges,
    labels,
    points,
    runs,
    series_keys,
    stages_done,
    watched_jobs,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    attempt_range,
    newest_readings,
    outcome_of,
    reason_of,
)

_FINISHED = (RunState.DONE, RunState.PARTIAL)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run with its counts of questions."""

    id: int
    job: str
    due_at: datetime
    state: RunState
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """The number of questions of a run with one outcome at one engine."""

    engine: str
    kind: str
    outcome: str
    reason: str
    questions: int
    engine_id: int = 0


def list_jobs(connection: sa.Connection) -> list[str]:
    """Return the jobs that have runs, without those that were watched and whose file is gone."""
    gone = sa.select(watched_jobs.c.job).where(~watched_jobs.c.is_active)
    query = sa.select(runs.c.job).where(runs.c.job.not_in(gone)).distinct().order_by(runs.c.job)
    return list(connection.execute(query).scalars())


def find_newest_runs(
    connection: sa.Connection,
    job: str,
    limit: int = 1,
    *,
    finished: bool = False,
    before: datetime | None = None,
) -> list[RunProgress]:
    """Return a job's newest runs by tick, the newest first, without reruns of parts.

    Only the finished ones if wanted, and only those that were finished before a time.
    """
    query = _select_newest_runs(finished=finished or before is not None, before=before is not None)
    values = {"job": job, "most": limit} | ({"before": before} if before else {})
    return [
        RunProgress(
            row.id, row.job, row.due_at, RunState(row.state), row.created_at, row.finished_at
        )
        for row in connection.execute(query, values)
    ]


@cache
def _select_newest_runs(*, finished: bool, before: bool) -> sa.Select[Any]:
    """Return the query of the newest runs, cached because supervision repeats it."""
    columns = ("id", "job", "due_at", "state", "created_at", "finished_at")
    query = (
        sa.select(*(runs.c[name] for name in columns))
        .where(runs.c.job == sa.bindparam("job"), runs.c.kind.not_in(AGAIN))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(sa.bindparam("most", type_=sa.Integer))
    )
    if finished:
        query = query.where(runs.c.state.in_(_FINISHED))
    if before:
        query = query.where(runs.c.finished_at < sa.bindparam("before"))
    return query


def read_stage_marks(
    connection: sa.Connection, stage: str, progress: Sequence[RunProgress]
) -> set[tuple[int, str]]:
    """Return (run, version) of every version with which a stage has seen one of these runs."""
    query = sa.select(stages_done.c.run_id, stages_done.c.version).where(
        stages_done.c.stage == stage, stages_done.c.run_id.in_([run.id for run in progress])
    )
    return {(row.run_id, row.version) for row in connection.execute(query)}


def count_outcomes(connection: sa.Connection, run_id: int) -> list[OutcomeCount]:
    """Return what became of the questions of a run, by engine, outcome and reason.

    Tries that were followed by another are left out.
    """
    values = attempt_range(connection, run_id)
    return [OutcomeCount(*row) for row in connection.execute(_select_outcomes(), values)]


@cache
def _select_outcomes() -> sa.Select[Any]:
    reading = newest_readings()
    outcome, reason = outcome_of(reading).label("outcome"), reason_of(reading).label("reason")
    by_engine = (
        sa.select(attempts.c.engine_id, outcome, reason, sa.func.count().label("questions"))
        .select_from(attempts)
        # an exchange is of the run of its attempts, whose exchanges an index finds
        .outerjoin(
            exchanges,
            (exchanges.c.id == attempts.c.exchange_id) & (exchanges.c.run_id == attempts.c.run_id),
        )
        .outerjoin(reading, reading.c.attempt_id == attempts.c.id)
        .where(attempts.c.run_id == sa.bindparam("run"), IS_LAST_TRY)
        .group_by(attempts.c.engine_id, outcome, reason)
        .subquery()
    )
    return (
        sa.select(engines.c.name, engines.c.kind, *by_engine.c[1:], engines.c.id)
        .join(by_engine, by_engine.c.engine_id == engines.c.id)
        .order_by(engines.c.name, engines.c.id, by_engine.c.outcome, by_engine.c.reason)
    )


def read_change_token(connection: sa.Connection, run_id: int) -> tuple[object, ...]:
    """Return a token that changes when rows of the run are added, labelled or erased."""
    query = sa.select(runs.c.id, runs.c.state, runs.c.finished_at).where(runs.c.id == run_id)
    newest = (sa.select(sa.func.max(t.c.id)).scalar_subquery() for t in (points, labels, erasures))
    return (*connection.execute(query).one(), *connection.execute(sa.select(*newest)).one())


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """One value over everything that a run asked, which could be measured."""

    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    value: float
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None


def read_measured_values(
    connection: sa.Connection, progress: Sequence[RunProgress]
) -> list[MeasuredValue]:
    """Return the values of scope `all` that are in force in these runs, the newest point last.

    Points have no index by run; they are found by their series and tick.
    """
    job_of = {run.id: run.job for run in progress}
    names = ("list", "source_lang", "target", "measure", "quantity", "reference")
    numbers = ("value", "low", "high", "bound_low", "bound_high")
    query = (
        sa.select(
            points.c.run_id,
            engines.c.name,
            *(series_keys.c[name] for name in names),
            *(points.c[name] for name in numbers),
        )
        .select_from(series_keys)
        .join(points, points.c.series_id == series_keys.c.id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(
            series_keys.c.scope == "all",
            points.c.is_current,
            points.c.due_at.in_({run.due_at for run in progress}),
            points.c.run_id.in_(list(job_of)),
            points.c.value.is_not(None),
        )
        .order_by(points.c.id)
    )
    values = []
    for run_id, engine, series_name, *rest in connection.execute(query):
        values.append(MeasuredValue(job_of[run_id], series_name, engine, *rest))
    return values
