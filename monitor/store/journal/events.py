"""Events, alarms, live processes, and a token for caches that changes when anything is added.

Events are only ever added. An alarm is one row from when it is raised until it is resolved.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

import sqlalchemy as sa

from monitor.model import make_storable
from monitor.store import rows
from monitor.store.schedule.leases import is_at_work
from monitor.store.schema import (
    alarms,
    changes,
    comparisons,
    corpora,
    embargoes,
    erasures,
    events,
    instrument_audits,
    jobs,
    judgements,
    labels,
    points,
    preregistrations,
    processes,
    reports,
    runs,
    switches,
)

_COUNTED = (
    points, comparisons, changes, switches, runs, reports, labels, erasures, alarms, embargoes,
    jobs, preregistrations, instrument_audits, judgements, corpora,
)  # fmt: skip
#: Shapes of answers, counted with each portion and compared with each run: they are no news.
_COUNTS = ("answer_shape", "answer_shape_change")
_ENDS = (runs.c.finished_at, alarms.c.resolved_at, embargoes.c.lifted_at)
#: Made once: it is asked with nearly every page.
_NEWEST = sa.select(
    *(sa.select(sa.func.max(table.c.id)).scalar_subquery() for table in _COUNTED),
    *(sa.select(sa.func.max(end)).scalar_subquery() for end in _ENDS),
)

Stamp: TypeAlias = tuple[object, ...]


def read_cache_version(connection: sa.Connection) -> Stamp:
    """Return a token that changes when rows are added, or a run, alarm or embargo has ended.

    What is only no longer current leaves no trace here: keep nothing for long.
    """
    return tuple(connection.execute(_NEWEST).one())


@dataclass(frozen=True, slots=True)
class Event:
    """One event."""

    id: int
    at: datetime
    kind: str
    subject: str
    detail: str
    run_id: int | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is not as it should be: since when, and when that was last seen."""

    id: int
    kind: str
    subject: str
    detail: str
    since: datetime
    seen_at: datetime
    resolved_at: datetime | None = None


def add_event(
    connection: sa.Connection,
    kind: str,
    subject: str,
    detail: str,
    *,
    now: datetime,
    run_id: int | None = None,
) -> None:
    """Write down what happened."""
    row = {
        "at": now,
        "kind": make_storable(kind),
        "subject": make_storable(subject),
        "detail": make_storable(detail),
        "run_id": run_id,
    }
    connection.execute(sa.insert(events).values(row))


def list_newest(connection: sa.Connection, limit: int, kind: str | None = None) -> list[Event]:
    """Return the newest events, of one kind or all but counts, the newest first."""
    query = sa.select(events).order_by(events.c.at.desc(), events.c.id.desc()).limit(limit)
    if kind is None:
        query = query.where(events.c.kind.not_in(_COUNTS))
    else:
        query = query.where(events.c.kind == make_storable(kind))
    return rows.read_records(connection, query, Event)


def list_about(connection: sa.Connection, kind: str, subject: str) -> list[Event]:
    """Return the events of a kind about something, the oldest first."""
    query = sa.select(events).where(_is_about(kind, subject)).order_by(events.c.id)
    return rows.read_records(connection, query, Event)


def _is_about(kind: str, subject: str) -> sa.ColumnElement[bool]:
    return (events.c.kind == make_storable(kind)) & (events.c.subject == make_storable(subject))


def list_of_kind(connection: sa.Connection, kind: str, after: int = 0) -> list[Event]:
    """Return the events of a kind with a larger id, the oldest first."""
    query = sa.select(events).where(events.c.kind == make_storable(kind), events.c.id > after)
    return rows.read_records(connection, query.order_by(events.c.id), Event)


def find_last_detail(
    connection: sa.Connection, kind: str, subject: str, run_id: int | None = None
) -> str | None:
    """Return the detail of the newest event of a kind about something; None where there is none.

    Where a run is named, of those about this run.
    """
    query = sa.select(events.c.detail).where(_is_about(kind, subject))
    if run_id is not None:
        query = query.where(events.c.run_id == run_id)
    return connection.execute(query.order_by(events.c.id.desc()).limit(1)).scalar()


