"""One page in one fresh context: opened, past its consent wall, read, and made into an answer."""

import asyncio
import json
from base64 import b64decode
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic
from typing import Any

import httpx
from playwright.async_api import BrowserContext, CDPSession, Error, Page

from monitor.fetch._browser_pool import OpenedBrowser
from monitor.fetch._browser_watch import (
    MOST_NAVIGATIONS,
    Navigation,
    PageLimits,
    PageWatch,
    net_error,
    outcome_of_error,
)
from monitor.fetch.browser import BrowserWay
from monitor.fetch.http import ReceivedParts, SentRequest, complete_answer
from monitor.model import (
    Answer,
    AwaitedPart,
    Outcome,
    PageRequest,
    Reason,
    make_storable,
)

#: Names of elements must not stand in for properties of the document.
_OWN = "const own = (name) => Reflect.get(Document.prototype, name, document);"
_LOOK = """(() => {%s
const all = (css) => Document.prototype.querySelectorAll.call(document, css);
const seen = (one) => one.getClientRects().length > 0
  && one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
const awaited = %s;
const shown = (css) => [...all(css)].filter(seen);
const coming = awaited !== null && (shown(awaited.busy).length > 0
  || (shown(awaited.announced).length > 0
    && !shown(awaited.came).some((one) => one.textContent.trim())));
return {wall: %s.findIndex((css) => [...all(css)].some(seen)),
  ready: %s.some((css) => all(css).length), coming};
})()"""
_READ = """(() => {%s
const most = %d, root = own("documentElement"), type = own("doctype");
const tall = (one) => one ? Reflect.get(Element.prototype, "scrollHeight", one) : 0;
const html = (type ? new XMLSerializer().serializeToString(type) : "")
  + (root ? root.outerHTML : "");
return {html: html.slice(0, most).toWellFormed(), cut: html.length > most,
  lang: (root ? root.getAttribute("lang") || "" : "").slice(0, 100),
  height: Math.max(tall(root), tall(own("body")), innerHeight),
  kind: own("contentType"), url: location.href.slice(0, 8192)};
})()"""


