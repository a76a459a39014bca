"""Notices to people: what is new, and what was sent to whom."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from operator import attrgetter

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.model import make_storable
from monitor.store import rows
from monitor.store.changes.findings import ListedChange, select_columns
from monitor.store.journal.events import Alarm
from monitor.store.schema import (
    alarms,
    changes,
    engines,
    looks,
    notices,
    reports,
    runs,
    series_keys,
)

OPEN, SENT, DROPPED, FAILED = "open", "sent", "dropped", "failed"
#: Kinds of notices that others were put together into; the subject names them: all that is due, or
#: what changes of one family are told in.
SUMMARY, FAMILY = "summary", "family"
_MEMBERS = "notices:"
#: Stands behind what is known of a notice while it is being sent.
_IN_FLIGHT = " [being sent]"
#: No notice waits for longer than this; a later time was written by a clock that was ahead.
LONGEST_WAIT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class NewNotice:
    """A notice that is to be written. `subject` is what it is about: `alarm:7`."""

    route: str
    kind: str
    subject: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice as it is stored."""

    id: int
    route: str
    kind: str
    subject: str
    title: str
    body: str
    created_at: datetime
    state: str
    tries: int
    next_at: datetime | None
    sent_at: datetime | None
    trouble: str

    @property
    def members(self) -> tuple[int, ...]:
        """Return ids of the notices that this one was put together from."""
        if not self.subject.startswith(_MEMBERS):
            return ()
        return tuple(int(part) for part in self.subject.removeprefix(_MEMBERS).split(","))

    @property
    def was_left(self) -> bool:
        """Return whether whoever was sending it ended before it was known what became of it."""
        return self.trouble.endswith(_IN_FLIGHT)

    @property
    def last_trouble(self) -> str:
        """Return what went wrong at the last try whose end is known."""
        return self.trouble.removesuffix(_IN_FLIGHT)

    def waits(self, now: datetime) -> bool:
        """Return whether it is not to be sent yet."""
        return self.next_at is not None and now < self.next_at <= now + LONGEST_WAIT


def lock_notices(connection: sa.Connection) -> None:
    """Let nobody else write notices until this transaction ends: two would write the same."""
    rows.lock_table(connection, notices)


def add_notice(connection: sa.Connection, new: NewNotice, now: datetime) -> int:
    """Write a notice that is to be sent. Returns its id."""
    row = rows.make_row(
        notices, new, created_at=now, state=OPEN, tries=0, next_at=None, sent_at=None, trouble=""
    )
    return rows.insert_returning(connection, notices, [row])[0]


def combine_notices(
    connection: sa.Connection,
    combined: Sequence[Notice],
    kind: str,
    title: str,
    body: str,
    now: datetime,
) -> int:
    """Write one notice, SUMMARY or FAMILY, in the place of some of one route. Returns its id."""
    numbers = sorted({number for notice in combined for number in notice.members or (notice.id,)})
    subject = _MEMBERS + ",".join(map(str, numbers))
    number = add_notice(connection, NewNotice(combined[0].route, kind, subject, title, body), now)
    values = {"state": DROPPED, "next_at": None, "trouble": f"told in notice {number}"}
    _update_notices(connection, [*numbers, *(notice.id for notice in combined)], values)
    return number


def claim_notice(connection: sa.Connection, notice: Notice, until: datetime) -> None:
    """Take a notice to send it; until then nobody else does."""
    trouble = notice.last_trouble + _IN_FLIGHT
    values = {"tries": notice.tries + 1, "next_at": until, "trouble": trouble}
    _update_notices(connection, [notice.id], values)


def mark_sent(connection: sa.Connection, notice: Notice, now: datetime) -> None:
    """It went out."""
    values = {"state": SENT, "sent_at": now, "next_at": None, "trouble": ""}
    _update_notices(connection, [notice.id], values)


def postpone_notice(
    connection: sa.Connection, notice: Notice, trouble: str, again_at: datetime
) -> None:
    """It did not go out and is tried again; what else is open on its route waits as long."""
    earlier = sa.or_(notices.c.next_at.is_(None), notices.c.next_at < again_at)
    not_in_flight = ~notices.c.trouble.endswith(_IN_FLIGHT)
    same_route = (notices.c.route == notice.route) & (notices.c.state == OPEN)
    change = sa.update(notices).where(same_route & earlier & not_in_flight)
    connection.execute(change.values(next_at=again_at))
    values = {"next_at": again_at, "trouble": make_storable(trouble)}
    _update_notices(connection, [notice.id], values)


def give_up_notice(connection: sa.Connection, notice: Notice, trouble: str) -> None:
    """It never went out, nor did those that were put together into it."""
    values = {"state": FAILED, "next_at": None, "trouble": make_storable(trouble)}
    _update_notices(connection, [notice.id, *notice.members], values)


def drop_notice(connection: sa.Connection, notice: Notice, why: str) -> None:
    """It is not to be told any more."""
    values = {"state": DROPPED, "next_at": None, "trouble": make_storable(why)}
    _update_notices(connection, [notice.id], values)


def _update_notices(
    connection: sa.Connection, numbers: Sequence[int], values: Mapping[str, object]
) -> None:
    connection.execute(sa.update(notices).where(notices.c.id.in_(numbers)).values(values))


# --- reading --------------------------------------------------------------------------------------


def list_waiting(connection: sa.Connection, route: str) -> list[Notice]:
    """Return the open notices of a route, the oldest first."""
    return _read_notices(connection, (notices.c.state == OPEN) & (notices.c.route == route))


