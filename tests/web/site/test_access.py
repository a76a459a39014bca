"""Who may do what: every role on every route, and what a request from elsewhere cannot do."""

import re
from collections import Counter
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest

from monitor.roles import LOCAL, PERMISSIONS, PUBLIC, Permission, Role, find_permissions
from monitor.store.access import users
from monitor.web.connections import make_address
from monitor.web.site.serving import ServeOptions, check_access
from monitor.web.site.site_state import EntryRule
from tests.web.site.conftest import PASSWORD
from tests.web.site.routes import OPEN, OWN, UNMARKED, app_of, declared, known, sample

FORBIDDEN, NEEDED = 403, (303, 401)
#: What forms of one's own account ask for.
OWN_FORM = {"name": "x", "old": PASSWORD, "new": "another password", "again": "another password"}
HEADERS = (
    "Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy",
    "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy",
    "Cache-Control",
)  # fmt: skip


@pytest.fixture
def routes(sqlite_archive, make_client):
    return list(known(make_client(sqlite_archive).app))


def asked(client, route, marked=True):
    """The answer to a request of a route; forms have their mark and nothing else."""
    if route.method == "GET":
        return client.get(route.sample)
    return client.request(route.method, route.sample, data={"mark": client.mark if marked else "x"})


# --- roles ----------------------------------------------------------------------------------------


def test_every_route_names_what_it_needs(routes):
    without = {route.path for route in routes if not route.permissions}
    assert without == OPEN | OWN
    needed = {(one.method, one.path): set(one.permissions) for one in routes if one.permissions}
    assert needed == {route: {permission} for route, permission in declared().items()}


def test_whatever_changes_anything_needs_a_mark(routes):
    changing = [route for route in routes if route.method != "GET"]
    assert {route.path for route in changing if not route.is_marked} == UNMARKED
    assert {route.method for route in changing} == {"POST"}
    assert not [route for route in routes if route.is_marked and route.method == "GET"]


def test_the_api_only_reads(routes):
    assert {route.method for route in routes if route.path.startswith("/api/")} == {"GET"}


@pytest.mark.parametrize("role", list(Role))
def test_a_role_comes_as_far_as_it_may(sqlite_archive, make_client, role):
    client = make_client(sqlite_archive, role, raises=False)
    seen = Counter()
    for route in known(client.app):
        if route.path in OPEN | OWN:
            continue
        status = asked(client, route).status_code
        if route.path == "/" and Permission.NUMBERS not in find_permissions([role]):
            assert status == 303, route  # to where this role starts: test_error_pages.py
        elif route.permissions <= find_permissions([role]):
            assert status not in (FORBIDDEN, *NEEDED, 500) or _is_own_303(route, status), route
        else:
            assert status == FORBIDDEN, route
        seen[status == FORBIDDEN] += 1
    assert seen[False] + seen[True] > 10


@pytest.mark.parametrize("role", list(Role))
def test_a_token_comes_no_further_than_its_user(
    sqlite_archive, make_client, make_user, clock, role
):
    client, user = make_client(sqlite_archive), make_user(sqlite_archive, "ada", role)
    with sqlite_archive.begin() as connection:
        until = clock() + timedelta(days=1)
        secret = users.add_token(connection, user, "script", until, clock())
    headers = {"Authorization": f"Bearer {secret}"}
    for route in known(client.app):
        if route.path in OWN or not route.permissions <= find_permissions([role]):
            form = {} if route.method == "GET" else {"data": OWN_FORM}
            answer = client.request(route.method, route.sample, headers=headers, **form)
            assert answer.status_code == FORBIDDEN, route
    assert client.get("/account").status_code == 303  # nothing of it stays


def _is_own_303(route, status):
    """A form that was taken sends on to a page."""
    return route.method == "POST" and status == 303


