"""What the engines that read result pages share: how a page is judged, and read once.

The exchange of a page that is a wall, a redesign or a shell of scripts is no answer; the page is
kept all the same, and a later reader may make more of it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from monitor.engines import _http, _search
from monitor.model import Answer, Fault, Outcome, Page, Probe, Reading, Trouble

#: A page is judged when it comes and read when it is stored: often the same page twice in a row.
_REMEMBERED = 8


@lru_cache(maxsize=_REMEMBERED)
def _read(parse: Callable[[bytes, str], Reading], body: bytes, url: str) -> Reading:
    return parse(body, url)


def trouble(page: Page, answer: Answer) -> Trouble | None:
    """What is wrong with a page: a wall at any status, an error, or nothing that can be read."""
    found = _read(page.parse, answer.body, answer.url)
    said = f"HTTP {answer.status}: {found.detail}"
    if found.outcome is Outcome.BLOCKED:
        return Trouble(Fault.BLOCKED, said, reason=found.reason)
    if refused := _http.by_status(answer, _search.words(answer)):
        return refused
    if found.outcome is Outcome.UNREADABLE or found.reason:
        return Trouble(Fault.DRIFT, said, reason=found.reason)
    return None


def parse(page: Page, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
    """The reading of the one page of an answer."""
    return _search.each(probes, _read(page.parse, answer.body, answer.url))
