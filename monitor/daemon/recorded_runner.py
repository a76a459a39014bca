"""Runs of recorded jobs, made at a tick: one for every date without a run, one job at a time."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

from monitor import pipeline
from monitor.daemon.watching import WatchedJob
from monitor.fetch.recorded import Library
from monitor.fetch.saved_pages import Shelves
from monitor.jobs import Audit
from monitor.model import InvalidInput, RunState, StoreFull, StoreGone, StoreProblem, TickState
from monitor.store.collect.runs import Run
from monitor.store.journal import events
from monitor.store.schedule import leases, ticks
from monitor.store.schedule.ticks import DueTick
from monitor.text.counted_nouns import several
from monitor.work.perform import WorkerContext
from monitor.work.recorded import list_dates, make_missing_runs, resume_run

log = logging.getLogger(__name__)

#: How long a job is left alone whose runs could not be made now.
_REST_SECONDS = 60.0


class RecordedRunner:
    """One thread for all recorded jobs, started at the first tick."""

    def __init__(self, shop: WorkerContext) -> None:
        self._shop = shop
        self._queue: SimpleQueue[tuple[WatchedJob, list[DueTick]] | None] = SimpleQueue()
        self._lock = Lock()
        self._taken: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._thread: Thread | None = None

    @property
    def in_flight(self) -> int:
        """Return how many jobs wait or are in progress."""
        with self._lock:
            return len(self._taken)

    def take_job(self, job: WatchedJob, due: Sequence[DueTick]) -> None:
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
        """Accept no more jobs; `wait` until the current one is stored."""
        self._queue.put(None)
        if wait and self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while (request := self._queue.get()) is not None:
            job, due = request
            try:
                if not self._shop.stop() and not self._make_runs(job, due):
                    self._not_before[job.name] = monotonic() + _REST_SECONDS
            finally:
                with self._lock:
                    self._taken.discard(job.name)

    def _make_runs(self, job: WatchedJob, due: Sequence[DueTick]) -> bool:
        """Return whether the ticks have ended; otherwise they stay due."""
        try:
            result = self._catch_up(job)
        except pipeline.Interrupted:
            return True  # we were told to stop; the next start goes on
        except (StoreGone, StoreFull, pipeline.TurnLost) as error:
            log.warning("job %s waits: %s", job.name, error)
            return False
        except Exception as error:
            log.exception("job %s", job.name)
            return self._end_ticks(job, due, TickState.FAILED, str(error) or type(error).__name__)
        if result is None:
            return False
        n, lacking = result
        summary = "; ".join([several(n, "new date"), *lacking])
        return self._end_ticks(job, due, TickState.PARTIAL if lacking else TickState.DONE, summary)

    def _catch_up(self, job: WatchedJob) -> tuple[int, list[str]] | None:
        """Return how many runs were made, and what they lack.

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
            for result in self._resume_runs(before, audit, shelves):
                n += isinstance(result, pipeline.Summary)
                lacking.append(result if isinstance(result, str) else _say_lacking(result))
            dates = list_dates(database, audit, Library(audit.path.parent), shelves)
            progress, stop = self._shop.progress, self._shop.stop
            for summary in make_missing_runs(database, audit, shelves, dates, progress, stop):
                n += 1
                lacking.append(_say_lacking(summary))
        return n, [reason for reason in lacking if reason]

    def _resume_runs(
        self, before: Sequence[Run], audit: Audit, shelves: Shelves
    ) -> Iterator[pipeline.Summary | str]:
        """Yield results of interrupted runs, or why one cannot be resumed."""
        shop = self._shop
        for run in before:
            try:
                is_same = run.job_hash == audit.job.content_hash
                run_audit = audit if is_same else pipeline.audit_of_run(shop.database, run)
                if run_audit.job.is_recorded:  # others have tasks
                    yield resume_run(
                        shop.database, run_audit, run, shelves, shop.progress, shop.stop
                    )
            except (StoreGone, StoreFull):
                raise
            except (InvalidInput, StoreProblem) as error:
                log.warning("job %s: run %s is left as it is: %s", run.job, run.id, error)
                yield f"run {run.id} of {run.due_at:%Y-%m-%d} was cut off: {error}"

    def _end_ticks(
        self, job: WatchedJob, due: Sequence[DueTick], state: TickState, why: str
    ) -> bool:
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


def _say_lacking(summary: pipeline.Summary) -> str:
    """Return what a run lacks; empty if it is complete."""
    if summary.state is RunState.DONE:
        return ""
    answered = f"{summary.answered:,} of {summary.planned:,} questions have an answer"
    return "; ".join(
        [f"run {summary.run.id} of {summary.run.due_at:%Y-%m-%d}: {answered}", *summary.stopped]
    )
