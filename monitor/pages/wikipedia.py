"""Reads Special:Search of Wikipedia and of other wikis on MediaWiki.

Organic results are the pages of the wiki itself; those of its sister projects beside them, and the
page with exactly the words that were asked for, are not among the ranks.
"""

from functools import partial

from selectolax.lexbor import LexborNode

from monitor.model import Block
from monitor.pages._html import (
    PageDocument,
    absolute_link,
    class_names,
    link_href,
    node_words,
    select_nodes,
)
from monitor.pages._results import (
    Findings,
    Hit,
    Layout,
    ResultPage,
    first_words,
    in_domains,
    is_within,
)

_ADDRESSES = (
    ("link[rel='canonical'][href]", "href"),
    ("meta[property='og:url'][content]", "content"),
    ("link[rel='EditURI'][href]", "href"),
    ("link[rel='copyright'][href*='wikipedia.org']", "href"),
)
_STRUCTURE = ".mw-search-results, .mw-search-nonefound, .searchresults .mw-search-result-heading"
_FURNITURE = (
    "form#search #searchText, form#powersearch, .mw-search-form-wrapper, body.mw-special-Search, "
    ".searchresults"
)


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


def _read_results(document: PageDocument, *, result: str, title: str = "a[href]") -> Findings:
    base = _wiki_address(document)

    def hit(node: LexborNode) -> Hit | None:
        link = node.css_first(title)
        if link is None or not node_words(link):
            return None
        text = first_words(node, ".searchresult", "small")
        return Hit(Block.ORGANIC, node_words(link), absolute_link(link_href(link), base), text)

    nodes = select_nodes(document.tree, result)
    own_nodes = [node for node in nodes if not is_within(node, "mw-content-text", _is_sister)]
    return Findings.of(own_nodes, hit)


_read_headings = partial(
    _read_results,
    result="li.mw-search-result, .mw-search-results > li",
    title=".mw-search-result-heading a[href]",
)
_read_plain = partial(_read_results, result=".mw-search-results > li")
_read_ordered = partial(_read_results, result="#bodyContent ol[start] > li")
LAYOUTS = (
    Layout("heading", ".mw-search-result-heading a[href]", _read_headings),  # 2010 to now
    Layout("plain", ".mw-search-results > li > a[href]", _read_plain),  # 2007 to 2010
    Layout("ordered", "#bodyContent ol[start] > li > a[href]", _read_ordered),  # before
)


#: Special:Search in three layouts since 2004.
PAGE = ResultPage(
    name="wikipedia",
    title="Wikipedia",
    hosts=in_domains("wikipedia.org"),
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    nothing=".mw-search-nonefound",
)
