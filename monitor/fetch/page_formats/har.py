"""Pages of HAR files, read entry by entry: no more than one entry is in memory."""

import base64
import re
from collections.abc import Iterator
from typing import IO, Any

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
from monitor.input_files import load_json
from monitor.text.redaction import keep_headers

_PIECE = 2**20
#: An entry with a longer text has no page, which JSON may spell with six bytes a character.
_MOST_ENTRY = 3 * MOST_PAGE
_MOST_DEPTH = 200
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_STRUCTURE = re.compile(rb'["\[\]{}]')
_OPENED = {b"]": b"[", b"}": b"{"}
#: What is open where an entry begins: the file, the log, its entries.
_ENTRIES = [(b"{", b""), (b"{", b"log"), (b"[", b"entries")]


def read_har(source: SavedFileSource) -> Iterator[NumberedPage]:
    """Yield the pages of a file, numbered by their entries from 1. Raises BrokenFile, OSError."""
    with source.open() as stream:
        for number, text in enumerate(_split_entries(stream), start=1):
            try:
                page = _har_page(load_json(text)) if text else None
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                detail = repr(error)[:200]
                raise BrokenFile(f":{number}: not an entry of a HAR file: {detail}") from None
            if page is not None:
                yield NumberedPage(number, page)


def _split_entries(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the text of each entry; empty for one that is too long to be a page."""
    scanner = _Scanner()
    begins = b""
    while piece := stream.read(_PIECE):
        if not begins:
            begins = piece.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
            if begins != b"{":
                raise BrokenFile(": not a HAR file: it does not begin as JSON")
        yield from scanner.scan(piece)
    if not scanner.has_entries:
        raise BrokenFile(": not a HAR file: its log has no list of entries")
    if scanner.stack or scanner.is_in_string:
        raise BrokenFile(
            f":{scanner.entries + 1}: not a whole HAR file: it was cut off in the middle; "
            "save it again"
        )


class _Scanner:
    """Follows brackets and strings of a JSON text, and gathers the entries of its log."""

    def __init__(self) -> None:
        self.stack: list[tuple[bytes, bytes]] = []  # (bracket, key that it stands under)
        self.is_in_string = self.has_entries = False
        self.entries = 0
        self._last = b""  # the string before this place, where it is short
        self._rest = b""  # a backslash at the end of a piece
        self._entry: list[bytes] | None = None
        self._size = 0

    def scan(self, piece: bytes) -> Iterator[bytes]:
        """Yield entries that end in this piece."""
        piece, self._rest = self._rest + piece, b""
        at = begins = 0
        while at < len(piece):
            if self.is_in_string:
                at = self._pass_string(piece, at)
                continue
            match = _STRUCTURE.search(piece, at)
            if match is None:
                break
            at = match.end()
            if self.stack == _ENTRIES and match[0] == b"{":
                self._entry, self._size, begins = [], 0, match.start()
            self._read_mark(match[0])
            if self.stack == _ENTRIES and self._entry is not None:
                self._gather(piece[begins:at])
                self.entries += 1
                yield b"".join(self._entry)
                self._entry = None
        if self._entry is not None:
            self._gather(piece[begins : len(piece) - len(self._rest)])

    def _read_mark(self, mark: bytes) -> None:
        if mark == b'"':
            self.is_in_string, self._last = True, b""
        elif mark in (b"{", b"["):
            self._open(mark)
        else:
            self._close(mark)

    def _pass_string(self, piece: bytes, at: int) -> int:
        match = _IN_STRING.match(piece, at)
        end = match.end() if match else at
        if end - at <= len(b"entries"):
            self._last += piece[at:end][: len(b"entries") + 1]
        else:
            self._last = b"\0"
        if end < len(piece) and piece[end : end + 1] == b"\\":  # an escape that is cut in two
            self._rest = piece[end:]
            return len(piece)
        if end < len(piece):
            self.is_in_string = False
        return end + 1

    def _open(self, mark: bytes) -> None:
        if len(self.stack) >= _MOST_DEPTH:
            raise BrokenFile(": not a HAR file: it is nested without end")
        is_named = bool(self.stack) and self.stack[-1][0] == b"{"
        self.stack.append((mark, self._last if is_named else b""))
        self._last = b""
        self.has_entries = self.has_entries or self.stack == _ENTRIES

    def _close(self, mark: bytes) -> None:
        if not self.stack or self.stack.pop()[0] != _OPENED[mark]:
            raise BrokenFile(": not a HAR file: its brackets do not fit together")
        self._last = b""

    def _gather(self, text: bytes) -> None:
        """Add to the entry that is open; of one that is too long nothing is kept."""
        assert self._entry is not None  # noqa: S101 - asked before
        self._size += len(text)
        if self._size > _MOST_ENTRY:
            self._entry.clear()
        else:
            self._entry.append(text)


def _har_purpose(entry: dict[str, Any]) -> str:
    """Return what a browser asked for: a document, or a piece of one; empty if unknown."""
    headers = entry["request"].get("headers") or ()
    purposes = [
        header["value"] for header in headers if str(header["name"]).lower() == "sec-fetch-dest"
    ]
    return str(purposes[0] if purposes else entry.get("_resourceType") or "")


def _har_page(entry: dict[str, Any]) -> SavedPage | None:
    """The page of an entry; None for what is no page, or none that was answered."""
    response, url = entry["response"], str(entry["request"]["url"])
    content = response.get("content") or {}
    status = int(response["status"])
    text = content.get("text") or ""
    if status <= 0 or status in REDIRECTS or not is_html(str(content.get("mimeType"))) or not text:
        return None
    if _har_purpose(entry) not in ("", "document"):
        return None
    if len(text) > 2 * MOST_PAGE:
        raise ValueError(f"a page of {len(text):,} characters")
    coded = content.get("encoding") == "base64"
    body = base64.b64decode(text, validate=True) if coded else text.encode("utf-8", "replace")
    headers = [
        (str(header["name"]), str(header["value"])) for header in response.get("headers") or ()
    ]
    moment = parse_moment(str(entry.get("startedDateTime") or ""))
    return SavedPage(body, url, moment, status, keep_headers(headers))
