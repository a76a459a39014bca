"""Azure AI Translator: both versions, six-digit errors, fallbacks, real exchanges."""

import json

import pytest

from monitor.engines.mt.azure_translator import ENGINE
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import KEY, REQUIRED, ask, asked, judge, said
from tests.standins import faults
from tests.standins.azure import Azure

PAIR = ("en", "pt")
ONE = services.TEXTS[:1]
OLD = {"api_version": "3.0"}
MODEL = {"deployment": "gpt-5.1", "gender": "female", "tone": "formal", "allow_fallback": False}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("AZURE_TEXT_TRANSLATION_APIKEY", KEY)


def stand_in(**settings):
    return Azure(key=KEY, **settings)


def new(text="Sou enfermeira.", **more):
    return {"value": [{"translations": [{"language": "pt", "text": text, **more}]}]}


def old(text="Sou enfermeira.", to="pt"):
    return [{"translations": [{"text": text, "to": to}]}]


def read(content, texts=ONE):
    return ENGINE.parse(said(200, content), services.probes(PAIR, texts))


# --- asking -------------------------------------------------------------------------------------


def test_a_request_of_the_new_version_is_as_documented():
    assert asked(ENGINE, PAIR, ONE) == HttpRequest(
        "POST",
        "https://api.cognitive.microsofttranslator.com/translate?api-version=2026-06-06",
        (
            ("Content-Type", "application/json"),
            ("Ocp-Apim-Subscription-Key", "secret:AZURE_TEXT_TRANSLATION_APIKEY"),
        ),
        b'{"inputs":[{"text":"I am a nurse.","language":"en","targets":[{"language":"pt"}]}]}',
    )


def test_a_request_of_the_old_version_is_as_documented():
    assert asked(ENGINE, PAIR, ONE, **OLD, region="westeurope") == HttpRequest(
        "POST",
        "https://api.cognitive.microsofttranslator.com/translate"
        "?api-version=3.0&from=en&to=pt&textType=plain",
        (
            ("Content-Type", "application/json"),
            ("Ocp-Apim-Subscription-Key", "secret:AZURE_TEXT_TRANSLATION_APIKEY"),
            ("Ocp-Apim-Subscription-Region", "westeurope"),
        ),
        b'[{"Text":"I am a nurse."}]',
    )


def test_every_parameter_of_the_new_version_is_sent():
    assert ENGINE.check(*PAIR, MODEL) == ""
    [asked_input] = json.loads(asked(ENGINE, PAIR, ONE, **MODEL).body)["inputs"]
    assert asked_input["targets"] == [
        {
            "language": "pt",
            "deploymentName": "gpt-5.1",
            "tone": "formal",
            "gender": "female",
            "allowFallback": False,
        }
    ]


def test_every_parameter_of_the_old_version_is_sent():
    config = OLD | {"category": "a b&c", "allow_fallback": True}
    assert ENGINE.check(*PAIR, config) == ""
    url = asked(ENGINE, PAIR, ONE, **config).url
    assert url.endswith("&textType=plain&category=a+b%26c&allowFallback=true")


def test_a_custom_domain_has_another_path():
    config = {
        "base_url": "https://x.cognitiveservices.azure.com/",
        "path": "translator/text/translate",
    }
    assert ENGINE.check(*PAIR, config) == ""
    assert asked(ENGINE, PAIR, ONE, **config).url == (
        "https://x.cognitiveservices.azure.com/translator/text/translate?api-version=2026-06-06"
    )