@dataclass(frozen=True, slots=True)
class PageSigns:
    """Signs of a page before it is read."""

    wall: int  # which of the selectors of buttons is on a visible one; -1 is none
    ready: bool
    coming: bool  # a part that is loaded later was announced and is not there


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A document as it stands."""

    html: bytes = b""
    cut: bool = False
    lang: str = ""
    kind: str = ""
    url: str = ""
    height: int = 0  # CSS pixels


class World:
    """Evaluates what is written here, in the document that the main frame shows."""

    def __init__(self, session: CDPSession, frame: str) -> None:
        self._session, self._frame = session, frame
        self._open_context: tuple[str, int] = ("", 0)

    async def look_for_signs(
        self,
        document: str,
        walls: Sequence[str],
        ready: Sequence[str],
        awaited: AwaitedPart | None = None,
    ) -> PageSigns:
        """Look for buttons of walls, for signs of readiness and for a part that is to come."""
        part = awaited and {
            "announced": awaited.announced, "came": awaited.came, "busy": awaited.busy,
        }  # fmt: skip
        values = map(json.dumps, (part, list(walls), list(ready)))
        signs = await self._evaluate_expression(document, _LOOK % (_OWN, *values))
        return PageSigns(int(signs["wall"]), bool(signs["ready"]), bool(signs["coming"]))

    async def read(self, document: str, most: int) -> DocumentState:
        """Read the document, at most so many bytes of it."""
        document_state = await self._evaluate_expression(document, _READ % (_OWN, most))
        html = document_state["html"].encode("utf-8", "replace")
        return DocumentState(
            html[:most],
            bool(document_state["cut"]) or len(html) > most,
            str(document_state["lang"]),
            str(document_state["kind"]),
            str(document_state["url"]),
            int(document_state["height"]),
        )

    async def _evaluate_expression(self, document: str, expression: str) -> dict[str, Any]:
        """The value of an expression. Raises what Playwright raises when the page moves away."""
        if self._open_context[0] != document:
            world = await self._session.send("Page.createIsolatedWorld", {"frameId": self._frame})
            self._open_context = document, world["executionContextId"]
        try:
            number = self._open_context[1]
            asked = {"expression": expression, "contextId": number, "returnByValue": True}
            answer = await self._session.send("Runtime.evaluate", asked)
        except BaseException:
            self._open_context = "", 0
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ValueError(details.get("exception", details).get("description", "")[:500])
        value: dict[str, Any] = answer["result"]["value"]
        return value


_POLL = 0.1
_CLICK_SECONDS = 5.0
#: For what has to work at once in a page that is alive.
_PROMPT = 3.0
_READ_SECONDS = 8.0
_ROUNDS = 3
_SHOT_SECONDS = 5.0
#: What reached one of these limits holds no still picture, or one that takes very long.
_NO_PICTURE = ("document", "navigations", "popups")
_CLOSE_SECONDS = 5.0


class Lost(Exception):
    """The page or its browser died."""


class BrowserVisit:
    """One request and its page. Afterwards the fields hold the results."""

    def __init__(self, way: BrowserWay, opened: OpenedBrowser, request: PageRequest) -> None:
        self.way, self.opened, self.request = way, opened, request
        self.watch = PageWatch(PageLimits(way.most_bytes, way.most_page_bytes, way.most_requests))
        self.dom = DocumentState()
        self.document = Navigation()  # the one that was read
        self.screenshot = b""
        self.refused = ""  # why the browser did not open it
        self.download = False
        self.late = False  # not whole within the time
        self.stuck = False  # its scripts had to be ended so that it could be read
        self.consents: list[str] = []
        self.awaited_since: float | None = None  # loop's clock; of a part that is loaded later
        self.came = ""  # how that part fared
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Open and read. Raises Lost, and Playwright's Error for a region that does not exist."""
        work = asyncio.get_running_loop().create_task(self._open_and_read())
        ends = (self.watch.lost, self.opened.gone)
        either: set[asyncio.Future[Any]] = {work, *ends}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            lost = next((end.result() for end in ends if end.done()), "")
            if lost:
                raise Lost(lost)
            await work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _open_and_read(self) -> None:
        context = await self._open_context()
        try:
            page = await context.new_page()
            session = await self._follow_session(context, page)
            world = World(session, self.watch.main)
            self._start_task(self._stop_at_limit(context, session))
            try:
                async with asyncio.timeout(self.way.seconds):
                    answer = await session.send("Page.navigate", {"url": self.request.url})
                    self.refused = answer.get("errorText", "")
                    self.download = bool(answer.get("isDownload"))
                    if not self.refused:
                        await self._wait_until_ready(page, world)
            except TimeoutError:
                self.late = not self.watch.whole
            if self.watch.shown_id and not self.refused:
                await self._read_document(page, session, world)
        finally:
            await self._close_context(context)

    async def _open_context(self) -> BrowserContext:
        region = self.request.region
        return await self.opened.browser.new_context(
            timezone_id=region.timezone,
            geolocation={"latitude": region.latitude, "longitude": region.longitude},
            permissions=["geolocation"],
            viewport={"width": region.width, "height": region.height},
            service_workers="block",
            accept_downloads=False,
        )

    async def _follow_session(self, context: BrowserContext, page: Page) -> CDPSession:
        """A session whose events the watch takes note of."""
        session = await context.new_cdp_session(page)
        self.watch.listen_to(session)
        page.on("crash", lambda _: self.watch.mark_lost("the page's process died"))
        page.on("dialog", self._dismiss_dialog)
        page.on("download", self._refuse_download)
        context.on("page", self._dismiss_window)
        answers = await asyncio.gather(
            session.send("Page.getFrameTree"),
            session.send("Page.enable"),
            session.send("Network.enable"),
            session.send("Inspector.enable"),
            session.send("Emulation.setLocaleOverride", {"locale": self.request.region.locale}),
            session.send("Emulation.setUserAgentOverride", self._language_codes()),
        )
        self.watch.main = answers[0]["frameTree"]["frame"]["id"]
        return session

    def _language_codes(self) -> dict[str, str]:
        """The languages that the browser asks for; it writes their weights itself.

        Playwright would ask for that of the locale alone, whatever other header it is given.
        """
        weighted_languages = self.request.region.accept_language.split(",")
        languages = ",".join(language.partition(";")[0].strip() for language in weighted_languages)
        return {"userAgent": "", "acceptLanguage": languages}  # empty: its own name stays

    async def _wait_until_ready(self, page: Page, world: World) -> None:
        """Wait until the page can be read: whole, past the wall, its parts loaded and at rest.

        Parts that never load, and signs of readiness that never show, are waited for so long only.
        """
        loop, walls = asyncio.get_running_loop(), list(self.request.consent)
        limit = None
        while not (self.watch.over or self.watch.document.failure or self.watch.unreachable):
            if not self.watch.whole:
                await self.watch.wait_for_event(_POLL)
                continue
            limit = limit or loop.time() + self.way.patience
            if loop.time() > limit and (self.awaited_since is None or self.came):
                return
            with suppress(Error):  # it is moving on
                look = await world.look_for_signs(
                    self.watch.shown_id,
                    [css for _, css in walls],
                    self.request.ready,
                    self.request.awaited,
                )
                if look.wall >= 0:
                    await self._press_consent(page, world, *walls.pop(look.wall))
                    limit = None
                    continue
                ready = look.ready or not self.request.ready
                is_ready = ready and self.watch.loaded and self.watch.is_quiet(self.way.settle)
                is_begun = is_ready or self.awaited_since is not None
                is_awaited = is_begun and self._note_coming(loop.time(), is_coming=look.coming)
                if is_ready and not is_awaited:
                    return
            await self.watch.wait_for_event(min(_POLL, self.way.settle))

    def _note_coming(self, now: float, *, is_coming: bool) -> bool:
        """Note how the part that is loaded later fares; whether it is to be awaited further."""
        part = self.request.awaited
        if part is None:
            return False
        if not is_coming:
            if self.awaited_since is not None and not self.came:
                self.came = f"came after {now - self.awaited_since:.1f} s"
            return False
        self.awaited_since = now if self.awaited_since is None else self.awaited_since
        if now - self.awaited_since <= part.seconds:
            return True
        self.came = f"did not come within {part.seconds:g} s"
        return False

    async def _press_consent(self, page: Page, world: World, choice: str, css: str) -> None:
        """Press the button, and wait until it is gone or another document has come."""
        before = self.watch.navigations
        button = page.locator(f"css={css}").locator("visible=true").first
        try:
            await button.click(timeout=_CLICK_SECONDS * 1000)
        except Error:
            self.consents.append(f"{choice} (failed)")
            return
        self.consents.append(choice)
        limit = asyncio.get_running_loop().time() + _CLICK_SECONDS
        while self.watch.navigations == before and asyncio.get_running_loop().time() < limit:
            with suppress(Error):
                if (await world.look_for_signs(self.watch.shown_id, [css], ())).wall < 0:
                    return
            await self.watch.wait_for_event(_POLL)
        if self.watch.navigations == before:
            self.consents[-1] = f"{choice} (without effect)"

    async def _read_document(self, page: Page, session: CDPSession, world: World) -> None:
        """Take the document and its picture; once more where the page moved on meanwhile."""
        for _ in range(_ROUNDS):
            document_shown = self.watch.shown_id
            if self.watch.unreachable:
                self.document, self.dom = self.watch.document, DocumentState()
                return
            dom = await self._document_state(session, world)
            if dom is None and self.stuck:
                return
            if dom is None:
                continue
            self.dom, self.document = dom, self.watch.document
            screenshot = await self._take_picture(page, session)
            if document_shown == self.watch.shown_id:
                self.screenshot = screenshot
                return

    async def _document_state(self, session: CDPSession, world: World) -> DocumentState | None:
        """The document; its scripts are ended where they leave no time for that."""
        for _ in range(2):
            try:
                async with asyncio.timeout(_PROMPT if self.late else _READ_SECONDS):
                    return await world.read(self.watch.shown_id, self.way.most_bytes)
            except TimeoutError:
                self.stuck = True
                await self._end_scripts(session)
            except Error:  # the page moves on
                await self.watch.wait_for_event(_POLL)
        return None

    async def _take_picture(self, page: Page, session: CDPSession) -> bytes:
        """The whole page down to a limit; nothing where it cannot be had.

        Asking Chromium itself takes two thirds of the time that Playwright takes for it.
        """
        if not self.dom.html or self.dom.cut or self.watch.over in _NO_PICTURE:
            return b""
        height = min(self.dom.height, self.way.most_height)
        clip = {"x": 0, "y": 0, "width": self.request.region.width, "height": height, "scale": 1}
        options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_SHOT_SECONDS):
                if self.watch.popups:
                    await page.bring_to_front()
                answer = await session.send("Page.captureScreenshot", options)
                return b64decode(answer["data"])
        return b""

    async def _stop_at_limit(self, context: BrowserContext, session: CDPSession) -> None:
        """Stop a page that has reached a limit: nothing more comes in, nothing more runs."""
        await self.watch.excess.wait()
        await asyncio.gather(
            # without a network the next of many documents would be the browser's own page
            context.set_offline(self.watch.over != "navigations"),
            session.send("Page.stopLoading"),
            self._end_scripts(session),
            return_exceptions=True,
        )

    async def _end_scripts(self, session: CDPSession) -> None:
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_PROMPT):
                await asyncio.gather(
                    session.send("Emulation.setScriptExecutionDisabled", {"value": True}),
                    session.send("Runtime.terminateExecution"),
                )

    def _start_task(self, work: Coroutine[Any, Any, object]) -> None:
        async def quietly() -> None:
            with suppress(Error):
                await work

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _dismiss_dialog(self, dialog: Any) -> None:  # noqa: ANN401 - Playwright's Dialog
        self.watch.note_dialog()
        self._start_task(dialog.dismiss())

    def _dismiss_window(self, window: Page) -> None:
        self.watch.note_popup()
        self._start_task(window.close())

    def _refuse_download(self, _download: object) -> None:
        self.watch.downloads += 1

    async def _close_context(self, context: BrowserContext) -> None:
        """Close what was opened; a browser that cannot do so is given up."""
        for task in self._tasks:
            task.cancel()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await context.close()
        except TimeoutError:
            self.opened.mark_lost()
        except Error:  # it is closed
            pass


