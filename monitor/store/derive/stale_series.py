"""Stale series: charts whose newest ticks have another signature than they show.

Groups give the series of each job, the time since when, both signatures, and the runs that lack the
newer one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.model import Json, RunKind, State
from monitor.store.collect.runs import Run
from monitor.store.derive import signatures as of_series
from monitor.store.derive.signatures import PendingSwitch
from monitor.store.schema import points, runs, series_keys, signatures, switches


@dataclass(frozen=True, slots=True)
class StaleSeries:
    """Series of one job that wait to go over from one signature to the same other one.

    `job` is that of their newest run.

    `since` is when the first tick was due that is not on their charts, `known_at` when it was
    computed; `n_ticks` counts such ticks. Where there is none, because every
    tick has both, they are those of the newest tick. `held_by` are the runs that lack the newer
    signature, as (job, run), the oldest first: the charts go over when all have it.
    """

    job: str
    series: tuple[int, ...]
    since: datetime
    known_at: datetime
    n_ticks: int
    before: dict[str, Json]
    after: dict[str, Json]
    held_by: tuple[tuple[str, int], ...]


def read_change_token(connection: sa.Connection) -> tuple[int, int]:
    """Return another pair whenever charts may have begun or ceased to stand still."""
    newest = (sa.select(sa.func.max(one.c.id)).scalar_subquery() for one in (points, switches))
    first, second = connection.execute(sa.select(*newest)).one()
    return int(first or 0), int(second or 0)


def count_stale(connection: sa.Connection) -> dict[str, int]:
    """Return {job: how many of its series stand still}."""
    waiting = [one.series_id for one in of_series.find_pending(connection) if one.shown is not None]
    return dict(Counter(_find_jobs(connection, waiting).values()))


def find_stale(connection: sa.Connection, series: Iterable[int] | None = None) -> list[StaleSeries]:
    """Return what stands still, of these series or of all; by job, the largest part of it first."""
    alike: dict[tuple[str, int, int], list[PendingSwitch]] = {}
    waiting = [one for one in of_series.find_pending(connection, series) if one.shown is not None]
    jobs = _find_jobs(connection, [one.series_id for one in waiting])
    for one in waiting:
        key = jobs[one.series_id], one.shown or 0, one.wanted
        alike.setdefault(key, []).append(one)
    wanted = {number for _, *both in alike for number in both}
    query = sa.select(signatures.c.id, signatures.c.parts).where(signatures.c.id.in_(wanted))
    parts = {row.id: dict(row.parts) for row in connection.execute(query)}
    found = [
        _make_group(connection, job, some, parts[shown], parts[newer])
        for (job, shown, newer), some in alike.items()
    ]
    return sorted(found, key=lambda one: (one.job, -len(one.series), one.since))


def _find_jobs(connection: sa.Connection, series: Sequence[int]) -> dict[int, str]:
    """Return {series: job of its newest run}; another job may have begun it."""
    found: dict[int, str] = {}
    for some in of_series.split_series(series):
        job = (
            sa.select(runs.c.job)
            .where(runs.c.id == of_series.select_newest_run())
            .scalar_subquery()
        )
        query = sa.select(series_keys.c.id, job).where(series_keys.c.id.in_(some))
        found |= {row[0]: row[1] for row in connection.execute(query)}
    return found


def _make_group(
    connection: sa.Connection,
    job: str,
    some: Sequence[PendingSwitch],
    before: dict[str, Json],
    after: dict[str, Json],
) -> StaleSeries:
    """One group; all of its series show the same signature and wait for the same."""
    numbers = [one.series_id for one in some]
    shown, wanted = some[0].shown, some[0].wanted
    own = points.alias()
    is_shown = sa.exists().where(
        own.c.series_id == points.c.series_id,
        own.c.run_id == points.c.run_id,
        own.c.signature_id == shown,
    )
    newer = (points.c.signature_id == wanted) & points.c.is_newest
    off_chart = _read_ticks(connection, numbers, newer & ~is_shown)
    known = off_chart or _read_ticks(connection, numbers, newer)[-1:]
    return StaleSeries(
        job=job,
        series=tuple(numbers),
        since=known[0].due_at,
        known_at=min(tick.known_at for tick in known),
        n_ticks=len(off_chart),
        before=before,
        after=after,
        held_by=_find_blocking_runs(connection, numbers, wanted),
    )


class _Tick(NamedTuple):
    """A tick at which some series have a point, and when the first of these was computed."""

    due_at: datetime
    known_at: datetime


def _read_ticks(
    connection: sa.Connection, series: Sequence[int], which: sa.ColumnElement[bool]
) -> list[_Tick]:
    """Return the ticks of such points, the oldest first."""
    query = (
        sa.select(points.c.due_at, sa.func.min(points.c.computed_at))
        .where(which)
        .group_by(points.c.due_at)
    )
    found: dict[datetime, datetime] = {}
    for some in of_series.split_series(series):
        for due_at, at in connection.execute(query.where(points.c.series_id.in_(some))):
            found[due_at] = min(at, found.get(due_at, at))
    return [_Tick(due_at, found[due_at]) for due_at in sorted(found)]


def _find_blocking_runs(
    connection: sa.Connection, series: Sequence[int], wanted: int
) -> tuple[tuple[str, int], ...]:
    found: set[int] = set()
    for some in of_series.split_series(series):
        found |= of_series.find_blocking_runs(connection, some, wanted)
    if not found:
        return ()
    query = sa.select(runs.c.job, runs.c.id).order_by(runs.c.due_at, runs.c.id)
    query = query.where(runs.c.kind == RunKind.SCHEDULED)
    return tuple((row.job, row.id) for row in connection.execute(query) if row.id in found)


def has_values(connection: sa.Connection, run: Run) -> bool:
    """Return whether a report of a run shows any value."""
    # points have no index by run; they are found by their series and tick
    query = (
        sa.select(points.c.id)
        .join(series_keys, series_keys.c.id == points.c.series_id)
        .where(
            points.c.due_at == run.due_at,
            points.c.run_id == run.id,
            points.c.is_current,
            points.c.state == State.MEASURED,
        )
        .limit(1)
    )
    return connection.execute(query).scalar() is not None
