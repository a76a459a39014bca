"""Local models and pure functions in pools of processes: libraries hold the interpreter lock.

Requests become answers as they are finished. A model is loaded once per process. A process that
dies costs the requests that were in it, not the run. Portions of pure work give their results in
order; at most two portions for each process are under way, so that memory does not grow with them.
"""

import json
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from monitor.fetch.backends import find_backend
from monitor.model import (
    Answer,
    LocalRequest,
    MissingPart,
    MonitorError,
    Outcome,
    Pause,
    Reason,
    Request,
)


def check_model(request: LocalRequest, models: Path) -> None:
    """Raise MissingPart, saying what to install or fetch, unless this model can be run here."""
    find_backend(request.backend).check(request.model, models)


def _make_pool(processes: int, preload: str) -> ProcessPoolExecutor:
    context = get_context("forkserver")
    context.set_forkserver_preload([preload])
    return ProcessPoolExecutor(processes, context, start_process)


def start_process() -> None:
    """Leave Ctrl-C to the parent, which finishes what is in flight; end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent closes its end of a pipe; without this the models would stay in memory."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@cache
def _loaded_model(backend: str, model: str, models: Path) -> Any:  # noqa: ANN401 - (run, identity)
    return find_backend(backend).load(model, models)


def answer_request(request: LocalRequest, models: Path) -> Answer:
    """Answer one request in this process. Never raises: a fault is an answer with its traceback."""
    asked_at, started = datetime.now(UTC), time.monotonic()
    try:
        run, identity = _loaded_model(request.backend, request.model, models)
        content = run(request.texts, dict(request.options))
    except MissingPart as error:
        outcome, reason, detail = Outcome.FAILED, Reason.EXCEPTION, str(error)
    except Exception:  # noqa: BLE001 - the one place where a model's exception becomes an outcome
        outcome, reason, detail = Outcome.FAILED, Reason.EXCEPTION, traceback.format_exc(limit=8)
    else:
        body = json.dumps(content, ensure_ascii=False).encode()
        took = time.monotonic() - started
        return Answer(Outcome.OK, asked_at, took, body=body, agent=identity)
    return Answer(outcome, asked_at, time.monotonic() - started, reason=reason, detail=detail)


class LocalFetcher:
    """A fetcher over a process pool. Two requests per process are kept in flight."""

    def __init__(self, models: Path, processes: int = 0, timeout: float = 120.0) -> None:
        self._lock = threading.Lock()
        self._models = models
        self._size = processes or len(os.sched_getaffinity(0))
        self._timeout = timeout
        self._pool: ProcessPoolExecutor | None = None

    def _submit_request(self, request: LocalRequest) -> "Future[Answer]":
        with self._lock:
            if self._pool is None:
                self._pool = _make_pool(self._size, "monitor.fetch.local")
            pool = self._pool
        try:
            return pool.submit(answer_request, request, self._models)
        except BrokenProcessPool:
            self._drop_pool(pool)
            return self._submit_request(request)

    def _drop_pool(self, pool: ProcessPoolExecutor) -> None:
        """Forget a broken pool, once, whoever of its users sees it first."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=True, cancel_futures=True)

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of completion.

        A request that takes longer than the time limit stops the pool: what was in flight ends
        as TIMEOUT and a new pool goes on.
        """
        waiting, count = iter(requests), 0
        flying: dict[Future[Answer], tuple[int, datetime, float]] = {}
        try:
            while True:
                # What is finished is handed over before the next request, which may have to wait.
                pause = 0.0
                while len(flying) < 2 * self._size and not any(f.done() for f in flying):
                    request = next(waiting, None)
                    if request is None:
                        break
                    if isinstance(request, Pause):
                        pause = request.seconds
                        break
                    if not isinstance(request, LocalRequest):
                        raise TypeError(f"not a local request: {request!r}")
                    future = self._submit_request(request)
                    flying[future] = count, datetime.now(UTC), time.monotonic()
                    count += 1
                if flying:
                    yield from self._collect_finished(flying, pause)
                elif pause:
                    time.sleep(pause)
                else:
                    return
        finally:
            for future in flying:
                future.cancel()

    def _collect_finished(
        self, flying: "dict[Future[Answer], tuple[int, datetime, float]]", pause: float
    ) -> Iterator[tuple[int, Answer]]:
        """Hand over what is finished; wait for the first, for `pause` seconds if that is not 0."""
        oldest = min(started for _, _, started in flying.values())
        limit = max(0.0, oldest + self._timeout - time.monotonic())
        timeout = min(limit, pause) if pause else limit
        done, _ = wait(flying, timeout=timeout, return_when=FIRST_COMPLETED)
        if not done and time.monotonic() < oldest + self._timeout:
            return
        if not done:
            self._kill_processes()
            for index, asked_at, started in flying.values():
                took = time.monotonic() - started
                yield index, Answer(Outcome.TIMEOUT, asked_at, took, detail="no answer in time")
            flying.clear()
        for future in done:
            index, asked_at, started = flying.pop(future)
            try:
                yield index, future.result()
            except BrokenProcessPool as error:
                took = time.monotonic() - started
                yield index, Answer(Outcome.FAILED, asked_at, took, Reason.CRASHED, str(error))

    def _kill_processes(self) -> None:
        """End the pool's processes: one of them is stuck and would never see a polite request."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):  # noqa: SLF001 - no public way
                process.kill()
        self.close()

    def close(self) -> None:
        """Stop the processes after what is in flight."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


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
        """Return the result as soon as it is done. Raises what was raised, and HandsLost."""
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

    def __exit__(self, *_raised: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def begin_portion(
        self, function: Callable[[Portion], Result], portion: Portion
    ) -> "Underway[Result]":
        """Have something done; in this process it is done when it is asked for."""
        if self.processes <= 1:
            return Underway(lambda: function(portion))
        future = self._submit_portion(function, portion)
        return Underway(future.result, future.cancel)

    def compute_each(
        self, function: Callable[[Portion], Result], portions: Iterable[Portion]
    ) -> Iterator[tuple[Portion, Result]]:
        """Each portion with its result, in order."""
        waiting: deque[tuple[Portion, Underway[Result]]] = deque()
        try:
            for portion in portions:
                waiting.append((portion, self.begin_portion(function, portion)))
                if self.processes <= 1 or len(waiting) > _AHEAD * self.processes:
                    first, begun = waiting.popleft()
                    yield first, begun.result()
            while waiting:
                first, begun = waiting.popleft()
                yield first, begun.result()
        finally:
            for _, begun in waiting:
                begun.cancel()

    def _submit_portion(
        self, function: Callable[[Portion], Result], portion: Portion
    ) -> "Future[Result]":
        if self._pool is None:
            self._pool = _make_pool(self.processes, "monitor.pipeline")
        try:
            return self._pool.submit(function, portion)
        except BrokenProcessPool as error:
            raise HandsLost(_LOST) from error
