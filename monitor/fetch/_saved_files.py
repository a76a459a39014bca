"""Pages of saved files: HTML, MHTML, WARC or HAR.

The address, question and date of a page are read where the page holds them; nothing is guessed from
what a page shows except the text in its own search box. Files are not trusted: every record is read
to its end within limits, so that a cut or broken file is found, and no more than one page is in
memory. Broken, cut or oversized files are refused with the name of the file and the record.
"""

import base64
import email
import email.message
import email.utils
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from io import BufferedIOBase
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

from monitor.input_files import is_plausible, load_json
from monitor.model import InvalidInput
from monitor.pages._html import read_document

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
    page = read_document(body)
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


#: A HAR is one JSON text, so all of it is read at once.
_MOST_HAR = 512 * 2**20
_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".mhtml": "mhtml",
    ".mht": "mhtml",
    ".warc": "warc",
    ".warc.gz": "warc",
    ".har": "har",
}
#: Forms that hold many pages, so that a page in them has a number.
MANY = ("warc", "har")


@dataclass(frozen=True, slots=True)
class Found:
    """A page and its number among the records of its file; 0 where the file is the page."""

    record: int
    page: Page


def form_of(name: str) -> str:
    """html, mhtml, warc or har; empty for a file that holds no pages."""
    lower = name.lower()
    return next((form for suffix, form in _SUFFIXES.items() if lower.endswith(suffix)), "")


def pages_of(path: Path, name: str) -> Iterator[Found]:
    """The pages of a file, which messages call `name`. Raises InvalidInput."""
    readers = {"html": _html, "mhtml": _mhtml, "har": _har, "warc": _warc}
    try:
        yield from readers[form_of(name)](path)
    except Broken as broken:
        raise InvalidInput(f"{name}{broken}") from None
    except OSError as error:
        raise InvalidInput(f"{name}: cannot be read: {error.strerror or error}") from None


def _whole(path: Path) -> bytes:
    with path.open("rb") as file:
        body = file.read(MOST_PAGE + 1)
    if len(body) > MOST_PAGE:
        raise Broken(f": is longer than {MOST_PAGE:,} bytes, which no result page is")
    if not body.strip():
        raise Broken(": is empty; take it out of the folder")
    return body


def _html(path: Path) -> Iterator[Found]:
    yield Found(0, Page(_whole(path)))


# --- MHTML ----------------------------------------------------------------------------------------


def _mhtml(path: Path) -> Iterator[Found]:
    try:
        message = email.message_from_bytes(_whole(path))
        part = next(p for p in message.walk() if p.get_content_type() == "text/html")
        body = cast("bytes", part.get_payload(decode=True) or b"")
    except (StopIteration, MessageError, ValueError, LookupError, AttributeError):
        raise Broken(": no page in it can be read; save the page as HTML instead") from None
    if not body.strip():
        raise Broken(": the page in it is empty; save the page as HTML instead")
    url = _header(message, "Snapshot-Content-Location") or _header(part, "Content-Location")
    yield Found(0, Page(body, url, _mail_date(_header(message, "Date"))))


def _header(message: "email.message.Message[str, str]", name: str) -> str:
    return "".join(str(message.get(name) or "").split("\n")).strip()


def _mail_date(text: str) -> datetime | None:
    try:
        found = email.utils.parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None


# --- WARC and HAR ---------------------------------------------------------------------------------


def _warc(path: Path) -> Iterator[Found]:
    for number, page in warc_pages(path):
        yield Found(number, page)


def _har(path: Path) -> Iterator[Found]:
    for number, entry in enumerate(_har_entries(path), start=1):
        try:
            page = _har_page(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Broken(f":{number}: not an entry of a HAR file: {error!r}") from None
        if page is not None:
            yield Found(number, page)


def _har_entries(path: Path) -> list[Any]:
    with path.open("rb") as file:
        text = file.read(_MOST_HAR + 1)
    if len(text) > _MOST_HAR:
        raise Broken(f": is longer than {_MOST_HAR:,} bytes; save fewer pages in one file")
    try:
        entries = load_json(text)["log"]["entries"]
    except (ValueError, KeyError, TypeError) as error:
        raise Broken(f": not a HAR file: {error!r}"[:200]) from None
    if not isinstance(entries, list):
        raise Broken(": not a HAR file: its entries are no list")
    return entries


def _purpose(entry: dict[str, Any]) -> str:
    """What a browser asked for: a document, or a piece of one; empty where it does not say."""
    headers = entry["request"].get("headers") or ()
    said = [one["value"] for one in headers if str(one["name"]).lower() == "sec-fetch-dest"]
    return str(said[0] if said else entry.get("_resourceType") or "")


def _har_page(entry: dict[str, Any]) -> Page | None:
    """The page of an entry; None for what is no page, or none that was answered."""
    response, url = entry["response"], str(entry["request"]["url"])
    content = response.get("content") or {}
    status = int(response["status"])
    text = content.get("text") or ""
    if status <= 0 or status in _REDIRECTS or not is_html(str(content.get("mimeType"))) or not text:
        return None
    if _purpose(entry) not in ("", "document"):
        return None
    if len(text) > 2 * MOST_PAGE:
        raise ValueError(f"a page of {len(text):,} characters")
    coded = content.get("encoding") == "base64"
    body = base64.b64decode(text, validate=True) if coded else text.encode("utf-8", "replace")
    headers = [(str(one["name"]), str(one["value"])) for one in response.get("headers") or ()]
    at = moment(str(entry.get("startedDateTime") or ""))
    return Page(body, url, at, status, kept_headers(headers))
