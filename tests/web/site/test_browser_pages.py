"""Every page in a real Chromium: what axe finds, what it asks for, how it fits a small screen."""

import re
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from monitor.roles import Role
from monitor.web.site.app import build_application
from monitor.web.site.routes import API
from tests.web.site.opened import (  # noqa: F401 - fixtures
    NARROW,
    WIDE,
    chromium,
    numbers,
    opened,
    served,
)
from tests.web.site.routes import known

#: (who, address); `{name}` is a number of `opened.ABOUT`. None is nobody, where pages are public.
PAGES = [
    (Role.VIEWER, "/"),
    (Role.VIEWER, "/series"),
    (Role.VIEWER, "/series/{series}?from={before}&to={run}"),
    (Role.VIEWER, "/series/{part}"),
    (Role.VIEWER, "/series/{people}"),
    (Role.VIEWER, "/series/{series}/ticks/{run}"),
    (Role.VIEWER, "/series/{people}/ticks/{searched}"),
    (Role.VIEWER, "/changes"),
    (Role.VIEWER, "/changes/{change}"),
    (Role.VIEWER, "/points/{point}"),
    (Role.VIEWER, "/search?q=czech"),
    (Role.VIEWER, "/compare"),
    (Role.VIEWER, "/professions"),
    (Role.VIEWER, "/professions?engine=libretranslate(base_url=http://two.test)"),
    (Role.VIEWER, "/professions?run={month}"),
    (Role.VIEWER, "/series/{words}/ticks/{month}"),
    (Role.VIEWER, "/runs/{month}"),
    (Role.VIEWER, "/runs/{month}/texts/{corpus}"),
    (Role.VIEWER, "/stereotypes"),
    (Role.VIEWER, "/query?text=the+brave+nurse+and+her+king"),
    (Role.VIEWER, "/query?text=Jsem+unavená.&language=cs"),
    (Role.VIEWER, "/runs"),
    (Role.VIEWER, "/runs/{run}"),
    (Role.VIEWER, "/runs/{searched}"),
    (Role.VIEWER, "/runs/{run}/answers?counted=used&reason=none"),
    (Role.VIEWER, "/reports"),
    (Role.VIEWER, "/methods"),
    (Role.VIEWER, "/methods/masculine_rate"),
    (Role.VIEWER, "/account"),
    (Role.VIEWER, "/labels/agreement"),
    (Role.ANALYST, "/account"),
    (Role.ANALYST, "/evidence/{answer}"),
    (Role.ANALYST, "/evidence/{page}"),
    (Role.ANALYST, "/evidence/{blocked}"),
    (Role.ANALYST, "/evidence/{scores}"),
    (Role.OPERATOR, "/operations"),
    (Role.OPERATOR, "/operations/pause?kind=engine&name=libretranslate"),
    (Role.OPERATOR, "/operations/resume?kind=engine&name=libretranslate@one.test"),
    (Role.LABELLER, "/labels"),
    (Role.COLLECTOR, "/donate"),
    (None, "/"),
    (None, "/login"),
    (None, "/evidence/{page}"),
    (None, "/series/{people}/ticks/{searched}"),
]
#: Routes that no template of ours writes: whole documents, tables to save, what runs us.
OTHERS = {
    "/evidence/{number}/screenshot", "/reports/{number}/{form}", "/runs/{number}/report",
    "/changes/{number}/card/{form}", "/points/{number}/card/{form}", "/healthz", "/readyz",
    "/metrics", "/site.css", "/static", "/series/{number}.csv", "/series/{number}.png",
    "/professions.csv", "/stereotypes.csv", "/labels/agreement.csv", "/labels/disagreements.csv",
    "/labels/page", "/changes.atom",
}  # fmt: skip
#: axe is run twice: with all of its rules, and with those that another scheme and size can break.
AGAIN = {"runOnly": {"type": "rule", "values": ["color-contrast", "target-size"]}}

#: Rows of a table are written by one template, and axe takes its time for each.
SHORTEN = """document.querySelectorAll('tbody').forEach(
    body => [...body.rows].slice(10).forEach(row => row.remove()))"""


