"""Basic authentication: the header as RFC 7617 has it, and nothing of it in the evidence."""

import base64

import pytest

from monitor.fetch import http
from monitor.fetch.http import HttpFetcher
from monitor.fetch.secrets import find_signer
from monitor.model import HttpRequest, MissingPart, Outcome, Reason
from tests.cases import check_each
from tests.standins import serve
from tests.standins.wire import json_answer

SIGNER = "basic:THE_LOGIN/THE_PASSWORD"


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("THE_LOGIN", "Aladdin")
    monkeypatch.setenv("THE_PASSWORD", "open sesame")


def request(url="http://127.0.0.1:1/", name=SIGNER):
    return HttpRequest("POST", url, (), b"[]", signer=name)


def test_the_header_of_the_rfc():
    basic, argument = find_signer(SIGNER)
    assert argument == "THE_LOGIN/THE_PASSWORD"
    added, hidden = basic.sign("THE_LOGIN/THE_PASSWORD", request(), {}, b"")
    assert added == {"Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}
    assert {"Aladdin", "open sesame"} < set(hidden.values())


def test_what_a_service_repeats_is_not_kept():
    def parrot(asked, answering):
        words = asked.headers["authorization"]
        coded = words.removeprefix("Basic ")
        plain = base64.b64decode(coded).decode()
        said = [words, coded.rstrip("="), plain, base64.b64encode(coded.encode()).decode()]
        answering.send(json_answer(403, said, {"X-Echo": words}))

    with serve(parrot) as running:
        [(_, answer)] = HttpFetcher().fetch([request(running.url)])
        [got] = running.requests
    assert got.headers["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    assert answer.status == 403
    kept = repr(answer)
    for secret in ("Aladdin", "sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "UVd4aFpHUnBia"):
        assert secret not in kept
    assert b"[THE_LOGIN:THE_PASSWORD]" in answer.body


@pytest.mark.parametrize("name", ["THE_LOGIN", "THE_PASSWORD"])
def test_a_variable_that_is_missing_is_named(monkeypatch, name):
    monkeypatch.delenv(name)
    with pytest.raises(MissingPart, match=name):
        http.check_request(request())
    [(_, answer)] = HttpFetcher().fetch([request()])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.AUTH)
    assert name in answer.detail


def test_both_variables_are_named_at_once(monkeypatch):
    monkeypatch.delenv("THE_LOGIN")
    monkeypatch.delenv("THE_PASSWORD")
    with pytest.raises(MissingPart, match="THE_LOGIN and THE_PASSWORD are not set"):
        http.check_request(request())


def test_a_login_with_a_colon_could_not_be_told_from_the_password(monkeypatch):
    monkeypatch.setenv("THE_LOGIN", "Ala:ddin")
    with pytest.raises(MissingPart, match="THE_LOGIN holds a colon"):
        http.check_request(request())


@check_each("name", ["basic", "basic:ONE", "basic:ONE/", "basic:A/B/C"])
def test_an_argument_names_two_variables(name):
    with pytest.raises(MissingPart, match="LOGIN_VARIABLE/PASSWORD_VARIABLE"):
        http.check_request(request(name=name))
