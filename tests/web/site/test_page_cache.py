"""Finished pages: given to nobody but visitors without a login, and only as the archive is now."""

from ipaddress import ip_network

import pytest
import sqlalchemy as sa

from monitor.roles import Role
from monitor.store.access import embargoes, users
from monitor.store.journal import events
from monitor.web.site.page_cache import FinishedPage, PageCache
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

_USER_HEADER = "X-Remote-User"


@pytest.fixture
def rendered(monkeypatch):
    """Paths of the pages that were made, not given as they were kept."""
    from monitor.web.site import routes

    paths, render = [], routes.render_page

    def noted(request, *others):
        paths.append(request.url.path)
        return render(request, *others)

    monkeypatch.setattr(routes, "render_page", noted)
    return paths


@ON_BOTH
def test_a_page_is_made_once_until_something_is_added(archive, make_client, clock, rendered):
    client = make_client(archive, entry=EntryRule.PUBLIC)
    first = client.get("/series")
    assert client.get("/series").content == first.content
    assert rendered == ["/series"]
    with archive.begin() as connection:
        events.raise_alarm(connection, "charts_behind", "j", "d", clock())
    client.get("/series")
    assert rendered == ["/series"] * 2


def test_it_lasts_half_a_minute(sqlite_archive, make_client, clock, rendered):
    client = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    client.get("/series")
    clock.at = clock.at.replace(minute=clock.at.minute + 1)
    client.get("/series")
    assert rendered == ["/series"] * 2


@ON_BOTH
def test_an_embargo_is_in_force_at_once(archive, make_client, clock):
    client = make_client(archive, entry=EntryRule.PUBLIC)
    with archive.read() as connection:
        sql = "SELECT MIN(series_id) FROM series WHERE quantity = 'f_s'"
        address = f"/series/{connection.execute(sa.text(sql)).scalar_one()}"
    assert f'href="{address}"' in client.get("/series").text
    assert [client.get(address).status_code for _ in range(2)] == [200, 200]
    with archive.begin() as connection:
        made = embargoes.add_embargo(
            connection, {"measure": "masculine_rate"}, reason="r", by="b", until=None, now=clock()
        )
    assert client.get(address).status_code == 404
    assert f'href="{address}"' not in client.get("/series").text
    with archive.begin() as connection:
        embargoes.lift_embargo(connection, made, clock())
    assert client.get(address).status_code == 200


def test_the_first_user_closes_the_pages_of_this_machine(sqlite_archive, make_client, make_user):
    client = make_client(sqlite_archive, entry=EntryRule.LOCAL)
    assert [client.get("/series").status_code for _ in range(2)] == [200, 200]
    make_user(sqlite_archive, "ada", Role.VIEWER)
    assert client.get("/series").status_code == 303


def test_a_users_page_is_given_to_nobody(sqlite_archive, make_client, rendered):
    user = make_client(sqlite_archive, Role.ANALYST, entry=EntryRule.PUBLIC)
    other = make_client(sqlite_archive, Role.LABELLER, entry=EntryRule.PUBLIC)
    nobody = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    for who, status in ((user, 200), (nobody, 200), (other, 403), (user, 200), (nobody, 200)):
        answer = who.get("/series")
        assert answer.status_code == status
        assert (user.mark in answer.text) == (who is user)
        assert ("Log out" in answer.text) == (who is not nobody)
    assert not user.app._app._pages.pages
    assert [page.as_of is not None for page in nobody.app._app._pages.pages.values()] == [True]
    assert rendered == ["/series"] * 3


def test_a_request_that_may_name_a_person_finds_no_page(
    sqlite_archive, make_client, make_user, clock
):
    """All requests go to one site, which has kept the page of a visitor without a login."""
    client = make_client(
        sqlite_archive, entry=EntryRule.PUBLIC, user_header=_USER_HEADER,
        proxies=(ip_network("127.0.0.1"),),
    )  # fmt: skip
    ada = make_user(sqlite_archive, "ada", Role.ANALYST)
    with sqlite_archive.begin() as connection:
        session = users.open_session(connection, ada, clock())
        token = users.add_token(connection, ada, "t", clock().replace(year=2030), clock())
    public = client.get("/series")
    assert client.get("/series").content == public.content
    cookie = {"Cookie": f"monitor={session}"}
    for headers in (cookie, {_USER_HEADER: "ada"}):
        assert 'href="/account">ada<' in client.get("/series", headers=headers).text
    assert client.get("/series", headers={"Authorization": "Bearer gbm_x"}).status_code == 401
    by_token = client.get("/series", headers={"Authorization": f"Bearer {token}"})
    assert "etag" not in by_token.headers
    assert client.get("/series").content == public.content


def test_addresses_are_told_apart(sqlite_archive, make_client, rendered):
    client = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    for address in ("/series", "/series?page=2", "/series?page=1", "/methods", "/series"):
        client.get(address)
    client.get("/series", headers={"Host": "127.0.0.1"})
    assert len(rendered) == 5
    assert client.get("/api/v1/series").headers["content-type"] == "application/json"


def test_what_moves_is_made_anew(sqlite_archive, make_client, rendered):
    client = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert [client.get("/runs").status_code for _ in range(2)] == [200, 200]
    assert rendered == ["/runs"] * 2


def test_a_failure_is_not_kept(sqlite_archive, make_client):
    client = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert client.get("/series/999999").status_code == 404
    assert not client.app._app._pages.pages


def test_what_a_client_takes(sqlite_archive, make_client):
    client = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    for _ in range(2):  # made, and kept
        packed = client.get("/methods", headers={"Accept-Encoding": "br, gzip"})
        plain = client.get("/methods", headers={"Accept-Encoding": "gzip;q=0, identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.text == plain.text
        assert plain.headers["cache-control"] == "private, no-cache"
        again = client.get("/methods", headers={"If-None-Match": packed.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        head = client.head("/methods", headers={"Accept-Encoding": "identity"})
        assert head.headers["content-length"] == str(len(plain.content))


def test_only_the_public_leaves_pages_in_a_browser(sqlite_archive, make_client):
    client = make_client(sqlite_archive, entry=EntryRule.LOCAL)
    assert client.get("/methods").headers["cache-control"] == "no-store"


def test_its_bytes_are_limited():
    pages = PageCache(most_bytes=20_000)
    for number in range(30):
        key = ("http", b"localhost", f"/series/{number}", b"")
        pages.keep(key, FinishedPage((number,), "text/html", b"x" * 900, "e"))
        assert pages.n_bytes <= pages.most_bytes
    assert 5 < len(pages.pages) < 12
    pages.keep(key, FinishedPage((1,), "text/html", b"x" * 5_000, "e"))
    assert pages.find(key) is None
