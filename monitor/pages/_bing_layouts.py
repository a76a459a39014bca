"""Bing's layouts, newest first, from MSN Search (2005) to now."""

from selectolax.lexbor import LexborNode

from monitor.model import Block
from monitor.pages._bing_links import target
from monitor.pages._html import Document, each, words
from monitor.pages._results import Findings, Hit, Layout, classes, first_words, within

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
        {"b_ans", "b_ad", "b_algo"}.intersection(classes(node))
    )


def _organic(node: LexborNode) -> Hit | None:
    head = node.css_first("h2")
    if head is None:
        return None
    link = head.css_first("a[href]") or _link_around(head)
    title, url = words(head), ""
    if link is not None:
        url = target(link.attributes.get("href"))
        title = words(link) if link.parent == head or not title else title
    return Hit(Block.ORGANIC, title, url, first_words(node, *_SNIPPET)) if title and url else None


def _link_around(head: LexborNode) -> LexborNode | None:
    above = head.parent
    return above if above is not None and above.tag == "a" else None


def _ads(node: LexborNode) -> list[Hit]:
    """Each advertisement once, without the further links below it."""
    adverts = node.css(".sb_add") or node.css("li") or [node]
    hits = []
    for advert in adverts:
        link = advert.css_first("h2 a[href]") or advert.css_first("h3 a[href]")
        if link is not None and words(link):
            url = target(link.attributes.get("href"))
            hits.append(Hit(Block.AD, words(link), url, first_words(advert, *_SNIPPET)))
    return hits


def _answer(node: LexborNode) -> Hit | None:
    """A box above the results: an answer, or one that a model wrote."""
    if not {"b_top", "b_topborder"}.intersection(classes(node)):
        return None
    block = Block.AI_OVERVIEW if node.css_first(_WRITTEN) is not None else Block.ANSWER
    title = first_words(node, "h2", "[role='heading']", ".b_focusLabel")
    text = first_words(node, ".b_focusTextLarge", ".rwrl", ".b_paractl", "p", "div")
    link = node.css_first("h2 a[href]")
    url = "" if link is None else target(link.attributes.get("href"))
    return Hit(block, title, url, text) if title or text else None


def _panel(document: Document) -> list[Hit]:
    node = document.tree.css_first(_PANEL)
    if node is None:
        return []
    title = first_words(node, *_PANEL_TITLE) or words(node)
    link = node.css_first("a[href]")
    url = "" if link is None else target(link.attributes.get("href"))
    return [Hit(Block.KNOWLEDGE, title, url, first_words(node, *_PANEL_TEXT))] if title else []


def _read_algo(document: Document) -> Findings:
    hits: list[Hit] = []
    shown = 0
    for node in each(document.tree, "#b_results li.b_ans, li.b_ad, #b_results .b_algo"):
        names = classes(node)
        if "b_algo" in names:
            if within(node, "b_results", _in_other_box) or set(names).intersection(_HIDDEN):
                continue
            shown += 1
            result = _organic(node)
            hits += [result] if result else []
        elif "b_ad" in names:
            hits += _ads(node)
        else:
            answer = _answer(node)
            hits += [answer] if answer else []
    return Findings((*hits, *_panel(document)), shown)


def _in_ad(node: LexborNode) -> bool:
    return any("ads" in name.lower() or name == "sb_add" for name in classes(node))


def _read_list(document: Document, result: str, link: str, advert: str, text: str) -> Findings:
    hits = []
    shown = 0
    for node in each(document.tree, result):
        if _in_ad(node) or within(node, "results", _in_ad):
            continue
        shown += 1
        anchor = node.css_first(link)
        if anchor is not None and words(anchor):
            url = target(anchor.attributes.get("href"))
            hits += [Hit(Block.ORGANIC, words(anchor), url, first_words(node, text))] if url else []
    for anchor in each(document.tree, advert):
        if words(anchor):
            hits.append(Hit(Block.AD, words(anchor), target(anchor.attributes.get("href"))))
    return Findings(tuple(hits), shown)


def _read_tlst(document: Document) -> Findings:
    result = "ul.sb_results > li.sa_wr, #results li.sa_wr, #wg0 > li"
    advert = ".sb_adsW h3 a[href], .sb_adsN h3 a[href], .sb_ads h3 a[href]"
    return _read_list(document, result, ".sb_tlst h3 a[href], h3 a[href]", advert, "p")


def _read_live(document: Document) -> Findings:
    advert = "[id^='ads_'] h3 a[href], [class*='sponsor'] h3 a[href], .sb_ads h3 a[href]"
    return _read_list(document, "#results > ul > li", "h3 a[href]", advert, "p")


LAYOUTS = (
    Layout("b_algo", "#b_results .b_algo", _read_algo),  # 2013 to now
    Layout("sb_tlst", "li.sa_wr, #wg0 > li", _read_tlst),  # 2009 to 2013
    Layout("live", "#results > ul > li h3 a", _read_live),  # MSN Search and Live Search, 2005 on
)
