"""SearXNG: exact requests, engines that failed inside a success, lists that nobody asked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.searxng import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import judge, said
from tests.regions import US
from tests.standins.results import Hit
from tests.standins.searxng import SearXNG

BASE = {"base_url": "http://127.0.0.1:8080"}
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about <b> {n}") for n in range(1, 4)]
PANEL = {
    "infobox": "Judit Polgár",
    "id": "https://www.wikidata.org/wiki/Q131670",
    "content": "Hungarian chess player",
    "urls": [{"title": "Wikipedia", "url": "https://en.wikipedia.org/wiki/Judit_Polg%C3%A1r"}],
    "attributes": [{"label": "Born", "value": "1976"}],
    "engine": "wikidata",
}


def listed(n=0, failed=(), **others):
    rows = [{"title": f"T{k}", "url": f"https://e.org/{k}", "engines": ["brave"]} for k in range(n)]
    return {"results": rows, "unresponsive_engines": [list(one) for one in failed], **others}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go", base_url="http://h/sx/") == HttpRequest(
        "GET",
        "http://h/sx/search?q=chess+%26+go&format=json&language=en-US&categories=general"
        "&pageno=1&safesearch=0",
        (("Accept", "application/json"), ("Accept-Language", "en")),
    )


def test_engines_that_are_named_are_asked_alone():
    """Categories beside them would add the engines of the category."""
    url = asked(ENGINE, **BASE, engines="google,brave", categories="news", time_range="year").url
    assert "&engines=google%2Cbrave&" in url
    assert "categories" not in url
    assert "&time_range=year" in url
    assert "&categories=news&" in asked(ENGINE, **BASE, categories="news").url


@check_each(
    ("changes", "words"),
    [
        ({}, ""),
        ({"engines": "google", "safesearch": 2, "timeout_limit": 3.5}, ""),
        ({"base_url": "http://search.example.org"}, ""),
        ({"base_url": "search.example.org"}, "must begin with https://"),
        ({"safesearch": 3}, "at most 2"),
        ({"pageno": 0}, "at least 1"),
        ({"time_range": "hour"}, "one of day"),
        ({"engines": ""}, "not empty"),
        ({"format": "json"}, "unknown key"),
    ],
)
def test_a_config_is_checked(changes, words):
    found = ENGINE.check("en", US.name, BASE | changes)
    assert words in found
    assert bool(found) == bool(words)


def test_an_address_is_needed_and_everything_is_part_of_what_is_audited():
    assert "config needs 'base_url'" in ENGINE.check("en", US.name, {})
    assert not [one.name for one in ENGINE.parameters if one.place]


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "outcome", "reason", "then", "words"),
    [
        (SearXNG.no_json(), Outcome.FAILED, Reason.AUTH, Then.STOP, "list json under search: form"),
        (SearXNG.limited(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF, "limiter: false"),
        (SearXNG.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF, "HTTP 500: search error"),
    ],
)
def test_each_error_has_its_outcome_and_remedy(raw, outcome, reason, then, words):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()), **BASE)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert words in found.detail


def test_a_guard_in_front_of_a_public_server_is_a_block():
    page = b"<html><title>searx.example | Verifying your request</title>"
    found = judge(ENGINE, said(403, page), **BASE)
    assert (found.outcome, find_consequence(found)) == (Outcome.BLOCKED, Then.SUSPEND)
    assert "settings.yml" not in found.detail


@check_each(
    ("failed", "outcome", "reason", "then"),
    [
        ([("google", "Suspended: CAPTCHA")], Outcome.BLOCKED, Reason.NONE, Then.SUSPEND),
        ([("google", "CAPTCHA"), ("qwant", "access denied")], Outcome.BLOCKED, Reason.NONE,
         Then.SUSPEND),
        ([("google", "too many requests")], Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        ([("google", "CAPTCHA"), ("bing", "Suspended: too many requests")], Outcome.THROTTLED,
         Reason.RATE, Then.BACK_OFF),
        ([("google", "timeout")], Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        ([("google", "CAPTCHA"), ("bing", "timeout")], Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        ([("google", "server API error")], Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        ([("google",)], Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)  # fmt: skip
def test_a_list_that_no_engine_answered_is_not_empty(failed, outcome, reason, then):
    content = listed(0, failed, infoboxes=[PANEL])
    found = judge(ENGINE, said(200, content), **BASE)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert "no engine answered: google" in found.detail
    reading = read(ENGINE, content)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.SUSPECT_EMPTY)


def test_a_list_without_some_engines_names_them():
    content = listed(2, [("google", "Suspended: CAPTCHA"), ("slow one", "timeout")])
    assert judge(ENGINE, said(200, content), **BASE).outcome is Outcome.OK
    reading = read(ENGINE, content)
    assert reading.outcome is Outcome.OK
    assert reading.detail == "failed: google (Suspended: CAPTCHA), slow one (timeout)"


@pytest.mark.parametrize("engines", ["google,brave", "Brave, Google"])
def test_a_list_without_an_engine_that_was_named_is_not_what_was_asked_for(engines):
    content = listed(2, [("google", "Suspended: CAPTCHA")])
    found = judge(ENGINE, said(200, content), **BASE, engines=engines)
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert "not the list that was asked for: google" in found.detail
    # answers that were not understood are read again: the address says what was asked
    again = read(ENGINE, content, url=asked(ENGINE, **BASE, engines=engines).url)
    assert (again.outcome, again.reason) == (Outcome.UNREADABLE, Reason.SHORT)


@pytest.mark.parametrize("url", ["", "http://[::1", "http://h/search?q=x&engines="])
def test_an_address_that_names_no_engines_asks_for_none(url):
    assert read(ENGINE, listed(2, [("google", "timeout")]), url=url).outcome is Outcome.OK


def test_an_engine_that_failed_and_was_not_named_does_not_matter():
    content = listed(2, [("google", "timeout")])
    assert judge(ENGINE, said(200, content), **BASE, engines="brave").outcome is Outcome.OK
    url = asked(ENGINE, **BASE, engines="brave").url
    assert read(ENGINE, content, url=url).outcome is Outcome.OK


def test_a_list_of_others_than_were_named_is_not_what_was_asked_for():
    """What a server makes of a name that is not in its settings."""
    found = judge(ENGINE, said(200, listed(2)), **BASE, engines="gogle")
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.UNSUPPORTED)
    assert "brave answered instead of gogle" in found.detail
    url = asked(ENGINE, **BASE, engines="gogle").url
    assert read(ENGINE, listed(2), url=url).outcome is Outcome.UNREADABLE


@check_each(
    "content",
    [{}, [], b"<html>", b"", {"results": None, "unresponsive_engines": []}, {"results": []},
     {"results": [], "unresponsive_engines": {}}, {"error": "No query"}],
)  # fmt: skip
def test_a_success_without_a_list_is_none(content):
    found = judge(ENGINE, said(200, content), **BASE)
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


# --- reading ------------------------------------------------------------------------------------


def test_no_results_and_no_failures_are_empty():
    assert read(ENGINE, listed(0)).outcome is Outcome.EMPTY


def test_an_infobox_is_read_with_its_entity_and_facts():
    reading = read(ENGINE, listed(1, infoboxes=[PANEL]))
    panel = [item for item in reading.items if item.block == "knowledge"]
    assert [(i.rank, i.title, i.text, i.entity) for i in panel] == [
        (1, "Judit Polgár", "Hungarian chess player", "Q131670"),
        (2, "Born", "1976", ""),
    ]
    assert panel[0].url == "https://en.wikipedia.org/wiki/Judit_Polg%C3%A1r"


@pytest.mark.parametrize(
    "one", ["4", {"answer": "4"}, {"answer": "4", "url": "https://e.org", "engine": "calc"}]
)
def test_an_answer_is_read_in_its_old_and_new_shape(one):
    reading = read(ENGINE, listed(1, answers=[one]))
    assert [(i.rank, i.text) for i in reading.items if i.block == "answer"] == [(1, "4")]


def test_an_answer_of_another_kind_leaves_the_results_as_they_are():
    reading = read(ENGINE, listed(1, answers=[{"template": "answer/weather.html"}]))
    assert titles(reading) == [(1, "T0")]


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 6), status=st.sampled_from([200, 403, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"results": inner, "unresponsive_engines": inner},
        {"results": [], "unresponsive_engines": [inner]},
        {"results": [{"title": "T", "url": inner, "engines": inner}], "unresponsive_engines": []},
        {"results": [], "unresponsive_engines": [], "infoboxes": inner, "answers": inner},
        {"results": [], "unresponsive_engines": [], "infoboxes": [{"urls": inner, "id": inner}]},
        {"error": inner},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status, **BASE, engines="brave")


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    """The server's order: what both engines show first."""
    engines = {"a": {QUESTION: HITS}, "b": {QUESTION: [HITS[1], HITS[0]]}}
    app = SearXNG(engines=engines, answers={QUESTION: [{"answer": "42", "url": None}]})
    answer, reading, [request] = ask(ENGINE, app)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T1"), (2, "T2"), (3, "T3")]
    assert reading.items[0].text == "about <b> 1"
    assert reading.detail == ""
    assert request.query["categories"] == "general"