_PAGES = ("text/html", "application/xhtml+xml")
#: What the answer is judged by instead of its kind: its engine knows the status.
_FIRST_ERROR = 400
_NO_CONTENT = (204, 205)
_WEB = ("http:", "https:")
#: A page that sends its reader on and on, as a loop of redirections does.
_CIRCLE = "navigations"


def make_answer(visit: BrowserVisit, at: datetime) -> Answer:
    """The answer that a visit has led to; how long it took is for the caller to say."""
    document = visit.document if visit.dom.html else visit.watch.document
    whole = _receive_document(document, visit.dom.html, at)
    result = replace(
        whole,
        url=make_storable(visit.dom.url),
        screenshot=visit.screenshot,
        agent=visit.opened.agent,
        observed=_list_observations(visit),
    )
    if result.outcome is not Outcome.OK:
        return result
    outcome, reason, detail = _judge_visit(visit, document)
    return replace(result, outcome=outcome, reason=reason, detail=detail)


def _receive_document(document: Navigation, body: bytes, at: datetime) -> Answer:
    """As `received` makes it of any other answer: private headers dropped, stale ones told."""
    started = SentRequest(at, monotonic())
    if document.status is None:
        return Answer(Outcome.OK, at, 0.0, body=body)
    headers = [
        (name.encode("utf-8", "replace"), text.encode("utf-8", "replace"))
        for name, text in document.headers
    ]
    request = httpx.Request("GET", "http://localhost")  # the address is the document's own
    response = httpx.Response(document.status, headers=headers, request=request)
    return complete_answer(started, ReceivedParts(body, response))


