"""What a saved page says of itself: the address that it was saved from, its question, its date.

In goes HTML, out come those three where the page holds them. Nothing is guessed from what a page
shows but the text in its own search box.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

from monitor.input_files import is_plausible
from monitor.pages._html import document

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
_QUESTIONS = ("q", "query", "search", "p", "text", "wd")
_BOXES = tuple(f"{tag}[name='{name}']" for name in _QUESTIONS for tag in ("input", "textarea"))
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
    at: datetime | None = None


def marks(body: bytes, url: str = "") -> Marks:
    """What a page says; `url` is the address where the file that it came in knows it."""
    page = document(body)
    source, tree = page.source, page.tree
    whole, single = (way.search(source[:_BEGINNING]) for way in (_SAVED_FROM, _SINGLE_FILE))
    saved_from = [found[1] for found in (whole, single) if found]
    addresses = [url, *saved_from, *_links(tree)]
    found = [address for address in addresses if _is_web(address)]
    questions = [question for address in found if (question := question_of(address))]
    return Marks(
        url=found[0] if found else "",
        question=questions[0] if questions else _box(tree),
        at=_single_file_date(single[2]) if single else None,
    )


def _single_file_date(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, _SINGLE_FILE_DATE)  # noqa: DTZ007 - it reads %z
    except ValueError:
        return None


def _links(tree: LexborHTMLParser) -> list[str]:
    nodes = [tree.css_first("link[rel='canonical' i][href]"), tree.css_first("base[href]")]
    return [(node.attributes.get("href") or "").strip() for node in nodes if node is not None]


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _box(tree: LexborHTMLParser) -> str:
    """What stands in the search box of a page."""
    for selector in _BOXES:
        for node in tree.css(selector):
            written = node.text() if node.tag == "textarea" else node.attributes.get("value")
            written = written or node.attributes.get("value") or ""
            if written.strip() and node.attributes.get("type") != "hidden":
                return written.strip()[:_MOST_QUESTION]
    return ""


def _parameters(address: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(urlsplit(address).query, max_num_fields=500)
    except ValueError:
        return {}
    return dict(reversed(pairs))  # the first of a name counts


def _is_wall(address: str) -> bool:
    """Whether an address is of what stands before results, and knows where it leads on to."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    return host.startswith(("consent.", "sorry.")) or parts.path.startswith("/sorry")


def question_of(address: str) -> str:
    """The question in an address; of a wall, that of the page that it stands before."""
    for _ in range(2):
        if not (_is_web(address) and _is_wall(address)):
            break
        address = _parameters(address).get("continue", "")
    known = _parameters(address)
    found = (known[name].strip() for name in _QUESTIONS if known.get(name, "").strip())
    return next(found, "")[:_MOST_QUESTION]


def is_piece(address: str) -> bool:
    """Whether an address is of what a page fetches later to put into itself."""
    return "async" in _parameters(address)


def is_later(address: str) -> bool:
    """Whether an address is of a further page of results, which begins at a later rank."""
    known = _parameters(address)
    numbers = (known.get(name, "") for name in _LATER)
    return any(number.isascii() and number.isdigit() and int(number) > 1 for number in numbers)


def moment(text: str) -> datetime | None:
    """A written date or time, as UTC where it names no zone; None for what is no plausible one."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if not is_plausible(found):
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def date_in(name: str) -> datetime | None:
    """The date in the name of a file: 2026-11-21, 2026-11-21T0815, 2026-11-21_08-15-30."""
    for found in _DATED.finditer(name):
        day, hour, minute, second = found.groups()
        read = moment(f"{day}T{hour or '00'}:{minute or '00'}:{second or '00'}")
        if read is not None:
            return read
    return None
