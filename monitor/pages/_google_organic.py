"""Web results of a page of Google, in every layout since 2000.

The result is those of the main column in the order of the page, the featured ones marked. A layout
is recognised by its structure and tried newest first; the one that finds at least half of what is
visible is taken. What is visible is counted apart from all layouts. Several layouts share a way to
read: by headings, cards, groups or paragraphs. A snippet is text that belongs to one heading only.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from monitor.pages._google_elements import (
    Zone,
    Zones,
    is_advert,
    is_hidden,
    link_target,
    visible_text,
)
from monitor.pages._html import PageDocument, class_names, link_href, node_words, walk_up

#: Where snippets stood, newest first. Elsewhere the rest of the result's text is taken.
_KNOWN = (
    ".VwiC3b, [data-sncf='1'], .ITZIwc, .IsZvec, .aCOpRe, .lEBKkf, span.st, .FrIlee, .yDYNvb, "
    ".BNeawe.s3v9rd"
)
#: What stands in a result and is not its snippet: address, copies, links into the site.
_APART = (
    "cite, a, span.a, .gl, .action-menu, .osl, font[color=green], font[color='#008000'], "
    "[role=button]"
)
#: Tables hold links into the site, and the whole result before 2008.
_TABLES = "table"
_ROOTS = frozenset({"rso", "res", "ires", "search", "center_col", "main", "rcnt", "botstuff"})
_ROOT_TAGS = frozenset({"body", "html", "ol", "td", "main", "-undef", "-document"})
_FARTHEST = 40


def find_snippets(headings: Sequence[tuple[LexborNode, str]]) -> list[str]:
    """The snippet of each heading, given all headings of a page."""
    shared: Counter[int] = Counter()
    for node, _ in headings:
        shared.update(ancestor.mem_id for ancestor in _walk_ancestors(node))
    return [_find_snippet(node, title, shared) for node, title in headings]


def _walk_ancestors(node: LexborNode) -> Iterator[LexborNode]:
    for parent in islice(walk_up(node), _FARTHEST):
        if parent.tag in _ROOT_TAGS or parent.attributes.get("id") in _ROOTS:
            return
        yield parent


def _find_snippet(node: LexborNode, title: str, shared: Counter[int]) -> str:
    """Return the marked snippet of the largest element with no other heading, else its text."""
    container = node
    for ancestor in _walk_ancestors(node):
        if shared[ancestor.mem_id] > 1:
            break
        container = ancestor
    if container is node:
        return ""
    for known_snippet in container.css(_KNOWN):
        text = visible_text(known_snippet)
        if text and text != title:
            return text
    apart = frozenset(part.mem_id for part in container.css(_APART)) | {node.mem_id}
    tables = frozenset(part.mem_id for part in container.css(_TABLES))
    return (visible_text(container, apart | tables) or visible_text(container, apart)).strip("- ")


#: More headings or links than any page of results has.
MOST = 2000
_MOST_CARDS = 300
_FARTHEST_LINK = 8
_FARTHEST_TABLE = 12
_FARTHEST_FOLD = 20
_CARD = ".ZINbbc, .Gx5Zad, .ezO2md, .mnr-c, .web_result"


def nearest_ancestor(
    node: LexborNode, fits: Callable[[LexborNode], bool], farthest: int = _FARTHEST_LINK
) -> LexborNode | None:
    """The nearest ancestor that fits."""
    return next(filter(fits, islice(walk_up(node), farthest)), None)


def _link_around(node: LexborNode) -> LexborNode | None:
    return nearest_ancestor(node, lambda above: above.tag == "a")


def read_headings(document: PageDocument, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Yield headings in links and links in headings: every layout with scripts since 2005."""
    linked: list[tuple[LexborNode, str, str]] = []
    for heading in document.tree.css("h3, h2.r")[:MOST]:
        if zones.of(heading) not in (Zone.MAIN, Zone.FEATURE):
            continue
        title, url = _linked_heading(heading, document)
        if title and url:
            linked.append((heading, title, url))
    apart = _table_sitelinks(linked) | _folded_headings(linked)
    yield from (result for result in linked if result[0].mem_id not in apart)


def _folded_headings(found: list[tuple[LexborNode, str, str]]) -> set[int]:
    """Headings in folded parts; where most are hidden it is the page that scripts unfold."""
    hidden = {
        node.mem_id for node, _, _ in found if nearest_ancestor(node, is_hidden, _FARTHEST_FOLD)
    }
    return hidden if 2 * len(hidden) < len(found) else set()


def _linked_heading(heading: LexborNode, document: PageDocument) -> tuple[str, str]:
    """Title and address of a heading; empty where it leads nowhere outside."""
    for link in heading.css("a[href]"):
        href = link.attributes.get("href")
        if not is_hidden(link) and not is_advert(href, document):
            return node_words(link), link_target(href, document)
    href = link_href(_link_around(heading))
    if href is None or is_advert(href, document):
        return "", ""
    return node_words(heading), link_target(href, document)


