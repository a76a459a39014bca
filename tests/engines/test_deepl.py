"""DeepL: exact requests, documented errors, parameters that were set aside, real exchanges."""

import json

import pytest

from monitor.engines.mt.deepl import _FREE, ENGINE
from monitor.fetch import http
from monitor.model import HttpRequest, KeyKind, MissingPart, Outcome, Reason
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import KEY, REQUIRED, ask, asked, judge, said
from tests.standins import faults
from tests.standins.deepl import DeepL

PAIR = ("en", "pt-BR")
OK = {
    "translations": [
        {"detected_source_language": "EN", "text": "Sou enfermeira."},
        {"detected_source_language": "EN", "text": "Estou cansado."},
    ]
}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)


def stand_in(**settings):
    return DeepL(key=KEY, **settings)


def read(content, texts=services.TEXTS):
    return ENGINE.parse(said(200, content), services.probes(PAIR, texts))


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, ("en-GB", "pt-br")) == HttpRequest(
        "POST",
        "https://api.deepl.com/v2/translate",
        (
            ("Content-Type", "application/json"),
            ("Authorization", "DeepL-Auth-Key secret:DEEPL_AUTH_KEY"),
        ),
        b'{"text":["I am a nurse.","I am tired."],"source_lang":"EN","target_lang":"PT-BR"}',
        key_kinds=(KeyKind("DEEPL_AUTH_KEY", ":fx", ends=False, words=_FREE),),
    )


def test_every_parameter_is_sent():
    config = {
        "base_url": "https://api-free.deepl.com/",
        "key": "OTHER_KEY",
        "formality": "prefer_more",
        "model_type": "quality_optimized",
        "context": "Two women talk.",
        "custom_instructions": "Be brief.\n\n Be kind. ",
        "style_id": "s",
        "glossary_id": "g",
        "translation_memory_id": "m",
        "split_sentences": "0",
    }
    assert ENGINE.check("en", "es", config) == ""
    request = asked(ENGINE, ("en", "es"), **config)
    assert request.url == "https://api-free.deepl.com/v2/translate"
    assert dict(request.headers)["Authorization"] == "DeepL-Auth-Key secret:OTHER_KEY"
    assert json.loads(request.body) == {
        "text": ["I am a nurse.", "I am tired."],
        "source_lang": "EN",
        "target_lang": "ES",
        "formality": "prefer_more",
        "model_type": "quality_optimized",
        "context": "Two women talk.",
        "custom_instructions": ["Be brief.", "Be kind."],
        "style_id": "s",
        "glossary_id": "g",
        "translation_memory_id": "m",
        "split_sentences": "0",
    }


