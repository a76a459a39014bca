"""Hands ready tasks to workers on other machines, through Procrastinate on PostgreSQL.

Our own tables decide who performs a task, how often it is tried and whether an answer counts; jobs
of Procrastinate only distribute tasks and wake workers. A lost or doubled job only changes how soon
a task is done.
"""

import logging
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from time import monotonic
from typing import Any, Final, TypeVar, cast

import psycopg
from procrastinate import SyncPsycopgConnector, exceptions
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.schema import SchemaManager

from monitor import registry
from monitor.model import OWN_SURFACES, InvalidInput, Stage, StoreGone, StoreProblem
from monitor.pipeline.schedule.leases import lane_turn
from monitor.store import database as hurry
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import SCHEMA, TOGETHER, QueueStatements, Task
from monitor.work.perform import FIRST_REST, TaskLoop, WorkerContext

log = logging.getLogger(__name__)

#: What a job asks a worker to do.
PERFORM: Final = "perform"
#: Queues of what no single engine is asked for.
DERIVE, TOGETHER_QUEUE = "derive", "together"
#: Notices of PostgreSQL cannot carry longer names of queues.
_LONGEST_QUEUE = 40
#: Jobs that have ended are looked for so often, and kept for so many hours.
_PRUNED_EVERY = 600.0
_KEPT_DONE, _KEPT_FAILED = 1, 24
#: Workers that were not heard of for so long are forgotten.
_FORGOTTEN_AFTER = 3_600.0
#: Who waits for work waits on where a task becomes ready within this time.
_SOON_AFTER = timedelta(seconds=2)
#: It is looked for ready tasks so often, and for workers that are gone.
_LOOK_SECONDS = 1.0
#: A worker that gave no sign of life for this part of a lease is gone, or stands still.
_MISSED = 2 / 3

_Result = TypeVar("_Result")


