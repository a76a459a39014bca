"""Reads the result pages of Brave Search.

Organic results are the snippets of the main column that are marked as of the web; clusters of
news, videos, questions and further links of one site are not.
"""

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
    is_within,
    make_panel,
)

_BASE = "https://search.brave.com/"
_RESULT = "#results .snippet, #results [data-type='web'], #results [data-type='ad']"
_TITLE = (".snippet-title", ".search-snippet-title", ".title", "h3", "h2")
_TEXT = (
    ".snippet-description",
    ".generic-snippet .content",
    ".snippet-content .content",
    ".snippet-content",
    ".content",
)
_WRITTEN = "#summarizer, #summarizer-content, [data-type='summarizer'], #chatllm-content"
_ANSWER = "#results [data-type='featured_snippet'], #featured-snippet, #rich-header"
_PANEL = "#infobox, .infobox, [data-type='infobox']"
_PANEL_TITLE = (".infobox-title", ".title", "h1", "h2", "h3")
_PANEL_TEXT = (".body > .mb-6", ".infobox-body p", ".description", ".infobox-description", "p")
_NONE_FOUND = (
    "#no-results, #noresults, .no-results, .noresults, [data-type='no-results'], "
    "[data-type='no_results'], #bad-results[data-empty]"
)
_STRUCTURE = (
    "#results .snippet[data-type='web'], #results [data-type='web'], "
    "#results .snippet .snippet-title"
)
_FURNITURE = (
    "meta[property='og:title'][content*='Brave Search'], "
    "meta[property='og:site_name'][content*='Brave'], link[rel='search'][title*='Brave'], "
    "#search-elsewhere, form#searchform[action*='/search'] #searchbox"
)


def _in_snippet(node: LexborNode) -> bool:
    return "snippet" in class_names(node) or node.attributes.get("data-type") not in (None, "web")


def _outside_link(node: LexborNode) -> str:
    """The first link of a result that leaves Brave."""
    for link in node.css("a[href]"):
        url = absolute_link(link_href(link), _BASE)
        if url and not url.startswith(_BASE):
            return url
    return ""


def _read_results(document: PageDocument) -> Findings:
    hits = _read_boxes(document)
    visible = 0
    for node in select_nodes(document.tree, _RESULT):
        kind = node.attributes.get("data-type")
        unmarked = kind is None and node.attributes.get("data-loc") == "main"
        if is_within(node, "results", _in_snippet) or not (unmarked or kind in ("web", "ad")):
            continue
        paid = kind == "ad"
        visible += not paid
        title, url = first_words(node, *_TITLE), _outside_link(node)
        if title and url:
            block = Block.AD if paid else Block.ORGANIC
            hits.append(Hit(block, title, url, first_words(node, *_TEXT)))
    panel = make_panel(document, _PANEL, _PANEL_TITLE, _PANEL_TEXT, _outside_link)
    return Findings((*hits, *panel), visible)


def _read_boxes(document: PageDocument) -> list[Hit]:
    hits = []
    for block, selector in ((Block.AI_OVERVIEW, _WRITTEN), (Block.ANSWER, _ANSWER)):
        node = document.tree.css_first(selector)
        if node is not None and node_words(node):
            text = first_words(node, *_TEXT) or node_words(node)
            hits.append(Hit(block, first_words(node, *_TITLE), _outside_link(node), text))
    return hits


#: The markup of results has stayed; what stands within them changed in 2023.
LAYOUTS = (
    Layout("search-snippet", "#results [data-type='web'] .search-snippet-title", _read_results),
    Layout("title", "#results [data-type='web'] .title", _read_results),  # 2023 on
    Layout("snippet-title", "#results .snippet-title", _read_results),  # 2021 and 2022
)


#: Brave Search's pages since 2021.
PAGE = ResultPage(
    name="brave",
    title="Brave Search",
    hosts=lambda host: host == "search.brave.com",
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    nothing=_NONE_FOUND,
    version=2,
)
