"""Any site with a search: a question in, the results that CSS selectors find on its page out.

A job gives the address with places for question, language and country, and says which elements are
results: `config = { url = "https://example.org/search?q={query}", result = ".hit" }`. A page is
empty only where it says so itself, by an element that can be seen; a page without results and
without that element is unreadable.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from monitor import parameters
from monitor.engines import _pages, _search
from monitor.engines._engine import BaseEngine
from monitor.model import (
    Answer,
    Block,
    HttpRequest,
    Json,
    Kind,
    Needs,
    Outcome,
    PageRequest,
    Parameter,
    Probe,
    Reading,
    Region,
    Trouble,
    make_storable,
)
from monitor.pages._html import (
    PageDocument,
    absolute_link,
    link_href,
    node_words,
    read_document,
    select_nodes,
    walk_up,
)
from monitor.pages._results import Hit, rank_hits
from monitor.pages._walls import find_wall

_PLACE = re.compile(r"\{([^{}]*)\}")
_PLACES = ("query", "language", "country", "locale")
_SELECTORS = ("result", "link", "title", "snippet", "none", "block", "reject")

_PARAMETERS = (
    Parameter(
        "url",
        "address of a page of results with {query} in it, and {language}, {country} or {locale} "
        "where the site takes them",
        required=True,
    ),
    Parameter("result", "selector of one result", required=True),
    Parameter("link", "selector of its link, within it", default="a[href]"),
    Parameter("title", "selector of its title, within it; the link's text if left out"),
    Parameter("snippet", "selector of the text beneath, within it"),
    Parameter(
        "none",
        "selector of what says that nothing was found; without it no page counts as such",
    ),
    Parameter("block", "selector of what stands on the site's own walls; known ones are known"),
    Parameter("reject", "browser: selector of the button that rejects cookies"),
    Parameter("over", "how pages are fetched", default="http", choices=("http", "browser")),
    Parameter("headed", "a browser with a window, under Xvfb", bool, default=False),
)
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
            return _search.unreadable_reading("the page is empty")
        page = read_document(body, url)
        try:
            shown_nodes = select_nodes(page.tree, self.results)[:_MOST_RESULTS]
            if not shown_nodes:
                return self._without_results(page)
            hits = [hit for node in shown_nodes if (hit := self._read_hit(node, page))]
            also = bool(self.none and _is_visible(page, self.none))
        except SelectolaxError as error:
            return _search.unreadable_reading(f"a selector is refused: {error}")
        if not hits or 2 * len(hits) < len(shown_nodes):
            return _search.unreadable_reading(
                f"{len(hits)} of {len(shown_nodes)} results could be read"
            )
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
        return wall or _search.unreadable_reading("no results, and no element that says so")

    def _read_hit(self, node: LexborNode, page: PageDocument) -> Hit | None:
        """Return what a result shows; the result itself can be its link."""
        link = node.css_first(self.links)
        title = node_words(node.css_first(self.titles) if self.titles else link)
        url = absolute_link(link_href(link), page.url or self.base)
        text = node_words(node.css_first(self.snippets)) if self.snippets else ""
        if not title or not url:
            return None
        return Hit(Block.ORGANIC, make_storable(title), make_storable(url), make_storable(text))


def _is_visible(page: PageDocument, selector: str) -> bool:
    """Return whether an element exists and is not hidden by its own page: many keep one ready."""
    return any(not _is_hidden(node) for node in select_nodes(page.tree, selector))


def _is_hidden(node: LexborNode) -> bool:
    for part in (node, *walk_up(node)):
        style = "".join((part.attributes.get("style") or "").lower().split())
        unseen = part.tag in ("template", "noscript", "script", "style")
        if unseen or "hidden" in part.attributes or "display:none" in style:
            return True
    return False


def _is_refused(selector: str) -> bool:
    """Return whether a selector cannot be looked for."""
    try:
        LexborHTMLParser("<p></p>").css(selector)
    except SelectolaxError:
        return True
    return False


@dataclass(frozen=True, slots=True)
class Selectors(BaseEngine):
    """The engine. How pages are read is in the config: `configured` gives one that knows it."""

    name: str = "selectors"
    title: str = "Any site, by CSS selectors"
    kind: Kind = Kind.SEARCH
    surface: str = "ui"
    pace: float = 1 / 20
    parameters: tuple[Parameter, ...] = _PARAMETERS
    label_by: str = "url"
    needs: Needs = Needs(
        independence="each question without cookies or history",
        limits="the site's own; one question in 20 s",
        notes="read the site's terms and robots.txt first, and ask for permission where they speak "
        'against it; over = "browser" needs Chromium; a page without results is empty '
        "only where the element `none` is on it, and unreadable otherwise; the first page only",
    )
    page: SelectedPage | None = None

    def configured(self, config: Mapping[str, Json]) -> "Selectors":
        """Return the engine that reads pages as the config declares."""
        settings = {
            name: str(value)
            for name, value in parameters.fill_defaults(self.parameters, config).items()
        }
        page = SelectedPage(
            settings["result"],
            settings["link"],
            titles=settings.get("title", ""),
            snippets=settings.get("snippet", ""),
            none=settings.get("none", ""),
            walls=settings.get("block", ""),
            base=settings["url"],
        )
        return replace(self, page=page)

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse an address or a selector that cannot be one."""
        fault = _url_fault(str(config["url"]))
        for name in _SELECTORS:
            if not fault and name in config and _is_refused(str(config[name])):
                return f"config: {name} = {config[name]!r}: is not a CSS selector"
        return fault

    def request(
        self, probes: Sequence[Probe], config: Mapping[str, Json]
    ) -> PageRequest | HttpRequest:
        """GET the page of the question in the region's language and country."""
        [probe] = probes
        region = Region.from_probe(probe)
        values = {
            "query": probe.text,
            "language": region.language,
            "country": region.country,
            "locale": region.locale,
        }
        url = _PLACE.sub(lambda place: quote(values[place[1]], safe=""), str(config["url"]))
        ready = tuple(str(config[name]) for name in ("result", "none", "block") if name in config)
        consent = (("reject", str(config["reject"])),) if "reject" in config else ()
        return _pages.make_request(url, region, config, consent, ready)

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Walls, errors, and pages that cannot be read."""
        page = self.configured(config).page
        return None if page is None else _pages.page_trouble(page, answer)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the page; an engine that was not configured knows no page."""
        if self.page is None:
            detail = "the config says how pages are read, and it is not known here"
            return _search.single_reading(probes, _search.unreadable_reading(detail))
        return _pages.parse_page(self.page, answer, probes)


def _url_fault(url: str) -> str:
    """Return why an address is refused: no web address, or no place for the question."""
    words = f"config: url = {url!r}"
    unknown = [name for name in _PLACE.findall(url) if name not in _PLACES]
    if unknown:
        allowed = ", ".join(f"{{{name}}}" for name in _PLACES)
        return f"{words}: {{{unknown[0]}}} is not one of {allowed}"
    try:
        parts = urlsplit(_PLACE.sub("x", url))
        whole = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises where it is no number
        in_host = "{query}" in urlsplit(url).netloc
    except ValueError as error:
        return f"{words}: {error}"
    if not whole or url != "".join(url.split()):
        return f"{words}: must begin with https:// or http:// and hold no blank"
    if parts.username or parts.password or parts.fragment:
        return "config: url: must hold no name, password or fragment"
    if "{query}" not in url or in_host:
        return f"{words}: needs {{query}} where the question stands, after the host"
    return ""


ENGINE = Selectors()