@pytest.mark.parametrize("entry", list(EntryRule))
def test_nobody_comes_no_further_than_the_entry(sqlite_archive, make_client, make_user, entry):
    client = make_client(sqlite_archive, entry=entry, raises=False)
    allowed = {EntryRule.LOCAL: LOCAL, EntryRule.PUBLIC: PUBLIC, EntryRule.LOGIN: frozenset()}[
        entry
    ]
    for route in known(client.app):
        if route.path in OPEN:
            continue
        status = asked(client, route).status_code
        if route.path not in OWN and route.permissions <= allowed and route.method == "GET":
            assert status not in (FORBIDDEN, *NEEDED, 500), route
        else:
            assert status in (FORBIDDEN, *NEEDED), route
    make_user(sqlite_archive, "ada", Role.VIEWER)
    if entry is EntryRule.LOCAL:  # from now on one logs in
        assert client.get("/").status_code == 303


def test_users_who_are_all_disabled_do_not_open_the_pages(
    sqlite_archive, make_client, make_user, clock
):
    from monitor.store.access import users

    client = make_client(sqlite_archive, entry=EntryRule.LOCAL)
    user = make_user(sqlite_archive, "ada", Role.VIEWER)
    with sqlite_archive.begin() as connection:
        users.disable_user(connection, user, clock())
    assert client.get("/").status_code == 303


def test_who_labels_sees_no_numbers_even_where_they_are_public(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.LABELLER, entry=EntryRule.PUBLIC)
    assert client.get("/").headers["Location"] == "/labels"
    assert {client.get(path).status_code for path in ("/series", "/api/v1/overview")} == {403}
    assert PERMISSIONS[Role.LABELLER] == {Permission.LABEL}


def test_the_menu_shows_what_one_may(sqlite_archive, make_client):
    def menu(role):
        return make_client(sqlite_archive, role).get("/account").text

    assert 'href="/operations"' not in menu(Role.VIEWER)
    assert 'href="/operations"' in menu(Role.OPERATOR)
    assert 'href="/series"' not in menu(Role.LABELLER)
    assert 'href="/labels"' in menu(Role.LABELLER)


@pytest.mark.parametrize("roles", list(combinations(Role, 2)), ids="-".join)
def test_a_user_of_two_roles_can_open_where_they_are_led_to_work(
    sqlite_archive, make_client, roles
):
    client = make_client(sqlite_archive, roles)
    for page in ("/account", "/operations"):
        links = set(re.findall(r'href="(/(?:labels|operations)[/a-z]*)"', client.get(page).text))
        assert {path: client.get(path).status_code for path in links} == dict.fromkeys(links, 200)


# --- forms from elsewhere -------------------------------------------------------------------------


def test_forms_without_their_mark_are_refused(sqlite_archive, make_client):
    everything = make_client(sqlite_archive, list(Role), name="all")
    for route in known(everything.app):
        if route.method == "POST" and route.path not in UNMARKED:
            for data in ({}, {"mark": ""}, {"mark": "0" * 64}, {"mark": "\u00e9"}):
                answer = everything.post(route.sample, data=data)
                assert (answer.status_code, "load the page again" in answer.text) == (403, True)


def test_the_mark_of_somebody_else_does_not_count(sqlite_archive, make_client):
    one = make_client(sqlite_archive, Role.ANALYST, name="one")
    other = make_client(sqlite_archive, Role.ANALYST, name="other")
    again = make_client(sqlite_archive, Role.ANALYST, name="one")
    for mark in (other.mark, again.mark):
        assert one.post("/account/tokens", data={"mark": mark, "name": "x"}).status_code == 403
    form = {"mark": one.mark, "name": "x"}
    assert one.post("/account/tokens", data=form).status_code == 200
    assert one.post("/logout", headers={"X-Mark": one.mark}).status_code == 303  # as htmx may


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Sec-Fetch-Site": ""}, 403),
        ({"Sec-Fetch-Site": "", "Origin": "http://localhost"}, 403),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "http://localhost.evil.test"}, 403),
        ({"Origin": "http://user@localhost"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Authorization": "Basic YTpi"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Authorization": "Bearer of-the-proxy"}, 403),
        ({"Origin": "http://localhost"}, 303),
        ({}, 303),
    ],
    ids=range(15),
)  # fmt: skip
def test_pages_of_other_sites_send_no_form(sqlite_archive, make_client, headers, status):
    client = make_client(sqlite_archive, Role.VIEWER)
    assert client.post("/logout", data={"mark": client.mark}, headers=headers).status_code == status


