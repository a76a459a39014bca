"""What pages say of series beside their grid: how much was found, and points of other runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.model import RunKind
from monitor.store.schema import changes, comparisons, points, runs


class Counted(NamedTuple):
    """Findings in force, and comparisons that show how much moves when nothing changes."""

    n_changes: int
    n_noise: int


def counted(connection: sa.Connection, series: Sequence[int]) -> dict[int, Counted]:
    """{series: what was found of it}, of each of these."""
    found = sa.select(changes.c.series_id, sa.func.count()).where(
        changes.c.series_id.in_(series), changes.c.is_current
    )
    noise = sa.select(comparisons.c.series_id, sa.func.count()).where(
        comparisons.c.series_id.in_(series),
        comparisons.c.contrast.in_((Contrast.MINUTES, Contrast.DAYS)),
        comparisons.c.is_current,
    )
    n_changes, n_noise = (
        {number: n for number, n in connection.execute(query)}  # noqa: C416 - no pairs
        for query in (
            found.group_by(changes.c.series_id),
            noise.group_by(comparisons.c.series_id),
        )
    )
    return {one: Counted(n_changes.get(one, 0), n_noise.get(one, 0)) for one in series}


class OffGrid(NamedTuple):
    """The current point of a series in a run that is no due tick: by hand, for noise, once more."""

    run_id: int
    kind: RunKind
    job: str
    due_at: datetime
    point_id: int
    state: str
    reason: str
    value: float | None
    low: float | None
    high: float | None


def off_grid(connection: sa.Connection, series_id: int, limit: int) -> list[OffGrid]:
    """The newest of them first."""
    columns = (points.c[name] for name in ("id", "state", "reason", "value", "low", "high"))
    query = (
        sa.select(runs.c.id, runs.c.kind, runs.c.job, runs.c.due_at, *columns)
        .join(runs, runs.c.id == points.c.run_id)
        .where(
            points.c.series_id == series_id, points.c.is_current, runs.c.kind != RunKind.SCHEDULED
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(limit)
    )
    return [OffGrid(row[0], RunKind(row[1]), *row[2:]) for row in connection.execute(query).all()]
