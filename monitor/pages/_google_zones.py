"""The parts of a page of Google, by the elements that an element lies in.

A page puts advertisements, questions with folded answers, boxes of news and pictures and panels
between and beside the results, and fills them with the same markup. What an element is follows
from where it stands.
"""

import re
from enum import IntEnum

from selectolax.lexbor import LexborNode


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
    """Zones of the elements of one page; each ancestor is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, Zone] = {}

    def of(self, node: LexborNode | None) -> Zone:
        """The zone that an element lies in."""
        path: list[LexborNode] = []
        zone = Zone.MAIN
        while node is not None:
            known = self._known.get(node.mem_id)
            if known is not None:
                zone = known
                break
            path.append(node)
            node = node.parent
        for step in reversed(path):
            zone = max(zone, _own(step))
            self._known[step.mem_id] = zone
        return zone


def _own(node: LexborNode) -> Zone:
    attributes = node.attributes
    zone = _TAGS.get(node.tag or "", Zone.MAIN)
    name = attributes.get("id")
    if name:
        zone = max(zone, Zone.BOX if _BOX_ID.fullmatch(name) else _IDS.get(name, Zone.MAIN))
    for word in (attributes.get("class") or "").split():
        zone = max(zone, _CLASSES.get(word, Zone.MAIN))
    for key in attributes:
        zone = max(zone, _ATTRIBUTES.get(key, Zone.MAIN))
    if attributes.get("role") == "complementary":
        zone = max(zone, Zone.SIDE)
    if (attributes.get("data-attrid") or "").startswith(_PANEL_PART):
        zone = max(zone, Zone.BOX)
    return zone
