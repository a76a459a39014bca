"""What metrics and supervision read: small reads that stay quick however much is stored.

Nothing here reads a whole table of answers. Counts are of what came after an id that the caller
remembers; what concerns a run is found by the run's own index, a job's newest runs by the job's.
"""

import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from monitor.model import ANSWERED_OUTCOMES, Purpose, RunState, Stage, TaskState, TickState
from monitor.store import tasks as todo
from monitor.store.database import Database
from monitor.store.runs import AGAIN
from monitor.store.schema import (
    attempts,
    bundles,
    engines,
    erasures,
    exchanges,
    jobs,
    labels,
    points,
    processes,
    readings,
    runs,
    series_keys,
    stages_done,
    tasks,
    ticks,
    watched_jobs,
)

_FINISHED = (RunState.DONE, RunState.PARTIAL)
_OPEN_TICKS = (TickState.DUE, TickState.RUNNING)


def can_be_read(connection: sa.Connection) -> bool:
    """Read something, whatever schema is there; False where there is no table of ours."""
    return sa.inspect(connection).has_table(runs.name)


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Took:
    """How long requests to an engine took: how many ended within each limit, all, their sum."""

    within: tuple[int, ...]
    n: int
    seconds: float


def newest_exchange(connection: sa.Connection) -> int:
    """The id of the newest exchange, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(exchanges.c.id))).scalar() or 0)


def _between(after: int, to: int) -> sa.ColumnElement[bool]:
    return (exchanges.c.id > after) & (exchanges.c.id <= to)


def attempts_between(connection: sa.Connection, after: int, to: int) -> dict[tuple[str, str], int]:
    """{(engine, outcome): attempts} of the exchanges after one id up to another."""
    query = (
        sa.select(engines.c.name, exchanges.c.outcome, sa.func.count())
        .select_from(exchanges)
        .join(attempts, attempts.c.exchange_id == exchanges.c.id)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to))
        .group_by(engines.c.name, exchanges.c.outcome)
    )
    return {(name, outcome): int(n) for name, outcome, n in connection.execute(query)}


def durations_between(
    connection: sa.Connection, after: int, to: int, limits: Sequence[float]
) -> dict[str, Took]:
    """{engine: how long its requests took}; each limit counts all that took at most so long."""
    within = [
        sa.func.coalesce(sa.func.sum(sa.case((exchanges.c.took <= limit, 1), else_=0)), 0)
        for limit in limits
    ]
    query = (
        sa.select(engines.c.name, sa.func.count(), sa.func.sum(exchanges.c.took), *within)
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to), exchanges.c.purpose == Purpose.PROBE)
        .group_by(engines.c.name)
    )
    return {
        name: Took(tuple(int(one) for one in counts), int(n), float(seconds))
        for name, n, seconds, *counts in connection.execute(query)
    }


def _valid() -> sa.ColumnElement[bool]:
    return exchanges.c.outcome.in_(sorted(ANSWERED_OUTCOMES))


def last_valid(connection: sa.Connection) -> dict[str, datetime]:
    """{engine: when it last gave an answer}, for once; `valid_between` says what came since."""
    found: dict[str, datetime] = {}
    for engine_id, name in connection.execute(sa.select(engines.c.id, engines.c.name)).all():
        query = (
            sa.select(exchanges.c.asked_at)
            .where(exchanges.c.engine_id == engine_id, _valid())
            .order_by(exchanges.c.asked_at.desc())
            .limit(1)
        )
        at = connection.execute(query).scalar()
        if at is not None:
            found[name] = max(at, found.get(name, at))
    return found


def valid_between(connection: sa.Connection, after: int, to: int) -> dict[str, datetime]:
    """{engine: when it last gave an answer} among the exchanges after one id up to another."""
    query = (
        sa.select(engines.c.name, sa.func.max(exchanges.c.asked_at))
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to), _valid())
        .group_by(engines.c.name)
    )
    return {name: at for name, at in connection.execute(query)}  # noqa: C416 - rows are no pairs


def has_answered(connection: sa.Connection, name: str, config_hash: str, since: datetime) -> bool:
    """Whether an engine with this configuration gave an answer since a time."""
    query = sa.select(
        sa.exists().where(
            exchanges.c.engine_id == engines.c.id,
            engines.c.name == name,
            engines.c.config_hash == config_hash,
            exchanges.c.asked_at >= since,
            _valid(),
        )
    )
    return bool(connection.execute(query).scalar())


# --- runs -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stand:
    """A run and how far it has come."""

    id: int
    job: str
    due_at: datetime
    state: RunState
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ending:
    """How many questions of a run ended so at one engine. No outcome: not asked yet."""

    engine: str
    kind: str
    outcome: str
    reason: str
    questions: int


def jobs_with_runs(connection: sa.Connection) -> list[str]:
    """The jobs that have runs, without those that were watched and whose file is gone."""
    gone = sa.select(watched_jobs.c.job).where(~watched_jobs.c.is_active)
    query = sa.select(runs.c.job).where(runs.c.job.not_in(gone)).distinct().order_by(runs.c.job)
    return list(connection.execute(query).scalars())


def newest_runs(
    connection: sa.Connection,
    job: str,
    limit: int = 1,
    *,
    finished: bool = False,
    before: datetime | None = None,
) -> list[Stand]:
    """A job's newest runs by their tick, the newest first, without those that ask a part again.

    Only the finished ones if wanted, and only those that were finished before a time.
    """
    query = _newest(finished=finished or before is not None, before=before is not None)
    values = {"job": job, "most": limit} | ({"before": before} if before else {})
    return [
        Stand(row.id, row.job, row.due_at, RunState(row.state), row.created_at, row.finished_at)
        for row in connection.execute(query, values)
    ]


@cache
def _newest(*, finished: bool, before: bool) -> sa.Select[Any]:
    """Made once: it is asked for hundreds of jobs every minute."""
    columns = ("id", "job", "due_at", "state", "created_at", "finished_at")
    query = (
        sa.select(*(runs.c[name] for name in columns))
        .where(runs.c.job == sa.bindparam("job"), runs.c.kind.not_in(AGAIN))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(sa.bindparam("most", type_=sa.Integer))
    )
    if finished:
        query = query.where(runs.c.state.in_(_FINISHED))
    if before:
        query = query.where(runs.c.finished_at < sa.bindparam("before"))
    return query


def marks(connection: sa.Connection, stage: str, some: Sequence[Stand]) -> set[tuple[int, str]]:
    """(run, version) of every version with which a stage has seen one of these runs."""
    query = sa.select(stages_done.c.run_id, stages_done.c.version).where(
        stages_done.c.stage == stage, stages_done.c.run_id.in_([run.id for run in some])
    )
    return {(row.run_id, row.version) for row in connection.execute(query)}


def endings(connection: sa.Connection, run_id: int) -> list[Ending]:
    """What became of the questions of one run, by engine: as its newest parser reads the answers.

    Tries that were followed by another are left out.
    """
    found = connection.execute(_ended(), {"run": run_id})
    return [Ending(*row) for row in found]


@cache
def _ended() -> sa.Select[Any]:
    """Made once: supervision reads the runs before as well."""
    every = readings.alias()
    newest = (
        sa.select(sa.func.max(every.c.parser_id))
        .where(every.c.attempt_id == attempts.c.id)
        .correlate(attempts)
        .scalar_subquery()
    )
    outcome = sa.func.coalesce(readings.c.outcome, exchanges.c.outcome, "").label("outcome")
    reason = sa.func.coalesce(readings.c.reason, exchanges.c.reason, "").label("reason")
    ended = (
        sa.select(attempts.c.engine_id, outcome, reason)
        .select_from(attempts)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(
            readings, (readings.c.attempt_id == attempts.c.id) & (readings.c.parser_id == newest)
        )
        .where(
            attempts.c.run_id == sa.bindparam("run"),
            attempts.c.final | attempts.c.exchange_id.is_(None),
        )
        .subquery()
    )
    by = (engines.c.name, engines.c.kind, ended.c.outcome, ended.c.reason)
    return (
        sa.select(*by, sa.func.count())
        .select_from(ended)
        .join(engines, engines.c.id == ended.c.engine_id)
        .group_by(*by)
        .order_by(*by)
    )


def news(connection: sa.Connection, run_id: int) -> tuple[object, ...]:
    """Another value when the run has come further, or anything was computed, labelled or erased."""
    query = sa.select(runs.c.id, runs.c.state, runs.c.finished_at).where(runs.c.id == run_id)
    newest = (sa.select(sa.func.max(t.c.id)).scalar_subquery() for t in (points, labels, erasures))
    return (*connection.execute(query).one(), *connection.execute(sa.select(*newest)).one())


@dataclass(frozen=True, slots=True)
class Measured:
    """One value over everything that a run asked, which could be measured."""

    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    value: float
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None


def measured(connection: sa.Connection, some: Sequence[Stand]) -> list[Measured]:
    """The values of scope `all` that are in force in these runs, the newest point last.

    Points have no index by run; they are found by their series and tick.
    """
    job_of = {run.id: run.job for run in some}
    names = ("list", "source_lang", "target", "measure", "quantity", "reference")
    numbers = ("value", "low", "high", "bound_low", "bound_high")
    query = (
        sa.select(
            points.c.run_id,
            engines.c.name,
            *(series_keys.c[name] for name in names),
            *(points.c[name] for name in numbers),
        )
        .select_from(series_keys)
        .join(points, points.c.series_id == series_keys.c.id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(
            series_keys.c.scope == "all",
            points.c.is_current,
            points.c.due_at.in_({run.due_at for run in some}),
            points.c.run_id.in_(list(job_of)),
            points.c.value.is_not(None),
        )
        .order_by(points.c.id)
    )
    found = []
    for run_id, engine, named, *rest in connection.execute(query):
        found.append(Measured(job_of[run_id], named, engine, *rest))
    return found


# --- what is to be done ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenTick:
    """A tick that is due or running."""

    id: int
    job: str
    due_at: datetime
    start_at: datetime
    state: TickState


def open_ticks(connection: sa.Connection) -> list[OpenTick]:
    """The ticks that have not ended, the oldest first."""
    query = (
        sa.select(ticks.c.id, ticks.c.job, ticks.c.due_at, ticks.c.start_at, ticks.c.state)
        .where(ticks.c.state.in_(_OPEN_TICKS))
        .order_by(ticks.c.due_at, ticks.c.id)
    )
    return [OpenTick(*row[:-1], TickState(row.state)) for row in connection.execute(query)]


def newest_tick(connection: sa.Connection) -> int:
    """The id of the newest tick, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(ticks.c.id))).scalar() or 0)


