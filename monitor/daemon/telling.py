"""Tells people while the daemon leads: looks with it every minute, sends in a thread of its own.

In go a database and the settings; what hangs is a process that ends by itself, so that neither the
daemon nor its end waits for a server that does not answer.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from threading import Event, Thread

from monitor import settings
from monitor.daemon.watching import utc_now
from monitor.model import StoreProblem
from monitor.notify.sender import Sender
from monitor.pipeline.telling import deliver, rules_of, write
from monitor.store.database import Database

log = logging.getLogger(__name__)

#: Seconds for which the end waits for what is being sent. Longer than servers usually take; what is
#: under way then is sent again by whoever leads next, and says so.
_FOR_THE_LAST = 20.0


class Telling:
    """A thread that sends, begun at the first look that finds a route."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database, self._now = database, now
        self._there_is_more, self._over = Event(), Event()
        self._thread: Thread | None = None

    def look(self) -> None:
        """Write down what is to be told now, and have it sent. Raises StoreProblem."""
        try:
            chosen = settings.load()
            routes = Sender.of(chosen).routes
            write(self._database, routes, rules_of(chosen), self._now())
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
        """End after the message at hand, if it does not take long."""
        self._over.set()
        self._there_is_more.set()
        if self._thread is not None:
            self._thread.join(_FOR_THE_LAST)

    def _run(self) -> None:
        chosen = settings.load()
        while not self._over.is_set():
            self._there_is_more.wait()
            self._there_is_more.clear()
            try:
                sender, wanted = Sender.of(chosen), rules_of(chosen)
                deliver(self._database, sender, wanted, self._now, self._over.is_set)
            except StoreProblem as error:
                log.warning("telling waits: %s", error)
            except Exception:
                log.exception("telling failed")
