"""A saved page within limits, and its marks: address, question and date.

Marks are read where the page holds them; nothing is guessed from what a page shows except the text
in its own search box.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

from monitor.addresses import is_web
from monitor.input_files import is_plausible
from monitor.pages._html import link_href, read_document

#: The longest page that is read; result pages have a tenth of it.
MOST_PAGE = 32 * 2**20
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


# --- marks ---------------------------------------------------------------------------------------

#: What browsers write before a page that they save whole, with the length of the address.
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d{1,6}\)(\S+)")
_SINGLE_FILE = re.compile(
    r"Page saved with SingleFile\s+url:\s*(\S+)\s+saved date:\s*"
    r"(\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4})"
)
_SINGLE_FILE_DATE = "%a %b %d %Y %H:%M:%S GMT%z"
#: How far into a page these comments stand.
_BEGINNING = 8192
#: What engines call the question in their addresses and forms.
QUESTION_NAMES = ("q", "query", "search", "p", "text", "wd")
_BOXES = tuple(f"{tag}[name='{name}']" for name in QUESTION_NAMES for tag in ("input", "textarea"))
#: What they call the number of the first result, or of the page.
_LATER = ("start", "first", "offset", "s", "b", "page", "pageno")
_DATED = re.compile(
    r"(?<!\d)(\d{4}-\d\d-\d\d)(?:[T_ ](\d\d)[-:.]?(\d\d)(?:[-:.]?(\d\d))?Z?)?(?!\d)"
)
_MOST_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Marks:
    """Empty, or None, where a page does not say."""

    url: str
    question: str
    captured_at: datetime | None = None


def read_marks(body: bytes, url: str = "") -> Marks:
    """Return what a page says; `url` is the address where the file that it came in knows it."""
    page = read_document(body)
    source, tree = page.source, page.tree
    whole, single = (way.search(source[:_BEGINNING]) for way in (_SAVED_FROM, _SINGLE_FILE))
    saved_from = [match[1] for match in (whole, single) if match]
    nodes = (tree.css_first(css) for css in ("link[rel='canonical' i][href]", "base[href]"))
    addresses = [url, *saved_from, *((link_href(node) or "").strip() for node in nodes)]
    match = [address for address in addresses if is_web(address)]
    questions = [question for address in match if (question := question_of(address))]
    return Marks(
        url=match[0] if match else "",
        question=questions[0] if questions else _search_box_text(tree),
        captured_at=_single_file_date(single[2]) if single else None,
    )


def _single_file_date(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, _SINGLE_FILE_DATE)  # noqa: DTZ007 - it reads %z
    except ValueError:
        return None


def _search_box_text(tree: LexborHTMLParser) -> str:
    """Return the text in the search box of a page."""
    for selector in _BOXES:
        for node in tree.css(selector):
            written = node.text() if node.tag == "textarea" else node.attributes.get("value")
            written = written or node.attributes.get("value") or ""
            if written.strip() and node.attributes.get("type") != "hidden":
                return written.strip()[:_MOST_QUESTION]
    return ""


def _query_parameters(address: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(urlsplit(address).query, max_num_fields=500)
    except ValueError:
        return {}
    return dict(reversed(pairs))  # the first of a name counts


def _is_wall(address: str) -> bool:
    """Return whether an address is of a wall before results that knows where it leads on to."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    return host.startswith(("consent.", "sorry.")) or parts.path.startswith("/sorry")


def question_of(address: str) -> str:
    """The question in an address; of a wall, that of the page that it stands before."""
    for _ in range(2):
        if not (is_web(address) and _is_wall(address)):
            break
        address = _query_parameters(address).get("continue", "")
    parameters = _query_parameters(address)
    values = (parameters[name].strip() for name in QUESTION_NAMES if name in parameters)
    return next(filter(None, values), "")[:_MOST_QUESTION]


def is_page_piece(address: str) -> bool:
    """Return whether an address is of something that a page fetches later for itself."""
    return "async" in _query_parameters(address)


def is_later_page(address: str) -> bool:
    """Return whether an address is of a further page of results, at a later rank."""
    parameters = _query_parameters(address)
    numbers = (parameters.get(name, "") for name in _LATER)
    return any(number.isascii() and number.isdigit() and int(number) > 1 for number in numbers)


def parse_moment(text: str) -> datetime | None:
    """A written date or time, as UTC where it names no zone; None for what is no plausible one."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if not is_plausible(moment):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def date_of_name(name: str) -> datetime | None:
    """The date in the name of a file: 2026-11-21, 2026-11-21T0815, 2026-11-21_08-15-30."""
    for match in _DATED.finditer(name):
        day, hour, minute, second = match.groups()
        read = parse_moment(f"{day}T{hour or '00'}:{minute or '00'}:{second or '00'}")
        if read is not None:
            return read
    return None
