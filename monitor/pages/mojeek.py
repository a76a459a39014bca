"""Reads the result pages of Mojeek (www.mojeek.com and its other domains).

Organic results are the list in the main column; boxes of news, images and the encyclopedia are not.
"""

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading
from monitor.pages._html import Document, absolute, document, each, words
from monitor.pages._results import Findings, Hit, Layout, first_words, has, read_page, sniffed

_BASE = "https://www.mojeek.com/"
_NONE_FOUND = ".no-results, .results-none, .noresults, #no-results"
#: How the line above the results begins where there are none, in the languages of the pages.
_NONE_WORDS = (
    "no pages found",
    "no results found",
    "no results for",
    "aucune page",
    "aucun résultat",
    "keine seiten",
    "keine ergebnisse",
    "no se encontraron",
    "no se han encontrado",
)
_STRUCTURE = "ul.results-standard, .results ul.results li a.ob"
_FURNITURE = (
    "link[rel='search'][title*='Mojeek'], meta[property='og:site_name'][content*='Mojeek'], "
    "meta[name='application-name'][content*='Mojeek'], img[alt*='Mojeek'], a[title*='Mojeek']"
)


def _is_own(host: str) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in ("mojeek.com", "mojeek.co.uk"))


def _result(node: LexborNode) -> Hit | None:
    """The title's link; in some layouts the address stands only on the link around it."""
    head = node.css_first("h2 a.title, a.title, h2 a, h3 a")
    if head is None:
        return None
    link = head if head.attributes.get("href") else node.css_first("a.ob[href]")
    title = words(head)
    url = "" if link is None else absolute(link.attributes.get("href"), _BASE)
    return Hit(Block.ORGANIC, title, url, first_words(node, "p.s")) if title and url else None


def _read(document: Document, results: str) -> Findings:
    hits = []
    shown = 0
    for node in each(document.tree, results):
        shown += 1
        hit = _result(node)
        hits += [hit] if hit else []
    return Findings((*hits, *_panel(document)), shown)


def _panel(document: Document) -> list[Hit]:
    node = document.tree.css_first(".infobox, .results-infobox, #infobox")
    if node is None:
        return []
    title = first_words(node, "h1", "h2", "h3", ".title")
    link = node.css_first("a[href]")
    url = "" if link is None else absolute(link.attributes.get("href"), _BASE)
    return [Hit(Block.KNOWLEDGE, title, url, first_words(node, "p"))] if title else []


def _read_standard(document: Document) -> Findings:
    return _read(document, "ul.results-standard > li")


def _read_plain(document: Document) -> Findings:
    return _read(document, ".results > ul.results > li, .results > ul > li, ul.results > li")


LAYOUTS = (
    Layout("results-standard", "ul.results-standard > li", _read_standard),  # 2018 to now
    Layout("results", ".results > ul > li a, ul.results > li a.ob", _read_plain),  # before
)


def _none_found(document: Document) -> Reading | None:
    found = Reading(Outcome.EMPTY, detail="layout: no results")
    if has(document, _NONE_FOUND):
        return found
    lines = document.tree.css(".results p, .results h1, .results h2, .top-info, .result-col p")
    begins = (words(node).casefold() for node in lines)
    return found if any(text.startswith(_NONE_WORDS) for text in begins) else None


@dataclass(frozen=True, slots=True)
class Mojeek:
    """Mojeek's pages in two layouts."""

    name: str = "mojeek"
    title: str = "Mojeek"
    version: int = 1

    def sniff(self, body: bytes, url: str = "") -> float:
        """How sure it is that a page is Mojeek's."""
        return sniffed(document(body, url), _is_own, _STRUCTURE, _FURNITURE)

    def parse(self, body: bytes, url: str = "") -> Reading:
        """Organic results and the infobox of a page."""
        return read_page(document(body, url), LAYOUTS, _none_found)


PAGE = Mojeek()
