"""`monitor engines list` and `monitor engines test`: what a person reads before writing a job."""

import json
import os
from unittest.mock import patch

import pytest

from monitor import registry, settings
from tests.command import program
from tests.standins import faults, serve
from tests.standins.deepl import DeepL
from tests.standins.libretranslate import LibreTranslate

KEY = "deepl-key-0123456789"


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs `monitor engines` with no variables but those that are given."""
    with program(tmp_path, monkeypatch, capsys) as command:

        def run(*arguments, **environment):
            known = {"PATH": os.environ["PATH"], "MONITOR_CONTACT": "a@uni.ac.at"}
            with patch.dict(os.environ, known | environment, clear=True):
                settings.load.cache_clear()
                return command("engines", *arguments)

        yield run


def test_every_engine_is_listed_with_what_it_needs(monitor):
    code, out, _ = monitor("list", OPENAI_API_KEY="x" * 20)
    assert code == 0
    words = " ".join(out.split())
    for name, engine in registry.discover("engines").items():
        assert f"{name}: {engine.title}" in words
    assert "DEEPL_AUTH_KEY (not set)" in out
    assert "OPENAI_API_KEY (not set)" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_one_engine_is_told_in_full(monitor):
    code, out, _ = monitor("list", "amazon_translate")
    assert code == 0
    for words in ("region", "required", "formality", "price", "texts per request"):
        assert words in out
    _, out, _ = monitor("list", "chat", "--json")
    told = json.loads(out)
    assert told["repeats"] == 5
    assert {"name": "model", "required": True}.items() <= next(
        p for p in told["parameters"] if p["name"] == "model"
    ).items()
    _, out, _ = monitor("list", "--json")
    assert set(json.loads(out)) == set(registry.discover("engines"))


def test_an_engine_that_is_not_there(monitor):
    code, _, err = monitor("list", "babelfish")
    assert code == 2
    assert "unknown engine 'babelfish'; known: " in err


def test_one_polite_question(monitor):
    app = LibreTranslate(translations={"I am very tired today.": "Estoy muy cansada hoy."})
    with serve(app) as running:
        config = ("--config", f"base_url={running.url}")
        code, out, err = monitor("test", "libretranslate", *config)
        assert code == 0
        assert "1. Estoy muy cansada hoy." in out
        assert "libretranslate: 1 of 1 understood; reached, answered, read, understood" in out
        assert err == ""
        assert len(running.requests) == 1
        assert "a@uni.ac.at" in running.requests[0].headers["user-agent"]
        _, out, _ = monitor("test", "libretranslate", *config, "--json")
        assert json.loads(out)["texts"] == ["Estoy muy cansada hoy."]


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        (DeepL.quota(), 5, "throttled, quota, HTTP 456: Quota for this billing period"),
        (DeepL.auth_error(), 5, "mend the key, the account"),
        (faults.status(503, {"message": "down"}), 5, "try again later"),
        (faults.malformed(), 5, "unreadable, malformed"),
    ],
)
def test_no_answer_is_said_plainly_with_the_service_s_own_words(monitor, fault, code, words):
    with serve(DeepL(key=KEY, always=fault)) as running:
        config = ("--target", "pt-BR", "--config", f"base_url={running.url}")
        got, out, err = monitor("test", "deepl", *config, DEEPL_AUTH_KEY=KEY)
    assert got == code
    assert words in err
    assert KEY not in out + err
    assert "Traceback" not in err


def test_where_nobody_can_be_reached_nobody_is_said_to_have_answered(monitor):
    code, out, err = monitor("test", "libretranslate", "--config", "base_url=http://127.0.0.1:9")
    assert code == 5
    assert "failed, unreachable" in err
    assert "libretranslate: 0 of 1 understood; not reached" in out


def test_an_answer_that_lacks_a_needed_part_is_not_understood(monitor):
    answers = LibreTranslate(always=faults.status(200, {"translated": "Estoy cansada."}))
    with serve(answers) as running:
        config = ("--config", f"base_url={running.url}")
        code, out, _ = monitor("test", "libretranslate", *config)
    assert code == 5
    assert "missing parts: " in out
    assert "translatedText" in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("deepl", "--target", "pt-BR"), 3, "DEEPL_AUTH_KEY is not set"),
        (("deepl", "--target", "pt"), 2, "pt-BR"),
        (("deepl", "--target", "pt-BR", "--config", "formality"), 2, "write it as key=value"),
        (("deepl", "--target", "pt-BR", "--config", "colour=red"), 2, "unknown key 'colour'"),
        (("libretranslate",), 2, "config needs 'base_url'"),
        (("libretranslate", "--config", "alternatives=many"), 2, "alternatives"),
        (("recorded",), 2, "nobody to ask"),
        (("firefox_translations", "--target", "cs"), 3, "monitor models fetch firefox en-cs"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(monitor, arguments, code, words):
    got, _, err = monitor("test", *arguments)
    assert got == code
    assert words in err
    assert "Traceback" not in err


def test_without_a_contact_no_service_of_others_is_asked(monitor):
    config = ("--config", "base_url=http://translate.invalid")
    code, _, err = monitor("test", "libretranslate", *config, MONITOR_CONTACT="")
    assert code == 2
    assert "MONITOR_CONTACT" in err


def test_a_server_of_ones_own_needs_no_contact(monitor):
    with serve(LibreTranslate()) as running:
        config = ("--config", f"base_url={running.url}")
        code, _, err = monitor("test", "libretranslate", *config, MONITOR_CONTACT="")
        assert (code, len(running.requests)) == (0, 1), err


def test_a_local_engine_needs_no_contact(monitor):
    code, out, _ = monitor("test", "firefox_translations", "--target", "pt", MONITOR_CONTACT="")
    assert code == 0
    assert "cansad" in out
