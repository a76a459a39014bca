"""Reads Special:Search of Wikipedia and of other wikis on MediaWiki.

Organic results are the pages of the wiki itself; those of its sister projects beside them, and the
page with exactly the words that were asked for, are not among the ranks.
"""

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading
from monitor.pages._html import Document, absolute, document, each, words
from monitor.pages._results import (
    Findings,
    Hit,
    Layout,
    classes,
    first_words,
    has,
    read_page,
    sniffed,
    within,
)

_ADDRESSES = (
    ("link[rel='canonical'][href]", "href"),
    ("meta[property='og:url'][content]", "content"),
    ("link[rel='EditURI'][href]", "href"),
    ("link[rel='copyright'][href*='wikipedia.org']", "href"),
)
_NONE_FOUND = ".mw-search-nonefound"
_STRUCTURE = ".mw-search-results, .mw-search-nonefound, .searchresults .mw-search-result-heading"
_FURNITURE = (
    "form#search #searchText, form#powersearch, .mw-search-form-wrapper, body.mw-special-Search, "
    ".searchresults"
)


def _is_own(host: str) -> bool:
    return host == "wikipedia.org" or host.endswith(".wikipedia.org")


def _base(document: Document) -> str:
    """The address of the wiki; pages name themselves where a saved page's address is unknown."""
    if absolute(document.url, ""):
        return document.url
    for selector, name in _ADDRESSES:
        node = document.tree.css_first(selector)
        found = "" if node is None else absolute(node.attributes.get(name), "https://")
        if found:
            return found
    return ""


def _is_sister(node: LexborNode) -> bool:
    return node.attributes.get("id") == "mw-interwiki-results" or any(
        name.startswith(("iw-", "mw-search-interwiki")) for name in classes(node)
    )


def _read(document: Document, result: str, *titles: str) -> Findings:
    base = _base(document)
    hits = []
    shown = 0
    for node in each(document.tree, result):
        if within(node, "mw-content-text", _is_sister):
            continue
        shown += 1
        link = next((found for found in map(node.css_first, titles) if found is not None), None)
        if link is not None and words(link):
            url = absolute(link.attributes.get("href"), base)
            text = first_words(node, ".searchresult", "small")
            hits.append(Hit(Block.ORGANIC, words(link), url, text))
    return Findings(tuple(hits), shown)


def _read_headings(document: Document) -> Findings:
    heading = ".mw-search-result-heading a[href]"
    return _read(document, "li.mw-search-result, .mw-search-results > li", heading)


def _read_plain(document: Document) -> Findings:
    return _read(document, ".mw-search-results > li", "a[href]")


def _read_ordered(document: Document) -> Findings:
    return _read(document, "#bodyContent ol[start] > li", "a[href]")


LAYOUTS = (
    Layout("heading", ".mw-search-result-heading a[href]", _read_headings),  # 2010 to now
    Layout("plain", ".mw-search-results > li > a[href]", _read_plain),  # 2007 to 2010
    Layout("ordered", "#bodyContent ol[start] > li > a[href]", _read_ordered),  # before
)


def _none_found(document: Document) -> Reading | None:
    found = has(document, _NONE_FOUND)
    return Reading(Outcome.EMPTY, detail="layout: no results") if found else None


@dataclass(frozen=True, slots=True)
class Wikipedia:
    """Special:Search in three layouts since 2004."""

    name: str = "wikipedia"
    title: str = "Wikipedia"
    version: int = 1

    def sniff(self, body: bytes, url: str = "") -> float:
        """How sure it is that a page is a wiki's search."""
        return sniffed(document(body, url), _is_own, _STRUCTURE, _FURNITURE)

    def parse(self, body: bytes, url: str = "") -> Reading:
        """The pages found, in the order of the wiki."""
        return read_page(document(body, url), LAYOUTS, _none_found)


PAGE = Wikipedia()
