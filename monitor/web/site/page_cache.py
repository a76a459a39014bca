"""Cache of finished pages of visitors without a login: compressed bytes, until anything changes.

A page is kept only if `visitors.identify_anonymous` has told who asks, and only for requests with
nothing in their head that could name a person. It is kept with the state of the archive that was
read before the visitor was told apart and before anything of the page was read. Each request asks
for that state anew, so a page ends with the next row, embargo or user, and after half a minute in
any case. The bytes of a user's page are never here.
"""

import asyncio
import gzip
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from threading import Lock
from typing import TypeAlias

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from monitor.model import StoreProblem
from monitor.store.journal.events import Stamp
from monitor.web.site.site_state import Access, EntryRule, Site
from monitor.web.site.visitors import Visitor, identify_anonymous

#: Compressed bytes of all pages. Larger pages than an eighth of it are not kept.
_MOST_BYTES = 32 * 2**20
_LARGEST = 8
#: What a page takes besides its bytes, at most.
_ENTRY_BYTES = 1_000
_LEVEL = 4
#: Headers that may name a person. A request with one of them neither finds a page nor leaves one.
_PERSONAL = frozenset({b"cookie", b"authorization"})
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
#: Scheme, header Host, path and query of a request.
PageKey: TypeAlias = tuple[str, bytes, str, bytes]


def make_page_key(scope: Scope, access: Access) -> PageKey | None:
    """Return the key of a request without a login; None for any other request."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    host, user_header = b"", access.user_header.lower().encode()
    for name, value in scope["headers"]:
        if name in _PERSONAL or name == user_header:
            return None
        if name == b"host":
            host = value
    return scope["scheme"], host, scope["path"], scope["query_string"]


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A page, compressed, and the state of the archive from which it was made."""

    as_of: Stamp
    content_type: str
    compressed: bytes
    etag: str

    def answer(self, headers: Headers, access: Access) -> Response:
        """Return the page as a client takes it: compressed or not, or that it has it already."""
        own_headers = {"ETag": self.etag, "Vary": "Accept-Encoding, Cookie, Authorization"}
        if access.entry is EntryRule.PUBLIC:  # others leave nothing on the disk of a browser
            own_headers["Cache-Control"] = "private, no-cache"
        if self.etag in headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=own_headers)
        own_headers["Content-Type"] = self.content_type
        if not _GZIP.search(headers.get("accept-encoding", "")):
            return Response(gzip.decompress(self.compressed), headers=own_headers)
        own_headers["Content-Encoding"] = "gzip"
        return Response(self.compressed, headers=own_headers)


@dataclass(slots=True)
class PageCache:
    """Least-recently-used cache of finished pages, limited by their bytes."""

    most_bytes: int = _MOST_BYTES
    n_bytes: int = 0
    pages: OrderedDict[PageKey, FinishedPage] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: PageKey) -> FinishedPage | None:
        """Return the page of a key, whatever its state."""
        with self.lock:
            page = self.pages.get(key)
            if page is not None:
                self.pages.move_to_end(key)
            return page

    def keep(self, key: PageKey, page: FinishedPage) -> None:
        """Keep a page in place of an earlier one; the pages used least give way."""
        with self.lock:
            if old := self.pages.pop(key, None):
                self.n_bytes -= _count_bytes(key, old)
            if _count_bytes(key, page) > self.most_bytes // _LARGEST:
                return
            self.pages[key] = page
            self.n_bytes += _count_bytes(key, page)
            while self.n_bytes > self.most_bytes:
                self.n_bytes -= _count_bytes(*self.pages.popitem(last=False))


def _count_bytes(key: PageKey, page: FinishedPage) -> int:
    _, host, path, query = key
    return len(page.compressed) + len(host) + 4 * len(path) + len(query) + _ENTRY_BYTES


def keep_page(request: Request, who: Visitor, response: Response) -> Response:
    """Keep a page if its visitor has no login, and return it as their client takes it."""
    pages, access = request.app.state.pages, request.app.state.site.access
    key = make_page_key(request.scope, access)
    if key is None or who.as_of is None or response.status_code != HTTPStatus.OK:
        return response
    body = bytes(response.body)
    etag = f'W/"{sha256(body).hexdigest()[:32]}"'
    compressed = gzip.compress(body, _LEVEL, mtime=0)
    page = FinishedPage(who.as_of, response.headers["content-type"], compressed, etag)
    pages.keep(key, page)
    return page.answer(request.headers, access)


class FinishedPages:
    """Middleware that answers with a finished page where the archive is as it was."""

    def __init__(self, app: ASGIApp, site: Site, pages: PageCache) -> None:
        self._app, self._site, self._pages = app, site, pages
        self._limiter = anyio.CapacityLimiter(1)  # never waits for the threads of slow pages
        self._reading: asyncio.Task[Stamp | None] | None = None
        self._next: asyncio.Task[Stamp | None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a finished page, or pass the request on."""
        key = make_page_key(scope, self._site.access)
        page = self._pages.find(key) if key else None
        if page is not None and await self._read_state() == page.as_of:
            await page.answer(Headers(scope=scope), self._site.access)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _read_state(self) -> Stamp | None:
        """Return the state of the archive for visitors without a login, read from now on.

        All requests that come before a reading begins share it. None where they see nothing.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._read_after(self._reading))
        return await asyncio.shield(self._next)

    async def _read_after(self, earlier: "asyncio.Task[Stamp | None] | None") -> Stamp | None:
        if earlier is not None and not earlier.done():
            await asyncio.wait([earlier])
        self._reading, self._next = self._next, None
        try:
            who = await anyio.to_thread.run_sync(
                identify_anonymous, self._site, limiter=self._limiter
            )
        except StoreProblem:
            return None  # the page says so
        return who.as_of
