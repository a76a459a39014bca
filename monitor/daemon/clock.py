"""The clock: calls for each job at its ticks, and checks whether the time can be trusted.

A call that is late, doubled or missed makes no difference, because what is owed is computed from
the database. A machine without a battery starts in the past; rows of later times reveal that.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from monitor.daemon.watching import WatchedJob
from monitor.jobs_tables import Schedule
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import ticks
from monitor.ticks import next_tick

log = logging.getLogger(__name__)

#: The alarm of a clock that is likely wrong; nothing is begun while it stands.
CLOCK_ALARM = "clock"
#: The event by which a person says that what was written down up to its time is by a wrong clock.
CLOCK_TRUSTED = "clock_trusted"
#: A clock that was ahead for a moment leaves rows of one moment behind. Rows of days that are
#: still to come are a history, and it is the clock of now that is wrong.
ONE_DAY = timedelta(days=1)


def trust_clock(database: Database, reason: str, now: datetime) -> datetime | None:
    """Note that the clock is right and was ahead before; return the latest time that it had said.

    None where no row is of a time that is still to come: then nothing is noted.
    """
    with database.begin() as connection:
        trusted = ticks.read_newest_by_subject(connection, CLOCK_TRUSTED)
        later = ticks.find_later_times(connection, max([now, *trusted.values()]))
        if later is None:
            return None
        events.add_event(connection, CLOCK_TRUSTED, "", reason, now=later[1])
        events.resolve_alarm(connection, CLOCK_ALARM, "", now)
    return later[1]


def find_clock_fault(database: Database, now: datetime) -> str:
    """Return why the clock is probably behind; empty if nothing indicates that.

    The alarm stands as long as there is a reason.
    """
    why = ""
    with database.begin() as connection:
        trusted = ticks.read_newest_by_subject(connection, CLOCK_TRUSTED)
        later_rows = ticks.find_later_times(connection, max([now, *trusted.values()]))
        if later_rows and later_rows[1] - now > ONE_DAY and later_rows[1] - later_rows[0] > ONE_DAY:
            why = (
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, but the database holds rows of "
                f"{later_rows[1]:%Y-%m-%d %H:%M} UTC"
            )
        is_open = any(alarm.kind == CLOCK_ALARM for alarm in events.list_open_alarms(connection))
        if why:
            events.raise_alarm(connection, CLOCK_ALARM, "", why, now)
        elif is_open:
            events.resolve_alarm(connection, CLOCK_ALARM, "", now)
    if why and not is_open:
        log.warning("%s; nothing is begun until it is past them", why)
    return why


# it says every firing, and a job that is due each minute would fill a log
logging.getLogger("apscheduler").setLevel(logging.WARNING)


class TickTrigger(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """Trigger at the ticks of a schedule after now, by the rules of `monitor.ticks`."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        """Return a time after now, so that a long absence causes one call."""
        return next_tick(self.schedule, now if previous is None else max(previous, now))


class Clock:
    """Calls `look` with the name of a job at each of its ticks, in its own thread."""

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
        """Start calling."""
        self._scheduler.start()

    def follow_jobs(self, jobs: Mapping[str, WatchedJob]) -> None:
        """Keep the time of these jobs, and of no others."""
        for name in self._kept.keys() - jobs.keys():
            self._scheduler.remove_job(name)
            del self._kept[name]
        for name, job in jobs.items():
            if self._kept.get(name) != job.schedule:
                trigger = TickTrigger(job.schedule)
                self._scheduler.add_job(self._look, trigger, [name], id=name, replace_existing=True)
                self._kept[name] = job.schedule

    def handle_jump(self) -> None:
        """Compute the next call again, because the clock of the machine was set."""
        if self._scheduler.running:
            self._scheduler.wakeup()

    def stop(self) -> None:
        """Stop calling."""
        self._scheduler.shutdown(wait=False)
