"""The only part that reaches outside this process."""

import threading
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from monitor.fetch import http, local
from monitor.fetch.http import HttpFetcher, Way
from monitor.fetch.local import LocalFetcher
from monitor.model import Answer, HttpRequest, LocalRequest, Pause, Request


def check_parts(requests: Iterable[Request], models: Path) -> None:
    """Raise MissingPart unless every library, model and key that these requests need is here."""
    for request in requests:
        if isinstance(request, LocalRequest):
            local.check(request, models)
        elif isinstance(request, HttpRequest):
            http.check(request)


class Outside:
    """A fetcher for every kind of request; several engines may use it at the same time.

    Each back end of local models has a process pool of its own, so that a model that dies takes
    nothing of another engine with it.
    """

    def __init__(self, models: Path, processes: int, way: Way) -> None:
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

    def _fetcher(self, request: Request) -> HttpFetcher | LocalFetcher:
        if isinstance(request, HttpRequest):
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
