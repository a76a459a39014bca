"""Leaves runs that are to be derived anew to the daemon or its workers; says how far they are."""

from collections.abc import Iterable
from datetime import UTC, datetime

from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import tasks, ticks
from monitor.store.schedule.tasks import RedoProgress

_PLANNED = "redo_planned"


def plan_redo(database: Database, some: Iterable[Run], first: str, detail: str) -> None:
    """Plan a task for each run, from a step on; `detail` says why, in an event for each job."""
    by_job: dict[str, list[Run]] = {}
    for run in some:
        by_job.setdefault(run.job, []).append(run)
    for job, runs in by_job.items():
        with database.begin() as connection:
            # before the tasks: those that are done after it are counted
            words = f"{len(runs):,} run{'' if len(runs) == 1 else 's'}, {detail}"
            events.add_event(connection, _PLANNED, job, words, now=datetime.now(UTC))
            for run in runs:
                tasks.plan_redo(connection, run.id, first)


def redo_progress(connection: Connection) -> list[RedoProgress]:
    """The jobs whose runs are being derived anew by tasks, with how many are done."""
    return tasks.count_redone(connection, ticks.read_newest_by_subject(connection, _PLANNED))
