"""Logging in: sessions and their ends, failures that are counted, tokens, what `after` leads to."""

from datetime import timedelta
from threading import Event, Thread

import pytest

from monitor.roles import Role
from monitor.store.access import users
from monitor.store.journal import events
from monitor.web import passwords
from monitor.web.site.pages import account
from monitor.web.site.serving import _parse_network
from monitor.web.site.site_state import EntryRule
from monitor.web.site.visitors import make_session_mark
from tests.web.site.conftest import PASSWORD, log_in
from tests.web.site.routes import ON_BOTH

COOKIE = "monitor"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def plain(monkeypatch):
    """Hashes that cost nothing, for tests in which many logins fail."""

    def fits(password, stored):
        return bool(stored) and password == PASSWORD

    monkeypatch.setattr(passwords, "check_password", fits)


@pytest.fixture
def ada(database, make_user):
    return make_user(database, "ada", Role.ANALYST)


def login(client, name="ada", password=PASSWORD, **more):
    return client.post("/login", data={"name": name, "password": password, **more.pop("data", {})},
                       **more)  # fmt: skip


def held(answer):
    return answer.cookies.get(COOKIE) or answer.cookies.get("__Host-monitor")


# --- sessions -------------------------------------------------------------------------------------


@ON_BOTH
def test_a_login_leads_where_one_was_going(database, make_client, ada):
    client = make_client(database)
    answer = client.get("/?job=a%26b&page=1")
    assert (answer.status_code, answer.headers["Location"]) == (
        303, "/login?after=%2F%3Fjob%3Da%2526b%26page%3D1",
    )  # fmt: skip
    form = client.get(answer.headers["Location"])
    assert 'name="after" value="/?job=a%26b&amp;page=1"' in form.text
    done = login(client, data={"after": "/?job=a%26b&page=1"})
    assert (done.status_code, done.headers["Location"]) == (303, "/?job=a%26b&page=1")
    assert client.get("/").status_code == 200
    assert 'href="/account">ada' in client.get("/").text


def test_a_part_of_a_page_sends_the_whole_of_it_to_the_login(database, make_client):
    client = make_client(database)
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/runs?page=2"}
    answer = client.get("/", headers=headers)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (
        401, "/login?after=%2Fruns%3Fpage%3D2",
    )  # fmt: skip
    evil = client.get("/", headers=headers | {"HX-Current-URL": "http://evil.test//evil.test/x"})
    assert evil.headers["HX-Redirect"] == "/login?after=%2F%2Fevil.test%2Fx"  # where it is checked


@pytest.mark.parametrize(
    "after",
    ["//evil.test", "https://evil.test", "/\\evil.test", "\\\\evil.test", "/\t/evil.test",
     "/\n/evil.test", "javascript:alert(1)", "evil.test", "", " /", "//[evil", "///evil.test",
     "/\x7f/evil.test", "/\u2028/x", "data:text/html,x", "http:evil.test"],
    ids=range(16),
)  # fmt: skip
def test_a_login_leads_nowhere_else(database, make_client, ada, after):
    client = make_client(database)
    assert login(client, data={"after": after}).headers["Location"] == "/"
    assert 'name="after" value="/"' in client.get("/login", params={"after": after}).text


def test_the_cookie_is_for_this_host_and_no_script(database, make_client, ada):
    cookie = login(make_client(database)).headers["Set-Cookie"]
    assert cookie.startswith("monitor=")
    assert "; HttpOnly" in cookie
    assert "; Path=/" in cookie
    assert "; SameSite=lax" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie
    secure = login(make_client(database, is_secure=True)).headers["Set-Cookie"]
    assert secure.startswith("__Host-monitor=")
    assert "; Secure" in secure
    client = make_client(database, Role.VIEWER, is_secure=True)
    gone = client.post("/logout", data={"mark": client.mark}).headers["Set-Cookie"]
    assert gone.startswith('__Host-monitor="";')
    assert "; Max-Age=0" in gone
    assert "; Secure" in gone


def test_each_login_has_a_session_of_its_own(database, make_client, ada):
    client = make_client(database)
    client.cookies.set(COOKIE, "planted by somebody else")
    first = held(login(client))
    assert first != "planted by somebody else"
    client.cookies.clear()
    client.cookies.set(COOKIE, first)
    second = held(login(client))
    assert second != first
    other = make_client(database)
    other.cookies.set(COOKIE, first)
    assert other.get("/").status_code == 303  # it ended with the second login
    other.cookies.clear()
    other.cookies.set(COOKIE, second)
    assert other.get("/").status_code == 200


