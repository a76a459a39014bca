"""Reads the result pages of Google in all layouts since 2000.

Organic are the web results of the main column in the order of the page, indented ones and single
videos among them. Advertisements, what people also ask, boxes of news, videos, pictures, posts and
places, links into a site and panels are not; the result that an answer is quoted from is kept
apart. Text by a model is one item and never in the ranks.
"""

from dataclasses import dataclass

from monitor.model import Block, Outcome, Reading, Reason
from monitor.pages._blocks import blocked
from monitor.pages._google_carousel import carousel
from monitor.pages._google_empty import says_nothing_found
from monitor.pages._google_extras import advertisements, answers, overview
from monitor.pages._google_likeness import likeness
from monitor.pages._google_links import is_own
from monitor.pages._google_organic import Found, results
from monitor.pages._google_panel import knowledge
from monitor.pages._google_text import prose
from monitor.pages._google_zones import Zones
from monitor.pages._html import Document, document
from monitor.pages._results import Hit, ranked

#: What an address says: a page that is said to come from Google, and one from elsewhere.
_SURE = 0.9
_ELSEWHERE = 0.1
#: Less like Google than this is some other page, whatever links it has.
_UNLIKE = 0.3
#: Characters on a page that says nothing itself: the names of services, a button, a copyright.
_FEW_WORDS = 400
_TAIL = 200


@dataclass(frozen=True, slots=True)
class Google:
    """Google's pages, with and without scripts, on all screens."""

    name: str = "google"
    title: str = "Google"
    version: int = 2

    def sniff(self, body: bytes, url: str = "") -> float:
        """How sure it is that a page is Google's: by its traces, and by its address."""
        if not body.strip():
            return 0.0
        page = document(body, url)
        seen = likeness(page)
        if not page.host:
            return seen
        return max(seen, _SURE) if is_own(page.host) else seen * _ELSEWHERE

    def parse(self, body: bytes, url: str = "") -> Reading:
        """All blocks of a page with their ranks, or why there are none."""
        page = document(body, url)
        zones = Zones()
        found = results(page, zones)
        wall = None if found.results else _without_results(page, found)
        return wall or _read(page, zones, found)


def _without_results(page: Document, found: Found) -> Reading | None:
    """What a page without results says: that there are none, or that it is a wall."""
    if not found.visible and _is_googles(page) and says_nothing_found(page):
        return Reading(Outcome.EMPTY, detail="layout: nothing found")
    return blocked(page, found.visible)


def _is_googles(page: Document) -> bool:
    """Whether it is worth reading: an access point's page has headings and links too."""
    return is_own(page.host) or likeness(page) >= _UNLIKE


def _read(page: Document, zones: Zones, found: Found) -> Reading:
    if not _is_googles(page):
        return _malformed("not a page of Google")
    if not found.visible and not _organic(found):
        return _bare(page)
    if not found.enough or not _organic(found):
        read = f"{len(_organic(found))} of {found.visible} results could be read"
        return _malformed(f"layout: {found.layout or 'none'}; {read}")
    tiles = carousel(page)
    if tiles is not None and not tiles:
        return _malformed(f"layout: {found.layout}; a carousel without names")
    hits = _organic(found) + advertisements(page, zones)
    hits += answers(page, [one for one in found.results if one.featured], zones) + overview(page)
    items = (*ranked(hits), *(tiles or ()), *knowledge(page))
    return Reading(Outcome.OK, items, detail=f"layout: {found.layout}")


def _bare(page: Document) -> Reading:
    """A whole page with scripts and hardly a word waits for its scripts to fetch results."""
    whole = "</html" in page.source[-_TAIL:].lower()
    if whole and page.tree.css_first("script") and len(prose(page.tree.body)) < _FEW_WORDS:
        detail = "a page without results that scripts would fill"
        return Reading(Outcome.UNREADABLE, reason=Reason.JS_SHELL, detail=detail)
    return _malformed("no results, and no word that nothing was found")


def _organic(found: Found) -> list[Hit]:
    return [
        Hit(Block.ORGANIC, one.title, one.url, one.text)
        for one in found.results
        if not one.featured
    ]


def _malformed(detail: str) -> Reading:
    return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail)


PAGE = Google()
