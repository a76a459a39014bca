"""Charts of series: what is drawn on the server, and the one in a real browser under our policy."""

import re
import threading
import time
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
import uvicorn

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.fetch import chromium
from monitor.model import MissingPart, State
from monitor.store import series
from monitor.store.series import Filters, Tick
from monitor.store.series_history import Changed, Switch
from monitor.web.site import _chart_series
from monitor.web.site._chart_series import Drawn
from monitor.web.site._site import Access, Entry, Site
from monitor.web.site.app import application

START = datetime(2026, 1, 5, 5, tzinfo=UTC)
WEEK = timedelta(weeks=1)
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>\"'&]]>\u202e\x1b[31m"


def tick(number, value=None, state=State.MEASURED):
    low, high = (None, None) if value is None else (value - 0.05, value + 0.05)
    return Tick(
        "job", START + number * WEEK, "done", number, number, state, "because", value, low, high,
        low, high, (), 10, 10, 10, 0, "abc", START,
    )  # fmt: skip


def change(number, status, kind=ChangeKind.STEP):
    at = START + number * WEEK
    return Changed(
        1, 1, kind, Role.PRIMARY, "f", at, at, 1, 2, 0.1, 0.3, 0.2, 0.1, 0.3, 0.01, 0.01, 0.05,
        0.01, status, Cause.ENGINE, "", "it moved",
    )  # fmt: skip


def drawn(ticks, changes=(), switches=(), chosen=(), title="f_s: a system", neutral=0.0):
    return Drawn(title, ticks, changes, switches, neutral, (-1.0, 1.0), ZoneInfo("UTC"), chosen)


def parts(markup):
    return ET.fromstring(str(markup))  # noqa: S314 - drawn by ourselves


def lines(markup):
    """The lines through values: those with as many points as ticks follow each other."""
    paths = [path.get("d") for path in parts(markup).iter("path")]
    return [d.count("L") + 1 for d in paths if re.fullmatch(r"M[\d.,L]+L[\d.,L]+", d)]


GAPS = [
    tick(0, 0.2), tick(1, 0.25), tick(2, state=State.MISSED), tick(3, 0.3),
    tick(4, state=State.INSUFFICIENT), tick(5, 0.5), tick(6, 0.55), tick(7, 0.5),
]  # fmt: skip


def test_a_gap_is_a_gap():
    assert lines(_chart_series.chart(drawn(GAPS))) == [2, 3]
    whole = [tick(n, 0.2) for n in range(8)]
    assert lines(_chart_series.chart(drawn(whole))) == [8]


def test_it_says_what_it_shows():
    switch = Switch(1, START + WEEK, "old", "new")
    it = drawn(GAPS, [change(5, Status.CONFIRMED)], [switch])
    picture = parts(_chart_series.chart(it))
    said = picture.find("desc").text
    assert said.startswith("8 ticks: 6 measured, 1 insufficient, 1 missed")
    assert "from 0.200 on 2026-01-05 to 0.500 on 2026-02-23" in said
    assert "change on 2026-02-09, confirmed" in said
    assert "another signature on 2026-01-12" in said
    assert picture.find("title").text == "f_s: a system"
    assert picture.get("role") == "img"
    assert not [one for one in picture.iter() if "style" in one.attrib]


@pytest.mark.parametrize(
    ("ticks", "is_drawn"),
    [
        ([], False), ([tick(0, state=State.MISSED)], False), ([tick(0, 0.5)], True),
        ([tick(n, 0.0) for n in range(3)], True), ([tick(n, 0.5) for n in range(400)], True),
    ],
)  # fmt: skip
def test_whatever_there_is_can_be_drawn(ticks, is_drawn):
    for markup in (_chart_series.chart(drawn(ticks)), _chart_series.picture(drawn(ticks), "u")):
        assert bool(markup) is is_drawn
        assert "nan" not in str(markup).lower()


def test_values_without_an_interval_are_drawn():
    bare = Tick("job", START, "done", 1, 1, State.MEASURED, "", 0.5, None, None, None, None, (),
                None, None, None, None, "abc", None)  # fmt: skip
    assert "<path" in _chart_series.chart(drawn([bare, tick(1, 0.4)]))


def test_statuses_have_shapes_of_their_own():
    shapes = set()
    for status in (Status.CONFIRMED, Status.UNCONFIRMED, Status.REFUTED):
        found = parts(_chart_series.chart(drawn(GAPS, [change(3, status)])))
        last = list(found.iter("path"))[-1]
        shapes.add((last.get("d").count("l"), last.get("fill") == "none"))
    assert len(shapes) == 3


def test_a_picture_by_itself_has_its_colours_and_runs_nothing():
    svg = _chart_series.picture(drawn(GAPS, title=HOSTILE), HOSTILE)
    root = ET.fromstring(svg)  # noqa: S314 - drawn by ourselves
    assert "var(" not in svg
    assert {one.tag for one in root.iter()} <= {f"{SVG}{n}" for n in ("svg", "g", "rect", "path",
                                                                     "text")}  # fmt: skip
    assert "[U+202E]" in svg
    assert not [name for one in root.iter() for name in one.attrib if name.startswith("on")]


# --- in a browser ---------------------------------------------------------------------------------


@pytest.fixture
def served(sqlite_archive, clock):
    """The address of the pages of an archive, served to this machine."""
    site = Site(sqlite_archive, ZoneInfo("UTC"),
                Access(Entry.LOCAL, frozenset({"127.0.0.1"})), clock)  # fmt: skip
    config = uvicorn.Config(application(site, {}, None), port=0, log_level="error", lifespan="on")
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
        program = chromium.find()
    except MissingPart as missing:
        pytest.skip(str(missing))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(program), args=["--no-sandbox"])
        yield opened
        opened.close()


def test_the_interactive_chart_draws_under_our_policy(sqlite_archive, served, browser):
    with sqlite_archive.read() as connection:
        one = series.only(
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
    assert "+0.446" in page.inner_text("main")
    assert [url for url in asked if "/static/vega/vega.min.js?" in url]
    assert {url.split("/")[2] for url in asked} == {served.split("/")[2]}
    assert said == []


def test_without_scripts_the_form_compares(sqlite_archive, served, browser):
    with sqlite_archive.read() as connection:
        one = series.only(
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
