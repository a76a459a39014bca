"""Pages of WARC files: every record is read to its end, and no more than one page is in memory."""

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, cast

from monitor.fetch.page_formats.page import (
    MOST_PAGE,
    REDIRECTS,
    BrokenFile,
    NumberedPage,
    SavedFileSource,
    SavedPage,
    is_html,
    parse_moment,
)
from monitor.text.redaction import keep_headers

_GZIP = b"\x1f\x8b"
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: |\r|\n|$)")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r\n")
#: Told to find out by itself whether zlib or gzip packed it.
_EITHER = 32 + zlib.MAX_WBITS
_VERSION = re.compile(rb"WARC/\d\.\d\s*$")
_LONGEST_LINE = 65_536
_MOST_LINES = 200
#: Before the content of a response stand its headers; no more than this.
_MOST_HEAD = 2**20
_PIECE = 2**18
#: How much longer records are than their file: pages are packed to a fifth or a twentieth.
_LEAST_UNPACKED, _MOST_RATIO = 2**27, 200


class MalformedMessage(ValueError):
    """A message that is not what it says."""


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """Status line and headers of a response, names in lower case."""

    status: int
    headers: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The first header of a name; empty where there is none."""
        return next((text for key, text in self.headers if key == name), "")


def read_warc(source: SavedFileSource) -> Iterator[NumberedPage]:
    """Yield the pages of a file, numbered by their records from 1. Raises BrokenFile, OSError.

    A `revisit` of a page that stands before it in the file is that page again.
    """
    seen: dict[str, int] = {}  # payload digests of pages
    for number, headers, page in _warc_records(source):
        payload = headers.get("warc-payload-digest", "")
        if page is not None:
            seen.setdefault(payload, number)
            yield NumberedPage(number, page)
        elif headers.get("warc-type") == "revisit" and payload and payload in seen:
            pages = (page for n, _, page in _warc_records(source) if page and n == seen[payload])
            before = next(pages)
            again = _make_page(headers, before.body, before.status, before.headers)
            yield NumberedPage(number, again)


def _warc_records(
    source: SavedFileSource,
) -> Iterator[tuple[int, dict[str, str], SavedPage | None]]:
    """(number, named fields, page if it holds one) of every record. Raises Broken."""
    number = 1
    try:
        with source.open() as file:
            packed = file.read(2) == _GZIP
        with source.open() as file:
            stream = cast("IO[bytes]", _UnpackedStream(file, source.size)) if packed else file
            while headers := _warc_headers(stream):
                yield number, headers, _warc_record(stream, headers)
                number += 1
    except (MalformedMessage, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BrokenFile(f":{number}: broken WARC record: {error}") from None
    if number == 1:
        raise BrokenFile(": no WARC record in it")


class _UnpackedStream(gzip.GzipFile):
    """The unpacked records of a file, at most so many bytes as pages can have."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        super().__init__(fileobj=file, mode="rb")
        self._left = _LEAST_UNPACKED + _MOST_RATIO * size

    def read(self, size: int | None = -1) -> bytes:
        return self._count(super().read(size))

    def readline(self, size: int | None = -1) -> bytes:
        return self._count(super().readline(size))

    def _count(self, content: bytes) -> bytes:
        self._left -= len(content)
        if self._left < 0:
            raise MalformedMessage(
                f"unpacks to more than {_MOST_RATIO} times its size, which no pages do"
            )
        return content


def _warc_headers(stream: IO[bytes]) -> dict[str, str]:
    """The named fields of the next record; none at the end of the file. Raises Misread."""
    line = stream.readline(_LONGEST_LINE)
    while line in (b"\r\n", b"\n"):
        line = stream.readline(_LONGEST_LINE)
    if not line:
        return {}
    if not _VERSION.match(line):
        raise MalformedMessage("it does not begin with a version of WARC")
    fields: dict[str, str] = {}
    for _ in range(_MOST_LINES):
        line = stream.readline(_LONGEST_LINE)
        if line in (b"\r\n", b"\n"):
            return fields
        if not line.endswith(b"\n"):
            break
        name, _, text = line.decode("utf-8", "replace").partition(":")
        fields.setdefault(name.strip().lower(), text.strip())
    raise MalformedMessage("its fields have no end")


def _warc_record(stream: IO[bytes], headers: dict[str, str]) -> SavedPage | None:
    """Read a record to its end; the page, where it holds one."""
    size = headers.get("content-length", "")
    if not (size.isascii() and size.isdigit()):
        raise MalformedMessage(f"Content-Length is {size!r}")
    remaining = int(size)
    kind = headers.get("warc-type", "")
    of_page = kind == "response" or (
        kind == "resource" and is_html(headers.get("content-type", ""))
    )
    if not of_page:
        _skip_bytes(stream, remaining)
        return None
    start = _read_exactly(stream, min(remaining, _MOST_HEAD))
    remaining -= len(start)
    if kind == "resource":
        body = start + _read_rest(stream, remaining)
        return _make_page(headers, body, None, ()) if body.strip() else None
    return _warc_response(stream, headers, start, remaining)


def _warc_response(
    stream: IO[bytes], headers: dict[str, str], start: bytes, remaining: int
) -> SavedPage | None:
    """The page of a response; None for other content, redirections, and what has no content."""
    if not headers.get("content-type", "").lower().startswith("application/http"):
        _skip_bytes(stream, remaining)
        return None
    head, begins = _parse_head(start)
    if not is_html(head.get("content-type")) or head.status in REDIRECTS:
        _skip_bytes(stream, remaining)
        return None
    body = _unpack_content(head, start[begins:] + _read_rest(stream, remaining))
    if not body.strip():
        return None
    return _make_page(headers, body, head.status, keep_headers(head.headers))


def _make_page(
    headers: dict[str, str], body: bytes, status: int | None, kept: tuple[tuple[str, str], ...]
) -> SavedPage:
    url = headers.get("warc-target-uri", "").strip("<>")
    return SavedPage(body, url, parse_moment(headers.get("warc-date", "")), status, kept)


def _read_rest(stream: IO[bytes], remaining: int) -> bytes:
    """Return the rest of a page. Raises MalformedMessage where it is more than any page has."""
    if remaining > MOST_PAGE:
        raise MalformedMessage(f"a page of more than {MOST_PAGE:,} bytes")
    return _read_exactly(stream, remaining)


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise MalformedMessage(f"the file ends {size - len(content):,} bytes too early")
    return content


def _skip_bytes(stream: IO[bytes], remaining: int) -> None:
    while remaining:
        remaining -= len(_read_exactly(stream, min(remaining, _PIECE)))


# --- HTTP responses ------------------------------------------------------------------------------


def _parse_head(block: bytes) -> tuple[ResponseHead, int]:
    """(head, where the content begins) of a response. Raises MalformedMessage."""
    end = re.search(rb"\r?\n\r?\n", block)
    status = _STATUS.match(block)
    if status is None:
        raise MalformedMessage("no HTTP response")
    lines = block[: end.start() if end else len(block)].decode("latin-1").splitlines()[1:]
    pairs = (line.partition(":") for line in lines)
    headers = tuple((name.strip().lower(), text.strip()) for name, colon, text in pairs if colon)
    return ResponseHead(int(status[1]), headers), end.end() if end else len(block)


def _unpack_content(head: ResponseHead, body: bytes) -> bytes:
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
