"""A small server of fixed pages, such as the health of a daemon: GET and HEAD."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from monitor.model import StoreProblem
from monitor.web.connections import (
    HEADERS,
    ListenAddress,
    ServerThread,
    make_config,
    open_listener,
)

log = logging.getLogger(__name__)
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Reply:
    """A page with its type and status."""

    body: bytes
    content_type: str = TEXT
    status: int = HTTPStatus.OK


#: Makes a page; it is given what the client takes (the header Accept).
Page = Callable[[str], Reply]


def wrap_page(page: Page) -> Callable[[Request], Response]:
    """Return a route for a page. It reads, so it runs in a thread."""

    def answer(request: Request) -> Response:
        reply = page(request.headers.get("accept", ""))
        return Response(reply.body, reply.status, {"Content-Type": reply.content_type})

    return answer


class Server:
    """Server of pages in a thread. Raise InvalidInput if it cannot listen."""

    def __init__(self, address: ListenAddress, pages: Mapping[str, Page]) -> None:
        app = Starlette(
            routes=[Route(path, wrap_page(page)) for path, page in pages.items()],
            exception_handlers={StoreProblem: _answer_store_problem, Exception: _answer_fault},
        )
        listening = open_listener(address)
        self.place = ListenAddress(address.host, listening.getsockname()[1])
        headers = [*HEADERS.items(), ("Connection", "close")]
        self._thread = ServerThread(make_config(app, headers=headers), listening)

    def start(self) -> None:
        """Start answering requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stop accepting requests, finish those in progress, and release the port."""
        self._thread.stop()


async def _answer_store_problem(request: Request, error: Exception) -> Response:
    log.warning("%s cannot be answered now: %s", request.url.path, error)
    return PlainTextResponse("the database cannot be read now\n", HTTPStatus.SERVICE_UNAVAILABLE)


async def _answer_fault(_request: Request, _error: Exception) -> Response:
    """Answer an error of this program; the server logs it."""
    words = "a fault of this program; see its log\n"
    return PlainTextResponse(words, HTTPStatus.INTERNAL_SERVER_ERROR)
