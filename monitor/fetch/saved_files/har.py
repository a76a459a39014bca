"""Pages of HAR files."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from monitor.fetch.saved_files.marks import parse_moment
from monitor.fetch.saved_files.messages import (
    MOST_PAGE,
    REDIRECTS,
    BrokenFile,
    NumberedPage,
    SavedPage,
    is_html,
    kept_headers,
)
from monitor.input_files import load_json

#: A HAR is one JSON text, so all of it is read at once.
_MOST_HAR = 512 * 2**20


def read_har(path: Path) -> Iterator[NumberedPage]:
    """Yield the pages of a file, numbered by their entries from 1. Raises BrokenFile, OSError."""
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
    return SavedPage(body, url, moment, status, kept_headers(headers))
