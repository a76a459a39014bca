"""Keys go out to the service, and into nothing else."""

import base64
import json
import logging
import string
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from monitor.fetch import http, secrets
from monitor.fetch.http import HttpFetcher
from monitor.model import HttpRequest, MissingPart, Outcome, Reason
from monitor.stages.collect.requests import describe_request
from tests.standins import serve
from tests.standins.wire import Answer

KEY = 'k3y/of "this"+machine=='
AT = datetime(2026, 11, 21, 5, tzinfo=UTC)


def asking(url="http://127.0.0.1:1/", headers=(), body=b"", body_secrets=(), **fields):
    return HttpRequest("POST", url, tuple(headers), body, tuple(body_secrets), **fields)


BOTH = {"headers": [("Authorization", "Bearer secret:TEST_KEY")], "body": b'{"q":"x"}',
        "body_secrets": [("api_key", "TEST_BODY_KEY")]}  # fmt: skip


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setenv("TEST_BODY_KEY", "an0ther-key")


def test_the_names_of_keys_each_once():
    request = asking(
        headers=[("A", "secret:ONE and secret:TWO"), ("B", "secret:ONE"), ("C", "secret: 1")],
        body_secrets=[("k", "THREE"), ("l", "TWO")],
    )
    assert secrets.key_names(request) == ("ONE", "TWO", "THREE")


@pytest.mark.parametrize("found", [None, "", "  \n"])
def test_a_missing_variable_is_named(monkeypatch, found):
    monkeypatch.delenv("TEST_KEY", raising=False)
    if found is not None:
        monkeypatch.setenv("TEST_KEY", found)
    with pytest.raises(MissingPart, match="environment variable TEST_KEY is not set"):
        http.check_request(asking(headers=[("A", "secret:TEST_KEY")]))
    with pytest.raises(MissingPart, match="TEST_KEY"):
        secrets.fill_keys(asking(body=b"{}", body_secrets=[("k", "TEST_KEY")]))


@pytest.mark.parametrize("found", ["abcdef\nX-Evil: 1", "abc\x00def", "abc\tdef", "schlüssel"])
def test_what_cannot_be_a_key_is_refused_and_not_shown(monkeypatch, found):
    if "\0" in found:
        monkeypatch.setattr(secrets.os, "environ", {"TEST_KEY": found})
    else:
        monkeypatch.setenv("TEST_KEY", found)
    with pytest.raises(MissingPart, match="TEST_KEY holds what cannot be a key") as caught:
        secrets.key_value("TEST_KEY")
    assert found not in str(caught.value)


def test_blanks_around_a_key_are_of_the_shell(monkeypatch):
    monkeypatch.setenv("TEST_KEY", " abcdef\n")
    assert secrets.key_value("TEST_KEY") == "abcdef"


def test_keys_are_filled_into_headers_and_body(keys):
    headers, body = secrets.fill_keys(asking(**BOTH))
    assert headers == {"Authorization": f"Bearer {KEY}"}
    assert json.loads(body) == {"q": "x", "api_key": "an0ther-key"}


def test_without_keys_the_body_is_sent_as_it_is():
    body = b'{ "q" : "\\u00e9" }'
    assert secrets.fill_keys(asking(body=body)) == ({}, body)


def test_a_key_may_look_like_a_name_of_another(monkeypatch):
    monkeypatch.setenv("TEST_KEY", r"secret:OTHER\1")
    headers, _ = secrets.fill_keys(asking(headers=[("A", "secret:TEST_KEY")]))
    assert headers == {"A": r"secret:OTHER\1"}


def test_the_record_of_a_request_has_the_names_only(keys):
    kept = json.dumps(describe_request(asking(**BOTH)))
    assert "secret:TEST_KEY" in kept
    assert "secret:TEST_BODY_KEY" in kept
    assert "k3y" not in kept
    assert "an0ther" not in kept


# --- taken out again ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        quote(KEY, safe=""),
        quote(KEY, safe="").replace("%2F", "%2f").replace("%3D", "%3d"),
        json.dumps(KEY)[1:-1],
        json.dumps(KEY)[1:-1].replace("/", "\\/"),
    ],
    ids=["raw", "quoted", "quoted in lower case", "in JSON", "in PHP's JSON"],
)
def test_a_key_is_taken_out_in_every_form(keys, form):
    if "%2f" in form:
        form = form.replace("%22", "%22").replace("%2B", "%2b")
    scrub = secrets.Scrubber(["TEST_KEY"])
    assert scrub.scrub_text(f"before {form}{form} after") == "before [TEST_KEY][TEST_KEY] after"
    assert scrub.scrub_body(f"<{form}>".encode() + b"\xff") == b"<[TEST_KEY]>\xff"


def test_a_key_that_another_one_begins_with(monkeypatch):
    monkeypatch.setenv("SHORT", "abcdef")
    monkeypatch.setenv("LONG", "abcdefghij")
    for names in (["SHORT", "LONG"], ["LONG", "SHORT"]):
        scrub = secrets.Scrubber(names)
        assert scrub.scrub_text("abcdefghij abcdef") == "[LONG] [SHORT]"


def test_two_names_of_one_key(monkeypatch):
    monkeypatch.setenv("ONE", "abcdef")
    monkeypatch.setenv("TWO", "abcdef")
    assert "abcdef" not in secrets.Scrubber(["ONE", "TWO"]).scrub_text("xabcdefx")


def test_what_is_too_short_to_be_told_from_text_stays(monkeypatch):
    monkeypatch.setenv("TEST_KEY", "the")
    assert secrets.Scrubber(["TEST_KEY", "NOT_SET"]).scrub_text("the answer") == "the answer"


