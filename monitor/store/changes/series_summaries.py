"""Summaries of many series: how much was measured, the newest tick, marks of small charts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import State
from monitor.store.changes.series import Series
from monitor.store.selectables import DUE_TICKS, SERIES_POINTS

#: So many series are looked up one by one; of more all are read that share what these share.
_FEW = 500
#: Rows at a time: a list of all of them would be walked through by the collector again and again.
_AT_ONCE = 1_000

#: What a summary has of the newest due tick of its series.
_LAST = ("state", "reason", "value", "low", "high")


@dataclass(frozen=True, slots=True)
class SeriesSummary:
    """Fields of the view `series` besides those of Series: ticks, and the newest due tick."""

    series_id: int
    job: str  # of the newest tick
    scope_title: str | None
    n_ticks: int
    n_measured: int
    first_due_at: datetime
    last_due_at: datetime
    is_asked: bool
    last_state: State
    last_reason: str
    last_value: float | None
    last_low: float | None
    last_high: float | None


class _Length(NamedTuple):
    """The due ticks of a series from its first point on."""

    n_ticks: int
    n_measured: int
    first_due_at: datetime
    last_due_at: datetime


def read_summaries(
    connection: sa.Connection, series_list: Sequence[Series]
) -> dict[int, SeriesSummary]:
    """Return {series: its summary}, without series that were never due.

    As the view `series`, which takes longer: it looks for the newest tick among all of them.
    """
    lengths = _read_lengths(connection, series_list)
    due = sa.select(DUE_TICKS.c.job, sa.func.max(DUE_TICKS.c.due_at)).group_by(DUE_TICKS.c.job)
    newest_of = {job: due_at for job, due_at in connection.execute(due)}  # noqa: C416 - no pairs
    series_by_id = {series.id: series for series in series_list}
    summaries: dict[int, SeriesSummary] = {}
    for row in _read_last_ticks(connection, series_by_id, lengths, set(newest_of.values())):
        series, length = series_by_id[row.series_id], lengths[row.series_id]
        last: dict[str, Any] = {f"last_{name}": getattr(row, name) for name in _LAST}
        summaries[series.id] = SeriesSummary(
            series_id=series.id,
            job=row.job,
            scope_title=series.scope_title or None,
            is_asked=newest_of[row.job] == length.last_due_at,
            **length._asdict(),
            **last | {"last_state": State(row.state)},
        )
    return summaries


def _read_lengths(connection: sa.Connection, series_list: Sequence[Series]) -> dict[int, _Length]:
    """Return {series: its length} of at least these series; measured ticks have a value."""
    number, due_at = SERIES_POINTS.c.series_id, SERIES_POINTS.c.due_at
    columns = (number, sa.func.count(), sa.func.count(SERIES_POINTS.c.value), sa.func.min(due_at),
               sa.func.max(due_at))  # fmt: skip
    query = sa.select(*columns).where(*_make_series_conditions(series_list)).group_by(number)
    return {row[0]: _Length(*row[1:]) for row in connection.execute(query)}


def _read_last_ticks(
    connection: sa.Connection,
    series_by_id: Mapping[int, Series],
    lengths: Mapping[int, _Length],
    newest: Collection[datetime],
) -> Iterator[sa.Row[Any]]:
    """Yield the newest due tick of each.

    `newest` are those of jobs: most series end with one of them.
    """
    columns = (SERIES_POINTS.c[name] for name in ("series_id", "job", "due_at", *_LAST))
    query = sa.select(*columns).order_by(SERIES_POINTS.c.due_at, SERIES_POINTS.c.job)
    ends = {number: lengths[number].last_due_at for number in series_by_id if number in lengths}
    still = [series_by_id[number] for number, last_due in ends.items() if last_due in newest]
    over = [series_by_id[number] for number, last_due in ends.items() if last_due not in newest]
    parts = [still, *(over[start : start + _FEW] for start in range(0, len(over), _FEW))]
    for series_part in filter(None, parts):
        times = sorted({ends[series.id] for series in series_part})
        part_query = query.where(
            SERIES_POINTS.c.due_at.in_(times), *_make_series_conditions(series_part)
        )
        for row in connection.execute(part_query):
            if row.due_at == ends.get(row.series_id):
                yield row


def _make_series_conditions(series_list: Sequence[Series]) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions for series: a few by number, many by what all of them share."""
    if len(series_list) <= 1:
        yield SERIES_POINTS.c.series_id == (series_list[0].id if series_list else -1)
        return
    if len(series_list) <= _FEW:
        yield SERIES_POINTS.c.series_id.in_(sorted(series.id for series in series_list))
        return
    for name in ("engine", "quantity", "target", "scope"):
        values = {getattr(series, name) for series in series_list}
        if len(values) == 1:
            yield SERIES_POINTS.c[name] == values.pop()


