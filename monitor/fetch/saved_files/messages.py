"""Pages, and HTTP responses that hold them, within limits."""

import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import IO

#: The longest page that is read; result pages have a tenth of it.
MOST_PAGE = 32 * 2**20
_PRIVATE = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
_MOST_HEADER_BYTES = 16_384
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: |\r|\n|$)")
REDIRECTS = range(300, 400)
_KINDS = ("text/html", "application/xhtml+xml")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r\n")
#: Told to find out by itself whether zlib or gzip packed it.
_EITHER = 32 + zlib.MAX_WBITS


class BrokenFile(Exception):
    """A file that is not what it should be; the text follows the file's name."""


class MalformedMessage(ValueError):
    """A message that is not what it says."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """One page as it was saved, with what its file says of it."""

    body: bytes
    url: str = ""
    captured_at: datetime | None = None
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedPage:
    """A page and its number among the records of its file; 0 where the file is the page."""

    record: int
    page: SavedPage
    member: str = ""  # of an archive, the file and record in it


@dataclass(frozen=True, slots=True)
class SavedFileSource:
    """A saved file, or a member of an archive: `open` gives its bytes from the beginning."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]


def read_whole(source: SavedFileSource) -> bytes:
    """Return the content of a file that is one page. Raises BrokenFile, OSError."""
    with source.open() as file:
        body = file.read(MOST_PAGE + 1)
    if len(body) > MOST_PAGE:
        raise BrokenFile(f": is longer than {MOST_PAGE:,} bytes, which no result page is")
    if not body.strip():
        raise BrokenFile(": is empty; take it out of the folder")
    return body


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """Status line and headers of a response, names in lower case."""

    status: int
    headers: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The first header of a name; empty where there is none."""
        return next((text for key, text in self.headers if key == name), "")


def is_html(kind: str) -> bool:
    """Return whether a content type is that of a page."""
    return kind.partition(";")[0].strip().lower() in _KINDS


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Headers without those that identify who asked."""
    headers_kept, size = [], 0
    for name, text in headers:
        size += len(name) + len(text)
        if name.lower() not in _PRIVATE and size <= _MOST_HEADER_BYTES:
            headers_kept.append((name.lower(), text))
    return tuple(headers_kept)


def parse_head(block: bytes) -> tuple[ResponseHead, int]:
    """(head, where the content begins) of a response. Raises MalformedMessage."""
    end = re.search(rb"\r?\n\r?\n", block)
    status = _STATUS.match(block)
    if status is None:
        raise MalformedMessage("no HTTP response")
    lines = block[: end.start() if end else len(block)].decode("latin-1").splitlines()[1:]
    pairs = (line.partition(":") for line in lines)
    headers = tuple((name.strip().lower(), text.strip()) for name, colon, text in pairs if colon)
    return ResponseHead(int(status[1]), headers), end.end() if end else len(block)


def unpack_content(head: ResponseHead, body: bytes) -> bytes:
    """The content of a response, put together and unpacked. Raises MalformedMessage."""
    if head.get("transfer-encoding").lower() == "chunked":
        body = _join_chunks(body)
    for packing in reversed(head.get("content-encoding").lower().split(",")):
        if packing.strip() in ("gzip", "x-gzip", "deflate"):
            body = _unpack(body)
        elif packing.strip() not in ("", "identity"):
            raise MalformedMessage(f"packed by {packing.strip()!r}, which is not read here")
    return body


def _join_chunks(body: bytes) -> bytes:
    """The content of chunks; as it stands where whoever kept it had joined them already."""
    pieces: list[bytes] = []
    offset = 0
    while chunk := _CHUNK.match(body, offset):
        size = int(chunk[1], 16)
        if size == 0:
            return b"".join(pieces)
        if chunk.end() + size > len(body):
            break
        pieces.append(body[chunk.end() : chunk.end() + size])
        offset = chunk.end() + size + 2
    if offset == 0:
        return body
    raise MalformedMessage("its chunks end too early")


def _unpack(body: bytes) -> bytes:
    """Return content unpacked by gzip or zlib; unchanged where it was unpacked already."""
    if body[:2] != b"\x1f\x8b" and body[:1] != b"\x78":
        return body
    unpack = zlib.decompressobj(_EITHER)
    try:
        content = unpack.decompress(body, MOST_PAGE + 1)
    except zlib.error as error:
        raise MalformedMessage(f"cannot be unpacked: {error}") from None
    if len(content) > MOST_PAGE:
        raise MalformedMessage(
            f"unpacks to more than {MOST_PAGE:,} bytes, which no result page has"
        )
    if not unpack.eof:
        raise MalformedMessage("what was packed ends too early")
    return content
