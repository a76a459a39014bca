"""What people may have to be told: alarms, changes and reports that are new."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.store import rows
from monitor.store.changes import named
from monitor.store.schema import alarms, changes, engines, looks, reports, runs, series_keys


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is, or was, not as it should be."""

    id: int
    kind: str
    subject: str
    detail: str
    since: datetime
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True)
class Change:
    """A change as it stands now, with the names of its series."""

    series_id: int
    kind: ChangeKind
    detected_at: datetime
    changed_at: datetime
    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    scope: str
    role: Role
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    noise: float | None
    status: Status
    cause: Cause
    because: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Family:
    """What series have in common that differ in quantity and scope alone."""

    job: str  # that began them
    engine: str
    surface: str
    source_lang: str
    target: str
    list: str
    measure: str
    reference: str


@dataclass(frozen=True, slots=True)
class Made:
    """A report that was made."""

    job: str
    kind: str
    due_at: datetime
    folder: str
    digest: str
    made_at: datetime


def alarms_since(connection: sa.Connection, since: datetime) -> list[Alarm]:
    """The alarms that stand, and those that were resolved since then, the oldest first."""
    fresh = sa.or_(alarms.c.resolved_at.is_(None), alarms.c.resolved_at > since)
    columns = [alarms.c[name] for name in Alarm.__slots__]
    query = sa.select(*columns).where(fresh).order_by(alarms.c.since, alarms.c.id)
    return [Alarm(*row) for row in connection.execute(query)]


def changes_since(
    connection: sa.Connection, since: datetime, series: Collection[int]
) -> list[Change]:
    """The changes that hold now: those that could be known since then, and all of some series.

    Primary series first within a tick. What was found by looking back is none of them.
    """
    wanted = changes.c.detected_at >= since
    if series:
        wanted |= changes.c.series_id.in_(series)
    return _changes(connection, wanted)


def changes_of(connection: sa.Connection, series: Collection[int]) -> list[Change]:
    """The changes of some series that hold now."""
    return _changes(connection, changes.c.series_id.in_(series))


def families(connection: sa.Connection, series: Collection[int]) -> dict[int, Family]:
    """{series: the family that it is of}."""
    known = {**dict(series_keys.c), "engine": engines.c.name, "surface": engines.c.surface}
    query = (
        sa.select(series_keys.c.id, *(known[name] for name in Family.__slots__))
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(series_keys.c.id.in_(series))
    )
    return {number: Family(*names) for number, *names in connection.execute(query)}


def changes_between(
    connection: sa.Connection, job: str, after: datetime, to: datetime
) -> list[Change]:
    """The changes of a job that could be known after one time and up to another."""
    within = (changes.c.detected_at > after) & (changes.c.detected_at <= to)
    return _changes(connection, within & (runs.c.job == job))


def ticks_tested(
    connection: sa.Connection, job: str, after: datetime, to: datetime
) -> tuple[int, int]:
    """(ticks of a job at which something could be tested, ticks at which nothing could)."""
    within = (looks.c.due_at > after) & (looks.c.due_at <= to)
    query = sa.select(sa.func.count(looks.c.p), sa.func.count())
    tested, n = connection.execute(query.where(looks.c.job == job, within)).one()
    return int(tested), int(n) - int(tested)


def _changes(connection: sa.Connection, wanted: sa.ColumnElement[bool]) -> list[Change]:
    query = (
        named(Change.__slots__)
        .where(changes.c.status != Status.RETROSPECTIVE, wanted)
        .order_by(changes.c.detected_at, changes.c.role != Role.PRIMARY, changes.c.id)
    )
    return [
        Change(**rows.closed(row, kind=ChangeKind, role=Role, status=Status, cause=Cause))
        for row in connection.execute(query)
    ]


def reports_since(connection: sa.Connection, since: datetime) -> list[Made]:
    """The reports that were made since then, the oldest first."""
    columns = [reports.c[name] for name in Made.__slots__]
    query = sa.select(*columns).where(reports.c.state == "made", reports.c.made_at > since)
    return [Made(*row) for row in connection.execute(query.order_by(reports.c.made_at))]