def test_what_the_browser_holds_is_not_stored(database, make_client, ada):
    import sqlalchemy as sa

    secret = held(login(make_client(database)))
    with database.read() as connection:
        rows = connection.execute(sa.text("SELECT * FROM people.web_sessions")).all()
    assert len(rows) == 1
    assert secret not in str(rows)
    assert len(secret) >= 43  # 256 bits


@ON_BOTH
def test_a_session_ends_when_it_is_not_used(database, make_client, ada, clock):
    client = make_client(database)
    login(client)
    for _ in range(3):
        clock.at += users.IDLE - MINUTE
        assert client.get("/").status_code == 200
    clock.at += users.IDLE + MINUTE
    assert client.get("/").status_code == 303


def test_a_session_ends_in_any_case(database, make_client, ada, clock):
    client = make_client(database)
    login(client)
    began = clock.at
    while clock.at - began < users.LONGEST - timedelta(hours=6):
        clock.at += timedelta(hours=6)
        assert client.get("/").status_code == 200
    clock.at = began + users.LONGEST + MINUTE
    assert client.get("/").status_code == 303


def test_logging_out_ends_the_session_everywhere_it_is_held(database, make_client, ada):
    client, other = make_client(database), make_client(database)
    secret = held(login(client))
    other.cookies.set(COOKIE, secret)
    assert other.get("/").status_code == 200

    done = client.post("/logout", data={"mark": make_session_mark(secret)})
    assert (done.status_code, done.headers["Location"]) == (303, "/login")
    assert other.get("/").status_code == 303


@ON_BOTH
def test_another_password_or_role_ends_all_sessions(database, make_client, ada, clock):
    clients = [make_client(database) for _ in range(2)]
    for client in clients:
        log_in(client, ada)
    with database.begin() as connection:
        users.change_user(connection, ada, hashed=passwords.hash_password("another long password"))
    assert [client.get("/").status_code for client in clients] == [303, 303]
    assert login(clients[0]).status_code == 401
    assert login(clients[0], password="another long password").status_code == 303


def test_who_was_disabled_is_out_at_once(database, make_client, ada, clock):
    client = make_client(database)
    login(client)
    with database.begin() as connection:
        users.disable_user(connection, ada, clock())
    assert client.get("/").status_code == 303
    assert login(client).status_code == 401


NEW = "another long password"


def change(client, old=PASSWORD, new=NEW, again=NEW, **more):
    form = {"mark": client.mark, "old": old, "new": new, "again": again}
    return client.post("/account/password", data=form, **more)


@ON_BOTH
def test_a_user_gives_themselves_another_password(database, make_client, ada):
    client, other = make_client(database), make_client(database)
    for one in (client, other):
        log_in(one, ada)
    before = client.cookies[COOKIE]
    done = change(client)
    assert (done.status_code, done.headers["Location"]) == (303, "/account?changed=password")
    assert "You have another password" in client.get(done.headers["Location"]).text
    assert [client.get("/").status_code, other.get("/").status_code] == [200, 303]
    other.cookies.clear()
    other.cookies.set(COOKIE, before)
    assert other.get("/").status_code == 303  # what somebody else may hold of this session
    assert login(other).status_code == 401
    assert login(other, password=NEW).status_code == 303
    with database.read() as connection:
        [said] = events.list_of_kind(connection, "user_changed")
    assert (said.subject, said.detail) == (f"user {ada.id}", "password, by themselves")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"old": "not the password"}, "that is not your password until now"),
        ({"again": "yet another password"}, "the new password was not written twice alike"),
        ({"new": "short", "again": "short"}, "a password has 12 to 1,024 characters, this one 5"),
    ],
    ids=range(3),
)
def test_a_password_that_cannot_be_changed_stays(database, make_client, ada, form, words):
    client = make_client(database)
    log_in(client, ada)
    answer = change(client, **form)
    assert (answer.status_code, words in answer.text) == (400, True)
    assert login(make_client(database)).status_code == 303


