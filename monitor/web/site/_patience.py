"""Connections that end: whose requests do not come in time, and all of them some time.

Who opens many and says little shall not keep others out.
"""

import asyncio
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from monitor.web.site._guard import HEADERS

#: Seconds in which the head of a request has to be here, and for a connection as a whole.
HEAD = 10.0
LONGEST = 300.0


class Patient(H11Protocol):
    """A connection with a clock."""

    _head: asyncio.TimerHandle | None = None
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(LONGEST, self._cut)
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
