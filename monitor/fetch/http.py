"""Requests over HTTP: limits of time and bytes, keys filled in last, an answer for every attempt.

Requests become answers as they arrive, several at a time where the stream of requests allows it.
The caller decides when a request may leave (`lanes.py`); the engine decides what an answer means.
Nothing is repeated here: each attempt is evidence of its own.
"""

import asyncio
import json
import logging
import ssl
import time
import traceback
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache, partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, TypeVar

import httpx

from monitor import __version__
from monitor.fetch import secrets
from monitor.model import (
    Answer,
    HttpRequest,
    InvalidInput,
    LaterPart,
    MissingPart,
    Outcome,
    Pause,
    Reason,
    Request,
)
from monitor.text.redaction import keep_headers

R = TypeVar("R")

#: An answer that a cache between us and the service has held for longer is not today's.
_STALE_AFTER = 300.0
_CLOCK_WRONG = 43_200.0
_LONGEST_TOKEN = 8000
#: Given to zlib, this unpacks what gzip packed.
_GZIP = 16 + zlib.MAX_WBITS


def yield_answers(
    runner: asyncio.Runner,
    requests: Iterable[Request | Pause],
    wanted: type[R],
    answer: Callable[[R], Coroutine[Any, Any, Answer]],
) -> Iterator[tuple[int, Answer]]:
    """Yield (index, answer). `answer` answers one request and never raises.

    What comes in during a pause is handed over at once. When nobody listens any more, what is in
    flight is given up. Raises TypeError for a request of another kind than `wanted`.
    """
    waiting = iter(requests)
    flying: dict[asyncio.Task[Answer], int] = {}
    index = 0
    try:
        while (next_request := next(waiting, None)) is not None:
            if isinstance(next_request, Pause):
                for task in runner.run(_first_done(flying, next_request.seconds)):
                    yield flying.pop(task), task.result()
            elif isinstance(next_request, wanted):
                flying[runner.get_loop().create_task(answer(next_request))] = index
                index += 1
            else:
                raise TypeError(f"not a request of this kind, {wanted.__name__}: {next_request!r}")
        while flying:
            for task in runner.run(_first_done(flying, None)):
                yield flying.pop(task), task.result()
    finally:
        runner.run(_cancel_requests(flying))