def test_a_form_from_nowhere_is_refused(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.VIEWER)
    del client.headers["Sec-Fetch-Site"]
    answer = client.post("/logout", data={"mark": client.mark})
    assert (answer.status_code, answer.text) == (403, "this was sent by a page of another site")
    assert client.get("/").status_code == 200


def test_logging_somebody_in_from_elsewhere_is_refused(sqlite_archive, make_client, make_user):
    make_user(sqlite_archive, "ada", Role.VIEWER)
    client = make_client(sqlite_archive)
    form = {"name": "ada", "password": "a long enough password"}
    answer = client.post("/login", data=form, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


# --- what stands around every answer --------------------------------------------------------------


def test_every_answer_has_the_headers(sqlite_archive, make_client):
    client = make_client(sqlite_archive, list(Role), name="all", raises=False)
    answers = [asked(client, route) for route in known(client.app) if "logout" not in route.path]
    app_of(client.app).add_api_route("/broken", lambda: 1 / 0)
    answers += [
        client.get("/broken"), client.get("/none"), client.get("/api/v1/none"),
        client.put("/"), client.post("/"), client.get("/?page=x"),
        client.get("/", headers={"Host": "evil.test"}), client.get("/static/none.js"),
        client.get("/static/htmx.min.js"), client.get("/site.css"), client.get("/login/"),
        client.post("/login", content=b"x" * 70_000),
        make_client(sqlite_archive).get("/"), make_client(sqlite_archive).get("/api/v1/overview"),
    ]  # fmt: skip
    assert {200, 303, 307, 401, 404, 405, 413, 421, 422, 500} <= {
        one.status_code for one in answers
    }
    for answer in answers:
        for name in HEADERS:
            assert len(answer.headers.get_list(name)) == 1, (answer.request.url, name)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe-eval" not in policy
        assert "frame-ancestors 'none'" in policy
        if "unsafe-inline" in policy:  # a stored report, which has a style sheet and no script
            assert "sandbox" in policy
            assert "script-src" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


def test_faults_tell_nothing(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.VIEWER, raises=False)
    app_of(client.app).add_api_route("/broken", lambda: 1 / 0)
    app_of(client.app).add_api_route("/api/v1/broken", lambda: 1 / 0)
    page = client.get("/broken")
    assert page.status_code == 500
    assert "A fault of this program" in page.text
    assert "ZeroDivision" not in page.text
    assert client.get("/api/v1/broken").json() == {
        "detail": "a fault of this program; its log says more"
    }


@pytest.mark.parametrize(
    "host",
    ["evil.test", "", "localhost.evil.test", "evil.test:80", "localhost@evil.test",
     "localhost:80@evil.test", "localhost:80:90", "local\u00e9host", "[::1", "localhost/x", "a b"],
    ids=range(11),
)  # fmt: skip
def test_names_that_are_not_ours_are_refused(sqlite_archive, make_client, host):
    client = make_client(sqlite_archive, Role.VIEWER)
    answer = client.get("/", headers={"Host": host.encode("latin-1")})
    assert answer.status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8600", "127.0.0.1:1"])
def test_our_names_are_not(sqlite_archive, make_client, host):
    client = make_client(sqlite_archive, Role.VIEWER)
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "..\\app.py", "....//app.py", "%5c..%5capp.py",
     "//etc/passwd", "/etc/passwd", ".", "", "htmx.min.js/../../app.py",
     "..%252fapp.py"],
    ids=range(12),
)  # fmt: skip
def test_nothing_but_static_files_is_served_there(sqlite_archive, make_client, path):
    client = make_client(sqlite_archive, Role.VIEWER)
    url = client.base_url.copy_with(raw_path=f"/static/{path}".encode())
    answer = client.get(url)
    assert answer.status_code in (404, 307)
    assert "import" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "X"])
def test_other_methods_are_refused(sqlite_archive, make_client, method):
    client = make_client(sqlite_archive, Role.VIEWER)
    for path in ("/", "/login", "/api/v1/overview", "/static/htmx.min.js", "/none"):
        assert client.request(method, path).status_code == 405