def raise_alarm(
    connection: sa.Connection, kind: str, subject: str, detail: str, now: datetime
) -> bool:
    """Raise an alarm, or say that it still stands, with its newest detail. True if it is new."""
    rows.lock_table(connection, alarms)  # two would open one row each
    seen = {"detail": make_storable(detail), "seen_at": now}
    change = sa.update(alarms).where(_is_open(kind, subject)).values(seen)
    if connection.execute(change).rowcount:
        return False
    row = {"kind": make_storable(kind), "subject": make_storable(subject), "since": now, **seen}
    connection.execute(sa.insert(alarms).values(row))
    return True


def resolve_alarm(connection: sa.Connection, kind: str, subject: str, now: datetime) -> bool:
    """End an alarm; False if none was open."""
    rows.lock_table(connection, alarms)
    change = sa.update(alarms).where(_is_open(kind, subject)).values(resolved_at=now)
    return bool(connection.execute(change).rowcount)


def update_alarms(
    connection: sa.Connection,
    kind: str,
    standing: Mapping[str, str],
    over: Iterable[str],
    now: datetime,
) -> tuple[list[str], list[str]]:
    """Raise alarms of a kind, as {subject: detail}, and end others; what was raised and ended."""
    raised = [
        about for about, text in standing.items() if raise_alarm(connection, kind, about, text, now)
    ]
    return raised, [about for about in over if resolve_alarm(connection, kind, about, now)]


def list_open_alarms(connection: sa.Connection) -> list[Alarm]:
    """Return the alarms that stand, the oldest first."""
    query = sa.select(alarms).where(alarms.c.resolved_at.is_(None))
    return rows.read_records(connection, query.order_by(alarms.c.since, alarms.c.id), Alarm)


def _is_open(kind: str, subject: str) -> sa.ColumnElement[bool]:
    return sa.and_(
        alarms.c.kind == make_storable(kind),
        alarms.c.subject == make_storable(subject),
        alarms.c.resolved_at.is_(None),
    )


# --- processes ------------------------------------------------------------------------------------

Role: TypeAlias = Literal["daemon", "worker"]


@dataclass(frozen=True, slots=True)
class Process:
    """A daemon or a worker by its name, `machine:process:when it began`."""

    name: str
    role: Role
    started_at: datetime
    seen_at: datetime
    detail: str


def announce_process(
    connection: sa.Connection, name: str, role: Role, detail: str, now: datetime
) -> None:
    """Say that a process is there, and what it does; the first time is when it started."""
    content = {"role": role, "seen_at": now, "detail": make_storable(detail)}
    change = sa.update(processes).where(processes.c.name == name)
    if not connection.execute(change.values(content)).rowcount:
        rows.insert_ignore(connection, processes, [{"name": name, "started_at": now, **content}])


def remove_process(connection: sa.Connection, name: str) -> None:
    """Forget a process: it has ended."""
    connection.execute(sa.delete(processes).where(processes.c.name == name))


def list_heard(connection: sa.Connection, now: datetime, within: timedelta) -> list[Process]:
    """Return processes that have not ended and were heard of within a time, by start."""
    query = sa.select(processes).where(processes.c.seen_at >= now - within)
    query = query.order_by(processes.c.started_at, processes.c.name)
    return rows.read_records(connection, query, Process)


def list_alive(connection: sa.Connection, now: datetime, within: timedelta) -> list[Process]:
    """Return processes as `list_heard`, without those of this machine that are gone."""
    processes_heard = list_heard(connection, now, within)
    return [process for process in processes_heard if is_at_work(process.name) is not False]


def read_announcement(connection: sa.Connection, process: str) -> tuple[str, str] | None:
    """Return (role, what it does) of a process, as it announced itself last."""
    query = sa.select(processes.c.role, processes.c.detail).where(processes.c.name == process)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.role, row.detail)
