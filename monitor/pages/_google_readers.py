"""Ways to read web results off a page of Google: by headings, cards, groups and paragraphs.

In goes a page, out come the elements of titles with titles and addresses, in the order of the page.
Several layouts share a way.
"""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from monitor.pages._google_links import is_advert, target
from monitor.pages._google_text import is_hidden, prose
from monitor.pages._google_zones import Zone, Zones
from monitor.pages._html import Document, words

#: More headings or links than any page of results has.
MOST = 2000
_MOST_CARDS = 300
_FARTHEST_LINK = 8
_FARTHEST_TABLE = 12
_FARTHEST_FOLD = 20
_CARD = ".ZINbbc, .Gx5Zad, .ezO2md, .mnr-c, .web_result"


def above(
    node: LexborNode, fits: Callable[[LexborNode], bool], farthest: int = _FARTHEST_LINK
) -> LexborNode | None:
    """The nearest ancestor that fits."""
    parent = node.parent
    for _ in range(farthest):
        if parent is None or fits(parent):
            return parent
        parent = parent.parent
    return None


def headings(document: Document, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Headings in links and links in headings: every layout with scripts since 2005."""
    found: list[tuple[LexborNode, str, str]] = []
    for heading in document.tree.css("h3, h2.r")[:MOST]:
        if zones.of(heading) not in (Zone.MAIN, Zone.FEATURE):
            continue
        title, url = _linked(heading, document)
        if title and url:
            found.append((heading, title, url))
    apart = _sitelinks(found) | _folded(found)
    yield from (one for one in found if one[0].mem_id not in apart)


def _folded(found: list[tuple[LexborNode, str, str]]) -> set[int]:
    """Headings in folded parts; where most are hidden it is the page that scripts unfold."""
    hidden = {node.mem_id for node, _, _ in found if above(node, is_hidden, _FARTHEST_FOLD)}
    return hidden if 2 * len(hidden) < len(found) else set()


def _linked(heading: LexborNode, document: Document) -> tuple[str, str]:
    """Title and address of a heading; empty where it leads nowhere outside."""
    for link in heading.css("a[href]"):
        href = link.attributes.get("href")
        if not is_hidden(link) and not is_advert(href, document):
            return words(link), target(href, document)
    around = above(heading, lambda node: node.tag == "a")
    if around is None or is_advert(around.attributes.get("href"), document):
        return "", ""
    return words(heading), target(around.attributes.get("href"), document)


def _sitelinks(found: list[tuple[LexborNode, str, str]]) -> set[int]:
    """Headings in a table beneath a result, all of its site: links into the site."""
    tables: dict[int, list[int]] = {}
    for index, (node, _, _) in enumerate(found):
        table = above(node, lambda one: one.tag == "table", _FARTHEST_TABLE)
        if table is not None:
            tables.setdefault(table.mem_id, []).append(index)
    links: set[int] = set()
    for members in tables.values():
        first = members[0]
        if first and all(_site(found[i][2]) == _site(found[first - 1][2]) for i in members):
            links.update(found[i][0].mem_id for i in members)
    return links


def _site(url: str) -> str:
    """The last two labels of the host."""
    return ".".join(_host(url).split(".")[-2:])


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def roles(document: Document, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Elements with the role of a heading in links that show an address: mobile pages."""
    for heading in document.tree.css("[role=heading][aria-level='3']")[:MOST]:
        link = above(heading, lambda node: node.tag == "a")
        if link is None or zones.of(heading) not in (Zone.MAIN, Zone.FEATURE):
            continue
        url = target(link.attributes.get("href"), document)
        if url and not is_advert(link.attributes.get("href"), document) and shows(link, url):
            yield heading, words(heading), url


def shows(node: LexborNode, url: str) -> bool:
    """Whether an element shows where it leads: the host or a path of crumbs."""
    text = prose(node)
    host = _host(url)
    return "\u203a" in text or bool(host and host in text)


def cards(document: Document, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """The first link of each card: pages without scripts and pages for small screens."""
    seen: set[int] = set()
    for card in document.tree.css(_CARD)[:_MOST_CARDS]:
        if zones.of(card) not in (Zone.MAIN, Zone.FEATURE):
            continue
        link = _first_link(card, document)
        if link is None or link.mem_id in seen:
            continue
        seen.add(link.mem_id)
        url = target(link.attributes.get("href"), document)
        if shows(card, url):
            head = _head(link)
            yield head, words(head), url


def _first_link(card: LexborNode, document: Document) -> LexborNode | None:
    """The first link with words in a card, if that leads outside and is no advertisement."""
    for link in card.css("a[href]"):
        if not words(link):
            continue
        href = link.attributes.get("href")
        outside = target(href, document) and not is_advert(href, document)
        return link if outside else None
    return None


def _head(link: LexborNode) -> LexborNode:
    """The part of a link that is its title."""
    heading = link.css_first("h3, [role=heading]")
    if heading is not None:
        return heading
    parts = [part for part in link.iter() if part.tag in ("div", "span") and words(part)]
    return parts[0] if parts else link


def grouped(document: Document, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """The first link of each `.g`: pages of 2003 to 2007, before headings."""
    seen: set[int] = set()
    for group in document.tree.css("p.g, div.g, li.g, blockquote.g")[:MOST]:
        link = group.css_first("a[href]")
        if link is None or link.mem_id in seen or zones.of(group) is not Zone.MAIN:
            continue
        seen.add(link.mem_id)
        url = _plain(link, document)
        if url:
            yield link, words(link), url


def paragraphs(document: Document, zones: Zones) -> Iterator[tuple[LexborNode, str, str]]:
    """Paragraphs that begin with a link and have the snippet in a `font`: pages before 2003."""
    for paragraph in document.tree.css("p")[:MOST]:
        if zones.of(paragraph) is not Zone.MAIN or paragraph.css_first("font") is None:
            continue
        link = next((node for node in paragraph.iter() if node.tag == "a"), None)
        url = "" if link is None else _plain(link, document)
        if link is not None and url:
            yield link, words(link), url


def _plain(link: LexborNode, document: Document) -> str:
    """Where a link with words leads that is no advertisement."""
    href = link.attributes.get("href")
    return "" if not words(link) or is_advert(href, document) else target(href, document)
