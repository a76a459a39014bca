"""Reads Special:Search of Wikipedia and of other wikis on MediaWiki.

Organic results are the pages of the wiki itself; those of its sister projects beside them, and the
page with exactly the words that were asked for, are not among the ranks.
"""

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading
from monitor.pages._html import PageDocument, absolute_link, node_words, select_nodes
from monitor.pages._results import (
    Findings,
    Hit,
    Layout,
    ResultPage,
    class_names,
    first_words,
    has_element,
    is_within,
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


def _wiki_address(document: PageDocument) -> str:
    """The address of the wiki; pages name themselves where a saved page's address is unknown."""
    if absolute_link(document.url, ""):
        return document.url
    for selector, name in _ADDRESSES:
        node = document.tree.css_first(selector)
        address = "" if node is None else absolute_link(node.attributes.get(name), "https://")
        if address:
            return address
    return ""


def _is_sister(node: LexborNode) -> bool:
    return node.attributes.get("id") == "mw-interwiki-results" or any(
        name.startswith(("iw-", "mw-search-interwiki")) for name in class_names(node)
    )


def _read_results(document: PageDocument, result: str, title: str) -> Findings:
    base = _wiki_address(document)

    def hit(node: LexborNode) -> Hit | None:
        link = node.css_first(title)
        if link is None or not node_words(link):
            return None
        url = absolute_link(link.attributes.get("href"), base)
        return Hit(
            Block.ORGANIC, node_words(link), url, first_words(node, ".searchresult", "small")
        )

    nodes = select_nodes(document.tree, result)
    own_nodes = [node for node in nodes if not is_within(node, "mw-content-text", _is_sister)]
    return Findings(tuple(filter(None, map(hit, own_nodes))), len(own_nodes))


def _read_headings(document: PageDocument) -> Findings:
    heading = ".mw-search-result-heading a[href]"
    return _read_results(document, "li.mw-search-result, .mw-search-results > li", heading)


def _read_plain(document: PageDocument) -> Findings:
    return _read_results(document, ".mw-search-results > li", "a[href]")


def _read_ordered(document: PageDocument) -> Findings:
    return _read_results(document, "#bodyContent ol[start] > li", "a[href]")


LAYOUTS = (
    Layout("heading", ".mw-search-result-heading a[href]", _read_headings),  # 2010 to now
    Layout("plain", ".mw-search-results > li > a[href]", _read_plain),  # 2007 to 2010
    Layout("ordered", "#bodyContent ol[start] > li > a[href]", _read_ordered),  # before
)


def _none_found(document: PageDocument) -> Reading | None:
    has_message = has_element(document, _NONE_FOUND)
    return Reading(Outcome.EMPTY, detail="layout: no results") if has_message else None


#: Special:Search in three layouts since 2004.
PAGE = ResultPage(
    name="wikipedia",
    title="Wikipedia",
    hosts=_is_own,
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    none_found=_none_found,
)
