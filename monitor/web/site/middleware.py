"""Middleware around all pages: checks of requests, security headers, and fair shares of clients.

Nothing is loaded from other sites, and nothing captured can run: no script but those of this site,
no style in attributes, no frame, no plug-in. A client is a network, and also a session, token or
user of a proxy. Waiting for a place takes no thread.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from monitor.store.access.users import TOKEN_MARK
from monitor.web.connections import HEADERS, LONGEST_HEAD, find_client_network
from monitor.web.site.site_state import Access, Site, get_cookie_name

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = _READING | {"POST"}
_MOST_BODY_BYTES = 64 * 1024
_LONGEST_ADDRESS = 64
#: Seconds in which whatever is sent has to be here.
_BODY_SECONDS = 10.0
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")
_DIGITS = re.compile(r"[0-9]{1,9}")
#: What a form of ours is sent as: text of one encoding.
_FORM = "application/x-www-form-urlencoded"
#: The one page that takes a file.
UPLOAD_PATH = "/donate/check"
MOST_UPLOAD_BYTES = 600 * 2**20
#: Where in a request's scope it stands that a proxy passes it on.
PROXIED = "monitor.proxied"
#: What shows that there is a proxy.
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
_BEARER = "bearer "
_ELSEWHERE = "this was sent by a page of another site"
#: Answers at a time, how many more may stand in line, and for how many seconds.
AT_ONCE = 4
IN_LINE = 24
QUEUE_SECONDS = 10.0
_RETRY_AFTER = 5
#: Says that the process lives, also while it is flooded.
_UNLIMITED_PATH = "/healthz"


class Guard:
    """Middleware that checks every request and adds security headers to every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse invalid requests, and pass the others on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refuse(scope, headers)
        answer = self._add_headers(send)
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the server leaves the body out
        if refused is None:
            self._note_proxy(scope, headers)
            try:
                if scope["method"] == "POST" and scope["path"] == UPLOAD_PATH:
                    receive = _limit_upload(headers, receive)
                else:
                    receive = await _receive_body(scope, headers, receive)
            except _UnfitBody as error:
                refused = make_refusal(scope, error.status, str(error))
        if refused is not None:
            refused.headers["Connection"] = "close"  # the rest of a body is not waited for
            await refused(scope, receive, answer)
            return
        await self._app(scope, receive, answer)

    def _note_proxy(self, scope: Scope, headers: Headers) -> None:
        """Note that a proxy passes this on, and for whom: the last that it did not believe.

        Some proxies add a header of their own after that of the client, so all of them are read.
        """
        if self._access.is_secure:
            scope["scheme"] = "https"
        if not self._access.proxies:
            return
        peer = scope["client"][0] if scope.get("client") else ""
        scope[PROXIED] = self._access.is_proxy(peer)
        if scope[PROXIED]:
            addresses = ",".join(headers.getlist("x-forwarded-for")).split(",")
            clients = [address.strip() for address in addresses if address.strip()]
            clients = [
                address for address in clients if not self._access.is_proxy(_strip_port(address))
            ]
            scope["client"] = (_strip_port(clients[-1]) if clients else peer, 0)

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        if _read_host(headers.get("host", "")) not in self._access.hosts:
            words = "this address is not served under that name; name it with --name"
            return make_refusal(scope, HTTPStatus.MISDIRECTED_REQUEST, words)
        if words := self._check_sender(scope, headers):
            return make_refusal(scope, HTTPStatus.FORBIDDEN, words)
        if scope["method"] not in _METHODS:
            answer = make_refusal(scope, HTTPStatus.METHOD_NOT_ALLOWED, "only GET, HEAD and POST")
            answer.headers["Allow"] = "GET, HEAD, POST"
            return answer
        if wrong := _find_fault(scope, headers):
            return make_refusal(scope, *wrong)
        if scope["method"] not in _READING and not self._is_own_form(headers):
            words = _ELSEWHERE
            if self._access.proxies and headers.get("sec-fetch-site") == "same-origin":
                words += "; or the proxy does not pass on the header Host with its port"
            return make_refusal(scope, HTTPStatus.FORBIDDEN, words)
        return None

    def _check_sender(self, scope: Scope, headers: Headers) -> str:
        """Return why a request may not come from its address; empty where it may."""
        peer = scope["client"][0] if scope.get("client") else ""
        if self._access.proxies:
            is_through = self._access.is_proxy(peer) or scope["path"] == "/healthz"
            return "" if is_through else "come through the proxy"
        if not _FORWARDED.isdisjoint(headers):
            return "a proxy passes this on, for whoever asks it: name it with --proxy"
        return ""

    def _is_own_form(self, headers: Headers) -> bool:
        """Return whether a page of this site sends a form, or a program without cookies.

        A browser never adds a token of ours by itself, as it does with passwords of a proxy.
        """
        if read_token(headers):
            return True
        fetched = headers.get("sec-fetch-site")
        if fetched is not None and fetched != "same-origin":
            return False
        origin = headers.get("origin")
        if origin is None:
            return fetched == "same-origin"
        scheme = "https" if self._access.is_secure else "http"
        return origin.lower() == f"{scheme}://{headers.get('host', '').lower()}"

    def _add_headers(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self._access.is_secure:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        return answer


def _find_fault(scope: Scope, headers: Headers) -> tuple[HTTPStatus, str] | None:
    """Return status and reason if the head of a request is invalid, else None."""
    length = len(scope["path"]) + len(scope["query_string"])
    if length + sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of this request is too long"
    if "transfer-encoding" in headers and "content-length" in headers:
        return HTTPStatus.BAD_REQUEST, "two lengths of one body"
    if "\x00" in scope["path"] or b"%00" in scope["query_string"]:
        return HTTPStatus.BAD_REQUEST, "no text has a NUL"
    return None


def make_refusal(scope: Scope, status: HTTPStatus, words: str) -> Response:
    """Return one sentence as text, or as JSON for the API."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"detail": words}, status)
    return PlainTextResponse(words, status)


def read_token(headers: Headers) -> str:
    """Return the API token of a request; empty where there is none."""
    authorization = headers.get("authorization", "")
    secret = authorization[len(_BEARER) :].strip()
    is_token = authorization.lower().startswith(_BEARER) and secret.startswith(TOKEN_MARK)
    return secret if is_token else ""


def _strip_port(address: str) -> str:
    match = _WITH_PORT.fullmatch(address)
    return ((match[1] or match[2]) if match else address)[:_LONGEST_ADDRESS]


def _read_host(header: str) -> str:
    """Return the name in the header Host without its port; empty where it is invalid."""
    match = _HOST.fullmatch(header.lower())
    return match[1].strip("[]") if match else ""


class _UnfitBody(Exception):
    """A request body that is refused."""

    def __init__(self, status: HTTPStatus, words: str) -> None:
        super().__init__(words)
        self.status = status


async def _receive_body(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """Return a receiver of the complete body of a form. Raise _UnfitBody.

    Raises _Unfit.
    """
    if scope["method"] in _READING:
        return receive
    length = headers.get("content-length", "0")
    if not _DIGITS.fullmatch(length) or int(length) > _MOST_BODY_BYTES:
        raise _UnfitBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            body = await _read_body(receive)
    except TimeoutError:
        raise _UnfitBody(HTTPStatus.REQUEST_TIMEOUT, "too slow") from None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != _FORM:
        raise _UnfitBody(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"send a form as {_FORM}")
    if b"\x00" in body or b"%00" in body:
        raise _UnfitBody(HTTPStatus.BAD_REQUEST, "no text has a NUL")
    is_sent = False

    async def whole() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return whole


def _limit_upload(headers: Headers, receive: Receive) -> Receive:
    """Return a receiver of a file, which its page reads after it has checked who sends it.

    Raise _UnfitBody for one without a length or with too large a one.
    """
    length = headers.get("content-length", "" if "transfer-encoding" in headers else "0")
    if not _DIGITS.fullmatch(length) or int(length) > MOST_UPLOAD_BYTES:
        words = f"too long: a file has at most {MOST_UPLOAD_BYTES:,} bytes"
        raise _UnfitBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)
    return receive


async def _read_body(receive: Receive) -> bytes:
    parts = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _UnfitBody(HTTPStatus.BAD_REQUEST, "the rest did not come")
        parts += message.get("body", b"")
        if len(parts) > _MOST_BODY_BYTES:
            raise _UnfitBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
        if not message.get("more_body", False):
            return bytes(parts)


class _QueueFull(Exception):
    """The queue of a client is full."""


class _ClientShare:
    """Places of one client, and the number of its requests."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(AT_ONCE)
        self.wanted = 0


class FairShares:
    """Middleware that limits the simultaneous requests of each client."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site
        self._shares: dict[tuple[str, str], _ClientShare] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for a place, and refuse the request after a timeout."""
        if scope["type"] != "http" or scope["path"] == _UNLIMITED_PATH:
            await self._app(scope, receive, send)
            return
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(QUEUE_SECONDS):
                    for name in self._name_clients(Request(scope)):
                        await held.enter_async_context(self._hold_place(name))
            except (TimeoutError, _QueueFull):
                words = "you ask for much at the same time; try again in some seconds"
                answer = make_refusal(scope, HTTPStatus.TOO_MANY_REQUESTS, words)
                answer.headers["Retry-After"] = str(_RETRY_AFTER)
                await answer(scope, receive, send)
                return
            await self._app(scope, receive, send)

    def _name_clients(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the names that a request counts for: its network, and its user."""
        yield "address", find_client_network(request.client.host if request.client else "")
        header = self._site.access.user_header
        if secret := read_token(request.headers) or request.cookies.get(
            get_cookie_name(self._site), ""
        ):
            yield "secret", secret
        elif header and request.scope.get(PROXIED):
            yield "user", request.headers.get(header, "")

    @asynccontextmanager
    async def _hold_place(self, name: tuple[str, str]) -> AsyncIterator[None]:
        share = self._shares.setdefault(name, _ClientShare())
        if share.wanted >= AT_ONCE + IN_LINE:
            raise _QueueFull
        share.wanted += 1
        try:
            async with share.places:
                yield
        finally:
            share.wanted -= 1
            if not share.wanted:
                del self._shares[name]
