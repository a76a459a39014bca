"""Browsers that open pages, with their X servers: started on demand, replaced after use or a crash.

A browser, its driver and its display start and end together.
"""

import asyncio
import logging
import os
import select
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from playwright.async_api import Browser, Playwright, ProxySettings, async_playwright
from playwright.async_api import Error as PlaywrightError

_DISPLAY_START_SECONDS = 10.0
_DISPLAY_STOP_SECONDS = 5.0
#: A browser looks at the display and lets it go before it opens its window, hence the seconds.
_OPTIONS = "-screen 0 2560x1600x24 -nolisten tcp -terminate 10".split()


class Display:
    """A running Xvfb. Raises OSError when it does not start.

    It ends with the last program that it shows, so that nothing is left when this process is
    killed.
    """

    def __init__(self, xvfb: Path) -> None:
        read_end, write_end = os.pipe()
        try:
            command = [str(xvfb), "-displayfd", str(write_end), *_OPTIONS]
            self._process = subprocess.Popen(  # noqa: S603 - a program that `chromium` found
                command,
                pass_fds=(write_end,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for us
            )
            os.close(write_end)
            write_end = -1
            self.name = self._read_name(read_end)
        finally:
            os.close(read_end)
            if write_end >= 0:
                os.close(write_end)

    def _read_name(self, pipe: int) -> str:
        """The display's name, once the server has written its number."""
        ready, _, _ = select.select([pipe], [], [], _DISPLAY_START_SECONDS)
        number = os.read(pipe, 16).strip() if ready else b""
        if not number.isdigit():
            self.close()
            raise OSError("Xvfb did not start")
        return f":{number.decode()}"

    def close(self) -> None:
        """Stop the server."""
        self._process.terminate()
        try:
            self._process.wait(_DISPLAY_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_log = logging.getLogger(__name__)

_START_SECONDS = 30.0
_STARTS = 6
#: Seconds before another try: what made it end may be over then.
_BETWEEN_STARTS = 0.5
_STOP_SECONDS = 10.0
_ARGUMENTS = (
    # with a process per site, what frames of other sites load would be seen by nobody; there are
    # no cookies and no passwords to keep from each other
    "--disable-site-isolation-trials",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
#: The exit is recorded, so it is named in the settings only and not taken from the environment.
_DIRECT = ("--no-proxy-server",)
#: Playwright lets every page open windows; people's browsers do not.
_NOT_WANTED = ("--disable-popup-blocking",)


class LaunchOptions(TypedDict):
    """The options with which a fetcher starts every browser."""

    proxy: ProxySettings | None
    chromium_sandbox: bool


@dataclass(eq=False)
class OpenedBrowser:
    """A running browser."""

    playwright: Playwright
    browser: Browser
    display: Display | None
    agent: tuple[tuple[str, str], ...]
    pages: int = 0  # opened so far
    users: int = 0
    retired: bool = False
    gone: "asyncio.Future[str]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def mark_lost(self) -> None:
        """It has ended by itself, or does not answer any more."""
        self.retired = True
        if not self.gone.done():
            self.gone.set_result("the browser died")

    async def close(self) -> None:
        """End it, its driver and its display; what hangs is left to the driver's end."""
        self.retired = True
        for step in (self.browser.close, self.playwright.stop):
            # whatever it says: the driver may be dead already, and then so is the browser
            with suppress(Exception):
                async with asyncio.timeout(_STOP_SECONDS):
                    await step()
        if self.display:
            await asyncio.to_thread(self.display.close)


class BrowserPool:
    """At most one browser that takes new pages for each way of showing them."""

    def __init__(
        self,
        executables: Callable[[bool], tuple[Path, Path | None]],
        launch: LaunchOptions,
        most: int,
    ) -> None:
        """`executables` gives browser and Xvfb; `most` is how many pages one browser opens."""
        self._executables, self._launch, self._most = executables, launch, most
        self._current: dict[bool, OpenedBrowser] = {}
        self._locks = {False: asyncio.Lock(), True: asyncio.Lock()}
        self._all: set[OpenedBrowser] = set()
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def lease_browser(self, *, headed: bool) -> AsyncIterator[OpenedBrowser]:
        """A browser for one page. Raises what a start raises."""
        async with self._locks[headed]:
            opened = self._current.get(headed)
            if opened is None or opened.retired:
                opened = self._current[headed] = await self._start_shielded(headed=headed)
            opened.users += 1
            opened.pages += 1
            opened.retired = opened.retired or opened.pages >= self._most
        try:
            yield opened
        finally:
            opened.users -= 1
            if opened.retired and not opened.users:
                task = asyncio.get_running_loop().create_task(self._end_browser(opened))
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End every browser."""
        await asyncio.gather(*self._closing, *map(self._end_browser, list(self._all)))

    async def _end_browser(self, opened: OpenedBrowser) -> None:
        if opened in self._all:
            self._all.discard(opened)
            await opened.close()

    async def _start_shielded(self, *, headed: bool) -> OpenedBrowser:
        """Start a browser; whoever goes away meanwhile leaves none behind."""
        starting = asyncio.get_running_loop().create_task(self._start_browser(headed=headed))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait({starting})
            raise

    async def _start_browser(self, *, headed: bool) -> OpenedBrowser:
        """Start a browser; one with a window that ends at once, as some do, on a new display."""
        for _ in range(_STARTS - 1 if headed else 0):
            try:
                return await self._started_browser(headed=headed)
            except PlaywrightError as error:
                _log.warning("browser ended at its start", extra={"why": str(error)[:200]})
                await asyncio.sleep(_BETWEEN_STARTS)
        return await self._started_browser(headed=headed)

    async def _started_browser(self, *, headed: bool) -> OpenedBrowser:
        executable, xvfb = await asyncio.to_thread(self._executables, headed)
        display = await asyncio.to_thread(Display, xvfb) if xvfb else None
        playwright = None
        try:
            async with asyncio.timeout(_START_SECONDS):
                playwright = await async_playwright().start()
                browser = await playwright.chromium.launch(
                    executable_path=executable,
                    headless=display is None,
                    args=[*_ARGUMENTS, *(() if self._launch["proxy"] else _DIRECT)],
                    ignore_default_args=list(_NOT_WANTED),
                    env={**os.environ, "DISPLAY": display.name} if display else None,
                    # Ctrl-C lets us finish what is in flight
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                    timeout=_START_SECONDS * 1000,
                    **self._launch,
                )
                session = await browser.new_browser_cdp_session()
                answer = await session.send("Browser.getVersion")
                await session.detach()
        except BaseException:
            if playwright:
                with suppress(Exception):
                    await playwright.stop()
            if display:
                display.close()
            raise
        agent = (
            ("browser", str(answer["product"])),
            ("playwright", version("playwright")),
            ("shown", "headed" if headed else "headless"),
            ("user_agent", str(answer["userAgent"])),
        )
        opened = OpenedBrowser(playwright, browser, display, agent)
        browser.on("disconnected", lambda _: opened.mark_lost())
        if not browser.is_connected():
            opened.mark_lost()
        self._all.add(opened)
        _log.info("browser started", extra={"browser": dict(agent)})
        return opened
