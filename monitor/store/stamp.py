"""Says whether anything was computed since: one cheap look, for those who keep what they read."""

import sqlalchemy as sa

from monitor.store.schema import (
    alarms,
    changes,
    comparisons,
    embargoes,
    erasures,
    labels,
    points,
    reports,
    runs,
    switches,
)

_COUNTED = (
    points, comparisons, changes, switches, runs, reports, labels, erasures, alarms, embargoes,
)  # fmt: skip


def stamp(connection: sa.Connection) -> tuple[object, ...]:
    """Another value when something was added, or a run, an alarm or an embargo has ended.

    What is only no longer current leaves no trace here: keep nothing for long.
    """
    newest = [sa.select(sa.func.max(table.c.id)).scalar_subquery() for table in _COUNTED]
    ends = (
        sa.select(sa.func.max(runs.c.finished_at)).scalar_subquery(),
        sa.select(sa.func.max(alarms.c.resolved_at)).scalar_subquery(),
        sa.select(sa.func.max(embargoes.c.lifted_at)).scalar_subquery(),
    )
    return tuple(connection.execute(sa.select(*newest, *ends)).one())
