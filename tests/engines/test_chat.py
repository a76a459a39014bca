"""A chat model as translator: what is asked, what counts as a translation, what never does."""

import csv
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.mt.chat import ENGINE, language_name
from monitor.faults import Then, find_consequence, judge_answer
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import Answer, Fault, Outcome, Probe, Reason
from monitor.parameters import fill_defaults
from tests.cases import check_each
from tests.engines import services
from tests.standins import faults, serve
from tests.standins.chat import Chat

AT = datetime(2025, 1, 6, 5, tzinfo=UTC)
CONFIG = {"base_url": "https://api.openai.com/v1", "model": "m"}
TIRED = Probe("I am tired.", "en", "pt")
KEY = "sk-of-this-test"


def settled(**changes):
    return fill_defaults(ENGINE.parameters, CONFIG | changes)


def completion(content, finish="stop", **message):
    said = {"role": "assistant", "content": content} | message
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1763700000,
        "model": "m-2026-01",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24},
        "system_fingerprint": "fp_x",
    }


def error(status, code=None, message="words", kind="t", **further):
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}} | (
        further
    )


def answer(body, status=200):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(Outcome.OK, AT, 0.1, status=status, body=raw)


def judge(body, status=200):
    given = answer(body, status)
    return judge_answer(given, ENGINE.trouble(given, settled()))


def read(content, source="I am tired.", target="pt", source_lang="en", **fields):
    [reading] = ENGINE.parse(
        answer(completion(content, **fields)), [Probe(source, source_lang, target)]
    )
    return reading


# --- what is asked ------------------------------------------------------------------------------


def test_the_request_by_default():
    request = ENGINE.request([TIRED], settled())
    assert (request.method, request.url) == ("POST", "https://api.openai.com/v1/chat/completions")
    assert dict(request.headers) == {
        "Content-Type": "application/json",
        "Authorization": "Bearer secret:OPENAI_API_KEY",
    }
    assert json.loads(request.body) == {
        "model": "m",
        "messages": [
            {
                "role": "user",
                "content": "Translate this sentence from English into Portuguese. Answer with the "
                "translation and nothing else.\n\nI am tired.",
            }
        ],
        "temperature": 0.0,
        "max_tokens": 256,
    }
    assert request.body_secrets == ()


def test_the_request_with_everything():
    config = settled(
        base_url="http://127.0.0.1:8080/v1/",
        prompt="{text} ({{{source}}} > {target})",
        system="You translate into {target}.",
        temperature=0.7,
        seed=1,
        max_tokens=64,
        limit_as="max_completion_tokens",
        keyless=True,
    )
    request = ENGINE.request([Probe("I'm {x} {text}.", "en", "pt-BR")], config)
    assert request.url == "http://127.0.0.1:8080/v1/chat/completions"
    assert dict(request.headers) == {"Content-Type": "application/json"}
    assert json.loads(request.body) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You translate into Brazilian Portuguese."},
            {"role": "user", "content": "I'm {x} {text}. ({English} > Brazilian Portuguese)"},
        ],
        "temperature": 0.7,
        "seed": 1,
        "max_completion_tokens": 64,
    }


def test_a_temperature_can_be_left_to_the_model():
    body = json.loads(ENGINE.request([TIRED], settled(send_temperature=False)).body)
    assert "temperature" not in body


@check_each(
    ("tag", "name"),
    [
        ("es", "Spanish"),
        ("es-MX", "Spanish (es-MX)"),
        ("PT-br", "Brazilian Portuguese"),
        ("xx", "xx"),
    ],
)
def test_a_prompt_names_languages_in_english(tag, name):
    assert language_name(tag) == name