def test_who_sits_at_an_open_browser_cannot_guess(database, make_client, ada, plain):
    client = make_client(database)
    log_in(client, ada)
    for _ in range(account.MOST_OF_BOTH):
        assert change(client, "wrong").status_code == 400
    assert change(client).status_code == 429


# --- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "password"),
    [("ada", "not the password"), ("eve", PASSWORD), ("ada", ""), ("", PASSWORD),
     ("proxied", ""), ("proxied", PASSWORD), ("' OR 1=1 --", PASSWORD), ("Ada", PASSWORD)],
    ids=range(8),
)  # fmt: skip
def test_what_does_not_belong_together_is_refused_alike(
    database, make_client, ada, clock, name, password
):
    with database.begin() as connection:
        users.add_user(connection, "proxied", [Role.VIEWER], "", clock())
    client = make_client(database)
    answer = login(client, name, password)
    assert "set-cookie" not in answer.headers
    if name and password:
        assert answer.status_code == 401
        assert "this name and password do not belong together" in answer.text
    else:
        assert answer.status_code in (401, 422)


def test_whether_there_is_such_a_user_cannot_be_told_by_time(
    database, make_client, ada, monkeypatch
):
    """Every login that fails costs one check of a hash, whoever it is for."""
    checked = []
    hasher = passwords._make_hasher()

    class Counted:
        def hash(self, password):
            return hasher.hash(password)

        def verify(self, stored, password):
            checked.append(stored[:30])
            return hasher.verify(stored, password)

    with database.begin() as connection:
        users.change_user(connection, ada, hashed=passwords.hash_password(PASSWORD))
    monkeypatch.setattr(passwords, "_make_hasher", Counted)
    client = make_client(database)
    login(client, "ada", "not the password")
    login(client, "eve", "not the password")
    assert len(checked) == 2
    assert checked[0] == checked[1]  # of the same cost


def test_failures_of_a_name_at_an_address_are_counted(database, make_client, ada, clock, plain):
    client = make_client(database)
    for _ in range(account.MOST_OF_BOTH):
        assert login(client, password="wrong").status_code == 401
    answer = login(client)  # the right one does not help any more
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) == pytest.approx(
        account.FAILURE_WINDOW.total_seconds(), abs=2
    )
    assert "try again in" in answer.text
    assert login(client, "ADA").status_code == 429
    clock.at += account.FAILURE_WINDOW + MINUTE
    assert login(client).status_code == 303


def test_a_login_that_succeeds_forgets_failures(database, make_client, ada, plain):
    client = make_client(database)
    for _ in range(3):
        for _ in range(account.MOST_OF_BOTH - 1):
            assert login(client, password="wrong").status_code == 401
        assert login(client).status_code == 303


def proxied(make_client, database):
    return make_client(database, proxies=(_parse_network("127.0.0.0/8"),), is_secure=True)


def at(address):
    return {"X-Forwarded-For": address}


def test_nobody_can_keep_others_out(database, make_client, make_user, ada, plain):
    make_user(database, "bob", Role.VIEWER)
    client = proxied(make_client, database)
    statuses = [
        login(client, password="wrong", headers=at("192.0.2.1")).status_code for _ in range(200)
    ]
    assert statuses == [401] * account.MOST_OF_BOTH + [429] * (200 - account.MOST_OF_BOTH)
    assert login(client, "bob", headers=at("192.0.2.1")).status_code == 303
    assert login(client, headers=at("192.0.2.2")).status_code == 303  # herself, from elsewhere


def test_an_address_that_tries_many_names_is_stopped(database, make_client, ada, plain):
    client = proxied(make_client, database)
    for n in range(account.MOST_OF_ADDRESS):
        assert login(client, f"user{n}", headers=at("192.0.2.1")).status_code == 401
    assert login(client, "another", headers=at("192.0.2.1")).status_code == 429
    assert login(client, headers=at("192.0.2.2")).status_code == 303


def test_a_network_of_ipv6_is_one_address(database, make_client, ada, plain):
    client = proxied(make_client, database)
    for n in range(account.MOST_OF_BOTH):
        login(client, password="wrong", headers=at(f"2001:db8::{n:x}"))
    assert login(client, headers=at("2001:db8::ffff")).status_code == 429
    assert login(client, headers=at("2001:db8:0:1::1")).status_code == 303


