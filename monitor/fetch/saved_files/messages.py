"""Records of saved pages, and what every format needs to read them within limits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import IO

#: The longest page that is read; result pages have a tenth of it.
MOST_PAGE = 32 * 2**20
_PRIVATE = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
_MOST_HEADER_BYTES = 16_384
REDIRECTS = range(300, 400)
_KINDS = ("text/html", "application/xhtml+xml")


class BrokenFile(Exception):
    """A file that is not what it should be; the text follows the file's name."""


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