def ended_ticks(
    connection: sa.Connection, after: int, still_open: Collection[int]
) -> dict[tuple[str, str], int]:
    """{(job, state): ticks} that have ended, of those after an id and of those that were open."""
    query = (
        sa.select(ticks.c.job, ticks.c.state, sa.func.count())
        .where(
            (ticks.c.id > after) | ticks.c.id.in_(sorted(still_open)),
            ticks.c.state.not_in(_OPEN_TICKS),
        )
        .group_by(ticks.c.job, ticks.c.state)
    )
    return {(job, state): int(n) for job, state, n in connection.execute(query)}


def last_ticks(connection: sa.Connection, some: Sequence[str]) -> dict[str, tuple[str, datetime]]:
    """{job: (state, due time) of its newest tick} of these jobs."""
    found: dict[str, tuple[str, datetime]] = {}
    for job in some:
        query = (
            sa.select(ticks.c.state, ticks.c.due_at)
            .where(ticks.c.job == job)
            .order_by(ticks.c.due_at.desc())
            .limit(1)
        )
        row = connection.execute(query).one_or_none()
        if row is not None:
            found[job] = (row.state, row.due_at)
    return found


def active_jobs(connection: sa.Connection) -> list[str]:
    """The jobs that are watched now, by name."""
    query = sa.select(watched_jobs.c.job).where(watched_jobs.c.is_active)
    return list(connection.execute(query.order_by(watched_jobs.c.job)).scalars())


