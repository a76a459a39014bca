"""Answers from donated pages; no request leaves."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from monitor.fetch.replay import yield_after_pauses
from monitor.fetch.saved import fold_question
from monitor.model import Answer, DonatedRequest, Outcome, Pause, Probe, Request, StoredPage


class DonatedWeek:
    """The pages of one week. Of several from one donor for a question the first counts.

    `read` gives the content of a page.
    """

    def __init__(
        self, due_at: datetime, pages: Iterable[StoredPage], read: Callable[[StoredPage], bytes]
    ) -> None:
        self.due_at, self.read = due_at, read
        self._pages: dict[tuple[str, str, str], dict[str, StoredPage]] = defaultdict(dict)
        for page in pages:
            key = page.system, page.region, fold_question(page.query)
            self._pages[key].setdefault(page.donor, page)

    def find_donors(self, system: str, probe: Probe) -> Sequence[str]:
        """Return the donors who gave a page of a question in its region."""
        return sorted(self._find(system, probe.region, probe.text))

    def find_page(self, request: DonatedRequest) -> StoredPage | None:
        """Return the page of a donor."""
        return self._find(request.system, request.region, request.text).get(request.donor)

    def _find(self, system: str, region: str, text: str) -> Mapping[str, StoredPage]:
        return self._pages.get((system, region, fold_question(text)), {})


class DonatedFetcher:
    """Answers the questions of one week with its pages."""

    def __init__(self, week: DonatedWeek) -> None:
        self._week = week

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of the requests."""
        for index, request in enumerate(yield_after_pauses(requests)):
            if not isinstance(request, DonatedRequest):
                raise TypeError(f"not a request for a donated page: {request!r}")
            page = self._week.find_page(request)
            if page is None:
                yield index, Answer(Outcome.OK, self._week.due_at, 0.0, detail="no page is left")
                continue
            yield index, Answer(
                Outcome.OK, page.captured_at, 0.0, url=page.url, body=self._week.read(page),
                agent=(("form", "donated"),), observed=(("region", page.region),),
            )  # fmt: skip

    def close(self) -> None:
        """Do nothing: the archive holds the pages."""
