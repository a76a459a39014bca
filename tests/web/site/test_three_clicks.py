"""From a number to the answers that it comes from: three clicks of a mouse at most."""

import hashlib
import re

import pytest
from playwright.sync_api import expect

from monitor.roles import Role
from tests.web.site.opened import DOT, chromium, numbers, opened, served  # noqa: F401 - fixtures

MOST = 3
TWO = "libretranslate(base_url=http://two.test)"
TICK, ANSWER = "a[aria-label^='Answers of']", "a[href^='/evidence/']"
MARKED = f"tr:has(mark) {ANSWER}"
CARD, ENTRY = "a[href^='/changes/']", ANSWER
ENTRY_OF_TEXT = "th a[href^='/evidence/']"
#: {page: what is clicked on it and on those that follow, the first of each}.
TRANSLATED = {
    "/": [".tiles a:has-text('two.test')", TICK, MARKED],
    f"/series?engine={TWO}": [".values a:has(b)", TICK, MARKED],
    "/changes": [f"td {CARD}:has(b)", ENTRY],
    "/compare?list=feelings": ["a:has-text('two.test'):has(b)", MARKED],
    f"/professions?engine={TWO}": ["tbody a:has-text('answers')", ANSWER],
    "/stereotypes": ["td a:has(b)", TICK, MARKED],
    "/reports": ["td a:has-text('changes')", CARD, ENTRY],
}
SEARCHED = {
    "/": [".tiles a:has-text('Wikipedia')", TICK, ANSWER],
    "/series?job=people": [".values a:has(b)", TICK, ANSWER],
    "/professions?run={searched}": ["tbody a:has-text('answers')", ANSWER],
}
#: Of a run that asked nothing: a text stands in the answer to another job.
READ = {
    "/?job=monthly": [".tiles a", TICK, ENTRY_OF_TEXT],
    "/series?job=monthly": [".values a:has(b)", TICK, ENTRY_OF_TEXT],
    "/professions?run={month}&sort=profession": ["th a:has-text('nurse')", ENTRY_OF_TEXT],
    "/professions?run={month}": ["a:has-text('every text')", ENTRY_OF_TEXT],
    "/runs/{month}": ["a:has-text('texts of')", ENTRY_OF_TEXT],
}


def follow(page, places):
    """Click what can be seen, one page after the other, until the raw evidence."""
    assert len(places) <= MOST
    for place in places:
        link = page.locator("main").locator(place).first
        address = link.get_attribute("href")
        link.click()
        page.wait_for_url(lambda url, address=address: url.endswith(address))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Answer")


def sha256_of(page, section):
    """The digest that stands there, computed again when the page was made."""
    place = page.locator(f"section:has(#{section})")
    expect(place).to_contain_text("computed again just now: the same")
    return re.search(r"SHA-256 (\w{64})", place.inner_text())[1]


def raw(page):
    """The bytes that the system answered with."""
    address = page.get_by_role("link", name="Save it byte by byte").get_attribute("href")
    host = page.url.partition("/evidence")[0]
    return page.context.request.get(host + address).body()


@pytest.mark.parametrize("path", TRANSLATED)
def test_a_number_about_translations_leads_to_the_words(opened, path):  # noqa: F811
    page = opened(Role.ANALYST, path)
    follow(page, TRANSLATED[path])
    expect(page.locator("section:has(#heard) mark").first).to_be_visible()
    assert sha256_of(page, "raw") == hashlib.sha256(raw(page)).hexdigest()


@pytest.mark.parametrize("path", SEARCHED)
def test_a_number_about_people_leads_to_the_page_as_it_was_seen(opened, numbers, path):  # noqa: F811
    page = opened(Role.ANALYST, path.format(**numbers), java_script_enabled=False)
    follow(page, SEARCHED[path])
    expect(page.locator("img.shot")).to_be_visible()
    assert sha256_of(page, "shot") == hashlib.sha256(DOT).hexdigest()
    assert sha256_of(page, "raw") == hashlib.sha256(raw(page)).hexdigest()


@pytest.mark.parametrize("path", READ)
def test_a_number_about_texts_leads_to_an_answer(opened, numbers, path):  # noqa: F811
    page = opened(Role.ANALYST, path.format(**numbers), java_script_enabled=False)
    follow(page, READ[path])
    assert sha256_of(page, "raw") == hashlib.sha256(raw(page)).hexdigest()
