"""Leaves runs that are to be derived anew to the daemon or its workers; says how far they are."""

from collections.abc import Iterable
from datetime import UTC, datetime

from monitor.store import events, tasks, ticks
from monitor.store.database import Connection, Database
from monitor.store.runs import Run
from monitor.store.tasks import Redoing

_PLANNED = "redo_planned"


def plan_redo(database: Database, some: Iterable[Run], first: str, detail: str) -> None:
    """Plan a task for each run, from a step on; `detail` says why, in an event for each job."""
    by_job: dict[str, list[Run]] = {}
    for run in some:
        by_job.setdefault(run.job, []).append(run)
    for job, mine in by_job.items():
        with database.begin() as connection:
            # before the tasks: those that are done after it are counted
            said = f"{len(mine):,} run{'' if len(mine) == 1 else 's'}, {detail}"
            events.add(connection, _PLANNED, job, said, now=datetime.now(UTC))
            for run in mine:
                tasks.plan_redo(connection, run.id, first)


def redo_progress(connection: Connection) -> list[Redoing]:
    """The jobs whose runs are being derived anew by tasks, with how many are done."""
    return tasks.redoing(connection, ticks.newest_by_subject(connection, _PLANNED))
