"""Google Cloud Translation, v2 and v3: requests, errors, other models, real exchanges."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from monitor.engines.mt.google_translate import ENGINE
from monitor.fetch import secrets
from monitor.model import Answer, Fault, HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import KEY, REQUIRED, ask, asked, judge, said
from tests.standins import faults
from tests.standins.google import GoogleV2, GoogleV3

PAIR = ("en", "pt")
ONE = services.TEXTS[:1]
V3 = {"api": "v3", "project": "p"}
FULL = "projects/p/locations/global/models/general/nmt"


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    token = SimpleNamespace(valid=True, token=KEY)
    monkeypatch.setattr(secrets, "_google_credentials", lambda: token)


def v2_answer(text="Sou enfermeira.", **more):
    return {"data": {"translations": [{"translatedText": text, **more}]}}


def v3_answer(text="Sou enfermeira.", model=FULL):
    return {"translations": [{"translatedText": text, "model": model}], "glossaryTranslations": []}


def read(content, texts=ONE):
    return ENGINE.parse(said(200, content), services.probes(PAIR, texts))


# --- asking -------------------------------------------------------------------------------------


def test_a_basic_request_is_as_documented_with_the_key_in_a_header():
    assert asked(ENGINE, PAIR, ONE) == HttpRequest(
        "POST",
        "https://translation.googleapis.com/language/translate/v2",
        (("Content-Type", "application/json"), ("x-goog-api-key", "secret:GOOGLE_API_KEY")),
        b'{"q":["I am a nurse."],"source":"en","target":"pt","format":"text","model":"nmt"}',
    )


def test_an_advanced_request_is_as_documented_with_a_signer():
    assert asked(ENGINE, PAIR, ONE, **V3) == HttpRequest(
        "POST",
        "https://translate.googleapis.com/v3/projects/p/locations/global:translateText",
        (("Content-Type", "application/json"),),
        b'{"contents":["I am a nurse."],"mimeType":"text/plain","sourceLanguageCode":"en",'
        b'"targetLanguageCode":"pt","model":"projects/p/locations/global/models/general/nmt"}',
        signer="google_oauth:p",
    )


def test_a_model_is_named_in_full_or_in_short():
    full = "projects/p/locations/us-central1/models/TRL123"
    for model, sent in (
        ("translation-llm", "projects/p/locations/us-central1/models/general/translation-llm"),
        (full, full),
    ):
        config = V3 | {"location": "us-central1", "model": model}
        assert ENGINE.check(*PAIR, config) == ""
        assert json.loads(asked(ENGINE, PAIR, ONE, **config).body)["model"] == sent


@check_each(
    ("config", "words"),
    [
        ({"api": "v4"}, "must be one of v2, v3"),
        ({"api": "v3"}, "needs 'project'"),
        ({"project": "p"}, "belong to api"),
        ({"location": "us-central1"}, "belong to api"),
        ({"model": "translation-llm"}, "one of nmt, base"),
        (V3 | {"model": "base"}, "nmt, translation-llm or"),
        (V3 | {"project": "p/../q"}, "must be letters"),
        (V3 | {"location": "a b"}, "must be letters"),
        ({"base_url": "http://google.example"}, "https only"),
        (V3 | {"base_url": "http://google.example"}, "https only"),
        ({"formality": "more"}, "unknown key"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(config, words):
    assert words in ENGINE.check(*PAIR, config)


def test_what_can_be_asked_is_not_refused():
    for config in ({}, {"model": "base"}, V3, {"base_url": "http://localhost:1"}):
        assert ENGINE.check(*PAIR, config) == ""
    assert "cannot translate" in ENGINE.check("pt-PT", "pt-BR", {})


# --- what an answer says ------------------------------------------------------------------------


def v3_error(code, status, message):
    return faults.status(code, {"error": {"code": code, "message": message, "status": status}})


@check_each(
    ("answer", "outcome", "reason"),
    [
        (GoogleV2.quota(), Outcome.THROTTLED, Reason.QUOTA),
        (GoogleV2.rate_limited(), Outcome.THROTTLED, Reason.RATE),
        (GoogleV2.auth_error(), Outcome.FAILED, Reason.AUTH),
        (GoogleV2.missing_key(), Outcome.FAILED, Reason.AUTH),
        (GoogleV2.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (GoogleV3.quota(403), Outcome.THROTTLED, Reason.QUOTA),
        (GoogleV3.quota(429), Outcome.THROTTLED, Reason.QUOTA),
        (GoogleV3.rate_limited(code=403), Outcome.THROTTLED, Reason.RATE),
        (GoogleV3.rate_limited(code=429), Outcome.THROTTLED, Reason.RATE),
        (GoogleV3.auth_error(), Outcome.FAILED, Reason.AUTH),
        (GoogleV3.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (
            v3_error(400, "INVALID_ARGUMENT", "Invalid model name x"),
            Outcome.FAILED,
            Reason.UNSUPPORTED,
        ),
        (v3_error(400, "INVALID_ARGUMENT", "Text is too long."), Outcome.FAILED, Reason.REFUSED),
        (v3_error(403, "PERMISSION_DENIED", "needs a quota project"), Outcome.FAILED, Reason.AUTH),
        (v3_error(404, "NOT_FOUND", "no such project"), Outcome.FAILED, Reason.REFUSED),
        (v3_error(503, "UNAVAILABLE", "later"), Outcome.FAILED, Reason.NONE),
        (faults.status(429, ["odd"]), Outcome.THROTTLED, Reason.RATE),
        (faults.status(403, {"error": {"errors": {}, "details": [1]}}), Outcome.FAILED, "auth"),
        (faults.status(400, {"error": "odd"}), Outcome.FAILED, Reason.REFUSED),
        (faults.redirect("https://google.example"), Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_every_error_has_its_outcome(answer, outcome, reason):
    found = judge(ENGINE, said(answer.status, answer.body))
    assert (found.outcome, found.reason) == (outcome, reason)


@check_each(
    ("came", "until"),
    [
        ("2026-11-21T05:00", "2026-11-21T08:00"),  # 21:00 of the day before in California
        ("2026-11-21T07:59:59", "2026-11-21T08:00"),
        ("2026-11-21T08:00", "2026-11-22T08:00"),
        ("2026-03-08T08:30", "2026-03-09T07:00"),  # a day of 23 hours
        ("2026-11-01T07:30", "2026-11-02T08:00"),  # a day of 25 hours
        ("2026-07-01T12:00", "2026-07-02T07:00"),
    ],
)
def test_a_quota_of_a_day_ends_at_midnight_in_california(came, until):
    at, then = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (came, until))
    body = GoogleV2.quota().body
    trouble = ENGINE.trouble(Answer(Outcome.OK, at, 0.0, status=403, body=body), {})
    assert trouble.fault is Fault.QUOTA
    assert trouble.until == then
    limited = GoogleV2.rate_limited().body
    assert ENGINE.trouble(Answer(Outcome.OK, at, 0.0, status=403, body=limited), {}).until is None


@check_each(
    "content", [{}, [], {"data": []}, {"data": {"translations": [{"text": "a"}]}}, b"<html>"]
)
def test_a_success_without_translations_is_drift(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert {one.outcome for one in read(content)} == {Outcome.UNREADABLE}


@check_each(
    ("config", "content", "reason"),
    [
        ({}, v2_answer(model="nmt"), ""),
        ({}, v2_answer(), ""),
        ({"model": "base"}, v2_answer(model="nmt"), Reason.UNSUPPORTED),
        (V3, v3_answer(), ""),
        (V3, v3_answer(model=FULL.replace("/p/", "/123456/")), ""),
        (V3 | {"model": "translation-llm"}, v3_answer(), Reason.UNSUPPORTED),
        (V3 | {"model": FULL}, v3_answer(), ""),
        (V3 | {"model": "projects/p/locations/global/models/TRL1"}, v3_answer(), "unsupported"),
    ],
)
def test_the_model_that_was_asked_must_have_answered(config, content, reason):
    found = judge(ENGINE, said(200, content), **config)
    assert found.reason == reason


def test_the_model_that_answered_is_recorded():
    assert ENGINE.identity(said(200, v3_answer())) == (("model_reported", FULL),)
    assert ENGINE.identity(said(200, v2_answer())) == ()
    assert ENGINE.identity(said(403, b"no")) == ()


def test_both_frames_are_read():
    assert services.texts_of(read(v2_answer())) == [["Sou enfermeira."]]
    assert services.texts_of(read(v3_answer())) == [["Sou enfermeira."]]
    assert [one.reason for one in read(v2_answer(), services.TEXTS)] == [Reason.SHORT] * 2
    assert [one.reason for one in read(v2_answer(None))] == [Reason.MALFORMED]


# --- real exchanges -----------------------------------------------------------------------------


@pytest.mark.parametrize(("service", "config"), [(GoogleV2, {}), (GoogleV3, V3)])
class TestExchanges:
    def test_a_translation(self, service, config):
        translations = {"I am a nurse.": "Sou enfermeira & 'mãe'."}
        stand_in = service(key=KEY, translations=translations)
        answer, [request] = ask(ENGINE, stand_in, PAIR, ONE, **config)
        assert (answer.outcome, answer.status) == (Outcome.OK, 200)
        assert KEY not in request.target
        readings = ENGINE.parse(answer, services.probes(PAIR, ONE))
        assert services.texts_of(readings) == [["Sou enfermeira & 'mãe'."]]
        assert ENGINE.identity(answer)

    def test_a_used_up_quota(self, service, config):
        answer, _ = ask(ENGINE, service(key=KEY, quota_characters=3), PAIR, ONE, **config)
        assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.QUOTA)

    def test_a_rate_limit_keeps_its_delay(self, service, config):
        stand_in = service(key=KEY, script=[service.rate_limited(7)])
        answer, _ = ask(ENGINE, stand_in, PAIR, ONE, **config)
        assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.RATE)
        assert dict(answer.headers)["retry-after"] == "7"

    def test_a_wrong_key(self, service, config):
        answer, _ = ask(ENGINE, service(key="another"), PAIR, ONE, **config)
        assert answer.reason is Reason.AUTH
        assert KEY not in repr(answer)

    def test_a_language_that_nobody_knows(self, service, config):
        answer, _ = ask(ENGINE, service(key=KEY), ("en", "xx"), ONE, **config)
        assert answer.reason is Reason.UNSUPPORTED

    def test_a_service_that_repeats_the_key(self, service, config):
        services.assert_scrubbed(ENGINE, service(key=KEY), PAIR, ONE, **config)

    @pytest.mark.parametrize(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
    def test_what_goes_wrong_on_the_wire(self, service, config, fault, way, outcome, reason):
        stand_in = service(key=KEY, script=[fault()])
        answer, _ = ask(ENGINE, stand_in, PAIR, ONE, way=way, **config)
        assert (answer.outcome, answer.reason) == (outcome, reason)


def test_missing_keys_are_named(monkeypatch):
    monkeypatch.delenv("GOOGLE_API_KEY")
    answer, requests = ask(ENGINE, GoogleV2(key=KEY), PAIR, ONE)
    assert (answer.reason, requests) == (Reason.AUTH, [])
    assert "GOOGLE_API_KEY" in answer.detail


@pytest.mark.parametrize("name", REQUIRED)
def test_a_recorded_exchange(name):
    services.assert_recording(ENGINE, name)
