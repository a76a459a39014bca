"""Lets nobody hold up the others: a few answers at a time for each, and a line for the rest.

What counts as one is an address, and whoever has logged in, wherever that is used from. To stand in
line takes no thread.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from monitor.web.site._guard import PROXIED, said, token
from monitor.web.site._site import Site, client_network, cookie_name

#: Answers at a time, how many more may stand in line, and for how many seconds.
AT_ONCE = 4
IN_LINE = 24
PATIENCE = 10.0
_AGAIN = 5
#: Says that the process lives, also while it is flooded.
_FREE = "/healthz"


class _Full(Exception):
    """The line is as long as it may be."""


class _Share:
    """What one has: places to be answered, and the number of requests that want one."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(AT_ONCE)
        self.wanted = 0


class Shares:
    """An application around the pages."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site
        self._shares: dict[tuple[str, str], _Share] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through when it is its turn, and refuse it where that takes too long."""
        if scope["type"] != "http" or scope["path"] == _FREE:
            await self._app(scope, receive, send)
            return
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(PATIENCE):
                    for name in self._names(Request(scope)):
                        await held.enter_async_context(self._place(name))
            except (TimeoutError, _Full):
                words = "you ask for much at the same time; try again in some seconds"
                answer = said(scope, HTTPStatus.TOO_MANY_REQUESTS, words)
                answer.headers["Retry-After"] = str(_AGAIN)
                await answer(scope, receive, send)
                return
            await self._app(scope, receive, send)

    def _names(self, request: Request) -> Iterator[tuple[str, str]]:
        """What a request counts for; an invented cookie takes nobody's place but one's own."""
        yield "address", client_network(request.client.host if request.client else "")
        header = self._site.access.user_header
        if secret := token(request.headers) or request.cookies.get(cookie_name(self._site), ""):
            yield "secret", secret
        elif header and request.scope.get(PROXIED):
            yield "user", request.headers.get(header, "")

    @asynccontextmanager
    async def _place(self, name: tuple[str, str]) -> AsyncIterator[None]:
        share = self._shares.setdefault(name, _Share())
        if share.wanted >= AT_ONCE + IN_LINE:
            raise _Full
        share.wanted += 1
        try:
            async with share.places:
                yield
        finally:
            share.wanted -= 1
            if not share.wanted:
                del self._shares[name]
