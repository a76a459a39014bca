"""Tasks of runs: one for each lane, then one that derives; the schema of their queue; open work."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from monitor.model import Stage, StoreProblem, TaskState, make_storable
from monitor.store import rows
from monitor.store.database import Connection, Database
from monitor.store.schedule.ticks import OPEN, list_newest, read_newest_by_subject
from monitor.store.schema import bundles, jobs, runs, tasks, ticks, watched_jobs

#: The kind of the event that notes when runs were planned to be derived anew.
REDO_PLANNED = "redo_planned"

#: The lane of a task that asks all lanes of a run together.
TOGETHER = "*"
#: The lane of a task to derive anew that nobody has asked for: the daemon does it by itself, one at
#: a time, after everything else.
BY_ITSELF = "by-itself"


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be done of a run. `lane` is empty for what asks nobody.

    Of a run that is derived anew it is the first step that may be done, or `BY_ITSELF`.
    """

    id: int
    run_id: int
    job: str
    stage: Stage
    lane: str
    state: TaskState
    tries: int
    not_before: datetime | None
    reason: str
    changed_at: datetime

    @property
    def is_by_itself(self) -> bool:
        """Return whether it is the daemon's own wish, which waits for all others."""
        return self.stage is Stage.REDO and self.lane == BY_ITSELF


_SELECT = sa.select(tasks, runs.c.job).join(runs, runs.c.id == tasks.c.run_id)


def plan_tasks(connection: sa.Connection, run_id: int, lanes: Iterable[str]) -> None:
    """Write a run's tasks, open; those that are there already are opened again."""
    new_tasks = [*((Stage.COLLECT, lane) for lane in lanes), (Stage.DERIVE, "")]
    stages = {stage for stage, _ in new_tasks}
    _open_tasks(connection, run_id, new_tasks, tasks.c.stage.in_(stages))


def plan_redo(connection: sa.Connection, run_id: int, first: str = "") -> None:
    """Have a run derived anew of what is kept, from a step on; it stands as the task's lane."""
    same_task = (tasks.c.stage == Stage.REDO) & (tasks.c.lane == first)
    _open_tasks(connection, run_id, [(Stage.REDO, first)], same_task)


def _open_tasks(
    connection: sa.Connection,
    run_id: int,
    new_tasks: list[tuple[Stage, str]],
    these: sa.ColumnElement[bool],
) -> None:
    fresh = {
        "state": TaskState.OPEN, "tries": 0, "not_before": None, "reason": "",
        "changed_at": datetime.now(UTC),
    }  # fmt: skip
    content = [
        {"run_id": run_id, "stage": stage, "lane": lane, **fresh} for stage, lane in new_tasks
    ]
    rows.insert_ignore(connection, tasks, content)
    same_tasks = (tasks.c.run_id == run_id) & these
    connection.execute(sa.update(tasks).where(same_tasks).values(fresh))


def get_task(connection: sa.Connection, task_id: int, *, alone: bool = False) -> Task | None:
    """Return a task by its id; `alone` keeps others from changing it until the transaction ends."""
    query = _SELECT.where(tasks.c.id == task_id)
    query = query.with_for_update(of=tasks) if alone else query
    return rows.find_record(connection, query, Task)


def list_run_tasks(connection: sa.Connection, run_id: int) -> list[Task]:
    """Return all tasks of a run."""
    query = _SELECT.where(tasks.c.run_id == run_id).order_by(tasks.c.id)
    return rows.read_records(connection, query, Task)


def find_ready(connection: sa.Connection, now: datetime) -> list[Task]:
    """Return open tasks that can be begun now.

    A run is derived from when nothing of it is asked.

    Those that derive kept runs anew come last. Of those that the daemon does by itself it is one,
    and none while another run is to be derived from.
    """
    asking_tasks = tasks.alias()
    being_asked = sa.exists().where(
        asking_tasks.c.run_id == tasks.c.run_id,
        asking_tasks.c.stage == Stage.COLLECT,
        asking_tasks.c.state == TaskState.OPEN,
    )
    query = _SELECT.where(
        tasks.c.state == TaskState.OPEN,
        tasks.c.not_before.is_(None) | (tasks.c.not_before <= now),
        (tasks.c.stage == Stage.COLLECT) | ~being_asked,
    ).order_by(tasks.c.id)
    ready = rows.read_records(connection, query, Task)
    by_others = [task for task in ready if not task.is_by_itself]
    by_others.sort(key=lambda task: task.stage is Stage.REDO)
    if any(task.stage is not Stage.COLLECT for task in by_others):
        return by_others
    last = _find_next_automatic(connection, now)
    return [*by_others, *(task for task in ready if task.id == last)]


