"""Ticks: what is owed becomes rows, and what is due becomes runs with their tasks.

What is owed is computed from the database alone, so that an outage, a second call, or a clock that
was set changes nothing; what is cut off in the middle is gone on with at the next call. Noise and
confirming runs ask parts of ticks again: they wait for the run of their tick, and are asked no
further once the next one is begun.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby

from monitor import pipeline
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
from monitor.store.changes import reruns
from monitor.store.changes.reruns import EndedRun
from monitor.store.collect import pauses, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import leases, tasks, ticks
from monitor.store.schedule.ticks import DueTick
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
            n = ticks.remove_later(connection, now)
            if n:
                said = f"{several(n, 'due tick')} of times still to come: the clock was ahead"
                events.add_event(connection, "ticks_taken_back", "", said, now=now)
        return n

    def set_right(self, now: datetime) -> None:
        """Undo what a clock that was ahead has put off."""
        self.take_back(now)
        with self._database.begin() as connection:
            tasks.wake_tasks(connection)
        self._wake()

    @property
    def next(self) -> tuple[datetime, str] | None:
        """When the next tick of any job is due, and of which."""
        times = [(at, name) for name, (_, at) in self._next.items() if at and name in self._jobs]
        return min(times, default=None)

    def look(self, job: Known, now: datetime) -> Decision:
        """Write down what a job owes, and when it is due next."""
        with self._database.read() as connection:
            last = ticks.find_last_noted(connection, job.name, now)
            rest = pauses.find_pause(connection, "job", job.name)
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
                ticks.note_ticks(connection, job.name, noted, now)
                ticks.set_next_time(connection, job.name, at)
        self._next[job.name] = job, at
        return found

    # --- what is due ------------------------------------------------------------------------------

    def begin(self, now: datetime) -> None:
        """Begin the ticks whose start has come, or say why they are not begun."""
        with self._database.read() as connection:
            due = ticks.find_due(connection, now)
            running = ticks.list_running(connection) if due else []
        self._waited = {one: at for one, at in self._waited.items() if abs(now - at) <= GRACE}
        for name, some in groupby(sorted(due, key=lambda one: one.job), key=lambda one: one.job):
            going = [one for one in running if one.job == name]
            self._begin(name, list(some), going, now)
            self._alive()

    def _begin(
        self, name: str, due: Sequence[DueTick], going: Sequence[DueTick], now: datetime
    ) -> None:
        job = self._jobs.get(name)
        with self._database.read() as connection:
            rest = pauses.find_pause(connection, "job", name)
        if job is None or rest:
            self._miss(job, due, str(rest) if rest else "its job file is gone", now)
        elif job.is_recorded:
            self._past.take(job, due)
        else:
            self._begin_live(job, due if going else self._not_late(job, due, now), going, now)

    def _miss(self, job: Known | None, due: Sequence[DueTick], why: str, now: datetime) -> None:
        """End ticks that are not begun; a run that was begun for one is gone on with."""
        for tick in due:
            run = None if job is not None and job.is_recorded else self._begun(tick)
            if run is None or self._is_recorded(run):
                self._end([tick], TickState.MISSED, why, now)
            else:
                self._tried(tick, partial(_itself, run), now)

    def _not_late(self, job: Known, due: Sequence[DueTick], now: datetime) -> list[DueTick]:
        """Ticks that are begun now by the policy of the job; the others are missed.

        What was in time when it was noted may not be any more: its start was delayed, or a run
        had to end first, and then nobody was there.
        """
        policy = job.schedule.catch_up
        late = [one for one in due if self._is_late(one, now)]
        if not late:
            return list(due)
        with self._database.read() as connection:
            newest = ticks.list_unbegun(connection, job.name)[-1]
        caught_up = to_catch_up(late, policy, is_newer=newest.id != late[-1].id)
        dropped = [one for one in late if one not in caught_up and not self._begun(one)]
        self._end(dropped, TickState.MISSED, say_missed(policy, "its start"), now)
        return [one for one in due if one not in dropped]

    def _is_late(self, tick: DueTick, now: datetime) -> bool:
        """Whether a tick could have been begun before, had somebody been there."""
        return is_late(tick.start_at, now) and tick.id not in self._waited

    def _begin_live(
        self, job: Known, due: Sequence[DueTick], going: Sequence[DueTick], now: datetime
    ) -> None:
        """One run of a job at a time: a tick waits for one that ends, and not for one that asks."""
        waiting: list[DueTick] = []
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

    def _is_ending(self, tick: DueTick) -> bool:
        """Whether the run of a tick is asked no more, or can be left at what it has."""
        run_id = tick.run_id or 0
        with self._database.read() as connection:
            planned = tasks.list_run_tasks(connection, run_id)
        asked = [one for one in planned if one.stage is Stage.COLLECT]
        if not any(one.state is TaskState.OPEN for one in asked):
            return bool(planned)  # a job that asks nothing has one task, which derives
        if wind_up(self._shop, run_id, "the next tick was due"):
            self._wake()
            return True
        return False

    def _start(self, job: Known, tick: DueTick, now: datetime) -> DueTick | None:
        """A tick with its run and tasks; None where it cannot be begun, which is said."""
        return self._tried(tick, partial(self._run, job, tick), now)

    def _tried(self, tick: DueTick, run_of: Callable[[], Run], now: datetime) -> DueTick | None:
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
            return next(iter(ticks.list_open_of_run(connection, run.id)), None)

    def _run(self, job: Known, tick: DueTick) -> Run:
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

    def _begun(self, tick: DueTick) -> Run | None:
        with self._database.read() as connection:
            return ticks.find_scheduled_run(connection, tick.job, tick.due_at)

    def _plan(self, tick: DueTick, run: Run, now: datetime) -> None:
        lanes = self._lanes(run)
        with self._database.begin() as connection:
            if ticks.begin_tick(connection, tick.id, run.id):
                tasks.plan_tasks(connection, run.id, lanes)
                events.resolve_alarm(connection, FAILED, tick.job, now)

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

    def _failed(self, tick: DueTick, why: str, now: datetime) -> None:
        log.error("job %s: the tick of %s failed: %s", tick.job, tick.due_at.isoformat(), why)
        with self._database.begin() as connection:
            ticks.end_tick(connection, tick.id, TickState.FAILED, why, now)
            events.raise_alarm(connection, FAILED, tick.job, why, now)

    def _end(self, some: Sequence[DueTick], state: TickState, why: str, now: datetime) -> None:
        if some:
            with self._database.begin() as connection:
                for tick in some:
                    ticks.end_tick(connection, tick.id, state, why, now)

    # --- what was cut off -------------------------------------------------------------------------

    def heal(self, now: datetime) -> None:
        """End ticks whose runs have nothing left to do, and plan runs that have no tasks."""
        with self._database.read() as connection:
            found = [
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
                is_taken = leases.find_holder(connection, pipeline.turn_of_run(run.id))
                if not is_taken and not tasks.list_run_tasks(connection, run.id):
                    tasks.plan_tasks(connection, run.id, lanes)
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, StoreProblem, OSError) as error:
            log.warning("job %s: run %s cannot be planned: %s", run.job, run.id, error)
        else:
            self._wake()


def _itself(run: Run) -> Run:
    return run


#: The events that a noise run was not begun, and that a confirming one was not or could not be yet.
NOISE_DROPPED = "noise_dropped"
NOT_CONFIRMED = "confirm_not_begun"
#: Answers of a turn that has begun may still come in when a run is asked no further; after so long
#: it is derived from.
_SETTLED = timedelta(seconds=90)


class Again:
    """The noise and confirming runs of the jobs in force. `wake` is called for new tasks."""

    def __init__(
        self, shop: Shop, jobs: Mapping[str, Known], wake: Callable[[], None] = lambda: None
    ) -> None:
        self._database, self._jobs, self._wake = shop.database, jobs, wake
        self._settled: dict[str, datetime] = {}  # ticks whose noise nothing is left to say of

    def begin(self, now: datetime) -> None:
        """Begin what is to be asked again now; findings go first, because they have a deadline."""
        if any(job.confirm for job in self._jobs.values()):
            self._confirm(now)
        for job in self._jobs.values():
            if job.noise and not job.is_recorded:
                self._noise(job, now)

    # --- noise ------------------------------------------------------------------------------------

    def _noise(self, job: Known, now: datetime) -> None:
        with self._database.read() as connection:
            due_at = reruns.find_newest_tick(connection, job.name)
            if due_at is None or self._settled.get(job.name) == due_at:
                return
            tick = reruns.find_ended_run(connection, job.name, due_at)
            if tick is None or job.noise is None or self._is_settled(connection, tick):
                self._settled[job.name] = due_at
                return
            newest = ticks.list_newest(connection, job.name, 1)[0].due_at
            is_free = _is_free(connection, job.name)
        if newest > due_at:
            self._drop(tick, f"the tick of {newest:%Y-%m-%d %H:%M} UTC was due before", now)
        elif is_free and now >= due_at + job.noise.after:
            self._begin_noise(job, tick, now)

    def _is_settled(self, connection: Connection, tick: EndedRun) -> bool:
        """Whether a tick has its noise run, shall have none, or it was said why it has none."""
        run = tick.run
        return (
            not tick.has_noise
            or runs.find_scheduled(connection, run.job, run.due_at, RunKind.NOISE) is not None
            or reruns.find_last_detail(connection, NOISE_DROPPED, run.job, run.id) is not None
        )

    def _begin_noise(self, job: Known, tick: EndedRun, now: datetime) -> None:
        def start() -> pipeline.Begun:
            own, pairs = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            if not pairs:
                return pipeline.Begun(None, "the job asks other engines and targets now")
            due_at, table = tick.run.due_at, job.noise
            run = pipeline.start_noise(self._database, own, due_at, pairs, now, table)
            return pipeline.Begun(run)

        if why := self._tried(start):
            self._drop(tick, why, now)

    def _drop(self, tick: EndedRun, why: str, now: datetime) -> None:
        run = tick.run
        log.warning("job %s: no noise run of %s: %s", run.job, run.due_at.isoformat(), why)
        with self._database.begin() as connection:
            events.add_event(connection, NOISE_DROPPED, run.job, why, now=now, run_id=run.id)
        self._settled[run.job] = run.due_at

    # --- findings ---------------------------------------------------------------------------------

    def _confirm(self, now: datetime) -> None:
        wanted: dict[tuple[str, datetime], set[pipeline.Pair]] = defaultdict(set)
        for one in pipeline.to_confirm(self._database, now):
            wanted[one.job, one.due_at].add((one.engine, one.target))
        for (name, due_at), pairs in sorted(wanted.items()):
            job = self._jobs.get(name)
            if job is not None and job.confirm is not None and not job.is_recorded:
                self._confirm_tick(job, due_at, pairs, now)

    def _confirm_tick(
        self, job: Known, due_at: datetime, pairs: set[pipeline.Pair], now: datetime
    ) -> None:
        with self._database.read() as connection:
            tick = reruns.find_ended_run(connection, job.name, due_at)
            if tick is None or job.confirm is None:
                return
            confirm = job.confirm
            is_time = tick.finished_at + confirm.after <= now <= due_at + confirm.within
            known = runs.find_scheduled(connection, job.name, due_at, RunKind.CONFIRM)
            if known is not None or not is_time or not _is_free(connection, job.name):
                return

        def start() -> pipeline.Begun:
            own, asked = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            again_ = pairs & asked
            return pipeline.start_confirm(self._database, own, due_at, again_, now, confirm)

        if why := self._tried(start):
            self._say(tick, why, now)

    def _say(self, tick: EndedRun, why: str, now: datetime) -> None:
        """Write down why a finding is not asked again yet, once as long as that is the reason."""
        run = tick.run
        with self._database.begin() as connection:
            if reruns.find_last_detail(connection, NOT_CONFIRMED, run.job, run.id) != why:
                log.warning("job %s: %s is not asked again: %s", run.job, run.due_at, why)
                events.add_event(connection, NOT_CONFIRMED, run.job, why, now=now, run_id=run.id)

    # --- both -------------------------------------------------------------------------------------

    def _tried(self, start: Callable[[], pipeline.Begun]) -> str:
        """Begin a run and plan its tasks; returns why there is none."""
        try:
            begun = start()
            if begun.run is None:
                return begun.reason
            own = pipeline.audit_of_run(self._database, begun.run)
            lanes = pipeline.lanes_of(self._database, own, begun.run)
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
    """Whether nothing of a job is asked, to be begun, or at rest."""
    resting = pauses.find_pause(connection, "job", job) is not None
    waiting = ticks.list_unbegun(connection, job) or reruns.find_open_reruns(connection, job)
    running = any(one.job == job for one in ticks.list_running(connection))
    return not (resting or waiting or running)


def give_way(database: Database, job: str, now: datetime) -> None:
    """Ask no further what a job asks again: a tick of it begins.

    What has come in is derived from a little later, when nothing more can be on its way.
    """
    with database.read() as connection:
        some = reruns.find_open_reruns(connection, job, again=True)
    if not some:
        return
    with database.begin() as connection:
        for run_id in some:
            open_ = [
                one
                for one in tasks.list_run_tasks(connection, run_id)
                if one.state is TaskState.OPEN
            ]
            asked = [one for one in open_ if one.stage is Stage.COLLECT]
            for one in asked:
                why = "; ".join(part for part in (one.reason, "the next tick was due") if part)
                tasks.settle_task(connection, one.id, TaskState.DONE, why)
            for one in open_:
                if asked and one.stage is Stage.DERIVE:
                    tasks.settle_task(connection, one.id, TaskState.OPEN, "", now + _SETTLED)
