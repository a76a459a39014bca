"""The page of an MHTML file."""

import email
import email.message
import email.utils
from collections.abc import Iterator
from datetime import UTC, datetime
from email.errors import MessageError
from typing import cast

from monitor.fetch.saved_files.messages import (
    BrokenFile,
    NumberedPage,
    SavedFileSource,
    SavedPage,
    read_whole,
)


def read_mhtml(source: SavedFileSource) -> Iterator[NumberedPage]:
    """Yield the page of a file. Raises BrokenFile, OSError."""
    try:
        message = email.message_from_bytes(read_whole(source))
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
