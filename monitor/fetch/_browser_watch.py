"""Events of one page in Chromium: documents, bytes, excesses, and outcomes of net errors.

Events cost a small part of what stopping and releasing each request would.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession

from monitor.model import Outcome, Reason

_NAMED = re.compile(r"net::(ERR_[A-Z0-9_]+)")

#: {(outcome, reason): beginnings of Chromium's names without their ERR_}; the first that fits.
_TABLE = {
    (Outcome.TIMEOUT, Reason.NONE): "TIMED_OUT CONNECTION_TIMED_OUT",
    (Outcome.FAILED, Reason.TRUNCATED): "CONTENT_LENGTH_MISMATCH INCOMPLETE_ CONNECTION_RESET "
    "CONNECTION_CLOSED CONNECTION_ABORTED EMPTY_RESPONSE HTTP2_ QUIC_",
    # asking again leads round in the same circle, and to the same forbidden place
    (Outcome.FAILED, Reason.REFUSED): "TOO_MANY_REDIRECTS UNSAFE_ INVALID_URL INVALID_REDIRECT "
    "UNKNOWN_URL_SCHEME DISALLOWED_URL_SCHEME BLOCKED_BY_",
    (Outcome.UNREADABLE, Reason.MALFORMED): "CONTENT_DECODING_ INVALID_ RESPONSE_HEADERS_",
    (Outcome.FAILED, Reason.UNREACHABLE): "NAME_ DNS_ ICANN_ CONNECTION_ ADDRESS_ INTERNET_ "
    "NETWORK_ PROXY_ TUNNEL_ SOCKS_ MANDATORY_PROXY_ CERT_ SSL_ BAD_SSL_ ECH_",
}


def net_error(words: str) -> str:
    """The net error in what the browser says, `ERR_CONNECTION_REFUSED`; empty without one."""
    match = _NAMED.search(words)
    return match[1] if match else ""


def outcome_of_error(name: str) -> tuple[Outcome, Reason]:
    """Return what a net error means; EXCEPTION for one that is not known here."""
    for meaning, beginnings in _TABLE.items():
        if name.removeprefix("ERR_").startswith(tuple(beginnings.split())):
            return meaning
    return Outcome.FAILED, Reason.EXCEPTION


#: What a result page never needs so much of: beyond it a page is stopped and read as it is.
MOST_NAVIGATIONS = 20
MOST_FRAMES = 100
MOST_DIALOGS = 20
MOST_POPUPS = 10

Event = Mapping[str, Any]


@dataclass(slots=True)
class Navigation:
    """One navigation of the main frame and its result."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = ""
    bytes: int = 0
    redirects: int = 0
    failure: str = ""  # ERR_CONTENT_LENGTH_MISMATCH


@dataclass(slots=True)
class PageLimits:
    """Limits of one page."""

    document_bytes: int
    all_bytes: int
    requests: int


