"""Elements of a page of Google: texts as a reader sees them, targets of links, parts of the page.

A page puts advertisements, questions with folded answers, boxes of news and pictures and panels
between and beside the results, and fills them with the same markup. What an element is follows
from where it stands.
"""

import re
from collections.abc import Callable, Collection, Iterator
from enum import IntEnum
from itertools import islice
from urllib.parse import SplitResult, unquote, urlsplit

from selectolax.lexbor import LexborNode

from monitor.pages._html import PageDocument, absolute_link, class_names

_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "g-popup", "-comment"})
_RUNNING = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "mark", "small", "span"}
    | {"strong", "sub", "sup", "u", "wbr", "-text"}
)
#: No part of a page that is read has so many pieces.
_MOST = 50_000
MENUS = frozenset({"button", "menu", "menuitem"})


def visible_text(node: LexborNode | None, without: frozenset[int] = frozenset()) -> str:
    """The text of a node in one line, blocks apart; `without` are elements to leave out."""
    if node is None:
        return ""
    pieces = text_pieces(node, lambda part: _is_left_out(part, without))
    return " ".join("".join(pieces).split())


def text_pieces(
    root: LexborNode, is_left_out: Callable[[LexborNode], bool], edge_of_blocks: str = " "
) -> Iterator[str]:
    """Yield texts in the order of the page, blocks apart by their edge."""
    return islice(_walk_texts(root, is_left_out, edge_of_blocks), _MOST)


