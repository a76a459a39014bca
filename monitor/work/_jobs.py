"""How a worker talks to Procrastinate: what is not to end it is waited for, or said in one line."""

import asyncio
import logging
from collections.abc import Callable, Iterable

import psycopg
from procrastinate import exceptions
from procrastinate.connector import BaseConnector
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

log = logging.getLogger(__name__)

#: How soon a database that is away is tried again.
_AGAIN = 0.5


def is_away(error: exceptions.ConnectorException) -> bool:
    """Whether the database could not be reached, and may come back."""
    return isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError)


class PatientManager(JobManager):
    """The manager of a worker that outlives its database's absence, and a time in which it stood.

    `is_over` says that the worker is to end.
    """

    def __init__(self, connector: BaseConnector, is_over: Callable[[], bool]) -> None:
        super().__init__(connector)
        self._is_over = is_over

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job; None also where there is no telling now."""
        try:
            return await super().fetch_job(queues, worker_id)
        except exceptions.UniqueViolation:  # another was quicker with a job of the same lock
            return None
        except exceptions.ConnectorException as error:
            if not is_away(error):
                raise
            log.debug("no job can be fetched now: %s", error.__cause__)
            await asyncio.sleep(_AGAIN)
            return None

    async def update_heartbeat(self, worker_id: int) -> None:
        """Give a sign of life, where that is possible now."""
        try:
            await super().update_heartbeat(worker_id)
        except exceptions.ConnectorException as error:
            if not is_away(error):
                raise
            log.warning("no sign of life can be given now: %s", error.__cause__)

    async def list_jobs_to_abort_async(self, queue: str | None = None) -> Iterable[int]:  # noqa: ARG002
        """None: nobody asks for that. The worker would say at length that the database is away."""
        return ()

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """End a job, as soon as the database can be reached.

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
                await asyncio.sleep(_AGAIN)
            else:
                return
