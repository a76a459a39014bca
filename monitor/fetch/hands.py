"""Pure work on many portions: in this process, or in a pool of others.

In go a function of a module, by whose name the others find it, and the portions; out come results
in the order of the portions. Not more than two portions for each process are under way, so memory
does not grow with the number of portions.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from monitor.fetch.local import start_process
from monitor.model import MonitorError

Portion = TypeVar("Portion")
Result = TypeVar("Result")

_AHEAD = 2


class HandsLost(MonitorError):
    """A process of the pool died; what was stored stays."""


_LOST = (
    "a process that helped has died, perhaps for want of memory; what was stored stays: start "
    "again, with fewer --processes"
)


class Underway(Generic[Result]):
    """Something that is being done."""

    def __init__(
        self, wait: Callable[[], Result], cancel: Callable[[], object] = lambda: None
    ) -> None:
        self._wait, self.cancel = wait, cancel

    def result(self) -> Result:
        """What came out, as soon as it is done. Raises what was raised, and HandsLost."""
        try:
            return self._wait()
        except BrokenProcessPool as error:
            raise HandsLost(_LOST) from error


class Hands:
    """One process, which is this one, or a pool of so many others. Use it as a context."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def begin(self, function: Callable[[Portion], Result], portion: Portion) -> "Underway[Result]":
        """Have something done; in this process it is done when it is asked for."""
        if self.processes <= 1:
            return Underway(lambda: function(portion))
        future = self._submit(function, portion)
        return Underway(future.result, future.cancel)

    def each(
        self, function: Callable[[Portion], Result], portions: Iterable[Portion]
    ) -> Iterator[tuple[Portion, Result]]:
        """Each portion with its result, in order."""
        waiting: deque[tuple[Portion, Underway[Result]]] = deque()
        try:
            for portion in portions:
                waiting.append((portion, self.begin(function, portion)))
                if self.processes <= 1 or len(waiting) > _AHEAD * self.processes:
                    first, begun = waiting.popleft()
                    yield first, begun.result()
            while waiting:
                first, begun = waiting.popleft()
                yield first, begun.result()
        finally:
            for _, begun in waiting:
                begun.cancel()

    def _submit(self, function: Callable[[Portion], Result], portion: Portion) -> "Future[Result]":
        if self._pool is None:
            context: Any = get_context("forkserver")
            context.set_forkserver_preload(["monitor.pipeline"])
            self._pool = ProcessPoolExecutor(self.processes, context, start_process)
        try:
            return self._pool.submit(function, portion)
        except BrokenProcessPool as error:
            raise HandsLost(_LOST) from error
