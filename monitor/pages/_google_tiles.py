"""One tile of a carousel of Google as an item: name, second line, entity and link.

A name may stand in `data-entityname`, in a label for screen readers, in visible text that is broken
over lines, in a tool tip with the second line in brackets, or in the text of the image. Only the
first dozen tiles of a page that no script has run on have visible text.
"""

import html
import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from monitor.model import Block, Item
from monitor.pages._google_stick import Stick, entity, parameter, stick
from monitor.pages._html import absolute

#: Links on a page whose address is not known are relative to this.
GOOGLE = "https://www.google.com/search"
#: The elements of one tile that can say whose it is.
ENTITIES = '[data-entityname], [data-entityid^="/m/"], [data-entityid^="/g/"]'

_INLINE = frozenset({"a", "abbr", "b", "bdi", "em", "font", "i", "mark", "small", "span", "strong"})
_JOINED = frozenset({"sub", "sup", "u", "wbr", "g-emoji"}) | _INLINE
_UNSEEN = frozenset({"noscript", "script", "style", "svg", "template", "-comment"})
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_BRACKETED = re.compile(r"(.+?)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_CUT_OFF = ("…", "...")
# The bytes of one letter in UTF-8, each shown as a letter of Latin-1 or Windows-1252.
_BYTES = {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # Windows-1252 has no letter there
}
# Marks that end words are second bytes within a word only: "CAF\u00c9\u2026" is right as it is.
_MARKS, _SMALL = f"[{''.join(_BYTES)}\u0080-\u009f\u00ab\u00bb]", "[a-z\u00df-\u00ff]"
_TWICE_ENCODED = re.compile(
    "[\u00c2-\u00c5\u00d0\u00d1][\u00a0-\u00aa\u00ac-\u00ba\u00bc-\u00bf]"
    f"|(?<={_SMALL})[\u00c3-\u00c5]{_MARKS}|[\u00c3-\u00c5]{_MARKS}(?={_SMALL})"
    "|\u00e2[\u20ac\u201a\u201e].",
    re.DOTALL,
)
# The second byte of a final "\u00e0" shows as a blank that does not break, which pages trim.
_TRIMMED = re.compile(f"(?<={_SMALL})\u00c3(?=\\s|$)")
_MOST_LINES = 12
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One visible line of a tile; lines of one shape belong together."""

    text: str
    shape: tuple[int, str]


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: the element with the name, and the element of the list that it stands in."""

    core: LexborNode
    whole: LexborNode

    @property
    def link(self) -> LexborNode | None:
        """The link that the tile is, or the first one in it."""
        if self.core.tag == "a" and "href" in self.core.attributes:
            return self.core
        return self.core.css_first("a[href]") or self.whole.css_first("a[href]")

    @property
    def href(self) -> str:
        """Where it leads to, as it stands in the page."""
        node = self.link
        if node is not None:
            return node.attributes.get("href") or ""
        known = self.core.attributes
        return known.get("data-url") or known.get("data-href") or ""

    @property
    def stick(self) -> Stick:
        """What its link leads to."""
        return stick(self.href)


def read(tile: Tile, base: str) -> tuple[str, Item | None]:
    """The name of a tile and its item, whose rank is still 1; no item without a name."""
    shown = lines(tile.core)
    name = _name(tile, shown)
    if not name:
        return "", None
    under = _under(name, shown, tile)
    href = absolute(tile.href, base or GOOGLE)
    return name, Item(1, under, Block.CAROUSEL, href, name, _entity(tile))


def mended(text: str | None) -> str:
    """Text in one line, with references and a doubled UTF-8 encoding taken back."""
    if not text:
        return ""
    if "&" in text and _REFERENCE.search(text):
        text = html.unescape(text)
    return " ".join(_once_encoded(text).split())


def _once_encoded(text: str) -> str:
    """UTF-8 that was read as Latin-1 or Windows-1252 and written again, read right.

    First the whole text; where other letters stand beside, each letter that was encoded twice.
    """
    if text.isascii():
        return text
    for encoding in ("latin-1", "cp1252"):
        try:
            whole = text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        # One letter may be right by chance: "CAF\u00c9\u2026" has the bytes of another one.
        if _TWICE_ENCODED.search(text) or sum(not c.isascii() for c in whole) > 1:
            return whole
    return _TRIMMED.sub("\u00e0", _TWICE_ENCODED.sub(_decoded, text))


def _decoded(match: re.Match[str]) -> str:
    try:
        return bytes(_BYTES.get(c, ord(c) & 0xFF) for c in match[0]).decode("utf-8")
    except UnicodeError:
        return match[0]


def lines(node: LexborNode) -> list[Line]:
    """The visible lines of a tile: the texts of its innermost blocks."""
    found: list[Line] = []
    open_: list[str] = []
    _collect(node, node, found, open_, _DEEPEST)
    _close(node, found, open_)
    return found


def _collect(
    node: LexborNode, block: LexborNode, found: list[Line], open_: list[str], deeper: int
) -> None:
    """Walk the children of `node`, but not for ever; texts of one block make a line."""
    child = node.child if deeper else None
    while child is not None and len(found) < _MOST_LINES:
        if child.tag == "-text":
            open_.append(child.text_content or "")
        elif child.tag in _JOINED:
            _collect(child, block, found, open_, deeper - 1)
        elif child.tag not in _UNSEEN:
            _close(block, found, open_)
            _collect(child, child, found, open_, deeper - 1)
            _close(child, found, open_)
        child = child.next


def _close(block: LexborNode, found: list[Line], open_: list[str]) -> None:
    text = mended("".join(open_))
    open_.clear()
    if text:
        parent = block.parent
        shape = (parent.mem_id if parent else 0, block.attributes.get("class") or "")
        found.append(Line(text, shape))


def squashed(text: str) -> str:
    """Letters and digits alone, for comparing what different attributes say."""
    return "".join(filter(str.isalnum, text.casefold()))


def _name(tile: Tile, shown: list[Line]) -> str:
    return (
        mended(_attribute(tile, "data-entityname"))
        or _labelled(mended(_attribute(tile, "aria-label")), shown)
        or _headed(tile.core)
        or _spoken(shown)
        or _tip(tile)
        or _pictured(tile.core)
    )


def _attribute(tile: Tile, name: str) -> str | None:
    """An attribute of the tile, of what it stands in or of the first element that has it."""
    for node in (tile.core, tile.whole):
        if node.attributes.get(name):
            return node.attributes[name]
    inner = tile.core.css_first(f"[{name}]")
    return inner.attributes.get(name) if inner is not None else None


def _labelled(label: str, shown: list[Line]) -> str:
    """The label, unless it says more than the name or something else than what is shown."""
    if not label or not shown:
        return label
    first, said = squashed(shown[0].text), squashed(label)
    if not first or shown[0].text.endswith(_CUT_OFF):
        return label
    spoken = _spoken(shown)
    everything = squashed("".join(line.text for line in shown))
    if said == everything and len(squashed(spoken)) < len(said):
        return spoken
    return label if first in said or said in everything else ""


def _spoken(shown: list[Line]) -> str:
    """The first line, with those of the same shape after it: a name broken over lines."""
    parts = [line.text for line in shown if line.shape == shown[0].shape]
    return " ".join(parts).replace("- ", "-") if len(parts) > 1 else "".join(parts)


def _headed(node: LexborNode) -> str:
    head = node.css_first("[role=heading]")
    return _spoken(lines(head)) if head is not None else ""


def _tip(tile: Tile) -> str:
    """The tool tip without the second line that may follow the name in brackets."""
    tip = mended(_attribute(tile, "title"))
    parts = _BRACKETED.fullmatch(tip)
    if parts is None:
        return tip
    asked = squashed(parameter(tile.href, "q"))
    return parts[1] if asked and squashed(parts[2]) not in asked else tip


def _pictured(node: LexborNode) -> str:
    for image in node.css("img[alt]"):
        if alt := mended(image.attributes.get("alt")):
            return alt
    return ""


def _under(name: str, shown: list[Line], tile: Tile) -> str:
    """What stands beneath the name; in the brackets of the tool tip where nothing is shown."""
    rest = [line.text for line in shown[_taken(name, shown) :]]
    if rest:
        return " ".join(rest)
    if beside := _beside(tile):
        return " ".join(line.text for line in beside)
    tip = _BRACKETED.fullmatch(mended(_attribute(tile, "title")))
    return tip[2] if tip and squashed(tip[1]) == squashed(name) else ""


def _beside(tile: Tile) -> list[Line]:
    """Lines after an element that holds the name and nothing else."""
    if tile.core.tag == "a" or "data-entityid" not in tile.core.attributes:
        return []
    found: list[Line] = []
    node = tile.core.next
    while node is not None:
        if not (node.tag or "-").startswith("-"):
            found += lines(node)
        node = node.next
    return found


def _taken(name: str, shown: list[Line]) -> int:
    """How many of the lines are the name."""
    whole, said = squashed(name), ""
    for place, line in enumerate(shown):
        said += squashed(line.text)
        if said == whole:
            return place + 1
        if not whole.startswith(said):
            return place or int(shown[0].text.endswith(_CUT_OFF))
    return len(shown)


def _entity(tile: Tile) -> str:
    """The id of the knowledge graph: beside the name, in the link, or in what the link leads to."""
    return (
        entity(_attribute(tile, "data-entityid"))
        or entity(_attribute(tile, "data-mid"))
        or entity(parameter(tile.href, "kgmid"))
        or tile.stick.item
    )
