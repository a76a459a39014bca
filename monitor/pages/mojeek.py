"""Reads the result pages of Mojeek (www.mojeek.com and its other domains).

Organic results are the list in the main column; boxes of news, images and the encyclopedia are not.
"""

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading
from monitor.pages._html import PAGE_WORDS, PageDocument, absolute_link, node_words, select_nodes
from monitor.pages._results import (
    Findings,
    Hit,
    Layout,
    ResultPage,
    first_words,
    has_element,
    make_panel,
)

_BASE = "https://www.mojeek.com/"
_NONE_FOUND = ".no-results, .results-none, .noresults, #no-results"
#: How the line above the results begins where there are none, in the languages of the pages.
_NONE_WORDS = tuple(PAGE_WORDS["mojeek_none"])
_STRUCTURE = "ul.results-standard, .results ul.results li a.ob"
_FURNITURE = (
    "link[rel='search'][title*='Mojeek'], meta[property='og:site_name'][content*='Mojeek'], "
    "meta[name='application-name'][content*='Mojeek'], img[alt*='Mojeek'], a[title*='Mojeek']"
)


def _is_own(host: str) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in ("mojeek.com", "mojeek.co.uk"))


def _result_hit(node: LexborNode) -> Hit | None:
    """The title's link; in some layouts the address stands only on the link around it."""
    head = node.css_first("h2 a.title, a.title, h2 a, h3 a")
    if head is None:
        return None
    link = head if head.attributes.get("href") else node.css_first("a.ob[href]")
    title = node_words(head)
    url = "" if link is None else absolute_link(link.attributes.get("href"), _BASE)
    return Hit(Block.ORGANIC, title, url, first_words(node, "p.s")) if title and url else None


def _read_results(document: PageDocument, results: str) -> Findings:
    nodes = select_nodes(document.tree, results)
    hits = [hit for node in nodes if (hit := _result_hit(node))]
    titles = ("h1", "h2", "h3", ".title")
    about = make_panel(
        document, ".infobox, .results-infobox, #infobox", titles, ("p",), _title_link
    )
    return Findings((*hits, *about), len(nodes))


def _title_link(node: LexborNode) -> str:
    link = node.css_first("a[href]")
    return "" if link is None else absolute_link(link.attributes.get("href"), _BASE)


def _read_standard(document: PageDocument) -> Findings:
    return _read_results(document, "ul.results-standard > li")


def _read_plain(document: PageDocument) -> Findings:
    return _read_results(
        document, ".results > ul.results > li, .results > ul > li, ul.results > li"
    )


LAYOUTS = (
    Layout("results-standard", "ul.results-standard > li", _read_standard),  # 2018 to now
    Layout("results", ".results > ul > li a, ul.results > li a.ob", _read_plain),  # before
)


def _none_found(document: PageDocument) -> Reading | None:
    reading = Reading(Outcome.EMPTY, detail="layout: no results")
    if has_element(document, _NONE_FOUND):
        return reading
    lines = document.tree.css(".results p, .results h1, .results h2, .top-info, .result-col p")
    begins = (node_words(node).casefold() for node in lines)
    return reading if any(text.startswith(_NONE_WORDS) for text in begins) else None


#: Mojeek's pages in two layouts.
PAGE = ResultPage(
    name="mojeek",
    title="Mojeek",
    hosts=_is_own,
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    none_found=_none_found,
)
