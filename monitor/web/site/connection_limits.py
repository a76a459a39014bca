"""Limits of connections: how many at once, how many of one network, and how long.

Connections are counted from `accept` until they are closed, including those that never finish the
handshake of TLS, which the server does not know of.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import h11
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from monitor.web.site.middleware import HEADERS
from monitor.web.site.site_state import find_client_network

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
    """Listening socket with limits; `is_proxy` tells addresses of proxies, which have none."""

    def __init__(self, family: int, is_proxy: Callable[[str], bool]) -> None:
        # asyncio sends small answers at once only where the protocol is named
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._is_proxy = is_proxy
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a new connection. Raise ConnectionAbortedError over a limit."""
        plain, address = super().accept()
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
    """Return an answer that closes its connection."""
    return PlainTextResponse(words, status, {**HEADERS, "Connection": "close"})
