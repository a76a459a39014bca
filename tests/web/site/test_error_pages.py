"""Where a user starts, and where error pages lead: never to a page that this user cannot open."""

import re
from html import unescape

import pytest

from monitor.model import StoreProblem, StoreSlow
from monitor.roles import Role
from monitor.web.site.errors import Busy, TooMany
from monitor.web.site.site_state import EntryRule
from tests.web.site.conftest import PASSWORD
from tests.web.site.routes import OPEN, OWN, app_of, known

_LINK = re.compile(r'<a [^>]*?href="([^"#]+)"')
_TITLE = re.compile(r"<h1>([^<]*)</h1>")
#: What goes wrong while a page is read, and the heading that says so.
FAULTS = {
    "fault": (ZeroDivisionError(), 500, "Internal error"),
    "slow": (StoreSlow("slow"), 503, "Not available now"),
    "away": (StoreProblem("away"), 503, "Not available now"),
    "busy": (Busy("busy", 5), 503, "Not available now"),
    "many": (TooMany("many", 60), 429, "Too many requests"),
}
#: (roles, entry) of whoever asks: nobody in particular (None), users with no role, with one each.
USERS = [
    *((None, entry) for entry in EntryRule),
    *((roles, EntryRule.LOGIN) for roles in [(), *((role,) for role in Role)]),
    ((Role.LABELLER,), EntryRule.PUBLIC),
]


def _raises(error):
    def page():
        raise error

    return page


def error_pages(client):
    """Every page of this client that says what is wrong."""
    for name, (error, _, _) in FAULTS.items():
        app_of(client.app).add_api_route(f"/broken/{name}", _raises(error))
    asked = [("GET", f"/broken/{name}") for name in FAULTS]
    asked += [("GET", "/no-such-page"), ("GET", "/labels/none"), ("POST", "/no-such-page"),
              ("POST", "/series"), ("POST", "/login")]  # fmt: skip
    asked += [
        (route.method, route.sample)
        for route in known(client.app)
        if not route.path.startswith("/api/") and route.path not in {"/logout", "/static"}
    ]
    for method, path in asked:
        answer = client.request(method, path)
        if answer.status_code >= 400 and answer.headers["content-type"].startswith("text/html"):
            yield f"{method} {path}", answer


def links(answer):
    """The addresses on this site that a page leads to."""
    return {unescape(link) for link in _LINK.findall(answer.text) if link.startswith("/")}


@pytest.mark.parametrize(("roles", "entry"), USERS)
def test_every_error_page_leads_on(sqlite_archive, make_client, roles, entry):
    client = make_client(sqlite_archive, roles, entry=entry, name="ada", raises=False)
    seen, opens = set(), {}
    for page, answer in error_pages(client):
        seen.add(answer.status_code)
        ways = {link for link in links(answer) if not link.startswith("/broken/")}
        assert ways, page
        for link in ways:
            if link not in opens:
                opens[link] = client.get(link, follow_redirects=True).status_code
            assert opens[link] == 200, (page, link)
    assert {404, 405, 422, 429, 500, 503} <= seen


@pytest.mark.parametrize("role", list(Role))
def test_a_role_starts_where_it_may_work(sqlite_archive, make_client, make_user, role):
    make_user(sqlite_archive, "ada", role)
    client = make_client(sqlite_archive)
    form = {"name": "ada", "password": PASSWORD}
    answer = client.post("/login", data=form, follow_redirects=True)
    assert answer.status_code == 200
    starts = {Role.LABELLER: "/labels", Role.COLLECTOR: "/donate"}
    assert answer.url.path == starts.get(role, "/")
    brand = re.search(r'class="home" href="([^"]*)"', answer.text)[1]
    assert brand == answer.url.path


