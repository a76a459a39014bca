"""Read the result pages of DuckDuckGo: drawn by scripts, html.duckduckgo.com and the lite page.

The first link of a page is often an advertisement, and on the page of scripts the links of related
searches carry the class that results had before: blocks decide, not links. A page that waits for a
script to fetch its results has none; it is no page that nothing was found.
"""

from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborNode

from monitor.model import Block, Outcome, Reading, Reason
from monitor.pages._html import (
    PageDocument,
    absolute_link,
    class_names,
    has_element,
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

_BASE = "https://duckduckgo.com/"
_PANEL = ".module--about, [data-testid='about']"
_PANEL_TITLE = (".module__title__link", ".module__title", ".module__title__sub", "h2", "h3")
_PANEL_LINK = "a.module__more-at[href], a.module__more-at-bottom[href]"
_PANEL_TEXT = (".js-about-item-abstr", ".module__text", "p")
#: No results of the web: further pages, separators, the words that nothing was found.
_NO_RESULT = frozenset({"result--more", "result--sep", "result--no-result", "result--pagenum"})
_AD = frozenset({"result--ad", "highlight_sponsored", "sponsored", "web-result-sponsored"})


_is_redirect_host = in_domains("duckduckgo.com")


def link_target(href: str | None) -> str:
    """The address that a link leads to; `/l/?uddg=` is undone."""
    address = absolute_link(href, _BASE)
    if not address:
        return ""
    parts = urlsplit(address)
    if not (_is_redirect_host((parts.hostname or "").lower()) and parts.path.rstrip("/") == "/l"):
        return address
    value = parse_qs(parts.query, max_num_fields=100).get("uddg", [""])[0]
    return absolute_link(value, "") or address


def _is_paid(link: str) -> bool:
    """Return whether a link is charged: it goes through y.js, or through it and a redirect."""
    parts = urlsplit(link)
    return _is_redirect_host((parts.hostname or "").lower()) and parts.path == "/y.js"


def _make_hit(link: LexborNode | None, text: str, *, paid: bool) -> Hit | None:
    title, url = node_words(link), link_target(link_href(link))
    if not (title and url):
        return None
    block = Block.AD if paid or _is_paid(url) else Block.ORGANIC
    return Hit(block, title, url, text)


def _read_panel(document: PageDocument) -> list[Hit]:
    def link(node: LexborNode) -> str:
        return link_target(link_href(node.css_first(_PANEL_LINK)))

    return make_panel(document, _PANEL, _PANEL_TITLE, _PANEL_TEXT, link)


def _read_react(document: PageDocument) -> Findings:
    hits: list[Hit] = []
    visible = 0
    for node in select_nodes(
        document.tree,
        "article[data-testid='result'], article[data-testid='ad'], "
        "[data-testid='duckassist-answer-content']",
    ):
        kind = node.attributes.get("data-testid")
        if kind == "duckassist-answer-content":
            hits.append(Hit(Block.AI_OVERVIEW, "", "", node_words(node)))
            continue
        link = node.css_first("a[data-testid='result-title-a']") or node.css_first("h2 a[href]")
        text = first_words(node, "[data-result='snippet']")
        hit = _make_hit(link, text, paid=kind == "ad")
        visible += kind == "result"
        hits += filter(None, [hit])
    return Findings((*hits, *_read_panel(document)), visible)


def _read_answer(document: PageDocument) -> list[Hit]:
    """The box above the results, which is hidden while it is empty."""
    node = document.tree.css_first("#zero_click, .zci--answer, .zci.is-active")
    if node is None:
        return []
    title = first_words(node, "#zero_click_heading", ".zci__header", ".c-base__title", "h1", "h2")
    text = first_words(node, "#zero_click_abstract", ".zci__content", ".zci__body", ".zci__result")
    link = node.css_first("#zero_click_heading a[href], .zci__more-at[href]")
    url = link_target(link_href(link))
    return [Hit(Block.ANSWER, title, url, text or node_words(node))] if title or text else []


def _read_classic(document: PageDocument) -> Findings:
    hits = _read_answer(document)
    visible = 0
    for node in select_nodes(
        document.tree, "div.result, div.results_links, div.links_deep.web-result"
    ):
        names = set(class_names(node))
        if names & _NO_RESULT or node.attributes.get("id") == "zero_click":
            continue
        link = node.css_first("a.result__a") or node.css_first("h2 a[href], a.large")
        text = first_words(node, ".result__snippet", ".snippet")
        hit = _make_hit(link, text, paid=bool(names & _AD))
        visible += not names & _AD and (hit is None or hit.block is Block.ORGANIC)
        hits += filter(None, [hit])
    return Findings((*hits, *_read_panel(document)), visible)


def _read_lite(document: PageDocument) -> Findings:
    hits: list[Hit] = []
    visible = 0
    link: LexborNode | None = None
    paid = False
    for node in document.tree.css("tr"):
        result_link = node.css_first("a.result-link")
        if result_link is not None:
            hits += filter(None, [_make_hit(link, "", paid=paid)])
            link, paid = result_link, "result-sponsored" in class_names(node)
            visible += not (paid or _is_paid(link_target(link_href(result_link))))
            continue
        snippet = node.css_first("td.result-snippet")
        if snippet is not None and link is not None:
            hits += filter(None, [_make_hit(link, node_words(snippet), paid=paid)])
            link = None
    hits += filter(None, [_make_hit(link, "", paid=paid)])
    return Findings(tuple(hits), visible)


def is_lite(document: PageDocument) -> bool:
    """Return whether a page is of the lite kind, with or without results."""
    return has_element(document, "form[action^='/lite'], a[href='/lite/'] .header, a.result-link")


LAYOUTS = (
    Layout("react", "article[data-testid='result']", _read_react),  # 2022 to now
    Layout("html", ".web-result .result__a, .web-result a.large", _read_classic),  # no scripts
    Layout("scripted", "#links .result__a, .results_links a.large", _read_classic),  # 2010 to 2022
    Layout("lite", "a.result-link", _read_lite),
)


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


def _none_found(document: PageDocument) -> Reading | None:
    if not is_lite(document):
        return None
    texts = (node_words(node) for node in document.tree.css("td, b, span"))
    return NO_RESULTS if any(text.startswith(_LITE_WORDS) for text in texts) else None


def _is_shell(document: PageDocument) -> Reading | None:
    if not has_element(document, _SHELL) or has_element(document, _DRAWN):
        return None
    detail = "layout: shell; a script has to fetch the results"
    return Reading(Outcome.UNREADABLE, reason=Reason.JS_SHELL, detail=detail)


#: DuckDuckGo's pages in four layouts since 2010.
PAGE = ResultPage(
    name="duckduckgo",
    title="DuckDuckGo",
    hosts=lambda host: _is_redirect_host(host) or host.endswith(".ddg.gg"),
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    nothing=_NONE_FOUND,
    none_found=_none_found,
    otherwise=_is_shell,
    version=2,
)
