"""Noise and confirming runs, which ask questions of a tick again, and what noise runs showed."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind, RunState, Stage, State, TaskState, TickState
from monitor.store.collect import runs as runs_of
from monitor.store.collect.runs import AGAIN, Run
from monitor.store.schema import (
    attempts,
    comparisons,
    engines,
    events,
    jobs,
    runs,
    series_keys,
    tasks,
    ticks,
)


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A scheduled run that has ended, whose questions may be asked again."""

    run: Run
    finished_at: datetime
    has_noise: bool  # its job said that a part of it is asked again


def find_ended_run(connection: sa.Connection, job: str, due_at: datetime) -> EndedRun | None:
    """Return the scheduled run of a tick; None while there is none that has ended."""
    run_id = runs_of.find_scheduled(connection, job, due_at)
    if run_id is None:
        return None
    query = (
        sa.select(runs.c.finished_at, jobs.c.content)
        .join(jobs, jobs.c.id == runs.c.job_id)
        .where(runs.c.id == run_id, runs.c.state.in_((RunState.DONE, RunState.PARTIAL)))
    )
    row = connection.execute(query).one_or_none()
    if row is None or row.finished_at is None:
        return None
    has_noise = row.content.get("noise") is not None
    return EndedRun(runs_of.get_run(connection, run_id), row.finished_at, has_noise)


def find_newest_tick(connection: sa.Connection, job: str) -> datetime | None:
    """Return the due time of a job's newest tick whose run has ended."""
    query = (
        sa.select(ticks.c.due_at)
        .where(
            ticks.c.job == job,
            ticks.c.state.in_((TickState.DONE, TickState.PARTIAL)),
            ticks.c.run_id.is_not(None),
        )
        .order_by(ticks.c.due_at.desc())
        .limit(1)
    )
    due_at: datetime | None = connection.execute(query).scalar()
    return due_at


def find_newest_ended_run(connection: sa.Connection, job: str) -> EndedRun | None:
    """Return a job's newest scheduled run, where it has ended."""
    query = sa.select(sa.func.max(runs.c.due_at)).where(
        runs.c.job == job, runs.c.kind == RunKind.SCHEDULED
    )
    due_at: datetime | None = connection.execute(query).scalar()
    return None if due_at is None else find_ended_run(connection, job, due_at)


def find_open_reruns(connection: sa.Connection, job: str, *, again: bool = False) -> list[int]:
    """Return ids of a job's runs of which something is to be asked or derived, the oldest first.

    With `again` only those that ask a part of a tick again.
    """
    query = (
        sa.select(runs.c.id)
        .join(tasks, tasks.c.run_id == runs.c.id)
        .where(
            tasks.c.state == TaskState.OPEN,
            tasks.c.stage.in_((Stage.COLLECT, Stage.DERIVE)),
            runs.c.job == job,
        )
    )
    if again:
        query = query.where(runs.c.kind.in_(AGAIN))
    return list(connection.execute(query.distinct().order_by(runs.c.id)).scalars())


def find_last_detail(connection: sa.Connection, kind: str, job: str, run_id: int) -> str | None:
    """Return the detail of the newest event of a kind about a run; None where there is none."""
    query = (
        sa.select(events.c.detail)
        .where(events.c.kind == kind, events.c.subject == job, events.c.run_id == run_id)
        .order_by(events.c.id.desc())
        .limit(1)
    )
    detail: str | None = connection.execute(query).scalar()
    return detail


def count_questions_since(
    connection: sa.Connection, job: str, kind: RunKind, since: datetime
) -> int:
    """Return how many questions the runs of a kind have that a job began since a time."""
    query = (
        sa.select(sa.func.count())
        .select_from(runs)
        .join(attempts, attempts.c.run_id == runs.c.id)
        .where(
            runs.c.job == job, runs.c.kind == kind, runs.c.created_at >= since, attempts.c.n == 1
        )
    )
    return int(connection.execute(query).scalar_one())


def find_engine_ids(connection: sa.Connection, run_id: int) -> set[int]:
    """Return ids of the engines that a run has questions for."""
    query = sa.select(attempts.c.engine_id).where(attempts.c.run_id == run_id).distinct()
    return set(connection.execute(query).scalars())


class SeriesName(NamedTuple):
    """A series over all probes, as people name it."""

    engine: str
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str


@dataclass(frozen=True, slots=True)
class AnswerFlips:
    """Of `n` probes asked twice `changed` had another answer, over all ticks; n is above 0."""

    contrast: Contrast
    changed: int
    n: int


def count_flips(
    connection: sa.Connection, job: str, until: datetime | None = None
) -> dict[SeriesName, AnswerFlips]:
    """Return {series over all probes: its flips}.

    Flips of noise runs a day later count where there are any, else those of repeats.

    Of the ticks up to a time, or of all.
    """
    keys = series_keys.c
    series_names = (
        engines.c.name,
        keys.list,
        keys.source_lang,
        keys.target,
        keys.measure,
        keys.quantity,
        keys.reference,
    )
    query = (
        sa.select(
            *series_names,
            comparisons.c.contrast,
            sa.func.sum(comparisons.c.changed),
            sa.func.sum(comparisons.c.n),
        )
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .join(runs, runs.c.id == comparisons.c.after_run_id)
        .where(
            runs.c.job == job,  # another may have begun the series
            keys.scope == "all",
            comparisons.c.contrast.in_((Contrast.DAYS, Contrast.MINUTES)),
            comparisons.c.is_current,
            comparisons.c.state == State.MEASURED,
            comparisons.c.n > 0,
            sa.true() if until is None else comparisons.c.due_at <= until,
        )
        .group_by(*series_names, comparisons.c.contrast)
        .order_by(comparisons.c.contrast.desc())  # minutes first, so that days take their place
    )
    return {
        SeriesName(*name): AnswerFlips(Contrast(contrast), int(changed), int(n))
        for *name, contrast, changed, n in connection.execute(query)
    }
