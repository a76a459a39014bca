"""Mojeek: exact requests, the key that goes in the address, errors inside successes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.mojeek import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.mojeek import Mojeek
from tests.standins.results import Hit

HITS = [Hit(f"T{n} &amp; <b>b</b>", f"https://e.org/{n}", f"about {n}") for n in range(1, 13)]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("MOJEEK_API_KEY", KEY)


def found(*rows, total=None, status="OK"):
    head = {} if total is None else {"head": {"results": total}}
    return {"response": {"status": status, **head, "results": list(rows)}}


ROW = {"title": "T", "url": "https://e.org"}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    request = asked(ENGINE, "chess & go")
    assert request == HttpRequest(
        "GET",
        "https://api.mojeek.com/search?q=chess+%26+go&fmt=json&t=10&s=1&safe=0&lb=en&rb=US",
        (("Accept", "application/json"),),
        query_secrets=(("api_key", "MOJEEK_API_KEY"),),
    )
    assert KEY not in repr(request)


def test_what_the_config_asks_for_is_sent():
    config = {"count": 50, "start": 51, "safe": True, "region_boost": 10, "language_boost": 20,
              "since": "year", "before": "20260101", "key": "OTHER"}  # fmt: skip
    region = replace(US, country="BR", language="pt-BR")
    request = asked(ENGINE, region=region, **config)
    assert request.url.endswith(
        "&t=50&s=51&safe=1&lb=pt&lbb=20&rb=BR&rbb=10&since=year&before=20260101"
    )
    assert request.query_secrets == (("api_key", "OTHER"),)


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        ({"count": 100, "start": 1}, ""),
        ({"start": 0}, "at least 1"),
        ({"count": 101}, "at most 100"),
        ({"key": "1f3a-77"}, "not the key itself"),
        ({"base_url": "http://e.org"}, "https only"),
        ({"fmt": "xml"}, "unknown key"),
    ],
)
def test_a_config_is_checked(config, words):
    said_of_it = ENGINE.check("en", US.name, config)
    assert words in said_of_it
    assert bool(said_of_it) == bool(words)


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("words", "outcome", "reason", "then"),
    [
        ("ERROR: Daily Limit Reached.", Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        ("ERROR: Too Many Requests", Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        ("ERROR: Invalid API Key", Outcome.FAILED, Reason.AUTH, Then.STOP),
        ("ERROR: Access denied for IP 192.0.2.1", Outcome.FAILED, Reason.AUTH, Then.STOP),
        ("ERROR: Missing query", Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        ("ERROR", Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)
def test_a_success_carries_its_own_status(words, outcome, reason, then):
    judged = judge(ENGINE, said(200, {"response": {"status": words}}))
    assert (judged.outcome, judged.reason, find_consequence(judged)) == (outcome, reason, then)
    assert judged.detail == words


@check_each(
    ("status", "outcome", "reason"),
    [
        (401, Outcome.FAILED, Reason.AUTH),
        (403, Outcome.FAILED, Reason.AUTH),
        (429, Outcome.THROTTLED, Reason.RATE),
        (500, Outcome.FAILED, Reason.NONE),
    ],
)
def test_each_status_has_its_outcome(status, outcome, reason):
    judged = judge(ENGINE, said(status, {"response": {"status": "ERROR: words"}}))
    assert (judged.outcome, judged.reason) == (outcome, reason)
    assert judged.detail == f"HTTP {status}: ERROR: words"


@check_each(
    "content",
    [{}, [], b"<html>", b"", {"response": None}, {"response": {"status": "OK"}},
     {"response": {"status": "OK", "results": None, "head": {"results": 0}}}, {"results": [ROW]}],
)  # fmt: skip
def test_a_success_without_a_list_is_none(content):
    judged = judge(ENGINE, said(200, content))
    assert (judged.outcome, judged.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


# --- reading ------------------------------------------------------------------------------------


@check_each(
    ("content", "outcome", "reason"),
    [
        (found(total=0), Outcome.EMPTY, Reason.NONE),
        (found(), Outcome.EMPTY, Reason.NONE),
        ({"response": {"status": "OK", "head": {"results": 0}}}, Outcome.EMPTY, Reason.NONE),
        (found(total=1000), Outcome.UNREADABLE, Reason.SUSPECT_EMPTY),
        (found(ROW, total=1000), Outcome.OK, Reason.NONE),
        (found(ROW, {}, {}), Outcome.UNREADABLE, Reason.MALFORMED),
        (found(ROW, status="ERROR: words"), Outcome.UNREADABLE, Reason.MALFORMED),
    ],
)
def test_empty_is_what_the_service_calls_so(content, outcome, reason):
    reading = read(ENGINE, content)
    assert (reading.outcome, reading.reason) == (outcome, reason)


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 4), status=st.sampled_from([200, 403, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"response": inner},
        {"response": {"status": inner, "results": inner}},
        {"response": {"status": "OK", "results": inner, "head": inner}},
        {"response": {"status": "OK", "results": [{"title": inner, "url": inner}]}},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status)


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    answer, reading, [request] = ask(ENGINE, Mojeek(key=KEY, results={QUESTION: HITS}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(n, f"T{n} & b") for n in range(1, 11)]
    assert request.query["api_key"] == KEY
    assert KEY not in repr(answer)


def test_the_next_page_begins_where_the_first_one_ended():
    _, reading, _ = ask(ENGINE, Mojeek(key=KEY, results={QUESTION: HITS}), start=11)
    assert titles(reading) == [(1, "T11 & b"), (2, "T12 & b")]


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, Mojeek(key=KEY, results={QUESTION: []}))
    assert reading.outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("app", "outcome", "reason"),
    [
        (Mojeek(key="another-key"), Outcome.FAILED, Reason.AUTH),
        (Mojeek(key=KEY, quota_requests=0), Outcome.THROTTLED, Reason.QUOTA),
        (Mojeek(key=KEY, script=[Mojeek.rate_limited()]), Outcome.THROTTLED, Reason.RATE),
    ],
)
def test_its_own_errors_over_the_wire(app, outcome, reason):
    answer, reading, _ = ask(ENGINE, app)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, Mojeek(key=KEY, script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE)


@check_each("name", [*REQUIRED, "quota"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
