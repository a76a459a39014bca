"""The clock: says when a job may have to be looked at. What is owed is for others to find out.

In go jobs in force, out come calls with their names. A call that is late, doubled or missed
changes nothing, because what is owed is computed from the database.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from monitor.daemon.known import Known
from monitor.jobs_tables import Schedule
from monitor.ticks import next_tick

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
