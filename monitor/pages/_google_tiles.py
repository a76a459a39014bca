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
from monitor.pages._html import PageDocument, absolute_link, node_words, walk_up

#: Purposes of links, field 1.
LISTED = 5  # an entity in a list that answers the query: chess players

_MOST_BYTES = 2**16
_LONGEST = 2**14
_ENTITY = re.compile(r"/[mg]/[0-9a-z_]{2,20}")
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_CONTINUES = 0x80
_LONGEST_VARINT = 10
_PURPOSE, _SUBJECT, _ITEM, _COLLECTION = 1, 2, 4, 5


@dataclass(frozen=True, slots=True)
class Stick:
    """The meaning of a link; empty where it does not say."""

    purpose: int = 0
    subject: str = ""
    item: str = ""
    collection: str = ""


NOTHING = Stick()


def entity_id(text: str | None) -> str:
    """The id of the knowledge graph, where the text is one and nothing else."""
    return text if text and _ENTITY.fullmatch(text) else ""


def link_parameter(href: str | None, name: str) -> str:
    """The first value of a parameter in a link; empty where there is none."""
    patterns = (rf"\{mark}{re.escape(name)}=([^&#]*)" for mark in "?&")
    matches = (re.search(pattern, href or "") for pattern in patterns)
    return next((unquote_plus(match[1]) for match in matches if match), "")


def read_stick(href: str | None) -> Stick:
    """Return the meaning of a link's parameter; `NOTHING` where none can be read."""
    zipped = link_parameter(href, "stick")
    if not zipped:
        return NOTHING
    fields = _read_fields(_unpack_value(zipped))
    purpose = fields.get(_PURPOSE, 0)
    return Stick(
        purpose if isinstance(purpose, int) else 0,
        entity_id(_field_text(fields, _SUBJECT)),
        entity_id(_field_text(fields, _ITEM)),
        _field_text(fields, _COLLECTION),
    )


