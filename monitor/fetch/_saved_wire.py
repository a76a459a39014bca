"""HTTP messages as archives keep them: unpacked within a limit, headers that name nobody kept."""

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

#: The longest page that is read; result pages have a tenth of it.
MOST_PAGE = 32 * 2**20
_PRIVATE = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
_MOST_HEADER_BYTES = 16_384
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: |\r|\n|$)")
_KINDS = ("text/html", "application/xhtml+xml")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r\n")
#: Told to find out by itself whether zlib or gzip packed it.
_EITHER = 32 + zlib.MAX_WBITS


class Misread(ValueError):
    """A message that is not what it says."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it was saved, with what its file says of it."""

    body: bytes
    url: str = ""
    at: datetime | None = None
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """Status line and headers of a response, names in lower case."""

    status: int
    headers: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The first header of a name; empty where there is none."""
        return next((text for key, text in self.headers if key == name), "")


def is_html(kind: str) -> bool:
    """Whether a content type is that of a page."""
    return kind.partition(";")[0].strip().lower() in _KINDS


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Headers without those that identify who asked."""
    found, size = [], 0
    for name, text in headers:
        size += len(name) + len(text)
        if name.lower() not in _PRIVATE and size <= _MOST_HEADER_BYTES:
            found.append((name.lower(), text))
    return tuple(found)


def head_of(block: bytes) -> tuple[Head, int]:
    """(head, where the content begins) of a response. Raises Misread."""
    end = re.search(rb"\r?\n\r?\n", block)
    status = _STATUS.match(block)
    if status is None:
        raise Misread("no HTTP response")
    lines = block[: end.start() if end else len(block)].decode("latin-1").splitlines()[1:]
    pairs = (line.partition(":") for line in lines)
    headers = tuple((name.strip().lower(), text.strip()) for name, colon, text in pairs if colon)
    return Head(int(status[1]), headers), end.end() if end else len(block)


def content_of(head: Head, body: bytes) -> bytes:
    """The content of a response, put together and unpacked. Raises Misread."""
    if head.get("transfer-encoding").lower() == "chunked":
        body = _joined(body)
    for packing in reversed(head.get("content-encoding").lower().split(",")):
        if packing.strip() in ("gzip", "x-gzip", "deflate"):
            body = _unpacked(body)
        elif packing.strip() not in ("", "identity"):
            raise Misread(f"packed by {packing.strip()!r}, which is not read here")
    return body


def _joined(body: bytes) -> bytes:
    """The content of chunks; as it stands where whoever kept it had joined them already."""
    pieces: list[bytes] = []
    at = 0
    while chunk := _CHUNK.match(body, at):
        size = int(chunk[1], 16)
        if size == 0:
            return b"".join(pieces)
        if chunk.end() + size > len(body):
            break
        pieces.append(body[chunk.end() : chunk.end() + size])
        at = chunk.end() + size + 2
    if at == 0:
        return body
    raise Misread("its chunks end too early")


def _unpacked(body: bytes) -> bytes:
    """What gzip or zlib packed; as it stands where whoever kept it had unpacked it already."""
    if body[:2] != b"\x1f\x8b" and body[:1] != b"\x78":
        return body
    unpack = zlib.decompressobj(_EITHER)
    try:
        found = unpack.decompress(body, MOST_PAGE + 1)
    except zlib.error as error:
        raise Misread(f"cannot be unpacked: {error}") from None
    if len(found) > MOST_PAGE:
        raise Misread(f"unpacks to more than {MOST_PAGE:,} bytes, which no result page has")
    if not unpack.eof:
        raise Misread("what was packed ends too early")
    return found