@check_each(
    ("target", "config", "words"),
    [
        ("pt", {}, "pt-BR or pt-PT"),
        ("PT", {}, "pt-BR or pt-PT"),
        ("en-GB", {}, "cannot translate 'en' into 'en-GB'"),
        ("es", {"formality": "polite"}, "must be one of default, more"),
        ("es", {"show_billed_characters": True}, "unknown key"),
        ("es", {"base_url": "http://deepl.example"}, "https only"),
        ("es", {"base_url": "https://deepl.example/?k=1"}, "no name, password, query"),
        ("pl", {"custom_instructions": "Be brief."}, "only for de, en, es"),
        ("es", {"custom_instructions": "x\n" * 11}, "at most 10 lines"),
        ("es", {"custom_instructions": "x" * 301}, "at most 300 characters"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(target, config, words):
    assert words in ENGINE.check("en", target, config)


def test_english_needs_a_variety_too():
    assert "en-GB or en-US" in ENGINE.check("es", "en", {})
    assert ENGINE.check("es", "en-US", {}) == ""
    assert ENGINE.check("en", "pt-BR", {"base_url": "http://127.0.0.1:8080"}) == ""


# --- what an answer says ------------------------------------------------------------------------


@check_each(
    ("answer", "outcome", "reason"),
    [
        (DeepL.quota(), Outcome.THROTTLED, Reason.QUOTA),
        (DeepL.rate_limited(), Outcome.THROTTLED, Reason.RATE),
        (DeepL.overloaded(), Outcome.FAILED, Reason.NONE),
        (DeepL.auth_error(), Outcome.FAILED, Reason.AUTH),
        (DeepL.bad_pair(), Outcome.FAILED, Reason.UNSUPPORTED),
        (faults.status(403, {"message": "key lacks scope"}), Outcome.FAILED, Reason.AUTH),
        (
            faults.status(400, {"message": "'formality' is not supported for given 'target_lang'"}),
            Outcome.FAILED,
            Reason.UNSUPPORTED,
        ),
        (
            faults.status(400, {"message": "query parameters are not supported; send a body"}),
            Outcome.FAILED,
            Reason.REFUSED,
        ),
        (faults.status(404, {"message": "Not found"}), Outcome.FAILED, Reason.REFUSED),
        (faults.status(413, {"message": "too large"}), Outcome.FAILED, Reason.REFUSED),
        (faults.status(414, {"message": "too long"}), Outcome.FAILED, Reason.REFUSED),
        (faults.status(500, {"message": "oh"}), Outcome.FAILED, Reason.NONE),
        (faults.status(504, {"message": "oh"}), Outcome.FAILED, Reason.NONE),
        (faults.status(529, "no object"), Outcome.FAILED, Reason.NONE),
        (faults.redirect("https://deepl.example"), Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_every_error_has_its_outcome(answer, outcome, reason):
    found = judge(ENGINE, said(answer.status, answer.body))
    assert (found.outcome, found.reason) == (outcome, reason)
    assert found.detail.startswith(f"HTTP {answer.status}")


def test_a_refused_key_is_told_of_the_other_address():
    assert "https://api-free.deepl.com" in judge(ENGINE, said(403, {"message": "no"})).detail


@check_each(
    "content", [{}, [], None, {"translations": {}}, {"translations": [{"texts": 1}]}, b"<html>"]
)
def test_a_success_without_translations_is_drift(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert {one.outcome for one in read(content)} == {Outcome.UNREADABLE}


@check_each(
    ("model_type", "used", "reason"),
    [
        ("quality_optimized", "latency_optimized", Reason.UNSUPPORTED),
        ("quality_optimized", "quality_optimized", Reason.NONE),
        ("quality_optimized", ["odd"], Reason.NONE),
        ("prefer_quality_optimized", "latency_optimized", Reason.NONE),
        (None, "latency_optimized", Reason.NONE),
    ],
)
def test_a_model_that_was_demanded_must_have_answered(model_type, used, reason):
    content = {"translations": [{"text": "Canto.", "model_type_used": used}]}
    found = judge(ENGINE, said(200, content), **({"model_type": model_type} if model_type else {}))
    assert found.reason == reason
    assert ("was asked and latency_optimized was used" in found.detail) == bool(reason)


def test_the_model_that_answered_is_recorded():
    rows = [{"text": "a", "model_type_used": name} for name in ("b", "a", "b", 7)]
    answer = said(200, {"translations": [*rows, 3]})
    assert ENGINE.identity(answer) == (("model_reported", "a, b"),)
    assert ENGINE.identity(said(200, OK)) == ()
    assert ENGINE.identity(said(500, b"")) == ()


def test_translations_are_read_in_order():
    assert services.texts_of(read(OK)) == [["Sou enfermeira."], ["Estou cansado."]]


def test_answers_that_are_not_as_many_as_questions_are_nobodys():
    assert {one.reason for one in read(OK, ["I sing."])} == {Reason.SHORT}
    assert {one.reason for one in read({"translations": []})} == {Reason.SHORT}


def test_one_bad_row_spoils_only_its_own_question():
    rows = [{"text": "Sou enfermeira."}, {"text": None}]
    assert judge(ENGINE, said(200, {"translations": rows})).outcome is Outcome.OK
    assert [one.reason for one in read({"translations": rows})] == ["", Reason.MALFORMED]


# --- real exchanges -----------------------------------------------------------------------------


def test_a_real_exchange():
    answer, [request] = ask(
        ENGINE, stand_in(translations={"I am tired.": "Estou cansada."}), PAIR, formality="more"
    )
    assert (answer.outcome, answer.status) == (Outcome.OK, 200)
    readings = ENGINE.parse(answer, services.probes(PAIR))
    assert [one.outcome for one in readings] == [Outcome.OK] * 2
    assert services.texts_of(readings)[1] == ["Estou cansada."]
    assert request.headers["authorization"] == f"DeepL-Auth-Key {KEY}"
    assert request.json["formality"] == "more"


def test_fifty_texts_are_one_request():
    texts = [f"I have {n} dogs and I am tired." for n in range(ENGINE.batch)]
    answer, requests = ask(ENGINE, stand_in(), PAIR, texts)
    assert len(requests) == 1
    readings = ENGINE.parse(answer, services.probes(PAIR, texts))
    assert {one.outcome for one in readings} == {Outcome.OK}
    assert services.texts_of(readings)[49] == ["[PT-BR] TIRED. AM i AND DOGS 49 HAVE i"]


def test_a_used_up_quota():
    answer, _ = ask(ENGINE, stand_in(quota_characters=20), PAIR)
    assert (answer.status, answer.reason) == (456, Reason.QUOTA)


def test_a_rate_limit_keeps_its_delay():
    answer, _ = ask(ENGINE, stand_in(script=[DeepL.rate_limited(7)]), PAIR)
    assert (answer.outcome, answer.reason) == (Outcome.THROTTLED, Reason.RATE)
    assert dict(answer.headers)["retry-after"] == "7"


def test_a_wrong_key():
    answer, _ = ask(ENGINE, DeepL(key="another"), PAIR)
    assert (answer.status, answer.reason) == (403, Reason.AUTH)
    assert KEY not in repr(answer)


@pytest.mark.parametrize(
    ("address", "value", "words"),
    [
        ({}, "a-key:fx", 'base_url = "https://api-free.deepl.com"'),
        ({"base_url": "https://api.deepl.com/"}, "a-key:fx", "api-free.deepl.com"),
        ({"base_url": "https://api-free.deepl.com"}, "a-key", 'base_url = "https://api.deepl.com"'),
        ({}, "a-key", ""),
        ({"base_url": "https://api-free.deepl.com"}, "a-key:fx", ""),
        ({"base_url": "http://127.0.0.1:9"}, "a-key:fx", ""),
        ({"base_url": "http://127.0.0.1:9"}, "a-key", ""),
    ],
)
def test_a_key_of_the_other_kind_of_account_is_missing_here(monkeypatch, address, value, words):
    """Before anybody is asked; under whatever name the key stands."""
    monkeypatch.delenv("DEEPL_AUTH_KEY")
    monkeypatch.setenv("OTHER_KEY", value)
    request = asked(ENGINE, PAIR, key="OTHER_KEY", **address)
    if not words:
        http.check_request(request)
        return
    with pytest.raises(MissingPart, match="OTHER_KEY") as refused:
        http.check_request(request)
    assert words in str(refused.value)
    assert value not in str(refused.value)


def test_a_missing_key(monkeypatch):
    monkeypatch.delenv("DEEPL_AUTH_KEY")
    answer, requests = ask(ENGINE, stand_in(), PAIR)
    assert (answer.reason, requests) == (Reason.AUTH, [])
    assert "DEEPL_AUTH_KEY" in answer.detail


def test_a_formality_that_the_target_does_not_have():
    answer, _ = ask(ENGINE, stand_in(formality_targets=()), PAIR, formality="more")
    assert answer.reason is Reason.UNSUPPORTED


def test_a_service_that_repeats_the_key():
    services.assert_scrubbed(ENGINE, stand_in(), PAIR)


@check_each(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
def test_what_goes_wrong_on_the_wire(fault, way, outcome, reason):
    answer, _ = ask(ENGINE, stand_in(script=[fault()]), PAIR, way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_recorded_exchange(name):
    services.assert_recording(ENGINE, name)