def _judge_visit(visit: BrowserVisit, document: Navigation) -> tuple[Outcome, Reason, str]:
    # longer than a document may be, as it came or as its scripts have made it
    if visit.watch.over == "document" or visit.dom.cut:
        return Outcome.UNREADABLE, Reason.OVERSIZE, f"cut at {visit.way.most_bytes:,} bytes"
    for judge in (_judge_unopened, _judge_unfinished, _judge_unfit):
        verdict = judge(visit, document)
        if verdict is not None:
            return verdict
    return Outcome.OK, Reason.NONE, ""


def _judge_unopened(
    visit: BrowserVisit, document: Navigation
) -> tuple[Outcome, Reason, str] | None:
    """The browser showed nothing."""
    kind = document.kind or "unknown"
    if visit.download:
        return Outcome.UNREADABLE, Reason.MALFORMED, f"a download ({kind}) in the place of a page"
    if document.status in _NO_CONTENT:
        return Outcome.OK, Reason.NONE, ""
    name = net_error(visit.refused)
    if name:
        return *outcome_of_error(name), name
    if visit.watch.unreachable:
        name = document.failure or "ERR_FAILED"
        return *outcome_of_error(name), name
    return None


def _judge_unfinished(
    visit: BrowserVisit, document: Navigation
) -> tuple[Outcome, Reason, str] | None:
    """The document is not all of it."""
    watch, way = visit.watch, visit.way
    if watch.over == _CIRCLE:
        detail = f"it went on to another page more than {MOST_NAVIGATIONS} times"
        return Outcome.FAILED, Reason.REFUSED, detail
    if visit.late and not watch.shown_id:
        return Outcome.TIMEOUT, Reason.NONE, f"no page within {way.seconds:g} s"
    if document.failure and not watch.over:
        return *outcome_of_error(document.failure), document.failure
    if visit.late or visit.stuck:
        what = "its scripts left no time to read it" if visit.stuck else "not whole"
        return Outcome.TIMEOUT, Reason.NONE, f"{what} within {way.seconds:g} s"
    if not visit.dom.html:
        return Outcome.FAILED, Reason.TRUNCATED, "it went on to other pages while it was read"
    return None


