"""Reads the pages of a WARC file, packed or not: records in, pages with their numbers out.

Written for files that nobody vouches for. Every record is read to its end, so that a cut or broken
file is found wherever that is, and no more is held than one page.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from monitor.fetch._saved_marks import moment
from monitor.fetch._saved_wire import (
    MOST_PAGE,
    Misread,
    Page,
    content_of,
    head_of,
    is_html,
    kept_headers,
)

_GZIP = b"\x1f\x8b"
_VERSION = re.compile(rb"WARC/\d\.\d\s*$")
_LONGEST_LINE = 65_536
_MOST_LINES = 200
#: Before the content of a response stand its headers; no more than this.
_MOST_HEAD = 2**20
_PIECE = 2**18
_REDIRECTS = range(300, 400)


class Broken(Exception):
    """A file that is not what it should be; the text follows the file's name."""


def warc_pages(path: Path) -> Iterator[tuple[int, Page]]:
    """(number of the record from 1, page) of a file. Raises Broken, or OSError.

    A `revisit` of a page that stands before it in the file is that page again.
    """
    seen: dict[str, int] = {}  # payload digests of pages
    for number, headers, page in _records(path):
        payload = headers.get("warc-payload-digest", "")
        if page is not None:
            seen.setdefault(payload, number)
            yield number, page
        elif headers.get("warc-type") == "revisit" and payload and payload in seen:
            pages = (one for at, _, one in _records(path) if one and at == seen[payload])
            before = next(pages)
            yield number, _page(headers, before.body, before.status, before.headers)


def _records(path: Path) -> Iterator[tuple[int, dict[str, str], Page | None]]:
    """(number, named fields, page if it holds one) of every record. Raises Broken."""
    number = 1
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            while headers := _headers(stream):
                yield number, headers, _record(stream, headers)
                number += 1
    except (Misread, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Broken(f":{number}: broken WARC record: {error}") from None
    if number == 1:
        raise Broken(": no WARC record in it")


def _headers(stream: BufferedIOBase) -> dict[str, str]:
    """The named fields of the next record; none at the end of the file. Raises Misread."""
    line = stream.readline(_LONGEST_LINE)
    while line in (b"\r\n", b"\n"):
        line = stream.readline(_LONGEST_LINE)
    if not line:
        return {}
    if not _VERSION.match(line):
        raise Misread("it does not begin with a version of WARC")
    found: dict[str, str] = {}
    for _ in range(_MOST_LINES):
        line = stream.readline(_LONGEST_LINE)
        if line in (b"\r\n", b"\n"):
            return found
        if not line.endswith(b"\n"):
            break
        name, _, text = line.decode("utf-8", "replace").partition(":")
        found.setdefault(name.strip().lower(), text.strip())
    raise Misread("its fields have no end")


def _record(stream: BufferedIOBase, headers: dict[str, str]) -> Page | None:
    """Read a record to its end; the page, where it holds one."""
    size = headers.get("content-length", "")
    if not (size.isascii() and size.isdigit()):
        raise Misread(f"Content-Length is {size!r}")
    left = int(size)
    kind = headers.get("warc-type", "")
    of_page = kind == "response" or (
        kind == "resource" and is_html(headers.get("content-type", ""))
    )
    if not of_page:
        _skip(stream, left)
        return None
    start = _read(stream, min(left, _MOST_HEAD))
    left -= len(start)
    if kind == "resource":
        body = start + _rest(stream, left)
        return _page(headers, body, None, ()) if body.strip() else None
    return _response(stream, headers, start, left)


def _response(
    stream: BufferedIOBase, headers: dict[str, str], start: bytes, left: int
) -> Page | None:
    """The page of a response; None for other content, redirections, and what has no content."""
    if not headers.get("content-type", "").lower().startswith("application/http"):
        _skip(stream, left)
        return None
    head, begins = head_of(start)
    if not is_html(head.get("content-type")) or head.status in _REDIRECTS:
        _skip(stream, left)
        return None
    body = content_of(head, start[begins:] + _rest(stream, left))
    if not body.strip():
        return None
    return _page(headers, body, head.status, kept_headers(head.headers))


def _page(
    headers: dict[str, str], body: bytes, status: int | None, kept: tuple[tuple[str, str], ...]
) -> Page:
    url = headers.get("warc-target-uri", "").strip("<>")
    return Page(body, url, moment(headers.get("warc-date", "")), status, kept)


def _rest(stream: BufferedIOBase, left: int) -> bytes:
    """What is left of a page. Raises Misread where that is more than any page has."""
    if left > MOST_PAGE:
        raise Misread(f"a page of more than {MOST_PAGE:,} bytes")
    return _read(stream, left)


def _read(stream: BufferedIOBase, wanted: int) -> bytes:
    found = stream.read(wanted)
    if len(found) < wanted:
        raise Misread(f"the file ends {wanted - len(found):,} bytes too early")
    return found


def _skip(stream: BufferedIOBase, left: int) -> None:
    while left:
        left -= len(_read(stream, min(left, _PIECE)))
