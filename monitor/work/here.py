"""Performs ready tasks in threads of this process: what there is on a SQLite database.

In goes a shop, out comes nothing: how far tasks have come stands in the database.
"""

import logging
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from time import monotonic

from monitor.model import Stage, StoreProblem
from monitor.store import tasks
from monitor.store.tasks import TOGETHER, Task
from monitor.work.perform import Shop, perform

log = logging.getLogger(__name__)

#: It is looked for ready tasks so often, and when somebody says that there are some.
LOOK_SECONDS = 1.0
#: How long nothing is looked for after the database could not be asked: longer each time.
_FIRST_REST, _LONGEST_REST = 1.0, 30.0


class Here:
    """Hands of this process. No lane is asked by two of them at a time.

    Of tasks that are ready, the one goes first that was longest left alone, so that two runs that
    want the same engine take turns. What is derived anew of kept answers is done beside, one run at
    a time: it takes no hand from what is due.
    """

    def __init__(self, shop: Shop, at_once: int = 8) -> None:
        self._shop, self._at_once = shop, at_once
        self._lock, self._woken, self._over = Lock(), Event(), Event()
        self._at_work: dict[int, tuple[Task, Thread]] = {}
        self._begun: dict[int, float] = {}  # of the tasks that were ready last: when each began
        self._rest = _FIRST_REST
        self._loop = Thread(target=self._run, name="hands", daemon=True)

    def start(self) -> None:
        """Begin to look for tasks."""
        self._loop.start()

    def wake(self) -> None:
        """Look now: there may be something to do."""
        self._woken.set()

    @property
    def in_flight(self) -> int:
        """How many tasks are being performed."""
        with self._lock:
            return len(self._at_work)

    @property
    def is_alive(self) -> bool:
        """Whether tasks are still being looked for."""
        return self._loop.is_alive()

    def close(self, *, wait: bool) -> None:
        """Begin nothing more; wait for what is in flight, or leave it to end with the process."""
        self._over.set()
        self._woken.set()
        if not wait:
            return
        if self._loop.is_alive():
            self._loop.join()
        with self._lock:
            threads = [thread for _, thread in self._at_work.values()]
        for thread in threads:
            thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            self._woken.clear()
            self._woken.wait(self._looked())

    def _looked(self) -> float:
        """Begin what can be begun; returns how many seconds nothing needs to be looked for."""
        try:
            self._begin_some()
        except StoreProblem as error:
            log.warning("tasks cannot be looked for now: %s", error)
            rest, self._rest = self._rest, min(self._rest * 2, _LONGEST_REST)
            return rest
        except Exception:
            log.exception("tasks could not be looked for")
            return _LONGEST_REST
        self._rest = _FIRST_REST
        return LOOK_SECONDS

    def _begin_some(self) -> None:
        with self._lock:
            before = set(self._at_work)  # what ends while we read is still open in what we read
        with self._shop.database.read() as connection:
            ready = tasks.ready(connection, datetime.now(UTC))
        self._begun = {one.id: self._begun.get(one.id, 0.0) for one in ready}
        for task in sorted(ready, key=lambda one: (self._begun[one.id], one.id)):
            if self._over.is_set():
                return
            with self._lock:
                if task.id in before or task.id in self._at_work or not self._is_free(task):
                    continue
                thread = Thread(target=self._perform, args=(task,), name=f"task-{task.id}")
                thread.daemon = True  # a second signal does not wait for it
                self._at_work[task.id] = task, thread
            self._begun[task.id] = monotonic()
            try:
                thread.start()
            except BaseException:
                # no memory for one more thread: it must not count as being performed
                with self._lock:
                    del self._at_work[task.id]
                raise

    def _is_free(self, task: Task) -> bool:
        """Whether there is a hand for a task, and nobody asks its lane."""
        is_beside = task.stage is Stage.REDO
        alike = [one for one, _ in self._at_work.values() if (one.stage is Stage.REDO) == is_beside]
        if is_beside:
            return not alike
        lanes = {one.lane for one in alike} - {"", TOGETHER}
        return len(alike) < self._at_once and task.lane not in lanes

    def _perform(self, task: Task) -> None:
        try:
            perform(self._shop, task.id)
        except KeyboardInterrupt:
            log.info("task %s stopped; what came in is stored", task.id)
        except StoreProblem as error:
            log.warning("task %s is left as it is for now: %s", task.id, error)
            self._over.wait(_FIRST_REST)
        except Exception:
            log.exception("task %s is left as it is", task.id)
            self._over.wait(_LONGEST_REST)
        finally:
            with self._lock:
                del self._at_work[task.id]
            self._woken.set()
