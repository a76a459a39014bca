"""Ticks: what is owed becomes rows, and what is due becomes runs with their tasks.

What is owed is computed from the database alone, so that an outage, a second call or a changed
clock makes no difference; what was interrupted is continued at the next call. Noise and confirming
runs repeat parts of ticks: they wait for the run of their tick, and stop when the next one begins.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from monitor import pipeline
from monitor.daemon.recorded_runner import RecordedRunner
from monitor.daemon.watching import WatchedJob
from monitor.model import (
    InvalidInput,
    RunKind,
    RunState,
    Stage,
    StoreFull,
    StoreGone,
    StoreProblem,
    TaskState,
    TickState,
)
from monitor.store.collect import pauses, runs
from monitor.store.collect.runs import EndedRun, Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import leases, tasks, ticks
from monitor.store.schedule.ticks import DueTick
from monitor.text.counted_nouns import several
from monitor.ticks import (
    GRACE,
    Decision,
    decide_missed,
    due_ticks,
    is_late,
    next_tick,
    say_missed,
    start_of,
    to_catch_up,
)
from monitor.work.perform import WorkerContext, stop_collecting

log = logging.getLogger(__name__)

#: The alarm of a job whose newest tick could not be begun.
TICK_FAILED = "tick_failed"
#: The events that a noise run was not begun, and that a confirming one was not or could not be yet.
NOISE_DROPPED = "noise_dropped"
NOT_CONFIRMED = "confirm_not_begun"
#: Answers of a turn that has begun may still come in when a run is asked no further; after so long
#: it is derived from.
_SETTLED_AFTER = timedelta(seconds=90)


class TickScheduler:
    """The ticks of the jobs in force.

    `shop.database` should wait for nobody: what cannot be done now is done at the next call.
    `wake` is called when there are new tasks, `alive` between two runs that are begun.
    """

    def __init__(
        self,
        shop: WorkerContext,
        jobs: Mapping[str, WatchedJob],
        past: RecordedRunner,
        wake: Callable[[], None] = lambda: None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self._shop, self._database = shop, shop.database
        self._jobs, self._past, self._wake, self._alive = jobs, past, wake, alive
        self._next: dict[str, tuple[WatchedJob, datetime | None]] = {}
        self._paused: set[str] = set()
        self._waited: dict[int, datetime] = {}  # ticks for whose job a run was going, and when

    # --- what is owed -----------------------------------------------------------------------------

    def to_look_at(self, now: datetime) -> list[str]:
        """Return jobs that are new, changed, or due since the last look."""
        names = []
        for name, job in self._jobs.items():
            looked, next_at = self._next.get(name, (None, None))
            if looked != job or (next_at is not None and next_at <= now):
                names.append(name)
        return names

    def forget_jobs(self) -> None:
        """Look at all jobs again, as after the clock was set."""
        self._next.clear()

    def take_back(self, now: datetime) -> int:
        """Delete future ticks that a fast clock noted; return how many."""
        with self._database.begin() as connection:
            n = ticks.remove_later(connection, now)
            if n:
                detail = f"{several(n, 'due tick')} of times still to come: the clock was ahead"
                events.add_event(connection, "ticks_taken_back", "", detail, now=now)
        return n

    def set_right(self, now: datetime) -> None:
        """Undo delays caused by a clock that was ahead."""
        self.take_back(now)
        with self._database.begin() as connection:
            tasks.wake_tasks(connection)
        self._wake()

    @property
    def paused_jobs(self) -> frozenset[str]:
        """Return the jobs in force that are paused."""
        return frozenset(self._paused & self._jobs.keys())

    @property
    def next_tick(self) -> tuple[datetime, str] | None:
        """Return the time of the next tick of any job that is not paused, and the job."""
        times = [
            (due_at, name)
            for name, (_, due_at) in self._next.items()
            if due_at and name in self._jobs and name not in self._paused
        ]
        return min(times, default=None)

    def note_ticks(self, job: WatchedJob, now: datetime) -> Decision:
        """Write down what a job owes, and when it is due next."""
        with self._database.read() as connection:
            last = ticks.find_last_noted(connection, job.name, now)
            rest = pauses.find_pause(connection, "job", job.name)
        self._paused = self._paused | {job.name} if rest else self._paused - {job.name}
        after = max(last or job.owed_since, job.owed_since)
        owed = due_ticks(job.schedule, after, now)
        decision = decide_missed(owed, job.schedule.catch_up, now, pause=str(rest) if rest else "")
        next_at = next_tick(job.schedule, max(now, after))
        before = self._next.get(job.name)
        if decision.rows or before != (job, next_at):
            noted = [
                (due_at, start_of(job.name, job.schedule, due_at), state, reason)
                for due_at, state, reason in decision.rows
            ]
            with self._database.begin() as connection:
                ticks.note_ticks(connection, job.name, noted, now)
                ticks.set_next_time(connection, job.name, next_at)
        self._next[job.name] = job, next_at
        return decision

    # --- what is due ------------------------------------------------------------------------------

    def begin_ticks(self, now: datetime) -> None:
        """Begin the ticks that are due, or store why they are not begun."""
        with self._database.read() as connection:
            self._paused = {
                rest.name for rest in pauses.list_pauses(connection) if rest.kind == "job"
            }
            due = ticks.find_due(connection, now)
            running = ticks.list_running(connection) if due else []
        self._waited = {
            tick_id: waited_at
            for tick_id, waited_at in self._waited.items()
            if abs(now - waited_at) <= GRACE
        }
        for name in sorted({tick.job for tick in due}):
            due_of_job, going = (
                [tick for tick in ticks_read if tick.job == name] for ticks_read in (due, running)
            )
            self._begin_job(name, due_of_job, going, now)
            self._alive()

    def _begin_job(
        self, name: str, due: Sequence[DueTick], going: Sequence[DueTick], now: datetime
    ) -> None:
        job = self._jobs.get(name)
        with self._database.read() as connection:
            rest = pauses.find_pause(connection, "job", name)
        if job is None or rest:
            self._end_missed(job, due, str(rest) if rest else "its job file is gone", now)
        elif job.is_recorded:
            self._past.take_job(job, due)
        else:
            self._begin_live(job, due if going else self._drop_late(job, due, now), going, now)

    def _end_missed(
        self, job: WatchedJob | None, due: Sequence[DueTick], why: str, now: datetime
    ) -> None:
        """End ticks that are not begun; runs that exist are continued."""
        for tick in due:
            run = None if job is not None and job.is_recorded else self._find_run(tick)
            if run is None or self._is_recorded(run):
                self._end_tick([tick], TickState.MISSED, why, now)
            else:
                self._try_begin(tick, partial(_return_run, run), now)

    def _drop_late(self, job: WatchedJob, due: Sequence[DueTick], now: datetime) -> list[DueTick]:
        """Return the ticks to begin by the catch-up policy; end the others.

        What was in time when it was noted may not be any more: its start was delayed, or a run
        had to end first, and then nobody was there.
        """
        policy = job.schedule.catch_up
        late = [tick for tick in due if self._is_late(tick, now)]
        if not late:
            return list(due)
        with self._database.read() as connection:
            newest = ticks.list_unbegun(connection, job.name)[-1]
        caught_up = to_catch_up(late, policy, is_newer=newest.id != late[-1].id)
        dropped = [tick for tick in late if tick not in caught_up and not self._find_run(tick)]
        self._end_tick(dropped, TickState.MISSED, say_missed(policy, "its start"), now)
        return [tick for tick in due if tick not in dropped]

    def _is_late(self, tick: DueTick, now: datetime) -> bool:
        """Return whether a tick could have been begun earlier."""
        return is_late(tick.start_at, now) and tick.id not in self._waited

    def _begin_live(
        self, job: WatchedJob, due: Sequence[DueTick], going: Sequence[DueTick], now: datetime
    ) -> None:
        """Begin ticks, one run of a job at a time; end those that overlap."""
        waiting: list[DueTick] = []
        for tick in due:
            in_the_way = going[-1] if going else None
            if in_the_way is None:
                stop_reruns(self._database, job.name, now)
                begun = self._start_tick(job, tick, now)
                going = [begun] if begun else []
            elif self._is_ending(in_the_way):
                waiting.append(tick)
            else:
                why = f"run {in_the_way.run_id}, of the tick before, is still being asked"
                self._end_tick([tick], TickState.OVERLAPPED, why, now)
        if waiting and not self._is_late(waiting[-1], now):
            self._waited[waiting[-1].id] = now
        why = "the run of a tick before had not ended when the next tick was due"
        self._end_tick(waiting[:-1], TickState.OVERLAPPED, why, now)

    def _is_ending(self, tick: DueTick) -> bool:
        """Return whether the run of a tick asks no more, or can stop asking."""
        run_id = tick.run_id or 0
        with self._database.read() as connection:
            planned = tasks.list_run_tasks(connection, run_id)
        collecting = [task for task in planned if task.stage is Stage.COLLECT]
        if not any(task.state is TaskState.OPEN for task in collecting):
            return bool(planned)  # a job that asks nothing has one task, which derives
        if stop_collecting(self._shop, run_id, "the next tick was due"):
            self._wake()
            return True
        return False

    def _start_tick(self, job: WatchedJob, tick: DueTick, now: datetime) -> DueTick | None:
        """Begin a tick with its run and tasks; None after a fault, which is stored."""
        return self._try_begin(tick, partial(self._begin_run, job, tick), now)

    def _try_begin(self, tick: DueTick, run_of: Callable[[], Run], now: datetime) -> DueTick | None:
        try:
            run = run_of()
            self._plan_tasks(tick, run, now)
        except (StoreGone, StoreFull):
            raise
        except Exception as error:
            reason = str(error)
            if not isinstance(error, InvalidInput):
                log.exception("job %s: tick %s", tick.job, tick.due_at.isoformat())
                reason = f"{type(error).__name__}: {error}"
            self._fail_tick(tick, reason, now)
            return None
        self._wake()
        with self._database.read() as connection:
            return next(iter(ticks.list_open_of_run(connection, run.id)), None)

    def _begin_run(self, job: WatchedJob, tick: DueTick) -> Run:
        """Return the run of a tick, begun now or by a process that died."""
        if before := self._find_run(tick):
            return before
        audit = pipeline.audit_of(self._database, job.bundle_id)
        try:
            return pipeline.start(self._database, audit, RunKind.SCHEDULED, tick.due_at)
        except InvalidInput:
            # another daemon was quicker that leads no more, or was not to be started
            if begun_run := self._find_run(tick):
                return begun_run
            raise

    def _find_run(self, tick: DueTick) -> Run | None:
        with self._database.read() as connection:
            return ticks.find_scheduled_run(connection, tick.job, tick.due_at)

    def _plan_tasks(self, tick: DueTick, run: Run, now: datetime) -> None:
        lanes = self._find_lanes(run)
        with self._database.begin() as connection:
            if ticks.begin_tick(connection, tick.id, run.id):
                tasks.plan_tasks(connection, run.id, lanes)
                events.resolve_alarm(connection, TICK_FAILED, tick.job, now)

    def _find_lanes(self, run: Run) -> list[str]:
        """Return the lanes of a run by the files that it was begun with."""
        return pipeline.lanes_of(self._database, pipeline.audit_of_run(self._database, run), run)

    def _is_recorded(self, run: Run) -> bool:
        """Return whether a run needs no tasks; False if that is unknown."""
        try:
            return pipeline.audit_of_run(self._database, run).job.is_recorded
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, StoreProblem, OSError):
            return False

    def _fail_tick(self, tick: DueTick, why: str, now: datetime) -> None:
        log.error("job %s: the tick of %s failed: %s", tick.job, tick.due_at.isoformat(), why)
        with self._database.begin() as connection:
            ticks.end_tick(connection, tick.id, TickState.FAILED, why, now)
            events.raise_alarm(connection, TICK_FAILED, tick.job, why, now)

    def _end_tick(
        self, ended: Sequence[DueTick], state: TickState, why: str, now: datetime
    ) -> None:
        if ended:
            with self._database.begin() as connection:
                for tick in ended:
                    ticks.end_tick(connection, tick.id, state, why, now)

    # --- what was cut off -------------------------------------------------------------------------

    def heal_ticks(self, now: datetime) -> None:
        """End ticks whose runs are complete, and plan runs without tasks."""
        with self._database.read() as connection:
            running = [
                (
                    tick,
                    runs.get_run(connection, tick.run_id),
                    tasks.list_run_tasks(connection, tick.run_id),
                )
                for tick in ticks.list_running(connection)
                if tick.run_id is not None
            ]
            # died right after its run was begun, and then the tick was not to be begun
            orphans = ticks.find_without_tasks(connection)
        for tick, run, planned in running:
            if not planned:
                self._plan_again(run)
            elif all(task.state is not TaskState.OPEN for task in planned):
                why = "; ".join(dict.fromkeys(task.reason for task in planned if task.reason))
                failed = any(task.state is TaskState.FAILED for task in planned)
                ended = TickState.DONE if run.state is RunState.DONE else TickState.PARTIAL
                self._end_tick([tick], TickState.FAILED if failed else ended, why, now)
        planned_above = {run.id for _, run, _ in running}
        for run in orphans:
            if run.id not in planned_above and not self._is_recorded(run):
                self._plan_again(run)

    def _plan_again(self, run: Run) -> None:
        """Plan a run without tasks, or log that its files cannot be read."""
        try:
            lanes = self._find_lanes(run)
            with self._database.begin() as connection:
                is_taken = leases.find_holder(connection, pipeline.turn_of_run(run.id))
                if not is_taken and not tasks.list_run_tasks(connection, run.id):
                    tasks.plan_tasks(connection, run.id, lanes)
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, StoreProblem, OSError) as error:
            log.warning("job %s: run %s cannot be planned: %s", run.job, run.id, error)
        else:
            self._wake()


def _return_run(run: Run) -> Run:
    return run


class RerunScheduler:
    """The noise and confirming runs of the jobs in force. `wake` reports new tasks."""

    def __init__(
        self,
        shop: WorkerContext,
        jobs: Mapping[str, WatchedJob],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._database, self._jobs, self._wake = shop.database, jobs, wake
        self._settled: dict[str, datetime] = {}  # ticks whose noise nothing is left to say of

    def begin_reruns(self, now: datetime) -> None:
        """Begin reruns that are due: confirming runs first, for their deadline."""
        if any(job.confirm for job in self._jobs.values()):
            self._begin_confirming(now)
        for job in self._jobs.values():
            if job.noise and not job.is_recorded:
                self._begin_noise_runs(job, now)

    # --- noise ------------------------------------------------------------------------------------

    def _begin_noise_runs(self, job: WatchedJob, now: datetime) -> None:
        with self._database.read() as connection:
            due_at = runs.find_newest_tick(connection, job.name)
            if due_at is None or self._settled.get(job.name) == due_at:
                return
            tick = runs.find_ended_run(connection, job.name, due_at)
            if tick is None or job.noise is None or self._is_settled(connection, tick):
                self._settled[job.name] = due_at
                return
            newest = ticks.list_newest(connection, job.name, 1)[0].due_at
            is_free = _is_free(connection, job.name)
        if newest > due_at:
            self._drop_tick(tick, f"the tick of {newest:%Y-%m-%d %H:%M} UTC was due before", now)
        elif is_free and now >= due_at + job.noise.after:
            self._begin_noise(job, tick, now)

    def _is_settled(self, connection: Connection, tick: EndedRun) -> bool:
        """Return whether nothing is left to do about the noise of a tick."""
        run = tick.run
        return (
            not tick.has_noise
            or runs.find_scheduled(connection, run.job, run.due_at, RunKind.NOISE) is not None
            or events.find_last_detail(connection, NOISE_DROPPED, run.job, run.id) is not None
        )

    def _begin_noise(self, job: WatchedJob, tick: EndedRun, now: datetime) -> None:
        def start() -> pipeline.Begun:
            audit, pairs = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            if not pairs:
                return pipeline.Begun(None, "the job asks other engines and targets now")
            due_at, table = tick.run.due_at, job.noise
            run = pipeline.start_noise(self._database, audit, due_at, pairs, now, table)
            return pipeline.Begun(run)

        if why := self._begin_rerun(start):
            self._drop_tick(tick, why, now)

    def _drop_tick(self, tick: EndedRun, why: str, now: datetime) -> None:
        run = tick.run
        log.warning("job %s: no noise run of %s: %s", run.job, run.due_at.isoformat(), why)
        with self._database.begin() as connection:
            events.add_event(connection, NOISE_DROPPED, run.job, why, now=now, run_id=run.id)
        self._settled[run.job] = run.due_at

    # --- findings ---------------------------------------------------------------------------------

    def _begin_confirming(self, now: datetime) -> None:
        pairs_by_tick: dict[tuple[str, datetime], set[pipeline.Pair]] = defaultdict(set)
        for finding in pipeline.to_confirm(self._database, now):
            pairs_by_tick[finding.job, finding.due_at].add((finding.engine, finding.target))
        for (name, due_at), pairs in sorted(pairs_by_tick.items()):
            job = self._jobs.get(name)
            if job is not None and job.confirm is not None and not job.is_recorded:
                self._confirm_tick(job, due_at, pairs, now)

    def _confirm_tick(
        self, job: WatchedJob, due_at: datetime, pairs: set[pipeline.Pair], now: datetime
    ) -> None:
        with self._database.read() as connection:
            tick = runs.find_ended_run(connection, job.name, due_at)
            if tick is None or job.confirm is None:
                return
            confirm = job.confirm
            is_time = tick.finished_at + confirm.after <= now <= due_at + confirm.within
            earlier_run = runs.find_scheduled(connection, job.name, due_at, RunKind.CONFIRM)
            if earlier_run is not None or not is_time or not _is_free(connection, job.name):
                return

        def start() -> pipeline.Begun:
            audit, still_asked = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            pairs_again = pairs & still_asked
            return pipeline.start_confirm(self._database, audit, due_at, pairs_again, now, confirm)

        if why := self._begin_rerun(start):
            self._write_reason(tick, why, now)

    def _write_reason(self, tick: EndedRun, why: str, now: datetime) -> None:
        """Write down why a finding is not asked again yet, once as long as that is the reason."""
        run = tick.run
        with self._database.begin() as connection:
            if events.find_last_detail(connection, NOT_CONFIRMED, run.job, run.id) != why:
                log.warning("job %s: %s is not asked again: %s", run.job, run.due_at, why)
                events.add_event(connection, NOT_CONFIRMED, run.job, why, now=now, run_id=run.id)

    # --- both -------------------------------------------------------------------------------------

    def _begin_rerun(self, start: Callable[[], pipeline.Begun]) -> str:
        """Begin a run and plan its tasks; return why there is none."""
        try:
            begun = start()
            if begun.run is None:
                return begun.reason
            audit = pipeline.audit_of_run(self._database, begun.run)
            lanes = pipeline.lanes_of(self._database, audit, begun.run)
            with self._database.begin() as connection:
                tasks.plan_tasks(connection, begun.run.id, lanes)
        except (StoreGone, StoreFull):
            raise
        except InvalidInput as error:
            return str(error)
        except Exception as error:
            # a fault of ours must not keep other jobs from being begun
            log.exception("a run that asks again could not be begun")
            return f"{type(error).__name__}: {error}"
        self._wake()
        return ""


def _is_free(connection: Connection, job: str) -> bool:
    """Return whether a job has no run in progress, waiting or paused."""
    resting = pauses.find_pause(connection, "job", job) is not None
    waiting = ticks.list_unbegun(connection, job) or runs.find_open_reruns(connection, job)
    running = any(tick.job == job for tick in ticks.list_running(connection))
    return not (resting or waiting or running)


def stop_reruns(database: Database, job: str, now: datetime) -> None:
    """Stop asking in reruns of a job, because a tick begins.

    What has come in is derived from a little later, when nothing more can be on its way.
    """
    with database.read() as connection:
        run_ids = runs.find_open_reruns(connection, job, again=True)
    if not run_ids:
        return
    with database.begin() as connection:
        for run_id in run_ids:
            planned = tasks.list_run_tasks(connection, run_id)
            open_ = [task for task in planned if task.state is TaskState.OPEN]
            collecting = [task for task in open_ if task.stage is Stage.COLLECT]
            for task in collecting:
                why = "; ".join(part for part in (task.reason, "the next tick was due") if part)
                tasks.settle_task(connection, task.id, TaskState.DONE, why)
            for task in open_:
                if collecting and task.stage is Stage.DERIVE:
                    tasks.settle_task(connection, task.id, TaskState.OPEN, "", now + _SETTLED_AFTER)
