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
    captured_at: datetime | None = None


def read_marks(body: bytes, url: str = "") -> Marks:
    """Return what a page says; `url` is the address where the file that it came in knows it."""
    page = read_document(body)
    source, tree = page.source, page.tree
    whole, single = (way.search(source[:_BEGINNING]) for way in (_SAVED_FROM, _SINGLE_FILE))
    saved_from = [match[1] for match in (whole, single) if match]
    addresses = [url, *saved_from, *_page_links(tree)]
    match = [address for address in addresses if _is_web(address)]
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


def _page_links(tree: LexborHTMLParser) -> list[str]:
    nodes = [tree.css_first("link[rel='canonical' i][href]"), tree.css_first("base[href]")]
    return [(node.attributes.get("href") or "").strip() for node in nodes if node is not None]


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


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
        if not (_is_web(address) and _is_wall(address)):
            break
        address = _query_parameters(address).get("continue", "")
    parameters = _query_parameters(address)
    values = (parameters[name].strip() for name in _QUESTIONS if parameters.get(name, "").strip())
    return next(values, "")[:_MOST_QUESTION]


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


#: The longest page that is read; result pages have a tenth of it.
MOST_PAGE = 32 * 2**20
_PRIVATE = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
_MOST_HEADER_BYTES = 16_384
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: |\r|\n|$)")
_KINDS = ("text/html", "application/xhtml+xml")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r\n")
#: Told to find out by itself whether zlib or gzip packed it.
_EITHER = 32 + zlib.MAX_WBITS


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
    """(head, where the content begins) of a response. Raises Misread."""
    end = re.search(rb"\r?\n\r?\n", block)
    status = _STATUS.match(block)
    if status is None:
        raise MalformedMessage("no HTTP response")
    lines = block[: end.start() if end else len(block)].decode("latin-1").splitlines()[1:]
    pairs = (line.partition(":") for line in lines)
    headers = tuple((name.strip().lower(), text.strip()) for name, colon, text in pairs if colon)
    return ResponseHead(int(status[1]), headers), end.end() if end else len(block)


def unpack_content(head: ResponseHead, body: bytes) -> bytes:
    """The content of a response, put together and unpacked. Raises Misread."""
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


_GZIP = b"\x1f\x8b"
_VERSION = re.compile(rb"WARC/\d\.\d\s*$")
_LONGEST_LINE = 65_536
_MOST_LINES = 200
#: Before the content of a response stand its headers; no more than this.
_MOST_HEAD = 2**20
_PIECE = 2**18
_REDIRECTS = range(300, 400)


class BrokenFile(Exception):
    """A file that is not what it should be; the text follows the file's name."""


def warc_pages(path: Path) -> Iterator[tuple[int, SavedPage]]:
    """(number of the record from 1, page) of a file. Raises Broken, or OSError.

    A `revisit` of a page that stands before it in the file is that page again.
    """
    seen: dict[str, int] = {}  # payload digests of pages
    for number, headers, page in _warc_records(path):
        payload = headers.get("warc-payload-digest", "")
        if page is not None:
            seen.setdefault(payload, number)
            yield number, page
        elif headers.get("warc-type") == "revisit" and payload and payload in seen:
            pages = (page for n, _, page in _warc_records(path) if page and n == seen[payload])
            before = next(pages)
            yield number, _make_page(headers, before.body, before.status, before.headers)


def _warc_records(path: Path) -> Iterator[tuple[int, dict[str, str], SavedPage | None]]:
    """(number, named fields, page if it holds one) of every record. Raises Broken."""
    number = 1
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            while headers := _warc_headers(stream):
                yield number, headers, _warc_record(stream, headers)
                number += 1
    except (MalformedMessage, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BrokenFile(f":{number}: broken WARC record: {error}") from None
    if number == 1:
        raise BrokenFile(": no WARC record in it")


def _warc_headers(stream: BufferedIOBase) -> dict[str, str]:
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


def _warc_record(stream: BufferedIOBase, headers: dict[str, str]) -> SavedPage | None:
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
    stream: BufferedIOBase, headers: dict[str, str], start: bytes, remaining: int
) -> SavedPage | None:
    """The page of a response; None for other content, redirections, and what has no content."""
    if not headers.get("content-type", "").lower().startswith("application/http"):
        _skip_bytes(stream, remaining)
        return None
    head, begins = parse_head(start)
    if not is_html(head.get("content-type")) or head.status in _REDIRECTS:
        _skip_bytes(stream, remaining)
        return None
    body = unpack_content(head, start[begins:] + _read_rest(stream, remaining))
    if not body.strip():
        return None
    return _make_page(headers, body, head.status, kept_headers(head.headers))


