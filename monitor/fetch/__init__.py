"""The only part that reaches outside this process."""

import threading
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.fetch import local
from monitor.fetch.local import LocalFetcher
from monitor.model import Answer, Fetcher, HttpRequest, LocalRequest, Pause, Request

if TYPE_CHECKING:
    from monitor.fetch.http import Way


def check_parts(requests: Iterable[Request], models: Path) -> None:
    """Raise MissingPart unless every library, model and key that these requests need is here."""
    for request in requests:
        if isinstance(request, LocalRequest):
            local.check(request, models)
        elif isinstance(request, HttpRequest):
            from monitor.fetch import http  # noqa: PLC0415 - httpx takes a while to import

            http.check(request)


class Outside:
    """A fetcher for every kind of request; several engines may use it at the same time.

    Each back end of local models has a process pool of its own, so that a model that dies takes
    nothing of another engine with it.
    """

    def __init__(self, models: Path, processes: int, way: "Way") -> None:
        self._models, self._processes, self._way = models, processes, way
        self._pools: dict[str, LocalFetcher] = {}
        self._lock = threading.Lock()

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) as they come in; the first request says who answers them all."""
        waiting = iter(requests)
        for first in waiting:
            if isinstance(first, Pause):
                time.sleep(first.seconds)
                continue
            rest: Iterator[Request | Pause] = chain([first], waiting)
            yield from self._fetcher(first).fetch(rest)
            return

    def _fetcher(self, request: Request) -> Fetcher:
        if isinstance(request, HttpRequest):
            from monitor.fetch.http import HttpFetcher  # noqa: PLC0415 - see above

            return HttpFetcher(self._way)
        if not isinstance(request, LocalRequest):
            raise TypeError(f"nothing here answers {request!r}")
        with self._lock:
            if request.backend not in self._pools:
                pool = LocalFetcher(self._models, self._processes, self._way.seconds)
                self._pools[request.backend] = pool
            return self._pools[request.backend]

    def close(self) -> None:
        """Stop the process pools after what is in flight."""
        for pool in self._pools.values():
            pool.close()
