"""Marginalia: exact requests, the key that all share, 503 that is a rate limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.marginalia import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit

OWN = {"key": "MARGINALIA_API_KEY"}
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about {n}") for n in range(1, 4)]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("MARGINALIA_API_KEY", KEY)


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go") == HttpRequest(
        "GET",
        "https://api2.marginalia-search.com/search?query=chess+%26+go&count=20&page=1&nsfw=0"
        "&timeout=250",
        (("Accept", "application/json"), ("API-Key", "public")),
    )


def test_what_the_config_asks_for_is_sent():
    request = asked(
        ENGINE, **OWN, count=100, page=2, nsfw=True, timeout=50, dc=3, filter="academia"
    )
    assert request.url.endswith("&count=100&page=2&nsfw=1&timeout=50&dc=3&filter=academia")
    assert ("API-Key", "secret:MARGINALIA_API_KEY") in request.headers
    assert KEY not in repr(request)


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        (OWN, ""),
        ({"base_url": "http://e.org"}, ""),
        (OWN | {"base_url": "http://e.org"}, "https only"),
        ({"key": "1f3a-77"}, "not the key itself"),
        ({"count": 101}, "at most 100"),
        ({"timeout": 300}, "at most 250"),
        ({"index": 1}, "unknown key"),
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("status", "body", "outcome", "reason", "then"),
    [
        (503, b"Rate limit exceeded", Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (503, b"", Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (503, b"<html><title>Just a moment...", Outcome.BLOCKED, Reason.NONE, Then.SUSPEND),
        (429, b"slow", Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (401, b"no key", Outcome.FAILED, Reason.AUTH, Then.STOP),
        (500, b"oops", Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (400, b"bad filter", Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
    ],
)
def test_each_error_has_its_outcome(status, body, outcome, reason, then):
    found = judge(ENGINE, said(status, body))
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)


def test_who_uses_the_public_key_is_told_the_remedy():
    assert "ask for a key" in judge(ENGINE, said(503, b"")).detail
    assert "ask for a key" not in judge(ENGINE, said(503, b""), **OWN).detail


@check_each("content", [{}, [], b"<html>", b"", {"results": None}, {"license": "x", "query": "y"}])
def test_a_success_without_a_list_is_none(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


# --- reading ------------------------------------------------------------------------------------


def test_an_empty_list_is_empty():
    assert read(ENGINE, {"results": []}).outcome is Outcome.EMPTY


def test_results_without_links_are_no_shorter_list():
    rows = [{"title": "A", "url": "https://e.org"}, {"title": "B"}, {"url": "https://e.org"}]
    assert read(ENGINE, {"results": rows}).outcome is Outcome.UNREADABLE
    reading = read(ENGINE, {"results": rows[:2]})
    assert titles(reading) == [(1, "A")]
    assert reading.detail == "1 of 2 organic without a title or link"


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 2), status=st.sampled_from([200, 403, 503]))
def test_no_answer_makes_it_raise(inner, frame, status):
    rows = [{"title": inner, "url": "https://e.org", "description": inner}] * 2
    content = [inner, {"results": inner}, {"results": rows}][frame]
    searching.assert_any_json_is_read(ENGINE, content, status)


# --- over the wire ------------------------------------------------------------------------------


@pytest.mark.parametrize("config", [{}, OWN])
def test_a_success_over_the_wire(config):
    app = Marginalia(key=KEY, results={QUESTION: HITS})
    answer, reading, [request] = ask(ENGINE, app, **config)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T1"), (2, "T2"), (3, "T3")]
    assert request.headers["api-key"] == (KEY if config else "public")
    assert KEY not in repr(answer)


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, Marginalia(results={QUESTION: []}))
    assert reading.outcome is Outcome.EMPTY


@check_each(
    ("app", "config", "outcome", "reason"),
    [
        (Marginalia(exhausted=True), {}, Outcome.THROTTLED, Reason.RATE),
        (Marginalia(key=KEY, exhausted=True), OWN, Outcome.OK, Reason.NONE),
        (Marginalia(key="another-key"), OWN, Outcome.FAILED, Reason.AUTH),
        (Marginalia(quota_requests=0), {}, Outcome.THROTTLED, Reason.RATE),
    ],
)
def test_its_own_errors_over_the_wire(app, config, outcome, reason):
    answer, _, _ = ask(ENGINE, app, **config)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, Marginalia(script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE, **OWN)


@check_each("name", [*REQUIRED, "rate"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
