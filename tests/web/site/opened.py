"""Pages in a real Chromium: an archive that is served once, with users who are logged in.

`opened(role, path)` opens a page as somebody with a role, or as nobody where pages are public; what
the browser complains of stands in its `problems`, and what it asked for in its `asked`.
"""

import logging
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread
from time import sleep
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
import uvicorn
from playwright.sync_api import sync_playwright

from monitor.faults import Suspension
from monitor.labels.settle import Rating
from monitor.roles import Role
from monitor.store.access import users
from monitor.store.collect import bodies, pauses
from monitor.store.database import connect
from monitor.store.derive import people
from monitor.store.journal import events, notifications
from monitor.store.reports import run_report
from monitor.store.schema import exchanges, runs
from monitor.web.connections import Reply
from monitor.web.site.app import build_application
from monitor.web.site.site_state import Access, EntryRule, Site, get_cookie_name
from tests import test_corpus_run
from tests.browser import required
from tests.conftest import copy_sqlite
from tests.web.site.conftest import HOSTS, Clock

WIDE, NARROW = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
#: A PNG of one dot.
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63a8a8a8000002c2016022b4ca5c0000000049454e44ae426082"
)
LANE = "libretranslate@one.test"
_TWO = "engine = 'libretranslate(base_url=http://two.test)' AND quantity = 'f_s'"
#: What pages are about, by the names that stand for its number in their addresses.
ABOUT = {
    "series": f"SELECT series_id AS n FROM series WHERE {_TWO}",
    "part": "SELECT MIN(series_id) AS n FROM series WHERE scope = 'stereotype:3'",
    "people": "SELECT MIN(series_id) AS n FROM series WHERE job = 'people' AND quantity = 'mb'",
    "run": f"SELECT MAX(run_id) AS n FROM points_current WHERE {_TWO} AND run_kind = 'scheduled'",
    "searched": "SELECT MAX(run_id) AS n FROM points_current WHERE job = 'people'",
    "before": f"SELECT MIN(run_id) AS n FROM points_current WHERE {_TWO}",
    "month": "SELECT MAX(run_id) AS n FROM corpora_current",
    "corpus": "SELECT MAX(corpus_id) AS n FROM corpora_current",
    "words": "SELECT MIN(series_id) AS n FROM series WHERE quantity = 'first_order_mean'",
    "change": f"SELECT MAX(change_id) AS n FROM changes_current WHERE {_TWO}",
    "point": f"SELECT MAX(point_id) AS n FROM points_current WHERE {_TWO}",
    "answer": "SELECT MIN(attempt_id) AS n FROM answers WHERE class = 'feminine'",
    "blocked": "SELECT MIN(attempt_id) AS n FROM answers WHERE outcome = 'blocked'",
    "page": "SELECT MIN(attempt_id) AS n FROM answers WHERE job = 'people' AND item_rank = 1",
    "scores": "SELECT MIN(attempt_id) AS n FROM answers WHERE log_ratio IS NOT NULL",
}


@dataclass(frozen=True)
class Served:
    """An archive that is served twice: to its users, and to everybody."""

    site: Site
    address: str
    public: str


@pytest.fixture(scope="module")
def chromium(served):
    """One browser for all tests of a file; meanwhile this thread has its loop."""
    path = required()
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=str(path), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def served(archive_folder, tmp_path_factory, stored_password):
    """The archive with a user of each role, and with what it has none of."""
    home, clock = tmp_path_factory.mktemp("served"), Clock()
    copy_sqlite(archive_folder / "monitor.db", home / "monitor.db")
    database = connect(f"sqlite:///{home / 'monitor.db'}", archive_folder / "bodies")
    test_corpus_run.add_to(database, home / "texts")
    with database.begin() as connection:
        for role in Role:
            users.add_user(connection, role.value, [role], stored_password, clock())
        _stuck(connection, clock())
        _rated(connection, clock())
        _seen(connection, database, clock())
    login, public = (
        Site(database, ZoneInfo("UTC"), Access(entry, HOSTS), clock, home)
        for entry in (EntryRule.LOGIN, EntryRule.PUBLIC)
    )
    with ExitStack() as stack:
        yield Served(login, *(stack.enter_context(serving(one)) for one in (login, public)))
    database.close()


def _stuck(connection, now):
    """What keeps an operator busy."""
    events.raise_alarm(connection, "blocked", LANE, "HTTP 403", now)
    pauses.add_pause(connection, "job", "people", "a holiday", now)
    until = now + timedelta(hours=3)
    pauses.store_suspension(connection, LANE, "direct", Suspension(until, "blocked", "403", 2), now)
    notifications.add_notice(
        connection,
        notifications.NewNotice("operations", "alarm", "a:1", "A title", "Its text"),
        now,
    )


def _rated(connection, now):
    """Two raters, who differ over the first of those whom both rated."""
    shown = sorted(people.read_shown_entities(connection))[:6]
    said = [("men", "women"), *[("women", "women")] * 5]
    people.store_ratings(
        connection,
        [
            Rating(entity, group, by, now)
            for entity, groups in zip(shown, said, strict=True)
            for by, group in zip(("ada", "bo"), groups, strict=True)
        ],
    )


def _seen(connection, database, now):
    """A picture of the pages of a search engine that had no window."""
    shot = bodies.store_body(connection, database, DOT, "screenshot", now)
    searched = sa.select(runs.c.id).where(runs.c.job == "people")
    connection.execute(
        sa.update(exchanges).where(exchanges.c.run_id.in_(searched)).values(screenshot_id=shot)
    )


@contextmanager
def serving(site):
    """The address at which a site is served meanwhile."""
    fine = Reply(b"fine\n")
    app = build_application(site, {}, lambda _accept: fine)
    config = uvicorn.Config(app, port=0, log_level=logging.ERROR, log_config=None, lifespan="on")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def opened(chromium, served, request):
    """Opens pages: `opened(Role.VIEWER, "/runs")`; more is for the browser's context."""

    def make(role, path, **more):
        context = chromium.new_context(viewport=WIDE, **more)
        request.addfinalizer(context.close)
        if role is not None:
            context.add_cookies([_cookie(served, role)])
        page = context.new_page()
        page.problems, page.asked = [], []
        page.on("console", lambda one: page.problems.append(one.text))
        page.on("pageerror", lambda one: page.problems.append(str(one)))
        page.on("request", lambda one: page.asked.append(one.url))
        page.goto((served.address if role else served.public) + path)
        return page

    return make


def _cookie(served, role):
    site = served.site
    with site.database.begin() as connection:
        user = users.get_user(connection, role.value)
        secret = users.open_session(connection, user, site.now())
    return {"name": get_cookie_name(site), "value": secret, "url": served.address}


@pytest.fixture(scope="session")
def numbers(served):
    """{name: number} of what pages are about, as their addresses have it."""
    with served.site.database.read() as connection:
        return {name: run_report.read_rows(connection, sql)[0]["n"] for name, sql in ABOUT.items()}
