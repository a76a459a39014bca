"""Fetching Firefox models from a loopback stand-in for Mozilla's registry."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import zstandard

from monitor.fetch import local
from monitor.fetch.backends import bergamot
from monitor.fetch.downloads import choose_files, fetch_firefox
from monitor.model import InvalidInput, LocalRequest, MissingPart, Outcome, StoreProblem


def record(name, content, **change):
    kind = {"m": "model", "l": "lex", "v": "vocab"}[name[0]]
    return {
        "name": name,
        "fileType": kind,
        "sourceLanguage": "en",
        "targetLanguage": "gl",
        "version": "2.0",
        "architecture": "tiny",
        "decompressedHash": hashlib.sha256(content).hexdigest(),
        "attachment": {
            "location": f"models/{name}.zst",
            "filename": f"{name}.zst",
            "hash": "0" * 64,
            "size": len(content),
            "mimetype": "application/zstd",
        },
        "filter_expression": "",
    } | change


@pytest.fixture
def registry():
    """A Remote Settings server with the embedded English-Portuguese model under another pair."""
    files = bergamot.model_files("en-pt", Path("nowhere"))
    contents = {
        "model.engl.intgemm.alphas.bin": files["model"].read_bytes(),
        "lex.50.50.engl.s2t.bin": files["shortlist"].read_bytes(),
        "vocab.engl.spm": files["src_vocab"].read_bytes(),
    }
    state = {"records": [record(name, content) for name, content in contents.items()]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            host = f"http://127.0.0.1:{self.server.server_port}"
            if self.path == "/v1/":
                body = json.dumps({"capabilities": {"attachments": {"base_url": f"{host}/a/"}}})
                payload = body.encode()
            elif self.path.endswith("/translations-models-v2/records"):
                payload = state.get("listing", json.dumps({"data": state["records"]})).encode()
            elif (name := self.path.removeprefix("/a/models/").removesuffix(".zst")) in contents:
                payload = zstandard.compress(state.get("bad", contents[name]))
            else:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    state["url"] = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def fetch(registry, models, pair="en-gl", seen=None):
    progress = (
        (lambda name, size: seen.append((name, size))) if seen is not None else lambda *_: None
    )
    return fetch_firefox(pair, models, registry["url"], progress)


def test_a_fetched_model_translates(registry, tmp_path):
    seen = []
    folder = fetch(registry, tmp_path, seen=seen)
    assert folder == tmp_path / "firefox" / "en-gl"
    assert {name for name, _ in seen} == {r["name"] for r in registry["records"]}
    answer = local.answer_request(LocalRequest("fxtranslate", "en-gl", ("I am tired.",)), tmp_path)
    assert answer.outcome is Outcome.OK
    assert json.loads(answer.body) == {"translations": ["Estou cansado."]}
    assert dict(answer.agent)["model_folder"] == "en-gl"


def test_a_file_with_another_hash_leaves_nothing_behind(registry, tmp_path):
    registry["bad"] = b"something else"
    with pytest.raises(StoreProblem, match="not what the registry promised"):
        fetch(registry, tmp_path)
    assert list((tmp_path / "firefox").iterdir()) == []


def test_a_record_without_a_hash_is_refused(registry, tmp_path):
    registry["records"][0]["decompressedHash"] = None
    with pytest.raises(StoreProblem, match="states no hash"):
        fetch(registry, tmp_path)


def test_a_hostile_file_name_is_refused(registry, tmp_path):
    registry["records"][0]["name"] = "../../model.engl.bin"
    with pytest.raises(StoreProblem, match="not a plain file name"):
        fetch(registry, tmp_path)


def test_unknown_pairs_and_words_that_are_no_pair(registry, tmp_path):
    with pytest.raises(MissingPart, match="no released model for en-xx"):
        fetch(registry, tmp_path, "en-xx")
    with pytest.raises(InvalidInput, match="no pair of languages"):
        fetch(registry, tmp_path, "../evil")


def test_a_second_fetch_is_refused(registry, tmp_path):
    fetch(registry, tmp_path)
    with pytest.raises(InvalidInput, match="there already"):
        fetch(registry, tmp_path)


def test_a_broken_listing_or_a_dead_server_is_said(registry, tmp_path):
    registry["listing"] = '{"data": ['
    with pytest.raises(StoreProblem, match="no list of models"):
        fetch(registry, tmp_path)
    with pytest.raises(StoreProblem, match="cannot fetch en-gl"):
        fetch_firefox("en-gl", tmp_path, "http://127.0.0.1:1/v1", lambda *_: None)


def test_the_newest_released_version_is_chosen():
    def entry(name, version, **change):
        return record(name, b"", version=version, location="x") | change

    records = [
        entry("model.engl.bin", "1.0"),
        entry("model.engl.bin", "2.1"),
        entry("vocab.engl.spm", "2.1"),
        entry("vocab.engl.spm", "1.0"),
        entry("model.engl.bin", "3.0a1"),
        entry("model.engl.bin", "nonsense"),
        entry("model.engl.bin", "9.0", targetLanguage="pt"),
    ]
    assert [(r["name"], r["version"]) for r in choose_files(records, "en-gl")] == [
        ("model.engl.bin", "2.1"),
        ("vocab.engl.spm", "2.1"),
    ]