def test_whom_a_proxy_names_in_vain_is_led_nowhere(sqlite_archive, make_client, make_user):
    """No page opens for them: each link would lead back to the same error."""
    from ipaddress import ip_network

    proxy = {"proxies": (ip_network("127.0.0.1/32"),), "user_header": "x-user"}
    client = make_client(sqlite_archive, **proxy)
    answer = client.get("/", headers={"X-User": "nobody"})
    assert (answer.status_code, _TITLE.search(answer.text)[1]) == (403, "You do not have access")
    assert "monitor users add" in answer.text
    assert not links(answer)
    make_user(sqlite_archive, "ada", Role.LABELLER)
    answer = client.get("/", headers={"X-User": "ada"}, follow_redirects=True)
    assert (answer.status_code, answer.url.path) == (200, "/labels")


@pytest.mark.parametrize("name", list(FAULTS))
def test_an_error_page_says_what_kind_of_error_it_is(sqlite_archive, make_client, name):
    error, status, title = FAULTS[name]
    client = make_client(sqlite_archive, Role.VIEWER, raises=False)
    app_of(client.app).add_api_route("/broken", _raises(error))
    answer = client.get("/broken?page=2&full=yes")
    assert (answer.status_code, _TITLE.search(answer.text)[1]) == (status, title)
    assert ("/broken?page=2&full=yes" in links(answer)) == (status != 500)


@pytest.mark.parametrize(
    ("path", "title"),
    [("/no-such-page", "Page not found"), ("/series/4000", "Page not found"),
     ("/operations", "You do not have access"), ("/series/x", "Invalid request")],
)  # fmt: skip
def test_headings_name_the_error(sqlite_archive, make_client, path, title):
    answer = make_client(sqlite_archive, Role.VIEWER).get(path)
    assert _TITLE.search(answer.text)[1] == title


@pytest.mark.parametrize(
    ("path", "words", "list_path"),
    [
        ("/series/abc", "The number of a series must be a whole number, not “abc”.", "/series"),
        ("/changes/abc", "The number of a change must be a whole number, not “abc”.", "/changes"),
        ("/changes/999999", "There is no change 999999.", "/changes"),
        ("/runs/0", "The number of a run must be at least 1, not “0”.", "/runs"),
        ("/series/1/ticks/x", "The number of a run must be a whole number, not “x”.", "/series"),
        ("/series?page=x", "Page must be a whole number, not “x”.", "/series"),
        ("/changes?status=x", "Status must be one of", "/changes"),
        ("/changes?at=x", "At must be a date, 2026-05-31,", "/changes"),
        ("/professions?down=x", "Down must be true or false, not “x”.", None),
        (f"/series?job={'x' * 400}", "Job must have at most 300 characters,", "/series"),
    ],
)  # fmt: skip
def test_an_invalid_request_says_what_it_must_be(
    sqlite_archive, make_client, path, words, list_path
):
    client = make_client(sqlite_archive, Role.VIEWER)
    answer = client.get(path)
    main = answer.text.partition("<main")[2]
    assert words in main
    assert (f'href="{list_path}"' in main) == (list_path is not None)
    detail = client.get(f"/api/v1{path}").json()["detail"]
    assert (detail[:1].upper() + detail[1:]).startswith(words.rstrip("."))


def test_values_of_forms_are_not_repeated(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.VIEWER)
    answer = client.post("/login", data={"name": "ada", "password": "secret" * 999})
    assert answer.status_code in {400, 401, 403, 422}
    assert "secret" not in answer.text


def test_programs_get_no_page(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.LABELLER, entry=EntryRule.PUBLIC)
    assert client.get("/api/v1/overview").status_code == 403
    assert client.get("/api/v1/none").json() == {"detail": "there is no such page"}


def test_only_these_routes_are_open_to_a_user_without_roles(sqlite_archive, make_client):
    client = make_client(sqlite_archive, (), name="ada")
    assert client.get("/", follow_redirects=True).url.path == "/account"
    assert "/account" in OWN
    assert "/login" in OPEN
