"""Finds the texts of pages in a process of its own, which is ended when a page takes too long."""

import json
from pathlib import Path

from monitor.fetch.local import LocalFetcher
from monitor.model import LocalRequest, Outcome
from monitor.text import landing
from monitor.text.landing import Extracted

_MOST_DETAIL = 300


class Apart:
    """Bytes of a page in, its text out, after `seconds` at most. Nothing raises."""

    def __init__(self, seconds: float) -> None:
        """Raises MissingPart, saying what to install."""
        landing.check()
        self._seconds = seconds
        self._process = LocalFetcher(Path(), 1, seconds)

    def __call__(self, body: bytes, url: str, content_type: str) -> Extracted:
        """The text of a page, or why there is none."""
        options = (("content_type", content_type), ("url", url))
        request = LocalRequest("landing", "main text", (body.decode("latin-1"),), options)
        [(_, answer)] = self._process.fetch([request])
        if answer.outcome is Outcome.OK:
            return Extracted(**json.loads(answer.body)["pages"][0])
        if answer.outcome is Outcome.TIMEOUT:
            return Extracted(None, "", f"its text was not found within {self._seconds:g} s")
        last = answer.detail.strip().rsplit("\n", 1)[-1]
        return Extracted(None, "", f"its text could not be looked for: {last}"[:_MOST_DETAIL])

    def close(self) -> None:
        """End the process."""
        self._process.close()
