"""Makes the runs of recorded jobs: at a tick, one for every date that has none yet.

In go ticks of jobs on recordings, out come runs, in a thread of this process; one job at a time.
"""

import logging
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

from monitor import pipeline
from monitor.daemon.known import Known
from monitor.fetch.replay import Library
from monitor.fetch.saved import Shelves
from monitor.jobs import Audit
from monitor.model import RunState, StoreFull, StoreGone, TickState
from monitor.store import events, leases, runs, ticks
from monitor.store.ticks import Tick
from monitor.work.perform import Shop
from monitor.work.recorded import catch_up, recorded_dates

log = logging.getLogger(__name__)

#: How long a job is left alone whose runs could not be made now.
_REST_SECONDS = 60.0


class Past:
    """One thread for all recorded jobs. It starts with the first tick."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._queue: SimpleQueue[tuple[Known, list[Tick]] | None] = SimpleQueue()
        self._lock = Lock()
        self._taken: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._thread: Thread | None = None

    @property
    def in_flight(self) -> int:
        """How many jobs wait or are being worked on."""
        with self._lock:
            return len(self._taken)

    def take(self, job: Known, due: Sequence[Tick]) -> None:
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

    def _made(self, job: Known, due: Sequence[Tick]) -> bool:
        """Whether the ticks have ended; they stay due where that cannot be now."""
        try:
            n = self._caught_up(job)
        except pipeline.Interrupted:
            return True  # we were told to stop; the next start goes on
        except (StoreGone, StoreFull) as error:
            log.warning("job %s waits: %s", job.name, error)
            return False
        except Exception as error:
            log.exception("job %s", job.name)
            return self._end(job, due, TickState.FAILED, str(error) or type(error).__name__)
        if n is None:
            return False
        return self._end(job, due, TickState.DONE, f"{n} new date{'' if n == 1 else 's'}")

    def _caught_up(self, job: Known) -> int | None:
        """How many runs were made; None where another process makes one right now."""
        database = self._shop.database
        audit = pipeline.audit_of(database, job.bundle_id)
        with database.read() as connection:
            before = runs.unfinished(connection, audit.job.name)
            if before and leases.held_by(connection, pipeline.turn_of_run(before.id)):
                return None
        with closing(Shelves(audit.path.parent)) as shelves:
            dates = recorded_dates(audit, Library(audit.path.parent), shelves)
            made = catch_up(
                database,
                audit,
                shelves,
                dates,
                self._shop.progress,
                self._shop.stop,
                resume=before is not None and _is_cut_off(before, audit),
            )
            return sum(1 for _ in made)

    def _end(self, job: Known, due: Sequence[Tick], state: TickState, why: str) -> bool:
        now = datetime.now(UTC)
        try:
            with self._shop.database.begin() as connection:
                for tick in due:
                    ticks.end(connection, tick.id, state, why, now)
                if state is TickState.FAILED:
                    events.raise_alarm(connection, "tick_failed", job.name, why, now)
                else:
                    events.resolve(connection, "tick_failed", job.name, now)
        except (StoreGone, StoreFull) as error:
            log.warning("job %s waits: %s", job.name, error)
            return False
        return True


def _is_cut_off(run: runs.Run, audit: Audit) -> bool:
    """Whether a run was left in the middle, and by the files as they still are."""
    cut_off = run.state in (RunState.RUNNING, RunState.INTERRUPTED)
    return cut_off and run.job_hash == audit.job.content_hash