def test_many_addresses_that_try_one_name_are_stopped(database, make_client, ada, plain):
    client = proxied(make_client, database)
    for n in range(account.MOST_OF_NAME):
        assert login(client, password="x", headers=at(f"192.0.2.{n}")).status_code == 401
    assert login(client, password="x", headers=at("198.51.100.1")).status_code == 429


def test_who_asks_is_not_what_the_client_says(database, make_client, ada, plain):
    """What a client has sent stands before what the proxy adds, in the same header or another."""
    client = proxied(make_client, database)
    for n in range(account.MOST_OF_BOTH):
        headers = at(f"198.51.100.{n}, 192.0.2.1, 127.0.0.9")
        assert login(client, password="x", headers=headers).status_code == 401
    assert login(client, headers=at("192.0.2.1")).status_code == 429
    for same in ("192.0.2.1:4711", "198.51.100.1, 192.0.2.1:80", "192.0.2.1, 127.0.0.9:81"):
        assert login(client, headers=at(same)).status_code == 429  # some proxies add a port
    headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "192.0.2.1")]
    assert login(client, headers=headers).status_code == 429
    direct = make_client(database)
    assert login(direct, headers=at("198.51.100.1")).status_code == 403  # no proxy was named


def test_pages_are_answered_while_many_log_in(database, make_client, ada, monkeypatch):
    """Checks of passwords wait for each other, but not on all the threads there are."""
    begun, go_on = Event(), Event()

    class Slow:
        def verify(self, _stored, _password):
            begun.set()
            assert go_on.wait(30)

    passwords._make_dummy_hash()
    monkeypatch.setattr(passwords, "_make_hasher", Slow)
    threads = [
        Thread(target=passwords.check_password, args=("x", "stored"))
        for _ in range(passwords._WAITING._initial_value)
    ]
    try:
        for thread in threads:
            thread.start()
        assert begun.wait(30)
        while passwords._WAITING._value:
            pass
        client = make_client(database)
        answer = login(client)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "3"
    finally:
        go_on.set()
        for thread in threads:
            thread.join()


# --- tokens ---------------------------------------------------------------------------------------


@pytest.fixture
def token(database, ada, clock):
    with database.begin() as connection:
        return users.add_token(connection, ada, "script", clock() + timedelta(days=2), clock())


def bearer(secret, scheme="Bearer"):
    return {"Authorization": f"{scheme} {secret}"}


@ON_BOTH
def test_a_token_reads_the_api(database, make_client, token):
    client = make_client(database)
    answer = client.get("/api/v1/overview", headers=bearer(token))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert client.get("/", headers=bearer(token, "bEARER")).status_code == 200
    assert client.get("/api/v1/overview").status_code == 401  # nothing of it stays


