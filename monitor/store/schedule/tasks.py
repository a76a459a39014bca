"""Tasks of runs: one for each lane, then one that derives. Mutable."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.model import Stage, TaskState, make_storable
from monitor.store import rows
from monitor.store.schema import runs, tasks

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


def _make_task(row: sa.Row[tuple[object, ...]]) -> Task:
    return Task(
        row.id,
        row.run_id,
        row.job,
        Stage(row.stage),
        row.lane,
        TaskState(row.state),
        row.tries,
        row.not_before,
        row.reason,
        row.changed_at,
    )


def plan_tasks(connection: sa.Connection, run_id: int, lanes: Iterable[str]) -> None:
    """Write a run's tasks, open; those that are there already are opened again."""
    new_tasks = [*((Stage.COLLECT, lane) for lane in lanes), (Stage.DERIVE, "")]
    stages = {stage for stage, _ in new_tasks}
    _open_tasks(connection, run_id, new_tasks, tasks.c.stage.in_(stages))


def plan_redo(connection: sa.Connection, run_id: int, first: str = "") -> None:
    """Have a run derived anew of what is kept, from a step on; it stands as the task's lane."""
    new_task = (Stage.REDO, first)
    _open_tasks(
        connection, run_id, [new_task], (tasks.c.stage == Stage.REDO) & (tasks.c.lane == first)
    )


def _open_tasks(
    connection: sa.Connection,
    run_id: int,
    new_tasks: list[tuple[Stage, str]],
    these: sa.ColumnElement[bool],
) -> None:
    fresh = {
        "state": TaskState.OPEN,
        "tries": 0,
        "not_before": None,
        "reason": "",
        "changed_at": datetime.now(UTC),
    }
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
    row = connection.execute(query).one_or_none()
    return None if row is None else _make_task(row)


def list_run_tasks(connection: sa.Connection, run_id: int) -> list[Task]:
    """Return all tasks of a run."""
    query = _SELECT.where(tasks.c.run_id == run_id).order_by(tasks.c.id)
    return [_make_task(row) for row in connection.execute(query)]


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
    ready = [_make_task(row) for row in connection.execute(query)]
    by_others = [task for task in ready if not task.is_by_itself]
    first = [task for task in by_others if task.stage is not Stage.REDO]
    again = [task for task in by_others if task.stage is Stage.REDO]
    if any(task.stage is not Stage.COLLECT for task in by_others):
        return [*first, *again]
    last = _find_next_automatic(connection, now)
    return [*first, *again, *(task for task in ready if task.id == last)]


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
    task_id: int | None = connection.execute(query).scalar()
    return task_id


# --- deriving anew --------------------------------------------------------------------------------


def list_open_redos(connection: sa.Connection, job: str, *, alone: bool = False) -> list[Task]:
    """Return a job's open redo tasks; `alone` keeps others from changing them."""
    query = _SELECT.where(
        tasks.c.stage == Stage.REDO, tasks.c.state == TaskState.OPEN, runs.c.job == job
    ).order_by(tasks.c.id)
    query = query.with_for_update(of=tasks) if alone else query
    return [_make_task(row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class RedoProgress:
    """Number of runs of a job to be recomputed, and how many of them are done."""

    job: str
    done: int
    planned: int
    is_by_itself: bool


def count_redone(connection: sa.Connection, since: Mapping[str, datetime]) -> list[RedoProgress]:
    """Return the jobs whose runs are being derived anew.

    `since` says when that was planned, by job.

    Runs whose tasks were given up count as neither.
    """
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
    connection.execute(change)
    return int(
        connection.execute(sa.select(tasks.c.tries).where(tasks.c.id == task_id)).scalar_one()
    )


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
    values: dict[str, object] = {
        "state": state,
        "reason": make_storable(reason),
        "not_before": not_before,
        "changed_at": datetime.now(UTC),
    }
    if progress:
        values["tries"] = 0
    connection.execute(sa.update(tasks).where(tasks.c.id == task_id).values(values))
