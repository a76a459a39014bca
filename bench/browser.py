"""Collecting result pages beside a bare Playwright loop that makes the same contexts and pictures.

Both open the same page of four requests, as many at a time, in the same browser. The bare loop
keeps nothing; ours stores every page and picture in a database, and starts and ends its browser
within the time that is taken, as the bare loop does. The server is a process of its own. Rounds
alternate, so that the load of the machine meets both.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.async_api import async_playwright

from bench._size import size
from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch import browser as chromium
from monitor.fetch.browser import BrowserWay
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import Region, RunKind
from monitor.store import migrations
from monitor.store.database import connect
from tests.factories import make_job, make_list

PAGES = size(60, 4)
IN_FLIGHT = 4
ROUNDS = size(5, 1)
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
        browser = await playwright.chromium.launch(executable_path=chromium.find_chromium())

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


def _job(folder: Path, url: str):
    """A job that asks for the page of the site, as often as the bare loop opens it."""
    items = [{"key": f"q{n}", "text": str(n), "occupation": str(n)} for n in range(PAGES)]
    make_list(folder, items=items, cue="people")
    config = {
        "url": f"{url}/result?q={{query}}",
        "result": "div.g",
        "title": "h3",
        "link": "h3 a",
        "over": "browser",
        "reject": "#reject",
    }
    engine = {"name": "selectors", "regions": ["us-en"], "in_flight": IN_FLIGHT, "pace": 1000}
    measure = {"name": "c_ratio_bias", "block": "organic", "references": ["parity"]}
    return load_audit(make_job(folder, engines=[engine | {"config": config}], measures=[measure]))


def _ours(url: str) -> float:
    """Collects through the pipeline: every page with its picture is stored before the next."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
        migrations.upgrade(database)
        audit = _job(folder, url)
        run = pipeline.start(database, audit, RunKind.MANUAL, datetime.now(UTC))
        outside = Outside(folder, 1, Way(), BrowserWay(in_flight=IN_FLIGHT))
        started = time.perf_counter()
        pipeline.ask(database, audit, run, outside, lambda *_: None)
        spent = time.perf_counter() - started
        with database.read() as connection:
            stored = connection.exec_driver_sql(
                "SELECT COUNT(*) FROM exchanges WHERE outcome = 'ok' AND screenshot_id IS NOT NULL "
                "AND body_id IS NOT NULL"
            ).scalar()
        database.close()
    assert stored == PAGES, stored
    return spent


def rates() -> tuple[list[float], list[float]]:
    """(ours, bare) in pages a second, a pair per round."""
    ours, bare = [], []
    with loopback() as url:
        asyncio.run(_bare(url))
        for _ in range(ROUNDS):
            started = time.perf_counter()
            asyncio.run(_bare(url))
            bare.append(PAGES / (time.perf_counter() - started))
            ours.append(PAGES / _ours(url))
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
