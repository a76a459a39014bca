"""What is owed becomes rows, and what is due becomes runs with their tasks.

In go the jobs in force and the time, out come ticks, each with what became of it. What is owed is
computed from what the database knows alone, so that an outage, a second call, or a clock that was
set changes nothing; whatever is cut off in the middle is gone on with at the next call.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from monitor import pipeline
from monitor.daemon.known import Known
from monitor.daemon.past import Past
from monitor.model import (
    InvalidInput,
    RunKind,
    RunState,
    Stage,
    StoreFull,
    StoreGone,
    TaskState,
    TickState,
)
from monitor.store import agenda, events, pauses, runs, tasks, ticks
from monitor.store.database import Connection
from monitor.store.pauses import Paused
from monitor.store.runs import Run
from monitor.store.ticks import Tick
from monitor.ticks import Decision, decide, due_ticks, next_tick, start_of
from monitor.work.perform import Shop, wind_up

log = logging.getLogger(__name__)

#: The alarm of a job whose newest tick could not be begun.
FAILED = "tick_failed"
_NEVER_IN_TIME = timedelta(microseconds=-1)


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
            return agenda.take_back(connection, now)

    @property
    def next(self) -> tuple[datetime, str] | None:
        """When the next tick of any job is due, and of which."""
        times = [(at, name) for name, (_, at) in self._next.items() if at and name in self._jobs]
        return min(times, default=None)

    def look(self, job: Known, now: datetime) -> Decision:
        """Write down what a job owes, and when it is due next."""
        with self._database.read() as connection:
            last = agenda.last_noted(connection, job.name, now)
            rest = _paused(connection, job.name)
        after = max(last or job.owed_since, job.owed_since)
        owed = due_ticks(job.schedule, after, now)
        if rest:
            found = _while_paused(decide(owed, "none", now, _NEVER_IN_TIME), rest)
        else:
            found = decide(owed, job.schedule.catch_up, now)
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
        for name, some in groupby(sorted(due, key=lambda one: one.job), key=lambda one: one.job):
            going = [one for one in running if one.job == name]
            self._begin(name, list(some), going, now)
            self._alive()

    def _begin(self, name: str, due: Sequence[Tick], going: Sequence[Tick], now: datetime) -> None:
        job = self._jobs.get(name)
        with self._database.read() as connection:
            rest = _paused(connection, name)
        if job is None or rest:
            self._end(due, TickState.MISSED, _said(rest) if rest else "its job file is gone", now)
        elif job.is_recorded:
            self._past.take(job, due)
        else:
            self._begin_live(job, due, going, now)

    def _begin_live(
        self, job: Known, due: Sequence[Tick], going: Sequence[Tick], now: datetime
    ) -> None:
        """One run of a job at a time: a tick waits for one that ends, and not for one that asks."""
        waiting: list[Tick] = []
        for tick in due:
            in_the_way = going[-1] if going else None
            if in_the_way is None:
                begun = self._start(job, tick, now)
                going = [begun] if begun else []
            elif self._is_ending(in_the_way):
                waiting.append(tick)
            else:
                why = f"run {in_the_way.run_id}, of the tick before, is still being asked"
                self._end([tick], TickState.OVERLAPPED, why, now)
        why = "the run of a tick before had not ended when the next tick was due"
        self._end(waiting[:-1], TickState.OVERLAPPED, why, now)

    def _is_ending(self, tick: Tick) -> bool:
        """Whether the run of a tick is asked no more, or can be left at what it has."""
        run_id = tick.run_id or 0
        with self._database.read() as connection:
            asked = [one for one in tasks.of_run(connection, run_id) if one.stage is Stage.COLLECT]
        if not any(one.state is TaskState.OPEN for one in asked):
            return bool(asked)
        if wind_up(self._shop, run_id, "the next tick was due"):
            self._wake()
            return True
        return False

    def _start(self, job: Known, tick: Tick, now: datetime) -> Tick | None:
        """A tick with its run and tasks; None where it cannot be begun, which is said."""
        try:
            run = self._run(job, tick)
            self._plan(tick, run, now)
        except (StoreGone, StoreFull):
            raise
        except Exception as error:
            said = str(error)
            if not isinstance(error, InvalidInput):
                log.exception("job %s: tick %s", job.name, tick.due_at.isoformat())
                said = f"{type(error).__name__}: {error}"
            self._failed(tick, said, now)
            return None
        self._wake()
        with self._database.read() as connection:
            return next(iter(ticks.open_of_run(connection, run.id)), None)

    def _run(self, job: Known, tick: Tick) -> Run:
        """The run of a tick: begun now, or before by a process that died right after."""
        with self._database.read() as connection:
            before = agenda.scheduled_run(connection, tick.job, tick.due_at)
        if before is not None:
            return before
        audit = pipeline.audit_of(self._database, job.bundle_id)
        return pipeline.start(self._database, audit, RunKind.SCHEDULED, tick.due_at)

    def _plan(self, tick: Tick, run: Run, now: datetime) -> None:
        lanes = self._lanes(run)
        with self._database.begin() as connection:
            if ticks.begin(connection, tick.id, run.id):
                tasks.plan(connection, run.id, lanes)
                events.resolve(connection, FAILED, tick.job, now)

    def _lanes(self, run: Run) -> list[str]:
        """The lanes of a run by the files that it was begun with."""
        with self._database.read() as connection:
            bundle_id = runs.bundle_of(connection, run.id)
        if bundle_id is None:
            raise InvalidInput(f"run {run.id} has no stored job files")
        audit = pipeline.audit_of(self._database, bundle_id)
        return [tasks.TOGETHER] if audit.job.synchronised else list(pipeline.by_lane(audit))

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
        for tick, run, planned in found:
            if not planned:
                lanes = self._lanes(run)
                with self._database.begin() as connection:
                    tasks.plan(connection, run.id, lanes)
                self._wake()
            elif all(one.state is not TaskState.OPEN for one in planned):
                why = "; ".join(dict.fromkeys(one.reason for one in planned if one.reason))
                failed = any(one.state is TaskState.FAILED for one in planned)
                ended = TickState.DONE if run.state is RunState.DONE else TickState.PARTIAL
                self._end([tick], TickState.FAILED if failed else ended, why, now)


def _paused(connection: Connection, job: str) -> Paused | None:
    """The pause of a job; None where there is none."""
    found = (one for one in pauses.all_of(connection) if (one.kind, one.name) == ("job", job))
    return next(found, None)


def _said(rest: Paused) -> str:
    why = f": {rest.reason}" if rest.reason else ""
    return f"paused by a person since {rest.paused_at:%Y-%m-%d %H:%M} UTC{why}"


def _while_paused(found: Decision, rest: Paused) -> Decision:
    """What is owed by a job that rests: nothing is begun, and the rows say why."""
    rows = [one._replace(reason=_said(rest)) for one in found.rows]
    if found.unwritten and rows:
        before = f"; {found.unwritten} ticks before it have no row"
        rows[0] = rows[0]._replace(reason=rows[0].reason + before)
    return Decision(rows, found.unwritten)