def _make_page(
    headers: dict[str, str], body: bytes, status: int | None, kept: tuple[tuple[str, str], ...]
) -> SavedPage:
    url = headers.get("warc-target-uri", "").strip("<>")
    return SavedPage(body, url, parse_moment(headers.get("warc-date", "")), status, kept)


def _read_rest(stream: BufferedIOBase, remaining: int) -> bytes:
    """Return the rest of a page. Raises MalformedMessage where it is more than any page has."""
    if remaining > MOST_PAGE:
        raise MalformedMessage(f"a page of more than {MOST_PAGE:,} bytes")
    return _read_exactly(stream, remaining)


def _read_exactly(stream: BufferedIOBase, size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise MalformedMessage(f"the file ends {size - len(content):,} bytes too early")
    return content


def _skip_bytes(stream: BufferedIOBase, remaining: int) -> None:
    while remaining:
        remaining -= len(_read_exactly(stream, min(remaining, _PIECE)))


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
class NumberedPage:
    """A page and its number among the records of its file; 0 where the file is the page."""

    record: int
    page: SavedPage


def file_form(name: str) -> str:
    """html, mhtml, warc or har; empty for a file that holds no pages."""
    lower = name.lower()
    return next((form for suffix, form in _SUFFIXES.items() if lower.endswith(suffix)), "")


def read_pages(path: Path, name: str) -> Iterator[NumberedPage]:
    """The pages of a file, which messages call `name`. Raises InvalidInput."""
    readers = {
        "html": _html_page,
        "mhtml": _mhtml_page,
        "har": _har_pages,
        "warc": _warc_file_pages,
    }
    try:
        yield from readers[file_form(name)](path)
    except BrokenFile as broken:
        raise InvalidInput(f"{name}{broken}") from None
    except OSError as error:
        raise InvalidInput(f"{name}: cannot be read: {error.strerror or error}") from None


def _read_whole(path: Path) -> bytes:
    with path.open("rb") as file:
        body = file.read(MOST_PAGE + 1)
    if len(body) > MOST_PAGE:
        raise BrokenFile(f": is longer than {MOST_PAGE:,} bytes, which no result page is")
    if not body.strip():
        raise BrokenFile(": is empty; take it out of the folder")
    return body


def _html_page(path: Path) -> Iterator[NumberedPage]:
    yield NumberedPage(0, SavedPage(_read_whole(path)))


# --- MHTML ----------------------------------------------------------------------------------------


def _mhtml_page(path: Path) -> Iterator[NumberedPage]:
    try:
        message = email.message_from_bytes(_read_whole(path))
        part = next(p for p in message.walk() if p.get_content_type() == "text/html")
        body = cast("bytes", part.get_payload(decode=True) or b"")
    except (StopIteration, MessageError, ValueError, LookupError, AttributeError):
        raise BrokenFile(": no page in it can be read; save the page as HTML instead") from None
    if not body.strip():
        raise BrokenFile(": the page in it is empty; save the page as HTML instead")
    url = _mail_header(message, "Snapshot-Content-Location") or _mail_header(
        part, "Content-Location"
    )
    yield NumberedPage(0, SavedPage(body, url, _mail_date(_mail_header(message, "Date"))))


def _mail_header(message: "email.message.Message[str, str]", name: str) -> str:
    return "".join(str(message.get(name) or "").split("\n")).strip()


def _mail_date(text: str) -> datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None


# --- WARC and HAR ---------------------------------------------------------------------------------


def _warc_file_pages(path: Path) -> Iterator[NumberedPage]:
    for number, page in warc_pages(path):
        yield NumberedPage(number, page)


def _har_pages(path: Path) -> Iterator[NumberedPage]:
    for number, entry in enumerate(_har_entries(path), start=1):
        try:
            page = _har_page(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BrokenFile(f":{number}: not an entry of a HAR file: {error!r}") from None
        if page is not None:
            yield NumberedPage(number, page)


def _har_entries(path: Path) -> list[Any]:
    with path.open("rb") as file:
        text = file.read(_MOST_HAR + 1)
    if len(text) > _MOST_HAR:
        raise BrokenFile(f": is longer than {_MOST_HAR:,} bytes; save fewer pages in one file")
    try:
        entries = load_json(text)["log"]["entries"]
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenFile(f": not a HAR file: {error!r}"[:200]) from None
    if not isinstance(entries, list):
        raise BrokenFile(": not a HAR file: its entries are no list")
    return entries


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
    if status <= 0 or status in _REDIRECTS or not is_html(str(content.get("mimeType"))) or not text:
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
    return SavedPage(body, url, moment, status, kept_headers(headers))
