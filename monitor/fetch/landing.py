"""Pages that results lead to, with their texts.

Only public addresses and the ports of web sites are asked, and only pages of text are stored. A
name is resolved here, and the connection goes to the address that was checked: a name that changes
a moment later leads nowhere else. Through a proxy the proxy resolves names, so that only addresses
in a URL can be refused. Every site is asked as its robots.txt allows, one request at a time with a
pause in between; many sites are asked at the same time. Texts are extracted in a process of its
own, which is ended when a page takes too long. No fault of a site raises.
"""

import asyncio
import ipaddress
import json
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import httpx

from monitor.fetch.http import HttpFetcher, Way, proxy_of, trust_context
from monitor.fetch.landing_tour import LandedPage, SiteManners, Tour
from monitor.fetch.local import LocalFetcher
from monitor.model import Fetcher, LocalRequest, Outcome
from monitor.text import main_text
from monitor.text.main_text import HTML, PLAIN, Extracted, media_type

_MOST_DETAIL = 300


class IsolatedExtractor:
    """Bytes of a page in, its text out, after `seconds` at most. Nothing raises."""

    def __init__(self, seconds: float) -> None:
        """Raises MissingPart, saying what to install."""
        main_text.check_library()
        self._seconds = seconds
        self._process = LocalFetcher(Path(), 1, seconds)

    def __call__(self, body: bytes, url: str, content_type: str) -> Extracted:
        """The text of a page, or why there is none."""
        options = (("content_type", content_type), ("url", url))
        request = LocalRequest("landing", "main text", (body.decode("latin-1"),), options)
        [(_, answer)] = self._process.fetch([request])
        if answer.outcome is Outcome.OK:
            return Extracted(**json.loads(answer.body)["pages"][0])
        if answer.outcome is Outcome.TIMEOUT:
            return Extracted(None, "", f"its text was not found within {self._seconds:g} s")
        last = answer.detail.strip().rsplit("\n", 1)[-1]
        return Extracted(None, "", f"its text could not be looked for: {last}"[:_MOST_DETAIL])

    def close(self) -> None:
        """End the process."""
        self._process.close()


#: (name, port) in, its addresses out.
Lookup = Callable[[str, int], Awaitable[list[str]]]

_CONNECT_WAIT = 15.0
_MOST_TRIED = 3
_PORTS = {"http": 80, "https": 443}
_WEB_PORTS = (80, 443, 8080, 8443)
_ROBOTS = "/robots.txt"
#: Networks in which an IPv4 address is packed into one of IPv6.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LAST_32_BITS = 0xFFFFFFFF
#: Headers of a content that is left out.
_OF_CONTENT = frozenset({"content-length", "content-encoding", "transfer-encoding"})


