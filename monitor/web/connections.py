"""HTTP connections: addresses, sockets with limits, uvicorn in a thread, a server of fixed pages.

The web pages and the health of a daemon are served by these.
"""

import asyncio
import errno
import ipaddress
import logging
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from threading import Thread
from time import sleep
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from monitor.model import InvalidInput, MonitorError, StoreProblem

log = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Of all our answers, unless they have another.
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
LONGEST_HEAD = 32 * 1024
_MOST_PORTS = 65_535
#: Bits of the networks that providers give to one customer.
_CUSTOMER_BITS = 64
#: Seconds that requests in flight are waited for; those that go on after that end with the process.
_GRACE_SECONDS = 5
_AFTER_GRACE_SECONDS = 1.0
_START_SECONDS = 0.01
#: Seconds between two requests of one connection.
_IDLE_SECONDS = 15
_REMEDIES = {
    errno.EADDRINUSE: "; another program has that port: name another one with --port",
    errno.EACCES: "; ports below 1024 are the system's: name another one with --port",
    errno.EADDRNOTAVAIL: "; this machine has no such address",
}


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Host and port to listen on."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Return whether only this machine can reach the address."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def make_address(host: str, port: int, setting: str) -> ListenAddress:
    """Return an address; `setting` is named in errors. Raise InvalidInput.

    A host is an IP address or localhost: a name could lead to another machine's address tomorrow.
    """
    host = "127.0.0.1" if host == "localhost" else host.removeprefix("[").removesuffix("]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise InvalidInput(f"{setting}: {host!r} is no IP address, nor localhost") from None
    if not 0 <= port <= _MOST_PORTS:
        raise InvalidInput(f"{setting}: {port} is no port; ports go to {_MOST_PORTS}")
    return ListenAddress(host, port)


def parse_address(text: str, setting: str) -> ListenAddress:
    """Return the address written as host:port or [IPv6]:port. Raise InvalidInput."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()):
        raise InvalidInput(f"{setting}={text!r}: write host:port, for example 127.0.0.1:8601")
    return make_address(host, int(port), setting)


def find_client_network(address: str) -> str:
    """Return the network that counts as one client: an IPv4 address or an IPv6 /64."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if not isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return (
        f"{ipaddress.IPv6Address(int(parsed) >> _CUSTOMER_BITS << _CUSTOMER_BITS)}/{_CUSTOMER_BITS}"
    )


# --- uvicorn in a thread --------------------------------------------------------------------------


def make_config(app: ASGIApp, **settings: Any) -> uvicorn.Config:  # noqa: ANN401 - of uvicorn
    """Return the configuration of a server; `settings` are further ones of uvicorn."""
    return uvicorn.Config(
        app,
        http=TimedProtocol,
        loop="asyncio",  # another one would not ask the listener whom it lets in
        ws="none",
        proxy_headers=False,  # the guard reads them, and only of those that it believes
        server_header=False,
        access_log=False,
        log_config=None,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        **settings,
    )


class ServerThread:
    """uvicorn in a thread that ends with the process, though a request goes on."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        self._listening = listening
        self._server = uvicorn.Server(config)
        self._thread: Thread | None = None  # made at the start: a fork ends those made before

    def start(self) -> None:
        """Start, and return once requests are answered. Raise MonitorError."""
        self._thread = Thread(
            target=self._server.run, args=([self._listening],), name="web", daemon=True
        )
        self._thread.start()
        while not self._server.started:
            self.check()
            sleep(_START_SECONDS)

    def check(self) -> None:
        """Raise MonitorError if the thread has ended by itself."""
        if not (self._thread and self._thread.is_alive()):
            raise MonitorError("the pages ended by themselves; the log says why")

    def stop(self) -> None:
        """Stop accepting requests, finish those in progress, and release the port."""
        self._server.should_exit = True
        if self._thread:
            self._thread.join(_GRACE_SECONDS + _AFTER_GRACE_SECONDS)
            if self._thread.is_alive():
                log.warning("requests that took longer than %d s were given up", _GRACE_SECONDS)
        self._listening.close()


# --- limits of connections ------------------------------------------------------------------------


def open_listener(
    address: ListenAddress,
    is_proxy: Callable[[str], bool] = lambda _: False,
    *,
    is_shared: bool = False,
) -> socket.socket:
    """Return a socket that listens there. Raise InvalidInput if that is not possible."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = LimitedListener(family, is_proxy, is_shared=is_shared)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        remedy = _REMEDIES.get(error.errno or 0, "")
        raise InvalidInput(
            f"{address}: cannot listen there: {error.strerror or error}{remedy}"
        ) from error
    return listener


#: Connections at once, and those of one address: browsers have six, an office has one address.
MOST_CONNECTIONS = 300
MOST_PER_NETWORK = 50
#: Seconds in which the head of a request has to be here, and for a connection as a whole.
HEAD_SECONDS = 10.0
CONNECTION_SECONDS = 300.0
#: Connections that are answered at once; further ones are told that there are too many.
MOST_ANSWERED = 200
_RETRY_AFTER = "5"


