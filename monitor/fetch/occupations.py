"""Asks a SPARQL endpoint for the occupations of Wikidata, one page after another.

In goes a fetcher, out come the pages as they arrive; the list is made by
`monitor.wikidata.occupations`. A lane decides when to ask again, and when to give up: then the
pages that came are kept, and the fault says why the rest is missing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from monitor import faults
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Fault, Outcome, Pause, Request, Trouble
from monitor.wikidata.occupations import FLOOR, PAGE, Occupation, page_query, read_occupations
from monitor.wikidata.requests import NotReadable, answer_trouble, read_rows, sparql_request

#: Pages a second at most; the public service grants a minute of work in a minute.
_PACE = 0.5
#: Far more than Wikidata has; an endpoint that ignores OFFSET would never end.
_MOST_PAGES = 100


class Asking(Protocol):
    """What is needed of a fetcher."""

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of arrival."""
        ...


@dataclass(slots=True)
class Fetched:
    """What came. `fault` says why it is not all; `asked_at` is when the first page was asked."""

    occupations: list[Occupation] = field(default_factory=list)
    pages: int = 0
    asked_at: datetime | None = None
    fault: str = ""


def fetch(  # noqa: D417 - the fetcher is described by its protocol
    fetcher: Asking,
    endpoint: str,
    floor: int = FLOOR,
    size: int = PAGE,
    progress: Callable[[int], None] = lambda _found: None,
    lane: Lane | None = None,
) -> Fetched:
    """Every occupation with at least so many articles. Never raises for what the service does.

    Args:
        endpoint: address of the SPARQL service.
        floor: articles on Wikimedia sites that an occupation needs.
        size: occupations on a page.
        progress: told how many came so far.
        lane: pace and patience, if not the usual ones.

    """
    asking = _Asking(endpoint, floor, size, lane or Lane(name="wikidata", pace=_PACE))
    try:
        for _, answer in fetcher.fetch(asking.requests()):
            asking.came(answer)
            progress(len(asking.found.occupations))
    except KeyboardInterrupt:  # a list takes minutes; what came is worth keeping
        asking.found.fault = "stopped by Ctrl-C"
    return asking.found


@dataclass(slots=True)
class _Asking:
    """One pass over the pages: what is asked next, and what came."""

    endpoint: str
    floor: int
    size: int
    lane: Lane
    found: Fetched = field(default_factory=Fetched)
    _seen: set[str] = field(default_factory=set)
    _ended: bool = False

    def requests(self) -> Iterator[Request | Pause]:
        """The current page, again after a failure; a pause while it is under way."""
        while not self._ended:
            wait = self.lane.wait()
            if wait > 0:
                yield Pause(wait)
                continue
            self.lane.left()
            yield sparql_request(self.endpoint, page_query(self.found.pages, self.floor, self.size))

    def came(self, answer: Answer) -> None:
        """Take the rows of a page, or leave it to the lane whether it is asked again."""
        self.found.asked_at = self.found.asked_at or answer.asked_at
        if answer.outcome is Outcome.OK:
            answer = faults.judged(answer, answer_trouble(answer))
        rows_of_page: list[dict[str, str]] = []
        if answer.outcome is Outcome.OK:
            try:
                rows_of_page = read_rows(answer)
            except NotReadable as error:
                answer = faults.judged(answer, Trouble(Fault.DRIFT, str(error)))
        self.lane.came(answer, "")
        if answer.outcome is Outcome.OK:
            self._take(rows_of_page)
        elif self.lane.stopped or faults.consequence(answer) is faults.Then.GO_ON:
            self._end(self.lane.stopped or answer.detail or answer.reason or answer.outcome)

    def _take(self, page: list[dict[str, str]]) -> None:
        fresh = [
            occupation for occupation in read_occupations(page) if occupation.item not in self._seen
        ]
        self._seen.update(occupation.item for occupation in fresh)
        self.found.occupations += fresh
        self.found.pages += 1
        if len(page) < self.size:
            self._end("" if self.found.occupations else "the answer holds no occupation")
        elif not fresh:
            self._end("a page repeats the one before it")
        elif self.found.pages >= _MOST_PAGES:
            self._end(f"no end after {_MOST_PAGES} pages")

    def _end(self, fault: str) -> None:
        self._ended, self.found.fault = True, fault
