"""Read the result pages of Bing (and of Live Search and MSN Search before it).

Layouts are tried newest first, from MSN Search (2005) to now. Organic results are `.b_algo > h2 >
a` of the main column; results within answers are not. Redirects of results and ads are resolved.

Bing answers some blocked callers with a plain page that nothing was found. A page that says so and
shows nothing else that only an answered question has (an ad, an answer, a corrected spelling, other
searches) cannot be told from one: it is EMPTY with the reason SUSPECT_EMPTY.
"""

import base64
import binascii
from functools import partial
from urllib.parse import parse_qs, unquote, urlsplit

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
    Findings,
    Hit,
    Layout,
    ResultPage,
    first_words,
    in_domains,
    is_within,
)

_BASE = "https://www.bing.com/"
#: Path of a redirect, its parameter with the target.
_REDIRECTS = {
    "/ck/a": "u",
    "/ck/ms": "u",
    "/aclick": "u",
    "/aclk": "u",
    "/cr": "r",
    "/alink/link": "url",
}
_MARK = "a1"  # stands before the base64 of /ck/a


def link_target(href: str | None, base: str = _BASE) -> str:
    """The address that a link leads to; the redirect itself where it cannot be undone."""
    address = absolute_link(href, base or _BASE)
    if not address:
        return ""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    parameter = _REDIRECTS.get(parts.path)
    if parameter is None or not (host == "bing.com" or host.endswith(".bing.com")):
        return address
    value = parse_qs(parts.query, max_num_fields=100).get(parameter, [""])[0]
    return _decode_redirect(value) or address


def _decode_redirect(value: str) -> str:
    """The address in a redirect's parameter: plain, or base64 with or without its mark."""
    plain = absolute_link(value, "")
    if plain:
        return plain
    return _from_base64(value.removeprefix(_MARK)) or _from_base64(value)


def _from_base64(text: str) -> str:
    padded = text.replace(" ", "+") + "=" * (-len(text) % 4)
    try:
        body = base64.b64decode(padded.translate(str.maketrans("-_", "+/")), validate=True)
        address = body.decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    if address.startswith("/"):
        return absolute_link(address, _BASE)
    return absolute_link(address, "") or absolute_link(unquote(address), "")


_SNIPPET = (".b_caption p", ".b_snippet", "p[class*='b_lineclamp']", "p")
_HIDDEN = ("b_hide", "b_fabHide")
#: Marks of answers that a model wrote.
_WRITTEN = ".gs_aidisc, #copans_container, .rd_gencon_ai, [class*='genserp'], .b_cap_sydney"
_PANEL = (
    "#b_context .b_entityTP, #b_context .lite-entcard-main, #b_context .b_ent_card, "
    "#b_context .b_entityTitle"
)
_PANEL_TITLE = (".b_entityTitle", ".lite-entcard-title", "h2", "[role='heading']")
_PANEL_TEXT = (".b_entityDescription", ".lite-entcard-blk", ".b_lBottom", ".b_snippet", "p")


def _in_other_box(node: LexborNode) -> bool:
    """Results within an answer, an ad, the side column or another result have no rank."""
    return node.attributes.get("id") == "b_context" or bool(
        {"b_ans", "b_ad", "b_algo"}.intersection(class_names(node))
    )


def _organic_hit(node: LexborNode) -> Hit | None:
    head = node.css_first("h2")
    if head is None:
        return None
    above = head.parent
    around = above if above is not None and above.tag == "a" else None
    link = head.css_first("a[href]") or around
    title, url = node_words(head), link_target(link_href(link))
    if link is not None and (link.parent == head or not title):
        title = node_words(link)
    return Hit(Block.ORGANIC, title, url, first_words(node, *_SNIPPET)) if title and url else None


def _ad_hits(node: LexborNode) -> list[Hit]:
    """Each advertisement once, without the further links below it."""
    adverts = node.css(".sb_add") or node.css("li") or [node]
    hits = []
    for advert in adverts:
        link = advert.css_first("h2 a[href]") or advert.css_first("h3 a[href]")
        if link is not None and node_words(link):
            url, text = link_target(link_href(link)), first_words(advert, *_SNIPPET)
            hits.append(Hit(Block.AD, node_words(link), url, text))
    return hits


def _answer_hit(node: LexborNode) -> Hit | None:
    """A box above the results: an answer, or one that a model wrote."""
    if not {"b_top", "b_topborder"}.intersection(class_names(node)):
        return None
    block = Block.AI_OVERVIEW if node.css_first(_WRITTEN) is not None else Block.ANSWER
    title = first_words(node, "h2", "[role='heading']", ".b_focusLabel")
    text = first_words(node, ".b_focusTextLarge", ".rwrl", ".b_paractl", "p", "div")
    url = link_target(link_href(node.css_first("h2 a[href]")))
    return Hit(block, title, url, text) if title or text else None