@pytest.mark.parametrize("how", ["cut", "longer", "other", "empty", "basic", "query", "cookie"])
def test_what_is_no_token_does_not_count(database, make_client, token, how):
    client = make_client(database)
    headers = {
        "cut": bearer(token[:-1]), "longer": bearer(f"{token}x"), "other": bearer("gbm_x"),
        "empty": bearer(""), "basic": bearer(token, "Basic"), "query": {},
        "cookie": {"Cookie": f"{COOKIE}={token}"},
    }[how]  # fmt: skip
    path = f"/api/v1/overview{f'?token={token}' if how == 'query' else ''}"
    answer = client.get(path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert token not in answer.text


def test_a_token_ends(database, make_client, ada, token, clock):
    client = make_client(database)
    assert client.get("/api/v1/overview", headers=bearer(token)).status_code == 200
    clock.at += timedelta(days=2, minutes=1)
    assert client.get("/api/v1/overview", headers=bearer(token)).status_code == 401


def test_a_token_that_was_revoked_is_none(database, make_client, ada, token):
    client, browser = make_client(database), make_client(database, Role.ANALYST, name="ada")
    form = {"mark": browser.mark}
    assert browser.post("/account/tokens/1/revoke", data=form).status_code == 303
    assert client.get("/api/v1/overview", headers=bearer(token)).status_code == 401
    assert browser.post("/account/tokens/1/revoke", data=form).status_code == 404
    assert "revoked" in browser.get("/account").text


def test_a_token_of_who_was_disabled_is_none(database, make_client, ada, token, clock):
    with database.begin() as connection:
        users.disable_user(connection, ada, clock())
        users.enable_user(connection, ada)
    client = make_client(database)
    assert client.get("/api/v1/overview", headers=bearer(token)).status_code == 401


def test_a_token_makes_no_token_and_ends_none(database, make_client, token):
    client = make_client(database)
    for path in ("/account/tokens", "/account/tokens/1/revoke"):
        answer = client.post(path, data={"name": "more"}, headers=bearer(token))
        assert answer.status_code == 403
    assert change(client, headers=bearer(token)).status_code == 403
    assert client.get("/account", headers=bearer(token)).status_code == 403
    with database.read() as connection:
        assert len(users.list_tokens(connection, users.get_user(connection, "ada"))) == 1


def test_a_token_is_shown_once_and_to_its_user_alone(database, make_client):
    client = make_client(database, Role.ANALYST, name="ada")
    other = make_client(database, Role.ANALYST, name="bob")
    form = {"mark": client.mark, "name": "<script>x", "days": 7}
    made = client.post("/account/tokens", data=form)
    assert made.status_code == 200
    assert "gbm_" in made.text
    assert "<script>x" not in made.text
    assert "&lt;script&gt;x" in made.text
    assert "gbm_" not in client.get("/account").text
    assert "script" not in other.get("/account").text.partition("<main")[2]
    theirs = other.post("/account/tokens/1/revoke", data={"mark": other.mark})
    assert theirs.status_code == 404


@pytest.mark.parametrize("role", [Role.VIEWER, Role.LABELLER, Role.OPERATOR])
def test_only_who_may_take_answers_away_makes_tokens(database, make_client, role):
    client = make_client(database, role)
    form = {"mark": client.mark, "name": "x"}
    assert client.post("/account/tokens", data=form).status_code == 403
    assert "/account/tokens" not in client.get("/account").text


@pytest.mark.parametrize("days", ["0", "-1", "366", "x"])
def test_a_token_lasts_a_year_at_most(database, make_client, days):
    client = make_client(database, Role.ANALYST)
    form = {"mark": client.mark, "name": "x", "days": days}
    assert client.post("/account/tokens", data=form).status_code == 422


# --- users of a proxy -----------------------------------------------------------------------------


@pytest.fixture
def behind(database, make_client, make_user):
    make_user(database, "ada", Role.ANALYST)
    make_user(database, "eva@example.org", Role.VIEWER)
    networks = (_parse_network("127.0.0.0/8"),)
    return make_client(database, proxies=networks, is_secure=True, user_header="X-User")


def test_a_proxy_says_who_somebody_is(behind):
    assert behind.get("/").status_code == 303
    page = behind.get("/", headers={"X-User": "eva@example.org"})
    assert page.status_code == 200
    assert 'href="/account">eva@example.org' in page.text
    refused = behind.get("/", headers={"X-User": "<b>mallory"})
    assert refused.status_code == 403
    assert "&lt;b&gt;mallory" in refused.text
    assert behind.get("/", headers=[("X-User", "ada"), ("X-User", "ada")]).status_code == 403
    assert behind.get("/", headers={"X_User": "ada"}).status_code == 303


def test_who_a_proxy_names_needs_marks_too(behind):
    import re

    headers = {"X-User": "ada"}
    assert behind.post("/account/tokens", data={"name": "x"}, headers=headers).status_code == 403
    mark = re.search(r'name="mark" value="(\w+)"', behind.get("/account", headers=headers).text)[1]
    form = {"name": "x", "mark": mark}
    assert behind.post("/account/tokens", data=form, headers=headers).status_code == 200
    cross = headers | {"Sec-Fetch-Site": "cross-site"}
    assert behind.post("/account/tokens", data=form, headers=cross).status_code == 403


def test_the_header_of_somebody_who_is_no_proxy_does_not_count(database, make_client, make_user):
    make_user(database, "ada", Role.ANALYST)
    networks = (_parse_network("192.0.2.0/24"),)
    far = make_client(database, proxies=networks, is_secure=True, user_header="X-User")
    assert far.get("/", headers={"X-User": "ada"}).status_code == 403
    assert far.get("/healthz", headers={"X-User": "ada"}).status_code == 200
    none = make_client(database, entry=EntryRule.PUBLIC)
    assert 'href="/account"' not in none.get("/", headers={"X-User": "ada"}).text
