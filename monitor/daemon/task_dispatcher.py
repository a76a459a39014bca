"""Hands tasks to workers through Procrastinate, and takes them from workers that are gone."""

import logging

from monitor.model import StoreProblem
from monitor.work.perform import FIRST_REST, TaskLoop, WorkerContext
from monitor.work.queue import TaskQueue

log = logging.getLogger(__name__)

#: It is looked for ready tasks so often, and for workers that are gone.
_LOOK_SECONDS = 1.0
#: A worker that gave no sign of life for this part of a lease is gone, or stands still.
_MISSED = 2 / 3


class TaskDispatcher(TaskLoop):
    """A thread that keeps the queue of the workers filled; no task is performed here."""

    def __init__(self, shop: WorkerContext) -> None:
        super().__init__("handing")
        self._shop = shop
        self._queue = TaskQueue(shop.database, shop.settings.exit)

    def _look(self) -> float:
        try:
            self._queue.rescue(self._shop.settings.lease_seconds * _MISSED)
            self._queue.defer_ready()
        except StoreProblem as error:
            log.warning("tasks cannot be handed out now: %s", error)
        except Exception:
            log.exception("tasks could not be handed out")
        else:
            self._rest = FIRST_REST
            return _LOOK_SECONDS
        return self._rest_longer()
