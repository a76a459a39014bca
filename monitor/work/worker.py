"""A worker: performs tasks that it gets through Procrastinate, on any machine.

It shares only the database with others; nothing is lost if it dies or stands still.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any, cast

import psycopg
from procrastinate import App, PsycopgConnector, exceptions
from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ProcrastinateException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from psycopg import Error as DriverError
from psycopg_pool import AsyncConnectionPool

from monitor.model import MonitorError, SchemaChanged, StoreProblem, TaskState
from monitor.store import migrations
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schedule.leases import this_process
from monitor.store.schedule.tasks import Task
from monitor.work.perform import WorkerContext, perform_task
from monitor.work.queue import DERIVE, PERFORM, TaskQueue, connection_arguments, name_engine_queue

log = logging.getLogger(__name__)

#: How soon a database that is away is tried again.
_RETRY_SECONDS = 0.5
#: Signs of life are given so often within the time of a lease, and missed after this part of it: a
#: task is at hand again before the lease of who stood still has run out.
_SIGNS_PER_LEASE = 6
_MISSED_PART = 2 / 3
#: How often it is looked for what has become ready, and whose worker has gone.
_HOUSEKEEPING_SECONDS = 1.0
#: How soon a wish to stop is heard.
_STOP_CHECK_SECONDS = 0.1
#: Seconds before a worker that was thrown out begins again; doubled up to the second.
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 10.0
#: So long a connection is waited for before it counts as away.
_CONNECTED_WITHIN = 5.0


def is_away(error: exceptions.ConnectorException) -> bool:
    """Return whether the database could not be reached, and may come back."""
    return isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError)


class PatientJobManager(JobManager):
    """Job manager that outlives absence of the database and a suspended process.

    `is_over` says that the worker is to end.
    """

    def __init__(self, connector: BaseConnector, is_over: Callable[[], bool]) -> None:
        super().__init__(connector)
        self._is_over = is_over

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """Return the next job; None if there is none, or the database is away."""
        try:
            return await super().fetch_job(queues, worker_id)
        except exceptions.UniqueViolation:  # another was quicker with a job of the same lock
            return None
        except exceptions.ConnectorException as error:
            if not is_away(error):
                raise
            log.debug("no job can be fetched now: %s", error.__cause__)
            await asyncio.sleep(_RETRY_SECONDS)
            return None

    async def update_heartbeat(self, worker_id: int) -> None:
        """Send a sign of life if the database can be reached."""
        try:
            await super().update_heartbeat(worker_id)
        except exceptions.ConnectorException as error:
            if not is_away(error):
                raise
            log.warning("no sign of life can be given now: %s", error.__cause__)

    async def list_jobs_to_abort_async(self, queue: str | None = None) -> Iterable[int]:  # noqa: ARG002
        """Return no jobs, because no job is aborted."""
        return ()

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """End a job as soon as the database can be reached.

        One that was taken away while this process stood still is somebody else's by now.
        """
        while True:
            try:
                await super().finish_job(job, status, delete_job)
            except exceptions.ConnectorException as error:
                if isinstance(error.__cause__, psycopg.errors.RaiseException):
                    log.warning("job %s of %s was given to another meanwhile", job.id, job.lock)
                    return
                if not is_away(error) or self._is_over():
                    raise
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Options of a worker: tasks at once, polling interval in seconds, engines.

    `burst` ends it when nothing is left that could be done now.
    """

    at_once: int = 4
    poll: float = 0.1
    engines: tuple[str, ...] = ()
    burst: bool = False

    @property
    def queues(self) -> list[str] | None:
        """Return the queues to serve, None for all; every worker derives."""
        if not self.engines:
            return None
        return [DERIVE, *(name_engine_queue(name) for name in self.engines)]

    def __str__(self) -> str:
        return f"{self.at_once} at once, {', '.join(self.engines) or 'all engines'}"


class LoopPulse:
    """Time when the loop of a worker last moved."""

    def __init__(self) -> None:
        self._at = monotonic()

    def beat(self) -> None:
        """Note that the loop moves."""
        self._at = monotonic()

    def idle_seconds(self) -> float:
        """Return the seconds since the loop last moved."""
        return monotonic() - self._at


def run_worker(shop: WorkerContext, manner: WorkerOptions, pulse: LoopPulse | None = None) -> None:
    """Perform tasks until `shop.stop` says so, or, in a burst, until nothing is left.

    What is in flight is stored first. A KeyboardInterrupt from a signal leaves at once, with
    threads still at work: the caller has to end the process. Raises SchemaChanged where another
    version has upgraded the database.
    """
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it is said here, once
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(_QueueWorker(shop, manner, pulse or LoopPulse()).serve())
    loop.close()