@check_each(
    ("config", "words"),
    [
        ({"api_version": "2025-10-01-preview"}, "must be one of 2026-06-06, 3.0"),
        (OLD | {"deployment": "gpt"}, "deployment belongs to api_version"),
        (OLD | {"gender": "male"}, "gender belongs to api_version"),
        (OLD | {"tone": "formal"}, "tone belongs to api_version"),
        ({"category": "c"}, "category belongs to api_version"),
        ({"gender": "male"}, "gender needs a deployment"),
        ({"tone": "formal"}, "tone needs a deployment"),
        ({"gender": "other"}, "must be one of male, female, neutral"),
        ({"allow_fallback": "yes"}, "must be true or false"),
        ({"path": "translate?x=1"}, "must be a path"),
        ({"path": "//evil.example"}, "must be a path"),
        ({"region": "west\r\nX: y"}, "must be a region"),
        ({"base_url": "http://azure.example"}, "https only"),
        ({"formality": "more"}, "unknown key"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(config, words):
    assert words in ENGINE.check(*PAIR, config)


def test_what_can_be_asked_is_not_refused():
    for config in ({}, OLD, {"deployment": "general"}, {"base_url": "http://[::1]:1"}):
        assert ENGINE.check(*PAIR, config) == ""
    assert "cannot translate" in ENGINE.check("en", "en", {})


# --- what an answer says ------------------------------------------------------------------------


def numbered(code):
    return faults.status(code // 1000, {"error": {"code": code, "message": "m"}})


@check_each(
    ("answer", "outcome", "reason"),
    [
        (Azure.quota(), Outcome.THROTTLED, Reason.QUOTA),
        (Azure.rate_limited(), Outcome.THROTTLED, Reason.RATE),
        (Azure.rate_limited(code=429000), Outcome.THROTTLED, Reason.RATE),
        (Azure.rate_limited(code=429002), Outcome.THROTTLED, Reason.RATE),
        (Azure.auth_error(), Outcome.FAILED, Reason.AUTH),
        (Azure.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (Azure.warming(), Outcome.FAILED, Reason.NONE),
        (Azure.failed(), Outcome.FAILED, Reason.NONE),
        (Azure.unavailable(), Outcome.FAILED, Reason.NONE),
        (numbered(400019), Outcome.FAILED, Reason.UNSUPPORTED),
        (numbered(400035), Outcome.FAILED, Reason.UNSUPPORTED),
        (numbered(400050), Outcome.FAILED, Reason.REFUSED),
        (numbered(400072), Outcome.FAILED, Reason.REFUSED),
        (numbered(400077), Outcome.FAILED, Reason.REFUSED),
        (numbered(403000), Outcome.FAILED, Reason.AUTH),
        (numbered(404000), Outcome.FAILED, Reason.REFUSED),
        (faults.status(403, {"error": {"code": "403001"}}), Outcome.THROTTLED, Reason.QUOTA),
        (faults.status(400, {"error": {"code": 429001}}), Outcome.THROTTLED, Reason.RATE),
        (faults.status(401, {"error": {"code": "401", "message": "m"}}), Outcome.FAILED, "auth"),
        (faults.status(400, {"error": {"code": [1], "message": 1}}), Outcome.FAILED, "refused"),
        (faults.status(503, {"error": "odd"}), Outcome.FAILED, Reason.NONE),
        (faults.redirect("https://azure.example"), Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_every_error_has_its_outcome(answer, outcome, reason):
    found = judge(ENGINE, said(answer.status, answer.body))
    assert (found.outcome, found.reason) == (outcome, reason)


def test_the_code_of_an_error_is_kept():
    found = judge(ENGINE, said(400, numbered(400036).body))
    assert found.detail == "HTTP 400: m (400036)"


@check_each(
    "content",
    [{}, {"value": 1}, {"value": [1]}, [[]], [{"translations": []}], 7, None, b"<html>"],
)
def test_a_success_without_translations_is_drift(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert {one.outcome for one in read(content)} == {Outcome.UNREADABLE}


@check_each(
    ("config", "more", "words"),
    [
        (MODEL, {"responseTokens": 3}, ""),
        (MODEL, {}, "gender female and tone formal was asked, and no language model answered"),
        ({"deployment": "gpt", "tone": "formal"}, {"sourceCharacters": 3}, "tone formal was asked"),
        ({"deployment": "general", "gender": "male"}, {}, ""),
        ({"deployment": "gpt"}, {}, ""),
        ({}, {}, ""),
    ],
)
def test_a_gender_that_was_asked_needs_a_language_model(config, more, words):
    found = judge(ENGINE, said(200, new(**more)), **config)
    assert found.detail.startswith(words)
    assert found.reason == (Reason.UNSUPPORTED if words else Reason.NONE)


def test_both_frames_are_read():
    assert services.texts_of(read(new())) == [["Sou enfermeira."]]
    assert services.texts_of(read(old(to="PT"))) == [["Sou enfermeira."]]
    assert services.texts_of(read([{"translations": [{"text": "Sou."}]}])) == [["Sou."]]
    assert [one.reason for one in read(old() * 2)] == [Reason.SHORT]
    assert [one.reason for one in read([])] == [Reason.SHORT]


@pytest.mark.parametrize(("to", "words"), [("fr", "'fr'"), (7, "'int'"), ("pt-pt", "'pt-pt'")])
def test_a_translation_into_another_language_is_none(to, words):
    [reading] = read(old(to=to))
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert words in reading.detail


def test_the_system_that_answered_is_recorded():
    answer = said(200, new(), [("x-mt-system", "Microsoft")])
    assert ENGINE.identity(answer) == (("model_reported", "Microsoft"),)
    assert ENGINE.identity(said(500, b"")) == ()


# --- real exchanges -----------------------------------------------------------------------------


@pytest.mark.parametrize("config", [{}, OLD], ids=["2026-06-06", "3.0"])
class TestExchanges:
    def test_a_translation(self, config):
        service = stand_in(translations={"I am a nurse.": "Sou enfermeira."})
        answer, [request] = ask(ENGINE, service, PAIR, ONE, **config)
        assert (answer.outcome, answer.status) == (Outcome.OK, 200)
        assert KEY not in request.target
        readings = ENGINE.parse(answer, services.probes(PAIR, ONE))
        assert services.texts_of(readings) == [["Sou enfermeira."]]
        assert ENGINE.identity(answer) == (("model_reported", "Microsoft"),)

    def test_a_key_of_a_region(self, config):
        service = stand_in(region="westeurope")
        answer, _ = ask(ENGINE, service, PAIR, ONE, **config, region="westeurope")
        assert answer.outcome is Outcome.OK
        answer, _ = ask(ENGINE, service, PAIR, ONE, **config)
        assert answer.reason is Reason.AUTH

    def test_a_used_up_quota(self, config):
        answer, _ = ask(ENGINE, stand_in(quota_characters=3), PAIR, ONE, **config)
        assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.QUOTA)

    def test_a_rate_limit_keeps_its_delay(self, config):
        service = stand_in(script=[Azure.rate_limited(7)])
        answer, _ = ask(ENGINE, service, PAIR, ONE, **config)
        assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.RATE)
        assert dict(answer.headers)["retry-after"] == "7"

    def test_a_wrong_key(self, config):
        answer, _ = ask(ENGINE, Azure(key="another"), PAIR, ONE, **config)
        assert answer.reason is Reason.AUTH
        assert KEY not in repr(answer)

    def test_a_language_that_nobody_knows(self, config):
        answer, _ = ask(ENGINE, stand_in(), ("en", "xx"), ONE, **config)
        assert answer.reason is Reason.UNSUPPORTED

    def test_a_service_that_repeats_the_key(self, config):
        services.assert_scrubbed(ENGINE, stand_in(), PAIR, ONE, **config)

    @pytest.mark.parametrize(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
    def test_what_goes_wrong_on_the_wire(self, config, fault, way, outcome, reason):
        service = stand_in(script=[fault()])
        answer, _ = ask(ENGINE, service, PAIR, ONE, way=way, **config)
        assert (answer.outcome, answer.reason) == (outcome, reason)


def test_a_language_model_is_asked_with_gender_and_tone():
    answer, _ = ask(ENGINE, stand_in(), PAIR, ONE, **MODEL)
    assert answer.outcome is Outcome.OK
    answer, _ = ask(ENGINE, stand_in(), PAIR, ONE, **MODEL | {"deployment": "none"})
    assert answer.reason is Reason.UNSUPPORTED


@pytest.mark.parametrize(
    ("domain", "path"),
    [
        ("custom-docs", "translator/text/translate"),
        ("custom-sdk", "translator/text/v2026-06-06/translate"),
    ],
)
def test_a_custom_domain_is_asked_at_its_own_path(domain, path):
    answer, _ = ask(ENGINE, stand_in(domain=domain), PAIR, ONE, path=path)
    assert answer.outcome is Outcome.OK
    answer, _ = ask(ENGINE, stand_in(domain=domain), PAIR, ONE)
    assert (answer.status, answer.reason) == (404, Reason.REFUSED)


def test_a_missing_key(monkeypatch):
    monkeypatch.delenv("AZURE_TEXT_TRANSLATION_APIKEY")
    answer, requests = ask(ENGINE, stand_in(), PAIR, ONE)
    assert (answer.reason, requests) == (Reason.AUTH, [])
    assert "AZURE_TEXT_TRANSLATION_APIKEY" in answer.detail


@pytest.mark.parametrize("name", REQUIRED)
def test_a_recorded_exchange(name):
    services.assert_recording(ENGINE, name)
