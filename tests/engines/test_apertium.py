"""Apertium: exact requests, documented errors, its artefacts, and the real server."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.mt.apertium import ENGINE, code_of, strip_blanks
from monitor.faults import Then, find_consequence
from monitor.fetch.http import Way
from monitor.model import HttpRequest, Outcome, Probe, Reason
from tests import apertium as real
from tests.cases import check_each
from tests.engines import services
from tests.engines.services import asked, judge, said
from tests.standins.apertium import Apertium

PAIR = ("en", "es")
TIRED = ("I am tired.",)
BASE = {"base_url": "http://127.0.0.1:2737"}


@pytest.fixture(scope="session")
def apertium():
    """Address of a real server, the same for the whole session."""
    real.require()
    with real.serve() as url:
        yield url


def success(text, status=200):
    return {
        "responseData": {"translatedText": text},
        "responseDetails": None,
        "responseStatus": status,
    }


def error(code, explanation, message="Bad Request"):
    return {"status": "error", "code": code, "message": message, "explanation": explanation}


def read(text, source="I am tired."):
    [reading] = ENGINE.parse(said(200, success(text)), [Probe(source, *PAIR)])
    return reading


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, PAIR, ("I'm 5 & <b>tired</b>.",), base_url="http://h:2737/apy/") == (
        HttpRequest(
            "POST",
            "http://h:2737/apy/translate",
            (("Content-Type", "application/x-www-form-urlencoded"),),
            b"langpair=eng%7Cspa&q=I%27m+5+%26+%3Cb%3Etired%3C%2Fb%3E.&markUnknown=no&format=txt",
        )
    )


@check_each(
    ("tag", "code"),
    [
        ("en", "eng"),
        ("EN", "eng"),
        ("es", "spa"),
        ("ca", "cat"),
        ("pt", "por"),
        ("pt-BR", "por_BR"),
        ("pt-br", "por_BR"),
        ("ca-valencia", "cat_valencia"),
        ("hr", "hbs_HR"),
        ("ast", "ast"),
        ("spa", "spa"),
        ("xx", ""),
        ("xx-YY", ""),
        ("", ""),
    ],
)
def test_a_language_has_apertiums_own_code(tag, code):
    assert code_of(tag) == code


@check_each(
    ("pair", "config", "words"),
    [
        (PAIR, {}, ""),
        (("eng", "spa"), {}, ""),
        (("en", "xx"), {}, "Apertium has no language 'xx'"),
        (("yy", "es"), {}, "Apertium has no language 'yy'"),
        (("en", "en"), {}, "cannot translate"),
        (("en", "eng"), {}, "cannot translate 'en' into 'eng'"),
        (PAIR, {"base_url": "apertium.org"}, "must begin with https://"),
        (PAIR, {"base_url": "http://example.org"}, ""),
        (PAIR, {"key": "K"}, "unknown key 'key'"),
    ],
)
def test_a_config_is_checked(pair, config, words):
    found = ENGINE.check(*pair, BASE | config)
    assert words in found
    assert bool(found) == bool(words)


def test_an_address_is_needed():
    assert "config needs 'base_url'" in ENGINE.check(*PAIR, {})


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("status", "content", "outcome", "reason", "then"),
    [
        (400, error(400, "That pair is not installed"), Outcome.FAILED, Reason.UNSUPPORTED,
         Then.STOP_TARGET),
        (400, error(400, "That pair is invalid, use e.g. eng|spa"), Outcome.FAILED,
         Reason.UNSUPPORTED, Then.STOP_TARGET),
        (400, error(400, "Missing argument q"), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (503, error(503, "internal error"), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (404, b"<html>404: Not Found</html>", Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (200, success("Estoy cansado.", 503), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (200, success("Estoy cansado.", 429), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (200, {"responseData": None, "responseDetails": "That pair is gone",
               "responseStatus": 400}, Outcome.FAILED, Reason.UNSUPPORTED, Then.STOP_TARGET),
        (200, success(None), Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
        (200, b"<html>", Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
        (200, [], Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
    ],
)  # fmt: skip
def test_each_error_has_its_outcome(status, content, outcome, reason, then):
    found = judge(ENGINE, said(status, content), **BASE)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert found.detail
    if isinstance(content, dict) and "explanation" in content:
        assert found.detail == f"HTTP {status}: {content['explanation']}"


@check_each("status", [200, True, "503", None, 10**30])
def test_a_success_is_no_trouble(status):
    found = judge(ENGINE, said(200, success("Estoy cansado.", status)), **BASE)
    assert (found.outcome is Outcome.OK) == (status != 10**30)


# --- reading ------------------------------------------------------------------------------------


@check_each(
    ("text", "read_as"),
    [
        (" Estoy cansado .", "Estoy cansado."),
        ("Sóc  cansat , i tu ?", "Sóc cansat, i tu ?"),
        ("Pesa .5 kilos .", "Pesa .5 kilos."),
        ("Una.\nDos.", "Una.\nDos."),
        (" ", ""),
    ],
)
def test_stray_blanks_are_taken_out(text, read_as):
    assert strip_blanks(text) == read_as


@check_each(
    ("text", "source", "outcome", "reason"),
    [
        (" Estoy cansado.", "I am tired.", Outcome.OK, ""),
        ("Soy un *blorptician.", "I am a blorptician.", Outcome.OK, ""),
        ("@be cansado.", "I am tired.", Outcome.UNREADABLE, "malformed"),
        ("Yo #cansar.", "I am tired.", Outcome.UNREADABLE, "malformed"),
        ("Soy @ana en casa.", "I am @ana at home.", Outcome.OK, ""),
        ("Estoy cansad@.", "I am tired.", Outcome.OK, ""),
        ("Soy el #1.", "I am number one.", Outcome.OK, ""),
        ("", "I am tired.", Outcome.EMPTY, ""),
        (" \n", "I am tired.", Outcome.EMPTY, ""),
        ("I am tired .", "I am tired.", Outcome.UNREADABLE, "echo"),
        ("...", "I am tired.", Outcome.UNREADABLE, "poisoned"),
    ],
)
def test_a_translation_is_data_or_says_why_not(text, source, outcome, reason):
    reading = read(text, source)
    assert (reading.outcome, reading.reason) == (outcome, reason)


def test_two_questions_have_no_one_answer():
    readings = ENGINE.parse(said(200, success("Hola.")), services.probes(PAIR))
    assert [one.reason for one in readings] == [Reason.SHORT] * 2


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(inner=anything, status=st.sampled_from([200, 302, 400, 503]), frame=st.integers(0, 3))
def test_no_answer_makes_it_raise(inner, status, frame):
    content = (inner, success(inner), success("x", inner), error(inner, inner))[frame]
    answer = judge(ENGINE, said(status, content), **BASE)
    assert len(ENGINE.parse(answer, services.probes(PAIR, TIRED))) == 1


# --- over the wire ------------------------------------------------------------------------------


def ask(stand_in, way=None):
    answer, requests = services.ask(ENGINE, stand_in, PAIR, TIRED, way)
    return answer, ENGINE.parse(answer, services.probes(PAIR, TIRED))[0], requests


def test_a_success_over_the_wire():
    answer, reading, [request] = ask(Apertium(translations={TIRED[0]: "Estoy cansado."}))
    assert (answer.outcome, answer.status) == (Outcome.OK, 200)
    assert [item.text for item in reading.items] == ["Estoy cansado."]
    assert b'" Estoy cansado."' in answer.body
    assert dict(parse_qsl(request.body.decode())) == {
        "langpair": "eng|spa", "q": "I am tired.", "markUnknown": "no", "format": "txt",
    }  # fmt: skip


@check_each(("fault", "way", "outcome", "reason"), services.ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, _, _ = ask(Apertium(script=[fault()]), way)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(Apertium.bad_pair(), Reason.UNSUPPORTED), (Apertium.internal_error(), Reason.NONE)],
)
def test_its_own_errors_over_the_wire(fault, reason):
    answer, _, _ = ask(Apertium(script=[fault]))
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, reason)


# --- recorded from the real server, and the real server -----------------------------------------


@pytest.mark.parametrize("name", ["ok", "unavailable", "poisoned"])
def test_a_recorded_answer_is_read_as_expected(name):
    services.assert_recording(ENGINE, name)


def ask_real(server, pair, text):
    config = {"base_url": server}
    assert ENGINE.check(*pair, config) == ""
    [(_, raw)] = services.HttpFetcher(Way(seconds=15)).fetch(
        [asked(ENGINE, pair, (text,), **config)]
    )
    answer = judge(ENGINE, raw, **config)
    return answer, ENGINE.parse(answer, services.probes(pair, (text,)))[0]


@pytest.mark.parametrize(
    ("target", "text", "translation"),
    [
        ("es", "I am tired.", "Estoy cansado."),
        ("es", "I am a nurse & a doctor.", "Soy un enfermero & un doctor."),
        ("es", "I am <b>tired</b>.", "Soy <b>cansado</b>."),
        ("es", "I am a blorptician.", "Soy un blorptician."),
        ("ca", "I am a nurse.", "Sóc una infermera."),
        ("ca", '"I am tired," she said.', '"Sóc cansat," va dir.'),
        ("ca-valencia", "I am tired.", "Sóc cansat."),
    ],
)
def test_the_real_server_translates(apertium, target, text, translation):
    answer, reading = ask_real(apertium, ("en", target), text)
    assert (answer.outcome, answer.status) == (Outcome.OK, 200), answer
    assert (reading.outcome, [item.text for item in reading.items]) == (Outcome.OK, [translation])


def test_the_real_server_repeats_itself(apertium):
    bodies = {ask_real(apertium, PAIR, "I am a nurse.")[0].body for _ in range(3)}
    assert len(bodies) == 1


@pytest.mark.parametrize("target", ["pt", "pt-BR", "xyz"])
def test_the_real_server_says_which_pairs_it_lacks(apertium, target):
    answer, _ = ask_real(apertium, ("en", target), "I am tired.")
    assert (answer.status, answer.outcome, answer.reason) == (
        400,
        Outcome.FAILED,
        Reason.UNSUPPORTED,
    )
    assert answer.detail == "HTTP 400: That pair is not installed"


def test_where_it_is_missing_is_said_with_its_remedy(monkeypatch):
    monkeypatch.setattr(real.shutil, "which", lambda _: None)
    assert "apt-get install apertium-apy" in real.available()
    for name in real.REQUIRED_BY:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(pytest.skip.Exception, match="apertium-apy not installed"):
        real.require()
    monkeypatch.setenv("MONITOR_REQUIRE_APERTIUM", "1")
    with pytest.raises(pytest.fail.Exception, match="apertium-apy not installed"):
        real.require()