def test_one_engine_alone_over_the_wire():
    app = SearXNG(engines={"a": {QUESTION: HITS}, "b": {}}, failing={"b": "timeout"})
    _, reading, _ = ask(ENGINE, app, engines="a")
    assert (titles(reading), reading.detail) == ([(1, "T1"), (2, "T2"), (3, "T3")], "")


@check_each(
    ("app", "config", "outcome", "reason"),
    [
        (SearXNG(formats=("html",)), {}, Outcome.FAILED, Reason.AUTH),
        (SearXNG(quota_requests=0), {}, Outcome.THROTTLED, Reason.RATE),
        (SearXNG(script=[SearXNG.failed()]), {}, Outcome.FAILED, Reason.NONE),
        (SearXNG(engines={"a": {}}, failing={"a": "CAPTCHA"}), {}, Outcome.BLOCKED, Reason.NONE),
        (SearXNG(failing={"mojeek": "timeout"}), {"engines": "brave,mojeek"}, Outcome.UNREADABLE,
         Reason.MALFORMED),
        (SearXNG(), {"engines": "gogle"}, Outcome.FAILED, Reason.UNSUPPORTED),
    ],
)  # fmt: skip
def test_its_own_errors_over_the_wire(app, config, outcome, reason):
    answer, reading, _ = ask(ENGINE, app, **config)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, SearXNG(results={QUESTION: []}))
    assert reading.outcome is Outcome.EMPTY


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, SearXNG(script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


@check_each("name", [*REQUIRED, "partial"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