async def _first_done(
    flying: dict[asyncio.Task[Answer], int], seconds: float | None
) -> list[asyncio.Task[Answer]]:
    """The tasks that are done, once one is or the time has passed; in the order they left."""
    if not flying:
        await asyncio.sleep(seconds or 0.0)
        return []
    done, _ = await asyncio.wait(flying, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return sorted(done, key=lambda task: flying[task])


async def _cancel_requests(flying: Collection[asyncio.Task[Answer]]) -> None:
    for task in flying:
        task.cancel()
    await asyncio.gather(*flying, return_exceptions=True)


async def unpack_pieces(response: httpx.Response, most: int) -> AsyncIterator[bytes]:
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
class ReceivedParts:
    """The parts of an answer that have come so far."""

    body: bytes
    response: httpx.Response | None = None


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request and when it was sent."""

    sent_at: datetime
    clock: float

    def make_failure(
        self, outcome: Outcome, reason: Reason, detail: str, got: ReceivedParts | None = None
    ) -> Answer:
        """An answer that is none, with what came of it."""
        whole = self.make_answer(outcome, got or ReceivedParts(b""))
        return replace(whole, reason=reason, detail=detail)

    def make_answer(self, outcome: Outcome, got: ReceivedParts) -> Answer:
        """Return the answer from what was received, with its duration."""
        response = got.response
        took = time.monotonic() - self.clock
        if response is None:
            return Answer(outcome, self.sent_at, took, body=got.body)
        return Answer(
            outcome,
            self.sent_at,
            took,
            status=response.status_code,
            url=str(response.url),
            headers=keep_headers(response.headers.multi_items()),
            body=got.body,
            agent=(("http", response.http_version),),
        )


def complete_answer(started: SentRequest, got: ReceivedParts) -> Answer:
    """A whole answer; UNREADABLE where it is an old one."""
    answer = started.make_answer(Outcome.OK, got)
    age = _cache_age(answer)
    if answer.status is not None and answer.status < httpx.codes.BAD_REQUEST and age > _STALE_AFTER:
        detail = f"an answer of {age:,.0f} s ago, out of a cache"
        return replace(answer, outcome=Outcome.UNREADABLE, reason=Reason.STALE, detail=detail)
    return answer


def _cache_age(answer: Answer) -> float:
    """Seconds for which a cache says that it has held an answer; 0 where none says so.

    A clock that goes wrong here or there is no cache, so that without an Age only a Date that is
    half a day back counts.
    """
    headers = {name.lower(): text for name, text in answer.headers}
    age = headers.get("age", "")
    if age.isascii() and age.isdigit():
        return float(age)
    try:
        sent_at = parsedate_to_datetime(headers.get("date", ""))
        behind = (answer.asked_at - sent_at).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return behind if behind > _CLOCK_WRONG else 0.0


def _later_token(later: LaterPart | None, first: Answer) -> str:
    """Return the token of a part that a first answer announces; empty where it announces none."""
    if later is None or first.outcome is not Outcome.OK or first.status != httpx.codes.OK:
        return ""
    try:
        value = json.loads(first.body)
    except ValueError:
        return ""
    for key in later.token_at:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and len(value) <= _LONGEST_TOKEN else ""


def error_line(error: Exception) -> str:
    """Return the message of an exception in one line."""
    line = " ".join(str(error).split())
    return f"{type(error).__name__}: {line}"[:500]


# at the level debug they log headers as they go over the wire, at info addresses: keys included
for _name in ("hpack", "httpcore", "httpx"):
    logging.getLogger(_name).setLevel(logging.WARNING)

#: Only a packing that can be undone within the limit of bytes is asked for.
_HEADERS = {"Cache-Control": "no-cache", "Accept-Encoding": "gzip"}
_CONNECT_WAIT = 15.0


@dataclass(frozen=True, slots=True)
class Way:
    """Limits, user agent and proxy with which this machine reaches services."""

    contact: str = ""
    seconds: float = 120.0  # whole answer
    most_bytes: int = 8 * 2**20  # unpacked
    proxy: str = ""
    exit: str = "direct"  # the name under which the exit is recorded
    authorities: Path | None = None  # further certificate authorities

    @property
    def agent(self) -> str:
        """The User-Agent header: who asks, and how to reach them."""
        contact = f" (+{self.contact})" if self.contact else ""
        return f"monitor/{__version__}{contact} httpx/{httpx.__version__}"


def check_request(request: HttpRequest) -> None:
    """Raise MissingPart unless every key and library that a request needs is here."""
    secrets.check_keys(secrets.key_names(request))
    for kind in request.key_kinds:
        if secrets.key_value(kind.variable).endswith(kind.ending) != kind.ends:
            raise MissingPart(f"{kind.variable}: {kind.words}")
    if request.signer:
        signer, argument = secrets.find_signer(request.signer)
        signer.check(argument)


@cache
def trust_context(authorities: Path | None) -> ssl.SSLContext:
    """Return the certificates that are trusted. Reading takes a moment, so it is done once."""
    context = httpx.create_ssl_context()
    if authorities:
        try:
            context.load_verify_locations(authorities)
        except OSError as error:  # ssl.SSLError is one
            raise InvalidInput(
                f"MONITOR_CA_FILE={str(authorities)!r}: no certificates in PEM form there: {error}"
            ) from error
    return context


def proxy_of(url: str) -> httpx.Proxy | None:
    """The proxy of this address. Raises InvalidInput, and never shows a password in it."""
    try:
        return httpx.Proxy(url) if url else None
    except (httpx.InvalidURL, ValueError) as error:
        raise InvalidInput(
            "MONITOR_PROXY: must be http://host:port, https://host:port or socks5://host:port"
        ) from error


#: What errors of httpx mean; the first that fits.
_FAILURES = (
    (httpx.TimeoutException, (Outcome.TIMEOUT, Reason.NONE)),
    ((httpx.ConnectError, httpx.ProxyError), (Outcome.FAILED, Reason.UNREACHABLE)),
    ((httpx.UnsupportedProtocol, httpx.LocalProtocolError), (Outcome.FAILED, Reason.REFUSED)),
    (httpx.DecodingError, (Outcome.UNREADABLE, Reason.MALFORMED)),
    (httpx.HTTPError, (Outcome.FAILED, Reason.TRUNCATED)),  # it ended within the answer
)


class HttpFetcher:
    """A fetcher over httpx with HTTP/2. Each call of `fetch` has a client and a loop of its own."""

    def __init__(self, way: Way | None = None) -> None:
        self._way = way or Way()

    def _make_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            http2=True,
            verify=trust_context(self._way.authorities),
            proxy=proxy_of(self._way.proxy),
            # each question is a stranger's
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=False,  # the exit is recorded, so it is named in the settings only
            follow_redirects=False,  # a redirect would carry the question to somebody else
            timeout=httpx.Timeout(self._way.seconds, connect=_CONNECT_WAIT),
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=64),
        )

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of arrival."""
        with asyncio.Runner() as runner:
            client = self._make_client()
            try:
                yield from yield_answers(
                    runner, requests, HttpRequest, partial(self._answer_whole, client)
                )
            finally:
                runner.run(client.aclose())

    async def _answer_whole(self, client: httpx.AsyncClient, request: HttpRequest) -> Answer:
        """Answer a request, with the part that a service gives later where it announces one."""
        first = await self._answer_request(client, request)
        token = _later_token(request.later, first)
        if request.later is None or not token:
            return first
        url = secrets.add_query(request.later.request.url, [(request.later.parameter, token)])
        second = await self._answer_request(client, replace(request.later.request, url=url))
        is_whole = second.outcome is Outcome.OK and second.status == httpx.codes.OK
        words = f"HTTP {second.status}" if second.status else str(second.outcome)
        return replace(
            first,
            took=first.took + second.took,
            body=b"\n".join((first.body, second.body)) if is_whole else first.body,
            observed=(*first.observed, ("later", f"{words} after {second.took:.1f} s")),
        )

    async def _answer_request(self, client: httpx.AsyncClient, request: HttpRequest) -> Answer:
        """Answer one request. Never raises: what a service does is an outcome."""
        started = SentRequest(datetime.now(UTC), time.monotonic())
        hidden: dict[str, str] = {}
        try:
            headers, body = secrets.fill_keys(request)
            headers = {**_HEADERS, "User-Agent": self._way.agent, **headers}
            if request.signer:
                signer, argument = secrets.find_signer(request.signer)
                added, hidden = signer.sign(argument, request, headers, body)
                headers |= added
            ready = client.build_request(
                request.method, secrets.fill_address(request), headers=headers, content=body or None
            )
            answer = await self._receive_answer(client, ready, started)
        except MissingPart as error:
            answer = started.make_failure(Outcome.FAILED, Reason.AUTH, str(error))
        except httpx.InvalidURL as error:
            answer = started.make_failure(Outcome.FAILED, Reason.REFUSED, f"{request.url}: {error}")
        except ConnectionError as error:  # of a signer
            answer = started.make_failure(Outcome.FAILED, Reason.UNREACHABLE, error_line(error))
        except ValueError as error:  # a header or a host that cannot be sent
            answer = started.make_failure(Outcome.FAILED, Reason.REFUSED, error_line(error))
        except Exception:  # noqa: BLE001 - what else the libraries raise is no reason to end a run
            detail = traceback.format_exc(limit=-4)
            answer = started.make_failure(Outcome.FAILED, Reason.EXCEPTION, detail)
        scrub = secrets.Scrubber(secrets.key_names(request), hidden)
        return replace(
            answer,
            egress=self._way.exit,
            url=scrub.scrub_text(answer.url or request.url),
            detail=scrub.scrub_text(answer.detail),
            headers=tuple((name, scrub.scrub_text(text)) for name, text in answer.headers),
            body=scrub.scrub_body(answer.body),
        )

    async def _receive_answer(
        self, client: httpx.AsyncClient, ready: httpx.Request, started: SentRequest
    ) -> Answer:
        got = ReceivedParts(b"")
        try:
            async with asyncio.timeout(self._way.seconds):
                response = await client.send(ready, stream=True)
                got.response = response
                try:
                    async for chunk in unpack_pieces(response, self._way.most_bytes + 1):
                        got.body += chunk
                        if len(got.body) > self._way.most_bytes:
                            got.body = got.body[: self._way.most_bytes]
                            detail = f"cut at {self._way.most_bytes:,} bytes"
                            return started.make_failure(
                                Outcome.UNREADABLE, Reason.OVERSIZE, detail, got
                            )
                finally:
                    await response.aclose()
        except TimeoutError:
            detail = f"no whole answer within {self._way.seconds:g} s"
            return started.make_failure(Outcome.TIMEOUT, Reason.NONE, detail, got)
        except httpx.HTTPError as error:
            meaning = next(meaning for kinds, meaning in _FAILURES if isinstance(error, kinds))
            return started.make_failure(*meaning, error_line(error), got)
        return complete_answer(started, got)
