"""Base of engines that read result pages: faults of a page, and reading it once.

The exchange of a page that is a wall, a redesign or a shell of scripts is no answer; the page is
kept all the same, and a later reader may make more of it.
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import ClassVar

from monitor.engines import _http, _search
from monitor.engines._engine import BaseEngine
from monitor.engines._translations import only_letters
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    Kind,
    Outcome,
    Page,
    PageRequest,
    Probe,
    Reading,
    Reason,
    Region,
    Trouble,
)

#: The field of a search form, q on all the engines here, with the text or the value in it.
_FIELD = re.compile(
    rb"(?i)<(?:textarea|input)\b(?=[^<>]{0,2000}?\sname=[\"']?q[\"'\s>])[^<>]{0,4000}>"
    rb"(?:([^<]{1,2000})</textarea>)?"
)
_VALUE = re.compile(rb"(?i)\svalue=(?:\"([^\"]*)\"|'([^']*)')")
_MOST_FIELDS, _MOST_WORDS = 5, 200
#: A page is judged when it comes and read when it is stored: often the same page twice in a row.
_REMEMBERED = 8


@lru_cache(maxsize=_REMEMBERED)
def _read_page(parse: Callable[[bytes, str], Reading], body: bytes, url: str) -> Reading:
    return parse(body, url)


def page_trouble(page: Page, answer: Answer) -> Trouble | None:
    """Return the fault of a page: a wall at any status, an error, or nothing that can be read."""
    reading = _read_page(page.parse, answer.body, answer.url)
    words = f"HTTP {answer.status}: {reading.detail}"
    if reading.outcome is Outcome.BLOCKED:
        return Trouble(Fault.BLOCKED, words, reason=reading.reason)
    if error := _http.by_status(answer, _search.service_words(answer)):
        return error
    if reading.outcome is Outcome.UNREADABLE or reading.reason:
        return Trouble(Fault.DRIFT, words, reason=reading.reason)
    return None


def parse_page(page: Page, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
    """Return the reading of the one page of an answer; a page of another question is unreadable."""
    reading = _read_page(page.parse, answer.body, answer.url)
    is_read = reading.outcome in (Outcome.OK, Outcome.EMPTY) and len(probes) == 1
    if is_read and (other := find_other_question(answer.body, probes[0].text)):
        detail = f"the page answers another question: {other[:_MOST_WORDS]}"
        reading = Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail)
    return _search.single_reading(probes, reading)


def make_request(
    url: str,
    region: Region,
    config: Mapping[str, Json],
    consent: tuple[tuple[str, str], ...],
    ready: tuple[str, ...],
) -> PageRequest | HttpRequest:
    """Return the request of a page, in a browser or over HTTP as the config says."""
    if config["over"] == "http":
        headers = (("Accept", "text/html"), ("Accept-Language", region.accept_language))
        return HttpRequest("GET", url, headers)
    return PageRequest(url, region, consent, ready, headed=bool(config["headed"]))


@dataclass(frozen=True, slots=True)
class ReadsPages(BaseEngine):
    """A search engine whose answers are pages of one reader, its `page`."""

    kind: Kind = Kind.SEARCH
    surface: str = "ui"
    pace: float = 1 / 20
    page: ClassVar[Page]

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Walls, errors, and pages that cannot be read."""
        return page_trouble(self.page, answer)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the page."""
        return parse_page(self.page, answer, probes)


def find_other_question(body: bytes, asked: str) -> str:
    """Return the text of the page's search field if it is not what was asked, else "".

    An engine that corrects a question, or a cache that mixes two up, answers another one.
    """
    for field in islice(_FIELD.finditer(body), _MOST_FIELDS):
        value = _VALUE.search(field[0])
        written = field[1] or (value and (value[1] or value[2])) or b""
        text = html.unescape(written.decode("utf-8", "replace"))
        if only_letters(text):
            return "" if only_letters(text) == only_letters(asked) else " ".join(text.split())
    return ""
