"""Answers one tick of a job on what was collected before: recordings, saved pages, look-ups."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from monitor.fetch.replay import Library, RecordedFetcher, waited
from monitor.fetch.saved import SavedFetcher, Shelves
from monitor.model import Answer, Fetcher, Pause, RecordedRequest, Request, SavedRequest


class PastFetcher:
    """Gives each engine's requests to what holds their answers.

    `lookups` is who is asked about what answers alone do not say, over the network.
    """

    def __init__(
        self, library: Library, shelves: Shelves, due_at: datetime, lookups: Fetcher | None = None
    ) -> None:
        self._recorded = RecordedFetcher(library, due_at)
        self._saved = SavedFetcher(shelves, due_at)
        self._lookups = lookups

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer); the first request says who answers them all."""
        waiting = iter(requests)
        for first in waited(waiting):
            rest: Iterator[Request | Pause] = chain([first], waiting)
            yield from self._holder(first).fetch(rest)
            return

    def _holder(self, request: Request) -> Fetcher:
        if isinstance(request, RecordedRequest):
            return self._recorded
        if isinstance(request, SavedRequest):
            return self._saved
        if self._lookups is None:
            raise TypeError(f"nothing here answers {request!r}")
        return self._lookups

    def close(self) -> None:
        """Nothing of its own is held open."""
