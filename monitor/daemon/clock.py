"""The clock: say when a job may have to be looked at, and whether the time is to be believed.

A call that is late, doubled or missed changes nothing, because what is owed is computed from the
database. A machine without a battery begins in a year long past; the database knows by what was
written down at times that are still to come.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from monitor.daemon.watching import Known
from monitor.jobs_tables import Schedule
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import ticks
from monitor.ticks import next_tick

log = logging.getLogger(__name__)

#: The alarm of a clock that is likely wrong; nothing is begun while it stands.
CLOCK = "clock"
#: The event by which a person says that what was written down up to its time is by a wrong clock.
TRUSTED = "clock_trusted"
#: A clock that was ahead for a moment leaves rows of one moment behind. Rows of days that are
#: still to come are a history, and it is the clock of now that is wrong.
A_DAY = timedelta(days=1)


def trust(database: Database, reason: str, now: datetime) -> datetime | None:
    """Note that the clock is right and was ahead before; return the latest time that it had said.

    None where no row is of a time that is still to come: then nothing is noted.
    """
    with database.begin() as connection:
        trusted = ticks.read_newest_by_subject(connection, TRUSTED)
        later = ticks.find_later_times(connection, max([now, *trusted.values()]))
        if later is None:
            return None
        events.add_event(connection, TRUSTED, "", reason, now=later[1])
        events.resolve_alarm(connection, CLOCK, "", now)
    return later[1]


def in_doubt(database: Database, now: datetime) -> str:
    """Why the clock is likely behind; empty where nothing speaks against it.

    The alarm stands as long as there is a reason.
    """
    why = ""
    with database.begin() as connection:
        trusted = ticks.read_newest_by_subject(connection, TRUSTED)
        found = ticks.find_later_times(connection, max([now, *trusted.values()]))
        if found and found[1] - now > A_DAY and found[1] - found[0] > A_DAY:
            why = (
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, but the database holds rows of "
                f"{found[1]:%Y-%m-%d %H:%M} UTC"
            )
        is_open = any(one.kind == CLOCK for one in events.list_open_alarms(connection))
        if why:
            events.raise_alarm(connection, CLOCK, "", why, now)
        elif is_open:
            events.resolve_alarm(connection, CLOCK, "", now)
    if why and not is_open:
        log.warning("%s; nothing is begun until it is past them", why)
    return why


# it says every firing, and a job that is due each minute would fill a log
logging.getLogger("apscheduler").setLevel(logging.WARNING)


class TickTrigger(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """The ticks of a schedule after now, by the rules of `monitor.ticks`."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        """Never a time before now: after years of absence there is one call, not a million."""
        return next_tick(self.schedule, now if previous is None else max(previous, now))


class Clock:
    """Calls `look` with the name of a job at each of its ticks, in a thread of its own."""

    def __init__(self, look: Callable[[str], None]) -> None:
        self._look = look
        self._kept: dict[str, Schedule] = {}
        # the calls only leave a name behind, so they are made by the scheduler's own thread
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": DebugExecutor()},
            job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1},
        )

    def start(self) -> None:
        """Let time run."""
        self._scheduler.start()

    def follow(self, jobs: Mapping[str, Known]) -> None:
        """Keep the time of these jobs, and of no others."""
        for name in self._kept.keys() - jobs.keys():
            self._scheduler.remove_job(name)
            del self._kept[name]
        for name, job in jobs.items():
            if self._kept.get(name) != job.schedule:
                trigger = TickTrigger(job.schedule)
                self._scheduler.add_job(self._look, trigger, [name], id=name, replace_existing=True)
                self._kept[name] = job.schedule

    def jumped(self) -> None:
        """Look at the time again: the clock of the machine was set."""
        if self._scheduler.running:
            self._scheduler.wakeup()

    def stop(self) -> None:
        """No more calls, of a clock that was started."""
        self._scheduler.shutdown(wait=False)
