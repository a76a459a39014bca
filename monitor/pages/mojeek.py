"""Reads the result pages of Mojeek (www.mojeek.com and its other domains).

Organic results are the list in the main column; boxes of news, images and the encyclopedia are not.
"""

from functools import partial

from selectolax.lexbor import LexborNode

from monitor.model import Block, Reading
from monitor.pages._html import (
    PAGE_WORDS,
    PageDocument,
    absolute_link,
    link_href,
    node_words,
    select_nodes,
)
from monitor.pages._results import (
    NO_RESULTS,
    Findings,
    Hit,
    Layout,
    ResultPage,
    first_words,
    in_domains,
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


def _result_hit(node: LexborNode) -> Hit | None:
    """The title's link; in some layouts the address stands only on the link around it."""
    head = node.css_first("h2 a.title, a.title, h2 a, h3 a")
    if head is None:
        return None
    link = head if head.attributes.get("href") else node.css_first("a.ob[href]")
    title = node_words(head)
    url = absolute_link(link_href(link), _BASE)
    return Hit(Block.ORGANIC, title, url, first_words(node, "p.s")) if title and url else None


def _read_results(document: PageDocument, *, results: str) -> Findings:
    def link(node: LexborNode) -> str:
        return absolute_link(link_href(node.css_first("a[href]")), _BASE)

    titles = ("h1", "h2", "h3", ".title")
    about = make_panel(document, ".infobox, .results-infobox, #infobox", titles, ("p",), link)
    return Findings.of(select_nodes(document.tree, results), _result_hit, *about)


_read_standard = partial(_read_results, results="ul.results-standard > li")
_read_plain = partial(
    _read_results, results=".results > ul.results > li, .results > ul > li, ul.results > li"
)
LAYOUTS = (
    Layout("results-standard", "ul.results-standard > li", _read_standard),  # 2018 to now
    Layout("results", ".results > ul > li a, ul.results > li a.ob", _read_plain),  # before
)


def _none_found(document: PageDocument) -> Reading | None:
    lines = document.tree.css(".results p, .results h1, .results h2, .top-info, .result-col p")
    begins = (node_words(node).casefold() for node in lines)
    return NO_RESULTS if any(text.startswith(_NONE_WORDS) for text in begins) else None


#: Mojeek's pages in two layouts.
PAGE = ResultPage(
    name="mojeek",
    title="Mojeek",
    hosts=in_domains("mojeek.com", "mojeek.co.uk"),
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    nothing=_NONE_FOUND,
    none_found=_none_found,
)
