"""Ticks that were measured and are not decided: an alarm for each job, until all of them are."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from monitor.model import MonitorError
from monitor.pipeline.collect.run_starts import turn_of_run
from monitor.stages import schedule
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import leases

log = logging.getLogger(__name__)


def raise_alarm(database: Database, run: Run, error: Exception) -> None:
    """Raise the alarm for a run whose tick could not be decided; it counts as not compared."""
    log.error("run %s of %s is not decided", run.id, run.job, exc_info=error)
    why = str(error) if isinstance(error, MonitorError) else f"{type(error).__name__}: {error}"
    with database.begin() as connection:
        runs.reopen_stage(connection, run.id, runs.COMPARE)
        all_runs = runs.find_undecided(connection, run.job)
        words = f"{schedule.undecided_ticks(all_runs)}; run {run.id}: {why}"
        events.raise_alarm(connection, schedule.UNDECIDED, run.job, words, datetime.now(UTC))


def end_alarm(connection: Connection, job: str) -> None:
    """End the alarm of a job whose ticks are all decided."""
    if _is_raised(connection, job) and not runs.find_undecided(connection, job):
        events.resolve_alarm(connection, schedule.UNDECIDED, job, datetime.now(UTC))


def list_others(connection: Connection, run: Run) -> Sequence[Run]:
    """The other runs of a run's job that are not decided."""
    return [
        this_run for this_run in runs.find_undecided(connection, run.job) if this_run.id != run.id
    ]


def with_ends(connection: Connection, now: datetime) -> list[tuple[Run, datetime]]:
    """Runs that are not decided, with when they ended; `now` for those that are worked on."""
    all_runs = runs.find_undecided(connection)
    ended = runs.read_end_times(connection, [run.id for run in all_runs])
    return [
        (
            run,
            now if leases.find_holder(connection, turn_of_run(run.id)) else ended.get(run.id, now),
        )
        for run in all_runs
    ]


def _is_raised(connection: Connection, job: str) -> bool:
    return any(
        (alarm.kind, alarm.subject) == (schedule.UNDECIDED, job)
        for alarm in events.list_open_alarms(connection)
    )
