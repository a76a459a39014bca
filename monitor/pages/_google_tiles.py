"""One tile of a carousel of Google as an item: name, second line, entity and link.

A name may stand in `data-entityname`, in a label for screen readers, in visible text that is broken
over lines, in a tool tip with the second line in brackets, or in the text of the image. Only the
first dozen tiles of a page that no script has run on have visible text.

The value of a `stick` parameter is a zipped protocol buffer. Its first field says what the link is
for, so that a tile of a list can be told from a fact and from "people also search for". Fields as
read off pages of 2016 to 2024: 1 purpose, 2 subject, 4 item, 5 collection.

A panel over the whole page shows the cast of a film for the film and for its actors. Only the
second question asked for the list. The page knows it by the tab that is open, or by words in the
query that are neither in the name of the entity nor in the line beneath it.
"""

import base64
import binascii
import difflib
import html
import re
import zlib
from dataclasses import dataclass
from urllib.parse import unquote_plus

from selectolax.lexbor import LexborNode

from monitor.model import Block, Item
from monitor.pages._html import Document, absolute, words

#: Purposes of links, field 1.
LISTED = 5  # an entity in a list that answers the query: chess players
REFINEMENT = 60  # a narrower query

_MOST_BYTES = 2**16
_LONGEST = 2**14
_ENTITY = re.compile(r"/[mg]/[0-9a-z_]{2,20}")
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_CONTINUES = 0x80
_LONGEST_VARINT = 10
_PURPOSE, _SUBJECT, _ITEM, _COLLECTION = 1, 2, 4, 5


@dataclass(frozen=True, slots=True)
class Stick:
    """What a link leads to; empty where it does not say."""

    purpose: int = 0
    subject: str = ""
    item: str = ""
    collection: str = ""


NOTHING = Stick()


def entity(text: str | None) -> str:
    """The id of the knowledge graph, where the text is one and nothing else."""
    return text if text and _ENTITY.fullmatch(text) else ""


def parameter(href: str | None, name: str) -> str:
    """The first value of a parameter in a link; empty where there is none."""
    if not href:
        return ""
    for mark in ("?", "&"):
        start = href.find(f"{mark}{name}=")
        if start >= 0:
            start += len(name) + 2
            ends = [at for at in (href.find("&", start), href.find("#", start)) if at >= 0]
            return unquote_plus(href[start : min(ends, default=len(href))])
    return ""


def stick(href: str | None) -> Stick:
    """What the link's parameter says; `NOTHING` where there is none that can be read."""
    zipped = parameter(href, "stick")
    if not zipped:
        return NOTHING
    fields = _fields(_unzipped(zipped))
    purpose = fields.get(_PURPOSE, 0)
    return Stick(
        purpose if isinstance(purpose, int) else 0,
        entity(_text(fields, _SUBJECT)),
        entity(_text(fields, _ITEM)),
        _text(fields, _COLLECTION),
    )


def _text(fields: dict[int, int | bytes], number: int) -> str:
    value = fields.get(number, b"")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _unzipped(value: str) -> bytes:
    if not value or len(value) > _LONGEST:
        return b""
    try:
        zipped = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        return zlib.decompressobj(31).decompress(zipped, _MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return b""


def _fields(data: bytes) -> dict[int, int | bytes]:
    """The first value of each field that is asked for, up to where the message is broken."""
    found: dict[int, int | bytes] = {}
    at = 0
    try:
        while at < len(data):
            tag, at = _varint(data, at)
            if tag >> 3 > _COLLECTION:
                break  # they stand in order, and what follows can be long
            value, at = _value(data, at, tag & 7)
            found.setdefault(tag >> 3, value)
    except (IndexError, ValueError):
        pass
    return found


def _value(data: bytes, at: int, wire: int) -> tuple[int | bytes, int]:
    if wire == _VARINT:
        return _varint(data, at)
    if wire == _BYTES:
        length, at = _varint(data, at)
    elif wire in (_FIXED64, _FIXED32):
        length = 8 if wire == _FIXED64 else 4
    else:
        raise ValueError(wire)
    if at + length > len(data):
        raise IndexError(at)
    return data[at : at + length], at + length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST_VARINT):
        byte = data[at + place]
        value |= (byte & ~_CONTINUES) << (7 * place)
        if not byte & _CONTINUES:
            return value, at + place + 1
    raise ValueError(at)


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
_IMAGE_BYTES = {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # Windows-1252 has no letter there
}
# Marks that end words are second bytes within a word only: "CAF\u00c9\u2026" is right as it is.
_MARKS, _SMALL = f"[{''.join(_IMAGE_BYTES)}\u0080-\u009f\u00ab\u00bb]", "[a-z\u00df-\u00ff]"
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
        return bytes(_IMAGE_BYTES.get(c, ord(c) & 0xFF) for c in match[0]).decode("utf-8")
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


_WORDS = re.compile(r"\w+")
_TAB = "kp-wp-tab-"
_FIRST_TAB = "overview"
_CLOSE = 0.75
_SHORTEST = 3
_MOST_FIELDS = 10


def query(document: Document) -> str:
    """The query: from the search field, else from the address; empty where neither has it."""
    for field in document.tree.css("textarea[name=q], input[name=q]")[:_MOST_FIELDS]:
        if text := " ".join((field.attributes.get("value") or words(field)).split()):
            return text
    return parameter(document.url, "q")


def asks_for_more(document: Document, node: LexborNode) -> bool:
    """Whether the query asks for the collection at `node`, not for the entity it belongs to."""
    if _open_tab(node) not in ("", _FIRST_TAB):
        return True
    asked = query(document)
    title = words(document.tree.css_first("[data-attrid=title]"))
    if not asked or not title:
        return bool(asked)
    if squashed(asked) in squashed(title):
        return False
    under = words(document.tree.css_first("[data-attrid=subtitle]"))
    return bool(_unknown(asked, title, under))


def _open_tab(node: LexborNode) -> str:
    parent = node.parent
    while parent is not None:
        if (parent.id or "").startswith(_TAB):
            return (parent.id or "").removeprefix(_TAB).removeprefix("cont-")
        parent = parent.parent
    return ""


def _unknown(asked: str, title: str, under: str) -> list[str]:
    """Words of the query that are in neither text.

    A name may be spelt a little differently. The line beneath may not: who asks for the sculptures
    of a sculptor asks for a list.
    """
    named = _WORDS.findall(title.casefold())
    known = set(_WORDS.findall(under.casefold()))
    return [
        word
        for word in _WORDS.findall(asked.casefold())
        if not word.isdigit()
        and len(word) >= _SHORTEST
        and word not in known
        and not difflib.get_close_matches(word, named, 1, _CLOSE)
    ]
