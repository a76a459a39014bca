"""Wikipedia: exact requests, errors inside successes, links of the articles of one language."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.wikipedia import ENGINE
from monitor.faults import Then, find_consequence
from monitor.fetch.http import Way
from monitor.model import HttpRequest, Outcome, Probe, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import judge, said
from tests.regions import US
from tests.standins.mediawiki import MediaWiki
from tests.standins.results import Hit

OSLO = replace(US, name="no-nb", country="NO", language="nb", locale="nb-NO")
HITS = [
    Hit("Judit Polgár", "", '<span class="searchmatch">Judit</span> Polgár &amp; sisters'),
    Hit("Women's chess", "", ""),
    Hit("C++?", "", ""),
]


def found(*rows, total=None):
    about = {} if total is None else {"searchinfo": {"totalhits": total}}
    return {"batchcomplete": True, "query": {**about, "search": list(rows)}}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go") == HttpRequest(
        "GET",
        "https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=chess+%26+go"
        "&srlimit=20&sroffset=0&srnamespace=0&srinfo=totalhits&format=json&formatversion=2"
        "&maxlag=5",
        (("Accept", "application/json"),),
    )


def test_the_language_of_the_region_chooses_the_wikipedia():
    assert asked(ENGINE, region=OSLO).url.startswith("https://no.wikipedia.org/w/api.php?")
    assert asked(ENGINE, base_url="https://de.wikipedia.org").url.startswith(
        "https://de.wikipedia.org/w/api.php?"
    )
    assert asked(ENGINE, base_url="http://127.0.0.1:81/{lang}").url.startswith(
        "http://127.0.0.1:81/en/w/api.php?"
    )


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        ({"count": 500, "offset": 100}, ""),
        ({"base_url": "https://{lang}.wikipedia.org"}, ""),
        ({"count": 501}, "at most 500"),
        ({"count": 0}, "at least 1"),
        ({"base_url": "en.wikipedia.org"}, "must begin with https://"),
        ({"srnamespace": 1}, "unknown key"),
    ],
)
def test_a_config_is_checked(config, words):
    said_of_it = ENGINE.check("en", US.name, config)
    assert words in said_of_it
    assert bool(said_of_it) == bool(words)


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("raw", "outcome", "reason", "then", "words"),
    [
        (MediaWiki.maxlag(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF, "maxlag: Waiting"),
        (MediaWiki.ratelimited(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF, "ratelimited"),
        (MediaWiki.too_many(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF, "Wikimedia Error"),
        (MediaWiki.robot_policy(), Outcome.BLOCKED, Reason.NONE, Then.SUSPEND, "MONITOR_CONTACT"),
        (MediaWiki.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF, "too busy"),
    ],
)
def test_each_error_has_its_outcome(raw, outcome, reason, then, words):
    judged = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()))
    assert (judged.outcome, judged.reason, find_consequence(judged)) == (outcome, reason, then)
    assert words in judged.detail


@check_each(
    ("status", "content", "outcome", "reason"),
    [
        (200, {"error": {"code": "badvalue", "info": "x"}}, Outcome.FAILED, Reason.REFUSED),
        (200, {"error": {"code": "blocked", "info": "x"}}, Outcome.BLOCKED, Reason.NONE),
        (200, {"error": {"code": "readapidenied"}}, Outcome.FAILED, Reason.AUTH),
        (200, {"error": {"code": "internal_api_error_X"}}, Outcome.FAILED, Reason.NONE),
        (200, {"errors": [{"code": "ratelimited", "text": "x"}]}, Outcome.THROTTLED, Reason.RATE),
        (429, {"error": {"code": "ratelimited", "info": "x"}}, Outcome.THROTTLED, Reason.RATE),
        (503, {"error": {"code": "maxlag", "info": "x"}}, Outcome.FAILED, Reason.NONE),
        (403, b"Forbidden", Outcome.FAILED, Reason.AUTH),
        (200, {}, Outcome.UNREADABLE, Reason.MALFORMED),
        (200, {"batchcomplete": True}, Outcome.UNREADABLE, Reason.MALFORMED),
        (200, {"query": {"search": {}}}, Outcome.UNREADABLE, Reason.MALFORMED),
        (200, b"<html><title>x</title>", Outcome.UNREADABLE, Reason.MALFORMED),
        (200, [], Outcome.UNREADABLE, Reason.MALFORMED),
    ],
)
def test_a_status_does_not_say_it_all(status, content, outcome, reason):
    judged = judge(ENGINE, said(status, content))
    assert (judged.outcome, judged.reason) == (outcome, reason)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


def test_half_a_list_is_asked_for_again_and_other_warnings_are_kept():
    half = found(total=3) | {"warnings": {"search": {"warnings": "The search timed out."}}}
    assert judge(ENGINE, said(200, half)).outcome is Outcome.FAILED
    note = found({"title": "A"}) | {"warnings": {"main": {"warnings": "Unrecognized value."}}}
    assert judge(ENGINE, said(200, note)).outcome is Outcome.OK
    assert read(ENGINE, note).detail == "Unrecognized value."


# --- reading ------------------------------------------------------------------------------------


@check_each(
    ("title", "path"),
    [
        ("Chess set", "Chess_set"),
        ("Judit Polgár", "Judit_Polg%C3%A1r"),
        ("AC/DC", "AC/DC"),
        ("C++", "C%2B%2B"),
        ("Who? Me & #1", "Who%3F_Me_%26_%231"),
        ("Chess: A \"game\" (50%)", "Chess:_A_%22game%22_(50%25)"),
        ("Шахматы", "%D0%A8%D0%B0%D1%85%D0%BC%D0%B0%D1%82%D1%8B"),
        ("half a pair \ud800", "half_a_pair_%EF%BF%BD"),
    ],
)  # fmt: skip
def test_a_title_is_an_address(title, path):
    reading = read(ENGINE, found({"title": title}))
    assert [item.url for item in reading.items] == [f"https://en.wikipedia.org/wiki/{path}"]


@check_each(
    ("asked_at", "host"),
    [
        ("https://de.wikipedia.org/w/api.php?x", "de"),
        ("https://zh-yue.wikipedia.org/w/api.php", "zh-yue"),
        ("http://127.0.0.1:8080/w/api.php", "no"),
        ("https://de.wikipedia.org.example.org/w/api.php", "no"),
        ("http://[::1", "no"),
        ("", "no"),
    ],
)
def test_articles_are_those_of_the_wikipedia_that_was_asked(asked_at, host):
    reading = read(ENGINE, found({"title": "A"}), url=asked_at, region=OSLO)
    assert reading.items[0].url == f"https://{host}.wikipedia.org/wiki/A"


def test_a_question_without_a_region_is_read_as_well():
    [reading] = ENGINE.parse(said(200, found({"title": "A"})), [Probe("x", "pt-BR")])
    assert reading.items[0].url == "https://pt.wikipedia.org/wiki/A"


@check_each(
    ("content", "outcome", "reason"),
    [
        (found(total=0), Outcome.EMPTY, Reason.NONE),
        (found(), Outcome.EMPTY, Reason.NONE),
        (found(total=7), Outcome.UNREADABLE, Reason.SUSPECT_EMPTY),
        (found({"ns": 0}, {"ns": 0}, {"title": "A"}), Outcome.UNREADABLE, Reason.MALFORMED),
        (found({"ns": 0}, {"title": "B"}, {"title": "A"}), Outcome.OK, Reason.NONE),
    ],
)
def test_empty_is_what_the_service_calls_so(content, outcome, reason):
    reading = read(ENGINE, content)
    assert (reading.outcome, reading.reason) == (outcome, reason)


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 5), status=st.sampled_from([200, 403, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"query": inner, "warnings": inner},
        {"query": {"search": inner, "searchinfo": inner}},
        {"query": {"search": [{"title": inner, "snippet": inner}] * 2}, "warnings": {"a": inner}},
        {"error": {"code": inner, "info": inner}},
        {"errors": inner, "query": {"search": [], "searchinfo": {"totalhits": inner}}},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status)


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    answer, reading, [request] = ask(ENGINE, MediaWiki(results={QUESTION: HITS}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "Judit Polgár"), (2, "Women's chess"), (3, "C++?")]
    assert reading.items[0].text == "Judit Polgár & sisters"
    assert reading.items[2].url == "https://en.wikipedia.org/wiki/C%2B%2B%3F"
    assert request.headers["user-agent"].startswith("monitor/")


def test_who_asks_is_told():
    answer, _, _ = ask(ENGINE, MediaWiki(contact=True))
    assert answer.outcome is Outcome.BLOCKED
    answer, _, _ = ask(ENGINE, MediaWiki(contact=True), way=Way(contact="ops@example.org"))
    assert answer.outcome is Outcome.OK


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, MediaWiki(results={QUESTION: []}))
    assert reading.outcome is Outcome.EMPTY


@check_each(
    ("app", "outcome", "reason"),
    [
        (MediaWiki(script=[MediaWiki.maxlag()]), Outcome.FAILED, Reason.NONE),
        (MediaWiki(script=[MediaWiki.ratelimited()]), Outcome.THROTTLED, Reason.RATE),
        (MediaWiki(quota_requests=0), Outcome.THROTTLED, Reason.RATE),
        (MediaWiki(warning="The search returned partial results."), Outcome.FAILED, Reason.NONE),
    ],
)
def test_its_own_errors_over_the_wire(app, outcome, reason):
    answer, _, _ = ask(ENGINE, app)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, MediaWiki(script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


@check_each("name", [*REQUIRED, "maxlag"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
