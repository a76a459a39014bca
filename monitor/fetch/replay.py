"""Answers requests from what was recorded, and asks nobody.

In go recorded translations or whole answers, out come answers as any other fetcher gives them.
"""

import json
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from monitor.fetch.recordings import Recording, day, read
from monitor.model import Answer, Outcome, Pause, RecordedRequest, Request


def waited(requests: Iterable[Request | Pause]) -> Iterator[Request]:
    """The requests alone, each after the pauses before it."""
    for request in requests:
        if isinstance(request, Pause):
            time.sleep(request.seconds)
        else:
            yield request


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