def _find_next_automatic(connection: sa.Connection, now: datetime) -> int | None:
    """Return whose turn it is of what the daemon does by itself; while it rests, all do.

    What has failed and is tried again later is passed over.
    """
    query = sa.select(sa.func.min(tasks.c.id)).where(
        tasks.c.stage == Stage.REDO,
        tasks.c.lane == BY_ITSELF,
        tasks.c.state == TaskState.OPEN,
        (tasks.c.tries == 0) | tasks.c.not_before.is_(None) | (tasks.c.not_before <= now),
    )
    return connection.execute(query).scalar()


# --- deriving anew --------------------------------------------------------------------------------


def list_open_redos(connection: sa.Connection, job: str, *, alone: bool = False) -> list[Task]:
    """Return a job's open redo tasks; `alone` keeps others from changing them."""
    query = _SELECT.where(
        tasks.c.stage == Stage.REDO, tasks.c.state == TaskState.OPEN, runs.c.job == job
    ).order_by(tasks.c.id)
    query = query.with_for_update(of=tasks) if alone else query
    return rows.read_records(connection, query, Task)


@dataclass(frozen=True, slots=True)
class RedoProgress:
    """Number of runs of a job to be recomputed, and how many of them are done."""

    job: str
    done: int
    planned: int
    is_by_itself: bool


def redo_progress(connection: Connection) -> list[RedoProgress]:
    """Return the jobs whose runs are being derived anew by tasks, with how many are done.

    Those count that were planned last. Runs whose tasks were given up count as neither.
    """
    since = read_newest_by_subject(connection, REDO_PLANNED)
    query = (
        sa.select(runs.c.job, tasks.c.lane, tasks.c.state, tasks.c.changed_at)
        .join(runs, runs.c.id == tasks.c.run_id)
        .where(tasks.c.stage == Stage.REDO, tasks.c.state != TaskState.FAILED)
    )
    counts: dict[tuple[str, bool], list[int]] = {}
    for job, lane, state, changed_at in connection.execute(query):
        n_open_done = counts.setdefault((job, lane == BY_ITSELF), [0, 0])
        is_open = state == TaskState.OPEN
        n_open_done[0] += is_open
        n_open_done[1] += not is_open and job in since and changed_at >= since[job]
    return [
        RedoProgress(job, done, done + open_, is_automatic)
        for (job, is_automatic), (open_, done) in sorted(counts.items())
        if open_
    ]


def drop_automatic_tasks(connection: sa.Connection, reason: str) -> int:
    """End all tasks that the daemon would do by itself; returns how many there were."""
    change = sa.update(tasks).where(
        tasks.c.stage == Stage.REDO, tasks.c.lane == BY_ITSELF, tasks.c.state == TaskState.OPEN
    )
    values = {"state": TaskState.DONE, "reason": reason, "changed_at": datetime.now(UTC)}
    return int(connection.execute(change.values(values)).rowcount)


def find_next_time(connection: sa.Connection) -> datetime | None:
    """Return when the first of the tasks that wait can be begun."""
    query = sa.select(sa.func.min(tasks.c.not_before)).where(tasks.c.state == TaskState.OPEN)
    return connection.execute(query).scalar()


def hasten_tasks(connection: sa.Connection, lanes: Iterable[str]) -> None:
    """Let open tasks of these lanes, and those that ask all lanes, be begun now."""
    lane_names = [*lanes, TOGETHER]
    waiting = (tasks.c.state == TaskState.OPEN) & tasks.c.lane.in_(lane_names)
    connection.execute(sa.update(tasks).where(waiting).values(not_before=None))


def wake_tasks(connection: sa.Connection) -> None:
    """Let every open task be looked at now: a clock that was wrong may have set its time."""
    change = sa.update(tasks).where(tasks.c.state == TaskState.OPEN)
    connection.execute(change.values(not_before=None))