@check_each(
    ("changes", "words"),
    [
        ({}, ""),
        ({"prompt": "{text}"}, ""),
        ({"prompt": "{{json}} {text}"}, ""),
        ({"system": "{source} {target}"}, ""),
        ({"keyless": True, "base_url": "http://models.example/v1"}, ""),
        ({"prompt": "Translate it into {target}."}, "must contain {text}"),
        ({"prompt": "{text} {style}"}, "unknown placeholder {style}; known: {source}, {target}"),
        ({"prompt": "{text} {}"}, "unknown placeholder {}"),
        ({"prompt": "{text!r}"}, "unknown placeholder {text}"),
        ({"prompt": "{text:>9}"}, "unknown placeholder"),
        ({"prompt": "{text.__class__}"}, "unknown placeholder"),
        ({"prompt": "{text"}, "config: prompt: "),
        ({"system": "{text}"}, "system has an unknown placeholder {text}"),
        ({"key": "sk-abc-def"}, "not the key itself"),
        ({"base_url": "http://models.example/v1"}, "https only"),
        ({"base_url": "models.example"}, "must begin with https://"),
        ({"temperature": 3}, "at most 2"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_tokens": 0}, "at least 1"),
        ({"limit_as": "tokens"}, "one of"),
        ({"n": 2}, "unknown key 'n'"),
    ],
)
def test_a_config_is_checked(changes, words):
    found = ENGINE.check("en", "pt", CONFIG | changes)
    assert words in found
    assert bool(found) == bool(words)


@pytest.mark.parametrize("left_out", ["base_url", "model"])
def test_address_and_model_are_needed(left_out):
    config = {name: value for name, value in CONFIG.items() if name != left_out}
    assert f"config needs '{left_out}'" in ENGINE.check("en", "pt", config)


def test_it_is_asked_five_times_and_named_by_its_model():
    assert (ENGINE.repeats, ENGINE.label_by, ENGINE.batch) == (5, "model", 1)
    places = {one.name for one in ENGINE.parameters if one.place}
    assert places == {"key", "keyless"}


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("given", "outcome", "reason", "then"),
    [
        (error(401, "invalid_api_key"), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (error(403, "permission_denied"), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (error(404, "model_not_found"), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (error(404), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (error(402), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (error(429, "insufficient_quota"), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (
            error(429, None, kind="insufficient_quota"),
            Outcome.THROTTLED,
            Reason.QUOTA,
            Then.SUSPEND,
        ),
        (error(429, "rate_limit_exceeded"), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (error(400, "context_length_exceeded"), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (error(422), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (
            error(400, "unsupported_value", "temperature does not support 0 with this model"),
            Outcome.FAILED,
            Reason.UNSUPPORTED,
            Then.STOP_TARGET,
        ),
        (error(500), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (error(503), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        ((200, {"error": {"message": "words", "code": 429}}), Outcome.THROTTLED, Reason.RATE,
         Then.BACK_OFF),
        ((200, {"error": "words"}), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        ((200, {"words": 1}), Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
        ((200, {"choices": [], "words": 1}), Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
        ((200, b"<html>words"), Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
        ((302, b"words"), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
    ],
)  # fmt: skip
def test_each_error_has_its_outcome(given, outcome, reason, then):
    status, body = given
    found = judge(body, status)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert "words" in found.detail or "temperature" in found.detail


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "The response was filtered", "code": "content_filter"}},
        {"error": {"message": "filtered", "innererror": {"code": "content_filter"}}},
        {"error": {"message": "against our policy", "code": "content_policy_violation"}},
    ],
)
def test_a_filtered_question_is_a_refusal_and_stops_nothing(body):
    given = answer(body, 400)
    assert ENGINE.trouble(given, settled()) is None
    [reading] = ENGINE.parse(given, [TIRED])
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.REFUSAL)
    assert body["error"]["message"] in reading.detail


# --- answers that say themselves that they are none ---------------------------------------------


@check_each(
    ("body", "outcome", "reason"),
    [
        (completion("Estou cansada."), Outcome.OK, Reason.NONE),
        (completion("Estou", "length"), Outcome.UNREADABLE, Reason.TRUNCATED),
        (completion("", "content_filter"), Outcome.UNREADABLE, Reason.REFUSAL),
        (completion(None, refusal="I can't."), Outcome.UNREADABLE, Reason.REFUSAL),
        (completion("Estou cansada.", refusal="I can't."), Outcome.UNREADABLE, Reason.REFUSAL),
        (completion("Estou cansada.", refusal=None), Outcome.OK, Reason.NONE),
        (completion(None, "tool_calls"), Outcome.UNREADABLE, Reason.MALFORMED),
        (completion("Estou cansada.", None), Outcome.UNREADABLE, Reason.MALFORMED),
        (completion(None), Outcome.UNREADABLE, Reason.MALFORMED),
        (completion(["Estou cansada."]), Outcome.UNREADABLE, Reason.MALFORMED),
        (completion(""), Outcome.EMPTY, Reason.NONE),
        (completion(" \n"), Outcome.EMPTY, Reason.NONE),
        (completion("\N{FACE WITH TEARS OF JOY}"), Outcome.UNREADABLE, Reason.POISONED),
        (completion("I am tired."), Outcome.UNREADABLE, Reason.ECHO),
        (completion("x") | {"choices": []}, Outcome.UNREADABLE, Reason.MALFORMED),
        (completion("x") | {"choices": completion("x")["choices"] * 2}, Outcome.UNREADABLE,
         Reason.MALFORMED),
        (completion("x") | {"choices": ["x"]}, Outcome.UNREADABLE, Reason.MALFORMED),
        (completion("x") | {"choices": [{"message": "x", "finish_reason": "stop"}]},
         Outcome.UNREADABLE, Reason.MALFORMED),
    ],
)  # fmt: skip
def test_an_answer_is_data_or_says_why_not(body, outcome, reason):
    [reading] = ENGINE.parse(answer(body), [TIRED])
    assert (reading.outcome, reading.reason) == (outcome, reason)


def test_thoughts_in_a_field_of_their_own_are_not_the_answer():
    reading = read("Estou cansada.", reasoning_content="The speaker may be a woman. Sure!")
    assert [item.text for item in reading.items] == ["Estou cansada."]


# --- good translations stay data ----------------------------------------------------------------


@check_each(
    ("source", "target", "said"),
    [
        ("I am tired.", "pt", "Estou cansada."),
        ("I am tired.", "pt", "  Estou cansada.\n"),
        ("I am tired.", "pt", "Estou cansado/a."),
        ("I am tired.", "pt", "Estou cansado(a)."),
        ("I am tired.", "es", "Estoy cansado/cansada."),
        ("I am a doctor.", "es", "Soy un(a) médico(a)."),
        ("I am tired.", "de", "Ich bin müde."),
        ("Sorry, I am tired.", "pt", "Desculpe, estou cansada."),
        ("I'm sorry, I can't help you.", "pt", "Desculpe, não posso ajudar você."),
        ("I am sorry, but I cannot come.", "es", "Lo siento, pero no puedo ir."),
        ("Sorry, I am tired.", "de", "Sorry, ich bin müde."),
        ("Unfortunately I am not able to cook.", "ru", "К сожалению, я не могу готовить."),
        ("Okay, I am tired.", "pt", "OK, estou cansada."),
        ("Of course, I am tired.", "pt", "Claro, estou cansada."),
        ("Sure, I was afraid.", "es", "Por supuesto, tenía miedo."),
        ("Here I am.", "pt", "Aqui está, sou eu."),
        ('"I was tired," I said.', "pt", '"Eu estava cansada", eu disse.'),
        ('I said, "I am tired."', "es", "Dije: «Estoy cansada»."),
        ('"I am tired."', "pt", '"Estou cansada."'),
        ('"I am tired," she said.', "pt", '"Estou cansada." Ela disse.'),
        ("I have one wish: to rest.", "pt", "Tenho um desejo: descansar."),
        ("I am one thing - a nurse.", "pt", "Sou uma coisa: enfermeira."),
        ("I am tired (very).", "pt", "Estou cansada (muito)."),
        ("I am a translator.", "pt", "Sou tradutora."),
        ("I wrote the translation.", "pt", "Escrevi a tradução."),
        ("I am proud of my female form.", "pt", "Tenho orgulho da minha forma feminina."),
        ("I like feminine things.", "es", "Me gustan las cosas femeninas."),
        ("I work for Mr. Smith.", "pt", "Trabalho para o Sr. Smith."),
        ("I work for Mister Smith.", "es", "Trabajo para el Sr. Smith."),
        ("No, I am tired.", "pt", "Não. Estou cansada."),
        ("I am tired. I sleep.", "pt", "Estou cansada. Durmo."),
        ("Well... I am tired.", "pt", "Bem… estou cansada."),
        ("I am tired.\nI sleep.", "pt", "Estou cansada.\nDurmo."),
        ("I am made of gold.", "fr", "Je suis en or."),
        ("I play in The Who.", "pt", "Eu toco no The Who."),
        ("I was born in 1990.", "cs", "Narodila jsem se v roce 1990."),
        ("I am tired.", "be", "Я стаміўся."),
        ("I am tired and or sick.", "pt", "Estou cansado e/ou doente."),
        ("I am either tired or sick.", "pt", "Estou cansada ou doente."),
        ("- I am tired.", "pt", "- Estou cansada."),
        ("I am up at 9.00 AM.", "cs", "Jsem vzhůru v 9:00 ráno."),
        ("I am a fashion consultant.", "pl", "Jestem konsultantką ds. mody."),
    ],
)
def test_a_translation_stays_data(source, target, said):
    reading = read(said, source, target)
    assert reading.outcome is Outcome.OK, reading
    assert [item.text for item in reading.items] == [said.strip()]


@check_each(
    ("source", "said"),
    [
        ("Claro, estou cansado.", "Sure, I am tired."),
        ("Desculpe, não posso ajudar.", "I'm sorry, I can't help."),
        ("Sou médico.", "I am a doctor."),
        ("Aqui está o livro com que sonhei.", "Here is the book which I dreamed of with you."),
    ],
)
def test_a_translation_into_english_stays_data(source, said):
    assert read(said, source, "en", "pt").outcome is Outcome.OK


@check_each("quotes", ['""', "“”", "„“", "„”", "«»", "''", "‘’"])
def test_quotation_marks_around_all_of_it_are_taken_off(quotes):
    reading = read(f"{quotes[0]}Estou cansada.{quotes[1]}")
    assert [item.text for item in reading.items] == ["Estou cansada."]


def test_quotation_marks_that_were_asked_for_or_do_not_match_stay():
    said = '"Estou cansada", disse, "e triste"'
    assert read(said, '"I am tired," I said, "and sad."').items[0].text == said
    assert read('"Estou cansada.').items[0].text == '"Estou cansada.'


@check_each(
    ("said", "texts"),
    [
        ("Estou cansado.\nEstou cansada.", ["Estou cansado.", "Estou cansada."]),
        ("Estou cansada.\n\nEstou cansado.", ["Estou cansada.", "Estou cansado."]),
        ('"Estou cansado."\n"Estou cansada."', ["Estou cansado.", "Estou cansada."]),
        ("Estou cansada.\nEstou cansada.", ["Estou cansada."]),
    ],
)
def test_two_lines_and_nothing_else_are_two_alternatives(said, texts):
    reading = read(said)
    assert reading.outcome is Outcome.OK
    assert [(item.rank, item.text) for item in reading.items] == list(enumerate(texts, 1))


# --- what is never data -------------------------------------------------------------------------


@check_each(
    "said",
    [
        "Sure! Estou cansada.",
        "Sure! Here is the translation: Estou cansada.\n\nLet me know if you need more.",
        "Sure, estou cansada.",
        "Certainly! Estou cansada.",
        "Of course! Estou cansada.",
        "Okay! Estou cansada.",
        "Here is the translation:\nEstou cansada.",
        "Here's the translation: Estou cansada.",
        "Here you go: Estou cansada.",
        "Translation: Estou cansada.",
        "**Translation:** Estou cansada.",
        "The translation is: Estou cansada.",
        'The Portuguese translation is "Estou cansada."',
        "Tradução: Estou cansada.",
        "A tradução é: Estou cansada.",
        "Claro! Estou cansada.",
        "Claro! Aqui está a tradução: Estou cansada.",
        "Aqui está: Estou cansada.",
        "Portuguese: Estou cansada.",
        "Português: Estou cansada.",
        "pt: Estou cansada.",
        "In Portuguese, estou cansada.",
        "Output: Estou cansada.",
        "Feminine: Estou cansada.",
        "Estou cansado (masculine) / Estou cansada (feminine)",
        "Estou cansado. (Note: use 'cansada' for a female speaker.)",
        "Estou cansada.\n\n(Note: this is the feminine form.)",
        "Estou cansada.\n\nNote: this assumes that the speaker is female.",
        "Estou cansado.\n\nNota: se for mulher, diga cansada.",
        "Estou cansado. Nota: se for mulher, diga cansada.",
        "Estou cansado. Se for mulher, diga cansada.",
        "Estou cansado. Estou cansada.",
        "Estou cansado. / Estou cansada.",
        "Estou cansado or Estou cansada.",
        "Estou cansado. or Estou cansada.",
        "Estou cansado\nor\nEstou cansada",
        "Estou cansado (a).",
        "Estou cansado (masculino)",
        "Estou cansada, na forma feminina.",
        "Estou cansad[o/a].",
        "1. Estou cansado.\n2. Estou cansada.",
        "1. Estou cansado. 2. Estou cansada.",
        "- Estou cansado.\n- Estou cansada.",
        "a) Estou cansado.",
        "* Estou cansado.",
        "Estou cansado.\nEstou cansada.\nEstou exausta.",
        "Estou cansado. (masculine)\nEstou cansada. (feminine)",
        "Estou cansada.\nEspero ter ajudado!",
        "```\nEstou cansada.\n```",
        "`Estou cansada.`",
        "**Estou cansada.**",
        "# Estou cansada.",
        "<think>The user wants Portuguese.</think>Estou cansada.",
        "<think>\nhm\n</think>\n\nEstou cansada.",
        "Estou cansado → Estou cansada",
        "Estou cansada, which would be said by a female speaker.",
        "Estou cansada." * 20,
    ],
)
def test_talk_is_never_data(said):
    reading = read(said)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.CHATTER), reading
    assert reading.detail


@check_each(
    ("target", "said"),
    [
        ("es", "Traducción: Estoy cansada."),
        ("ru", "Перевод: Я устала."),
        ("ru", "Конечно! Я устала."),
        ("ru", "Я устал (устала)."),
        ("ru", "Я устала, женская форма."),
        ("uk", "Переклад: Я втомилася."),
        ("be", "Пераклад: Я стамілася."),
        ("pl", "Oczywiście! Jestem zmęczona."),
        ("pl", "Tłumaczenie: Jestem zmęczona."),
        ("cs", "Překlad: Jsem unavená."),
        ("sk", "Preklad: Som unavená."),
        ("sl", "Prevod: Utrujena sem."),
        ("hr", "Prijevod: Umorna sam."),
        ("sr", "Превод: Уморна сам."),
        ("ca", "Traducció: Estic cansada."),
        ("de", "Übersetzung: Ich bin müde."),
        ("en", "Sure! Here is the translation: I am tired."),
    ],
)
def test_talk_in_other_languages_is_no_data_either(target, said):
    source, source_lang = ("Estou cansado.", "pt") if target == "en" else ("I am tired.", "en")
    reading = read(said, source, target, source_lang)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.CHATTER), reading


def test_an_announcement_is_found_where_the_question_has_a_colon_too():
    for said in ('Tradução: "Estou cansada", disse ela.', 'Note: "Estou cansada", disse ela.'):
        reading = read(said, '"I am tired," she said.')
        assert (reading.reason, reading.detail) == (
            Reason.CHATTER,
            "it is announced as a translation",
        )


def test_a_second_line_without_a_letter_is_no_alternative():
    reading = read("x77777\n777777")
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.POISONED)
    assert reading.items[0].text == "x77777\n777777"


def test_translations_of_real_systems_stay_data(reference_data):
    """Whatever is taken for talk in translations of known systems is a mistake of the rules."""
    read_, lost = 0, []
    for path in sorted(reference_data.glob("gest/translations/*/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in list(csv.DictReader(file))[::10]:
                reading = read(row["translation"], row["source"], path.stem)
                read_ += 1
                lost += [row] if reading.reason in (Reason.CHATTER, Reason.REFUSAL) else []
    assert read_ > 1000
    assert len(lost) / read_ < 0.001, lost


def test_talk_around_the_question_is_an_echo():
    reading = read('"I am tired." in Portuguese is "Estou cansada".')
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.ECHO)
    reading = read("Estou cansada.\nI am tired.")
    assert reading.outcome is Outcome.UNREADABLE


@check_each(
    "said",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "I am sorry, I cannot translate this.",
        "Sorry, but I can't do that.",
        "Sorry, I cannot translate this sentence.",
        "I cannot translate this.",
        "I can't help with that.",
        "I'm unable to translate this text.",
        "I am not able to help.",
        "I won't translate that.",
        "I apologize, but I must decline.",
        "Unfortunately, I cannot comply.",
        "As an AI language model, I have no feelings.",
        "As a language model I cannot be tired.",
        "\"I'm sorry, but I can't help with that.\"",
        'I can\'t translate "I am tired."',
        "Desculpe, mas não posso ajudar com isso.",
        "Sinto muito, não posso traduzir isso.",
        "Lo siento, pero no puedo ayudar con eso.",
        "Извините, но я не могу это перевести.",
    ],
)
def test_a_refusal_is_no_data(said):
    reading = read(said)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.REFUSAL), reading


def test_an_english_refusal_is_told_from_an_english_translation_by_the_question():
    assert read("I'm sorry, but I can't help with that.", "Sou médico.", "en", "pt").reason == (
        Reason.REFUSAL
    )


# --- what answered ------------------------------------------------------------------------------


@check_each(
    ("body", "found"),
    [
        (completion("x"), (("model_reported", "m-2026-01"), ("system_fingerprint", "fp_x"))),
        (completion("x") | {"system_fingerprint": None}, (("model_reported", "m-2026-01"),)),
        ({"model": "m\x00\ud800" + "x" * 300}, (("model_reported", "m" + "x" * 199),)),
        ({"model": {"name": "m"}, "system_fingerprint": " \n".strip()}, ()),
        ({"error": {"message": "words"}}, ()),
        ([], ()),
        (b"\xff", ()),
    ],
)
def test_an_answer_names_its_model(body, found):
    assert ENGINE.identity(answer(body)) == found


# --- anything at all ----------------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
frames = st.sampled_from(
    [
        lambda inner: inner,
        lambda inner: {"error": inner},
        lambda inner: {"error": {"code": inner, "innererror": inner, "message": inner}},
        lambda inner: {"choices": inner, "model": inner, "system_fingerprint": inner},
        lambda inner: {"choices": [inner]},
        lambda inner: {"choices": [{"message": inner, "finish_reason": "stop"}]},
        lambda inner: {"choices": [{"message": {"content": inner}, "finish_reason": inner}]},
        completion,
        lambda inner: completion("x", refusal=inner),
    ]
)


@settings(max_examples=300, deadline=None)
@given(frame=frames, inner=anything, status=st.sampled_from([200, 204, 302, 400, 404, 429, 500]))
def test_no_answer_makes_it_raise(frame, inner, status):
    given_answer = answer(frame(inner), status)
    judge_answer(given_answer, ENGINE.trouble(given_answer, settled()))
    for _, text in ENGINE.identity(given_answer):
        assert 0 < len(text) <= 200
        assert text.isprintable()
    for probes in ([TIRED], [TIRED] * 2):
        assert len(ENGINE.parse(given_answer, probes)) == len(probes)


pieces = st.sampled_from(
    "Sure Estou cansada cansado / ( ) . ! ? : \n \n\n 1. - * ` \" “ ” « » ' or I'm sorry can't "
    "nota <think> ** [ ] the translation ß İ \u0301".split(" ")
)


@settings(max_examples=300, deadline=None)
@given(said=st.lists(pieces, max_size=12).map(" ".join), target=st.sampled_from(["pt", "en", "ru"]))
def test_whatever_a_model_says_is_read_and_never_changed(said, target):
    reading = read(said, target=target, source_lang="es")
    for item in reading.items:
        assert item.text in said or reading.outcome is not Outcome.OK
        assert item.text.strip()


# --- over the wire ------------------------------------------------------------------------------


def asked(running, way=None, **changes):
    """What comes of one question: (answer as judged, its reading)."""
    config = settled(base_url=f"{running.url}/v1", **changes)
    assert ENGINE.check("en", "pt", config) == ""
    [(_, raw)] = HttpFetcher(way or Way(seconds=5)).fetch(iter([ENGINE.request([TIRED], config)]))
    complete = raw.status is not None and raw.outcome is Outcome.OK
    found = judge_answer(raw, ENGINE.trouble(raw, config) if complete else None)
    return found, ENGINE.parse(found, [TIRED])[0]


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def service(**settings_):
    return Chat(key=KEY, translations={"I am tired.": "Estou cansada."}, **settings_)


@check_each(
    ("mode", "outcome", "reason"),
    [
        ("clean", Outcome.OK, ""),
        ("quotes", Outcome.OK, ""),
        ("chatter", Outcome.UNREADABLE, "chatter"),
        ("refusal", Outcome.UNREADABLE, "refusal"),
        ("length", Outcome.UNREADABLE, "truncated"),
        ("content_filter", Outcome.UNREADABLE, "refusal"),
        ("no_content", Outcome.UNREADABLE, "malformed"),
        ("empty_choices", Outcome.UNREADABLE, "malformed"),
    ],
)
def test_what_a_server_says(key, mode, outcome, reason):
    with serve(service(mode=mode)) as running:
        found, reading = asked(running)
    assert found.status == 200
    assert (reading.outcome, reading.reason) == (outcome, reason)
    if outcome is Outcome.OK:
        assert [item.text for item in reading.items] == ["Estou cansada."]
        assert ENGINE.identity(found)[0] == ("model_reported", "m-2026-01")


@check_each(
    ("fault", "outcome", "reason"),
    [
        (Chat.quota(), Outcome.THROTTLED, Reason.QUOTA),
        (Chat.rate_limited(retry_after=7), Outcome.THROTTLED, Reason.RATE),
        (Chat.auth_error(), Outcome.FAILED, Reason.AUTH),
        (Chat.forbidden(), Outcome.FAILED, Reason.AUTH),
        (Chat.unknown_model(), Outcome.FAILED, Reason.AUTH),
        (Chat.unavailable(), Outcome.FAILED, Reason.NONE),
        (faults.malformed(), Outcome.UNREADABLE, Reason.MALFORMED),
        (faults.empty(), Outcome.UNREADABLE, Reason.MALFORMED),
        (faults.html_block(), Outcome.UNREADABLE, Reason.MALFORMED),
        (faults.truncated(), Outcome.FAILED, Reason.TRUNCATED),
        (faults.slow_drip(), Outcome.TIMEOUT, Reason.NONE),
        (faults.silence(), Outcome.TIMEOUT, Reason.NONE),
        (faults.huge(), Outcome.UNREADABLE, Reason.OVERSIZE),
        (faults.redirect("https://example.org"), Outcome.FAILED, Reason.REFUSED),
    ],
)
def test_what_becomes_of_a_fault(key, fault, outcome, reason):
    with serve(service(script=[fault])) as running:
        found, _ = asked(running, Way(seconds=0.5, most_bytes=100_000))
    assert (found.outcome, found.reason) == (outcome, reason)
    assert KEY not in repr(found)


def test_a_server_without_a_key_is_sent_none(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = Chat(key=None, translations={"I am tired.": "Estou cansada."})
    with serve(app) as running:
        _, reading = asked(running, keyless=True)
        assert "authorization" not in running.requests[0].headers
    assert reading.outcome is Outcome.OK


def test_a_missing_key_is_said_and_nothing_is_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serve(service()) as running:
        found, _ = asked(running)
        assert running.requests == []
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.AUTH)
    assert "OPENAI_API_KEY" in found.detail


def test_the_fault_of_a_missing_model_is_one_that_a_person_mends():
    status, body = error(404, "model_not_found", "The model `m` does not exist")
    trouble = ENGINE.trouble(answer(body, status), settled())
    assert trouble.fault is Fault.AUTH
    assert "does not exist" in trouble.words


@check_each("name", [*services.REQUIRED, "chatter", "refusal"])
def test_a_recorded_answer_is_read_as_expected(name):
    services.assert_recording(ENGINE, name)
