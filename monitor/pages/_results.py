"""Base of the readers of plain result pages: layouts, ranks and the verdict on a page.

A layout is chosen by the structure of the page, never by its date: old and new ones are served at
the same time.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from selectolax.lexbor import LexborNode

from monitor.model import (
    Block,
    Item,
    Outcome,
    OverviewState,
    Reading,
    Reason,
    Source,
    make_storable,
)
from monitor.pages._html import PageDocument, has_element, node_words, read_document, walk_up
from monitor.pages._walls import find_wall
from monitor.text.person_names import add_overview_people


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that a page shows, without its rank."""

    block: Block
    title: str
    url: str = ""
    text: str = ""
    state: OverviewState | None = None  # of a text by a model; None: it is shown
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All hits of a layout in the order of the page, and how many results are visible."""

    hits: tuple[Hit, ...]
    shown: int

    @classmethod
    def of(
        cls, nodes: Sequence[LexborNode], read: Callable[[LexborNode], Hit | None], *more: Hit
    ) -> "Findings":
        """Results, each an element of the page, and what else the page shows."""
        return cls((*filter(None, map(read, nodes)), *more), len(nodes))

    @property
    def organic(self) -> int:
        """Number of results that could be read."""
        return sum(hit.block is Block.ORGANIC for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which an engine lays out its results; `sign` is an element that only it has."""

    name: str
    sign: str
    read: Callable[[PageDocument], Findings]


#: What a page says where nothing was found, or None where it says no such thing.
NoneFound = Callable[[PageDocument], Reading | None]


NO_RESULTS = Reading(Outcome.EMPTY, detail="layout: no results")


def malformed_reading(detail: str) -> Reading:
    """A reading of what is no page of results."""
    return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail)


def rank_hits(hits: Sequence[Hit]) -> tuple[Item, ...]:
    """Items with their ranks, counted from 1 within each block in the order of the page."""
    counts: Counter[Block] = Counter()
    items = []
    for hit in hits:
        counts[hit.block] += 1
        text, url, title = map(make_storable, (hit.text, hit.url, hit.title))
        shown = OverviewState.SHOWN if hit.block is Block.AI_OVERVIEW else None
        item = Item(counts[hit.block], text, hit.block, url, title)
        items.append(replace(item, state=hit.state or shown, sources=hit.sources))
    return tuple(items)


def first_words(node: LexborNode, *selectors: str) -> str:
    """The text of the first of `selectors` that has any."""
    for selector in selectors:
        for match in node.css(selector):
            if text := node_words(match):
                return text
    return ""


def is_within(node: LexborNode, stop: str, inside: Callable[[LexborNode], bool]) -> bool:
    """Return whether an element lies in one that fits `inside`, below the id `stop`."""
    return any(map(inside, takewhile(lambda up: up.attributes.get("id") != stop, walk_up(node))))


def in_domains(*domains: str) -> Callable[[str], bool]:
    """Return a test whether a host is in one of these domains."""
    ends = tuple(f".{domain}" for domain in domains)
    return lambda host: f".{host}".endswith(ends)


@dataclass(frozen=True, slots=True)
class ResultPage:
    """A reader of an engine's result pages, made of what is particular to them.

    `hosts` tells the engine's own addresses. `structure` are elements that only results have,
    `furniture` those of the frame around them, `nothing` those that say that nothing was found.
    """

    name: str
    title: str
    hosts: Callable[[str], bool]
    structure: str
    furniture: str
    layouts: Sequence[Layout]
    nothing: str = ""
    none_found: NoneFound = lambda _: None
    otherwise: NoneFound = lambda _: None
    version: int = 1

    def sniff(self, body: bytes, url: str = "") -> float:
        """Return how sure it is that a page is the engine's: by results, frame and address.

        An address that is not the engine's makes it unlikely, whatever the page shows: a saved
        page has none, and archives keep the engine's own address.
        """
        page = read_document(body, url)
        if not page.body.strip():
            return 0.0
        seen = 0.5 if has_element(page, self.furniture) else 0.0
        if has_element(page, self.structure):
            seen = 0.8
        host = page.host
        if not host:
            return seen
        return min(1.0, 0.7 + seen / 4) if self.hosts(host) else seen / 4

    def parse(self, body: bytes, url: str = "") -> Reading:
        """Read a page by the first of `layouts`, newest first, that fits and finds results.

        Without results it is what the page itself says, then a wall, then what `otherwise` knows.
        """
        page = read_document(body, url)
        if not page.body.strip():
            return malformed_reading("the page is empty")
        hits, visible = 0, 0
        for layout in self.layouts:
            if not has_element(page, layout.sign):
                continue
            findings = layout.read(page)
            if findings.organic:
                if 2 * findings.organic < findings.shown:
                    counted = f"{findings.organic} of {findings.shown} results could be read"
                    return malformed_reading(f"layout: {layout.name}; {counted}")
                detail = f"layout: {layout.name}"
                items = rank_hits(findings.hits)
                return add_overview_people(Reading(Outcome.OK, items, detail=detail))
            hits, visible = max(hits, len(findings.hits)), max(visible, findings.shown)
        if self.nothing and has_element(page, self.nothing):
            return NO_RESULTS
        wall = self.none_found(page) or find_wall(page, hits + visible) or self.otherwise(page)
        if wall is not None:
            return wall
        if visible:
            return malformed_reading(f"0 of {visible} results could be read")
        return malformed_reading("no results, and no word that nothing was found")


def make_panel(
    page: PageDocument,
    selector: str,
    titles: Sequence[str],
    texts: Sequence[str],
    url: Callable[[LexborNode], str],
) -> list[Hit]:
    """Return the panel of a page as a list of one, or of none where it has no title."""
    node = page.tree.css_first(selector)
    if node is None:
        return []
    title = first_words(node, *titles)
    return [Hit(Block.KNOWLEDGE, title, url(node), first_words(node, *texts))] if title else []
