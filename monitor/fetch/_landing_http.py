"""Asks pages of strangers over HTTP: only at public addresses, and only for what can be read.

Only the ports of web sites are asked, since other services take a request for one of theirs.

A name is resolved here, and the connection goes to the address that was looked at: a name that
means another one a moment later leads nowhere else. Through a proxy the proxy resolves names, so
that only addresses that stand in a URL can be refused.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from monitor.fetch.http import HttpFetcher, Way, proxy_of, trust
from monitor.text.landing import HTML, PLAIN, media_type

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


async def addresses(name: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which they are to be tried."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str, *, loopback: bool = False) -> bool:
    """Whether an address is one of the internet. `loopback` lets this machine's own through."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.is_site_local:  # given up by RFC 3879, and still in use within networks
            return False
        packed = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in _NAT64:
            packed = ipaddress.IPv4Address(int(found) & _LAST_32_BITS)
        if packed is not None:
            return is_public(str(packed), loopback=loopback)
    if loopback and found.is_loopback:
        return True
    return found.is_global and not (found.is_multicast or found.is_reserved)


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
            verify=trust(way.authorities),
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
            return await _read(request, await super().handle_async_request(request))
        failed: httpx.TransportError | None = None
        for address in (await self._public(host, request))[:_MOST_TRIED]:
            try:
                response = await super().handle_async_request(_to(request, host, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed = error
                continue
            return await _read(request, response)
        raise failed or httpx.ConnectError(f"{host} has no address", request=request)

    async def _public(self, host: str, request: httpx.Request) -> list[str]:
        """The addresses of a host. Raises where one of them, or the port, must not be asked."""
        if _is_address(host):
            found = [host]
        else:
            try:
                found = await self._lookup(host, _port_of(request))
            except (OSError, UnicodeError) as error:
                raise httpx.ConnectError(f"{host}: {error}", request=request) from error
        for address in found:
            if not is_public(address, loopback=self._loopback):
                raise httpx.UnsupportedProtocol(
                    f"{host} is at {address}, which is no address of the internet", request=request
                )
        self._check_port(host, request)
        return found

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


def _to(request: httpx.Request, host: str, address: str) -> httpx.Request:
    """The same request to an address; what it asks for, and whose certificate counts, stays."""
    named = {} if _is_address(host) else {"sni_hostname": host}
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, **named},
    )


async def _read(request: httpx.Request, response: httpx.Response) -> httpx.Response:
    """The response, its content left where it is unless it is a page or the rules of a site."""
    kind = media_type(response.headers.get("content-type", ""))
    page = kind in ("", HTML, PLAIN) or request.url.path == _ROBOTS
    if response.is_success and page:
        return response
    await response.aclose()
    kept = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in _OF_CONTENT]
    return httpx.Response(
        response.status_code,
        headers=kept,
        stream=httpx.ByteStream(b""),
        extensions=response.extensions,
    )


class PublicHttp(HttpFetcher):
    """As HttpFetcher, for addresses that strangers chose."""

    def __init__(self, way: Way, lookup: Lookup = addresses, *, loopback: bool = False) -> None:
        super().__init__(way)
        self._lookup, self._loopback = lookup, loopback

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=_Guarded(self._way, self._lookup, loopback=self._loopback),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=False,
            follow_redirects=False,  # each step is looked at
            timeout=httpx.Timeout(self._way.seconds, connect=_CONNECT_WAIT),
        )
