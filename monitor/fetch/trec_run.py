"""Answers topics with their lines of a TREC run, and asks nobody.

In goes a run, checked to the last line before any is used, out come the lines of each topic. They
lie in a file that vanishes with the run, so that memory does not grow with its length.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO, Self

from monitor import trec
from monitor.engines.files.trec_run import TopicRequest
from monitor.fetch.recorded import LookupFetcher
from monitor.model import Answer, InvalidInput, Outcome, Request


class RunFile:
    """A run whose topics can be looked up. Close it to give back what it keeps on disk."""

    def __init__(self, path: Path) -> None:
        """Read a run once. Raises InvalidInput as `trec.read_run`, and for a second tag."""
        self.path = path
        self.tag = ""
        self.lines = 0
        self.notes: Mapping[trec.Note, int] = dict.fromkeys(trec.Note, 0)
        self._spans: dict[str, tuple[int, int]] = {}  # size and start of the lines of a topic
        with ExitStack() as stack:
            self._content: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            self.notes = self._keep_on_disk()
            with path.open("rb") as file:
                self.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            self._open = stack.pop_all()

    def _keep_on_disk(self) -> dict[trec.Note, int]:
        notes = dict.fromkeys(trec.Note, 0)
        for ranking, lines in trec.read_raw(self.path):
            self.tag = self.tag or ranking.tag
            if ranking.tag != self.tag:
                raise InvalidInput(
                    f"{self.path}: query {ranking.query!r} has tag {ranking.tag!r}, others have "
                    f"{self.tag!r}; one file holds the run of one system"
                )
            self._spans[ranking.query] = len(lines), self._content.tell()
            self._content.write(lines)
            self.lines += len(ranking.entries)
            for note in ranking.notes:
                notes[note] += 1
        self._content.flush()
        return notes

    @property
    def topics(self) -> tuple[str, ...]:
        """The query ids of the run, in the order of the file."""
        return tuple(self._spans)

    def of(self, topic: str) -> bytes | None:
        """The lines of a topic; None where the run has none."""
        span = self._spans.get(topic)
        if span is None:
            return None
        return os.pread(self._content.fileno(), *span)  # no place to share

    def close(self) -> None:
        """Give back what is kept on disk."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


class RunsFetcher(LookupFetcher):
    """Answers topics from runs by the names of their systems; several lanes may ask at a time.

    `computed_at` is when the rankings were made.
    """

    def __init__(self, runs: Mapping[str, RunFile], computed_at: datetime) -> None:
        self._runs, self._at = dict(runs), computed_at

    def answer_request(self, request: Request) -> Answer:
        if not isinstance(request, TopicRequest) or request.system not in self._runs:
            run_names = ", ".join(self._runs)
            raise TypeError(f"not a request for a run of {run_names}: {request!r}")
        run = self._runs[request.system]
        agent = (("file", run.path.name), ("sha256", run.sha256), ("tag", run.tag))
        lines = run.of(request.topic)
        if lines is None:
            detail = f"the run has no line of topic {request.topic!r}"
            return Answer(Outcome.OK, self._at, 0.0, detail=detail, agent=agent)
        return Answer(Outcome.OK, self._at, 0.0, body=lines, agent=agent)