def _walk_texts(
    root: LexborNode, is_left_out: Callable[[LexborNode], bool], edge_of_blocks: str
) -> Iterator[str]:
    """Yield texts from a stack, because pages nest deeper than Python calls."""
    stack: list[LexborNode | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif node.tag == "-text":
            yield node.text_content or ""
        elif node.tag not in _UNSEEN and not is_left_out(node):
            edge = "" if node.tag in _RUNNING else edge_of_blocks
            yield edge
            stack.append(edge)
            stack.extend(reversed(list(node.iter(include_text=True))))


def _is_left_out(node: LexborNode, without: frozenset[int]) -> bool:
    if node.mem_id in without or node.attributes.get("role") in MENUS:
        return True
    return is_hidden(node)


def is_hidden(node: LexborNode) -> bool:
    """Return whether an element is not displayed by its own style."""
    return "display:none" in (node.attributes.get("style") or "").replace(" ", "")


_BASE = "https://www.google.com/"
_HOST = re.compile(r"(?:^|\.)google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$")
#: Addresses that lead on to the one in their query.
_REDIRECTS = frozenset({"/url", "/m/url", "/interstitial", "/gwt/x", "/gwt/n", "/local_url"})
_TARGETS = ("q", "url", "u")
_AMP = "/amp/s/"
#: Google's own pages of results, in whatever service.
_RESULTS = frozenset(
    {"/search", "/m/search", "/images", "/imgres", "/imghp", "/webhp", "/videosearch"}
    | {"/blogsearch", "/products", "/aclk", "/advanced_search", "/setprefs", "/preferences"}
)
#: Parameters of links from a box of pictures, news, videos or papers to all of them.
_BOX = re.compile(r"(?:^|&)(?:um=1|oi=\w+|source=univ|tbm=\w+)(?:&|$)")
#: Google's services as links from boxes; without a question they are results like others.
_SERVICE = re.compile(r"/(?:travel|maps|flights|shopping|local|hotels)(?:/|$)")
_QUESTION = re.compile(r"(?:^|&)(?:q|ved|sa)=")
#: The source that links in a box of posts name.
_POSTS = re.compile(r"[?&]ref_src=twsrc(?:%5E|\^)google(?:%7C|\|)twcamp", re.IGNORECASE)
_ADVERT = re.compile(
    r"^https?://[^/]*(?:google|doubleclick)[^/]*/(?:(?:pagead/|dbm/)?aclk\b|url\?(?:.*&)?sa=[lL]&)"
)
_ADVERT_TARGET = re.compile(r"[?&](?:adurl|q)=(https?[^&]+)")
_CHAIN = 3


def is_own(host: str) -> bool:
    """Return whether a host is Google's, in any country."""
    return _HOST.search(host) is not None


def base_address(document: PageDocument) -> str:
    """Return the base of relative links, which saved pages have lost."""
    return document.url if is_own(document.host) else _BASE


def link_target(href: str | None, document: PageDocument) -> str:
    """The page outside the search that a link leads to; empty where there is none."""
    address = whole_link(href, document)
    relative = not (href or "").strip().lower().startswith(("http:", "https:", "//"))
    for _ in range(_CHAIN):
        inner = _redirect_target(address)
        if inner is None:
            break
        address, relative = absolute_link(inner, ""), False
    else:
        return ""  # redirects to redirects
    return "" if relative or _is_box(address) else address


def whole_link(href: str | None, document: PageDocument) -> str:
    """A link as a whole address, spelt as it is where it is one; empty where it is none."""
    link = (href or "").strip()
    whole = absolute_link(link, base_address(document))
    return link if whole and link.startswith(("http://", "https://")) else whole


def is_advert(href: str | None, document: PageDocument) -> bool:
    """Return whether a link counts a click on an advertisement."""
    return _ADVERT.match(whole_link(href, document)) is not None


def advert_target(href: str | None, document: PageDocument) -> str:
    """The page that an advertisement leads to; its counter where that does not tell."""
    address = whole_link(href, document)
    if is_advert(href, document) and (match := _ADVERT_TARGET.search(address)):
        return unquote(match[1])
    return link_target(href, document) or address


def _split_google_address(address: str) -> SplitResult | None:
    """The parts of an address of Google's that `absolute` let pass; None of other ones."""
    parts = urlsplit(address)
    return parts if is_own((parts.hostname or "").lower()) else None


def _redirect_target(address: str) -> str | None:
    """Return the target of a redirect of Google; None where the address is none."""
    parts = _split_google_address(address)
    if parts is None:
        return None
    if parts.path.startswith(_AMP):
        return f"https://{parts.path.removeprefix(_AMP)}"
    if parts.path not in _REDIRECTS:
        return None
    parameters = dict(pair.partition("=")[::2] for pair in parts.query.split("&"))
    # Not `parse_qs`: it reads a plus sign in an address as a blank.
    targets = (unquote(parameters.get(name, "")) for name in _TARGETS)
    return next((url for url in targets if url.startswith(("http://", "https://"))), "")


def _is_box(address: str) -> bool:
    """Return whether an address is one that only Google's own pages and boxes lead to."""
    parts = _split_google_address(address)
    if parts is None:
        return not address or _POSTS.search(address) is not None
    if parts.path.rstrip("/") in _RESULTS or _BOX.search(parts.query):
        return True
    return bool(_SERVICE.match(parts.path) and _QUESTION.search(parts.query))


class Zone(IntEnum):
    """Parts of a page; where one lies in another, the greater counts."""

    MAIN = 0
    FEATURE = 1  # the answer above the results, with the page it is from
    BOX = 2  # news, pictures, videos, posts, places, further searches
    SIDE = 3
    QUESTION = 4  # what people also ask
    OVERVIEW = 5  # written by a model
    AD = 6


_IDS = {
    **dict.fromkeys(("tads", "tadsb", "tadsto", "bottomads", "mbEnd", "rhsads"), Zone.AD),
    **dict.fromkeys(("rhs", "rhs_block", "rhscol", "rhsline"), Zone.SIDE),
    **dict.fromkeys(("brs", "bres", "appbar", "iur", "foot", "fbar", "gb"), Zone.BOX),
    "m-x-content": Zone.OVERVIEW,
}
#: Boxes of 2008 to 2015: newsbox, imagebox_bigimages, videobox, lclbox.
_BOX_ID = re.compile(
    r"(?:news|image|video|lcl|local|blog|book|product|shop|scholar|recipe|realtime)box(?:_\w+)?"
)
_CLASSES = {
    **dict.fromkeys(("ads-ad", "uEierd", "cu-container", "pla-unit", "ads-fr"), Zone.AD),
    **dict.fromkeys(("commercial-unit-desktop-top", "commercial-unit-desktop-rhs"), Zone.AD),
    **dict.fromkeys(("commercial-unit-mobile-top", "commercial-unit-mobile-bottom"), Zone.AD),
    **dict.fromkeys(("related-question-pair", "cUnQKe"), Zone.QUESTION),
    **dict.fromkeys(("xpdopen", "xpdbox", "g-blk", "c2xzTb", "V3FYCf"), Zone.FEATURE),
    **dict.fromkeys(("kno-kp", "rhsvw", "knowledge-panel"), Zone.SIDE),
}
_TAGS = {
    **dict.fromkeys(("g-section-with-header", "g-scrolling-carousel", "g-inner-card"), Zone.BOX),
    **dict.fromkeys(("g-card", "video-voyager", "aside", "footer", "g-popup"), Zone.BOX),
    "g-accordion-expander": Zone.QUESTION,
    "block-component": Zone.FEATURE,
}
_ATTRIBUTES = {
    "data-text-ad": Zone.AD,
    "data-initq": Zone.QUESTION,
    "data-mcpr": Zone.OVERVIEW,
}
#: Parts of panels, wherever those stand.
_PANEL_PART = ("kc:/", "hw:/", "ss:/", "VisualDigest", "description")


class Zones:
    """Zones of the elements of one page; each ancestor is looked at once.

    `overviews` are elements that hold a text by a model, told by more than their attributes.
    """

    def __init__(self, overviews: Collection[LexborNode] = ()) -> None:
        self._known: dict[int, Zone] = {}
        self._overviews = frozenset(node.mem_id for node in overviews)

    def of(self, node: LexborNode | None) -> Zone:
        """Return the zone that an element lies in."""
        path: list[LexborNode] = []
        zone = Zone.MAIN
        while node is not None:
            cached = self._known.get(node.mem_id)
            if cached is not None:
                zone = cached
                break
            path.append(node)
            node = node.parent
        for step in reversed(path):
            zone = max(zone, zone_of_element(step))
            if step.mem_id in self._overviews:
                zone = max(zone, Zone.OVERVIEW)
            self._known[step.mem_id] = zone
        return zone


def zone_of_element(node: LexborNode) -> Zone:
    """Return the zone that an element begins, whatever it lies in."""
    attributes = node.attributes
    zone = _TAGS.get(node.tag or "", Zone.MAIN)
    name = attributes.get("id")
    if name:
        zone = max(zone, Zone.BOX if _BOX_ID.fullmatch(name) else _IDS.get(name, Zone.MAIN))
    for word in class_names(node):
        zone = max(zone, _CLASSES.get(word, Zone.MAIN))
    for key in attributes:
        zone = max(zone, _ATTRIBUTES.get(key, Zone.MAIN))
    if attributes.get("role") == "complementary":
        zone = max(zone, Zone.SIDE)
    if (attributes.get("data-attrid") or "").startswith(_PANEL_PART):
        zone = max(zone, Zone.BOX)
    return zone