@dataclass
class PageWatch:
    """The state of one page. `moved` is set whenever something has happened."""

    limits: PageLimits
    main: str = ""  # the id of the main frame
    shown_id: str = ""  # the id of the document that it shows
    asked_id: str = ""  # the id of the last one that it asked for
    documents: dict[str, Navigation] = field(default_factory=dict)
    unreachable: bool = False  # what it shows is the browser's own page about a fault
    whole: bool = False  # the document is there and parsed
    loaded: bool = False  # its images and scripts as well
    bytes: int = 0
    requests: int = 0
    navigations: int = 0
    frames: int = 0
    dialogs: int = 0
    downloads: int = 0
    popups: int = 0
    active_at: float = 0.0
    over: str = ""  # the limit that was reached first
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    excess: asyncio.Event = field(default_factory=asyncio.Event)
    lost: "asyncio.Future[str]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def listen_to(self, session: CDPSession) -> None:
        """Take note of the session's events."""
        handlers: dict[str, Callable[[Event], None]] = {
            "Network.requestWillBeSent": self._on_request,
            "Network.responseReceived": self._on_response,
            "Network.dataReceived": self._on_data,
            "Network.webSocketFrameReceived": self._on_traffic,
            "Network.loadingFailed": self._on_failure,
            "Page.frameAttached": self._on_frame,
            "Page.frameNavigated": self._on_navigation,
            "Page.domContentEventFired": self._on_parsed,
            "Page.loadEventFired": self._on_finish,
            "Page.frameStoppedLoading": self._on_rest,
            "Inspector.targetCrashed": lambda _: self.mark_lost("the page's process died"),
        }
        for name, handler in handlers.items():
            session.on(name, handler)

    @property
    def document(self) -> Navigation:
        """The document that is shown; the one that was asked for before any is."""
        return (
            self.documents.get(self.shown_id) or self.documents.get(self.asked_id) or Navigation()
        )

    @property
    def redirects(self) -> int:
        """Redirections on the way to every document of the main frame."""
        return sum(document.redirects for document in self.documents.values())

    def mark_lost(self, why: str) -> None:
        """The page is gone."""
        if not self.lost.done():
            self.lost.set_result(why)

    def note_limit(self, limit: str) -> None:
        """A limit is reached: the page is to be stopped."""
        self.over = self.over or limit
        self.excess.set()
        self.moved.set()

    def note_dialog(self) -> None:
        """A dialog opened."""
        self.dialogs += 1
        if self.dialogs > MOST_DIALOGS:
            self.note_limit("dialogs")

    def note_popup(self) -> None:
        """A window opened."""
        self.popups += 1
        if self.popups > MOST_POPUPS:
            self.note_limit("popups")

    def is_quiet(self, seconds: float) -> bool:
        """Return whether nothing has happened for so long."""
        return asyncio.get_running_loop().time() - self.active_at >= seconds

    async def wait_for_event(self, seconds: float) -> None:
        """Wait until something happens, or so long."""
        self.moved.clear()
        try:
            async with asyncio.timeout(seconds):
                await self.moved.wait()
        except TimeoutError:
            pass

    def _note_event(self) -> None:
        self.active_at = asyncio.get_running_loop().time()
        self.moved.set()

    def _is_document(self, event: Event) -> bool:
        return event.get("frameId") == self.main and event["requestId"] == event.get("loaderId")

    def _on_request(self, event: Event) -> None:
        self._note_event()
        self.requests += 1
        if self.requests > self.limits.requests:
            self.note_limit("requests")
        if self._is_document(event):
            self.asked_id = event["requestId"]
            document = self.documents.setdefault(self.asked_id, Navigation())
            document.redirects += "redirectResponse" in event

    def _on_response(self, event: Event) -> None:
        self._note_event()
        if self._is_document(event):
            response = event["response"]
            document = self.documents.setdefault(event["requestId"], Navigation())
            document.status, document.kind = int(response["status"]), str(response["mimeType"])
            document.headers = tuple(
                (name, line)
                for name, lines in response["headers"].items()
                for line in lines.split("\n")
            )

    def _on_data(self, event: Event) -> None:
        self._count_bytes(int(event["dataLength"]))
        document = self.documents.get(event["requestId"])
        if document is not None:
            document.bytes += int(event["dataLength"])
            if document.bytes > self.limits.document_bytes:
                self.note_limit("document")

    def _on_traffic(self, event: Event) -> None:
        self._count_bytes(len(event["response"]["payloadData"]))

    def _count_bytes(self, size: int) -> None:
        self._note_event()
        self.bytes += size
        if self.bytes > self.limits.all_bytes:
            self.note_limit("bytes")

    def _on_failure(self, event: Event) -> None:
        self._note_event()
        document = self.documents.get(event["requestId"])
        if document is not None:
            document.failure = net_error(event.get("errorText", "")) or "ERR_FAILED"

    def _on_frame(self, _event: Event) -> None:
        self.frames += 1
        if self.frames > MOST_FRAMES:
            self.note_limit("frames")

    def _on_navigation(self, event: Event) -> None:
        frame = event["frame"]
        if frame["id"] != self.main:
            return
        self._note_event()
        self.shown_id, self.unreachable = frame["loaderId"], bool(frame.get("unreachableUrl"))
        self.whole = self.loaded = False
        self.navigations += 1
        if self.navigations > MOST_NAVIGATIONS:
            self.note_limit("navigations")

    def _on_parsed(self, _event: Event) -> None:
        self._note_event()
        self.whole = True

    def _on_rest(self, event: Event) -> None:
        """A document that went on to a download before its end gets no further."""
        if event["frameId"] == self.main and self.shown_id:
            self._note_event()
            self.whole = True

    def _on_finish(self, _event: Event) -> None:
        self._note_event()
        self.whole = self.loaded = True
