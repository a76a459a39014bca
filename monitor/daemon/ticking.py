"""What is owed becomes rows, and what is due becomes runs with their tasks.

In go the jobs in force and the time, out come ticks, each with what became of it. What is owed is
computed from what the database knows alone, so that an outage, a second call, or a clock that was
set changes nothing; whatever is cut off in the middle is gone on with at the next call.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby

from monitor import pipeline
from monitor.daemon.again import give_way
from monitor.daemon.past import Past
from monitor.daemon.watching import Known
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
from monitor.store import (
    events,
    leases,
    pauses,
    runs,
    tasks,
    ticks,
)
from monitor.store.runs import Run
from monitor.store.ticks import Tick
from monitor.text.counted_nouns import several
from monitor.ticks import (
    GRACE,
    Decision,
    decide,
    due_ticks,
    is_late,
    next_tick,
    say_missed,
    start_of,
    to_catch_up,
)
from monitor.work.perform import Shop, wind_up

log = logging.getLogger(__name__)

#: The alarm of a job whose newest tick could not be begun.
FAILED = "tick_failed"


class Ticking:
    """The ticks of the jobs in force.

    `shop.database` should wait for nobody: what cannot be done now is done at the next call.
    `wake` is called when there are new tasks, `alive` between two runs that are begun.
    """

    def __init__(
        self,
        shop: Shop,
        jobs: Mapping[str, Known],
        past: Past,
        wake: Callable[[], None] = lambda: None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self._shop, self._database = shop, shop.database
        self._jobs, self._past, self._wake, self._alive = jobs, past, wake, alive
        self._next: dict[str, tuple[Known, datetime | None]] = {}
        self._waited: dict[int, datetime] = {}  # ticks for whose job a run was going, and when

    # --- what is owed -----------------------------------------------------------------------------

    def to_look_at(self, now: datetime) -> list[str]:
        """The jobs that are new, have changed, or have come due since they were looked at."""
        found = []
        for name, job in self._jobs.items():
            looked, at = self._next.get(name, (None, None))
            if looked != job or (at is not None and at <= now):
                found.append(name)
        return found

    def forget(self) -> None:
        """Look at all jobs anew, as after the clock was set."""
        self._next.clear()

    def take_back(self, now: datetime) -> int:
        """Unwrite ticks that a clock which was ahead took for owed; those with a run stay."""
        with self._database.begin() as connection:
            n = ticks.take_back(connection, now)
            if n:
                said = f"{several(n, 'due tick')} of times still to come: the clock was ahead"
                events.add(connection, "ticks_taken_back", "", said, now=now)
        return n

    def set_right(self, now: datetime) -> None:
        """Undo what a clock that was ahead has put off."""
        self.take_back(now)
        with self._database.begin() as connection:
            tasks.wake_all(connection)
        self._wake()

    @property
    def next(self) -> tuple[datetime, str] | None:
        """When the next tick of any job is due, and of which."""
        times = [(at, name) for name, (_, at) in self._next.items() if at and name in self._jobs]
        return min(times, default=None)

    def look(self, job: Known, now: datetime) -> Decision:
        """Write down what a job owes, and when it is due next."""
        with self._database.read() as connection:
            last = ticks.last_noted(connection, job.name, now)
            rest = pauses.find(connection, "job", job.name)
        after = max(last or job.owed_since, job.owed_since)
        owed = due_ticks(job.schedule, after, now)
        found = decide(owed, job.schedule.catch_up, now, pause=str(rest) if rest else "")
        at = next_tick(job.schedule, max(now, after))
        before = self._next.get(job.name)
        if found.rows or before != (job, at):
            noted = [
                (one.due_at, start_of(job.name, job.schedule, one.due_at), one.state, one.reason)
                for one in found.rows
            ]
            with self._database.begin() as connection:
                ticks.note(connection, job.name, noted, now)
                ticks.next_at(connection, job.name, at)
        self._next[job.name] = job, at
        return found

    # --- what is due ------------------------------------------------------------------------------

    def begin(self, now: datetime) -> None:
        """Begin the ticks whose start has come, or say why they are not begun."""
        with self._database.read() as connection:
            due = ticks.due(connection, now)
            running = ticks.running(connection) if due else []
        self._waited = {one: at for one, at in self._waited.items() if abs(now - at) <= GRACE}
        for name, some in groupby(sorted(due, key=lambda one: one.job), key=lambda one: one.job):
            going = [one for one in running if one.job == name]
            self._begin(name, list(some), going, now)
            self._alive()

    def _begin(self, name: str, due: Sequence[Tick], going: Sequence[Tick], now: datetime) -> None:
        job = self._jobs.get(name)
        with self._database.read() as connection:
            rest = pauses.find(connection, "job", name)
        if job is None or rest:
            self._miss(job, due, str(rest) if rest else "its job file is gone", now)
        elif job.is_recorded:
            self._past.take(job, due)
        else:
            self._begin_live(job, due if going else self._not_late(job, due, now), going, now)

    def _miss(self, job: Known | None, due: Sequence[Tick], why: str, now: datetime) -> None:
        """End ticks that are not begun; a run that was begun for one is gone on with."""
        for tick in due:
            run = None if job is not None and job.is_recorded else self._begun(tick)
            if run is None or self._is_recorded(run):
                self._end([tick], TickState.MISSED, why, now)
            else:
                self._tried(tick, partial(_itself, run), now)

    def _not_late(self, job: Known, due: Sequence[Tick], now: datetime) -> list[Tick]:
        """Ticks that are begun now by the policy of the job; the others are missed.

        What was in time when it was noted may not be any more: its start was delayed, or a run
        had to end first, and then nobody was there.
        """
        policy = job.schedule.catch_up
        late = [one for one in due if self._is_late(one, now)]
        if not late:
            return list(due)
        with self._database.read() as connection:
            newest = ticks.to_begin(connection, job.name)[-1]
        caught_up = to_catch_up(late, policy, is_newer=newest.id != late[-1].id)
        dropped = [one for one in late if one not in caught_up and not self._begun(one)]
        self._end(dropped, TickState.MISSED, say_missed(policy, "its start"), now)
        return [one for one in due if one not in dropped]

    def _is_late(self, tick: Tick, now: datetime) -> bool:
        """Whether a tick could have been begun before, had somebody been there."""
        return is_late(tick.start_at, now) and tick.id not in self._waited

    def _begin_live(
        self, job: Known, due: Sequence[Tick], going: Sequence[Tick], now: datetime
    ) -> None:
        """One run of a job at a time: a tick waits for one that ends, and not for one that asks."""
        waiting: list[Tick] = []
        for tick in due:
            in_the_way = going[-1] if going else None
            if in_the_way is None:
                give_way(self._database, job.name, now)
                begun = self._start(job, tick, now)
                going = [begun] if begun else []
            elif self._is_ending(in_the_way):
                waiting.append(tick)
            else:
                why = f"run {in_the_way.run_id}, of the tick before, is still being asked"
                self._end([tick], TickState.OVERLAPPED, why, now)
        self._waited.update({one.id: now for one in waiting[-1:] if not self._is_late(one, now)})
        why = "the run of a tick before had not ended when the next tick was due"
        self._end(waiting[:-1], TickState.OVERLAPPED, why, now)

    def _is_ending(self, tick: Tick) -> bool:
        """Whether the run of a tick is asked no more, or can be left at what it has."""
        run_id = tick.run_id or 0
        with self._database.read() as connection:
            planned = tasks.of_run(connection, run_id)
        asked = [one for one in planned if one.stage is Stage.COLLECT]
        if not any(one.state is TaskState.OPEN for one in asked):
            return bool(planned)  # a job that asks nothing has one task, which derives
        if wind_up(self._shop, run_id, "the next tick was due"):
            self._wake()
            return True
        return False

    def _start(self, job: Known, tick: Tick, now: datetime) -> Tick | None:
        """A tick with its run and tasks; None where it cannot be begun, which is said."""
        return self._tried(tick, partial(self._run, job, tick), now)

    def _tried(self, tick: Tick, run_of: Callable[[], Run], now: datetime) -> Tick | None:
        try:
            run = run_of()
            self._plan(tick, run, now)
        except (StoreGone, StoreFull):
            raise
        except Exception as error:
            said = str(error)
            if not isinstance(error, InvalidInput):
                log.exception("job %s: tick %s", tick.job, tick.due_at.isoformat())
                said = f"{type(error).__name__}: {error}"
            self._failed(tick, said, now)
            return None
        self._wake()
        with self._database.read() as connection:
            return next(iter(ticks.open_of_run(connection, run.id)), None)

    def _run(self, job: Known, tick: Tick) -> Run:
        """The run of a tick: begun now, or before by a process that died right after."""
        if before := self._begun(tick):
            return before
        audit = pipeline.audit_of(self._database, job.bundle_id)
        try:
            return pipeline.start(self._database, audit, RunKind.SCHEDULED, tick.due_at)
        except InvalidInput:
            # another daemon was quicker that leads no more, or was not to be started
            if theirs := self._begun(tick):
                return theirs
            raise

    def _begun(self, tick: Tick) -> Run | None:
        with self._database.read() as connection:
            return ticks.scheduled_run(connection, tick.job, tick.due_at)

    def _plan(self, tick: Tick, run: Run, now: datetime) -> None:
        lanes = self._lanes(run)
        with self._database.begin() as connection:
            if ticks.begin(connection, tick.id, run.id):
                tasks.plan(connection, run.id, lanes)
                events.resolve(connection, FAILED, tick.job, now)

    def _lanes(self, run: Run) -> list[str]:
        """The lanes of a run by the files that it was begun with."""
        return pipeline.lanes_of(self._database, pipeline.audit_of_run(self._database, run), run)

    def _is_recorded(self, run: Run) -> bool:
        """Whether a run has no tasks because it needs none; what cannot be known is no."""
        try:
            return pipeline.audit_of_run(self._database, run).job.is_recorded
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, StoreProblem, OSError):
            return False

    def _failed(self, tick: Tick, why: str, now: datetime) -> None:
        log.error("job %s: the tick of %s failed: %s", tick.job, tick.due_at.isoformat(), why)
        with self._database.begin() as connection:
            ticks.end(connection, tick.id, TickState.FAILED, why, now)
            events.raise_alarm(connection, FAILED, tick.job, why, now)

    def _end(self, some: Sequence[Tick], state: TickState, why: str, now: datetime) -> None:
        if some:
            with self._database.begin() as connection:
                for tick in some:
                    ticks.end(connection, tick.id, state, why, now)

    # --- what was cut off -------------------------------------------------------------------------

    def heal(self, now: datetime) -> None:
        """End ticks whose runs have nothing left to do, and plan runs that have no tasks."""
        with self._database.read() as connection:
            found = [
                (tick, runs.get(connection, tick.run_id), tasks.of_run(connection, tick.run_id))
                for tick in ticks.running(connection)
                if tick.run_id is not None
            ]
            # died right after its run was begun, and then the tick was not to be begun
            orphans = ticks.without_tasks(connection)
        for tick, run, planned in found:
            if not planned:
                self._plan_again(run)
            elif all(one.state is not TaskState.OPEN for one in planned):
                why = "; ".join(dict.fromkeys(one.reason for one in planned if one.reason))
                failed = any(one.state is TaskState.FAILED for one in planned)
                ended = TickState.DONE if run.state is RunState.DONE else TickState.PARTIAL
                self._end([tick], TickState.FAILED if failed else ended, why, now)
        planned_above = {run.id for _, run, _ in found}
        for run in orphans:
            if run.id not in planned_above and not self._is_recorded(run):
                self._plan_again(run)

    def _plan_again(self, run: Run) -> None:
        """Plan a run that has no tasks; one whose files cannot be read is said, and left."""
        try:
            lanes = self._lanes(run)
            with self._database.begin() as connection:
                is_taken = leases.held_by(connection, pipeline.turn_of_run(run.id))
                if not is_taken and not tasks.of_run(connection, run.id):
                    tasks.plan(connection, run.id, lanes)
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, StoreProblem, OSError) as error:
            log.warning("job %s: run %s cannot be planned: %s", run.job, run.id, error)
        else:
            self._wake()


def _itself(run: Run) -> Run:
    return run
