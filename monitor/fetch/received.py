"""What came over HTTP: unpacked within a limit, timed, and told from an old answer of a cache."""

import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx

from monitor.model import Answer, Outcome, Reason

#: Response headers that are not kept: they identify us, not the answer.
_PRIVATE = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
_MOST_HEADER_BYTES = 16_384
#: An answer that a cache between us and the service has held for longer is not today's.
_STALE_AFTER = 300.0
_CLOCK_WRONG = 43_200.0
#: Given to zlib, this unpacks what gzip packed.
_GZIP = 16 + zlib.MAX_WBITS


async def unpacked(response: httpx.Response, most: int) -> AsyncIterator[bytes]:
    """The content in pieces of at most `most` bytes, however small it was packed.

    httpx would unpack whatever comes in at once as a whole.
    """
    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing in ("", "identity"):
        async for raw in response.aiter_raw():
            yield raw
        return
    if packing not in ("gzip", "x-gzip"):
        raise httpx.DecodingError(f"packed by {packing!r}, which was not asked for")
    unpack, raw = zlib.decompressobj(_GZIP), b""
    try:
        async for raw in response.aiter_raw():
            yield unpack.decompress(raw, most)
    except zlib.error as error:
        raise httpx.DecodingError(str(error)) from error
    if raw and not unpack.eof:
        raise httpx.DecodingError("the packed content ends too early")


@dataclass(slots=True)
class Got:
    """What has come of an answer so far."""

    body: bytes
    response: httpx.Response | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """When a request left."""

    at: datetime
    clock: float

    def failed(
        self, outcome: Outcome, reason: Reason, detail: str, got: Got | None = None
    ) -> Answer:
        """An answer that is none, with what came of it."""
        whole = self.answer(outcome, got or Got(b""))
        return replace(whole, reason=reason, detail=detail)

    def answer(self, outcome: Outcome, got: Got) -> Answer:
        """What came, with how long it took."""
        response = got.response
        took = time.monotonic() - self.clock
        if response is None:
            return Answer(outcome, self.at, took, body=got.body)
        return Answer(
            outcome,
            self.at,
            took,
            status=response.status_code,
            url=str(response.url),
            headers=_kept(response.headers),
            body=got.body,
            agent=(("http", response.http_version),),
        )


def complete(started: Started, got: Got) -> Answer:
    """A whole answer; UNREADABLE where it is an old one."""
    answer = started.answer(Outcome.OK, got)
    age = _age(answer)
    if answer.status is not None and answer.status < httpx.codes.BAD_REQUEST and age > _STALE_AFTER:
        detail = f"an answer of {age:,.0f} s ago, out of a cache"
        return replace(answer, outcome=Outcome.UNREADABLE, reason=Reason.STALE, detail=detail)
    return answer


def _age(answer: Answer) -> float:
    """Seconds for which a cache says that it has held an answer; 0 where none says so.

    A clock that goes wrong here or there is no cache, so that without an Age only a Date that is
    half a day back counts.
    """
    headers = {name.lower(): text for name, text in answer.headers}
    age = headers.get("age", "")
    if age.isascii() and age.isdigit():
        return float(age)
    try:
        made = parsedate_to_datetime(headers.get("date", ""))
        behind = (answer.asked_at - made).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return behind if behind > _CLOCK_WRONG else 0.0


def _kept(headers: httpx.Headers) -> tuple[tuple[str, str], ...]:
    found, size = [], 0
    for name, text in headers.multi_items():
        size += len(name) + len(text)
        if name.lower() not in _PRIVATE and size <= _MOST_HEADER_BYTES:
            found.append((name.lower(), text))
    return tuple(found)


def words(error: Exception) -> str:
    """What an exception says, in one line."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}"[:500]