@cache
def _list_statements() -> QueueStatements:
    folder = files("procrastinate.sql") / "migrations"
    steps = {
        entry.name.removesuffix(".sql"): entry.read_text("utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    }
    return QueueStatements(SchemaManager.get_schema(), dict(sorted(steps.items())))


def ensure_queue(database: Database) -> None:
    """Make or upgrade the tables of jobs. Nothing on SQLite, where the daemon does the work itself.

    Raises StoreProblem.
    """
    if not database.keeps_files:
        tasks.ensure_schema(database, _list_statements())


def check_queue(database: Database) -> None:
    """Raise StoreProblem unless the tables of jobs are there, in this version."""
    tasks.check_schema(database, _list_statements())


def connection_arguments(database: Database) -> dict[str, Any]:
    """Return the arguments of psycopg for the tables of jobs."""
    url = database.writer.url
    _, arguments = database.writer.dialect.create_connect_args(url)
    settings = f"-c search_path={SCHEMA} -c {hurry.SILENT}={hurry.SILENT_MS}"
    options = f"{arguments.get('options', '')} {settings}".strip()
    kept_arguments = {name: value for name, value in arguments.items() if name != "context"}
    return {**kept_arguments, "options": options, "application_name": "monitor worker"}


def find_queue(task: Task) -> str:
    """Return the queue of a task: that of its engine, so that workers can choose engines."""
    if task.stage is not Stage.COLLECT:
        return DERIVE
    return TOGETHER_QUEUE if task.lane == TOGETHER else name_engine_queue(_engine_name(task.lane))


def name_engine_queue(engine: str) -> str:
    """Return the queue of an engine."""
    return f"engine:{engine}"[:_LONGEST_QUEUE]


def _engine_name(lane: str) -> str:
    return lane.partition("@")[0]


def find_lock(task: Task, exit_name: str) -> str:
    """Return the lock that a task shares with others: of a lane, or of a run.

    An engine that runs on the worker itself is not spared: each run of it has a lock of its own.
    """
    if task.stage is not Stage.COLLECT:
        return f"run:{task.run_id}"
    if task.lane == TOGETHER or _is_here(_engine_name(task.lane)):
        return f"lane:{task.lane}:run:{task.run_id}"
    return lane_turn(task.lane, exit_name)


def _is_here(engine: str) -> bool:
    """Return whether an engine runs on the worker itself."""
    try:
        return registry.engine(engine).surface in OWN_SURFACES
    except InvalidInput:  # of another version of ours; whoever performs the task says so
        return False


def _find_priority(task: Task) -> int:
    """Return the priority: due tasks, then requested recomputing, then the rest."""
    if task.stage is not Stage.REDO:
        return 0
    return -2 if task.is_by_itself else -1


def _make_mark(task_id: int) -> str:
    """Return the mark of a task; no two waiting jobs have the same."""
    return f"task:{task_id}"


@dataclass(frozen=True, slots=True)
class QueueLoad:
    """Number of waiting jobs of a queue, and of those in progress."""

    queue: str
    waiting: int
    performed: int


class _SharedPool:
    """Pool that gives Procrastinate the connections of the program."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def connection(self) -> AbstractContextManager[Any]:
        return tasks.enter_schema(self._database)


class _Connector(SyncPsycopgConnector):
    """Connector whose methods for asyncio do not wait."""

    async def execute_query_async(self, query: Any, **arguments: Any) -> None:  # noqa: ANN401
        self.execute_query(query, **arguments)

    async def execute_query_all_async(
        self,
        query: Any,  # noqa: ANN401 - as in the class above
        **arguments: Any,  # noqa: ANN401 - see above
    ) -> list[dict[str, Any]]:
        return self.execute_query_all(query, **arguments)


def _run_now(steps: Coroutine[Any, Any, _Result]) -> _Result:
    """Return the result of a coroutine that never waits."""
    try:
        steps.send(None)
    except StopIteration as end:
        result: _Result = end.value
        return result
    raise AssertionError("it waits")  # of a connector that only `_Connector` can be


@contextmanager
def _named_problems(database: Database) -> Iterator[None]:
    try:
        yield
    except exceptions.ConnectorException as error:
        cause = error.__cause__
        words = (str(cause).strip() or type(cause).__name__).splitlines()[0]
        if isinstance(cause, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedFunction):
            words = "it has no tables for workers yet; run `monitor db upgrade`"
        gone = isinstance(cause, psycopg.OperationalError)
        raise (StoreGone if gone else StoreProblem)(f"{database.place}: {words}") from error


class TaskQueue:
    """The jobs of Procrastinate. Methods are short transactions, and do not wait for work.

    Raises StoreProblem where the database is away.
    """

    def __init__(self, database: Database, exit_name: str) -> None:
        self._database, self._exit = database, exit_name
        connector = _Connector()
        connector.open(cast("Any", _SharedPool(database)))  # it has all that is used of a pool
        self._manager = JobManager(connector)
        self._prune_at = 0.0

    def defer_ready(self, besides: int | None = None) -> int:
        """Make a job for every task that can be begun and has none; returns for how many.

        The job that is performing the task `besides` is about to end, and counts for none.
        """
        with _named_problems(self._database):
            ending = _make_mark(besides) if besides is not None else None
            # before the tasks: one that ends between the two is seen to have ended
            marks = self._make_marks(Status.TODO) | (self._make_marks(Status.DOING) - {ending})
            with self._database.read() as connection:
                ready = tasks.find_ready(connection, datetime.now(UTC))
            return self._defer_jobs(
                [self._make_job(task) for task in ready if _make_mark(task.id) not in marks]
            )

    def _make_marks(self, status: Status) -> set[str | None]:
        return {job.queueing_lock for job in self._manager.list_jobs(status=status.value)}

    def _make_job(self, task: Task) -> Job:
        return Job(
            queue=find_queue(task),
            lock=find_lock(task, self._exit),
            queueing_lock=_make_mark(task.id),
            priority=_find_priority(task),
            task_name=PERFORM,
            task_kwargs={"task_id": task.id},
        )

    def _defer_jobs(self, jobs: list[Job]) -> int:
        """Add jobs in one statement, or one by one if another process added one."""
        if not jobs:
            return 0
        try:
            return len(self._manager.batch_defer_jobs(jobs))
        except exceptions.AlreadyEnqueued:
            return sum(self._defer_jobs([job]) for job in jobs) if len(jobs) > 1 else 0

    def rescue(self, stalled_after: float) -> int:
        """Remove jobs whose worker is silent for so many seconds; return how many.

        Their tasks get new jobs by `defer_ready`: were the same job begun again, its first worker,
        coming back, would end it in the middle of the second attempt.
        """
        with _named_problems(self._database):
            stalled = _run_now(
                self._manager.get_stalled_jobs(seconds_since_heartbeat=stalled_after)
            )
            removed = [job for job in stalled if self._remove_job(job)]
            if monotonic() >= self._prune_at:
                self._prune_jobs()
                self._prune_at = monotonic() + _PRUNED_EVERY
        for job in removed:
            self._record_stalled(job, stalled_after)
        return len(removed)

    def _remove_job(self, job: Job) -> bool:
        """Remove a job; return False if it has ended meanwhile."""
        try:
            _run_now(self._manager.finish_job(job, Status.FAILED, delete_job=True))
        except exceptions.ConnectorException as error:
            if isinstance(error.__cause__, psycopg.errors.RaiseException):
                return False
            raise
        return True

    def _record_stalled(self, job: Job, stalled_after: float) -> None:
        number = int(str(job.task_kwargs.get("task_id", 0)))
        detail = (
            f"task {number}: its worker gave no sign of life for {stalled_after:g} s; it is given "
            "to another"
        )
        with self._database.begin() as connection:
            task = tasks.get_task(connection, number)
            subject, run_id = job.lock or job.queue, task.run_id if task else None
            now = datetime.now(UTC)
            events.add_event(connection, "stalled", subject, detail, run_id=run_id, now=now)

    def _prune_jobs(self) -> None:
        """Delete jobs that ended long ago."""
        manager = self._manager
        _run_now(manager.delete_old_jobs(_KEPT_DONE))
        _run_now(
            manager.delete_old_jobs(
                _KEPT_FAILED, include_failed=True, include_cancelled=True, include_aborted=True
            )
        )
        _run_now(manager.prune_stalled_workers(_FORGOTTEN_AFTER))

    def stats(self) -> list[QueueLoad]:
        """Return the load of each queue."""
        with _named_problems(self._database):
            rows = self._manager.list_queues()
        return [QueueLoad(row["name"], row["todo"], row["doing"]) for row in rows]

    def waiting(self) -> int:
        """Return how many jobs no worker has begun."""
        return sum(load.waiting for load in self.stats())

    def is_idle(self, queues: list[str] | None) -> bool:
        """Return whether these queues have nothing in progress, ready or soon ready."""
        if any(
            load.waiting + load.performed for load in self.stats() if _is_served(load.queue, queues)
        ):
            return False
        now = datetime.now(UTC)
        with self._database.read() as connection:
            ready = tasks.find_ready(connection, now)
            next_at = tasks.find_next_time(connection)
        if any(_is_served(find_queue(task), queues) for task in ready):
            return False
        return next_at is None or not now < next_at <= now + _SOON_AFTER


def _is_served(queue: str, queues: list[str] | None) -> bool:
    return queues is None or queue in queues


class TaskDispatcher(TaskLoop):
    """A thread that keeps the queue of the workers filled; no task is performed here."""

    def __init__(self, shop: WorkerContext) -> None:
        super().__init__("handing")
        self._shop = shop
        self._queue = TaskQueue(shop.database, shop.settings.exit)

    def _look(self) -> float:
        try:
            self._queue.rescue(self._shop.settings.lease_seconds * _MISSED)
            self._queue.defer_ready()
        except StoreProblem as error:
            log.warning("tasks cannot be handed out now: %s", error)
        except Exception:
            log.exception("tasks could not be handed out")
        else:
            self._rest = FIRST_REST
            return _LOOK_SECONDS
        return self._rest_longer()