def _table_sitelinks(found: list[tuple[LexborNode, str, str]]) -> set[int]:
    """Headings in a table beneath a result, all of its site: links into the site."""
    tables: dict[int, list[int]] = {}
    for index, (node, _, _) in enumerate(found):
        table = nearest_ancestor(node, lambda one: one.tag == "table", _FARTHEST_TABLE)
        if table is not None:
            tables.setdefault(table.mem_id, []).append(index)
    links: set[int] = set()
    for members in tables.values():
        first = members[0]
        if first and all(_site_of(found[i][2]) == _site_of(found[first - 1][2]) for i in members):
            links.update(found[i][0].mem_id for i in members)
    return links


def _site_of(url: str) -> str:
    """The last two labels of the host."""
    return ".".join(_host_of(url).split(".")[-2:])


def _host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def read_roles(document: PageDocument, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Elements with the role of a heading in links that show an address: mobile pages."""
    for heading in document.tree.css("[role=heading][aria-level='3']")[:MOST]:
        link = _link_around(heading)
        if link is None or zones.of(heading) not in (Zone.MAIN, Zone.FEATURE):
            continue
        url = _outside_target(link, document)
        if url and shows_address(link, url):
            yield heading, node_words(heading), url


def shows_address(node: LexborNode, url: str) -> bool:
    """Return whether an element shows where it leads: the host or a path of crumbs."""
    text = visible_text(node)
    host = _host_of(url)
    return "\u203a" in text or bool(host and host in text)


def read_cards(document: PageDocument, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """The first link of each card: pages without scripts and pages for small screens."""
    seen: set[int] = set()
    for card in document.tree.css(_CARD)[:_MOST_CARDS]:
        if zones.of(card) not in (Zone.MAIN, Zone.FEATURE):
            continue
        link = _first_link(card, document)
        if link is None or link.mem_id in seen:
            continue
        seen.add(link.mem_id)
        url = link_target(link.attributes.get("href"), document)
        if shows_address(card, url):
            head = _title_part(link)
            yield head, node_words(head), url


def _first_link(card: LexborNode, document: PageDocument) -> LexborNode | None:
    """The first link with words in a card, if that leads outside and is no advertisement."""
    for link in card.css("a[href]"):
        if not node_words(link):
            continue
        return link if _outside_target(link, document) else None
    return None


def _title_part(link: LexborNode) -> LexborNode:
    """The part of a link that is its title."""
    heading = link.css_first("h3, [role=heading]")
    if heading is not None:
        return heading
    parts = [part for part in link.iter() if part.tag in ("div", "span") and node_words(part)]
    return parts[0] if parts else link


def read_groups(document: PageDocument, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """The first link of each `.g`: pages of 2003 to 2007, before headings."""
    seen: set[int] = set()
    for group in document.tree.css("p.g, div.g, li.g, blockquote.g")[:MOST]:
        link = group.css_first("a[href]")
        if link is None or link.mem_id in seen or zones.of(group) is not Zone.MAIN:
            continue
        seen.add(link.mem_id)
        url = _plain_target(link, document)
        if url:
            yield link, node_words(link), url


def read_paragraphs(document: PageDocument, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Paragraphs that begin with a link and have the snippet in a `font`: pages before 2003."""
    for paragraph in document.tree.css("p")[:MOST]:
        if zones.of(paragraph) is not Zone.MAIN or paragraph.css_first("font") is None:
            continue
        link = next((node for node in paragraph.iter() if node.tag == "a"), None)
        url = "" if link is None else _plain_target(link, document)
        if link is not None and url:
            yield link, node_words(link), url


def _plain_target(link: LexborNode, document: PageDocument) -> str:
    """Return the target of a link with words that is no advertisement."""
    return _outside_target(link, document) if node_words(link) else ""


def _outside_target(link: LexborNode | None, document: PageDocument) -> str:
    href = link_href(link)
    return "" if is_advert(href, document) else link_target(href, document)


#: As many featured results are none: the box is the page's frame.
_FEW = 2
#: So many characters before the title are an answer, not the title's mark.
_ANSWER = 60


@dataclass(frozen=True, slots=True)
class OrganicResult:
    """A web result: its heading's element, title, address, snippet and whether it is featured."""

    node: LexborNode
    title: str
    url: str
    text: str = ""
    featured: bool = False


@dataclass(frozen=True, slots=True)
class LayoutResults:
    """The results of a layout, and how many results are visible whatever the layout."""

    layout: str
    results: tuple[OrganicResult, ...]
    visible: int

    @property
    def enough(self) -> bool:
        """Return whether at least half of what is visible was read."""
        return bool(self.results) and 2 * len(self.results) >= self.visible


Reader = Callable[[PageDocument, Zones], Iterator[tuple[LexborNode, str, str]]]


@dataclass(frozen=True, slots=True)
class _OrganicLayout:
    """One way to lay out results; `sign` is a selector of what only it has."""

    name: str
    sign: str
    read: Reader


def read_results(document: PageDocument, zones: Zones) -> LayoutResults:
    """Results of the first layout that reads enough of a page, else of the one that reads most."""
    visible = _count_visible(document, zones)
    best = LayoutResults("", (), visible)
    for layout in _LAYOUTS:
        if document.tree.css_first(layout.sign) is None:
            continue
        complete = _complete_results(document, zones, layout.read)
        results = LayoutResults(layout.name, complete, visible)
        if results.enough:
            return results
        if len(results.results) > len(best.results):
            best = results
    return best


def _complete_results(
    document: PageDocument, zones: Zones, read: Reader
) -> tuple[OrganicResult, ...]:
    """Results with snippets and with the mark of featured ones."""
    results_read = list(read(document, zones))[:MOST]
    texts = find_snippets([(node, title) for node, title, _ in results_read])
    featured = [zones.of(node) is Zone.FEATURE for node, _, _ in results_read]
    if sum(featured) > _FEW:
        featured = [False] * len(results_read)
    if results_read and not any(featured):
        # whether a card of the layout without scripts shows an answer above the title
        node, title, _ = results_read[0]
        card = nearest_ancestor(node, lambda above: not _CARDS.isdisjoint(class_names(above)))
        place = visible_text(card).find(" ".join(title.split()))
        featured[0] = place > _ANSWER
    return tuple(
        OrganicResult(node, title, url, text, mark)
        for (node, title, url), text, mark in zip(results_read, texts, featured, strict=True)
    )


_CARDS = frozenset({"ZINbbc", "Gx5Zad", "ezO2md"})


#: Newest first. Most layouts of a name are read alike: names tell in evidence what was served.
_LAYOUTS = (
    _OrganicLayout("desktop-2025", "#rso [data-rpos]", read_headings),
    _OrganicLayout("desktop-2022", "#rso .MjjYud, #rso .Ww4FFb", read_headings),
    _OrganicLayout("text-2023", ".ezO2md a[href*='/url?']", read_cards),
    _OrganicLayout("desktop-2021", "#rso .yuRUbf, #rso .tF2Cxc", read_headings),
    _OrganicLayout("basic-2019", ".kCrYT h3, h3.zBAuLc", read_headings),
    _OrganicLayout("basic-2018", ".ZINbbc a[href*='/url?'], .Gx5Zad a[href*='/url?']", read_cards),
    _OrganicLayout("desktop-2018", "#rso .LC20lb", read_headings),
    _OrganicLayout("desktop-2014", "div#rso h3", read_headings),
    _OrganicLayout("desktop-2010", "ol#rso h3", read_headings),
    _OrganicLayout("basic-2009", "#ires h3, #res h3", read_headings),
    _OrganicLayout("headings", "a h3, h3 a", read_headings),
    _OrganicLayout("mobile-2018", "a [role=heading][aria-level='3']", read_roles),
    _OrganicLayout("mobile-2015", ".mnr-c a[href]", read_cards),
    _OrganicLayout("mobile-2008", ".web_result a[href]", read_cards),
    _OrganicLayout("desktop-2007", "h2.r a[href]", read_headings),
    _OrganicLayout("desktop-2003", ".g a[href]", read_groups),
    _OrganicLayout("desktop-2000", "p > a[href]", read_paragraphs),
)


def _count_visible(document: PageDocument, zones: Zones) -> int:
    """Number of results that a person sees: the most that any of three traces tells of."""
    return max(
        sum(1 for _ in read_headings(document, zones)),
        _links_with_addresses(document, zones),
        _count_copies(document, zones),
    )


def _links_with_addresses(document: PageDocument, zones: Zones) -> int:
    """Links outside boxes that have a heading or an address and show where they lead."""
    addresses: set[str] = set()
    for part in document.tree.css("a cite, a [role=heading], a h3")[:MOST]:
        if zones.of(part) not in (Zone.MAIN, Zone.FEATURE):
            continue
        link = _link_around(part)
        url = _outside_target(link, document)
        if link is not None and url and url not in addresses and shows_address(link, url):
            addresses.add(url)
    return len(addresses)


def _count_copies(document: PageDocument, zones: Zones) -> int:
    """Results with a link to Google's copy or to similar pages, 2000 to 2014."""
    counts = []
    for kind in ("cache", "related"):
        links = document.tree.css(f"a[href*='q={kind}:']")[:MOST]
        counts.append(len({link_href(link) for link in links if zones.of(link) is Zone.MAIN}))
    return max(counts)
