"""Upkeep while the daemon leads: alarms, charts, reports and notifications; retention once a day.

Notifications are sent by a process that ends by itself, so that neither the daemon nor its end
waits for a server that does not answer. Everything here can also be done by commands.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread

from monitor import settings
from monitor.daemon.renewing import StaleRunRenewer
from monitor.daemon.watching import read_utc_now
from monitor.model import StoreProblem
from monitor.notify.sender import AppriseSender
from monitor.pipeline.changes.conclusion import settle_doubts
from monitor.pipeline.journal import deliver_notices, rules_of, write_notices
from monitor.pipeline.maintenance import collect_garbage
from monitor.pipeline.reports import report_what_is_due
from monitor.pipeline.schedule.supervision import supervise_jobs
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import ticks

log = logging.getLogger(__name__)

#: Seconds for which the end waits for what is being sent. Longer than servers usually take; what is
#: under way then is sent again by whoever leads next, and says so.
_LAST_SECONDS = 20.0
#: The event that what is past its time was taken away.
SWEPT_EVENT = "swept"
_UPKEEP_SECONDS = 60.0
_ONE_DAY = timedelta(days=1)


class NotificationSender:
    """A thread that sends, started at the first look that finds a route."""

    def __init__(self, database: Database, now: Callable[[], datetime] = read_utc_now) -> None:
        self._database, self._now = database, now
        self._there_is_more, self._over = Event(), Event()
        self._thread: Thread | None = None

    def look(self) -> None:
        """Write down what is to be told now, and have it sent. Raises StoreProblem."""
        try:
            configured = settings.load()
            routes = AppriseSender.from_settings(configured).routes
            write_notices(self._database, routes, rules_of(configured), self._now())
        except StoreProblem:
            raise
        except Exception:  # a fault of ours must not keep the caller from the rest
            log.exception("telling failed")
            return
        if not routes:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="telling", daemon=True)
            self._thread.start()
        self._there_is_more.set()

    def stop(self) -> None:
        """Stop after the current message, or after a timeout."""
        self._over.set()
        self._there_is_more.set()
        if self._thread is not None:
            self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        configured = settings.load()
        while not self._over.is_set():
            self._there_is_more.wait()
            self._there_is_more.clear()
            try:
                sender, rules = AppriseSender.from_settings(configured), rules_of(configured)
                deliver_notices(self._database, sender, rules, self._now, self._over.is_set)
            except StoreProblem as error:
                log.warning("telling waits: %s", error)
            except Exception:
                log.exception("telling failed")


class _Stopped(Exception):
    """The upkeep was stopped between two portions."""


class Upkeep:
    """A thread, because upkeep may take longer than a tick should wait."""

    def __init__(
        self,
        database: Database,
        leads: Callable[[], bool],
        now: Callable[[], datetime] = read_utc_now,
    ) -> None:
        self._database, self._leads, self._now = database, leads, now
        self._telling = NotificationSender(database, now)
        self._renewing = StaleRunRenewer(database)
        self._over = Event()
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current portion."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._telling.stop()

    def _run(self) -> None:
        while not self._over.is_set():
            if self._leads():
                self.look()
            self._over.wait(_UPKEEP_SECONDS)

    def look(self) -> None:
        """Do all steps once; a fault is logged and ends nothing."""
        now = self._now()
        for step in (
            lambda: supervise_jobs(self._database, now),
            lambda: settle_doubts(self._database, now),
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
            last = ticks.read_newest_by_subject(connection, SWEPT_EVENT).get("")
        if last is not None and abs(now - last) < _ONE_DAY:
            return
        swept = collect_garbage(self._database, now, dry_run=False, progress=self._progress)
        megabytes = sum(line.size for line in swept.lines) / 1e6
        summary = (
            f"{swept.n:,} contents past their time, {megabytes:,.1f} MB; {swept.orphans:,} files"
        )
        with self._database.begin() as connection:
            events.add_event(connection, SWEPT_EVENT, "", summary, now=now)

    def _progress(self, _looked_at: int) -> None:
        if self._over.is_set():
            raise _Stopped
