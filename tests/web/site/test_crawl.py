"""Every page of an archive in which everybody attacks, in a real Chromium: nothing runs."""

import re

import pytest
from playwright.sync_api import Error, sync_playwright

from monitor.roles import Role
from monitor.store.access import users
from monitor.web.connections import POLICY
from monitor.web.site.app import build_application
from monitor.web.site.pages import reports
from monitor.web.site.site_state import EntryRule, get_cookie_name
from tests.browser import required
from tests.web.site.crawl import Crawl
from tests.web.site.hostile import PAGE, add_user
from tests.web.site.opened import serving
from tests.web.site.routes import known

#: Tells of whatever an attack does, also of what our policy keeps from being done.
WATCH = """
for (const name of ["alert", "confirm", "prompt", "open"])
  window[name] = (...said) => console.error(`ran: ${name} ${said}`);
addEventListener("securitypolicyviolation", (event) =>
  console.error(`tried: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
#: Opens what is folded; out comes where the page leads.
LINKS = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  return [...document.links].map((one) => one.href);
}"""
#: The tables whose rows have not as many cells as their heads.
UNEVEN = """() => [...document.querySelectorAll("table")].filter((table) => {
  const cells = [...table.rows].map((row) => [...row.cells].reduce((n, one) => n + one.colSpan, 0));
  return !table.querySelector("[rowspan]") && new Set(cells).size > 1;
}).map((table) => `uneven table: ${table.innerText.slice(0, 80)}`)"""
#: Whole documents, which are also saved and opened without our headers.
DOCUMENTS = ("/reports/{number}/{form}", "/runs/{number}/report", "/changes/{number}/card/{form}",
             "/points/{number}/card/{form}")  # fmt: skip


class Watched:
    """A page of a browser, and signs that something captured did anything in it."""

    def __init__(self, context, address=""):
        context.add_init_script(WATCH)
        self.page, self.address, self._noted = context.new_page(), address, []
        self._images = set()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda one: self._note(str(one)))
        self.page.on("popup", lambda one: self._note(f"opened {one.url}"))
        self.page.on("request", self._asked)

    @property
    def problems(self):
        """Without what the browser's own viewer of pictures complains of: it is shut in, too."""
        return [(url, words) for url, words in self._noted
                if url not in self._images or words.startswith("asked for")]  # fmt: skip

    def _note(self, words):
        self._noted.append((self.page.url, words))

    def _said(self, message):
        if not message.text.startswith("Failed to load resource"):  # those it asked for count
            self._note(message.text)

    def _asked(self, request):
        if not request.url.startswith((f"{self.address}/", "data:image/")):
            self._note(f"asked for {request.url}")

    def visit(self, address):
        """Open a page: its answer, None of a file that is saved, and where it leads."""
        if address.startswith("/api/"):
            return None, []
        try:
            answer = self.page.goto(self.address + address)
        except Error as error:
            if "Download is starting" not in str(error):
                raise
            return None, []
        kind, policy = (
            answer.headers[name] for name in ("content-type", "content-security-policy")
        )
        if kind.startswith("image/"):
            self._images.add(answer.url)
        if not kind.startswith("text/html") or "sandbox" in policy:
            return answer, []
        links = self.page.evaluate(LINKS)
        if self.page.query_selector("#interactive"):
            self.page.locator("#interactive canvas").wait_for()
        self._noted += [(address, link) for link in links if not link.startswith("http")]
        self._noted += [(address, table) for table in self.page.evaluate(UNEVEN)]
        paths = [link.removeprefix(self.address).partition("#")[0] for link in links]
        return answer, [path for path in paths if path.startswith("/")]


@pytest.fixture(scope="module")
def browser(poisoned):  # nothing else may use asyncio in this thread meanwhile
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=str(required()), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def everybody(poisoned, browser):
    """Somebody with all roles at the pages, and the application that they look at."""
    site = poisoned(EntryRule.LOGIN)
    user = add_user(site, "browser", list(Role))
    with site.database.begin() as connection:
        secret = users.open_session(connection, user, site.now())
    with serving(site) as address:
        context = browser.new_context()
        context.add_cookies([{"name": get_cookie_name(site), "value": secret, "url": address}])
        yield Watched(context, address), build_application(site, {}, None)
        context.close()


@pytest.fixture(scope="module")
def crawled(everybody):
    watched, app = everybody
    return Crawl(app, watched.visit, 1)


@pytest.mark.parametrize(
    ("policy", "sign"),
    [(POLICY, "tried: script-src"), (reports.POLICY, "Blocked script execution"),
     (None, "ran: alert 1")],
    ids=["page", "report", "saved"],
)  # fmt: skip
def test_what_attacks_is_seen(browser, policy, sign):
    """The same attacks where nothing is escaped: each way of looking tells of them."""
    context = browser.new_context(bypass_csp=policy is None)
    watched = Watched(context, "http://here.test")
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy or ""}
    context.route("**/*", lambda route: route.abort())
    context.route("http://here.test/", lambda route: route.fulfill(headers=headers, body=PAGE))
    watched.page.goto("http://here.test/")
    watched.page.wait_for_timeout(100)
    assert [words for _, words in watched.problems if sign in words]
    context.close()


def test_nothing_runs_on_any_page(everybody, crawled):
    (watched, app), found = everybody, crawled
    assert not watched.problems
    answers = [one for one in found.answers.values() if one]
    assert not [one.url for one in answers if one.status >= 500]
    routes = {route.path for route in known(app) if route.method == "GET"}
    unseen = routes - found.visited() - {"/static"}
    assert not [path for path in unseen if not path.startswith("/api/")]


def test_nothing_runs_in_a_saved_document(everybody, crawled, browser, tmp_path):
    """As somebody opens it who was sent the file: without our headers, from a disk."""
    asking, context = everybody[0].page.context.request, browser.new_context()
    saved = Watched(context, tmp_path.as_uri())
    for place, path in enumerate(DOCUMENTS):
        visited = next(one for one in crawled.answers if crawled.route(one) == path)
        address = re.sub(r"/(json|pdf|txt)$", "/html", visited)
        content = asking.get(everybody[0].address + address).body()
        assert b"alert(1)" in content, address
        file = tmp_path / f"{place}.html"
        file.write_bytes(content)
        saved.page.goto(file.as_uri())
        saved.page.evaluate(LINKS)
    assert not saved.problems
    context.close()