class _QueueWorker:
    def __init__(self, shop: WorkerContext, manner: WorkerOptions, pulse: LoopPulse) -> None:
        self._revision, self._changed = migrations.RevisionWatch(), list[SchemaChanged]()
        self._shop = replace(shop, stop=lambda: bool(self._changed) or shop.stop())
        self._manner, self._pulse = manner, pulse
        self._lease = shop.settings.lease_seconds
        # the queue is asked again in a moment: it need not wait for a server that is away
        self._database = replace(shop.database, patience=0.0)
        self._queue = TaskQueue(self._database, shop.settings.exit)
        self._threads = ThreadPoolExecutor(manner.at_once, "task")
        self._side = ThreadPoolExecutor(1, "housekeeping")
        self._is_done = False  # a burst that has found nothing more

    def _is_over(self) -> bool:
        return self._is_done or self._shop.stop()

    async def serve(self) -> None:
        """Work; start again after the database has closed the session."""
        log.info("worker %s begins: %s", this_process(), self._manner)
        wait = _FIRST_WAIT
        while not self._is_over():
            begun = monotonic()
            try:
                await self._serve_session()
            except (DriverError, StoreProblem, ProcrastinateException) as error:
                log.warning("the worker begins again in a moment: %s", error.__cause__ or error)
            if self._is_over():
                break
            wait = _FIRST_WAIT if monotonic() - begun > _LONGEST_WAIT else wait
            await self._wait_before_retry(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
        self._threads.shutdown()
        self._side.shutdown()
        with suppress(MonitorError), self._database.begin() as connection:
            events.remove_process(connection, this_process())
        log.info("worker %s ends", this_process())
        if self._changed:
            raise self._changed[0]

    async def _wait_before_retry(self, seconds: float) -> None:
        until = monotonic() + seconds
        while monotonic() < until and not self._is_over():
            self._pulse.beat()
            await asyncio.sleep(_STOP_CHECK_SECONDS)

    async def _serve_session(self) -> None:
        """Serve until it is over, or until the database throws this worker out."""
        connector = PsycopgConnector(
            kwargs=connection_arguments(self._database),
            min_size=1,
            max_size=4,
            timeout=_CONNECTED_WITHIN,
            reconnect_timeout=_CONNECTED_WITHIN,
            pool_factory=AsyncConnectionPool,
        )
        app = App(connector=connector)
        app.job_manager = PatientJobManager(connector, self._is_over)
        app.task(name=PERFORM)(self._perform_task)
        async with app.open_async():
            serving = asyncio.create_task(
                app.run_worker_async(
                    queues=cast("Any", self._manner.queues),  # None: all
                    concurrency=self._manner.at_once,
                    fetch_job_polling_interval=self._manner.poll,
                    # what was missed on a line that broke is found by polling, as is a lock that
                    # becomes free, of which there is no notice in any case
                    listen_notify=False,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                    update_heartbeat_interval=self._lease / _SIGNS_PER_LEASE,
                    stalled_worker_timeout=self._lease * _MISSED_PART,
                )
            )
            housekeeping = [
                asyncio.create_task(self._keep_house()),
                asyncio.create_task(self._end_in_time(serving)),
            ]
            try:
                with suppress(asyncio.CancelledError):  # how it is asked to end
                    await serving
            finally:
                for background in housekeeping:
                    background.cancel()
                await asyncio.gather(*housekeeping, return_exceptions=True)

    async def _end_in_time(self, serving: "asyncio.Task[None]") -> None:
        """Begin nothing new after a stop; tasks in progress end by themselves."""
        while not self._is_over():
            self._pulse.beat()
            await asyncio.sleep(_STOP_CHECK_SECONDS)
        serving.cancel()

    # --- a task -----------------------------------------------------------------------------------

    async def _perform_task(self, task_id: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, self._work_on, task_id)

    def _work_on(self, task_id: int) -> None:
        """Perform a task, and add jobs for tasks that became ready."""
        if self._shop.stop():
            return
        try:
            task = self._find_task(task_id)
            if task is None or task.state is not TaskState.OPEN:
                return
            description = f"task={task.id} run={task.run_id} {task.stage} lane={task.lane or '-'}"
            log.info("begun %s", description)
            try:
                perform_task(self._shop, task_id)
            except KeyboardInterrupt:
                log.info("left to others %s", description)
            else:
                after = self._find_task(task_id) or task
                log.info("ended %s: %s %s", description, after.state, after.reason)
            self._queue.defer_ready(besides=task_id)
        except MonitorError as error:
            log.warning("task %s: %s", task_id, error)
        except Exception:
            log.exception("task %s", task_id)

    def _find_task(self, task_id: int) -> Task | None:
        with self._database.read() as connection:
            return tasks.get_task(connection, task_id)

    # --- beside the tasks -------------------------------------------------------------------------

    async def _keep_house(self) -> None:
        """Look after the queue, so that work goes on without the daemon."""
        loop = asyncio.get_running_loop()
        while True:
            await loop.run_in_executor(self._side, self._look_around)
            await asyncio.sleep(_HOUSEKEEPING_SECONDS)

    def _look_around(self) -> None:
        try:
            with self._database.begin() as connection:
                self._revision.check(connection)
                detail, now = str(self._manner), datetime.now(UTC)
                events.announce_process(connection, this_process(), "worker", detail, now)
            self._queue.rescue(self._lease * _MISSED_PART)
            self._queue.defer_ready()
            if self._manner.burst and self._queue.is_idle(self._manner.queues):
                self._is_done = True
        except SchemaChanged as error:
            self._changed.append(error)
        except MonitorError as error:
            log.warning("cannot look for work now: %s", error)
        except Exception:
            log.exception("cannot look for work")
