"""Amazon Translate: exact requests, errors by name, settings ignored silently, real exchanges."""

import json

import pytest

from monitor.engines.mt.amazon_translate import ENGINE
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import KEY, REQUIRED, ask, asked, judge, said
from tests.standins import faults
from tests.standins.amazon import Amazon

PAIR = ("en", "pt")
ONE = services.TEXTS[:1]
REGION = {"region": "eu-west-1"}
OK = {"TranslatedText": "Sou enfermeira.", "SourceLanguageCode": "en", "TargetLanguageCode": "pt"}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)


def stand_in(**settings):
    return Amazon(secret=KEY, **settings)


def read(content, texts=ONE):
    return ENGINE.parse(said(200, content), services.probes(PAIR, texts))


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented_and_signed_later():
    assert asked(ENGINE, PAIR, ONE, **REGION) == HttpRequest(
        "POST",
        "https://translate.eu-west-1.amazonaws.com/",
        (
            ("Content-Type", "application/x-amz-json-1.1"),
            ("X-Amz-Target", "AWSShineFrontendService_20170701.TranslateText"),
        ),
        b'{"Text":"I am a nurse.","SourceLanguageCode":"en","TargetLanguageCode":"pt"}',
        signer="aws4:translate/eu-west-1",
    )


def test_every_setting_is_sent():
    config = REGION | {"formality": "FORMAL", "brevity": "ON", "profanity": "MASK"}
    assert ENGINE.check(*PAIR, config) == ""
    assert json.loads(asked(ENGINE, PAIR, ONE, **config).body)["Settings"] == {
        "Formality": "FORMAL",
        "Brevity": "ON",
        "Profanity": "MASK",
    }


