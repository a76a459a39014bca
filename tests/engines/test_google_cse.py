"""Google's Custom Search JSON API: exact requests, quotas of a day, its end in every message."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.google_cse import ENGINE
from monitor.faults import Then, consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.google_cse import CX, GoogleCse
from tests.standins.results import Hit

HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about {n}") for n in range(3)]
ENDING = "is closed to new customers and ends on 2027-01-01"


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)


def page(*items, total=None, **others):
    total = str(len(items)) if total is None else total
    rows = {"items": list(items)} if items else {}
    about = {"searchInformation": {"totalResults": total}}
    return {"kind": "customsearch#search", **about, **rows, **others}


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go", cx=CX) == HttpRequest(
        "GET",
        f"https://customsearch.googleapis.com/customsearch/v1?cx={CX}&q=chess+%26+go&num=10"
        "&start=1&hl=en&gl=us&safe=off&filter=0",
        (("Accept", "application/json"),),
        query_secrets=(("key", "GOOGLE_API_KEY"),),
    )


def test_what_the_config_asks_for_is_sent():
    config = {"num": 5, "start": 11, "safe": "active", "omit_similar": True, "lr": "lang_de",
              "cr": "countryDE", "hl": "zh-TW", "gl": "uk"}  # fmt: skip
    url = asked(ENGINE, cx=CX, **config).url
    found = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    expected = {"num": "5", "start": "11", "safe": "active", "filter": "1", "lr": "lang_de",
                "cr": "countryDE", "hl": "zh-TW", "gl": "uk"}  # fmt: skip
    assert found | expected == found


@check_each(
    ("config", "words"),
    [
        ({"cx": CX}, ""),
        ({"cx": CX, "start": 91}, ""),
        ({}, "config needs 'cx'"),
        ({"cx": CX, "num": 11}, "at most 10"),
        ({"cx": CX, "start": 92}, "at most 91"),
        ({"cx": CX, "key": "AIza-x"}, "not the key itself"),
        ({"cx": CX, "base_url": "http://e.org"}, "https only"),
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)
    assert not found or ENDING in found


def test_its_end_is_said_wherever_it_is_described():
    assert "2027-01-01" in ENGINE.title
    assert ENDING in ENGINE.needs.notes


@check_each(
    ("raw", "outcome", "reason", "then"),
    [
        (GoogleCse.invalid_key(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (GoogleCse.refused(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (GoogleCse.quota(), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (GoogleCse.old_quota(), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (GoogleCse.rate_limited(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (GoogleCse.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)
def test_each_error_has_its_outcome_and_says_that_it_ends(raw, outcome, reason, then):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()), cx=CX)
    assert (found.outcome, found.reason, consequence(found)) == (outcome, reason, then)
    assert f"HTTP {raw.status}: " in found.detail
    assert ENDING in found.detail


def test_a_days_quota_lasts_until_midnight_at_googles():
    raw = said(429, GoogleCse.quota().body)
    # asked at 21:00 of the day before there
    assert ENGINE.trouble(raw, {}).until.astimezone(UTC) == datetime(2026, 11, 21, 8, tzinfo=UTC)


@check_each(
    "content",
    [{}, [], b"", {"kind": "x"}, {"kind": "customsearch#search"}, page(total=""), page(items=None),
     page(items=[]), {"items": []}],
)  # fmt: skip
def test_a_success_without_a_list_is_none(content):
    found = judge(ENGINE, said(200, content), cx=CX)
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE
    assert ENDING in found.detail


def test_only_a_total_of_nothing_is_empty():
    assert read(ENGINE, page()).outcome is Outcome.EMPTY
    reading = read(ENGINE, page(total="123"))
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.SUSPECT_EMPTY)


def test_a_list_that_lost_its_links_is_no_shorter_list():
    reading = read(ENGINE, page({"title": "A", "link": "https://e.org"}, {"title": "B"}, {}))
    assert reading.outcome is Outcome.UNREADABLE
    assert "2 of 3 organic" in reading.detail


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 4), status=st.sampled_from([200, 403, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"kind": "customsearch#search", "searchInformation": inner, "items": inner},
        page({"title": inner, "link": "https://e.org", "snippet": inner}, inner),
        page(total=inner),
        {"error": {"message": inner, "errors": inner, "details": [inner]}},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status, cx=CX)


def test_a_success_over_the_wire():
    app = GoogleCse(key=KEY, results={QUESTION: HITS})
    answer, reading, [request] = ask(ENGINE, app, cx=CX)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T0"), (2, "T1"), (3, "T2")]
    assert [item.text for item in reading.items] == ["about 0", "about 1", "about 2"]
    assert request.query["key"] == KEY
    assert KEY not in repr(answer)


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, GoogleCse(key=KEY, results={QUESTION: []}), cx=CX)
    assert reading.outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("app", "outcome", "reason"),
    [
        (GoogleCse(key="another-key"), Outcome.FAILED, Reason.AUTH),
        (GoogleCse(key=KEY, quota_requests=0), Outcome.THROTTLED, Reason.QUOTA),
        (GoogleCse(key=KEY, script=[GoogleCse.failed()]), Outcome.FAILED, Reason.NONE),
    ],
)
def test_its_own_errors_over_the_wire(app, outcome, reason):
    answer, _, _ = ask(ENGINE, app, cx=CX)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, GoogleCse(key=KEY, script=[fault()]), way=way, cx=CX)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE, cx=CX)


@check_each("name", [*REQUIRED, "quota"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
