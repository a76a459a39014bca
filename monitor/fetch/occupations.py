"""Asks a SPARQL endpoint for the occupations of Wikidata, one page after another.

In goes a fetcher, out come the pages as they arrive; the list is made by
`monitor.wikidata.occupations`. A lane decides when to ask again, and when to give up: then the
pages that came are kept, and the fault says why the rest is missing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from monitor import faults
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Fault, Fetcher, Outcome, Pause, Request, Trouble
from monitor.wikidata.occupations import FLOOR, PAGE, Occupation, page_query, read_occupations
from monitor.wikidata.requests import NotReadable, answer_trouble, read_rows, sparql_request

#: Pages a second at most; the public service grants a minute of work in a minute.
_PACE = 0.5
#: Far more than Wikidata has; an endpoint that ignores OFFSET would never end.
_MOST_PAGES = 100


@dataclass(slots=True)
class FetchedOccupations:
    """Occupations that were read. `fault` says why some lack; `asked_at`: the first request."""

    occupations: list[Occupation] = field(default_factory=list)
    pages: int = 0
    asked_at: datetime | None = None
    fault: str = ""


def fetch_occupations(  # noqa: D417 - the fetcher is described by its protocol
    fetcher: Fetcher,
    endpoint: str,
    floor: int = FLOOR,
    size: int = PAGE,
    progress: Callable[[int], None] = lambda _found: None,
    lane: Lane | None = None,
) -> FetchedOccupations:
    """Every occupation with at least so many articles. Never raises for what the service does.

    Args:
        endpoint: address of the SPARQL service.
        floor: articles on Wikimedia sites that an occupation needs.
        size: occupations on a page.
        progress: told how many came so far.
        lane: pace and patience, if not the usual ones.

    """
    asking = _OccupationPages(endpoint, floor, size, lane or Lane(name="wikidata", pace=_PACE))
    try:
        for _, answer in fetcher.fetch(asking.yield_requests()):
            asking.take_answer(answer)
            progress(len(asking.fetched.occupations))
    except KeyboardInterrupt:  # a list takes minutes; what came is worth keeping
        asking.fetched.fault = "stopped by Ctrl-C"
    return asking.fetched


@dataclass(slots=True)
class _OccupationPages:
    """One pass over the pages: what is asked next, and what came."""

    endpoint: str
    floor: int
    size: int
    lane: Lane
    fetched: FetchedOccupations = field(default_factory=FetchedOccupations)
    _seen: set[str] = field(default_factory=set)
    _ended: bool = False

    def yield_requests(self) -> Iterator[Request | Pause]:
        """The current page, again after a failure; a pause while it is under way."""
        while not self._ended:
            wait = self.lane.compute_wait()
            if wait > 0:
                yield Pause(wait)
                continue
            self.lane.record_request()
            yield sparql_request(
                self.endpoint, page_query(self.fetched.pages, self.floor, self.size)
            )

    def take_answer(self, answer: Answer) -> None:
        """Take the rows of a page, or leave it to the lane whether it is asked again."""
        self.fetched.asked_at = self.fetched.asked_at or answer.asked_at
        if answer.outcome is Outcome.OK:
            answer = faults.judge_answer(answer, answer_trouble(answer))
        rows_of_page: list[dict[str, str]] = []
        if answer.outcome is Outcome.OK:
            try:
                rows_of_page = read_rows(answer)
            except NotReadable as error:
                answer = faults.judge_answer(answer, Trouble(Fault.DRIFT, str(error)))
        self.lane.record_answer(answer, "")
        if answer.outcome is Outcome.OK:
            self._take_page(rows_of_page)
        elif self.lane.stopped or faults.find_consequence(answer) is faults.Then.GO_ON:
            self._end_pass(self.lane.stopped or answer.detail or answer.reason or answer.outcome)

    def _take_page(self, page: list[dict[str, str]]) -> None:
        fresh = [
            occupation for occupation in read_occupations(page) if occupation.item not in self._seen
        ]
        self._seen.update(occupation.item for occupation in fresh)
        self.fetched.occupations += fresh
        self.fetched.pages += 1
        if len(page) < self.size:
            self._end_pass("" if self.fetched.occupations else "the answer holds no occupation")
        elif not fresh:
            self._end_pass("a page repeats the one before it")
        elif self.fetched.pages >= _MOST_PAGES:
            self._end_pass(f"no end after {_MOST_PAGES} pages")

    def _end_pass(self, fault: str) -> None:
        self._ended, self.fetched.fault = True, fault
