"""One job file, many systems, the same questions: what a weekly comparison is, end to end.

The services are loopback stand-ins; the local control is Firefox's real translator.
"""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import RunState
from tests.factories import make_job, make_list, mini_items, rows, run_audit
from tests.standins import serve
from tests.standins.amazon import Amazon
from tests.standins.azure import Azure
from tests.standins.chat import Chat
from tests.standins.deepl import DeepL
from tests.standins.google import GoogleV2
from tests.standins.libretranslate import LibreTranslate

ITEMS = mini_items(1)
MASCULINE = {item["text"]: "Estou cansado." for item in ITEMS}
FEMININE = {item["text"]: "Estou cansada." for item in ITEMS}
KEYS = {
    "DEEPL_AUTH_KEY": "deepl-key-0123456789",
    "GOOGLE_API_KEY": "google-key-0123456789",
    "AWS_ACCESS_KEY_ID": "AKID0123456789",
    "AWS_SECRET_ACCESS_KEY": "amazon-secret-0123456789",
    "AZURE_TEXT_TRANSLATION_APIKEY": "azure-key-0123456789",
    "OPENAI_API_KEY": "openai-key-0123456789",
}


@pytest.fixture
def services(monkeypatch):
    """{engine: base address} of six services that translate, and their stand-ins."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    apps = {
        "deepl": DeepL(key=KEYS["DEEPL_AUTH_KEY"], translations=FEMININE),
        "google_translate": GoogleV2(key=KEYS["GOOGLE_API_KEY"], translations=MASCULINE),
        "amazon_translate": Amazon(
            key=KEYS["AWS_ACCESS_KEY_ID"],
            secret=KEYS["AWS_SECRET_ACCESS_KEY"],
            translations=MASCULINE,
        ),
        "azure_translator": Azure(key=KEYS["AZURE_TEXT_TRANSLATION_APIKEY"], translations=FEMININE),
        "libretranslate": LibreTranslate(
            translations=MASCULINE,
            alternatives={item["text"]: ["Estou cansada."] for item in ITEMS},
        ),
        "chat": Chat(key=KEYS["OPENAI_API_KEY"], translations=FEMININE, reported_model="m-2026-11"),
    }
    with ExitStack() as stack:
        running = {name: stack.enter_context(serve(app)) for name, app in apps.items()}
        yield running


def engines(services):
    """The tables of a job that asks all of them, two in two configurations."""

    def use(name, target="pt", **config):
        base = services[name].url + ("/v1" if name == "chat" else "")
        return {"name": name, "targets": [target], "pace": 1000.0, "in_flight": 4,
                "config": {"base_url": base} | config}  # fmt: skip

    llm = {"deployment": "gpt-5.1"}
    return [
        {"name": "firefox_translations", "targets": ["pt"], "control": True},
        use("deepl", "pt-BR"),
        use("google_translate"),
        use("amazon_translate", region="eu-west-1"),
        use("azure_translator", **llm, gender="male"),
        use("azure_translator", **llm, gender="female"),
        use("libretranslate", alternatives=1),
        use("chat", model="m"),
    ]


@pytest.fixture
def outside(tmp_path):
    fetcher = Outside(tmp_path / "models", 1, Way(contact="audit@uni.ac.at", seconds=20))
    yield fetcher
    fetcher.close()


def test_many_systems_answer_the_same_questions(database, services, outside, tmp_path):
    make_list(tmp_path, items=ITEMS)
    audit = load_audit(make_job(tmp_path, engines=engines(services)))
    summary = run_audit(database, audit, outside)
    assert (summary.state, summary.stopped) == (RunState.DONE, ())
    assert summary.planned == summary.answered == 16 * (7 + 5)  # chat is asked five times
    coverage = {row["engine"]: row for row in rows(database, "SELECT * FROM coverage")}
    assert {name: (row["planned"], row["masculine"], row["feminine"], row["both_forms"])
            for name, row in coverage.items() if name != "firefox_translations"} == {
        label("deepl", services): (16, 0, 16, 0),
        label("google_translate", services): (16, 16, 0, 0),
        label("amazon_translate", services, "region=eu-west-1"): (16, 16, 0, 0),
        label("azure_translator", services, "deployment=gpt-5.1,gender=male"): (16, 0, 16, 0),
        label("azure_translator", services, "deployment=gpt-5.1,gender=female"): (16, 0, 16, 0),
        label("libretranslate", services, "alternatives=1", before=True): (16, 0, 0, 16),
        label("chat:m", services): (80, 0, 80, 0),
    }  # fmt: skip
    evidence_is_complete_and_holds_no_key(database, tmp_path)
    controlled(database)
    the_model_that_answered_is_known(database)


def label(name, services, rest="", *, before=False):
    """What reports call it: the address is part of it, because it is not the service's own."""
    running = services[name.split(":")[0]]
    base = running.url + ("/v1" if name.startswith("chat") else "")
    parts = [f"base_url={base}"]
    parts = [rest, *parts] if rest and before else [*parts, *([rest] if rest else [])]
    return f"{name}({','.join(parts)})"


def evidence_is_complete_and_holds_no_key(database, folder):
    exchanges = rows(database, "SELECT * FROM exchanges WHERE status IS NOT NULL")
    assert len(exchanges) == 1 + 16 * 5 + 80  # DeepL takes all sixteen in one request
    assert {row["egress"] for row in exchanges} == {"direct"}
    everything = json.dumps([str(row) for row in exchanges])
    if database.keeps_files:
        everything += Path(database.writer.url.database).read_bytes().decode("latin-1")
    for name, value in KEYS.items():
        if name != "AWS_ACCESS_KEY_ID":  # Amazon's signature names it, and it is no secret
            assert value not in everything, name


def controlled(database):
    flags = rows(database, "SELECT flags FROM points_current")
    assert not any("no_control" in str(row["flags"]) for row in flags)


def the_model_that_answered_is_known(database):
    agents = [str(row["identity"]) for row in rows(database, "SELECT identity FROM agents")]
    assert any("m-2026-11" in agent and "fp_x" in agent for agent in agents)


def test_without_a_control_the_values_of_services_say_so(
    sqlite_database, services, outside, tmp_path
):
    make_list(tmp_path, items=ITEMS)
    audit = load_audit(make_job(tmp_path, engines=[engines(services)[2]]))
    run_audit(sqlite_database, audit, outside)
    flags = rows(sqlite_database, "SELECT flags FROM points_current")
    assert flags
    assert all("no_control" in str(row["flags"]) for row in flags)