def find_notices(connection: sa.Connection, numbers: Collection[int]) -> list[Notice]:
    """Return some notices, the oldest first."""
    return _read_notices(connection, notices.c.id.in_(list(numbers)))


def find_by_subject(
    connection: sa.Connection, subjects: Collection[str]
) -> dict[str, list[Notice]]:
    """Return {subject: its notices, the oldest first}, without empty ones."""
    return _by_subject(connection, notices.c.subject.in_(list(subjects)))


def find_by_subject_prefix(connection: sa.Connection, what: str) -> dict[str, list[Notice]]:
    """Return {subject: its notices, the oldest first} of all subjects that begin so: `change:`."""
    return _by_subject(connection, notices.c.subject.startswith(what, autoescape=True))


def _by_subject(
    connection: sa.Connection, where: sa.ColumnElement[bool]
) -> dict[str, list[Notice]]:
    return rows.group_rows(_read_notices(connection, where), attrgetter("subject"))


def count_sent(connection: sa.Connection, route: str, since: datetime, now: datetime) -> int:
    """Return how many messages went out on a route between two times."""
    query = sa.select(sa.func.count()).where(
        notices.c.route == route,
        notices.c.state == SENT,
        notices.c.sent_at > since,
        notices.c.sent_at <= now,  # or a clock that was ahead would keep a route silent
    )
    return int(connection.execute(query).scalar_one())


def list_newest(connection: sa.Connection, limit: int, *, unsent: bool = False) -> list[Notice]:
    """Return the newest notices, or the newest that wait or were given up."""
    query = sa.select(notices).order_by(notices.c.id.desc()).limit(limit)
    if unsent:
        query = query.where(notices.c.state.in_([OPEN, FAILED]))
    return rows.read_records(connection, query, Notice)


def _read_notices(connection: sa.Connection, where: sa.ColumnElement[bool]) -> list[Notice]:
    """Return some notices, the oldest first."""
    query = sa.select(notices).where(where).order_by(notices.c.id)
    return rows.read_records(connection, query, Notice)


@dataclass(frozen=True, slots=True)
class NamedChange(ListedChange):
    """A change as it stands now, with the names of its series and its values."""

    kind: ChangeKind
    role: Role
    status: Status
    cause: Cause
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class SeriesFamily:
    """The properties that series share which differ in quantity and scope alone."""

    job: str  # that began them
    engine: str
    surface: str
    source_lang: str
    target: str
    list: str
    measure: str
    reference: str


@dataclass(frozen=True, slots=True)
class MadeReport:
    """A report that was made."""

    job: str
    kind: str
    due_at: datetime
    folder: str
    digest: str
    made_at: datetime


def list_alarms_since(connection: sa.Connection, since: datetime) -> list[Alarm]:
    """Return the alarms that stand, and those that were resolved since then, the oldest first."""
    fresh = sa.or_(alarms.c.resolved_at.is_(None), alarms.c.resolved_at > since)
    query = sa.select(alarms).where(fresh).order_by(alarms.c.since, alarms.c.id)
    return rows.read_records(connection, query, Alarm)


def list_changes_since(
    connection: sa.Connection, since: datetime, series: Collection[int]
) -> list[NamedChange]:
    """Return the changes in force that could be known since a time, and all of some series.

    Primary series first within a tick. What was found by looking back is none of them.
    """
    condition = changes.c.detected_at >= since
    if series:
        condition |= changes.c.series_id.in_(series)
    return _read_changes(connection, condition)


def list_series_changes(connection: sa.Connection, series: Collection[int]) -> list[NamedChange]:
    """Return the changes of some series that hold now."""
    return _read_changes(connection, changes.c.series_id.in_(series))


def find_families(connection: sa.Connection, series: Collection[int]) -> dict[int, SeriesFamily]:
    """Return {series: the family that it is of}."""
    columns_of = {**dict(series_keys.c), "engine": engines.c.name, "surface": engines.c.surface}
    query = (
        sa.select(series_keys.c.id, *(columns_of[name] for name in SeriesFamily.__slots__))
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(series_keys.c.id.in_(series))
    )
    return {number: SeriesFamily(*names) for number, *names in connection.execute(query)}


def list_changes_between(
    connection: sa.Connection, job: str, after: datetime, to: datetime
) -> list[NamedChange]:
    """Return the changes of a job that could be known after one time and up to another."""
    within = (changes.c.detected_at > after) & (changes.c.detected_at <= to)
    return _read_changes(connection, within & (runs.c.job == job))


def count_tested_ticks(
    connection: sa.Connection, job: str, after: datetime, to: datetime
) -> tuple[int, int]:
    """Return (ticks of a job at which something could be tested, ticks at which nothing could)."""
    within = (looks.c.due_at > after) & (looks.c.due_at <= to)
    query = sa.select(sa.func.count(looks.c.p), sa.func.count())
    tested, n = connection.execute(query.where(looks.c.job == job, within)).one()
    return int(tested), int(n) - int(tested)


def _read_changes(
    connection: sa.Connection, condition: sa.ColumnElement[bool]
) -> list[NamedChange]:
    query = (
        select_columns(field.name for field in fields(NamedChange))
        .where(changes.c.status != Status.RETROSPECTIVE, condition)
        .order_by(changes.c.detected_at, changes.c.role != Role.PRIMARY, changes.c.id)
    )
    return rows.read_records(connection, query, NamedChange)


def list_reports_since(connection: sa.Connection, since: datetime) -> list[MadeReport]:
    """Return the reports that were made since then, the oldest first."""
    query = sa.select(reports).where(reports.c.state == "made", reports.c.made_at > since)
    return rows.read_records(connection, query.order_by(reports.c.made_at), MadeReport)
