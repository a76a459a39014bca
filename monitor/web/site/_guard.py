"""Stands before every request: names of hosts, sizes, other sites' forms; and sets the headers.

Nothing is loaded from elsewhere, nothing that was captured can run: no script but ours from our own
address, no style in attributes, no frame, no plug-in.
"""

import asyncio
import re
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from monitor.store.access.users import TOKEN_MARK
from monitor.web.site._site import Access

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
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = _READING | {"POST"}
_MOST_BYTES = 64 * 1024
LONGEST_HEAD = 32 * 1024
_LONGEST_ADDRESS = 64
#: Seconds in which whatever is sent has to be here.
_PATIENCE = 10.0
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")
_DIGITS = re.compile(r"[0-9]{1,9}")
#: What a form of ours is sent as: text of one encoding, and no files.
_FORM = "application/x-www-form-urlencoded"
#: Where in a request's scope it stands that a proxy passes it on.
PROXIED = "monitor.proxied"
#: What shows that there is a proxy.
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
_BEARER = "bearer "
_ELSEWHERE = "this was sent by a page of another site"


class Guard:
    """An application around the pages."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is not for us, and let the rest through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        answer = self._with_headers(send)
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the server leaves the body out
        if refused is None:
            self._behind(scope, headers)
            try:
                receive = await _whole(scope, headers, receive)
            except _Unfit as error:
                refused = said(scope, error.status, str(error))
        if refused is not None:
            refused.headers["Connection"] = "close"  # the rest of a body is not waited for
            await refused(scope, receive, answer)
            return
        await self._app(scope, receive, answer)

    def _behind(self, scope: Scope, headers: Headers) -> None:
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
            named = ",".join(headers.getlist("x-forwarded-for")).split(",")
            other = [one.strip() for one in named if one.strip()]
            other = [one for one in other if not self._access.is_proxy(_address(one))]
            scope["client"] = (_address(other[-1]) if other else peer, 0)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        if _host(headers.get("host", "")) not in self._access.hosts:
            words = "this address is not served under that name; name it with --name"
            return said(scope, HTTPStatus.MISDIRECTED_REQUEST, words)
        if words := self._from_elsewhere(scope, headers):
            return said(scope, HTTPStatus.FORBIDDEN, words)
        if scope["method"] not in _METHODS:
            answer = said(scope, HTTPStatus.METHOD_NOT_ALLOWED, "only GET, HEAD and POST")
            answer.headers["Allow"] = "GET, HEAD, POST"
            return answer
        if wrong := _misshapen(scope, headers):
            return said(scope, *wrong)
        if scope["method"] not in _READING and not self._is_own(headers):
            return said(scope, HTTPStatus.FORBIDDEN, self._foreign(headers))
        return None

    def _from_elsewhere(self, scope: Scope, headers: Headers) -> str:
        """Why a request may not come from where it comes; empty where it may."""
        peer = scope["client"][0] if scope.get("client") else ""
        if self._access.proxies:
            is_through = self._access.is_proxy(peer) or scope["path"] == "/healthz"
            return "" if is_through else "come through the proxy"
        if not _FORWARDED.isdisjoint(headers):
            return "a proxy passes this on, for whoever asks it: name it with --proxy"
        return ""

    def _is_own(self, headers: Headers) -> bool:
        """Whether a page of ours sends it, or a program, which sends no cookie of ours.

        A browser never adds a token of ours by itself, as it does with passwords of a proxy.
        """
        if token(headers):
            return True
        fetched = headers.get("sec-fetch-site")
        if fetched is not None and fetched != "same-origin":
            return False
        origin = headers.get("origin")
        if origin is None:
            return fetched == "same-origin"
        scheme = "https" if self._access.is_secure else "http"
        return origin.lower() == f"{scheme}://{headers.get('host', '').lower()}"

    def _foreign(self, headers: Headers) -> str:
        """What is wrong with a form that is not ours, or seems so because of a proxy."""
        if self._access.proxies and headers.get("sec-fetch-site") == "same-origin":
            return f"{_ELSEWHERE}; or the proxy does not pass on the header Host with its port"
        return _ELSEWHERE

    def _with_headers(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self._access.is_secure:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        return answer


def _misshapen(scope: Scope, headers: Headers) -> tuple[HTTPStatus, str] | None:
    """What is wrong with a head, whoever sends it; a server measures only what comes in parts."""
    length = len(scope["path"]) + len(scope["query_string"])
    if length + sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of this request is too long"
    if "transfer-encoding" in headers and "content-length" in headers:
        return HTTPStatus.BAD_REQUEST, "two lengths of one body"
    if "\x00" in scope["path"] or b"%00" in scope["query_string"]:
        return HTTPStatus.BAD_REQUEST, "no text has a NUL"
    return None


def said(scope: Scope, status: HTTPStatus, words: str) -> Response:
    """One sentence, as JSON for programs."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"detail": words}, status)
    return PlainTextResponse(words, status)


def token(headers: Headers) -> str:
    """The token of ours that a program sends; empty where none is sent."""
    authorization = headers.get("authorization", "")
    secret = authorization[len(_BEARER) :].strip()
    is_token = authorization.lower().startswith(_BEARER) and secret.startswith(TOKEN_MARK)
    return secret if is_token else ""


def _address(given: str) -> str:
    """Who was connected to a proxy, without the port that some add: another one each time."""
    found = _WITH_PORT.fullmatch(given)
    return ((found[1] or found[2]) if found else given)[:_LONGEST_ADDRESS]


def _host(given: str) -> str:
    """The name in the header Host, without its port; empty where it is no such header."""
    found = _HOST.fullmatch(given.lower())
    return found[1].strip("[]") if found else ""


class _Unfit(Exception):
    """A body that is not taken."""

    def __init__(self, status: HTTPStatus, words: str) -> None:
        super().__init__(words)
        self.status = status


async def _whole(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """The body of a form, all of it at once: of the right sort, in time, and not too long.

    Raises _Unfit.
    """
    if scope["method"] in _READING:
        return receive
    length = headers.get("content-length", "0")
    if not _DIGITS.fullmatch(length) or int(length) > _MOST_BYTES:
        raise _Unfit(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
    try:
        async with asyncio.timeout(_PATIENCE):
            body = await _read(receive)
    except TimeoutError:
        raise _Unfit(HTTPStatus.REQUEST_TIMEOUT, "too slow") from None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != _FORM:
        raise _Unfit(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"send a form as {_FORM}")
    if b"\x00" in body or b"%00" in body:
        raise _Unfit(HTTPStatus.BAD_REQUEST, "no text has a NUL")
    is_sent = False

    async def whole() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return whole


async def _read(receive: Receive) -> bytes:
    parts = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _Unfit(HTTPStatus.BAD_REQUEST, "the rest did not come")
        parts += message.get("body", b"")
        if len(parts) > _MOST_BYTES:
            raise _Unfit(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
        if not message.get("more_body", False):
            return bytes(parts)
