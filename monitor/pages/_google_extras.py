"""What a page of Google shows beside web results: advertisements, answers, texts by a model."""

import re

from selectolax.lexbor import LexborNode

from monitor.model import Block
from monitor.pages._google_links import advertised, is_advert, whole
from monitor.pages._google_organic import Result
from monitor.pages._google_text import is_hidden, prose
from monitor.pages._google_zones import Zone, Zones
from monitor.pages._html import Document, words
from monitor.pages._results import Hit

_MOST = 500
_FARTHEST = 40
#: Links of advertisements before they had headings: pa1 above, an1 beside the results.
_ADVERT_ID = re.compile(r"(?:pa|an|aw|tpa)\d{1,2}")
_ADVERT_TITLES = "h3, [role=heading], a[id^=pa], a[id^=an], a[id^=aw], a[id^=tpa]"
_ADVERT_CLASSES = frozenset({"ads-ad", "uEierd", "pla-unit"})
_ADVERT_TEXTS = ".ads-creative, .ac, .MUxGbd.yDYNvb, .Va3FIb, [data-sncf]"
#: Boxes of local services are headed by a link to an explanation.
_HELP = "https://support.google.com/"
#: The words of an answer above the results, newest first.
_ANSWERS = "[data-attrid^='wa:/'], .hgKElc, .LGOjhe, .ILfuVd, ._Tgc, .mod"
#: Results of what Google works out itself.
_VALUES = "#cwos, .Z0LcW, .vk_bk.vk_ans, #knowledge-currency__tgt-amount"
_OVERVIEWS = "[data-subtree=aimc], .LT6XE, #m-x-content .pOOWX"
_OVERVIEW_NAMES = "#m-x-content [role=heading], [data-mcpr] [role=heading]"
_FEEDBACK = "[data-subtree=dfa], [role=dialog], form"


def advertisements(document: Document, zones: Zones) -> list[Hit]:
    """Text advertisements above, below and beside the results, one each."""
    hits: list[Hit] = []
    seen: set[int] = set()
    for title in document.tree.css(_ADVERT_TITLES)[:_MOST]:
        link = _advert_link(title, document, zones)
        if link is None or not words(title):
            continue
        whole_ad = _advert(title, zones)
        if whole_ad.mem_id in seen:
            continue
        seen.add(whole_ad.mem_id)
        url = advertised(link.attributes.get("href"), document)
        text = prose(whole_ad.css_first(_ADVERT_TEXTS))
        hits.append(Hit(Block.AD, _visible_words(title), url, text))
    return hits


def _advert_link(title: LexborNode, document: Document, zones: Zones) -> LexborNode | None:
    """The link of a title if that is of an advertisement; the page itself before its counter."""
    link = _link(title, document)
    if link is None:
        return None
    href = link.attributes.get("href")
    if title.tag == "a":
        return link if _ADVERT_ID.fullmatch(title.attributes.get("id") or "") else None
    if advertised(href, document).startswith(_HELP):
        return None
    return link if zones.of(title) is Zone.AD or is_advert(href, document) else None


def _link(title: LexborNode, document: Document) -> LexborNode | None:
    # A link within other headings explains the box: why these results are shown.
    inside = [title] if title.tag == "a" else title.css("a[href]") if title.tag == "h3" else []
    links = [node for node in inside if whole(node.attributes.get("href"), document)]
    if links:
        return next((node for node in links if not is_hidden(node)), links[0])
    parent = title.parent
    for _ in range(_FARTHEST):
        if parent is None or parent.tag == "a":
            break
        parent = parent.parent
    if parent is None or not whole(parent.attributes.get("href"), document):
        return None
    return parent


def _visible_words(title: LexborNode) -> str:
    return prose(title).strip("\u200e ") or words(title)


def _advert(title: LexborNode, zones: Zones) -> LexborNode:
    """The whole advertisement that a title is of: links into the site are parts of it."""
    found, parent = title, title.parent
    for _ in range(_FARTHEST):
        if parent is None or zones.of(parent) is not Zone.AD:
            break
        attributes = parent.attributes
        names = (attributes.get("class") or "").split()
        if parent.tag == "li" or "data-text-ad" in attributes or _ADVERT_CLASSES & set(names):
            found = parent
        parent = parent.parent
    return found


def answers(document: Document, featured: list[Result], zones: Zones) -> list[Hit]:
    """The pages that Google quotes above the results, and what it worked out itself."""
    hits = [Hit(Block.ANSWER, one.title, one.url, _quoted(one, zones)) for one in featured]
    for node in document.tree.css(_VALUES)[:1]:
        text = prose(node)
        if text and not hits and zones.of(node) in (Zone.MAIN, Zone.FEATURE):
            hits.append(Hit(Block.ANSWER, "", "", text))
    return hits


def _quoted(result: Result, zones: Zones) -> str:
    """The words of an answer: in its box, outside the result that it is from."""
    box, parent = result.node, result.node.parent
    for _ in range(_FARTHEST):
        if parent is None or zones.of(parent) is not Zone.FEATURE:
            break
        box, parent = parent, parent.parent
    return max((prose(found) for found in box.css(_ANSWERS)), key=len, default="") or result.text


def overview(document: Document) -> list[Hit]:
    """The text that a model wrote for the query; none where the page only has room for it."""
    node = document.tree.css_first(_OVERVIEWS)
    if node is None:
        return []
    apart = frozenset(part.mem_id for part in node.css(_FEEDBACK))
    text = prose(node, apart)
    name = words(document.tree.css_first(_OVERVIEW_NAMES))
    return [Hit(Block.AI_OVERVIEW, name, "", text)] if text else []
