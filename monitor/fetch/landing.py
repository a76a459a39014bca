"""Fetches the pages that results lead to: addresses in, pages with their texts out.

Every site is asked as its robots.txt wishes, one request at a time with a rest in between; many
sites are asked at the same time. Pages of strangers can be anything, so that only public addresses
are asked, only pages of text are kept, and nothing that a site does is raised.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from monitor.fetch._landing_extract import Apart
from monitor.fetch._landing_http import Lookup, PublicHttp, addresses
from monitor.fetch._landing_pages import LandedPage
from monitor.fetch._landing_tour import Manners, Tour
from monitor.fetch.http import Way
from monitor.model import Fetcher, Outcome
from monitor.text.landing import HTML, Extracted

__all__ = ["LandedPage", "LandingFetcher"]

#: (body, address, content type) in, the text out.
Extract = Callable[[bytes, str, str], Extracted]

#: While so many pages wait for their texts to be found, no further ones are asked for.
_MOST_WAITING = 8
_EXTRACT_SECONDS = 20.0


def _never() -> bool:
    return False


class LandingFetcher:
    """Asks for pages. What sites wish, and when they were asked last, is remembered.

    `rest` are the seconds between two requests to one host, `hosts` how many are asked at the same
    time. `extract` finds the text of a page; left out, trafilatura does in a process of its own.
    `loopback` lets this machine's own addresses through, and `lookup` resolves names: for tests.
    `http` and `clock` stand in for the network and its time.
    """

    def __init__(
        self,
        way: Way,
        *,
        rest: float = 2.0,
        hosts: int = 16,
        extract: Extract | None = None,
        loopback: bool = False,
        lookup: Lookup = addresses,
        http: Fetcher | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises MissingPart where the library that finds texts is needed and missing."""
        self._apart: Apart | None = None
        if extract is None:
            self._apart = extract = Apart(_EXTRACT_SECONDS)
        self._extract: Extract = extract
        self._http = http or PublicHttp(way, lookup, loopback=loopback)
        self._manners = Manners(rest, hosts, loopback, clock)

    def fetch(
        self, urls: Iterable[str], stop: Callable[[], bool] = _never
    ) -> Iterator[tuple[str, LandedPage]]:
        """Yield (address, page) as they come, each address once. Never raises for what a site does.

        After `stop` says so nothing new is asked, and what was not asked is not yielded.
        """
        pending: deque[tuple[str, LandedPage, Future[Extracted]]] = deque()
        tour = Tour(self._manners, stop, lambda: _waiting(pending) >= _MOST_WAITING)
        for url in dict.fromkeys(urls):
            tour.start(url)
        thread = ThreadPoolExecutor(1)
        try:
            yield from tour.ended()
            for index, answer in self._http.fetch(tour.leaving()):
                tour.came(index, answer)
                for given, page in tour.ended():
                    if page.outcome is Outcome.OK:
                        pending.append((given, page, self._reading(thread, page)))
                    else:
                        yield given, page
                # whoever waits here for a text stops the loop in which requests are in flight
                while pending and pending[0][2].done():
                    yield _with_text(*pending.popleft())
            while pending:
                yield _with_text(*pending.popleft())
        finally:
            thread.shutdown(cancel_futures=True)
            tour.leave()

    def _reading(self, thread: ThreadPoolExecutor, page: LandedPage) -> "Future[Extracted]":
        """The text of a page, once it is found."""
        return thread.submit(self._extract, page.body, page.final_url, page.content_type or HTML)

    def close(self) -> None:
        """End the process that finds texts."""
        self._http.close()
        if self._apart:
            self._apart.close()


def _waiting(pending: Iterable[tuple[str, LandedPage, "Future[Extracted]"]]) -> int:
    """How many pages wait for their texts."""
    return sum(not found.done() for _, _, found in pending)


def _with_text(given: str, page: LandedPage, found: "Future[Extracted]") -> tuple[str, LandedPage]:
    """A page with its text; UNREADABLE where it has none."""
    text = found.result()
    page = replace(page, text=text.text, extractor=text.extractor, detail=text.detail)
    if text.text is None:
        page = replace(page, outcome=Outcome.UNREADABLE)
    return given, page
