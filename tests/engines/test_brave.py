"""Brave: exact requests, documented errors, the order of the page, rewritten questions."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.brave import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.brave import RESET, Brave
from tests.standins.results import Hit

BERLIN = replace(US, name="de-de", country="DE", language="de", locale="de-DE")
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"<strong>about</strong> {n}") for n in range(3)]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", KEY)


def query(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go") == HttpRequest(
        "GET",
        "https://api.search.brave.com/res/v1/web/search?q=chess+%26+go&country=US&search_lang=en"
        "&ui_lang=en-US&count=20&offset=0&safesearch=moderate&spellcheck=false"
        "&text_decorations=false",
        (
            ("Accept", "application/json"),
            ("X-Subscription-Token", "secret:BRAVE_API_KEY"),
            ("Cache-Control", "no-cache"),
            ("X-Loc-Lat", "40.7"),
            ("X-Loc-Long", "-74.0"),
            ("X-Loc-Timezone", "America/New_York"),
            ("X-Loc-Country", "US"),
        ),
    )


def test_what_the_config_asks_for_is_sent():
    config = {
        "count": 10, "offset": 2, "safesearch": "off", "freshness": "pw", "spellcheck": True,
        "country": "ALL", "search_lang": "sk", "api_version": "2026-01-01",
    }  # fmt: skip
    request = asked(ENGINE, **config)
    sent = query(request)
    assert sent | {"count": "10", "offset": "2", "safesearch": "off", "freshness": "pw"} == sent
    assert (sent["spellcheck"], sent["country"], sent["search_lang"]) == ("true", "ALL", "sk")
    assert ("Api-Version", "2026-01-01") in request.headers


@check_each(
    ("locale", "language", "code"),
    [
        ("en-GB", "en", "en-gb"),
        ("ja-JP", "ja", "jp"),
        ("pt-BR", "pt", "pt-br"),
        ("pt-PT", "pt", "pt-pt"),
        ("zh-CN", "zh", "zh-hans"),
        ("zh-TW", "zh", "zh-hant"),
        ("de-AT", "de", "de"),
    ],
)
def test_a_language_is_called_as_brave_calls_it(locale, language, code):
    region = replace(US, locale=locale, language=language)
    assert query(asked(ENGINE, region=region))["search_lang"] == code


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        ({"count": 20, "offset": 9}, ""),
        ({"count": 21}, "at most 20"),
        ({"offset": 10}, "at most 9"),
        ({"safesearch": "none"}, "one of off"),
        ({"spellcheck": "no"}, "true or false"),
        ({"key": "BSA1-x"}, "not the key itself"),
        ({"base_url": "http://e.org"}, "https only"),
        ({"q": "x"}, "unknown key 'q'"),
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)


def test_the_key_alone_is_no_part_of_what_is_audited():
    assert {one.name for one in ENGINE.parameters if one.place} == {"key"}


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("raw", "outcome", "reason", "then"),
    [
        (Brave.invalid_token(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (Brave.no_subscription(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (Brave.rate_limited(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (Brave.rate_limited(listed=True), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (Brave.quota(), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (Brave.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)
def test_each_error_has_its_outcome(raw, outcome, reason, then):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()))
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert f"HTTP {raw.status}: " in found.detail


@check_each(
    ("place", "outcome", "reason"),
    [
        (["header", "x-subscription-token"], Outcome.FAILED, Reason.AUTH),
        (["query", "country"], Outcome.FAILED, Reason.UNSUPPORTED),
        (["query", "search_lang"], Outcome.FAILED, Reason.UNSUPPORTED),
        (["query", "q"], Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_a_validation_error_is_about_something(place, outcome, reason):
    error = {"code": "VALIDATION", "detail": "Unable", "meta": {"errors": [{"loc": place}]}}
    found = judge(ENGINE, said(422, {"type": "ErrorResponse", "error": error}))
    assert (found.outcome, found.reason) == (outcome, reason)


@check_each(
    ("reset", "seconds"),
    [(RESET, 1_419_704), ("", None), ("1, x", None), ("1, " + "9" * 400, None)],
)
def test_a_quota_lasts_until_its_window_ends(reset, seconds):
    raw = said(429, Brave.quota().body, [("X-RateLimit-Reset", reset)])
    until = ENGINE.trouble(raw, {}).until
    assert until == (seconds and raw.asked_at + timedelta(seconds=raw.took + seconds))


@check_each(
    "content",
    [{}, [], b"<html>", b"", {"type": "search"}, {"query": {}}, {"query": {}, "web": None},
     {"query": {}, "web": {"results": None}, "mixed": {"main": []}}],
)  # fmt: skip
def test_a_success_without_a_list_is_none(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


# --- reading ------------------------------------------------------------------------------------


def web(n, **others):
    results = [{"title": f"T{k}", "url": f"https://e.org/{k}"} for k in range(n)]
    return {"query": {}, "web": {"results": results}, **others}


@check_each(
    ("main", "order"),
    [
        ([{"type": "web", "index": 2}, {"type": "web", "index": 0}, {"type": "web", "index": 1}],
         ["T2", "T0", "T1"]),
        ([{"type": "web", "all": True}], ["T0", "T1", "T2"]),
        ([{"type": "web", "index": 1}, {"type": "web", "all": True}], ["T1", "T0", "T2"]),
        ([{"type": "web", "all": True}] * 9, ["T0", "T1", "T2"]),
        ([{"type": "videos", "all": True}], ["T0", "T1", "T2"]),
        ([], ["T0", "T1", "T2"]),
        ([{"type": "web", "index": True}, {"type": "web", "index": "2"}, 7], ["T0", "T1", "T2"]),
    ],
)  # fmt: skip
def test_the_order_is_that_of_the_page(main, order):
    reading = read(ENGINE, web(3, mixed={"main": main}))
    assert titles(reading) == list(enumerate(order, 1))


def test_results_above_the_main_column_come_first():
    mixed = {"top": [{"type": "web", "index": 1}], "main": [{"type": "web", "index": 0}]}
    assert titles(read(ENGINE, web(2, mixed=mixed))) == [(1, "T1"), (2, "T0")]


def test_a_place_without_a_result_is_a_result_that_was_lost():
    places = [{"type": "web", "index": index} for index in (0, 7, -1)]
    reading = read(ENGINE, web(1, mixed={"main": places}))
    assert reading.outcome is Outcome.UNREADABLE
    assert "2 of 3 organic" in reading.detail


def test_what_the_page_does_not_show_is_said():
    reading = read(ENGINE, web(3, mixed={"main": [{"type": "web", "index": 0}, {"type": "news"}]}))
    assert titles(reading) == [(1, "T0")]
    assert reading.detail == "not read: news; 2 results not on the page"


def test_only_an_empty_page_or_list_is_empty():
    assert read(ENGINE, {"query": {}, "mixed": {"main": []}}).outcome is Outcome.EMPTY
    assert read(ENGINE, {"query": {}, "web": {"results": []}}).outcome is Outcome.EMPTY


def test_the_infobox_is_read_with_its_facts():
    box = {
        "type": "infobox",
        "label": "Judit Polg&aacute;r",
        "category": "chess player",
        "attributes": [["Born", "<b>1976</b>"], ["broken"], None],
        "url": "https://e.org/jp",
    }
    reading = read(ENGINE, web(1, infobox={"results": [box]}))
    panel = [item for item in reading.items if item.block == "knowledge"]
    assert [(i.rank, i.title, i.text, i.url) for i in panel] == [
        (1, "Judit Polgár", "chess player", "https://e.org/jp"),
        (2, "Born", "1976", ""),
    ]


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 7), status=st.sampled_from([200, 404, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"query": inner, "web": inner, "mixed": inner},
        {"query": {"altered": inner}, "web": {"results": inner}},
        {"query": {}, "web": {"results": [{"title": inner, "url": "https://e.org"}] * 2}},
        {"query": {}, "mixed": {"main": inner, "top": [inner]}, "infobox": {"results": inner}},
        {"query": {}, "mixed": {"main": [{"type": "web", "index": inner, "all": inner}]}},
        {"query": {}, "web": {"results": []}, "infobox": {"results": [{"attributes": [inner]}]}},
        {"error": {"code": inner, "meta": {"errors": inner}}, "errors": inner},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status)


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    app = Brave(key=KEY, results={QUESTION: HITS}, order={QUESTION: [1, 0, 2]}, videos=True)
    answer, reading, [request] = ask(ENGINE, app)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T1"), (2, "T0"), (3, "T2")]
    assert [item.text for item in reading.items] == ["about 1", "about 0", "about 2"]
    assert request.headers["x-subscription-token"] == KEY
    assert KEY not in repr(answer)


def test_a_question_that_was_rewritten_is_said():
    app = Brave(key=KEY, rewrites={QUESTION: "list of cheese makers"})
    _, as_asked, _ = ask(ENGINE, app)
    _, rewritten, _ = ask(ENGINE, app, spellcheck=True)
    assert as_asked.detail == ""
    assert rewritten.detail == "altered: list of cheese makers"


def test_answers_are_not_taken_out_of_a_cache():
    app = Brave(key=KEY, results={QUESTION: HITS})
    ask(ENGINE, app)
    app.results[QUESTION] = HITS[:1]
    _, reading, _ = ask(ENGINE, app)
    assert titles(reading) == [(1, "T0")]


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, Brave(key=KEY, results={QUESTION: []}))
    assert reading.outcome is Outcome.EMPTY


def test_a_country_that_brave_has_not_over_the_wire():
    region = replace(BERLIN, country="SK")
    answer, _, _ = ask(ENGINE, Brave(key=KEY), region=region)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.UNSUPPORTED)
    answer, reading, _ = ask(ENGINE, Brave(key=KEY), region=region, country="ALL")
    assert reading.outcome is Outcome.OK


@check_each(
    ("app", "outcome", "reason"),
    [
        (Brave(key="another-key"), Outcome.FAILED, Reason.AUTH),
        (Brave(key=KEY, quota_requests=0), Outcome.THROTTLED, Reason.QUOTA),
        (Brave(key=KEY, script=[Brave.rate_limited()]), Outcome.THROTTLED, Reason.RATE),
        (Brave(key=KEY, script=[Brave.failed()]), Outcome.FAILED, Reason.NONE),
    ],
)
def test_its_own_errors_over_the_wire(app, outcome, reason):
    answer, _, _ = ask(ENGINE, app)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, Brave(key=KEY, script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE)


@check_each("name", [*REQUIRED, "quota"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
