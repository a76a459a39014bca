"""Connections that end: whose requests do not come in time, and all of them some time.

Who opens many and says little shall not keep others out. What the server has to answer by itself,
which no guard sees, has the headers of all our answers too.
"""

import asyncio
from http import HTTPStatus

import h11
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from monitor.web.site._guard import HEADERS

#: Seconds in which the head of a request has to be here, and for a connection as a whole.
HEAD = 10.0
LONGEST = 300.0
#: Connections that are answered at once, whoever has more is told so; see `_door` for how many
#: there may be.
MOST = 200
_SOON = "5"


class Patient(H11Protocol):
    """A connection with a clock."""

    _head: asyncio.TimerHandle | None = None
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(LONGEST, self._cut)
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
        """Answer what is no request, which no guard sees, with the headers of all our answers."""
        said = {**HEADERS, "Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        status = HTTPStatus.BAD_REQUEST
        for event in (
            h11.Response(status_code=status, headers=list(said.items()), reason=status.phrase),
            h11.Data(data=msg.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the pages answer, and say it where there are too many, or where they fail."""
        if max(len(self.connections), len(self.tasks)) > MOST:
            words = "too much is asked at once; try again soon"
            crowded = _said(HTTPStatus.SERVICE_UNAVAILABLE, words)
            crowded.headers["Retry-After"] = _SOON
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
                await _said(HTTPStatus.INTERNAL_SERVER_ERROR, words)(scope, receive, send)
            raise  # the server writes it into the log

    def _watch(self) -> None:
        """Wait for the rest of a request; once it is here, its answer takes as long as it takes."""
        cycle: RequestResponseCycle | None = self.cycle
        is_asked = cycle is not None and not cycle.response_complete
        if is_asked and self._head is not None:
            self._head.cancel()
            self._head = None
        elif not is_asked and self._head is None:
            self._head = self.loop.call_later(HEAD, self._cut)

    def _cut(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


def _said(status: HTTPStatus, words: str) -> PlainTextResponse:
    """The last answer of a connection."""
    return PlainTextResponse(words, status, {**HEADERS, "Connection": "close"})
