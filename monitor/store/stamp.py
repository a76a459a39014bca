"""Says whether anything was computed since: one cheap look, for those who keep what they read."""

from typing import TypeAlias

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
_ENDS = (runs.c.finished_at, alarms.c.resolved_at, embargoes.c.lifted_at)
#: Made once: it is asked with nearly every page.
_NEWEST = sa.select(
    *(sa.select(sa.func.max(table.c.id)).scalar_subquery() for table in _COUNTED),
    *(sa.select(sa.func.max(end)).scalar_subquery() for end in _ENDS),
)

Stamp: TypeAlias = tuple[object, ...]


def stamp(connection: sa.Connection) -> Stamp:
    """Another value when something was added, or a run, an alarm or an embargo has ended.

    What is only no longer current leaves no trace here: keep nothing for long.
    """
    return tuple(connection.execute(_NEWEST).one())
