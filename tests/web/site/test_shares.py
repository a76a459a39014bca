"""Who floods the pages: others are answered, and what takes too long ends."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Lock

import pytest
import sqlalchemy as sa

from monitor.model import StoreBusy
from monitor.roles import Role
from monitor.store.access import users
from monitor.store.database import connect
from monitor.web.site import middleware, response_cache
from monitor.web.site.errors import Busy
from monitor.web.site.middleware import PROXIED
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import app_of

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


class Pages:
    """An application whose answers wait until `go_on`; `begun` counts them."""

    def __init__(self):
        self.begun, self.go_on = 0, asyncio.Event()

    async def __call__(self, scope, _receive, send):
        self.begun += 1
        if scope["path"] != "/healthz":
            await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def asked(shares, address="192.0.2.1", path="/", headers=(), **more):
    """(status, headers) of the answer to a request."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "client": (address, 1), "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers], **more,
    }  # fmt: skip
    await shares(scope, None, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


async def flood(site, requests, others):
    """What `others` are answered while `requests` are, and then those; each (address, headers)."""
    pages = Pages()
    shares = middleware.FairShares(pages, site)
    async with asyncio.timeout(30):
        first = [asyncio.create_task(asked(shares, one, headers=h)) for one, h in requests]
        await settled()
        begun = pages.begun
        then = [asyncio.create_task(asked(shares, one, headers=h)) for one, h in others]
        await settled()
        alive = await asked(shares, requests[0][0], "/healthz")
        begun_too = pages.begun - begun - 1
        pages.go_on.set()
        answers = [(await one)[0] for one in first], [(await one)[0] for one in then]
    assert alive[0] == 200
    assert not shares._shares  # nothing of them is kept
    return begun, begun_too, answers


@pytest.fixture
def site(sqlite_database, make_site):
    return make_site(sqlite_database, EntryRule.PUBLIC)


def test_one_address_leaves_room_for_others(site):
    many = middleware.AT_ONCE + middleware.IN_LINE + 3
    begun, others, (first, then) = asyncio.run(
        flood(site, [("192.0.2.1", ())] * many, [("192.0.2.2", ()), ("2001:db8::1", ())])
    )
    assert (begun, others) == (middleware.AT_ONCE, 2)
    assert first == [200] * (many - 3) + [429] * 3
    assert then == [200, 200]


def test_a_network_of_ipv6_is_one_address(site):
    requests = [(f"2001:db8::{n:x}", ()) for n in range(middleware.AT_ONCE)]
    begun, others, _ = asyncio.run(flood(site, requests, [("2001:db8::ffff", ())]))
    assert (begun, others) == (middleware.AT_ONCE, 0)


@pytest.mark.parametrize(
    "held", [("cookie", "monitor=x"), ("authorization", "Bearer gbm_x")], ids=["user", "program"]
)
def test_a_user_is_one_from_many_addresses(site, held):
    requests = [(f"192.0.2.{n}", [held]) for n in range(middleware.AT_ONCE)]
    others = [("192.0.2.99", [held]), ("192.0.2.99", [])]
    assert asyncio.run(flood(site, requests, others))[:2] == (middleware.AT_ONCE, 1)


def test_whom_a_proxy_names_is_one_too(sqlite_database, make_site):
    site = make_site(sqlite_database, user_header="X-User")

    async def names(is_proxied):
        pages = Pages()
        shares = middleware.FairShares(pages, site)
        more = {"headers": [("x-user", "ada")], PROXIED: is_proxied}
        tasks = [asyncio.create_task(asked(shares, f"192.0.2.{n}", **more)) for n in range(9)]
        await settled()
        begun = pages.begun
        pages.go_on.set()
        await asyncio.gather(*tasks)
        return begun

    assert asyncio.run(names(True)) == middleware.AT_ONCE
    assert asyncio.run(names(False)) == 9  # whoever sends the header


def test_who_waits_too_long_is_told_when_to_come_again(site, monkeypatch):
    monkeypatch.setattr(middleware, "QUEUE_SECONDS", 0.05)

    async def waited():
        pages = Pages()
        shares = middleware.FairShares(pages, site)
        held = [asyncio.create_task(asked(shares)) for _ in range(middleware.AT_ONCE)]
        await settled()
        answer = await asked(shares, path="/api/v1/overview")
        pages.go_on.set()
        return answer, [(await one)[0] for one in held]

    (status, headers), held = asyncio.run(waited())
    assert (status, headers["retry-after"]) == (429, "5")
    assert headers["content-type"] == "application/json"
    assert held == [200] * middleware.AT_ONCE


def test_what_takes_a_processor_is_made_alone(monkeypatch):
    monkeypatch.setattr(response_cache, "_LOCK_SECONDS", 0.01)
    making = Lock()
    with (
        response_cache.hold_lock(making, "picture"),
        pytest.raises(Busy, match="another picture is being made"),
        response_cache.hold_lock(making, "picture"),
    ):
        pytest.fail("two at a time")
    assert not making.locked()


# --- the database ---------------------------------------------------------------------------------


def test_a_page_that_reads_too_long_ends_in_words(sqlite_database, make_client):
    hurried = replace(sqlite_database, longest=0.05)
    client = make_client(hurried, Role.VIEWER)

    def endless():
        with hurried.read() as connection:
            connection.execute(sa.text(ENDLESS))

    app_of(client.app).add_api_route("/endless", endless)
    answer = client.get("/endless")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "takes too long to read" in answer.text
    assert "RECURSIVE" not in answer.text
    assert client.get("/runs").status_code == 200


def test_reading_does_not_wait_for_who_writes(sqlite_database, make_client, clock):
    """That a session or token was used is noted when there is nothing in the way."""
    client = make_client(sqlite_database, Role.ANALYST, name="ada")
    seen = "SELECT max(seen_at) FROM people.web_sessions"
    clock.at += users._NOTED * 2
    url = sqlite_database.writer.url.render_as_string(hide_password=False)
    with closing(connect(url, Path())) as other, other.begin():
        with sqlite_database.read() as connection:
            before = connection.exec_driver_sql(seen).scalar()
        assert client.get("/runs").status_code == 200
        hurried = replace(sqlite_database, wait=0.05)
        with pytest.raises(StoreBusy), hurried.begin():
            pytest.fail("two write")
    assert client.get("/runs").status_code == 200
    with sqlite_database.read() as connection:
        assert connection.exec_driver_sql(seen).scalar() > before


# --- HEAD -----------------------------------------------------------------------------------------


def test_whatever_can_be_read_answers_head(sqlite_database, make_client):
    client = make_client(sqlite_database, list(Role), name="all")
    for path in (
        "/login", "/account", "/labels", "/runs", "/series", "/site.css", "/healthz",
        "/static/htmx.min.js", "/api/v1/overview", "/api/v1/openapi.json",
    ):  # fmt: skip
        answer = client.head(path)
        assert answer.status_code == 200, path
        assert int(answer.headers["Content-Length"]) > 0
    assert client.head("/logout").status_code == 405
    assert client.head("/none").status_code == 404
