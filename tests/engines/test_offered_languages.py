"""Which languages a translator offers: the request, its answer, and what a job is told."""

import pytest

from monitor import parameters, registry
from monitor.work.outside import is_offered
from tests import apertium as real
from tests.cases import check_each
from tests.command import program
from tests.engines.services import said

BASE = {"base_url": "http://127.0.0.1:9"}
#: {engine: (config, method, end of the address, an answer as documented, targets from English)}
SERVICES = {
    "deepl": (
        {},
        ("GET", "/v3/languages?resource=translate_text"),
        [
            {"lang": "pt-BR", "name": "Portuguese", "usable_as_target": True},
            {"lang": "pt", "name": "Portuguese", "usable_as_target": False},
        ],
        {"pt-BR"},
    ),
    "google_translate": (
        {},
        ("GET", "/language/translate/v2/languages"),
        {"data": {"languages": [{"language": "be"}, {"language": "zh-CN"}]}},
        {"be", "zh-CN"},
    ),
    "azure_translator": (
        {"api_version": "3.0"},
        ("GET", "/languages?api-version=3.0&scope=translation"),
        {"translation": {"pl": {"name": "Polish"}, "sr-Latn": {"name": "Serbian"}}},
        {"pl", "sr-Latn"},
    ),
    "amazon_translate": (
        {"region": "eu-west-1"},
        ("POST", "https://translate.eu-west-1.amazonaws.com/"),
        {"Languages": [{"LanguageCode": "auto"}, {"LanguageCode": "sk"}]},
        {"sk"},
    ),
    "libretranslate": (
        BASE,
        ("GET", "/languages"),
        [{"code": "de", "targets": ["en"]}, {"code": "en", "targets": ["de", "es"]}],
        {"de", "es"},
    ),
    "apertium": (
        BASE,
        ("GET", "/listPairs"),
        {
            "responseData": [
                {"sourceLanguage": "eng", "targetLanguage": "spa"},
                {"sourceLanguage": "eng", "targetLanguage": "cat_valencia"},
                {"sourceLanguage": "spa", "targetLanguage": "por"},
            ]
        },
        {"es", "ca-valencia"},
    ),
}


def settled(name, config):
    return parameters.fill_defaults(registry.engine(name).parameters, config)


@check_each("name", list(SERVICES))
def test_the_list_is_asked_and_read_as_documented(name):
    config, (method, end), content, targets = SERVICES[name]
    engine = registry.engine(name)
    request = engine.languages_request(settled(name, config))
    assert (request.method, request.url.endswith(end)) == (method, True), request.url
    assert engine.offered_targets(said(200, content), "en") == targets


def test_google_v3_lists_its_targets():
    engine = registry.engine("google_translate")
    request = engine.languages_request(settled("google_translate", {"api": "v3", "project": "p"}))
    assert request.url.endswith("/v3/projects/p/locations/global/supportedLanguages")
    assert request.signer == "google_oauth:p"
    rows = [{"languageCode": "hr", "supportTarget": True}, {"languageCode": "xx"}]
    assert engine.offered_targets(said(200, {"languages": rows}), "en") == {"hr"}


@check_each("name", list(SERVICES))
def test_another_shape_is_said(name):
    engine = registry.engine(name)
    for content in (b"<html>", b"", {}, [], {"data": 3}, {"languages": [1, None]}, [[["a"]]] * 3):
        with pytest.raises(ValueError, match=r"\S"):
            engine.offered_targets(said(200, content), "en")


@check_each("name", sorted({"chat", "fast_translate", "firefox_translations", "recorded"}))
def test_others_list_none(name):
    assert registry.engine(name).languages_request({}) is None


def test_a_variety_offers_its_language():
    assert is_offered("pt", {"pt-BR"})
    assert is_offered("PT-br", {"pt-BR"})
    assert not is_offered("be", {"pt-BR", "bg"})


JOB = """
name = "pairs"
description = "Two languages, one of which no pair translates into"
[schedule]
cron = "0 5 * * mon"
[[lists]]
name = "stereotypes@1"
[[engines]]
name = "apertium"
targets = ["es", "cs"]
config = {{ base_url = "{url}" }}
[[measures]]
name = "masculine_rate"
"""


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_CONTACT", "audit@uni-trier.de")
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def test_a_real_server_is_asked_before_a_job_is_planned(shell, tmp_path):
    real.require()
    (tmp_path / "jobs").mkdir(exist_ok=True)
    with real.serve() as url:
        (tmp_path / "jobs" / "pairs.toml").write_text(JOB.format(url=url))
        code, out, _ = shell("engines", "languages", "apertium", "--config", f"base_url={url}")
        assert code == 0
        assert "    es  Spanish" in out.splitlines()
        code, out, err = shell("check", "--ask", "jobs/pairs.toml")
        assert code == 0, err
        assert "✗ not ready to run" in out
        assert "apertium does not offer cs (from en); of the languages that can be read it" in err
    code, out, err = shell("engines", "languages", "apertium", "--config", f"base_url={url}")
    assert code == 5
    assert "apertium does not say which languages it offers: " in err


def test_an_engine_without_a_list_names_the_other_way(shell):
    code, _, err = shell("engines", "languages", "firefox_translations")
    assert code == 2
    assert "`monitor engines test firefox_translations --target CODE`" in err