def _read_panel(document: PageDocument) -> list[Hit]:
    node = document.tree.css_first(_PANEL)
    if node is None:
        return []
    title = first_words(node, *_PANEL_TITLE) or node_words(node)
    url = link_target(link_href(node.css_first("a[href]")))
    return [Hit(Block.KNOWLEDGE, title, url, first_words(node, *_PANEL_TEXT))] if title else []


def _read_algo(document: PageDocument) -> Findings:
    hits: list[Hit] = []
    visible = 0
    for node in select_nodes(document.tree, "#b_results li.b_ans, li.b_ad, #b_results .b_algo"):
        names = class_names(node)
        if "b_algo" in names:
            if is_within(node, "b_results", _in_other_box) or set(names).intersection(_HIDDEN):
                continue
            visible += 1
            hits += filter(None, [_organic_hit(node)])
        elif "b_ad" in names:
            hits += _ad_hits(node)
        else:
            hits += filter(None, [_answer_hit(node)])
    return Findings((*hits, *_read_panel(document)), visible)


def _in_ad(node: LexborNode) -> bool:
    return any("ads" in name.lower() or name == "sb_add" for name in class_names(node))


def _read_list(document: PageDocument, *, result: str, link: str, advert: str) -> Findings:
    def read(node: LexborNode) -> Hit | None:
        title, url = node_words(node.css_first(link)), link_target(link_href(node.css_first(link)))
        return Hit(Block.ORGANIC, title, url, first_words(node, "p")) if title and url else None

    nodes = [
        node
        for node in select_nodes(document.tree, result)
        if not (_in_ad(node) or is_within(node, "results", _in_ad))
    ]
    adverts = [
        Hit(Block.AD, node_words(anchor), link_target(link_href(anchor)))
        for anchor in select_nodes(document.tree, advert)
        if node_words(anchor)
    ]
    return Findings.of(nodes, read, *adverts)


_read_tlst = partial(
    _read_list,
    result="ul.sb_results > li.sa_wr, #results li.sa_wr, #wg0 > li",
    link=".sb_tlst h3 a[href], h3 a[href]",
    advert=".sb_adsW h3 a[href], .sb_adsN h3 a[href], .sb_ads h3 a[href]",
)
_read_live = partial(
    _read_list,
    result="#results > ul > li",
    link="h3 a[href]",
    advert="[id^='ads_'] h3 a[href], [class*='sponsor'] h3 a[href], .sb_ads h3 a[href]",
)


LAYOUTS = (
    Layout("b_algo", "#b_results .b_algo", _read_algo),  # 2013 to now
    Layout("sb_tlst", "li.sa_wr, #wg0 > li", _read_tlst),  # 2009 to 2013
    Layout("live", "#results > ul > li h3 a", _read_live),  # MSN Search and Live Search, 2005 on
)


_NONE_FOUND = "#b_results > .b_no, li.b_no, #no_results, .sb_no_results, .no_results"
#: What only a question that was looked up gets.
_LOOKED_UP = (
    "li.b_ad, li.b_ans a[href], #sp_requery, .sp_requery, #sp_recourse, .b_rs, "
    "#b_context .b_entityTP, .sb_spell, #sw_spell"
)
_STRUCTURE = "#b_results, #b_content #b_tween, li.b_algo h2, li.sa_wr .sb_tlst"
_FURNITURE = (
    "form#sb_form input[name='q'], form[action*='/turing/captcha'], #b_header, "
    "meta[property='og:site_name'][content='Bing'], link[rel='search'][title*='Bing'], "
    "#sw_hdr, #sw_main, #results_area, html[xmlns\\:web='http://schemas.live.com/Web/']"
)


def _none_found(document: PageDocument) -> Reading | None:
    if not has_element(document, _NONE_FOUND):
        return None
    reason = Reason.NONE if has_element(document, _LOOKED_UP) else Reason.SUSPECT_EMPTY
    return Reading(Outcome.EMPTY, reason=reason, detail="layout: b_no")


#: Bing's pages in three layouts since 2005.
PAGE = ResultPage(
    name="bing",
    title="Bing",
    hosts=in_domains("bing.com", "live.com", "msn.com"),
    structure=_STRUCTURE,
    furniture=_FURNITURE,
    layouts=LAYOUTS,
    none_found=_none_found,
    version=2,
)
