"""Web results of a page of Google, in every layout since 2000.

In goes a page, out come the results of the main column in the order of the page, the featured ones
marked. A layout is recognised by its structure and tried newest first; the one that finds at least
half of what is visible is taken. What is visible is counted apart from all layouts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from monitor.pages._google_links import is_advert, target
from monitor.pages._google_readers import (
    MOST,
    above,
    cards,
    grouped,
    headings,
    paragraphs,
    roles,
    shows,
)
from monitor.pages._google_snippets import snippets
from monitor.pages._google_text import prose
from monitor.pages._google_zones import Zone, Zones
from monitor.pages._html import Document

#: As many featured results are none: the box is the page's frame.
_FEW = 2
#: So many characters before the title are an answer, not the title's mark.
_ANSWER = 60


@dataclass(frozen=True, slots=True)
class Result:
    """A web result: its heading's element, title, address, snippet and whether it is featured."""

    node: LexborNode
    title: str
    url: str
    text: str = ""
    featured: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a layout found, and how many results are visible whatever the layout."""

    layout: str
    results: tuple[Result, ...]
    visible: int

    @property
    def enough(self) -> bool:
        """Whether at least half of what is visible was read."""
        return bool(self.results) and 2 * len(self.results) >= self.visible


Reader = Callable[[Document, Zones], Iterator[tuple[LexborNode, str, str]]]


@dataclass(frozen=True, slots=True)
class _Layout:
    """One way to lay out results; `sign` is a selector of what only it has."""

    name: str
    sign: str
    read: Reader


def results(document: Document, zones: Zones) -> Found:
    """Results of the first layout that reads enough of a page, else of the one that reads most."""
    visible = _visible(document, zones)
    best = Found("", (), visible)
    for layout in _LAYOUTS:
        if document.tree.css_first(layout.sign) is None:
            continue
        found = Found(layout.name, _complete(document, zones, layout.read), visible)
        if found.enough:
            return found
        if len(found.results) > len(best.results):
            best = found
    return best


def _complete(document: Document, zones: Zones, read: Reader) -> tuple[Result, ...]:
    """Results with snippets and with the mark of featured ones."""
    found = list(read(document, zones))[:MOST]
    texts = snippets([(node, title) for node, title, _ in found])
    featured = [zones.of(node) is Zone.FEATURE for node, _, _ in found]
    if sum(featured) > _FEW:
        featured = [False] * len(found)
    if found and not any(featured):
        featured[0] = _follows_answer(*found[0][:2])
    return tuple(
        Result(node, title, url, text, mark)
        for (node, title, url), text, mark in zip(found, texts, featured, strict=True)
    )


def _follows_answer(node: LexborNode, title: str) -> bool:
    """Whether a card of the layout without scripts shows an answer above the title."""
    card = above(node, lambda one: not _CARDS.isdisjoint(_classes(one)))
    return card is not None and prose(card).find(" ".join(title.split())) > _ANSWER


_CARDS = frozenset({"ZINbbc", "Gx5Zad", "ezO2md"})


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


#: Newest first. Most layouts of a name are read alike: names tell in evidence what was served.
_LAYOUTS = (
    _Layout("desktop-2025", "#rso [data-rpos]", headings),
    _Layout("desktop-2022", "#rso .MjjYud, #rso .Ww4FFb", headings),
    _Layout("text-2023", ".ezO2md a[href*='/url?']", cards),
    _Layout("desktop-2021", "#rso .yuRUbf, #rso .tF2Cxc", headings),
    _Layout("basic-2019", ".kCrYT h3, h3.zBAuLc", headings),
    _Layout("basic-2018", ".ZINbbc a[href*='/url?'], .Gx5Zad a[href*='/url?']", cards),
    _Layout("desktop-2018", "#rso .LC20lb", headings),
    _Layout("desktop-2014", "div#rso h3", headings),
    _Layout("desktop-2010", "ol#rso h3", headings),
    _Layout("basic-2009", "#ires h3, #res h3", headings),
    _Layout("headings", "a h3, h3 a", headings),
    _Layout("mobile-2018", "a [role=heading][aria-level='3']", roles),
    _Layout("mobile-2015", ".mnr-c a[href]", cards),
    _Layout("mobile-2008", ".web_result a[href]", cards),
    _Layout("desktop-2007", "h2.r a[href]", headings),
    _Layout("desktop-2003", ".g a[href]", grouped),
    _Layout("desktop-2000", "p > a[href]", paragraphs),
)


def _visible(document: Document, zones: Zones) -> int:
    """Number of results that a person sees: the most that any of three traces tells of."""
    return max(
        sum(1 for _ in headings(document, zones)),
        _links_with_addresses(document, zones),
        _copies(document, zones),
    )


def _links_with_addresses(document: Document, zones: Zones) -> int:
    """Links outside boxes that have a heading or an address and show where they lead."""
    shown: set[str] = set()
    for part in document.tree.css("a cite, a [role=heading], a h3")[:MOST]:
        if zones.of(part) not in (Zone.MAIN, Zone.FEATURE):
            continue
        link = above(part, lambda node: node.tag == "a")
        href = None if link is None else link.attributes.get("href")
        url = "" if is_advert(href, document) else target(href, document)
        if link is not None and url and url not in shown and shows(link, url):
            shown.add(url)
    return len(shown)


def _copies(document: Document, zones: Zones) -> int:
    """Results with a link to Google's copy or to similar pages, 2000 to 2014."""
    counts = []
    for kind in ("cache", "related"):
        links = document.tree.css(f"a[href*='q={kind}:']")[:MOST]
        counts.append(len({link.attributes.get("href") for link in _main(links, zones)}))
    return max(counts)


def _main(nodes: list[LexborNode], zones: Zones) -> Iterator[LexborNode]:
    return (node for node in nodes if zones.of(node) is Zone.MAIN)
