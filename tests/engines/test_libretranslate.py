"""LibreTranslate: exact requests, documented errors, alternatives, the emoji that is no answer."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.mt.libretranslate import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Probe, Reason
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import KEY, REQUIRED, asked, judge, said
from tests.standins.libretranslate import EMOJI, LibreTranslate

PAIR = ("en", "pt")
TIRED = ("I am tired.",)
BASE = {"base_url": "http://127.0.0.1:5000"}
ENGLISH = (("Content-Type", "application/json"), ("Accept-Language", "en"))


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)


def read(content, source=TIRED[0]):
    [reading] = ENGINE.parse(said(200, content), [Probe(source, *PAIR)])
    return reading


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, ("en", "pt-BR"), TIRED, base_url="http://h/lt/") == HttpRequest(
        "POST",
        "http://h/lt/translate",
        ENGLISH,
        b'{"q":"I am tired.","source":"en","target":"pt-BR","format":"text"}',
    )


def test_alternatives_and_a_key_are_sent_where_they_are_wanted():
    request = asked(ENGINE, PAIR, TIRED, **BASE, alternatives=3, key="LIBRETRANSLATE_API_KEY")
    assert json.loads(request.body) == {
        "q": "I am tired.", "source": "en", "target": "pt", "format": "text", "alternatives": 3,
    }  # fmt: skip
    assert request.body_secrets == (("api_key", "LIBRETRANSLATE_API_KEY"),)
    assert KEY not in repr(request)


@check_each(
    ("changes", "words"),
    [
        ({}, ""),
        ({"alternatives": 10}, ""),
        ({"base_url": "http://translate.example.org"}, ""),
        ({"key": "LIBRETRANSLATE_API_KEY"}, ""),
        ({"key": "K", "base_url": "https://translate.example.org"}, ""),
        ({"key": "K", "base_url": "http://translate.example.org"}, "https only"),
        ({"key": "1f3a-77"}, "not the key itself"),
        ({"alternatives": 11}, "at most 10"),
        ({"alternatives": -1}, "at least 0"),
        ({"base_url": "h"}, "must begin with https://"),
        ({"format": "html"}, "unknown key 'format'"),
    ],
)
def test_a_config_is_checked(changes, words):
    found = ENGINE.check(*PAIR, BASE | changes)
    assert words in found
    assert bool(found) == bool(words)


def test_an_address_and_another_language_are_needed():
    assert "config needs 'base_url'" in ENGINE.check(*PAIR, {})
    assert "cannot translate" in ENGINE.check("pt", "pt-BR", BASE)


def test_the_key_is_no_part_of_what_is_audited():
    assert {one.name for one in ENGINE.parameters if one.place} == {"key"}


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("status", "words", "outcome", "reason", "then"),
    [
        (400, "Visit https://portal.libretranslate.com to get an API key", Outcome.FAILED,
         Reason.AUTH, Then.STOP),
        (400, "Please contact the server operator to get an API key", Outcome.FAILED,
         Reason.AUTH, Then.STOP),
        (403, "Invalid API key", Outcome.FAILED, Reason.AUTH, Then.STOP),
        (403, "Too many request limits violations", Outcome.BLOCKED, Reason.NONE, Then.SUSPEND),
        (429, "Slowdown: 20 per 1 minute", Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (429, "Slowdown: 1000 per 1 day", Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (400, "xx is not supported", Outcome.FAILED, Reason.UNSUPPORTED, Then.STOP_TARGET),
        (400, "Czech (cs) is not available as a target language from English (en)",
         Outcome.FAILED, Reason.UNSUPPORTED, Then.STOP_TARGET),
        (400, "Invalid request: request (3000) exceeds text limit (2000)", Outcome.FAILED,
         Reason.REFUSED, Then.GO_ON),
        (500, "Cannot translate text", Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (502, "Bad gateway", Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)  # fmt: skip
def test_each_error_has_its_outcome(status, words, outcome, reason, then):
    found = judge(ENGINE, said(status, {"error": words}), **BASE)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert found.detail == f"HTTP {status}: {words}"


@check_each(
    ("content", "outcome", "reason"),
    [
        ({"translatedText": "Estou cansada."}, Outcome.OK, Reason.NONE),
        ({"translatedText": ""}, Outcome.OK, Reason.NONE),
        ({"translatedText": EMOJI}, Outcome.UNREADABLE, Reason.POISONED),
        ({"translatedText": " ... "}, Outcome.UNREADABLE, Reason.POISONED),
        ({"error": "words"}, Outcome.UNREADABLE, Reason.MALFORMED),
        ([], Outcome.UNREADABLE, Reason.MALFORMED),
        (b"<html>", Outcome.UNREADABLE, Reason.MALFORMED),
    ],
)
def test_a_success_can_be_none(content, outcome, reason):
    found = judge(ENGINE, said(200, content), **BASE)
    assert (found.outcome, found.reason) == (outcome, reason)


# --- reading ------------------------------------------------------------------------------------


@check_each(
    ("text", "outcome", "reason"),
    [
        ("Estou cansada.", Outcome.OK, ""),
        ("", Outcome.EMPTY, ""),
        (EMOJI, Outcome.UNREADABLE, "poisoned"),
        ("I am tired.", Outcome.UNREADABLE, "echo"),
        (None, Outcome.UNREADABLE, "malformed"),
        (["Estou cansada."], Outcome.UNREADABLE, "malformed"),
    ],
)
def test_a_translation_is_data_or_says_why_not(text, outcome, reason):
    reading = read({"translatedText": text})
    assert (reading.outcome, reading.reason) == (outcome, reason)


@check_each(
    ("others", "texts"),
    [
        (["Estou cansada.", "Sinto-me cansado."], ["Estou cansado.", "Estou cansada.",
                                                   "Sinto-me cansado."]),
        (["Estou cansado.", "", EMOJI, None, "I am tired.", "Estou cansada."],
         ["Estou cansado.", "Estou cansada."]),
        ([], ["Estou cansado."]),
        (None, ["Estou cansado."]),
        ("Estou cansada.", ["Estou cansado."]),
    ],
)  # fmt: skip
def test_alternatives_keep_the_order_in_which_they_are_offered(others, texts):
    reading = read({"translatedText": "Estou cansado.", "alternatives": others})
    assert reading.outcome is Outcome.OK
    assert [(item.rank, item.text) for item in reading.items] == list(enumerate(texts, 1))


def test_two_questions_have_no_one_answer():
    readings = ENGINE.parse(said(200, {"translatedText": "Olá."}), services.probes(PAIR))
    assert [one.reason for one in readings] == [Reason.SHORT] * 2


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(inner=anything, status=st.sampled_from([200, 302, 400, 403, 429, 500]), framed=st.booleans())
def test_no_answer_makes_it_raise(inner, status, framed):
    content = {"translatedText": inner, "alternatives": inner, "error": inner} if framed else inner
    answer = judge(ENGINE, said(status, content), **BASE)
    assert len(ENGINE.parse(answer, services.probes(PAIR, TIRED))) == 1


# --- over the wire ------------------------------------------------------------------------------


def ask(stand_in, way=None, **config):
    answer, requests = services.ask(ENGINE, stand_in, PAIR, TIRED, way, **config)
    return answer, ENGINE.parse(answer, services.probes(PAIR, TIRED))[0], requests


def stand_in(**changes):
    return LibreTranslate(translations={TIRED[0]: "Estou cansado."}, **changes)


def test_a_success_over_the_wire():
    app = stand_in(alternatives={TIRED[0]: ["Estou cansada."]})
    answer, reading, [request] = ask(app, alternatives=1)
    assert (answer.outcome, answer.status) == (Outcome.OK, 200)
    assert [item.text for item in reading.items] == ["Estou cansado.", "Estou cansada."]
    assert "api_key" not in request.json


def test_a_key_reaches_the_server_and_nothing_else():
    answer, reading, [request] = ask(stand_in(key=KEY), key="LIBRETRANSLATE_API_KEY")
    assert request.json["api_key"] == KEY
    assert reading.outcome is Outcome.OK
    assert KEY not in repr(answer)


@pytest.mark.parametrize(
    ("config", "words"), [({}, "to get an API key"), ({"key": "K"}, "Invalid")]
)
def test_no_key_and_a_wrong_key_are_both_told(monkeypatch, config, words):
    monkeypatch.setenv("K", "another-key")
    answer, _, _ = ask(stand_in(key=KEY), **config)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.AUTH)
    assert words in answer.detail


def test_the_quota_of_a_day_over_the_wire():
    answer, _, _ = ask(stand_in(quota_characters=3))
    assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.QUOTA)


@check_each(
    ("fault", "outcome", "reason"),
    [
        (LibreTranslate.rate_limited(), Outcome.THROTTLED, Reason.RATE),
        (LibreTranslate.banned(), Outcome.BLOCKED, Reason.NONE),
        (LibreTranslate.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (LibreTranslate.poisoned(), Outcome.UNREADABLE, Reason.POISONED),
        (LibreTranslate.failed(), Outcome.FAILED, Reason.NONE),
    ],
)
def test_its_own_errors_over_the_wire(fault, outcome, reason):
    answer, _, _ = ask(stand_in(script=[fault]))
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, _, _ = ask(stand_in(script=[fault()]), way)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_recorded_answer_is_read_as_expected(name):
    services.assert_recording(ENGINE, name)
