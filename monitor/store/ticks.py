"""Due ticks of jobs and what became of each, and the jobs that are watched. Mutable until ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import sqlalchemy as sa

from monitor.model import TickState, storable
from monitor.store import rows
from monitor.store.schema import ticks, watched_jobs

#: (due_at, start_at, state, reason) of a tick that is written down for the first time.
Noted: TypeAlias = tuple[datetime, datetime, TickState, str]

_OPEN = (TickState.DUE, TickState.RUNNING)


@dataclass(frozen=True, slots=True)
class Tick:
    """One due tick of a job. `start_at` is its due time and the jitter."""

    id: int
    job: str
    due_at: datetime
    start_at: datetime
    state: TickState
    reason: str
    run_id: int | None
    noted_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Watched:
    """A job by its last version that could be used; `trouble` says why a newer one cannot be."""

    job: str
    path: str
    bundle_id: int
    watched_since: datetime
    is_active: bool
    trouble: str
    next_at: datetime | None


def note(connection: sa.Connection, job: str, found: Iterable[Noted], now: datetime) -> None:
    """Write ticks down. One that is there stays as it is: a job has one tick at a time."""
    content = [
        {
            "job": job,
            "due_at": due_at,
            "start_at": start_at,
            "state": state,
            "reason": storable(reason),
            "noted_at": now,
            "ended_at": None if state in _OPEN else now,
        }
        for due_at, start_at, state, reason in found
    ]
    rows.insert_ignore(connection, ticks, content)


def begin(connection: sa.Connection, tick_id: int, run_id: int) -> bool:
    """A due tick runs from now on; False if it was begun or ended already."""
    change = sa.update(ticks).where(ticks.c.id == tick_id, ticks.c.state == TickState.DUE)
    return bool(connection.execute(change.values(state=TickState.RUNNING, run_id=run_id)).rowcount)


def end(
    connection: sa.Connection, tick_id: int, state: TickState, reason: str, now: datetime
) -> bool:
    """Say what became of a tick, once; False if that was said already."""
    if state in _OPEN:
        raise ValueError(f"{state}: a tick does not end so")
    change = sa.update(ticks).where(ticks.c.id == tick_id, ticks.c.state.in_(_OPEN))
    change = change.values(state=state, reason=storable(reason), ended_at=now)
    return bool(connection.execute(change).rowcount)


def due(connection: sa.Connection, now: datetime) -> list[Tick]:
    """Ticks that can be begun now, the oldest first."""
    where = (ticks.c.state == TickState.DUE) & (ticks.c.start_at <= now)
    return _found(connection, sa.select(ticks).where(where).order_by(ticks.c.due_at, ticks.c.id))


def to_begin(connection: sa.Connection, job: str) -> list[Tick]:
    """A job's ticks that are not begun yet, also those whose start is to come, the oldest first."""
    where = (ticks.c.job == job) & (ticks.c.state == TickState.DUE)
    return _found(connection, sa.select(ticks).where(where).order_by(ticks.c.due_at, ticks.c.id))


def running(connection: sa.Connection) -> list[Tick]:
    """Ticks that were begun and have not ended, the oldest first."""
    where = ticks.c.state == TickState.RUNNING
    return _found(connection, sa.select(ticks).where(where).order_by(ticks.c.due_at, ticks.c.id))


def of_job(connection: sa.Connection, job: str, limit: int) -> list[Tick]:
    """A job's newest ticks, the newest first."""
    query = sa.select(ticks).where(ticks.c.job == job).order_by(ticks.c.due_at.desc())
    return _found(connection, query.limit(limit))


def open_of_run(connection: sa.Connection, run_id: int) -> list[Tick]:
    """The ticks that wait for a run to end."""
    where = (ticks.c.run_id == run_id) & (ticks.c.state == TickState.RUNNING)
    return _found(connection, sa.select(ticks).where(where).order_by(ticks.c.id))


def _found(connection: sa.Connection, query: sa.Select[tuple[object, ...]]) -> list[Tick]:
    return [
        Tick(
            row.id,
            row.job,
            row.due_at,
            row.start_at,
            TickState(row.state),
            row.reason,
            row.run_id,
            row.noted_at,
            row.ended_at,
        )
        for row in connection.execute(query)
    ]


def watch(connection: sa.Connection, job: str, path: str, bundle_id: int, now: datetime) -> None:
    """Watch a job, or a new version of it, which ends its trouble.

    Ticks are owed from when it was first watched, also if its file was gone in between.
    """
    content = {"path": storable(path), "bundle_id": bundle_id, "is_active": True, "trouble": ""}
    rows.insert_ignore(
        connection, watched_jobs, [{"job": job, "watched_since": now, "next_at": None, **content}]
    )
    _change(connection, job, content)


def watched_by(connection: sa.Connection, now: datetime) -> int:
    """Have no job watched only from a time to come: a clock was ahead. Returns of how many."""
    change = sa.update(watched_jobs).where(watched_jobs.c.watched_since > now)
    return int(connection.execute(change.values(watched_since=now)).rowcount)


def trouble(connection: sa.Connection, job: str, text: str) -> None:
    """Say why a watched job's file as it stands cannot be used; its old version goes on."""
    _change(connection, job, {"trouble": storable(text)})


def retire(connection: sa.Connection, job: str) -> None:
    """A watched job's file is gone: it has no ticks until it is watched again."""
    _change(connection, job, {"is_active": False, "next_at": None})


def next_at(connection: sa.Connection, job: str, at: datetime | None) -> None:
    """Write down when a watched job is due next, for people who look; None: never."""
    _change(connection, job, {"next_at": at})


def watched(connection: sa.Connection) -> list[Watched]:
    """Every job that is or was watched, by name."""
    return [
        Watched(
            row.job,
            row.path,
            row.bundle_id,
            row.watched_since,
            row.is_active,
            row.trouble,
            row.next_at,
        )
        for row in connection.execute(sa.select(watched_jobs).order_by(watched_jobs.c.job))
    ]


def _change(connection: sa.Connection, job: str, content: dict[str, object]) -> None:
    connection.execute(sa.update(watched_jobs).where(watched_jobs.c.job == job).values(content))
