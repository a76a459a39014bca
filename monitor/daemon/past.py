"""Makes the runs of recorded jobs: at a tick, one for every date that has none yet.

In go ticks of jobs on recordings, out come runs, in a thread of this process; one job at a time.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

from monitor import pipeline
from monitor.daemon.watching import Known
from monitor.fetch.replay import Library
from monitor.fetch.saved import Shelves
from monitor.jobs import Audit
from monitor.model import InvalidInput, RunState, StoreFull, StoreGone, StoreProblem, TickState
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import leases, ticks
from monitor.store.schedule.ticks import DueTick
from monitor.work.perform import Shop
from monitor.work.recorded import catch_up, go_on, recorded_dates

log = logging.getLogger(__name__)

#: How long a job is left alone whose runs could not be made now.
_REST_SECONDS = 60.0


class Past:
    """One thread for all recorded jobs. It starts with the first tick."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._queue: SimpleQueue[tuple[Known, list[DueTick]] | None] = SimpleQueue()
        self._lock = Lock()
        self._taken: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._thread: Thread | None = None

    @property
    def in_flight(self) -> int:
        """How many jobs wait or are being worked on."""
        with self._lock:
            return len(self._taken)

    def take(self, job: Known, due: Sequence[DueTick]) -> None:
        """Make the new runs of a job, after which these ticks have ended."""
        with self._lock:
            if job.name in self._taken or monotonic() < self._not_before.get(job.name, 0.0):
                return
            self._taken.add(job.name)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="recorded", daemon=True)
            self._thread.start()
        self._queue.put((job, list(due)))

    def close(self, *, wait: bool) -> None:
        """Take nothing more; `wait` until what is being made is stored."""
        self._queue.put(None)
        if wait and self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while (wanted := self._queue.get()) is not None:
            job, due = wanted
            try:
                if not self._shop.stop() and not self._made(job, due):
                    self._not_before[job.name] = monotonic() + _REST_SECONDS
            finally:
                with self._lock:
                    self._taken.discard(job.name)

    def _made(self, job: Known, due: Sequence[DueTick]) -> bool:
        """Whether the ticks have ended; they stay due where that cannot be now."""
        try:
            made = self._caught_up(job)
        except pipeline.Interrupted:
            return True  # we were told to stop; the next start goes on
        except (StoreGone, StoreFull, pipeline.TurnLost) as error:
            log.warning("job %s waits: %s", job.name, error)
            return False
        except Exception as error:
            log.exception("job %s", job.name)
            return self._end(job, due, TickState.FAILED, str(error) or type(error).__name__)
        if made is None:
            return False
        n, lacking = made
        said = "; ".join([f"{n} new date{'' if n == 1 else 's'}", *lacking])
        return self._end(job, due, TickState.PARTIAL if lacking else TickState.DONE, said)

    def _caught_up(self, job: Known) -> tuple[int, list[str]] | None:
        """How many runs were made, and what is lacking of which.

        None where another process makes one right now.
        """
        database = self._shop.database
        audit = pipeline.audit_of(database, job.bundle_id)
        with database.read() as connection:
            before = ticks.find_cut_off(connection, audit.job.name)
            if any(leases.find_holder(connection, pipeline.turn_of_run(run.id)) for run in before):
                return None
        n, lacking = 0, []
        with closing(Shelves(audit.path.parent)) as shelves:
            for made in self._gone_on_with(before, audit, shelves):
                n += isinstance(made, pipeline.Summary)
                lacking.append(made if isinstance(made, str) else _lacking(made))
            dates = recorded_dates(audit, Library(audit.path.parent), shelves)
            progress, stop = self._shop.progress, self._shop.stop
            for summary in catch_up(database, audit, shelves, dates, progress, stop):
                n += 1
                lacking.append(_lacking(summary))
        return n, [one for one in lacking if one]

    def _gone_on_with(
        self, before: Sequence[Run], audit: Audit, shelves: Shelves
    ) -> Iterator[pipeline.Summary | str]:
        """How runs ended that were cut off, or why one cannot be gone on with."""
        shop = self._shop
        for run in before:
            try:
                own = _files_of(shop.database, run, audit)
                if own.job.is_recorded:  # others have tasks
                    yield go_on(shop.database, own, run, shelves, shop.progress, shop.stop)
            except (StoreGone, StoreFull):
                raise
            except (InvalidInput, StoreProblem) as error:
                log.warning("job %s: run %s is left as it is: %s", run.job, run.id, error)
                yield f"run {run.id} of {run.due_at:%Y-%m-%d} was cut off: {error}"

    def _end(self, job: Known, due: Sequence[DueTick], state: TickState, why: str) -> bool:
        now = datetime.now(UTC)
        try:
            with self._shop.database.begin() as connection:
                for tick in due:
                    ticks.end_tick(connection, tick.id, state, why, now)
                if state is TickState.FAILED:
                    events.raise_alarm(connection, "tick_failed", job.name, why, now)
                else:
                    events.resolve_alarm(connection, "tick_failed", job.name, now)
        except (StoreGone, StoreFull) as error:
            log.warning("job %s waits: %s", job.name, error)
            return False
        return True


def _files_of(database: Database, run: Run, audit: Audit) -> Audit:
    """The job of a run as it was begun; `audit` is as it is now. Raises InvalidInput."""
    if run.job_hash == audit.job.content_hash:
        return audit
    return pipeline.audit_of_run(database, run)


def _lacking(made: pipeline.Summary) -> str:
    """What is lacking of a run; empty where nothing is."""
    if made.state is RunState.DONE:
        return ""
    said = f"{made.answered:,} of {made.planned:,} questions have an answer"
    return "; ".join([f"run {made.run.id} of {made.run.due_at:%Y-%m-%d}: {said}", *made.stopped])