def begin_task(connection: sa.Connection, task_id: int) -> int:
    """Count one more try; returns how many there were since the last progress."""
    change = sa.update(tasks).where(tasks.c.id == task_id).values(tries=tasks.c.tries + 1)
    return int(connection.execute(change.returning(tasks.c.tries)).scalar_one())


def postpone_task(connection: sa.Connection, task_id: int, until: datetime) -> None:
    """Try a task later, because another is at work; what was begun does not count as a try."""
    fewer = sa.case((tasks.c.tries > 0, tasks.c.tries - 1), else_=0)
    change = sa.update(tasks).where(tasks.c.id == task_id, tasks.c.state == TaskState.OPEN)
    connection.execute(change.values(tries=fewer, not_before=until))


def is_lane_wanted(connection: sa.Connection, run_id: int, lanes: Iterable[str]) -> bool:
    """Return whether another run has these lanes to ask, too."""
    query = sa.select(tasks.c.id).where(
        tasks.c.run_id != run_id,
        tasks.c.stage == Stage.COLLECT,
        tasks.c.state == TaskState.OPEN,
        tasks.c.lane.in_([*lanes, TOGETHER]),
    )
    return connection.execute(query.limit(1)).scalar() is not None


def settle_task(
    connection: sa.Connection,
    task_id: int,
    state: TaskState,
    reason: str = "",
    not_before: datetime | None = None,
    *,
    progress: bool = False,
) -> None:
    """Say how far a task has come; after progress its tries are counted anew."""
    change = sa.update(tasks).where(tasks.c.id == task_id)
    if progress:
        change = change.values(tries=0)
    change = change.values(state=state, reason=make_storable(reason), not_before=not_before)
    connection.execute(change.values(changed_at=datetime.now(UTC)))


# --- tables of the queue --------------------------------------------------------------------------

SCHEMA = "procrastinate"
#: Number of the lock under which one process at a time makes or upgrades it.
_LOCK = 5_717_350_202
_MARK = "monitor, tables of procrastinate at "


@dataclass(frozen=True, slots=True)
class QueueStatements:
    """Statements that create the tables, and {step: statements that lead to it}, in order."""

    whole: str
    steps: Mapping[str, str]

    @property
    def newest(self) -> str:
        """Return the step that `whole` has come to."""
        return list(self.steps)[-1]


def _read_version(connection: Connection) -> str | None:
    """Return the version of the tables; None where there are none."""
    query = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = :name"
    row = connection.execute(sa.text(query), {"name": SCHEMA}).one_or_none()
    if row is None:
        return None
    return str(row[0] or "").removeprefix(_MARK)


def ensure_schema(database: Database, statements: QueueStatements) -> None:
    """Make the tables, or bring them to these statements' version; alone, in one transaction.

    Raises StoreProblem where they are of a newer version, or may not be made.
    """
    try:
        with database.begin() as connection:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            _upgrade_schema(connection, database, statements)
    except DBAPIError as error:
        words = f"the schema {SCHEMA} cannot be made: {str(error.orig).splitlines()[0]}"
        raise StoreProblem(f"{database.place}: {words}") from error


def _upgrade_schema(
    connection: Connection, database: Database, statements: QueueStatements
) -> None:
    now = _read_version(connection)
    if now is None:
        connection.execute(sa.text(f"CREATE SCHEMA {SCHEMA}"))
        missing = [statements.whole]
    elif now in statements.steps:
        missing = [text for step, text in statements.steps.items() if step > now]
    else:
        raise _make_unknown_version(database, now)
    if not missing:
        return
    connection.execute(sa.text(f"SET LOCAL search_path TO {SCHEMA}"))
    for text in missing:
        connection.exec_driver_sql(text, execution_options={"no_parameters": True})
    connection.execute(sa.text(f"COMMENT ON SCHEMA {SCHEMA} IS '{_MARK}{statements.newest}'"))


def check_schema(database: Database, statements: QueueStatements) -> None:
    """Raise StoreProblem unless the tables are there, in exactly this version."""
    with database.read() as connection:
        now = _read_version(connection)
    if now == statements.newest:
        return
    if now is None or now in statements.steps:
        state = "has no tables for workers yet" if now is None else "has tables of an older version"
        raise StoreProblem(f"{database.place}: {state}; run `monitor db upgrade`")
    raise _make_unknown_version(database, now)