class LimitedListener(socket.socket):
    """Listening socket with limits; `is_proxy` tells addresses of proxies, which have none.

    Several processes may share it. Each of them then counts its own connections.
    """

    def __init__(self, family: int, is_proxy: Callable[[str], bool], *, is_shared: bool) -> None:
        # asyncio sends small answers at once only where the protocol is named
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._is_proxy = is_proxy
        self._is_shared, self._has_accepted = is_shared, False
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a new connection. Raise ConnectionAbortedError over a limit.

        Raise BlockingIOError after each one if the socket is shared: asyncio takes all that wait,
        and the other processes would get none.
        """
        if self._is_shared and self._has_accepted:
            self._has_accepted = False
            raise BlockingIOError
        plain, address = super().accept()
        self._has_accepted = True
        network = find_client_network(address[0])
        if not self._has_room(address[0], network):
            plain.close()
            raise ConnectionAbortedError
        self._open[network] += 1
        return _CountedConnection(plain, lambda: self._ended(network)), address

    def _has_room(self, address: str, network: str) -> bool:
        if self._open.total() >= MOST_CONNECTIONS:
            return False
        return self._open[network] < MOST_PER_NETWORK or self._is_proxy(address)

    def _ended(self, network: str) -> None:
        self._open -= Counter([network])  # forgets who has none left


class _CountedConnection(socket.socket):
    """A connection that reports when it ends."""

    def __init__(self, plain: socket.socket, ended: Callable[[], None]) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self._ended: Callable[[], None] | None = ended

    def close(self) -> None:
        """Close the connection, and report it once."""
        super().close()
        if self._ended:
            self._ended()
            self._ended = None


class TimedProtocol(H11Protocol):
    """HTTP protocol with timeouts for the head of a request and for the connection."""

    _head: asyncio.TimerHandle | None = None
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(CONNECTION_SECONDS, self._cut)
        self._pages, self.app = self.app, self._answer
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in filter(None, (self._head, self._end)):
            timer.cancel()

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid request with the headers of all answers."""
        headers = {**HEADERS, "Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        status = HTTPStatus.BAD_REQUEST
        for event in (
            h11.Response(status_code=status, headers=list(headers.items()), reason=status.phrase),
            h11.Data(data=msg.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application; answer 503 over the limit and 500 after an error."""
        if max(len(self.connections), len(self.tasks)) > MOST_ANSWERED:
            words = "too much is asked at once; try again soon"
            crowded = _make_last_answer(HTTPStatus.SERVICE_UNAVAILABLE, words)
            crowded.headers["Retry-After"] = _RETRY_AFTER
            await crowded(scope, receive, send)
            return
        is_begun = False

        async def noted(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._pages(scope, receive, noted)
        except Exception:
            if not is_begun:
                words = "a fault of this program; its log says more"
                await _make_last_answer(HTTPStatus.INTERNAL_SERVER_ERROR, words)(
                    scope, receive, send
                )
            raise  # the server writes it into the log

    def _watch(self) -> None:
        """Start the timeout of a request's head; stop it once the head is complete."""
        cycle: RequestResponseCycle | None = self.cycle
        is_asked = cycle is not None and not cycle.response_complete
        if is_asked and self._head is not None:
            self._head.cancel()
            self._head = None
        elif not is_asked and self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._cut)

    def _cut(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


def _make_last_answer(status: HTTPStatus, words: str) -> PlainTextResponse:
    return PlainTextResponse(words, status, {**HEADERS, "Connection": "close"})


# --- a server of fixed pages ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reply:
    """A page with its type and status."""

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: int = HTTPStatus.OK


#: Makes a page; it is given what the client takes (the header Accept).
Page = Callable[[str], Reply]


def wrap_page(page: Page) -> Callable[[Request], Response]:
    """Return a route for a page. It reads, so it runs in a thread."""

    def answer(request: Request) -> Response:
        reply = page(request.headers.get("accept", ""))
        return Response(reply.body, reply.status, {"Content-Type": reply.content_type})

    return answer


class Server(ServerThread):
    """Server of pages in a thread. Raise InvalidInput if it cannot listen."""

    def __init__(self, address: ListenAddress, pages: Mapping[str, Page]) -> None:
        app = Starlette(
            routes=[Route(path, wrap_page(page)) for path, page in pages.items()],
            exception_handlers={StoreProblem: _answer_store_problem, Exception: _answer_fault},
        )
        listening = open_listener(address)
        self.place = ListenAddress(address.host, listening.getsockname()[1])
        self._urls = [f"http://{self.place}{path}" for path in pages]
        headers = [*HEADERS.items(), ("Connection", "close")]
        super().__init__(make_config(app, headers=headers), listening)

    def start(self) -> None:
        """Start, and log the addresses of the pages."""
        super().start()
        log.info("serving %s", ", ".join(self._urls))


async def _answer_store_problem(request: Request, error: Exception) -> Response:
    log.warning("%s cannot be answered now: %s", request.url.path, error)
    return PlainTextResponse("the database cannot be read now\n", HTTPStatus.SERVICE_UNAVAILABLE)


async def _answer_fault(_request: Request, _error: Exception) -> Response:
    """Answer an error of this program; the server logs it."""
    words = "a fault of this program; see its log\n"
    return PlainTextResponse(words, HTTPStatus.INTERNAL_SERVER_ERROR)
