"""What a `stick` parameter in a link of Google says: which entity of which collection it leads to.

The value is a zipped protocol buffer. Its first field says what the link is for, so that a tile of
a list can be told from a fact and from "people also search for", whatever the classes are called.
Fields as read off pages of 2016 to 2024: 1 purpose, 2 subject, 4 item, 5 collection.
"""

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from urllib.parse import unquote_plus

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
