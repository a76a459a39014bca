"""Recordings of live tests: every engine is recorded and replayed, and nothing personal leaves."""

import hashlib
import io
import json
import os
import zipfile
from dataclasses import replace
from unittest.mock import patch

import pytest

from monitor import registry, settings
from monitor.model import InvalidInput, StoreProblem
from monitor.stages.collect.recordings import read_recording, replay_recording, write_recording
from tests import answer_shapes, live
from tests.cases import check_each
from tests.command import program
from tests.standins import serve
from tests.standins.deepl import DeepL
from tests.standins.libretranslate import LibreTranslate
from tests.store.test_live_answers import answered

ENGINES = registry.discover("engines")
KEY = "deepl-key-0123456789"


def renamed(body):
    """The answer of a service that has renamed its keys, or a page without its markup.

    A list has no keys: it stands within an object then.
    """

    def walk(value):
        if isinstance(value, dict):
            return {f"{key}_v2": walk(inner) for key, inner in value.items()}
        return [walk(inner) for inner in value] if isinstance(value, list) else value

    try:
        answer = walk(json.loads(body))
    except ValueError:
        return b"<html><body><main>a new page</main></body></html>"
    return json.dumps({"answer_v2": answer} if isinstance(answer, list) else answer).encode()


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_every_engine_is_recorded_replayed_and_a_new_shape_is_told(engine, tmp_path):
    live.record(engine, tmp_path / "a.zip")
    [replay] = replay_recording(read_recording(tmp_path / "a.zip"))
    assert replay.is_same
    assert replay.verdict.understood, replay.verdict.summary
    assert replay.verdict.difference.missing == ()
    live.record(engine, tmp_path / "b.zip", renamed)
    [changed] = replay_recording(read_recording(tmp_path / "b.zip"))
    assert changed.verdict.reached
    assert not changed.verdict.understood
    assert "not read" in changed.verdict.summary
    for path in tmp_path.glob("*.zip"):
        assert live.KEY.encode() not in b"".join(read_recording(path).bodies.values())


@check_each("path", live.BUNDLES)
def test_a_recording_in_the_folder_is_read_as_it_was(path):
    for replay in replay_recording(read_recording(path)):
        assert replay.is_same
        assert replay.verdict.understood, replay.verdict.summary


def test_every_engine_has_a_recording():
    assert {path.stem for path in live.BUNDLES} >= set(ENGINES), "run: python -m tests.live"


def test_the_shapes_are_those_of_the_recorded_answers():
    assert answer_shapes.FILE.read_text("utf-8") == answer_shapes.written(), (
        "run: python -m tests.answer_shapes"
    )


def test_what_is_personal_in_an_answer_is_removed_and_listed(tmp_path):
    engine = ENGINES["libretranslate"]
    answer, probes = live.usable_answer(engine)
    personal = {
        "user": {"name": "Ada Lovelace", "email": "ada@uni.example"}, "ip": "203.0.113.77",
        "lat": 48.2081, "api_key": "9f8e7d6c5b4a3f2e",
    }  # fmt: skip
    body = json.dumps({**json.loads(answer.body), **personal}).encode()
    headers = (("content-type", "application/json"), ("x-account", "ada-lovelace-7"))
    exchange = live.ask(engine, replace(answer, body=body, headers=headers), probes)
    exchange = replace(
        exchange, config={**exchange.config, "base_url": "http://mt.lovelace-lab.example:5000"}
    )
    removals = write_recording(tmp_path / "a.zip", [exchange], {})
    recording = read_recording(tmp_path / "a.zip")
    content = b"".join(recording.bodies.values()).decode().lower()
    for value in ("lovelace", "ada@", "203.0.113", "48.2081", "9f8e7d6c", "lovelace-lab"):
        assert value not in content
    listed = [
        (entry.kind, entry.rule, entry.place, entry.count) for entry in recording.manifest.removed
    ]
    assert listed == [(str(r.kind), r.rule, r.place, r.count) for r in removals]
    assert {"account name", "e-mail address", "network address", "coordinates", "secret"} <= {
        entry.kind for entry in recording.manifest.removed
    }


# --- files that are none --------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    live.record(ENGINES["libretranslate"], tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def pack(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(zipfile.ZipInfo(name), content)
    return path


def newer(files):
    manifest = json.loads(files["manifest.json"]) | {"format": 99, "monitor": "9.0"}
    content = json.dumps(manifest).encode()
    sums = files["SHA256SUMS"].decode().splitlines()
    sums = [line for line in sums if not line.endswith("manifest.json")]
    sums.append(f"{hashlib.sha256(content).hexdigest()}  manifest.json")
    return files | {"manifest.json": content, "SHA256SUMS": "\n".join(sums).encode()}