def _make_unknown_version(database: Database, now: str) -> StoreProblem:
    origin = f"of another version of procrastinate ({now})" if now else "not made by this program"
    return StoreProblem(
        f"{database.place}: the schema {SCHEMA} is {origin}; install the version that made it, or "
        f"stop all workers, drop the schema and run `monitor db upgrade`: nothing is lost by that"
    )


@contextmanager
def enter_schema(database: Database) -> Iterator[Any]:
    """One transaction in that schema: the driver's own connection."""
    with database.begin() as connection:
        connection.execute(sa.text(f"SET LOCAL search_path TO {SCHEMA}"))
        yield connection.connection.driver_connection


# --- pending work ---------------------------------------------------------------------------------


def find_newest_tick(connection: sa.Connection) -> int:
    """Return the id of the newest tick, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(ticks.c.id))).scalar() or 0)


def count_ended_ticks(
    connection: sa.Connection, after: int, still_open: Collection[int]
) -> dict[tuple[str, str], int]:
    """Return {(job, state): ended ticks} after an id or among those that were open."""
    query = (
        sa.select(ticks.c.job, ticks.c.state, sa.func.count())
        .where(
            (ticks.c.id > after) | ticks.c.id.in_(sorted(still_open)),
            ticks.c.state.not_in(OPEN),
        )
        .group_by(ticks.c.job, ticks.c.state)
    )
    return {(job, state): int(n) for job, state, n in connection.execute(query)}


def read_last_ticks(
    connection: sa.Connection, job_names: Sequence[str]
) -> dict[str, tuple[str, datetime]]:
    """Return {job: (state, due time) of its newest tick} of these jobs."""
    newest = (tick for job in job_names for tick in list_newest(connection, job, 1))
    return {tick.job: (tick.state, tick.due_at) for tick in newest}


def list_active_jobs(connection: sa.Connection) -> list[str]:
    """Return the jobs that are watched now, by name."""
    query = sa.select(watched_jobs.c.job).where(watched_jobs.c.is_active)
    return list(connection.execute(query.order_by(watched_jobs.c.job)).scalars())


def read_active_contents(connection: sa.Connection) -> list[tuple[datetime, object]]:
    """Return (watched since, content) of the jobs that are watched now, by name."""
    query = (
        sa.select(watched_jobs.c.watched_since, jobs.c.content)
        .join(bundles, bundles.c.id == watched_jobs.c.bundle_id)
        .join(jobs, jobs.c.id == bundles.c.job_id)
        .where(watched_jobs.c.is_active)
        .order_by(watched_jobs.c.job)
    )
    return [(row.watched_since, row.content) for row in connection.execute(query)]


def count_tasks(connection: sa.Connection) -> dict[tuple[str, str], int]:
    """Return {(stage, state): tasks} that are open or were given up."""
    states = (TaskState.OPEN, TaskState.FAILED)
    counts = {(stage.value, state.value): 0 for stage in Stage for state in states}
    of = tasks.c.stage, tasks.c.state
    query = sa.select(*of, sa.func.count()).where(tasks.c.state.in_(states)).group_by(*of)
    return counts | {(stage, state): int(n) for stage, state, n in connection.execute(query)}


def find_ready_since(connection: sa.Connection, now: datetime) -> datetime | None:
    """Return since when the oldest task that could begin waits; None without one.

    A run's derivation is ready when the last of its other tasks has changed.
    """
    waiting = find_ready(connection, now)
    if not waiting:
        return None
    changed = sa.select(tasks.c.run_id, tasks.c.id, tasks.c.changed_at).where(
        tasks.c.run_id.in_({task.run_id for task in waiting})
    )
    ready_times: dict[int, datetime] = {}
    of_run: dict[int, datetime] = {}
    for run_id, task_id, changed_at in connection.execute(changed):
        ready_times[task_id] = changed_at
        of_run[run_id] = max(changed_at, of_run.get(run_id, changed_at))
    return min(
        max(
            task.not_before or ready_times[task.id],
            ready_times[task.id] if task.stage is Stage.COLLECT else of_run[task.run_id],
        )
        for task in waiting
    )