def active_contents(connection: sa.Connection) -> list[tuple[datetime, object]]:
    """(watched since, content) of the jobs that are watched now, by name."""
    query = (
        sa.select(watched_jobs.c.watched_since, jobs.c.content)
        .join(bundles, bundles.c.id == watched_jobs.c.bundle_id)
        .join(jobs, jobs.c.id == bundles.c.job_id)
        .where(watched_jobs.c.is_active)
        .order_by(watched_jobs.c.job)
    )
    return [(row.watched_since, row.content) for row in connection.execute(query)]


def said_of(connection: sa.Connection, process: str) -> tuple[str, str] | None:
    """(role, what it does) of a process, as it announced itself last."""
    query = sa.select(processes.c.role, processes.c.detail).where(processes.c.name == process)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.role, row.detail)


def task_counts(connection: sa.Connection) -> dict[tuple[str, str], int]:
    """{(stage, state): tasks} that are open or were given up; how many are done is no news."""
    counts = {
        (stage.value, state.value): 0
        for stage in Stage
        for state in (TaskState.OPEN, TaskState.FAILED)
    }
    query = (
        sa.select(tasks.c.stage, tasks.c.state, sa.func.count())
        .where(tasks.c.state.in_((TaskState.OPEN, TaskState.FAILED)))
        .group_by(tasks.c.stage, tasks.c.state)
    )
    return counts | {(stage, state): int(n) for stage, state, n in connection.execute(query)}