def problems(page, **options):
    """What axe finds, in a line each: rule, weight and place."""
    options |= {"resultTypes": ["violations"], "preload": False}
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['target']}" for one in found for node in one["nodes"]
    ]


def fits(page):
    """Whether the page is as wide as its window: what is wider scrolls in a place of its own."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(("role", "path"), PAGES, ids=lambda value: str(value or "nobody"))
def test_a_page_is_for_everybody(opened, numbers, role, path):  # noqa: F811
    page = opened(role, path.format(**numbers))
    host = urlsplit(page.url).netloc
    page.set_viewport_size(NARROW)
    assert fits(page)
    page.set_viewport_size(WIDE)
    page.evaluate(AXE_SCRIPT)
    page.evaluate(SHORTEN)
    assert not problems(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(NARROW)
    assert not problems(page, **AGAIN)
    assert not page.problems
    assert {urlsplit(url).netloc for url in page.asked} == {host}
    assert not page.locator("main [title]").count(), "a title is for those alone who have a mouse"


@pytest.mark.parametrize("path", ["/changes/{change}", "/points/{point}"])
@pytest.mark.parametrize(("width", "height", "most"), [(1280, 900, 500), (390, 844, 900)])
def test_what_supports_a_number_begins_on_the_first_screen(
    opened,  # noqa: F811
    numbers,  # noqa: F811
    path,
    width,
    height,
    most,
):
    page = opened(Role.VIEWER, path.format(**numbers))
    page.set_viewport_size({"width": width, "height": height})
    table = page.get_by_role("region", name="What supports this?").locator("dl")
    assert table.bounding_box()["y"] <= most


def test_no_page_is_left_out(served):  # noqa: F811
    looked_at = {path.split("?")[0] for _, path in PAGES}
    for route in known(build_application(served.site, {}, None)):
        if route.method == "GET" and not route.path.startswith(API) and route.path not in OTHERS:
            form = re.sub(r"\{\w+\}", "[^/]+", route.path)
            assert any(re.fullmatch(form, path) for path in looked_at), route.path


def test_an_error_is_for_everybody(opened):  # noqa: F811
    page = opened(Role.VIEWER, "/no-such-page")
    page.evaluate(AXE_SCRIPT)
    assert not problems(page)
    expect(page.get_by_role("link", name="To the overview")).to_be_visible()


def test_keys_of_raters_can_be_turned_off(opened):  # noqa: F811
    page = opened(Role.LABELLER, "/labels")
    page.get_by_role("button", name="I know").click()
    help_, key = page.locator("#help"), page.locator("#labelling input[name=key]")
    first = key.input_value()
    page.keyboard.press("?")
    expect(help_).to_have_attribute("open", "")
    page.evaluate(AXE_SCRIPT)
    assert not problems(page)
    page.get_by_label("Keys press buttons here").uncheck()
    page.reload()
    page.locator("#person").click()
    page.keyboard.press("?")
    page.keyboard.press("s")
    help_.locator("summary").click()
    expect(page.get_by_label("Keys press buttons here")).not_to_be_checked()
    assert key.input_value() == first
    page.get_by_label("Keys press buttons here").check()
    page.locator("#person").click()
    page.keyboard.press("s")
    expect(key).not_to_have_value(first)
    assert not page.problems


def test_the_keyboard_shows_where_it_is_and_skips_the_menu(opened):  # noqa: F811
    page = opened(Role.VIEWER, "/")
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    expect(skip).to_have_text("To the content")
    expect(skip).to_be_in_viewport()
    assert skip.evaluate("one => getComputedStyle(one).outlineWidth") == "2px"
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_the_menu_takes_one_line_and_on_a_phone_one_word(opened):  # noqa: F811
    page = opened(Role.OPERATOR, "/operations")
    menu = page.get_by_role("navigation", name="Pages")
    links = menu.get_by_role("link")
    assert links.count() == 11
    assert len({round(one.bounding_box()["y"]) for one in links.all()}) == 1
    page.set_viewport_size(NARROW)
    expect(links).to_have_count(0)
    page.get_by_text("Pages", exact=True).focus()
    page.keyboard.press("Enter")
    expect(links).to_have_count(11)
    assert fits(page)
    page.evaluate(AXE_SCRIPT)
    assert not problems(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/changes$"))
