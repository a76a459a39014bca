"""Reads the result pages of a site by CSS selectors that a person wrote for it.

A page is empty only where it says so itself, by an element that can be seen; a page without results
and without that element is unreadable.
"""

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from monitor.model import Block, Outcome, Reading, Reason, make_storable
from monitor.pages._html import PageDocument, absolute_link, node_words, read_document, select_nodes
from monitor.pages._results import Hit, rank_hits
from monitor.pages._walls import find_wall

_MOST_RESULTS = 1000


@dataclass(frozen=True, slots=True)
class SelectedPage:
    """The selectors: of results, and of what is looked for within each of them."""

    results: str
    links: str
    titles: str = ""
    snippets: str = ""
    none: str = ""
    walls: str = ""
    base: str = ""  # what links are relative to on a page whose address is not known
    name: str = "selectors"
    title: str = "A site, by CSS selectors"
    version: int = 1

    def sniff(self, body: bytes, url: str = "") -> float:
        """Return how sure it is that a page has results; nothing else is known of the site."""
        return 0.5 if self.parse(body).outcome is Outcome.OK else 0.0

    def parse(self, body: bytes, url: str = "") -> Reading:
        """The results of a page in their order, or why there are none."""
        if not body.strip():
            return _unreadable_reading("the page is empty")
        page = read_document(body, url)
        try:
            shown_nodes = select_nodes(page.tree, self.results)[:_MOST_RESULTS]
            if not shown_nodes:
                return self._without_results(page)
            hits = [hit for node in shown_nodes if (hit := self._read_hit(node, page))]
            also = bool(self.none and _is_visible(page, self.none))
        except SelectolaxError as error:
            return _unreadable_reading(f"a selector is refused: {error}")
        if not hits or 2 * len(hits) < len(shown_nodes):
            return _unreadable_reading(f"{len(hits)} of {len(shown_nodes)} results could be read")
        lost = len(shown_nodes) - len(hits)
        notes = [f"{lost} of {len(shown_nodes)} organic without a title or link"] if lost else []
        notes += ["the element for nothing found is there, too"] if also else []
        return Reading(Outcome.OK, rank_hits(hits), detail="; ".join(notes))

    def _without_results(self, page: PageDocument) -> Reading:
        if self.walls and _is_visible(page, self.walls):
            return Reading(Outcome.BLOCKED, detail="block: the element that the config names")
        if self.none and _is_visible(page, self.none):
            return Reading(Outcome.EMPTY, detail="the element for nothing found")
        wall = find_wall(page, 0)
        return wall or _unreadable_reading("no results, and no element that says so")

    def _read_hit(self, node: LexborNode, page: PageDocument) -> Hit | None:
        """Return what a result shows; the result itself can be its link."""
        link = node.css_first(self.links)
        title = node_words(node.css_first(self.titles) if self.titles else link)
        href = link.attributes.get("href") if link is not None else ""
        url = absolute_link(href, page.url or self.base)
        text = node_words(node.css_first(self.snippets)) if self.snippets else ""
        if not title or not url:
            return None
        return Hit(Block.ORGANIC, make_storable(title), make_storable(url), make_storable(text))


def _is_visible(page: PageDocument, selector: str) -> bool:
    """Return whether an element exists and is not hidden by its own page: many keep one ready."""
    return any(not _is_hidden(node) for node in select_nodes(page.tree, selector))


def _is_hidden(node: LexborNode) -> bool:
    above: LexborNode | None = node
    while above is not None:
        style = "".join((above.attributes.get("style") or "").lower().split())
        unseen = above.tag in ("template", "noscript", "script", "style")
        if unseen or "hidden" in above.attributes or "display:none" in style:
            return True
        above = above.parent
    return False


def is_refused(selector: str) -> bool:
    """Return whether a selector cannot be looked for."""
    try:
        LexborHTMLParser("<p></p>").css(selector)
    except SelectolaxError:
        return True
    return False


def _unreadable_reading(detail: str) -> Reading:
    return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail)
