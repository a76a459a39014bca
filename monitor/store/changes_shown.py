"""What pages show of findings: those of a page, and whose numbers they are."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.store.changes import Listed, named
from monitor.store.hidden import Hidden
from monitor.store.schema import (
    changes,
    comparisons,
    engines,
    looks,
    points,
    runs,
    scopes,
    series_keys,
)


class Finding(NamedTuple):
    """A finding with what its page says beside what the list for people has."""

    listed: Listed
    engine_id: int
    before: float | None
    after: float | None
    because: str
    scope_title: str


class About(NamedTuple):
    """Whose number a claim card is about, for those who may not see all."""

    series_id: int
    engine_id: int
    target: str


def findings(connection: sa.Connection, numbers: Sequence[int]) -> list[Finding]:
    """These findings, in the order of their numbers."""
    names = Listed.__slots__
    query = (
        named((*names, "engine_id", "before", "after", "because"))
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .add_columns(sa.func.coalesce(scopes.c.title, ""))
        .where(changes.c.id.in_(numbers))
        .order_by(changes.c.id)
    )
    n = len(names)
    return [Finding(Listed(*row[:n]), *row[n:]) for row in connection.execute(query)]


def ends(
    connection: sa.Connection, numbers: Sequence[int]
) -> dict[int, tuple[float | None, float | None]]:
    """Return {number: (value before, value after)} of these findings."""
    query = sa.select(changes.c.id, changes.c.before, changes.c.after).where(
        changes.c.id.in_(numbers)
    )
    return {number: (before, after) for number, before, after in connection.execute(query)}


def of_change(connection: sa.Connection, number: int) -> About | None:
    """Whose change this is, in force or not; None where there is none."""
    return _about(connection, changes, number)


def of_point(connection: sa.Connection, number: int) -> About | None:
    """Whose point this is; None where there is none."""
    return _about(connection, points, number)


def _about(connection: sa.Connection, table: sa.Table, number: int) -> About | None:
    query = (
        sa.select(series_keys.c.id, series_keys.c.engine_id, series_keys.c.target)
        .join(table, table.c.series_id == series_keys.c.id)
        .where(table.c.id == number)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else About._make(row)


def tested(connection: sa.Connection, hidden: Hidden, job: str) -> int:
    """At how many ticks of a job, or of all, it was tested whether anything changed.

    Where something is hidden, those alone at which anything else was compared.
    """
    query = sa.select(sa.func.count()).select_from(looks).where(looks.c.p.is_not(None))
    if job:
        query = query.where(looks.c.job == job)
    if hidden.series:
        query = query.where(_compared(hidden))
    return int(connection.execute(query).scalar_one())


def _compared(hidden: Hidden) -> sa.ColumnElement[bool]:
    """Whether a series that may be seen was tested at the tick of a look."""
    return (
        sa.select(comparisons.c.id)
        .join(runs, runs.c.id == comparisons.c.after_run_id)
        .where(
            runs.c.job == looks.c.job,
            runs.c.due_at == looks.c.due_at,
            comparisons.c.contrast == Contrast.STEP,
            comparisons.c.is_current,
            comparisons.c.p.is_not(None),
            hidden.series_shown(comparisons.c.series_id),
        )
        .exists()
    )


def labels(connection: sa.Connection, numbers: Iterable[int]) -> list[str]:
    """The labels of these engines."""
    query = sa.select(engines.c.name).where(engines.c.id.in_(sorted(set(numbers))))
    return list(connection.execute(query).scalars())
