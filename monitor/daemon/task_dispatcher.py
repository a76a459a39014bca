"""Hands tasks to workers through Procrastinate, and takes them from workers that are gone."""

import logging
from threading import Event, Thread

from monitor.model import StoreProblem
from monitor.work.perform import WorkerContext
from monitor.work.queue import TaskQueue

log = logging.getLogger(__name__)

#: It is looked for ready tasks so often, and for workers that are gone.
_LOOK_SECONDS = 1.0
#: A worker that gave no sign of life for this part of a lease is gone, or stands still.
_MISSED = 2 / 3
_FIRST_REST, _LONGEST_REST = 1.0, 30.0


class TaskDispatcher:
    """A thread that keeps the queue of the workers filled."""

    def __init__(self, shop: WorkerContext) -> None:
        self._shop = shop
        self._queue = TaskQueue(shop.database, shop.settings.exit)
        self._woken, self._over = Event(), Event()
        self._rest = _FIRST_REST
        self._loop = Thread(target=self._run, name="handing", daemon=True)

    @property
    def in_flight(self) -> int:
        """Return 0, because no task is performed here."""
        return 0

    @property
    def is_alive(self) -> bool:
        """Return whether tasks are still handed out."""
        return self._loop.is_alive()

    def start(self) -> None:
        """Start handing out tasks."""
        self._loop.start()

    def wake(self) -> None:
        """Look for tasks now."""
        self._woken.set()

    def close(self, *, wait: bool) -> None:
        """Stop handing out tasks."""
        self._over.set()
        self._woken.set()
        if wait and self._loop.is_alive():
            self._loop.join()

    def _run(self) -> None:
        while not self._over.is_set():
            self._woken.clear()
            self._woken.wait(self._hand_out())

    def _hand_out(self) -> float:
        """Hand out ready tasks, and return the seconds until the next look."""
        try:
            self._queue.rescue(self._shop.settings.lease_seconds * _MISSED)
            self._queue.defer_ready()
        except StoreProblem as error:
            log.warning("tasks cannot be handed out now: %s", error)
        except Exception:
            log.exception("tasks could not be handed out")
        else:
            self._rest = _FIRST_REST
            return _LOOK_SECONDS
        rest, self._rest = self._rest, min(self._rest * 2, _LONGEST_REST)
        return rest
