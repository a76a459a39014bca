"""The only part that reaches outside this process."""

import threading
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.fetch import local
from monitor.fetch.local import LocalFetcher
from monitor.model import (
    Answer,
    Fetcher,
    HttpRequest,
    LocalRequest,
    MissingPart,
    PageRequest,
    Pause,
    Request,
)

if TYPE_CHECKING:
    from monitor.fetch.browser import BrowserWay
    from monitor.fetch.http import Way
    from monitor.fetch.landing import LandingFetcher


def check_parts(requests: Iterable[Request], models: Path, chromium: str = "") -> None:
    """Raise MissingPart unless all that these requests need is here.

    That is libraries, models, keys, a browser (`chromium` is what MONITOR_CHROMIUM says), and a
    person's decision where an engine must not be asked without one.
    """
    for request in requests:
        if isinstance(request, HttpRequest | PageRequest) and request.refused:
            raise MissingPart(request.refused)
        if isinstance(request, LocalRequest):
            local.check_model(request, models)
        elif isinstance(request, HttpRequest):
            from monitor.fetch import http  # noqa: PLC0415 - httpx takes a while to import

            http.check_request(request)
        elif isinstance(request, PageRequest):
            from monitor.fetch import browser  # noqa: PLC0415 - see above

            browser.find_executables(chromium, request.headed)


class Outside:
    """A fetcher for every kind of request; several engines may use it at the same time.

    Each back end of local models has a process pool of its own, so that a model that dies takes
    nothing of another engine with it.
    """

    def __init__(
        self, models: Path, processes: int, way: "Way", pages: "BrowserWay | None" = None
    ) -> None:
        """`way` is how services are reached, `pages` how pages are opened."""
        self._models, self._processes, self._way, self._pages = models, processes, way, pages
        self._pools: dict[str, LocalFetcher] = {}
        self._landings: LandingFetcher | None = None
        self._lock = threading.Lock()

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) as they come in; the first request says who answers them all."""
        waiting = iter(requests)
        for first in waiting:
            if isinstance(first, Pause):
                time.sleep(first.seconds)
                continue
            rest: Iterator[Request | Pause] = chain([first], waiting)
            yield from self._fetcher_of(first).fetch(rest)
            return

    def _fetcher_of(self, request: Request) -> Fetcher:
        if isinstance(request, HttpRequest):
            from monitor.fetch.http import HttpFetcher  # noqa: PLC0415 - see above

            return HttpFetcher(self._way)
        if isinstance(request, PageRequest):
            from monitor.fetch.browser import BrowserFetcher  # noqa: PLC0415 - see above

            return BrowserFetcher(self._pages)
        if not isinstance(request, LocalRequest):
            raise TypeError(f"nothing here answers {request!r}")
        with self._lock:
            if request.backend not in self._pools:
                pool = LocalFetcher(self._models, self._processes, self._way.seconds)
                self._pools[request.backend] = pool
            return self._pools[request.backend]

    def landings(self) -> "LandingFetcher":
        """Return the fetcher of pages that results lead to. Raises MissingPart."""
        from monitor.fetch.landing import LandingFetcher  # noqa: PLC0415 - see above

        with self._lock:
            if self._landings is None:
                self._landings = LandingFetcher(self._way)
            return self._landings

    def close(self) -> None:
        """Stop the process pools after what is in flight."""
        if self._landings is not None:
            self._landings.close()
        for pool in self._pools.values():
            pool.close()
