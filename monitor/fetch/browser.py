"""Pages opened in a real Chromium, each in a fresh context without cookies or storage.

Requests for pages become answers as they are read: the document after its scripts have run, a
picture of it, and the events of the browser. The browser identifies itself; nothing is hidden and
no puzzle is solved. The caller decides when a request may leave (`lanes.py`); the engine decides
what a page means. Chromium is that of a setting, of Playwright, or of the system.
"""

import asyncio
import importlib.util
import json
import os
import re
import shutil
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from monitor.addresses import is_web
from monitor.fetch.http import yield_answers
from monitor.model import (
    Answer,
    InvalidInput,
    MissingPart,
    Outcome,
    PageRequest,
    Pause,
    Reason,
    Request,
)

_HEADLESS_ONLY = ("chromium-headless-shell",)
_FULL = ("chromium", "chromium-browser", "google-chrome")
#: Playwright's name of a build, and what its executable is called there.
_OWN_HEADLESS = ("chromium-headless-shell", ("headless_shell", "chrome-headless-shell"))
_OWN_FULL = ("chromium", ("chrome", "Chromium", "Google Chrome for Testing"))


def find_chromium(setting: str = "", *, headed: bool = False) -> Path:
    """The executable to start. `setting` is what MONITOR_CHROMIUM says, or empty.

    A headless shell has no window, so that only a full browser will do for `headed`. Raises
    MissingPart.
    """
    if setting:
        return _chromium_of_setting(setting, headed=headed)
    names = _FULL if headed else _HEADLESS_ONLY + _FULL
    of_system = (Path(path) for name in names if (path := shutil.which(name)))
    executable = _chromium_of_playwright(headed=headed) or next(of_system, None)
    if executable is None:
        what, package = "Chromium", "chromium-headless-shell"
        if headed:
            what, package = "a full Chromium", "chromium xvfb"
        raise MissingPart(
            f"result pages need {what}, and there is none: apt-get install {package}, or name one "
            "in MONITOR_CHROMIUM"
        )
    return executable


def find_xvfb() -> Path:
    """The X server without a screen that browsers with a window run in. Raises MissingPart."""
    executable = shutil.which("Xvfb")
    if executable is None:
        raise MissingPart("a browser with a window needs Xvfb: apt-get install xvfb")
    return Path(executable)


def _chromium_of_setting(setting: str, *, headed: bool) -> Path:
    path = shutil.which(setting)  # a path with a slash is taken as it is
    if path is None:
        raise MissingPart(f"MONITOR_CHROMIUM={setting!r} is no program that can be started")
    if headed and any("headless" in name for name in (Path(path).name, Path(path).resolve().name)):
        raise MissingPart(
            f"MONITOR_CHROMIUM={setting!r} is a browser without a window, and this engine needs "
            "one with: apt-get install chromium xvfb, and name that"
        )
    return Path(path)


def _chromium_of_playwright(*, headed: bool) -> Path | None:
    """The build that `playwright install` has put here, of the revision that Playwright wants.

    Asking Playwright itself would mean to start its driver.
    """
    spec = importlib.util.find_spec("playwright")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent / "driver" / "package"
    folder = _browsers_folder(package)
    if not folder.is_dir():
        return None
    revisions = _read_revisions(package / "browsers.json")
    for build, executables in (_OWN_FULL,) if headed else (_OWN_HEADLESS, _OWN_FULL):
        build_folder = folder / f"{build.replace('-', '_')}-{revisions.get(build, '')}"
        for name in executables:
            for path in sorted(build_folder.glob(f"**/{name}")):
                if path.is_file() and os.access(path, os.X_OK):
                    return path
    return None


def _browsers_folder(package: Path) -> Path:
    setting = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if setting == "0":  # beside the driver
        return package / ".local-browsers"
    if setting:
        return Path(setting)
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache else Path.home() / ".cache") / "ms-playwright"


def _read_revisions(path: Path) -> dict[str, str]:
    """{build: revision}; empty where Playwright no longer says so there."""
    try:
        builds = json.loads(path.read_bytes())["browsers"]
        return {str(build["name"]): str(build["revision"]) for build in builds}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


if TYPE_CHECKING:
    from playwright.async_api import ProxySettings

    from monitor.fetch._browser_pool import BrowserPool

#: What Playwright complains of when a region does not exist on this earth.
_REGION = re.compile("timezone|locale|latitude|longitude|viewport", re.IGNORECASE)
_PROXIES = ("http", "https", "socks5")


