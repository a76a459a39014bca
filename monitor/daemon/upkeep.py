"""What is looked after beside the ticks: alarms and charts every minute, retention once a day.

In go a database and who says whether this daemon leads; nothing is done here that a person could
not do by `monitor gc`.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread

from monitor.daemon.renewing import Renewing
from monitor.daemon.telling import Telling
from monitor.daemon.watching import utc_now
from monitor.model import StoreProblem
from monitor.pipeline.reporting import report_what_is_due
from monitor.pipeline.settling import settle
from monitor.pipeline.supervising import supervise
from monitor.pipeline.sweeping import collect_garbage
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import ticks

log = logging.getLogger(__name__)

#: The event that what is past its time was taken away.
SWEPT = "swept"
_EVERY = 60.0
_A_DAY = timedelta(days=1)


class _Stopped(Exception):
    """Told to stop between two portions."""


class Upkeep:
    """A thread of its own, because both may take longer than a tick should wait."""

    def __init__(
        self,
        database: Database,
        leads: Callable[[], bool],
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._database, self._leads, self._now = database, leads, now
        self._telling = Telling(database, now)
        self._renewing = Renewing(database)
        self._over = Event()
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin to look after things."""
        self._thread.start()

    def stop(self) -> None:
        """End after the portion at hand."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._telling.stop()

    def _run(self) -> None:
        while not self._over.is_set():
            if self._leads():
                self.look()
            self._over.wait(_EVERY)

    def look(self) -> None:
        """Do once what is to be done now; a fault is said, and ends nothing."""
        now = self._now()
        for step in (
            lambda: supervise(self._database, now),
            lambda: settle(self._database, now),
            lambda: self._renewing.look(now),
            lambda: report_what_is_due(self._database, now),
            self._telling.look,
            lambda: self._sweep(now),
        ):
            try:
                step()
            except _Stopped:
                log.info("stopped in the middle of a sweep; the next one goes on")
            except StoreProblem as error:
                log.warning("upkeep waits: %s", error)
            except Exception:
                log.exception("upkeep failed")

    def _sweep(self, now: datetime) -> None:
        with self._database.read() as connection:
            last = ticks.read_newest_by_subject(connection, SWEPT).get("")
        if last is not None and abs(now - last) < _A_DAY:
            return
        swept = collect_garbage(self._database, now, dry_run=False, progress=self._progress)
        megabytes = sum(line.size for line in swept.lines) / 1e6
        said = f"{swept.n:,} contents past their time, {megabytes:,.1f} MB; {swept.orphans:,} files"
        with self._database.begin() as connection:
            events.add_event(connection, SWEPT, "", said, now=now)

    def _progress(self, _looked_at: int) -> None:
        if self._over.is_set():
            raise _Stopped
