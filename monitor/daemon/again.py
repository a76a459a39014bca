"""Begins noise and confirming runs: parts of ticks that are asked again.

In go the jobs in force and the time, out come runs with their tasks, or events that say why there
is none. They never stand in the way of a tick: they wait for its run, and are asked no further once
the next one is begun.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from monitor import pipeline
from monitor.daemon.watching import Known
from monitor.model import InvalidInput, RunKind, Stage, StoreFull, StoreGone, TaskState
from monitor.store import (
    again,
    events,
    pauses,
    runs,
    tasks,
    ticks,
)
from monitor.store.again import Ended
from monitor.store.database import Connection, Database
from monitor.work.perform import Shop

log = logging.getLogger(__name__)

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
            due_at = again.newest_tick(connection, job.name)
            if due_at is None or self._settled.get(job.name) == due_at:
                return
            tick = again.ended(connection, job.name, due_at)
            if tick is None or job.noise is None or self._is_settled(connection, tick):
                self._settled[job.name] = due_at
                return
            newest = ticks.of_job(connection, job.name, 1)[0].due_at
            is_free = _is_free(connection, job.name)
        if newest > due_at:
            self._drop(tick, f"the tick of {newest:%Y-%m-%d %H:%M} UTC was due before", now)
        elif is_free and now >= due_at + job.noise.after:
            self._begin_noise(job, tick, now)

    def _is_settled(self, connection: Connection, tick: Ended) -> bool:
        """Whether a tick has its noise run, shall have none, or it was said why it has none."""
        run = tick.run
        return (
            not tick.has_noise
            or runs.scheduled_at(connection, run.job, run.due_at, RunKind.NOISE) is not None
            or again.last_said(connection, NOISE_DROPPED, run.job, run.id) is not None
        )

    def _begin_noise(self, job: Known, tick: Ended, now: datetime) -> None:
        def start() -> pipeline.Begun:
            own, pairs = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            if not pairs:
                return pipeline.Begun(None, "the job asks other engines and targets now")
            due_at, table = tick.run.due_at, job.noise
            run = pipeline.start_noise(self._database, own, due_at, pairs, now, table)
            return pipeline.Begun(run)

        if why := self._tried(start):
            self._drop(tick, why, now)

    def _drop(self, tick: Ended, why: str, now: datetime) -> None:
        run = tick.run
        log.warning("job %s: no noise run of %s: %s", run.job, run.due_at.isoformat(), why)
        with self._database.begin() as connection:
            events.add(connection, NOISE_DROPPED, run.job, why, now=now, run_id=run.id)
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
            tick = again.ended(connection, job.name, due_at)
            if tick is None or job.confirm is None:
                return
            confirm = job.confirm
            is_time = tick.finished_at + confirm.after <= now <= due_at + confirm.within
            known = runs.scheduled_at(connection, job.name, due_at, RunKind.CONFIRM)
            if known is not None or not is_time or not _is_free(connection, job.name):
                return

        def start() -> pipeline.Begun:
            own, asked = pipeline.still_asked(self._database, tick.run, job.bundle_id)
            again_ = pairs & asked
            return pipeline.start_confirm(self._database, own, due_at, again_, now, confirm)

        if why := self._tried(start):
            self._say(tick, why, now)

    def _say(self, tick: Ended, why: str, now: datetime) -> None:
        """Write down why a finding is not asked again yet, once as long as that is the reason."""
        run = tick.run
        with self._database.begin() as connection:
            if again.last_said(connection, NOT_CONFIRMED, run.job, run.id) != why:
                log.warning("job %s: %s is not asked again: %s", run.job, run.due_at, why)
                events.add(connection, NOT_CONFIRMED, run.job, why, now=now, run_id=run.id)

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
                tasks.plan(connection, begun.run.id, lanes)
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
    resting = pauses.find(connection, "job", job) is not None
    waiting = ticks.to_begin(connection, job) or again.going(connection, job)
    running = any(one.job == job for one in ticks.running(connection))
    return not (resting or waiting or running)


def give_way(database: Database, job: str, now: datetime) -> None:
    """Ask no further what a job asks again: a tick of it begins.

    What has come in is derived from a little later, when nothing more can be on its way.
    """
    with database.read() as connection:
        some = again.going(connection, job, again=True)
    if not some:
        return
    with database.begin() as connection:
        for run_id in some:
            open_ = [one for one in tasks.of_run(connection, run_id) if one.state is TaskState.OPEN]
            asked = [one for one in open_ if one.stage is Stage.COLLECT]
            for one in asked:
                why = "; ".join(part for part in (one.reason, "the next tick was due") if part)
                tasks.settle(connection, one.id, TaskState.DONE, why)
            for one in open_:
                if asked and one.stage is Stage.DERIVE:
                    tasks.settle(connection, one.id, TaskState.OPEN, "", now + _SETTLED)