def ready_since(connection: sa.Connection, now: datetime) -> datetime | None:
    """Since when the oldest task that could be begun now waits for somebody; None: there is none.

    A run's derivation is ready when the last of its other tasks has changed.
    """
    waiting = todo.ready(connection, now)
    if not waiting:
        return None
    changed = sa.select(tasks.c.run_id, tasks.c.id, tasks.c.changed_at).where(
        tasks.c.run_id.in_({task.run_id for task in waiting})
    )
    own: dict[int, datetime] = {}
    of_run: dict[int, datetime] = {}
    for run_id, task_id, at in connection.execute(changed):
        own[task_id] = at
        of_run[run_id] = max(at, of_run.get(run_id, at))
    return min(
        max(
            task.not_before or own[task.id],
            own[task.id] if task.stage is Stage.COLLECT else of_run[task.run_id],
        )
        for task in waiting
    )


# --- room -----------------------------------------------------------------------------------------


def database_bytes(connection: sa.Connection, database: Database) -> int:
    """What the database takes: its files and their logs, or what the server says."""
    if not database.keeps_files:
        size = sa.select(sa.func.pg_database_size(sa.func.current_database()))
        return int(connection.execute(size).scalar_one())
    listed = connection.exec_driver_sql("PRAGMA database_list").all()
    names = [f"{row[2]}{end}" for row in listed if row[2] for end in ("", "-wal")]
    return sum(_size(name) for name in names)


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:  # the log comes and goes
        return 0


def folder_bytes(folder: Path) -> int:
    """What the files of large answers take in their folder. Looks at every file."""
    return sum(_size(str(path)) for path in folder.glob("*/*"))


def free_bytes(database: Database) -> int | None:
    """Free bytes of this machine's disk that holds the data folder; None where there is none."""
    folder = database.bodies.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
