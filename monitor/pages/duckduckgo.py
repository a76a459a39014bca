"""Reads the result pages of DuckDuckGo: drawn by scripts, html.duckduckgo.com and the lite page.

The first link of a page is often an advertisement, and on the page of scripts the links of related
searches carry the class that results had before: blocks decide, not links. A page that waits for a
script to fetch its results has none; it is no page that nothing was found.
"""

from monitor.model import Outcome, Reading, Reason
from monitor.pages._duckduckgo_layouts import LAYOUTS, is_lite
from monitor.pages._html import Document, words
from monitor.pages._results import ResultPage, has

_NONE_FOUND = (
    ".result--no-result, .no-results, .no-results__title, .msg--no-results, "
    "[data-testid*='no-results'], [data-layout*='no_results'], [data-layout*='no-results']"
)
#: The lite page is in English alone.
_LITE_WORDS = ("No results.", "No results found for")
_SHELL = (
    "noscript meta[content*='/html'], noscript a[href*='/html/?q='], "
    "noscript a[href*='/lite/?q='], .msg--noscript, script[src*='/d.js?'], "
    "link[rel='preload'][href*='/d.js?'], link[href*='links.duckduckgo.com/d.js'], "
    "body.body--serp #links, body.body--serp #links_wrapper, #react-layout"
)
#: What a script has put on the page: then it is no shell, whatever could not be read.
_DRAWN = "#links a[href], #react-layout a[href], .react-results--main > li"
_STRUCTURE = (
    "article[data-testid='result'] a[data-testid='result-title-a'], #links .result__a, "
    "#links .web-result, .results_links a.large, a.result-link, form[action*='anomaly.js']"
)
_FURNITURE = (
    "link[rel='search'][title*='DuckDuckGo'], link[rel='canonical'][href*='//duckduckgo.com'], "
    "body.body--serp, form[action='/html/'], #lite_wrapper, a.header__logo-wrap, "
    "link[href*='links.duckduckgo.com']"
)


def _is_own(host: str) -> bool:
    return host == "duckduckgo.com" or host.endswith((".duckduckgo.com", ".ddg.gg"))


def _none_found(document: Document) -> Reading | None:
    found = Reading(Outcome.EMPTY, detail="layout: no results")
    if has(document, _NONE_FOUND):
        return found
    if not is_lite(document):
        return None
    texts = (words(node) for node in document.tree.css("td, b, span"))
    return found if any(text.startswith(_LITE_WORDS) for text in texts) else None


def _shell(document: Document) -> Reading | None:
    if not has(document, _SHELL) or has(document, _DRAWN):
        return None
    detail = "layout: shell; a script has to fetch the results"
    return Reading(Outcome.UNREADABLE, reason=Reason.JS_SHELL, detail=detail)


#: DuckDuckGo's pages in four layouts since 2010.
PAGE = ResultPage(
    name="duckduckgo",
    title="DuckDuckGo",
    hosts=_is_own,
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    none_found=_none_found,
    otherwise=_shell,
)
