"""Every form with values that nobody of good will sends: no failure, and nothing odd is stored."""

from itertools import product
from urllib.parse import quote_plus

import pytest
import sqlalchemy as sa

from monitor.labels import sheets
from monitor.roles import Role
from monitor.store.derive import people
from monitor.store.reports import run_report
from monitor.store.schema import metadata
from tests.web.site.conftest import PASSWORD
from tests.web.site.routes import known, sample

#: As they are sent: NUL, half a pair of surrogates, no UTF-8, long, negative, huge, of other types.
VALUES = (
    "", "a%00b", "%ED%A0%80", "%FF%FE", "x" * 5_000, "-1", "9" * 400, "1e309", "[]", "%E2%80%AE",
    "a%0D%0ASet-Cookie:+a=b", "'%3B+DROP+TABLE+users%3B--", "%3Cscript%3E", "//evil.test",
)  # fmt: skip
#: {route: what it is sent in good faith}; `key` is that of somebody who is to be labelled.
FORMS = {
    "/login": {"name": "nobody", "password": PASSWORD, "after": "/"},
    "/logout": {},
    "/account/password": {"old": PASSWORD, "new": "another long password", "again": "x"},
    "/account/tokens": {"name": "weekly", "days": "9"},
    "/account/tokens/{number}/revoke": {},
    "/labels": {"key": "key", "said": "women", "comment": "seen", "ask": "open"},
    "/labels/begin": {"ask": "open"},
    "/donate/check": {"file": "x"},
    "/donate/add": {
        "ticket": "x", "donor": "17", "region": "us-en", "device": "mobile", "signed_in": "no",
        "agreed": "yes",
    },
    "/donate/discard": {"ticket": "x"},
    "/donate/erase": {"donor": "17", "reason": "why"},
    "/operations/pause": {"kind": "engine", "name": "libretranslate", "reason": "why"},
    "/operations/resume": {"kind": "engine", "name": "libretranslate"},
}  # fmt: skip
#: Passwords are slow to check on purpose, and seldom tried.
_SLOW = {"/login": 6, "/account/password": 6}


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, list(Role), name="everybody", raises=False)


def sent(fields):
    return "&".join(f"{name}={value}" for name, value in fields).encode()


def odd(fields):
    """The form with each value in the place of each field, with a field too many, and without."""
    for name, value in product(fields, VALUES):
        yield [*(fields | {name: value}).items()]
    for name in fields:
        yield [(other, value) for other, value in fields.items() if other != name]
        yield [*fields.items(), (name, "again"), ("is_admin", "1")]


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_no_form_fails_and_nothing_odd_is_stored(client, archive):
    posts = [route.path for route in known(client.app) if route.method == "POST"]
    assert sorted(posts) == sorted(FORMS)
    with archive.read() as connection:
        key = sheets.blind_key(min(people.read_shown_entities(connection)))
    failed, answered = [], set()
    for path in (one for one in FORMS if one != "/logout"):
        fields = {name: quote_plus(value) for name, value in FORMS[path].items()}
        fields |= {"key": key} if "key" in fields else {}
        for n, form in enumerate(odd(fields | {"mark": client.mark})):
            if n >= _SLOW.get(path, 500):
                break
            answer = client.post(
                sample(path), content=sent(form),
                headers={"Content-Type": "application/x-www-form-urlencoded"},
            )  # fmt: skip
            answered.add(answer.status_code)
            if answer.status_code >= 500:
                failed.append((path, form, answer.status_code))
            assert "a=b" not in answer.headers.get("Set-Cookie", "")
            assert not answer.headers.get("Location", "/").startswith("//")
    assert not failed
    assert {303, 400, 403, 422} <= answered
    with archive.read() as connection:
        _look(connection)
    assert client.post("/logout", data={"mark": client.mark}).status_code == 303


def _look(connection):
    """What forms write: texts of their length, of engines that there are."""
    for row in run_report.read_rows(connection, "SELECT kind, name FROM pauses"):
        assert (row["kind"], row["name"]) == ("engine", "libretranslate")
    for name in ("pauses", "events", "people.people_ratings", "people.api_tokens"):
        rows = connection.execute(sa.select(metadata.tables[name])).mappings().all()
        assert rows, name
        for row in rows:
            for text in (one for one in row.values() if isinstance(one, str)):
                assert len(text) <= 5_000
                assert "\x00" not in text
                text.encode()
