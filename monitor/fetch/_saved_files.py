"""Reads files of saved pages: HTML, MHTML, WARC or HAR in, one page after the other out.

Whatever a file holds, it is read within limits. What is broken, cut off or packed so that it would
not fit is refused, naming the file and the record.
"""

import base64
import email
import email.message
import email.utils
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from pathlib import Path
from typing import Any, cast

from monitor.fetch._saved_marks import moment
from monitor.fetch._saved_warc import Broken, warc_pages
from monitor.fetch._saved_wire import MOST_PAGE, Page, is_html, kept_headers
from monitor.input_files import load_json
from monitor.model import InvalidInput

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
_REDIRECTS = range(300, 400)


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