def _make_since_condition(first: Mapping[str, datetime]) -> sa.ColumnElement[bool]:
    """Return the condition for due ticks of each job from its own first time on."""
    jobs_of: dict[datetime, list[str]] = {}
    for job, due_at in first.items():
        jobs_of.setdefault(due_at, []).append(job)
    conditions = [
        SERIES_POINTS.c.job.in_(jobs) & (SERIES_POINTS.c.due_at >= since)
        for since, jobs in jobs_of.items()
    ]
    return sa.and_(SERIES_POINTS.c.due_at >= min(first.values()), sa.or_(*conditions))


class SparklineTick(NamedTuple):
    """One tick of a small chart: its value, or None and the state that says what sort of gap.

    `low` and `high` are the ends of the 95 % interval, None where there is none.
    """

    due_at: datetime
    state: State
    value: float | None
    low: float | None
    high: float | None


def read_newest_marks(
    connection: sa.Connection, series_list: Sequence[Series], ticks: int = 20
) -> dict[int, list[SparklineTick]]:
    """Return {series: its newest ticks, the oldest first}, so many due ticks of the job at most."""
    of_job: dict[str, list[datetime]] = {}
    of_run: dict[int | None, datetime] = {}
    due = sa.select(DUE_TICKS.c.job, DUE_TICKS.c.due_at, DUE_TICKS.c.run_id).order_by(
        DUE_TICKS.c.due_at.desc()
    )
    for job, due_at, run_id in connection.execute(due):
        of_job.setdefault(job, []).append(due_at)
        of_run[run_id] = due_at
    first = {job: times[:ticks][-1] for job, times in of_job.items()}
    if not first or not series_list:
        return {}
    marks_of: dict[int, list[SparklineTick]] = {series.id: [] for series in series_list}
    states: dict[str | None, State] = {state.value: state for state in State}
    states[None] = State.MEASURED
    query = _select_marks().where(
        *_make_series_conditions(series_list), _make_since_condition(first)
    )
    for partition in connection.execute(query).partitions(_AT_ONCE):
        for number, run_id, due_at, state, *values in partition:
            if number in marks_of:
                tick_due = due_at if run_id is None else of_run[run_id]
                marks_of[number].append(SparklineTick(tick_due, states[state], *values))
    # in order series by series: databases sort tens of thousands of rows on disk
    return {
        number: sorted(marks, key=attrgetter("due_at"))
        for number, marks in marks_of.items()
        if marks
    }


def _select_marks() -> sa.Select[Any]:
    """Return a query of ticks with the few columns that small charts need.

    There is a due time where there is no run, and a state where there is no value.
    """
    due_at = sa.case((SERIES_POINTS.c.run_id.is_(None), SERIES_POINTS.c.due_at))
    state = sa.func.nullif(SERIES_POINTS.c.state, State.MEASURED)
    values = (SERIES_POINTS.c[name] for name in ("value", "low", "high"))
    return sa.select(SERIES_POINTS.c.series_id, SERIES_POINTS.c.run_id, due_at, state, *values)
