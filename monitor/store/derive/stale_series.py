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
    newest = (sa.select(sa.func.max(table.c.id)).scalar_subquery() for table in (points, switches))
    first, second = connection.execute(sa.select(*newest)).one()
    return int(first or 0), int(second or 0)


def count_stale(connection: sa.Connection) -> dict[str, int]:
    """Return {job: how many of its series stand still}."""
    waiting = [
        pending.series_id
        for pending in of_series.find_pending(connection)
        if pending.shown is not None
    ]
    return dict(Counter(_find_jobs(connection, waiting).values()))


def find_stale(connection: sa.Connection, series: Iterable[int] | None = None) -> list[StaleSeries]:
    """Return what stands still, of these series or of all; by job, the largest part of it first."""
    alike: dict[tuple[str, int, int], list[PendingSwitch]] = {}
    waiting = [
        pending
        for pending in of_series.find_pending(connection, series)
        if pending.shown is not None
    ]
    jobs = _find_jobs(connection, [pending.series_id for pending in waiting])
    for pending in waiting:
        key = jobs[pending.series_id], pending.shown or 0, pending.wanted
        alike.setdefault(key, []).append(pending)
    signature_ids = {number for _, *ids in alike for number in ids}
    query = sa.select(signatures.c.id, signatures.c.parts).where(signatures.c.id.in_(signature_ids))
    parts = {row.id: dict(row.parts) for row in connection.execute(query)}
    stale = [
        _make_group(connection, job, pending_group, parts[old], parts[newer])
        for (job, old, newer), pending_group in alike.items()
    ]
    return sorted(stale, key=lambda pending: (pending.job, -len(pending.series), pending.since))


def _find_jobs(connection: sa.Connection, series: Sequence[int]) -> dict[int, str]:
    """Return {series: job of its newest run}."""
    job_of: dict[int, str] = {}
    for series_part in of_series.split_series(series):
        job = (
            sa.select(runs.c.job)
            .where(runs.c.id == of_series.select_newest_run())
            .scalar_subquery()
        )
        query = sa.select(series_keys.c.id, job).where(series_keys.c.id.in_(series_part))
        job_of |= {row[0]: row[1] for row in connection.execute(query)}
    return job_of


def _make_group(
    connection: sa.Connection,
    job: str,
    pending_group: Sequence[PendingSwitch],
    before: dict[str, Json],
    after: dict[str, Json],
) -> StaleSeries:
    """Return one group, whose series all show and wait for the same signature."""
    numbers = [pending.series_id for pending in pending_group]
    old, newer_id = pending_group[0].shown, pending_group[0].wanted
    later_points = points.alias()
    is_shown = sa.exists().where(
        later_points.c.series_id == points.c.series_id,
        later_points.c.run_id == points.c.run_id,
        later_points.c.signature_id == old,
    )
    newer = (points.c.signature_id == newer_id) & points.c.is_newest
    off_chart = _read_ticks(connection, numbers, newer & ~is_shown)
    tick_pair = off_chart or _read_ticks(connection, numbers, newer)[-1:]
    return StaleSeries(
        job=job,
        series=tuple(numbers),
        since=tick_pair[0].due_at,
        known_at=min(tick.known_at for tick in tick_pair),
        n_ticks=len(off_chart),
        before=before,
        after=after,
        held_by=_find_blocking_runs(connection, numbers, newer_id),
    )


class _ComputedTick(NamedTuple):
    """A tick at which some series have a point, and when the first of these was computed."""

    due_at: datetime
    known_at: datetime


def _read_ticks(
    connection: sa.Connection, series: Sequence[int], which: sa.ColumnElement[bool]
) -> list[_ComputedTick]:
    """Return the ticks of some points, the oldest first."""
    query = (
        sa.select(points.c.due_at, sa.func.min(points.c.computed_at))
        .where(which)
        .group_by(points.c.due_at)
    )
    computed: dict[datetime, datetime] = {}
    for series_part in of_series.split_series(series):
        for due_at, computed_at in connection.execute(
            query.where(points.c.series_id.in_(series_part))
        ):
            computed[due_at] = min(computed_at, computed.get(due_at, computed_at))
    return [_ComputedTick(due_at, computed[due_at]) for due_at in sorted(computed)]


def _find_blocking_runs(
    connection: sa.Connection, series: Sequence[int], signature: int
) -> tuple[tuple[str, int], ...]:
    run_ids: set[int] = set()
    for series_part in of_series.split_series(series):
        run_ids |= of_series.find_blocking_runs(connection, series_part, signature)
    if not run_ids:
        return ()
    query = sa.select(runs.c.job, runs.c.id).order_by(runs.c.due_at, runs.c.id)
    query = query.where(runs.c.kind == RunKind.SCHEDULED)
    return tuple((row.job, row.id) for row in connection.execute(query) if row.id in run_ids)


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