async def resolve_addresses(name: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which they are to be tried."""
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in infos))


def is_public(address: str, *, loopback: bool = False) -> bool:
    """Return whether an address is one of the internet. `loopback` lets this machine's through."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.is_site_local:  # given up by RFC 3879, and still in use within networks
            return False
        packed = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if parsed in _NAT64:
            packed = ipaddress.IPv4Address(int(parsed) & _LAST_32_BITS)
        if packed is not None:
            return is_public(str(packed), loopback=loopback)
    if loopback and parsed.is_loopback:
        return True
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class _Guarded(httpx.AsyncHTTPTransport):
    """Connects to public addresses, each time anew, and reads only what is a page."""

    def __init__(self, way: Way, lookup: Lookup, *, loopback: bool) -> None:
        super().__init__(
            verify=trust_context(way.authorities),
            trust_env=False,
            proxy=proxy_of(way.proxy),
            # kept connections belong to an address, and one address has pages of many names
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=0),
        )
        self._lookup, self._loopback, self._proxied = lookup, loopback, bool(way.proxy)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request. Raises what httpx raises.

        UnsupportedProtocol is for a private address and for a port of another service.
        """
        host = request.url.raw_host.decode("ascii").strip("[]").rstrip(".")
        if self._proxied and not _is_address(host):
            self._check_port(host, request)
            return await _limit_content(request, await super().handle_async_request(request))
        failed: httpx.TransportError | None = None
        for address in (await self._public_addresses(host, request))[:_MOST_TRIED]:
            try:
                response = await super().handle_async_request(_request_to(request, host, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed = error
                continue
            return await _limit_content(request, response)
        raise failed or httpx.ConnectError(f"{host} has no address", request=request)

    async def _public_addresses(self, host: str, request: httpx.Request) -> list[str]:
        """The addresses of a host. Raises where one of them, or the port, must not be asked."""
        if _is_address(host):
            addresses_found = [host]
        else:
            try:
                addresses_found = await self._lookup(host, _port_of(request))
            except (OSError, UnicodeError) as error:
                raise httpx.ConnectError(f"{host}: {error}", request=request) from error
        for address in addresses_found:
            if not is_public(address, loopback=self._loopback):
                raise httpx.UnsupportedProtocol(
                    f"{host} is at {address}, which is no address of the internet", request=request
                )
        self._check_port(host, request)
        return addresses_found

    def _check_port(self, host: str, request: httpx.Request) -> None:
        """Raise for a port at which no web site is expected."""
        port = _port_of(request)
        if not self._loopback and port not in _WEB_PORTS:
            allowed = ", ".join(map(str, _WEB_PORTS))
            raise httpx.UnsupportedProtocol(
                f"port {port} of {host} is not asked; only {allowed} are", request=request
            )


def _port_of(request: httpx.Request) -> int:
    """The port of an address; the usual one where it names none."""
    port = request.url.port
    return _PORTS.get(request.url.scheme, 0) if port is None else port


def _request_to(request: httpx.Request, host: str, address: str) -> httpx.Request:
    """The same request to an address; what it asks for, and whose certificate counts, stays."""
    extensions = {} if _is_address(host) else {"sni_hostname": host}
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, **extensions},
    )


async def _limit_content(request: httpx.Request, response: httpx.Response) -> httpx.Response:
    """The response, its content left where it is unless it is a page or the rules of a site."""
    kind = media_type(response.headers.get("content-type", ""))
    page = kind in ("", HTML, PLAIN) or request.url.path == _ROBOTS
    if response.is_success and page:
        return response
    await response.aclose()
    headers_kept = [
        (k, v) for k, v in response.headers.multi_items() if k.lower() not in _OF_CONTENT
    ]
    return httpx.Response(
        response.status_code,
        headers=headers_kept,
        stream=httpx.ByteStream(b""),
        extensions=response.extensions,
    )


class PublicHttp(HttpFetcher):
    """As HttpFetcher, for addresses that strangers chose."""

    def __init__(
        self, way: Way, lookup: Lookup = resolve_addresses, *, loopback: bool = False
    ) -> None:
        super().__init__(way)
        self._lookup, self._loopback = lookup, loopback

    def _make_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=_Guarded(self._way, self._lookup, loopback=self._loopback),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=False,
            follow_redirects=False,  # each step is looked at
            timeout=httpx.Timeout(self._way.seconds, connect=_CONNECT_WAIT),
        )


#: (body, address, content type) in, the text out.
Extract = Callable[[bytes, str, str], Extracted]

#: While so many pages wait for their texts to be found, no further ones are asked for.
_MOST_WAITING = 8
_EXTRACT_SECONDS = 20.0


class LandingFetcher:
    """Asks for pages. What sites wish, and when they were asked last, is remembered.

    `rest` are the seconds between two requests to one host, `hosts` how many are asked at the same
    time. `extract` finds the text of a page; left out, trafilatura does in a process of its own.
    `loopback` lets this machine's own addresses through, and `lookup` resolves names: for tests.
    `http` and `clock` stand in for the network and its time.
    """

    def __init__(
        self,
        way: Way,
        *,
        rest: float = 2.0,
        hosts: int = 16,
        extract: Extract | None = None,
        loopback: bool = False,
        lookup: Lookup = resolve_addresses,
        http: Fetcher | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises MissingPart where the library that finds texts is needed and missing."""
        self._apart: IsolatedExtractor | None = None
        if extract is None:
            self._apart = extract = IsolatedExtractor(_EXTRACT_SECONDS)
        self._extract: Extract = extract
        self._http = http or PublicHttp(way, lookup, loopback=loopback)
        self._manners = SiteManners(rest, hosts, loopback, clock)

    def fetch(
        self, urls: Iterable[str], stop: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[str, LandedPage]]:
        """Yield (address, page) as they come, each address once. Never raises for what a site does.

        After `stop` says so nothing new is asked, and what was not asked is not yielded.
        """
        pending: deque[tuple[str, LandedPage, Future[Extracted]]] = deque()

        def is_held() -> bool:
            return sum(not text.done() for _, _, text in pending) >= _MOST_WAITING

        tour = Tour(self._manners, stop, is_held)
        for url in dict.fromkeys(urls):
            tour.start_visit(url)
        thread = ThreadPoolExecutor(1)
        try:
            yield from tour.pop_ended()
            for index, answer in self._http.fetch(tour.yield_requests()):
                tour.take_answer(index, answer)
                for address, page in tour.pop_ended():
                    if page.outcome is Outcome.OK:
                        kind = page.content_type or HTML
                        text = thread.submit(self._extract, page.body, page.final_url, kind)
                        pending.append((address, page, text))
                    else:
                        yield address, page
                # whoever waits here for a text stops the loop in which requests are in flight
                while pending and pending[0][2].done():
                    yield _with_text(*pending.popleft())
            while pending:
                yield _with_text(*pending.popleft())
        finally:
            thread.shutdown(cancel_futures=True)
            tour.forget_waiting()

    def close(self) -> None:
        """End the process that finds texts."""
        if self._apart:
            self._apart.close()


def _with_text(given: str, page: LandedPage, found: "Future[Extracted]") -> tuple[str, LandedPage]:
    """A page with its text; UNREADABLE where it has none."""
    text = found.result()
    page = replace(page, text=text.text, extractor=text.extractor, detail=text.detail)
    if text.text is None:
        page = replace(page, outcome=Outcome.UNREADABLE)
    return given, page
