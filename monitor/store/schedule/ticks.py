"""Due ticks and watched jobs, as the clock of the daemon needs them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import sqlalchemy as sa

from monitor.model import RunKind, RunState, TickState, make_storable
from monitor.store import rows
from monitor.store.collect import runs
from monitor.store.collect.runs import SELECT_RUNS, Run
from monitor.store.schema import engines, events, tasks, ticks, watched_jobs
from monitor.store.schema import runs as runs_table
from monitor.store.selectables import engine_of_label

#: (due_at, start_at, state, reason) of a tick that is written down for the first time.
Noted: TypeAlias = tuple[datetime, datetime, TickState, str]

#: Of ticks that nobody has worked on yet, or somebody does.
OPEN = (TickState.DUE, TickState.RUNNING)


@dataclass(frozen=True, slots=True)
class DueTick:
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
class WatchedJobRow:
    """A job by its last version that could be used; `trouble` says why a newer one cannot be."""

    job: str
    path: str
    bundle_id: int
    watched_since: datetime
    is_active: bool
    trouble: str
    next_at: datetime | None


def note_ticks(
    connection: sa.Connection, job: str, new_ticks: Iterable[Noted], now: datetime
) -> None:
    """Write ticks down. One that is there stays as it is: a job has one tick at a time."""
    content = [
        {
            "job": job,
            "due_at": due_at,
            "start_at": start_at,
            "state": state,
            "reason": make_storable(reason),
            "noted_at": now,
            "ended_at": None if state in OPEN else now,
        }
        for due_at, start_at, state, reason in new_ticks
    ]
    rows.insert_ignore(connection, ticks, content)


def begin_tick(connection: sa.Connection, tick_id: int, run_id: int) -> bool:
    """Return a due tick runs from now on; False if it was begun or ended already."""
    change = sa.update(ticks).where(ticks.c.id == tick_id, ticks.c.state == TickState.DUE)
    return bool(connection.execute(change.values(state=TickState.RUNNING, run_id=run_id)).rowcount)


def end_tick(
    connection: sa.Connection, tick_id: int, state: TickState, reason: str, now: datetime
) -> bool:
    """Say what became of a tick, once; False if that was said already."""
    if state in OPEN:
        raise ValueError(f"{state}: a tick does not end so")
    change = sa.update(ticks).where(ticks.c.id == tick_id, ticks.c.state.in_(OPEN))
    change = change.values(state=state, reason=make_storable(reason), ended_at=now)
    return bool(connection.execute(change).rowcount)


def _read_ticks(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> list[DueTick]:
    """Return some ticks, the oldest first."""
    query = sa.select(ticks).where(*which).order_by(ticks.c.due_at, ticks.c.id)
    return rows.read_records(connection, query, DueTick)


def list_open_ticks(connection: sa.Connection) -> list[DueTick]:
    """Return the ticks that have not ended, the oldest first."""
    return _read_ticks(connection, ticks.c.state.in_(OPEN))


def find_due(connection: sa.Connection, now: datetime) -> list[DueTick]:
    """Return ticks that can be begun now, the oldest first."""
    return _read_ticks(connection, ticks.c.state == TickState.DUE, ticks.c.start_at <= now)


def list_unbegun(connection: sa.Connection, job: str) -> list[DueTick]:
    """Return a job's ticks that are not begun, the oldest first, also those to come."""
    return _read_ticks(connection, ticks.c.job == job, ticks.c.state == TickState.DUE)


def list_running(connection: sa.Connection) -> list[DueTick]:
    """Return ticks that were begun and have not ended, the oldest first."""
    return _read_ticks(connection, ticks.c.state == TickState.RUNNING)


def list_newest(connection: sa.Connection, job: str, limit: int) -> list[DueTick]:
    """Return a job's newest ticks, the newest first."""
    query = sa.select(ticks).where(ticks.c.job == job).order_by(ticks.c.due_at.desc())
    return rows.read_records(connection, query.limit(limit), DueTick)


def list_open_of_run(connection: sa.Connection, run_id: int) -> list[DueTick]:
    """Return the ticks that wait for a run to end."""
    return _read_ticks(connection, ticks.c.run_id == run_id, ticks.c.state == TickState.RUNNING)


def watch_job(
    connection: sa.Connection, job: str, path: str, bundle_id: int, now: datetime
) -> None:
    """Watch a job, or a new version of it, which ends its trouble.

    Ticks are owed from when it was first watched, also if its file was gone in between.
    """
    content = {
        "path": make_storable(path), "bundle_id": bundle_id, "is_active": True, "trouble": "",
    }  # fmt: skip
    row = {"job": job, "watched_since": now, "next_at": None, **content}
    rows.insert_ignore(connection, watched_jobs, [row])
    _update_job(connection, job, content)


def correct_watch_times(connection: sa.Connection, now: datetime) -> int:
    """Have no job watched only from a time to come: a clock was ahead. Returns of how many."""
    change = sa.update(watched_jobs).where(watched_jobs.c.watched_since > now)
    return int(connection.execute(change.values(watched_since=now)).rowcount)


def set_trouble(connection: sa.Connection, job: str, text: str) -> None:
    """Say why a watched job's file as it stands cannot be used; its old version goes on."""
    _update_job(connection, job, {"trouble": make_storable(text)})


def retire_job(connection: sa.Connection, job: str) -> None:
    """Stop watching a job whose file is gone, until it is watched again."""
    _update_job(connection, job, {"is_active": False, "next_at": None})


