"""Whatever pages let one do goes without JavaScript: to filter, sort, turn, log in, pause."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from monitor.roles import Role
from monitor.store.collect import pauses
from tests.web.site.conftest import PASSWORD
from tests.web.site.opened import chromium, numbers, opened, served  # noqa: F401 - fixtures

FILTERED = (
    "/", "/series", "/series/{series}", "/series/{series}/ticks/{run}", "/changes", "/compare",
    "/professions?target=us-en", "/stereotypes", "/query?text=the+nurse", "/runs",
    "/runs/{run}/answers", "/reports",
)  # fmt: skip
#: Left as they are: the other end, what has to be installed, and what not every language has.
KEPT = {"to", "lexicon", "cue"}


@pytest.fixture
def plain(opened, numbers):  # noqa: F811
    """Opens a page where no script runs."""
    return lambda role, path: opened(role, path.format(**numbers), java_script_enabled=False)


@pytest.mark.parametrize("path", FILTERED)
def test_every_filter_is_a_form(plain, path):
    page = plain(Role.VIEWER, path)
    for place in range(page.locator("main form[method=get]").count()):
        page.goto(page.url)
        form = page.locator("main form[method=get]").nth(place)
        wanted = {}
        for select in form.locator("select").all():
            name = select.get_attribute("name")
            if name not in KEPT:
                options = select.locator("option")
                wanted[name] = options.last.evaluate("one => one.value")
                select.select_option(wanted[name])
        with page.expect_navigation() as led:
            form.get_by_role("button").first.click()
        assert led.value.status == 200
        asked = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
        assert {name: asked[name][-1] for name in wanted} == wanted
        for name, value in wanted.items():
            expect(page.locator(f"main select[name={name}]").first).to_have_value(value)


def test_tables_are_sorted_and_turned(plain):
    page = plain(Role.VIEWER, "/professions?target=us-en")
    page.locator("a.sort").first.click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("profession")
    page = plain(Role.VIEWER, "/runs/{run}/answers")
    first = page.locator("tbody tr").first.inner_text()
    page.get_by_role("link", name="next").click()
    expect(page.locator("tbody tr").first).not_to_have_text(first)


def test_a_user_logs_in_and_out(plain):
    page = plain(None, "/login?after=/runs")
    page.get_by_label("Name").fill(Role.VIEWER.value)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Password")).to_be_visible()


def test_an_operator_puts_a_job_to_rest_and_wakes_it(plain, served):  # noqa: F811
    page = plain(Role.OPERATOR, "/operations/pause?kind=job&name=mt-weekly")
    page.get_by_label("Why").fill("a holiday")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#state")).to_contain_text("a holiday (operator)")
    page.goto(page.url.replace("/operations", "/operations/resume?kind=job&name=mt-weekly"))
    page.get_by_label("Why").fill("it is over")
    page.get_by_role("button", name="Resume").click()
    page.wait_for_url("**/operations")
    with served.site.database.read() as connection:
        assert "mt-weekly" not in {one.name for one in pauses.list_pauses(connection)}