@check_each(
    ("config", "words"),
    [
        ({}, "needs 'region'"),
        ({"region": "Europe"}, "region of AWS such as eu-west-1"),
        ({"region": "eu-west-1.example.org/"}, "region of AWS such as eu-west-1"),
        (REGION | {"formality": "formal"}, "must be one of FORMAL, INFORMAL"),
        (REGION | {"brevity": "OFF"}, "must be one of ON"),
        (REGION | {"base_url": "http://aws.example"}, "https only"),
        (REGION | {"key": "K"}, "unknown key"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(config, words):
    assert words in ENGINE.check(*PAIR, config)


def test_what_can_be_asked_is_not_refused():
    for region in ("eu-west-1", "us-gov-west-1", "ap-southeast-2"):
        assert ENGINE.check(*PAIR, {"region": region}) == ""
    assert ENGINE.check(*PAIR, REGION | {"base_url": "http://127.0.0.1:1"}) == ""
    assert "cannot translate" in ENGINE.check("en", "en", REGION)


# --- what an answer says ------------------------------------------------------------------------


def named(status, kind, message="m"):
    return faults.status(status, {"__type": kind, "Message": message})


@check_each(
    ("answer", "outcome", "reason"),
    [
        (Amazon.rate_limited(), Outcome.THROTTLED, Reason.RATE),
        (Amazon.quota(), Outcome.THROTTLED, Reason.RATE),
        (Amazon.auth_error(), Outcome.FAILED, Reason.AUTH),
        (Amazon.auth_error("InvalidSignatureException"), Outcome.FAILED, Reason.AUTH),
        (Amazon.auth_error("ExpiredTokenException"), Outcome.FAILED, Reason.AUTH),
        (Amazon.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (Amazon.low_confidence(), Outcome.FAILED, Reason.REFUSED),
        (Amazon.failed(), Outcome.FAILED, Reason.NONE),
        (Amazon.unavailable(), Outcome.FAILED, Reason.NONE),
        (named(400, "TextSizeLimitExceededException"), Outcome.FAILED, Reason.REFUSED),
        (named(400, "InvalidRequestException"), Outcome.FAILED, Reason.REFUSED),
        (named(404, "ResourceNotFoundException"), Outcome.FAILED, Reason.REFUSED),
        (
            named(400, "com.amazonaws.translate#TooManyRequestsException"),
            Outcome.THROTTLED,
            Reason.RATE,
        ),
        (named(400, "ThrottlingException:http://aws.example/"), Outcome.THROTTLED, Reason.RATE),
        (named(400, 7), Outcome.FAILED, Reason.REFUSED),
        (faults.status(400, ["odd"]), Outcome.FAILED, Reason.REFUSED),
        (faults.redirect("https://aws.example"), Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_every_error_has_its_outcome(answer, outcome, reason):
    found = judge(ENGINE, said(answer.status, answer.body), **REGION)
    assert (found.outcome, found.reason) == (outcome, reason)


@pytest.mark.parametrize("name", ["Message", "message"])
def test_the_words_of_an_error_are_kept(name):
    body = {"__type": "a.b#UnsupportedLanguagePairException", name: "no en to xx"}
    found = judge(ENGINE, said(400, body), **REGION)
    assert found.detail == "HTTP 400: UnsupportedLanguagePairException: no en to xx"


def test_an_error_may_be_named_in_a_header():
    headers = [("x-amzn-errortype", "UnsupportedLanguagePairException:http://aws.example/")]
    assert judge(ENGINE, said(400, b"", headers), **REGION).reason is Reason.UNSUPPORTED


@check_each("content", [{}, [], {"TranslatedText": None}, b"<html>"])
def test_a_success_without_a_translation_is_drift(content):
    found = judge(ENGINE, said(200, content), **REGION)
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert {one.reason for one in read(content)} == {Reason.MALFORMED}


@check_each(
    ("config", "applied", "words"),
    [
        ({"formality": "FORMAL"}, {"Formality": "FORMAL"}, ""),
        ({"formality": "FORMAL"}, {}, "formality FORMAL was asked and not applied"),
        ({"formality": "FORMAL"}, None, "formality FORMAL was asked and not applied"),
        (
            {"formality": "FORMAL"},
            {"Formality": "INFORMAL"},
            "formality FORMAL was asked and not applied",
        ),
        (
            {"formality": "FORMAL", "brevity": "ON"},
            {"Formality": "FORMAL"},
            "brevity ON was asked and not applied",
        ),
        ({}, {}, ""),
    ],
)
def test_a_setting_that_was_asked_must_have_been_applied(config, applied, words):
    content = OK | ({} if applied is None else {"AppliedSettings": applied})
    found = judge(ENGINE, said(200, content), **REGION, **config)
    assert found.detail == words
    assert found.reason == (Reason.UNSUPPORTED if words else Reason.NONE)


def test_a_translation_is_read():
    assert services.texts_of(read(OK)) == [["Sou enfermeira."]]
    assert services.texts_of(read(OK | {"SourceLanguageCode": "gl"})) == [["Sou enfermeira."]]
    assert [one.reason for one in read(OK, services.TEXTS)] == [Reason.SHORT] * 2
    assert ENGINE.identity(said(200, OK)) == ()


# --- real exchanges -----------------------------------------------------------------------------


def test_a_real_exchange_with_a_valid_signature():
    service = stand_in(translations={"I am a nurse.": "Sou enfermeira – é só."})
    answer, [request] = ask(ENGINE, service, PAIR, ONE, **REGION, formality="FORMAL")
    assert (answer.outcome, answer.status, answer.detail) == (Outcome.OK, 200, "")
    assert request.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
    readings = ENGINE.parse(answer, services.probes(PAIR, ONE))
    assert services.texts_of(readings) == [["Sou enfermeira – é só."]]


def test_letters_beyond_ascii_are_signed_as_they_are_sent():
    answer, [request] = ask(ENGINE, stand_in(), ("pt", "en"), ["Sou mãe."], **REGION)
    assert answer.outcome is Outcome.OK
    assert request.json["Text"] == "Sou mãe."


def test_a_session_token_is_signed_too(monkeypatch):
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t0ken-of-a-session")
    service = stand_in(session_token="t0ken-of-a-session")
    answer, _ = ask(ENGINE, service, PAIR, ONE, **REGION)
    assert answer.outcome is Outcome.OK


def test_a_formality_that_the_target_does_not_have():
    service = stand_in(formality_targets=())
    answer, _ = ask(ENGINE, service, PAIR, ONE, **REGION, formality="INFORMAL")
    assert (answer.status, answer.reason) == (200, Reason.UNSUPPORTED)
    assert answer.detail == "formality INFORMAL was asked and not applied"


def test_a_used_up_quota_is_a_rate_limit():
    answer, _ = ask(ENGINE, stand_in(quota_characters=3), PAIR, ONE, **REGION)
    assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.RATE)


def test_a_rate_limit_keeps_its_delay():
    service = stand_in(script=[Amazon.rate_limited(7)])
    answer, _ = ask(ENGINE, service, PAIR, ONE, **REGION)
    assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.RATE)
    assert dict(answer.headers)["retry-after"] == "7"


@pytest.mark.parametrize("wrong", [{"key": "AKIDOTHER"}, {"secret": "another"}, {"region": "x"}])
def test_a_wrong_key_or_region(wrong):
    service = Amazon(**({"secret": KEY} | wrong))
    answer, _ = ask(ENGINE, service, PAIR, ONE, **REGION)
    assert answer.reason is Reason.AUTH
    assert KEY not in repr(answer)


def test_a_missing_key(monkeypatch):
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    answer, requests = ask(ENGINE, stand_in(), PAIR, ONE, **REGION)
    assert (answer.reason, requests) == (Reason.AUTH, [])
    assert "AWS_SECRET_ACCESS_KEY" in answer.detail


def test_a_text_that_is_too_long():
    answer, _ = ask(ENGINE, stand_in(), PAIR, ["I am tired. " * 900], **REGION)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.REFUSED)


def test_a_service_that_repeats_the_session_token(monkeypatch):
    """The secret itself never leaves; the token of a session does."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret-that-never-leaves")
    monkeypatch.setenv("AWS_SESSION_TOKEN", KEY)
    services.assert_scrubbed(ENGINE, stand_in(), PAIR, ONE, **REGION)


@check_each(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
def test_what_goes_wrong_on_the_wire(fault, way, outcome, reason):
    answer, _ = ask(ENGINE, stand_in(script=[fault()]), PAIR, ONE, way=way, **REGION)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_recorded_exchange(name):
    services.assert_recording(ENGINE, name)