def set_next_time(connection: sa.Connection, job: str, due_at: datetime | None) -> None:
    """Write down when a watched job is due next, for people who look; None: never."""
    _update_job(connection, job, {"next_at": due_at})


def list_watched(connection: sa.Connection) -> list[WatchedJobRow]:
    """Return every job that is or was watched, by name."""
    query = sa.select(watched_jobs).order_by(watched_jobs.c.job)
    return rows.read_records(connection, query, WatchedJobRow)


def _update_job(connection: sa.Connection, job: str, content: dict[str, object]) -> None:
    connection.execute(sa.update(watched_jobs).where(watched_jobs.c.job == job).values(content))


def find_scheduled_run(connection: sa.Connection, job: str, due_at: datetime) -> Run | None:
    """Return the run that was begun for a tick; None if there is none."""
    run_id = runs.find_scheduled(connection, job, due_at)
    return None if run_id is None else runs.get_run(connection, run_id)


def find_last_noted(connection: sa.Connection, job: str, now: datetime) -> datetime | None:
    """Return the due time of a job's newest tick that is not in the future."""
    query = sa.select(sa.func.max(ticks.c.due_at))
    query = query.where(ticks.c.job == job, ticks.c.due_at <= now)
    return connection.execute(query).scalar()


def find_cut_off(connection: sa.Connection, job: str) -> list[Run]:
    """Return a job's runs of ticks that were left in the middle, the oldest first."""
    is_of_ticks = (runs_table.c.job == job) & (runs_table.c.kind == RunKind.SCHEDULED)
    is_begun = runs_table.c.state.in_((RunState.RUNNING, RunState.INTERRUPTED))
    return runs.list_runs(connection, is_of_ticks, is_begun)


def find_without_tasks(connection: sa.Connection) -> list[Run]:
    """Return begun runs of watched jobs without tasks whose tick is not about to begin."""
    to_come = sa.select(ticks.c.id).where(
        ticks.c.job == runs_table.c.job,
        ticks.c.due_at == runs_table.c.due_at,
        ticks.c.state == TickState.DUE,
    )
    query = SELECT_RUNS.where(
        runs_table.c.kind != RunKind.MANUAL,
        runs_table.c.state == RunState.RUNNING,
        runs_table.c.bundle_id.is_not(None),
        runs_table.c.job.in_(sa.select(watched_jobs.c.job)),
        ~sa.exists().where(tasks.c.run_id == runs_table.c.id),
        ~to_come.exists(),
    )
    return rows.read_records(connection, query.order_by(runs_table.c.id), Run)


def remove_later(connection: sa.Connection, now: datetime) -> int:
    """Remove ticks that are not due yet and have no run: a clock was ahead when they were noted."""
    are_later = (ticks.c.due_at > now) & (ticks.c.noted_at > now) & ticks.c.run_id.is_(None)
    return int(connection.execute(sa.delete(ticks).where(are_later)).rowcount)


def find_later_times(connection: sa.Connection, than: datetime) -> tuple[datetime, datetime] | None:
    """Return the first and last time after this one of an event or a tick."""
    times: list[datetime] = []
    for column in (events.c.at, ticks.c.noted_at):
        query = sa.select(sa.func.min(column), sa.func.max(column)).where(column > than)
        times.extend(moment for moment in connection.execute(query).one() if moment is not None)
    return (min(times), max(times)) if times else None


def read_newest_by_subject(connection: sa.Connection, kind: str) -> dict[str, datetime]:
    """Return {subject: time of its newest event of this kind}, in the order of writing.

    The times themselves may be those of a clock that was wrong.
    """
    newest = sa.select(sa.func.max(events.c.id)).where(events.c.kind == kind)
    newest = newest.group_by(events.c.subject)
    query = sa.select(events.c.subject, events.c.at).where(events.c.id.in_(newest))
    return {row[0]: row[1] for row in connection.execute(query)}


def count_states(connection: sa.Connection, since: datetime) -> Counter[str]:
    """Return how many ticks that came due since then are in each state."""
    query = (
        sa.select(ticks.c.state, sa.func.count())
        .where(ticks.c.due_at >= since)
        .group_by(ticks.c.state)
    )
    return Counter({row[0]: int(row[1]) for row in connection.execute(query)})


def list_waiting(connection: sa.Connection) -> list[dict[str, object]]:
    """Return open tasks that say why they wait, with their run and job."""
    query = (
        sa.select(
            tasks.c.run_id, runs_table.c.job, tasks.c.lane, tasks.c.not_before, tasks.c.reason
        )
        .join(runs_table, runs_table.c.id == tasks.c.run_id)
        .where(tasks.c.state == "open", tasks.c.reason != "")
        .order_by(tasks.c.id)
    )
    return rows.read_plain_rows(connection, query)


def list_lanes(connection: sa.Connection) -> list[str]:
    """Return the lanes that were ever asked: services, and servers with their hosts."""
    from monitor.jobs import lane_of  # noqa: PLC0415 - `monitor status` does without job files

    query = sa.select(engines.c.name, engines.c.config)
    return sorted({lane_of(engine_of_label(name), use) for name, use in connection.execute(query)})


def list_jobs(connection: sa.Connection) -> list[str]:
    """Return the jobs that are or were watched, or have runs."""
    query = sa.union(sa.select(watched_jobs.c.job), sa.select(runs_table.c.job))
    return sorted(connection.execute(query).scalars())