@dataclass(frozen=True, slots=True)
class BrowserWay:
    """Limits, browser and proxy with which this machine opens pages."""

    seconds: float = 60.0  # until a page is whole and has come to rest
    patience: float = 10.0  # for parts and signs of readiness, once the document is whole
    settle: float = 0.1  # without any news before a page is read
    most_bytes: int = 8 * 2**20  # of the document
    most_page_bytes: int = 32 * 2**20  # of the document and all its parts, unpacked
    most_requests: int = 500  # for one page
    most_height: int = 8_000  # of the picture, CSS pixels
    pages: int = 50  # that one browser opens before another takes its place
    in_flight: int = 8  # pages that are open at the same time
    proxy: str = ""
    exit: str = "direct"  # the name under which the exit is recorded
    chromium: str = ""  # the executable; empty: found
    sandbox: bool = False  # Chromium's own, which refuses to work as root

    @property
    def proxy_settings(self) -> "ProxySettings | None":
        """The proxy as Playwright wants it. Raises InvalidInput, and never shows a password."""
        if not self.proxy:
            return None
        try:
            parts = urlsplit(self.proxy)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or not port or parts.scheme not in _PROXIES:
            raise InvalidInput(
                "MONITOR_PROXY: must be http://host:port, https://host:port or socks5://host:port"
            )
        if parts.username and parts.scheme == "socks5":
            raise InvalidInput("MONITOR_PROXY: Chromium cannot give a password to a SOCKS proxy")
        address = f"[{host}]" if ":" in host else host
        settings: ProxySettings = {"server": f"{parts.scheme}://{address}:{port}"}
        if parts.username:
            settings["username"] = unquote(parts.username)
            settings["password"] = unquote(parts.password or "")
        return settings


def find_executables(setting: str, headed: bool) -> tuple[Path, Path | None]:
    """Browser, and the X server that it needs. Raises MissingPart where one is not here.

    `setting` is what MONITOR_CHROMIUM says, or empty.
    """
    executable = find_chromium(setting, headed=headed)
    return executable, find_xvfb() if headed else None


class BrowserFetcher:
    """A fetcher over Playwright. Each call of `fetch` has browsers and a loop of its own."""

    def __init__(self, way: BrowserWay | None = None) -> None:
        self._way = way or BrowserWay()

    def _pool(self) -> "BrowserPool":
        from monitor.fetch._browser_pool import BrowserPool, LaunchOptions  # noqa: PLC0415 - playwright is heavy

        launch = LaunchOptions(proxy=self._way.proxy_settings, chromium_sandbox=self._way.sandbox)
        return BrowserPool(partial(find_executables, self._way.chromium), launch, self._way.pages)

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of arrival."""
        pool = self._pool()
        with asyncio.Runner() as runner:
            room = asyncio.Semaphore(self._way.in_flight)
            try:
                yield from yield_answers(
                    runner, requests, PageRequest, partial(self._answer_request, pool, room)
                )
            finally:
                runner.run(pool.close())

    async def _answer_request(
        self, pool: "BrowserPool", room: asyncio.Semaphore, request: PageRequest
    ) -> Answer:
        """Answer one request. Never raises: what a page does is an outcome."""
        async with room:
            asked_at, clock = datetime.now(UTC), monotonic()
            try:
                answer = await self._visit_page(pool, request, asked_at)
            except Exception as error:  # noqa: BLE001 - no page is a reason to end a run
                detail = _describe_error(error)
                answer = Answer(Outcome.FAILED, asked_at, 0.0, Reason.EXCEPTION, detail)
            took, url = monotonic() - clock, answer.url or request.url
            return replace(answer, took=took, egress=self._way.exit, url=url)

    async def _visit_page(self, pool: "BrowserPool", request: PageRequest, at: datetime) -> Answer:
        from playwright.async_api import Error  # noqa: PLC0415 - see above

        from monitor.fetch._browser_visit import BrowserVisit, Lost, make_answer  # noqa: PLC0415

        refused = Answer(Outcome.FAILED, at, 0.0, Reason.REFUSED)
        if not is_web(request.url):
            return replace(refused, detail=f"{request.url[:200]!r} is no address of the web")
        try:
            async with pool.lease_browser(headed=request.headed) as opened:
                visit = BrowserVisit(self._way, opened, request)
                try:
                    await visit.run()
                except Lost as lost:
                    return replace(
                        make_answer(visit, at),
                        outcome=Outcome.FAILED,
                        reason=Reason.CRASHED,
                        detail=str(lost),
                    )
                except Error as error:
                    if _REGION.search(str(error)):
                        return replace(refused, detail=_error_message(error))
                    opened.mark_lost()
                    return replace(refused, reason=Reason.CRASHED, detail=_error_message(error))
                return make_answer(visit, at)
        except (Error, OSError, TimeoutError) as error:  # it did not start
            return replace(
                refused, reason=Reason.CRASHED, detail=f"no browser: {_error_message(error)}"
            )


def _error_message(error: Exception) -> str:
    """Return the message of the browser in one line, without its call log."""
    message = re.split(r"\n(?:Call log|Browser logs):", str(error), maxsplit=1)[0]
    return f"{type(error).__name__}: {' '.join(message.split())}"[:500]


def _describe_error(error: Exception) -> str:
    if isinstance(error, MissingPart):
        return str(error)
    return "".join(traceback.format_exception(error, limit=-4))
