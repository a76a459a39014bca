"""One page in one fresh context: opened, past its consent wall, read, and what was seen of it."""

import asyncio
from base64 import b64decode
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from monitor.fetch._browser_pool import Opened
from monitor.fetch._browser_watch import Document, Limits, Watch
from monitor.fetch._browser_world import Dom, World
from monitor.fetch.browser import BrowserWay
from monitor.model import PageRequest

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


class Visit:
    """What one request leads to. Afterwards the fields say what came of it."""

    def __init__(self, way: BrowserWay, opened: Opened, request: PageRequest) -> None:
        self.way, self.opened, self.request = way, opened, request
        self.watch = Watch(Limits(way.most_bytes, way.most_page_bytes, way.most_requests))
        self.dom = Dom()
        self.document = Document()  # the one that was read
        self.screenshot = b""
        self.refused = ""  # why the browser did not open it
        self.download = False
        self.late = False  # not whole within the time
        self.stuck = False  # its scripts had to be ended so that it could be read
        self.consents: list[str] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Open and read. Raises Lost, and Playwright's Error for a region that does not exist."""
        work = asyncio.get_running_loop().create_task(self._work())
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

    async def _work(self) -> None:
        context = await self._context()
        try:
            page = await context.new_page()
            session = await self._followed(context, page)
            world = World(session, self.watch.main)
            self._start(self._guard(context, session))
            try:
                async with asyncio.timeout(self.way.seconds):
                    if await self._open(session):
                        await self._prepare(page, world)
            except TimeoutError:
                self.late = not self.watch.whole
            if self.watch.shown and not self.refused:
                await self._read(page, session, world)
        finally:
            await self._close(context)

    async def _context(self) -> BrowserContext:
        region = self.request.region
        return await self.opened.browser.new_context(
            timezone_id=region.timezone,
            geolocation={"latitude": region.latitude, "longitude": region.longitude},
            permissions=["geolocation"],
            viewport={"width": region.width, "height": region.height},
            service_workers="block",
            accept_downloads=False,
        )

    async def _followed(self, context: BrowserContext, page: Page) -> CDPSession:
        """A session whose events the watch takes note of."""
        session = await context.new_cdp_session(page)
        self.watch.listen(session)
        page.on("crash", lambda _: self.watch.lose("the page's process died"))
        page.on("dialog", self._dismiss)
        page.on("download", self._refuse)
        context.on("page", self._dismiss_window)
        said = await asyncio.gather(
            session.send("Page.getFrameTree"),
            session.send("Page.enable"),
            session.send("Network.enable"),
            session.send("Inspector.enable"),
            session.send("Emulation.setLocaleOverride", {"locale": self.request.region.locale}),
            session.send("Emulation.setUserAgentOverride", self._languages()),
        )
        self.watch.main = said[0]["frameTree"]["frame"]["id"]
        return session

    def _languages(self) -> dict[str, str]:
        """The languages that the browser asks for; it writes their weights itself.

        Playwright would ask for that of the locale alone, whatever other header it is given.
        """
        wanted = self.request.region.accept_language.split(",")
        languages = ",".join(one.partition(";")[0].strip() for one in wanted)
        return {"userAgent": "", "acceptLanguage": languages}  # empty: its own name stays

    async def _open(self, session: CDPSession) -> bool:
        """Go there; whether there is a document to wait for."""
        said = await session.send("Page.navigate", {"url": self.request.url})
        self.refused, self.download = said.get("errorText", ""), bool(said.get("isDownload"))
        return not self.refused

    async def _prepare(self, page: Page, world: World) -> None:
        """Wait until the page can be read: whole, past the wall, its parts loaded and at rest.

        Parts that never load, and signs of readiness that never show, are waited for so long only.
        """
        loop, walls = asyncio.get_running_loop(), list(self.request.consent)
        limit = None
        while not (self.watch.over or self._broken()):
            if not self.watch.whole:
                await self.watch.wait(_POLL)
                continue
            limit = limit or loop.time() + self.way.patience
            if loop.time() > limit:
                return
            with suppress(Error):  # it is moving on
                look = await world.look(
                    self.watch.shown, [css for _, css in walls], self.request.ready
                )
                if look.wall >= 0:
                    await self._consent(page, world, *walls.pop(look.wall))
                    limit = None
                    continue
                ready = look.ready or not self.request.ready
                if ready and self.watch.loaded and self.watch.quiet(self.way.settle):
                    return
            await self.watch.wait(min(_POLL, self.way.settle))

    def _broken(self) -> bool:
        """Whether the connection ended within the document, so that it will never be whole."""
        return bool(self.watch.document.failure) or self.watch.unreachable

    async def _consent(self, page: Page, world: World, choice: str, css: str) -> None:
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
                if (await world.look(self.watch.shown, [css], ())).wall < 0:
                    return
            await self.watch.wait(_POLL)
        if self.watch.navigations == before:
            self.consents[-1] = f"{choice} (without effect)"

    async def _read(self, page: Page, session: CDPSession, world: World) -> None:
        """Take the document and its picture; once more where the page moved on meanwhile."""
        for _ in range(_ROUNDS):
            shown = self.watch.shown
            if self.watch.unreachable:
                self.document, self.dom = self.watch.document, Dom()
                return
            dom = await self._dom(session, world)
            if dom is None and self.stuck:
                return
            if dom is None:
                continue
            self.dom, self.document = dom, self.watch.document
            screenshot = await self._picture(page, session)
            if shown == self.watch.shown:
                self.screenshot = screenshot
                return

    async def _dom(self, session: CDPSession, world: World) -> Dom | None:
        """The document; its scripts are ended where they leave no time for that."""
        for _ in range(2):
            try:
                async with asyncio.timeout(_PROMPT if self.late else _READ_SECONDS):
                    return await world.read(self.watch.shown, self.way.most_bytes)
            except TimeoutError:
                self.stuck = True
                await self._end_scripts(session)
            except Error:  # the page moves on
                await self.watch.wait(_POLL)
        return None

    async def _picture(self, page: Page, session: CDPSession) -> bytes:
        """The whole page down to a limit; nothing where it cannot be had.

        Asking Chromium itself takes two thirds of the time that Playwright takes for it.
        """
        if not self.dom.html or self.dom.cut or self.watch.over in _NO_PICTURE:
            return b""
        height = min(self.dom.height, self.way.most_height)
        clip = {"x": 0, "y": 0, "width": self.request.region.width, "height": height, "scale": 1}
        asked = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_SHOT_SECONDS):
                if self.watch.popups:
                    await page.bring_to_front()
                said = await session.send("Page.captureScreenshot", asked)
                return b64decode(said["data"])
        return b""

    async def _guard(self, context: BrowserContext, session: CDPSession) -> None:
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

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        async def quietly() -> None:
            with suppress(Error):
                await work

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _dismiss(self, dialog: Any) -> None:  # noqa: ANN401 - Playwright's Dialog
        self.watch.dialog()
        self._start(dialog.dismiss())

    def _dismiss_window(self, window: Page) -> None:
        self.watch.popup()
        self._start(window.close())

    def _refuse(self, _download: object) -> None:
        self.watch.downloads += 1

    async def _close(self, context: BrowserContext) -> None:
        """Close what was opened; a browser that cannot do so is given up."""
        for task in self._tasks:
            task.cancel()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await context.close()
        except TimeoutError:
            self.opened.lose()
        except Error:  # it is closed
            pass
