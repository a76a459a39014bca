"""The state of the installation: processes, watched jobs, pauses, suspensions and open alarms."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from monitor.store import rows
from monitor.store.collect import pauses, runs
from monitor.store.collect.pauses import ManualPause
from monitor.store.collect.runs import Run
from monitor.store.database import Connection
from monitor.store.journal import events
from monitor.store.journal.events import Alarm, Process
from monitor.store.schedule import ticks
from monitor.store.schedule.leases import is_at_work
from monitor.store.schedule.ticks import DueTick, WatchedJobRow

#: A process that was silent for so long is not at work; every process says so each ten seconds.
_SILENT_AFTER = timedelta(seconds=40)
#: A process that was silent for so long is not listed.
_FORGOTTEN_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ListedProcess:
    """A daemon or a worker that has not ended; it is silent where it is no longer at work."""

    process: Process
    is_silent: bool


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job that is or was watched, or is paused, with its newest tick and undecided runs."""

    name: str
    watched: WatchedJobRow | None
    tick: DueTick | None
    undecided: Sequence[Run]
    pause: ManualPause | None


@dataclass(frozen=True, slots=True)
class Installation:
    """State of the whole installation at a time. Suspensions are those that are not over.

    `waiting` are open tasks that say why they wait.
    """

    processes: Sequence[ListedProcess]
    jobs: Sequence[ListedJob]
    waiting: Sequence[dict[str, object]]
    pauses: Sequence[ManualPause]
    suspensions: Sequence[dict[str, object]]
    alarms: Sequence[Alarm]

    @property
    def is_led(self) -> bool:
        """Return whether a daemon is at work, so that ticks are begun when they are due."""
        return any(row.process.role == "daemon" and not row.is_silent for row in self.processes)


def read_installation(connection: Connection, now: datetime) -> Installation:
    """Return the state of processes, jobs, pauses, suspensions and alarms."""
    return Installation(
        processes=[
            ListedProcess(
                process, now - process.seen_at > _SILENT_AFTER or is_at_work(process.name) is False
            )
            for process in events.list_heard(connection, now, _FORGOTTEN_AFTER)
        ],
        jobs=list_jobs(connection),
        waiting=ticks.list_waiting(connection),
        pauses=pauses.list_pauses(connection),
        suspensions=list_open_suspensions(connection, now),
        alarms=events.list_open_alarms(connection),
    )


def list_open_suspensions(connection: Connection, now: datetime) -> list[dict[str, object]]:
    """Return the suspensions that are not over, by lane."""
    return [
        row
        for row in pauses.list_suspensions(connection)
        if isinstance(row["until"], datetime) and row["until"] > now
    ]


def list_jobs(connection: Connection) -> list[ListedJob]:
    """Return the jobs that are or were watched, paused, or have undecided runs, by name."""
    watched = {row.job: row for row in ticks.list_watched(connection)}
    paused = {pause.name: pause for pause in pauses.list_pauses(connection) if pause.kind == "job"}
    undecided = rows.group_rows(runs.find_undecided(connection), attrgetter("job"))
    return [
        ListedJob(
            name=name,
            watched=watched.get(name),
            tick=next(iter(ticks.list_newest(connection, name, 1)), None),
            undecided=undecided.get(name, ()),
            pause=paused.get(name),
        )
        for name in sorted({*watched, *paused, *undecided})
    ]
