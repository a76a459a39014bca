"""Asks services over HTTP: limits of time and bytes, keys filled in last, every attempt an answer.

In go requests, out come answers as they arrive, several at a time where the stream of requests
allows it. When a request may leave is decided by whoever yields it (`lanes.py`); what an answer
means is decided by its engine. Nothing is asked twice here: each try is evidence of its own.
"""

import asyncio
import logging
import ssl
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import httpx

from monitor import __version__
from monitor.fetch import secrets, signers
from monitor.fetch.in_flight import answers
from monitor.fetch.received import Got, Started, complete, unpacked, words
from monitor.model import (
    Answer,
    HttpRequest,
    InvalidInput,
    MissingPart,
    Outcome,
    Pause,
    Reason,
    Request,
)

# at the level debug they log headers as they go over the wire, at info addresses: keys included
for _name in ("hpack", "httpcore", "httpx"):
    logging.getLogger(_name).setLevel(logging.WARNING)

#: Only a packing that can be undone within the limit of bytes is asked for.
_HEADERS = {"Cache-Control": "no-cache", "Accept-Encoding": "gzip"}
_CONNECT_WAIT = 15.0


@dataclass(frozen=True, slots=True)
class Way:
    """How this machine reaches services: limits, who asks, and through which exit."""

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


def check(request: HttpRequest) -> None:
    """Raise MissingPart unless every key and library that a request needs is here."""
    for name in secrets.names(request):
        secrets.value(name)
    for kind in request.key_kinds:
        if secrets.value(kind.variable).endswith(kind.ending) != kind.ends:
            raise MissingPart(f"{kind.variable}: {kind.words}")
    if request.signer:
        module, argument = signers.signer(request.signer)
        module.check(argument)


@cache
def trust(authorities: Path | None) -> ssl.SSLContext:
    """Whose certificates are believed; reading them takes a moment, so it is done once."""
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


class HttpFetcher:
    """A fetcher over httpx with HTTP/2. Each call of `fetch` has a client and a loop of its own."""

    def __init__(self, way: Way | None = None) -> None:
        self._way = way or Way()

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            http2=True,
            verify=trust(self._way.authorities),
            proxy=proxy_of(self._way.proxy),
            cookies=CookieJar(
                DefaultCookiePolicy(allowed_domains=[])
            ),  # each question is a stranger's
            trust_env=False,  # the exit is recorded, so it is named in the settings only
            follow_redirects=False,  # a redirect would carry the question to somebody else
            timeout=httpx.Timeout(self._way.seconds, connect=_CONNECT_WAIT),
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=64),
        )

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of arrival."""
        with asyncio.Runner() as runner:
            client = self._client()
            try:
                yield from answers(runner, requests, HttpRequest, partial(self._answer, client))
            finally:
                runner.run(client.aclose())

    def close(self) -> None:
        """Nothing is held open between calls."""

    async def _answer(self, client: httpx.AsyncClient, request: HttpRequest) -> Answer:
        """Answer one request. Never raises: what a service does is an outcome."""
        started = Started(datetime.now(UTC), time.monotonic())
        hidden: dict[str, str] = {}
        try:
            headers, body = secrets.filled(request)
            headers = {**_HEADERS, "User-Agent": self._way.agent, **headers}
            if request.signer:
                module, argument = signers.signer(request.signer)
                added, hidden = module.sign(argument, request, headers, body)
                headers |= added
            ready = client.build_request(
                request.method, secrets.address(request), headers=headers, content=body or None
            )
            answer = await self._received(client, ready, started)
        except MissingPart as error:
            answer = started.failed(Outcome.FAILED, Reason.AUTH, str(error))
        except httpx.InvalidURL as error:
            answer = started.failed(Outcome.FAILED, Reason.REFUSED, f"{request.url}: {error}")
        except ConnectionError as error:  # of a signer
            answer = started.failed(Outcome.FAILED, Reason.UNREACHABLE, words(error))
        except ValueError as error:  # a header or a host that cannot be sent
            answer = started.failed(Outcome.FAILED, Reason.REFUSED, words(error))
        except Exception:  # noqa: BLE001 - what else the libraries raise is no reason to end a run
            detail = traceback.format_exc(limit=-4)
            answer = started.failed(Outcome.FAILED, Reason.EXCEPTION, detail)
        scrub = secrets.Scrubber(secrets.names(request), hidden)
        return replace(
            answer,
            egress=self._way.exit,
            url=scrub.text(answer.url or request.url),
            detail=scrub.text(answer.detail),
            headers=tuple((name, scrub.text(text)) for name, text in answer.headers),
            body=scrub.body(answer.body),
        )

    async def _received(
        self, client: httpx.AsyncClient, ready: httpx.Request, started: Started
    ) -> Answer:
        got = Got(b"")
        try:
            async with asyncio.timeout(self._way.seconds):
                response = await client.send(ready, stream=True)
                got.response = response
                try:
                    async for chunk in unpacked(response, self._way.most_bytes + 1):
                        got.body += chunk
                        if len(got.body) > self._way.most_bytes:
                            got.body = got.body[: self._way.most_bytes]
                            detail = f"cut at {self._way.most_bytes:,} bytes"
                            return started.failed(Outcome.UNREADABLE, Reason.OVERSIZE, detail, got)
                finally:
                    await response.aclose()
        except TimeoutError:
            detail = f"no whole answer within {self._way.seconds:g} s"
            return started.failed(Outcome.TIMEOUT, Reason.NONE, detail, got)
        except httpx.TimeoutException as error:
            return started.failed(Outcome.TIMEOUT, Reason.NONE, words(error), got)
        except (httpx.ConnectError, httpx.ProxyError) as error:
            return started.failed(Outcome.FAILED, Reason.UNREACHABLE, words(error), got)
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
            return started.failed(Outcome.FAILED, Reason.REFUSED, words(error), got)
        except httpx.DecodingError as error:
            return started.failed(Outcome.UNREADABLE, Reason.MALFORMED, words(error), got)
        except httpx.HTTPError as error:  # the connection ended within the answer
            return started.failed(Outcome.FAILED, Reason.TRUNCATED, words(error), got)
        return complete(started, got)
