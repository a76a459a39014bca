"""Collecting result pages beside a bare Playwright loop that makes the same contexts and pictures.

Both open the same page of four requests, as many at a time, in the same browser; the bare loop
keeps nothing. The server is a process of its own. Rounds alternate, so that the load of the
machine meets both; both start and end their browser within the time that is taken.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import async_playwright

from monitor.fetch import chromium
from monitor.fetch.browser import BrowserFetcher, BrowserWay
from monitor.model import Outcome, PageRequest, Region

PAGES = 60
IN_FLIGHT = 4
ROUNDS = 5
BAR = 0.80
HERE = Path(__file__).parent.parent
REGION = Region(
    "us", "US", "en", "en-US", "America/Chicago", "en-US,en;q=0.9", 30.27, -97.74
)  # fmt: skip
SERVER = """
import sys
from tests.standins import serve
from tests.standins.sites import Site
with serve(Site()) as running:
    print(running.url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def loopback():
    """Yields the address of a site that ends with this block."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE,
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


def addresses(url: str) -> list[str]:
    return [f"{url}/result?q={number}" for number in range(PAGES)]


async def _bare(url: str) -> None:
    waiting = iter(addresses(url))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find())

        async def visit() -> None:
            for address in waiting:
                context = await browser.new_context(
                    locale=REGION.locale,
                    timezone_id=REGION.timezone,
                    geolocation={"latitude": REGION.latitude, "longitude": REGION.longitude},
                    permissions=["geolocation"],
                    viewport={"width": REGION.width, "height": REGION.height},
                    extra_http_headers={"Accept-Language": REGION.accept_language},
                    service_workers="block",
                    accept_downloads=False,
                )
                page = await context.new_page()
                answer = await page.goto(address)
                assert answer is not None
                assert answer.ok
                await page.screenshot(full_page=True)
                await context.close()

        await asyncio.gather(*(visit() for _ in range(IN_FLIGHT)))
        await browser.close()


def _ours(url: str) -> None:
    way = BrowserWay(in_flight=IN_FLIGHT)
    asked = (
        PageRequest(address, REGION, (("reject", "#reject"), ("accept", "#accept")), ("#search",))
        for address in addresses(url)
    )
    answers = [answer for _, answer in BrowserFetcher(way).fetch(asked)]
    assert len(answers) == PAGES
    for answer in answers:
        assert answer.outcome is Outcome.OK, answer
        assert answer.body.endswith(b"</html>")
        assert answer.screenshot
        assert dict(answer.observed)["requests"] == "4"


def rates() -> tuple[list[float], list[float]]:
    """(ours, bare) in pages a second, a pair per round."""
    ours, bare = [], []
    with loopback() as url:
        asyncio.run(_bare(url))
        for _ in range(ROUNDS):
            started = time.perf_counter()
            asyncio.run(_bare(url))
            bare.append(PAGES / (time.perf_counter() - started))
            started = time.perf_counter()
            _ours(url)
            ours.append(PAGES / (time.perf_counter() - started))
    return ours, bare


def result() -> tuple[float, float, float]:
    """(ours, bare, ratio): medians; the ratio is the median of the rounds' own."""
    ours, bare = rates()
    ratio = statistics.median(o / b for o, b in zip(ours, bare, strict=True))
    return statistics.median(ours), statistics.median(bare), ratio


if __name__ == "__main__":
    mine, reference, share = result()
    print(
        f"{PAGES} pages, {IN_FLIGHT} at a time: collecting {mine:.2f}/s, "
        f"bare Playwright loop {reference:.2f}/s: {share:.1%} (bar {BAR:.0%})"
    )