def _field_text(fields: dict[int, int | bytes], number: int) -> str:
    value = fields.get(number, b"")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _unpack_value(value: str) -> bytes:
    if not value or len(value) > _LONGEST:
        return b""
    try:
        zipped = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        return zlib.decompressobj(31).decompress(zipped, _MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return b""


def _read_fields(data: bytes) -> dict[int, int | bytes]:
    """The first value of each field that is asked for, up to where the message is broken."""
    fields: dict[int, int | bytes] = {}
    offset = 0
    try:
        while offset < len(data):
            tag, offset = _read_varint(data, offset)
            if tag >> 3 > _COLLECTION:
                break  # they stand in order, and what follows can be long
            value, offset = _read_value(data, offset, tag & 7)
            fields.setdefault(tag >> 3, value)
    except (IndexError, ValueError):
        pass
    return fields


def _read_value(data: bytes, offset: int, wire: int) -> tuple[int | bytes, int]:
    if wire == _VARINT:
        return _read_varint(data, offset)
    if wire == _BYTES:
        length, offset = _read_varint(data, offset)
    elif wire in (_FIXED64, _FIXED32):
        length = 8 if wire == _FIXED64 else 4
    else:
        raise ValueError(wire)
    if offset + length > len(data):
        raise IndexError(offset)
    return data[offset : offset + length], offset + length


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(_LONGEST_VARINT):
        byte = data[at + index]
        value |= (byte & ~_CONTINUES) << (7 * index)
        if not byte & _CONTINUES:
            return value, at + index + 1
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
class TileLine:
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
        """Return the link of the tile, as it stands in the page."""
        node = self.link
        if node is not None:
            return node.attributes.get("href") or ""
        attributes = self.core.attributes
        return attributes.get("data-url") or attributes.get("data-href") or ""

    @property
    def stick(self) -> Stick:
        """Return the meaning of the link of the tile."""
        return read_stick(self.href)


def read_tile(tile: Tile, base: str) -> tuple[str, Item | None]:
    """The name of a tile and its item, whose rank is still 1; no item without a name."""
    lines_shown = visible_lines(tile.core)
    name = _tile_name(tile, lines_shown)
    if not name:
        return "", None
    under = _second_line(name, lines_shown, tile)
    href = absolute_link(tile.href, base or GOOGLE)
    return name, Item(1, under, Block.CAROUSEL, href, name, _tile_entity(tile))


def mend_text(text: str | None) -> str:
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
    return _TRIMMED.sub("\u00e0", _TWICE_ENCODED.sub(_decode_match, text))


def _decode_match(match: re.Match[str]) -> str:
    try:
        return bytes(_IMAGE_BYTES.get(c, ord(c) & 0xFF) for c in match[0]).decode("utf-8")
    except UnicodeError:
        return match[0]


def visible_lines(node: LexborNode) -> list[TileLine]:
    """The visible lines of a tile: the texts of its innermost blocks."""
    lines_read: list[TileLine] = []
    open_: list[str] = []
    _collect_lines(node, node, lines_read, open_, _DEEPEST)
    _close_line(node, lines_read, open_)
    return lines_read


def _collect_lines(
    node: LexborNode, block: LexborNode, found: list[TileLine], open_: list[str], deeper: int
) -> None:
    """Walk the children of `node`, but not for ever; texts of one block make a line."""
    child = node.child if deeper else None
    while child is not None and len(found) < _MOST_LINES:
        if child.tag == "-text":
            open_.append(child.text_content or "")
        elif child.tag in _JOINED:
            _collect_lines(child, block, found, open_, deeper - 1)
        elif child.tag not in _UNSEEN:
            _close_line(block, found, open_)
            _collect_lines(child, child, found, open_, deeper - 1)
            _close_line(child, found, open_)
        child = child.next


def _close_line(block: LexborNode, found: list[TileLine], open_: list[str]) -> None:
    text = mend_text("".join(open_))
    open_.clear()
    if text:
        parent = block.parent
        shape = (parent.mem_id if parent else 0, block.attributes.get("class") or "")
        found.append(TileLine(text, shape))


def squash_text(text: str) -> str:
    """Letters and digits alone, for comparing what different attributes say."""
    return "".join(filter(str.isalnum, text.casefold()))


def _tile_name(tile: Tile, shown: list[TileLine]) -> str:
    heading = tile.core.css_first("[role=heading]")
    return (
        mend_text(_tile_attribute(tile, "data-entityname"))
        or _name_of_label(mend_text(_tile_attribute(tile, "aria-label")), shown)
        or _name_of_lines(visible_lines(heading) if heading is not None else [])
        or _name_of_lines(shown)
        or _name_of_tip(tile)
        or _name_of_picture(tile.core)
    )


def _tile_attribute(tile: Tile, name: str) -> str | None:
    """An attribute of the tile, of what it stands in or of the first element that has it."""
    for node in (tile.core, tile.whole):
        if node.attributes.get(name):
            return node.attributes[name]
    inner = tile.core.css_first(f"[{name}]")
    return inner.attributes.get(name) if inner is not None else None


def _name_of_label(label: str, shown: list[TileLine]) -> str:
    """The label, unless it says more than the name or something else than what is shown."""
    if not label or not shown:
        return label
    first, label_words = squash_text(shown[0].text), squash_text(label)
    if not first or shown[0].text.endswith(_CUT_OFF):
        return label
    spoken = _name_of_lines(shown)
    everything = squash_text("".join(line.text for line in shown))
    if label_words == everything and len(squash_text(spoken)) < len(label_words):
        return spoken
    return label if first in label_words or label_words in everything else ""


def _name_of_lines(shown: list[TileLine]) -> str:
    """The first line, with those of the same shape after it: a name broken over lines."""
    parts = [line.text for line in shown if line.shape == shown[0].shape]
    return " ".join(parts).replace("- ", "-") if len(parts) > 1 else "".join(parts)


def _name_of_tip(tile: Tile) -> str:
    """The tool tip without the second line that may follow the name in brackets."""
    tip = mend_text(_tile_attribute(tile, "title"))
    parts = _BRACKETED.fullmatch(tip)
    if parts is None:
        return tip
    query_words = squash_text(link_parameter(tile.href, "q"))
    return parts[1] if query_words and squash_text(parts[2]) not in query_words else tip


def _name_of_picture(node: LexborNode) -> str:
    for image in node.css("img[alt]"):
        if alt := mend_text(image.attributes.get("alt")):
            return alt
    return ""


def _second_line(name: str, shown: list[TileLine], tile: Tile) -> str:
    """Return the text beneath the name, or in the brackets of the tool tip."""
    rest = [line.text for line in shown[_count_name_lines(name, shown) :]]
    if rest:
        return " ".join(rest)
    if lines_after := _lines_after_name(tile):
        return " ".join(line.text for line in lines_after)
    tip = _BRACKETED.fullmatch(mend_text(_tile_attribute(tile, "title")))
    return tip[2] if tip and squash_text(tip[1]) == squash_text(name) else ""


def _lines_after_name(tile: Tile) -> list[TileLine]:
    """Lines after an element that holds the name and nothing else."""
    if tile.core.tag == "a" or "data-entityid" not in tile.core.attributes:
        return []
    lines_found: list[TileLine] = []
    node = tile.core.next
    while node is not None:
        if not (node.tag or "-").startswith("-"):
            lines_found += visible_lines(node)
        node = node.next
    return lines_found


def _count_name_lines(name: str, shown: list[TileLine]) -> int:
    """Return how many of the lines are the name."""
    whole, read_so_far = squash_text(name), ""
    for position, line in enumerate(shown):
        read_so_far += squash_text(line.text)
        if read_so_far == whole:
            return position + 1
        if not whole.startswith(read_so_far):
            return position or int(shown[0].text.endswith(_CUT_OFF))
    return len(shown)


def _tile_entity(tile: Tile) -> str:
    """The id of the knowledge graph: beside the name, in the link, or in what the link leads to."""
    return (
        entity_id(_tile_attribute(tile, "data-entityid"))
        or entity_id(_tile_attribute(tile, "data-mid"))
        or entity_id(link_parameter(tile.href, "kgmid"))
        or tile.stick.item
    )


_WORDS = re.compile(r"\w+")
_TAB = "kp-wp-tab-"
_FIRST_TAB = "overview"
_CLOSE = 0.75
_SHORTEST = 3
_MOST_FIELDS = 10


def page_query(document: PageDocument) -> str:
    """The query: from the search field, else from the address; empty where neither has it."""
    for field in document.tree.css("textarea[name=q], input[name=q]")[:_MOST_FIELDS]:
        if text := " ".join((field.attributes.get("value") or node_words(field)).split()):
            return text
    return link_parameter(document.url, "q")


def asks_for_collection(document: PageDocument, node: LexborNode) -> bool:
    """Return whether the query asks for the collection at `node`, not for its entity."""
    if _open_tab(node) not in ("", _FIRST_TAB):
        return True
    words_asked = page_query(document)
    title = node_words(document.tree.css_first("[data-attrid=title]"))
    if not words_asked or not title:
        return bool(words_asked)
    if squash_text(words_asked) in squash_text(title):
        return False
    under = node_words(document.tree.css_first("[data-attrid=subtitle]"))
    return bool(_unknown_words(words_asked, title, under))


def _open_tab(node: LexborNode) -> str:
    ids = (above.id or "" for above in walk_up(node))
    tab = next((name for name in ids if name.startswith(_TAB)), "")
    return tab.removeprefix(_TAB).removeprefix("cont-")


def _unknown_words(asked: str, title: str, under: str) -> list[str]:
    """Words of the query that are in neither text.

    A name may be spelt a little differently. The line beneath may not: who asks for the sculptures
    of a sculptor asks for a list.
    """
    title_words = _WORDS.findall(title.casefold())
    second_line_words = set(_WORDS.findall(under.casefold()))
    return [
        word
        for word in _WORDS.findall(asked.casefold())
        if not word.isdigit()
        and len(word) >= _SHORTEST
        and word not in second_line_words
        and not difflib.get_close_matches(word, title_words, 1, _CLOSE)
    ]