def test_reading_and_writing_are_not_mistaken(sqlite_archive, make_client):
    client = make_client(sqlite_archive, list(Role), name="all")
    written = {route.path for route in known(client.app) if route.method == "POST"}
    read = {route.path for route in known(client.app) if route.method == "GET"}
    for route in known(client.app):
        if route.method == "GET" and route.path not in {*written, "/static"}:
            answer = client.post(route.sample, data={"mark": client.mark})
            assert answer.status_code == 405, route
        if route.path in written - read:
            assert client.get(route.sample).status_code in (404, 405, 422), route


# --- bodies ---------------------------------------------------------------------------------------


def test_bodies_that_are_too_long_are_refused(sqlite_archive, make_client):
    client = make_client(sqlite_archive)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/login", content=b"a=" + b"x" * 65_535, headers=form).status_code == 413

    def parts():
        for _ in range(100):
            yield b"x" * 1_000

    assert client.post("/login", content=parts(), headers=form).status_code == 413
    for length in ("-1", "1e3", "\u00b2", "9" * 5_000, "0x10", "+5", ""):
        headers = form | {"Content-Length": length.encode("latin-1")}
        answer = client.post("/login", content=b"a=b", headers=headers)
        assert answer.status_code == 413, length


def test_heads_that_are_too_long_are_refused(sqlite_archive, make_client):
    """A head that comes at once is as long as one that comes in parts."""
    client = make_client(sqlite_archive)
    assert client.get("/login", headers={"X-One": "a" * 30_000}).status_code == 200
    for asked in ({"headers": {"X-One": "a" * 33_000}}, {"params": {"after": "a" * 33_000}},
                  {"headers": {f"X-{n}": "a" * 90 for n in range(400)}}):  # fmt: skip
        assert client.get("/login", **asked).status_code == 431
    assert client.get(f"/api/v1/{'a' * 33_000}").json()["detail"].endswith("too long")


def test_only_forms_are_read(sqlite_archive, make_client):
    client = make_client(sqlite_archive)
    assert client.post("/login", json={"name": "a", "password": "b"}).status_code == 415
    assert client.post("/login", files={"name": b"a"}).status_code == 415
    kind = {"Content-Type": "multipart/form-data; boundary=x; charset=unicode_escape"}
    assert client.post("/login", content=b"--x", headers=kind).status_code == 415


def test_text_that_no_database_keeps_is_refused(archive, make_client):
    client = make_client(archive, list(Role), name="all")
    assert client.get("/series/%00").status_code == 400
    assert client.get("/?job=a%00b").status_code == 400
    assert client.post("/login", data={"name": "a\x00b", "password": "x"}).status_code == 400
    strange = {"name": "\ufffe\ud7ff\U0010ffff", "password": "\u202e" * 20}
    assert client.post("/login", data=strange).status_code == 401
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    broken = b"name=%ed%a0%80%ff&password=%c0%80%fe"
    assert client.post("/login", content=broken, headers=kind).status_code == 401
    assert client.get("/?job=%ed%a0%80%ff").status_code == 200


def test_numbers_that_no_database_keeps_are_refused(archive, make_client):
    client = make_client(archive, list(Role), name="all", raises=False)
    numbers = ("-1", "0", str(2**63 - 1), str(2**63), "9" * 400, "1e5", "%C2%B2", "x" * 5_000)
    for route in known(client.app):
        has_number = sample(route.path, "0") != sample(route.path, "1")
        for number in numbers if has_number else ():
            form = {"data": {"mark": client.mark}} if route.method == "POST" else {}
            answer = client.request(route.method, sample(route.path, number), **form)
            assert answer.status_code in (303, 400, 404, 405, 422), (route, number)


@pytest.mark.parametrize(
    ("asked", "entry"),
    [
        ({}, EntryRule.LOCAL),
        ({"certificate": Path("c.pem"), "key": Path("k.pem")}, EntryRule.LOGIN),
        ({"proxies": ("127.0.0.1",)}, EntryRule.LOGIN),
        ({"is_public": True}, EntryRule.PUBLIC),
    ],
    ids=["plain", "certificate", "proxy", "public"],
)
def test_who_comes_in_at_this_machine(asked, entry):
    """A certificate is for others, who may reach this address by a tunnel."""
    found = check_access(
        ServeOptions("127.0.0.1", 8600, **asked), make_address("127.0.0.1", 8600, "--host")
    )
    assert found.entry is entry