def _judge_unfit(visit: BrowserVisit, document: Navigation) -> tuple[Outcome, Reason, str] | None:
    """Return the verdict for a document that is no page of the web."""
    if not visit.dom.url.startswith(_WEB):
        detail = f"it went on to {visit.dom.url[:80]!r}"
        return Outcome.UNREADABLE, Reason.MALFORMED, detail
    if visit.dom.kind not in _PAGES and (document.status or 0) < _FIRST_ERROR:
        detail = f"{visit.dom.kind[:80]!r} in the place of a page"
        return Outcome.UNREADABLE, Reason.MALFORMED, detail
    return None


def _list_observations(visit: BrowserVisit) -> tuple[tuple[str, str], ...]:
    watch, region = visit.watch, visit.request.region
    facts = {
        "bytes": str(watch.bytes),
        "consent": ", ".join(visit.consents) or "none",
        "dialogs": str(watch.dialogs),
        "downloads": str(watch.downloads),
        "lang": make_storable(visit.dom.lang),
        "loaded": "yes" if watch.loaded else "no",
        "navigations": str(watch.navigations),
        "popups": str(watch.popups),
        "redirects": str(watch.redirects),
        "requests": str(watch.requests),
        "screenshot": "yes" if visit.screenshot else "no",
        "stopped": watch.over or ("scripts" if visit.stuck else "no"),
        "viewport": f"{region.width}x{region.height}",
    }
    if visit.request.awaited:
        facts[visit.request.awaited.name] = visit.came or "none announced"
    return tuple(sorted(facts.items()))
