"""Find the runs that a tick and its reruns are compared with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind, RunState, State
from monitor.store.derive.points import SeriesKey
from monitor.store.schema import comparisons, points, run_lists, runs, series_keys
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
    if not series_ids:
        return {}
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
    return _find_first(connection, query.order_by(runs.c.due_at)) if series_ids else None


def find_list_version(connection: sa.Connection, run_id: int, list_name: str) -> int | None:
    """Return the version of a list that a run asked; None where it did not ask the list."""
    baseline = _find_first(connection, _select_list_runs(list_name).where(runs.c.id == run_id))
    return None if baseline is None else baseline.list_id


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
    if not series_ids:
        return None
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
    return list(connection.execute(_IDS, {"wanted": keys}).scalars())


_IDS = sa.select(series_keys.c.id).where(
    series_keys.c.key.in_(sa.bindparam("wanted", expanding=True))
)


def _select_measured_runs(
    key: SeriesKey, series_ids: list[int]
) -> sa.Select[tuple[int, datetime, int]]:
    """Return scheduled runs that have ended with a value of any of these series."""
    return _select_list_runs(key.list).where(
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.job == key.job,
        runs.c.state.in_((RunState.DONE, RunState.PARTIAL)),
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
        sa.select(runs.c.id, runs.c.due_at, lists_table.c.id.label("list_id"))
        .join(run_lists, run_lists.c.run_id == runs.c.id)
        .join(lists_table, lists_table.c.id == run_lists.c.list_id)
        .where(lists_table.c.name == list_name)
    )


def _find_first(
    connection: sa.Connection, query: sa.Select[tuple[int, datetime, int]]
) -> BaselineRun | None:
    row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else BaselineRun(row.id, row.list_id, row.due_at)
