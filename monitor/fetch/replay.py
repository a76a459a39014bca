"""Answers requests from what was recorded, and asks nobody.

In go recorded translations or whole answers, out come answers as any other fetcher gives them.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from monitor.fetch.recordings import Recording, day, read
from monitor.model import Answer, LocalRequest, Outcome, Pause, RecordedRequest, Request


def waited(requests: Iterable[Request | Pause]) -> Iterator[Request]:
    """The requests alone, each after the pauses before it."""
    for request in requests:
        if isinstance(request, Pause):
            time.sleep(request.seconds)
        else:
            yield request


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
        for index, request in enumerate(waited(requests)):
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


class Library:
    """The recordings that a job names, each file read once. `folder` is the job file's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[tuple[str, str], Recording] = {}

    def recording(self, file: str, system: str) -> Recording:
        """What a system's translations in a file are. Raises InvalidInput or MissingPart."""
        key = (file, system)
        if key not in self._read:
            self._read[key] = read(self._folder / file, system)
        return self._read[key]

    def dates(self, uses: Iterable[tuple[str, str, Iterable[str]]]) -> list[datetime]:
        """The recorded dates of (file, system, targets), in order.

        Raises InvalidInput where a target was never recorded: nothing could ever answer.
        """
        return sorted(
            {
                date
                for file, system, targets in uses
                for target in targets
                for date in self.recording(file, system).dates(target)
            }
        )


class RecordedFetcher:
    """Answers the requests of one tick with what was recorded on its date.

    What was not recorded is null in the body, and never a translation. The body says beside each
    translation in which row of the file it stands; the agent says which file that was, by its
    SHA-256.
    """

    def __init__(self, library: Library, due_at: datetime) -> None:
        self._library = library
        self._at = due_at

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of the requests."""
        for index, request in enumerate(waited(requests)):
            yield index, self._answer(request)

    def _answer(self, request: Request) -> Answer:
        if not isinstance(request, RecordedRequest):
            raise TypeError(f"not a request for a recording: {request!r}")
        recording = self._library.recording(request.file, request.system)
        known = recording.on(request.target_lang, day(self._at))
        found = [known.get(text.strip()) for text in request.texts]
        content = {
            "translations": [None if one is None else one.translation for one in found],
            "rows": [None if one is None else one.row for one in found],
        }
        body = json.dumps(content, ensure_ascii=False).encode()
        agent = {
            "file": Path(request.file).name,
            "sha256": recording.sha256,
            "system": request.system,
        }
        return Answer(Outcome.OK, self._at, 0.0, body=body, agent=tuple(sorted(agent.items())))

    def close(self) -> None:
        """Nothing is held open."""
