"""Noise and confirming runs, and the runs that a tick and its reruns are compared with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind, Stage, State, TaskState, TickState
from monitor.store import rows
from monitor.store.collect.runs import AGAIN, ENDED, SELECT_RUNS, Run, read_job_content
from monitor.store.derive.points import SeriesKey, find_series_ids
from monitor.store.schema import (
    attempts,
    comparisons,
    engines,
    points,
    run_lists,
    runs,
    series_keys,
    tasks,
    ticks,
)
from monitor.store.schema import lists as lists_table

#: A job that is due at five on Mondays has "a week before" also where jitter moved a start.
ABOUT_A_WEEK = timedelta(days=6, hours=12)


@dataclass(frozen=True, slots=True)
class BaselineRun:
    """An earlier run that has values, with the version of the list that it asked."""

    run_id: int
    list_id: int
    due_at: datetime


def find_baselines(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str], before: datetime
) -> dict[Contrast, BaselineRun]:
    """Return the runs to compare a tick with: the newest, one a week ago, and the first.

    Only scheduled runs that have ended, with a value of any of the quantities over all probes. A
    week ago, and the first, are left out where they are the newest one.
    """
    series_ids = _find_series_ids(connection, key, quantities)
    query = _select_measured_runs(key, series_ids).where(runs.c.due_at < before)
    newest = _find_first(connection, query.order_by(runs.c.due_at.desc()))
    if newest is None:
        return {}
    baselines = {Contrast.STEP: newest}
    week = query.where(runs.c.due_at <= before - ABOUT_A_WEEK).order_by(runs.c.due_at.desc())
    a_week_ago = _find_first(connection, week)
    if a_week_ago and a_week_ago != newest:
        baselines[Contrast.WEEK] = a_week_ago
    first = _find_first(connection, query.order_by(runs.c.due_at))
    if first and first != newest:
        baselines[Contrast.FIRST] = first
    return baselines


def find_first_run(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str], until: datetime
) -> BaselineRun | None:
    """Return the first scheduled run that measured any of these quantities, until a tick."""
    series_ids = _find_series_ids(connection, key, quantities)
    query = _select_measured_runs(key, series_ids).where(runs.c.due_at <= until)
    return _find_first(connection, query.order_by(runs.c.due_at))


def find_rerun_baselines(
    connection: sa.Connection,
    key: SeriesKey,
    quantities: Iterable[str],
    before: datetime,
    due_at: datetime,
) -> BaselineRun | None:
    """Return the runs to compare a rerun of a tick with; none is a side of the finding.

    `before` is the tick that the finding rests on, `due_at` its own. If that was asked again as
    well, that confirming run, begun before the finding's tick: it shows whether what was found had
    stayed. Else the newest earlier run. In both any of these quantities has to be measured over all
    probes: those that are to be held against the same run. None where there is none.
    """
    series_ids = _find_series_ids(connection, key, quantities)
    candidates = runs.alias("found")
    query = _select_list_runs(key.list).where(
        runs.c.kind == RunKind.CONFIRM,
        runs.c.job == key.job,
        runs.c.due_at == before,
        runs.c.created_at
        < sa.select(candidates.c.created_at)
        .where(
            candidates.c.kind == RunKind.SCHEDULED,
            candidates.c.job == key.job,
            candidates.c.due_at == due_at,
        )
        .scalar_subquery(),
        sa.exists().where(
            comparisons.c.after_run_id == runs.c.id,
            comparisons.c.series_id.in_(series_ids),
            comparisons.c.contrast == Contrast.CONFIRM,
            comparisons.c.is_current,
            comparisons.c.state == State.MEASURED,
        ),
    )
    earlier = _select_measured_runs(key, series_ids).where(runs.c.due_at < before)
    return _find_first(connection, query) or _find_first(
        connection, earlier.order_by(runs.c.due_at.desc())
    )


def filter_overall(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str]
) -> set[str]:
    """Return those of some quantities that have a series over all probes."""
    series_ids = _find_series_ids(connection, key, quantities)
    query = sa.select(series_keys.c.quantity).where(series_keys.c.id.in_(series_ids))
    return set(connection.execute(query).scalars())


def find_scheduled_run(
    connection: sa.Connection, job: str, due_at: datetime, list_name: str
) -> BaselineRun | None:
    """Return the scheduled run of a tick with the version of its list, or None."""
    query = _select_list_runs(list_name).where(
        runs.c.kind == RunKind.SCHEDULED, runs.c.job == job, runs.c.due_at == due_at
    )
    return _find_first(connection, query)


def _find_series_ids(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str]
) -> list[int]:
    """Return the existing series of these quantities over all probes."""
    keys = [str(key.row(quantity, "all")["key"]) for quantity in quantities]
    return list(find_series_ids(connection, keys).values())


def _select_measured_runs(
    key: SeriesKey, series_ids: list[int]
) -> sa.Select[tuple[int, datetime, int]]:
    """Return scheduled runs that have ended with a value of any of these series."""
    return _select_list_runs(key.list).where(
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.job == key.job,
        runs.c.state.in_(ENDED),
        sa.exists().where(
            points.c.run_id == runs.c.id,
            points.c.series_id.in_(series_ids),
            points.c.due_at == runs.c.due_at,
            points.c.state == State.MEASURED,
        ),
    )


def _select_list_runs(list_name: str) -> sa.Select[tuple[int, datetime, int]]:
    """Return a query of the runs that asked a list, with its version."""
    return (
        sa.select(runs.c.id.label("run_id"), runs.c.due_at, lists_table.c.id.label("list_id"))
        .join(run_lists, run_lists.c.run_id == runs.c.id)
        .join(lists_table, lists_table.c.id == run_lists.c.list_id)
        .where(lists_table.c.name == list_name)
    )


def _find_first(
    connection: sa.Connection, query: sa.Select[tuple[int, datetime, int]]
) -> BaselineRun | None:
    return rows.find_record(connection, query.limit(1), BaselineRun)


# --- reruns ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A scheduled run that has ended, whose questions may be asked again."""

    run: Run
    finished_at: datetime
    has_noise: bool  # its job said that a part of it is asked again


def find_ended_run(connection: sa.Connection, job: str, due_at: datetime) -> EndedRun | None:
    """Return the scheduled run of a tick; None while there is none that has ended."""
    query = SELECT_RUNS.where(
        runs.c.job == job,
        runs.c.due_at == due_at,
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.state.in_(ENDED),
    )
    run = rows.find_record(connection, query, Run)
    if run is None or run.finished_at is None:
        return None
    has_noise = read_job_content(connection, run.id).get("noise") is not None
    return EndedRun(run, run.finished_at, has_noise)


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
    """Return {series over all probes: its flips}, of the ticks up to a time, or of all.

    Flips of noise runs a day later count where there are any, else those of repeats.
    """
    series_names = [engines.c.name, *(series_keys.c[name] for name in SeriesName._fields[1:])]
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
            series_keys.c.scope == "all",
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