def test_a_body_without_keys_is_the_same_object(keys):
    body = b"x" * 1000
    assert secrets.Scrubber(["TEST_KEY"]).scrub_body(body) is body


def test_further_secrets_are_taken_out_too():
    assert secrets.Scrubber([], {"token": "t0ken-1"}).scrub_text("a t0ken-1") == "a [token]"


VALUES = st.text(string.ascii_letters + string.digits + "/+=%\\\"'-_.:&<> ", min_size=6).filter(
    lambda text: len(text.strip()) >= 6
)


@given(VALUES, VALUES, st.text(max_size=20), st.text(max_size=20))
@example('00"%00', 'a&amp;"%41b', "", "")  # look like escapes themselves
@example("0000:%", "000000", "", "")  # does so where another key follows
def test_no_key_survives_in_any_text(first, second, before, after):
    first, second = first.strip(), second.strip()
    names = {"ONE": first, "TWO": second}
    assume(all(value not in f"[{name}]" for value in names.values() for name in names))
    scrub = secrets.Scrubber([], names)
    for value in (first, second):
        for form in (value, quote(value, safe=""), json.dumps(value)[1:-1]):
            for text in (f"{before}{form}{after}", f"{first}{form}{second}"):
                scrubbed = scrub.scrub_text(text)
                assert value not in scrubbed
                assert form not in scrubbed
                assert value.encode() not in scrub.scrub_body(text.encode("utf-8", "replace"))


# --- through the fetcher ------------------------------------------------------------------------


def parrot(request, wire):
    """Repeats all it was asked, in every place there is."""
    seen = json.dumps([dict(request.headers), request.body.decode()])
    words = request.headers["authorization"].removeprefix("Bearer ")
    headers = {"X-Echo": words, "X-Quoted": quote(words, safe=""), "Content-Type": "text/plain"}
    wire.send(Answer(403, f"{seen}\n{words}\n{request.body.decode()}".encode(), headers))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(VALUES, VALUES)
def test_no_key_survives_in_an_answer(running, monkeypatch, first, second):
    first, second = first.strip(), second.strip()
    monkeypatch.setenv("TEST_KEY", first)
    monkeypatch.setenv("TEST_BODY_KEY", second)
    request = asking(running.url, **BOTH)
    [(_, answer)] = HttpFetcher().fetch([request])
    assert running.requests[-1].headers["authorization"] == f"Bearer {first}"
    assert running.requests[-1].json["api_key"] == second
    unkeyed = str(answer.body).replace("[TEST_KEY]", "").replace("[TEST_BODY_KEY]", "")
    for value in (first, second):
        assume(value not in str({**running.requests[-1].headers, "authorization": ""}))
        for shown in (value, quote(value, safe=""), json.dumps(value)[1:-1]):
            assert shown.encode() not in answer.body, (answer.body, unkeyed)
            assert shown not in str([text for _, text in answer.headers])
        assert value not in repr(request)


@pytest.fixture(scope="module")
def running():
    with serve(parrot) as one:
        yield one


def test_no_key_is_in_the_log(keys, running, caplog):
    caplog.set_level(logging.DEBUG)
    [(_, answer)] = HttpFetcher().fetch([asking(running.url, **BOTH)])
    assert answer.status == 403
    assert caplog.records
    for record in caplog.records:
        assert "k3y" not in record.getMessage()
        assert "an0ther" not in record.getMessage()


def test_no_key_is_in_a_failure(monkeypatch):
    """The server is asked with a header that cannot be sent."""
    monkeypatch.setenv("TEST_KEY", "abcdef")
    request = asking(headers=[("X", "ü secret:TEST_KEY"), ("Y", "secret:TEST_KEY")])
    [(_, answer)] = HttpFetcher().fetch([request])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.REFUSED)
    assert "abcdef" not in repr(answer)


def test_a_key_that_is_missing_at_the_last_moment_stops_the_engine(monkeypatch):
    monkeypatch.delenv("TEST_KEY", raising=False)
    [(_, answer)] = HttpFetcher().fetch([asking(headers=[("A", "secret:TEST_KEY")])])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.AUTH)
    assert "TEST_KEY is not set" in answer.detail


WRITTEN = [
    lambda key: "".join(f"\\u{ord(c):04x}" for c in key),
    lambda key: "".join(f"\\u{ord(c):04X}" for c in key),
    lambda key: key.replace("&", "\\u0026").replace('"', "\\u0022"),
    lambda key: key.replace("&", "&amp;").replace('"', "&quot;"),
    lambda key: "".join(f"&#{ord(c)};" for c in key),
    lambda key: "".join(f"%{ord(c):02x}" for c in key),
    lambda key: base64.b64encode(key.encode()).decode(),
    lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    lambda key: key[:5] + f"\\u{ord(key[5]):04x}" + key[6:],
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_key_is_found_however_it_is_written(monkeypatch, written):
    key = 'sK-1+/&"<abc>?~0123456789'
    monkeypatch.setenv("A_KEY", key)
    text = f"wrong key {written(key)}, sorry"
    assert secrets.Scrubber(["A_KEY"]).scrub_text(text).startswith("wrong key [A_KEY]")
    assert secrets.Scrubber(["A_KEY"]).scrub_body(text.encode()).startswith(b"wrong key [A_KEY]")


@pytest.mark.parametrize("name", ["279a2e9d-83b3:fx", "0123456789abcdef", "9KEY"])
def test_a_key_in_the_place_of_its_name_is_never_sent(name):
    request = HttpRequest("POST", "http://127.0.0.1/", (("Authorization", f"Key secret:{name}"),))
    with pytest.raises(MissingPart) as caught:
        secrets.fill_keys(request)
    assert name not in str(caught.value)