@check_each(
    ("change", "fault", "words"),
    [
        (newer, InvalidInput, "format 99 by monitor 9.0; this one reads format 1: upgrade it"),
        (lambda f: f | {"../evil": b"x"}, InvalidInput, "is none of a recording; nothing was read"),
        (lambda f: f | {"answers/../../evil": b"x"}, InvalidInput, "is none of a recording"),
        (lambda f: f | {"answers/0001.body": b"{}"}, StoreProblem, "another than its digest says"),
        (lambda f: f | {"answers/0002.body": bytes(2**25 + 1)}, InvalidInput, "unpacks to more"),
        (lambda f: {"manifest.json": f["manifest.json"]}, InvalidInput, "has no SHA256SUMS"),
        (lambda _: {"SHA256SUMS": b""}, InvalidInput, "has no manifest.json"),
        (lambda f: f | {"manifest.json": b"{"}, InvalidInput, "is no JSON"),
        (lambda f: f | {"manifest.json": b"[]"}, InvalidInput, "manifest.json"),
        (lambda f: f | {"manifest.json": b'{"format": 1}'}, InvalidInput, "Field required"),
        (lambda f: {k: v for k, v in f.items() if "body" not in k}, StoreProblem, "is missing"),
    ],
)  # fmt: skip
def test_what_is_no_recording_is_refused_in_a_sentence(files, tmp_path, change, fault, words):
    path = pack(tmp_path / "bad.zip", change(files))
    with pytest.raises(fault, match=words):
        read_recording(path)


def test_a_file_that_is_no_zip(tmp_path):
    path = tmp_path / "page.zip"
    for content in (b"", b"<html>", b"PK\x03\x04" + b"\0" * 40):
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match="not a ZIP file that can be read"):
            read_recording(path)
    with pytest.raises(InvalidInput, match="no such file"):
        read_recording(tmp_path / "none.zip")


# --- the commands ---------------------------------------------------------------------------------


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:

        def run(*arguments, **environment):
            known = {"PATH": os.environ["PATH"], "MONITOR_CONTACT": "a@uni.ac.at"}
            with patch.dict(os.environ, known | environment, clear=True):
                settings.load.cache_clear()
                return command("engines", *arguments)

        yield run


def test_each_engine_of_the_jobs_is_asked_ten_questions_at_most(monitor, tmp_path):
    from tests.factories import make_job, make_list

    (tmp_path / "jobs").mkdir()
    make_list(tmp_path / "jobs")
    with serve(LibreTranslate()) as running:
        use = {"name": "libretranslate", "targets": ["es"], "pace": 100,
               "config": {"base_url": running.url}}  # fmt: skip
        make_job(tmp_path / "jobs", engines=[use])
        code, out, err = monitor("test", "--all", "--record", "live.zip")
        asked = len(running.requests)
    assert code == 0, err
    assert 1 <= asked <= 10
    assert f"{asked} of {asked} understood; reached, answered, read, understood" in out
    assert err.index("price: ") < err.index("live.zip")
    code, out, _ = monitor("recording", "show", "live.zip")
    assert (code, f"{asked} answers" in out, "removed" in out) == (0, True, True)
    code, out, _ = monitor("recording", "replay", "live.zip")
    assert (code, f"{asked} answers replayed; no request was sent" in out) == (0, True)
    code, _, err = monitor("test", "--all", "--record", "live.zip")
    assert (code, "is there already" in err) == (4, True)


def test_a_job_without_governance_asks_nobody(monitor, tmp_path):
    from tests.factories import make_job, make_list

    (tmp_path / "jobs").mkdir()
    make_list(tmp_path / "jobs")
    use = {"name": "deepl", "targets": ["pt-BR"]}
    make_job(tmp_path / "jobs", engines=[use], governance=None)
    code, _, err = monitor("test", "--all", DEEPL_AUTH_KEY=KEY)
    assert code == 2
    assert "governance.purpose" in err
    assert "nobody was asked" in err


def test_a_key_is_not_in_a_recording(monitor, tmp_path):
    with serve(DeepL(key=KEY)) as running:
        config = ("--target", "pt-BR", "--config", f"base_url={running.url}")
        code, _, _ = monitor("test", "deepl", *config, "--record", "a.zip", DEEPL_AUTH_KEY=KEY)
    assert code == 0
    content = b"".join(read_recording(tmp_path / "a.zip").bodies.values())
    assert KEY.encode() not in content
    assert zipfile.ZipFile(io.BytesIO((tmp_path / "a.zip").read_bytes())).testzip() is None


def test_engines_say_that_they_were_tested_on_recordings_only(monitor):
    _, out, _ = monitor("list")
    assert "tested on recordings only" in out
    _, out, _ = monitor("show", "deepl")
    assert "live: tested on recordings only" in out


def test_one_engine_or_all(monitor):
    for arguments in ((), ("deepl", "--all")):
        code, _, err = monitor("test", *arguments)
        assert (code, "name one engine, or --all" in err) == (2, True)


def test_an_engine_that_the_database_has_seen_live_says_so(monitor, sqlite_database):
    answered(sqlite_database, "deepl")
    for command in (("list",), ("show", "deepl")):
        _, out, _ = monitor(*command)
        assert "seen live 2026-11-21 (3 answers, version 2)" in out
