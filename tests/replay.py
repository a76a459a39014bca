"""A fetcher that asks nobody: answers by text, or whole answers one after the other."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from monitor.fetch.recorded import yield_after_pauses
from monitor.model import Answer, LocalRequest, Outcome, Pause, Request


class ReplayFetcher:
    """A fetcher that needs no network, no library and no model.

    `translations` answers by text, in the form of a local back end: {source text: translation}.
    `answers` are handed out as they stand, one per request in their order, before those. A
    request that nothing was recorded for is answered as FAILED; nothing is ever raised.
    """

    def __init__(
        self,
        at: datetime,
        translations: Mapping[str, str] | None = None,
        answers: Iterable[Answer] = (),
        agent: Mapping[str, str] | None = None,
    ) -> None:
        """`at` is the time of asking that replayed translations carry, `agent` what answered."""
        self._at = at
        self._translations = dict(translations or {})
        self._answers = iter(answers)
        self._agent = tuple(sorted((agent or {"library": "replay"}).items()))

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of the requests."""
        for index, request in enumerate(yield_after_pauses(requests)):
            yield index, next(self._answers, None) or self._translated(request)

    def _translated(self, request: Request) -> Answer:
        if not isinstance(request, LocalRequest):
            return self._missing("no recorded answer is left for a request")
        unknown = [text for text in request.texts if text not in self._translations]
        if unknown:
            return self._missing(f"no translation was recorded of {unknown[0]!r}")
        texts = [self._translations[text] for text in request.texts]
        body = json.dumps({"translations": texts}, ensure_ascii=False).encode()
        return Answer(Outcome.OK, self._at, 0.0, body=body, agent=self._agent)

    def _missing(self, detail: str) -> Answer:
        return Answer(Outcome.FAILED, self._at, 0.0, detail=detail, agent=self._agent)

    def close(self) -> None:
        """Nothing is held open."""
