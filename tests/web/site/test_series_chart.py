"""The page of a series in a real browser: where its chart stands, and the one that scripts draw."""

import threading
import time
from zoneinfo import ZoneInfo

import pytest
import uvicorn

from monitor.fetch import browser as chromium
from monitor.model import MissingPart
from monitor.store.changes import series
from monitor.store.changes.series import Filters
from monitor.web.site.app import build_application
from monitor.web.site.site_state import Access, EntryRule, Site


@pytest.fixture
def served(sqlite_archive, clock):
    """The address of the pages of an archive, served to this machine."""
    site = Site(sqlite_archive, ZoneInfo("UTC"),
                Access(EntryRule.LOCAL, frozenset({"127.0.0.1"})), clock)  # fmt: skip
    config = uvicorn.Config(
        build_application(site, {}, None), port=0, log_level="error", lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def browser():
    try:
        program = chromium.find_chromium()
    except MissingPart as missing:
        pytest.skip(str(missing))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(program), args=["--no-sandbox"])
        yield opened
        opened.close()


def test_the_interactive_chart_draws_under_our_policy(sqlite_archive, served, browser):
    with sqlite_archive.read() as connection:
        one = series.find_single(
            connection,
            Filters(engine="libretranslate(base_url=http://two.test)", quantity="f_s"),
        )
    page = browser.new_page(viewport={"width": 1100, "height": 1000})
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served}/series/{one.id}")
    assert not [url for url in asked if "vega" in url]  # nothing of it before it is opened

    page.click("#interactive summary")
    canvas = page.locator("#interactive canvas")
    canvas.wait_for()
    page.wait_for_function("document.querySelector('#interactive .status').textContent"
                           ".startsWith('Mark')")  # fmt: skip
    page.locator("#interactive").scroll_into_view_if_needed()
    box = canvas.bounding_box()
    inked = page.evaluate(
        """() => { const canvas = document.querySelector('#interactive canvas');
        const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let n = 0; for (let i = 3; i < all.length; i += 4) n += all[i] > 0; return n; }"""
    )
    assert inked > 1000
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 150, steps=5)
    page.mouse.up()
    link = page.locator("#interactive .status a")
    link.wait_for()
    assert link.get_attribute("href") == f"/series/{one.id}?from=4&to=7#pair"
    link.click()
    page.wait_for_selector("#flips")
    assert "+45\u00a0points" in page.inner_text("main")
    assert [url for url in asked if "/static/vega/vega.min.js?" in url]
    assert {url.split("/")[2] for url in asked} == {served.split("/")[2]}
    assert said == []


@pytest.mark.parametrize(("width", "height", "most"), [(1280, 900, 500), (390, 844, 700)])
def test_the_chart_is_seen_at_once_and_whole(sqlite_archive, served, browser, width, height, most):
    with sqlite_archive.read() as connection:
        numbers = [one.id for one in series.find_series(connection, Filters(list="feelings"))][:12]
    page = browser.new_page(viewport={"width": width, "height": height})
    for number in numbers:
        page.goto(f"{served}/series/{number}")
        charts = page.locator(".time-chart svg:visible")
        if not charts.count():
            continue
        assert charts.count() == 1
        box = charts.bounding_box()
        assert box["y"] <= most
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_the_form_compares(sqlite_archive, served, browser):
    with sqlite_archive.read() as connection:
        one = series.find_single(
            connection,
            Filters(engine="libretranslate(base_url=http://two.test)", quantity="f_s"),
        )
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{served}/series/{one.id}")
    page.select_option("select[name=from]", "4")
    page.select_option("select[name=to]", "7")
    page.click("main form button")
    page.wait_for_url("**from=4&to=7**")
    assert "25 of those" in page.inner_text("main")
