"""What pages show of findings: which there are, for a table that is turned, and those of a page."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from monitor.store.changes import Listed, named
from monitor.store.schema import changes, engines, looks, points, scopes, series_keys


class Place(NamedTuple):
    """A finding in force by what it can be looked for, and by what it stands together with."""

    change_id: int
    series_id: int
    engine_id: int
    detected_at: datetime
    job: str
    engine: str
    source_lang: str
    target: str
    measure: str
    scope: str
    status: str
    cause: str


class Finding(NamedTuple):
    """A finding with what its page says beside what the list for people has."""

    listed: Listed
    before: float | None
    after: float | None
    because: str
    scope_title: str


class About(NamedTuple):
    """Whose number a claim card is about, for those who may not see all."""

    series_id: int
    engine_id: int
    target: str


def places(connection: sa.Connection) -> list[Place]:
    """All findings in force, the newest tick first."""
    query = named(Place._fields).order_by(changes.c.detected_at.desc(), changes.c.id)
    return [Place._make(row) for row in connection.execute(query)]


def findings(connection: sa.Connection, numbers: Sequence[int]) -> list[Finding]:
    """These findings, in the order of their numbers."""
    names = Listed.__slots__
    query = (
        named((*names, "before", "after", "because"))
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .add_columns(sa.func.coalesce(scopes.c.title, ""))
        .where(changes.c.id.in_(numbers))
        .order_by(changes.c.id)
    )
    n = len(names)
    return [Finding(Listed(*row[:n]), *row[n:]) for row in connection.execute(query)]


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


def tested(connection: sa.Connection, job: str) -> int:
    """At how many ticks of a job, or of all, it was tested whether anything changed."""
    query = sa.select(sa.func.count()).select_from(looks).where(looks.c.p.is_not(None))
    if job:
        query = query.where(looks.c.job == job)
    return int(connection.execute(query).scalar_one())


def labels(connection: sa.Connection, numbers: Iterable[int]) -> list[str]:
    """The labels of these engines."""
    query = sa.select(engines.c.name).where(engines.c.id.in_(sorted(set(numbers))))
    return list(connection.execute(query).scalars())
