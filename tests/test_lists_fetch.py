"""`monitor lists fetch gest` and `eurogest`: from a loopback server, and from local copies."""

import dataclasses
import hashlib
import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from monitor import datasets
from monitor.datasets import GEST
from monitor.fetch import downloads as fetching
from monitor.jobs import find_list, load_audit
from monitor.lists import load_list
from monitor.model import StoreProblem
from tests.command import program
from tests.factories import make_job

FIRST = b'sentence,stereotype\nI sing.,1\n"I came, I saw.",9\nI sing.,8\nI sing.,8\n'
SECOND = FIRST.replace(b"I came", b"I went")


def small(*contents):
    """GEST with these contents in the place of the real ones."""
    files = tuple(
        dataclasses.replace(file, sha256=hashlib.sha256(content).hexdigest())
        for file, content in zip(GEST.files, contents, strict=True)
    )
    return dataclasses.replace(GEST, files=files)


@pytest.fixture
def gest(monkeypatch):
    made = small(FIRST, SECOND)
    monkeypatch.setitem(datasets.DATASETS, "gest", made)
    return made


@contextmanager
def serve(state):
    """A server of {path: content}, or {path: (status, headers, content)}; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = state.get(self.path)
            if answer is None:
                self.send_error(404)
                return
            status, headers, content = answer if isinstance(answer, tuple) else (200, {}, answer)
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def repository(monkeypatch):
    """A server that holds the two files; `state` changes what it answers."""
    state = {
        f"/{file.commit}/{file.path}": content
        for file, content in zip(GEST.files, (FIRST, SECOND), strict=True)
    }
    with serve(state) as address:
        monkeypatch.setenv("MONITOR_GEST_SOURCE", address)
        yield state


@pytest.fixture
def fetch(tmp_path, monkeypatch, capsys):
    """Runs `monitor lists fetch`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield partial(command, "lists", "fetch")


@pytest.fixture
def run(fetch):
    return partial(fetch, "gest")


def lists(folder):
    return sorted(path.name for path in (folder / "jobs" / "lists").glob("*"))


BOTH = ["gest@1.0.csv", "gest@1.0.toml", "gest@1.1.csv", "gest@1.1.toml"]


def test_both_versions_become_lists_that_a_job_can_ask(run, tmp_path, gest, repository):
    code, out, err = run()
    assert (code, lists(tmp_path)) == (0, BOTH)
    assert "gest@1.0: 4 sentences" in err
    assert "licence: Apache-2.0 (https://github.com/kinit-sk/gest)" in out
    assert "cite: Pikuliak, M., " in out
    found = load_list(tmp_path / "jobs" / "lists" / "gest@1.0.csv")
    assert (found.name, found.version, found.licence) == ("gest", "1.0", "Apache-2.0")
    assert [(item.key, item.text, item.tags["stereotype"]) for item in found.items] == [
        ("gest-0001", "I sing.", "1"),
        ("gest-0002", "I came, I saw.", "9"),
        ("gest-0003", "I sing.", "8"),
        ("gest-0004", "I sing.", "8"),
    ]
    assert "arXiv:2311.18711" in found.description
    job = make_job(tmp_path / "jobs", lists=[{"name": "gest@1.1"}])
    assert [one.label for one in load_audit(job).lists] == ["gest@1.1"]
    assert find_list("gest@1.0", tmp_path / "jobs").parent == tmp_path / "jobs" / "lists"


def test_fetching_again_changes_nothing(run, tmp_path, gest, repository):
    run()
    before = {name: (tmp_path / "jobs" / "lists" / name).stat().st_mtime_ns for name in BOTH}
    assert run()[0] == 0
    assert before == {
        name: (tmp_path / "jobs" / "lists" / name).stat().st_mtime_ns for name in BOTH
    }
    (tmp_path / "jobs" / "lists" / "gest@1.1.csv").write_text("mine")
    code, _, err = run()
    assert code == 2
    assert "gest@1.1.csv: is there already with other content; move it away" in err
    assert (tmp_path / "jobs" / "lists" / "gest@1.1.csv").read_text() == "mine"


def test_other_content_is_refused_with_both_digests(run, tmp_path, gest, repository):
    path = next(iter(repository))
    repository[path] = FIRST + b"I dance.,2\n"
    code, _, err = run()
    assert (code, lists(tmp_path)) == (4, [])
    assert hashlib.sha256(repository[path]).hexdigest() in err
    assert gest.files[0].sha256 in err


def test_one_version_in_the_place_of_the_other_is_refused(run, tmp_path, gest, repository):
    repository[next(iter(repository))] = SECOND
    code, _, err = run()
    assert (code, lists(tmp_path)) == (4, [])
    assert "holds version 1.1 instead of 1.0" in err


def test_a_file_that_is_gone(run, tmp_path, gest, repository):
    repository.clear()
    code, _, err = run()
    assert (code, lists(tmp_path)) == (4, [])
    assert "data/gest.csv: cannot be fetched" in err
    assert "404" in err
    assert "--from" in err


def test_a_server_that_is_not_there(run, gest, monkeypatch):
    monkeypatch.setenv("MONITOR_GEST_SOURCE", "http://127.0.0.1:9")
    code, _, err = run()
    assert code == 4
    assert "cannot be fetched" in err
    assert "Traceback" not in err


def test_an_answer_without_end_is_cut(run, gest, repository, monkeypatch):
    monkeypatch.setattr(fetching, "_MAX_DATASET_BYTES", 10)
    code, _, err = run()
    assert code == 4
    assert "more than 10 bytes; not the data set" in err


def test_a_local_copy_is_known_by_its_content(run, tmp_path, gest):
    (tmp_path / "whatever.csv").write_bytes(SECOND)
    code, out, _ = run("--file", "whatever.csv")
    assert (code, lists(tmp_path)) == (0, BOTH[2:])
    assert "licence: " in out
    (tmp_path / "first.csv").write_bytes(FIRST)
    assert run("--file", "whatever.csv", "--file", "first.csv")[0] == 0
    assert lists(tmp_path) == BOTH


def test_a_local_copy_that_is_none(run, tmp_path, gest):
    code, _, err = run("--file", "none.csv")
    assert code == 2
    assert "none.csv: no such file; name a copy of gest.csv or gest_1.1.csv" in err
    (tmp_path / "edited.csv").write_bytes(FIRST + b"\n")
    code, _, err = run("--file", "edited.csv")
    assert (code, lists(tmp_path)) == (2, [])
    assert "edited.csv: not a known edition of gest: its SHA-256 is " in err


def test_the_real_files_have_the_pinned_digests(run, tmp_path, reference_data):
    copies = [reference_data / "gest" / name for name in ("gest.csv", "gest_1.1.csv")]
    assert run("--file", copies[0], "--file", copies[1])[0] == 0
    found = [load_list(tmp_path / "jobs" / "lists" / f"gest@{v}.csv") for v in ("1.0", "1.1")]
    assert [len(one.items) for one in found] == [3565, 3565]
    assert [len({item.text for item in one.items}) for one in found] == [3555, 3554]
    assert {item.tags["stereotype"] for item in found[0].items} == {str(n) for n in range(1, 17)}
    changed = sum(a.text != b.text for a, b in zip(*(one.items for one in found), strict=True))
    assert changed == 244


# --- a data set whose digests are recorded at the first download ----------------------------------

COMMIT = "0123456789abcdef"
PAIRS, SAME = "data/pairs.csv", "data/same.csv"
PAIRS_CONTENT = "masculine,feminine\nзаспал,заспала\n".encode()
SAME_CONTENT = b"text\nI sing.\n"


def digest(content):
    return hashlib.sha256(content).hexdigest()


def address(path):
    return f"/datasets/utter-project/EuroGEST/resolve/{COMMIT}/{path}"


def listing(*paths):
    files = [{"rfilename": path} for path in (".gitattributes", "README.md", *paths)]
    return json.dumps({"sha": COMMIT, "siblings": files}).encode()


LISTING = "/api/datasets/utter-project/EuroGEST"


@pytest.fixture
def hub():
    """What a Hugging Face server answers."""
    return {
        LISTING: listing(PAIRS, SAME),
        address(PAIRS): PAIRS_CONTENT,
        address(SAME): SAME_CONTENT,
    }


@pytest.fixture
def eurogest(hub, fetch):
    with serve(hub) as server:
        yield partial(fetch, "eurogest", "--server", server)


def stored(tmp_path):
    folder = tmp_path / "datasets" / "eurogest"
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_first_download_records_the_digests(eurogest, tmp_path):
    code, out, err = eurogest()
    assert code == 0
    assert f"{PAIRS}: SHA-256 {digest(PAIRS_CONTENT)} (recorded, first download)" in out
    assert out.index("licence: Apache-2.0") < out.index("SHA-256")
    assert "the questions in English are those of gest@1.1" in out
    assert "eurogest: 2 files in datasets/eurogest" in err
    files = stored(tmp_path)
    sums = files.pop("SHA256SUMS").decode()
    assert files == {PAIRS: PAIRS_CONTENT, SAME: SAME_CONTENT}
    assert f"{digest(SAME_CONTENT)}  {SAME}\n" in sums
    assert "# licence: Apache-2.0\n" in sums


def test_a_later_download_is_compared_with_the_first(eurogest, hub, tmp_path):
    eurogest()
    code, out, _ = eurogest()
    assert (code, out.count("(as expected)")) == (0, 2)
    before = stored(tmp_path)
    other = PAIRS_CONTENT.replace("заспала".encode(), "заспа".encode())
    hub[address(PAIRS)] = other
    code, _, err = eurogest()
    assert (code, stored(tmp_path)) == (2, before)
    assert f"{PAIRS} has changed: SHA-256 {digest(PAIRS_CONTENT)} was recorded" in err
    assert f"it is now {digest(other)}" in err
    assert f"accept it with --sha256 {PAIRS}={digest(other)}" in err
    assert eurogest("--sha256", f"{PAIRS}={digest(other)}")[0] == 0
    assert stored(tmp_path)[PAIRS] == other
    assert eurogest()[0] == 0


def test_a_digest_that_is_known_beforehand(eurogest, tmp_path):
    code, _, err = eurogest("--sha256", f"{SAME}={'0' * 64}")
    assert (code, stored(tmp_path)) == (2, {})
    assert f"SHA-256 {'0' * 64} was given, but it is now {digest(SAME_CONTENT)}" in err
    code, out, _ = eurogest("--sha256", f"{SAME}={digest(SAME_CONTENT).upper()}")
    assert code == 0
    assert f"{SAME}: SHA-256 {digest(SAME_CONTENT)} (as expected)" in out
    assert f"{PAIRS}: SHA-256 {digest(PAIRS_CONTENT)} (recorded, first download)" in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("data/same.csv=abc", "'abc' is no SHA-256 of 64 hex digits"),
        ("0" * 64, f"write FILE=DIGEST, of {PAIRS}, {SAME}"),
        (f"other.csv={'0' * 64}", f"write FILE=DIGEST, of {PAIRS}, {SAME}"),
    ],
)
def test_a_digest_that_cannot_be_used(eurogest, tmp_path, given, message):
    code, _, err = eurogest("--sha256", given)
    assert (code, stored(tmp_path)) == (2, {})
    assert message in err


def test_a_file_that_is_missing(eurogest, hub, tmp_path):
    del hub[address(SAME)]
    code, _, err = eurogest()
    assert (code, stored(tmp_path)) == (4, {})
    assert f"{SAME}: cannot be fetched" in err
    assert "404" in err
    assert "--from" in err
    hub[address(SAME)] = SAME_CONTENT
    eurogest()
    hub[LISTING] = listing(PAIRS)
    code, _, err = eurogest()
    assert code == 2
    assert f"{SAME} is missing, which an earlier download had" in err


def test_a_redirect_is_followed(eurogest, hub, tmp_path):
    hub["/storage/1"] = hub[address(PAIRS)]
    hub[address(PAIRS)] = (302, {"Location": "/storage/1"}, b"")
    assert eurogest()[0] == 0
    assert stored(tmp_path)[PAIRS] == PAIRS_CONTENT
    hub["/storage/1"] = (302, {"Location": "/storage/1"}, b"")
    code, _, err = eurogest()
    assert code == 4
    assert "cannot be fetched: TooManyRedirects" in err


def test_a_redirect_from_https_to_http_is_refused():
    def answer(request):
        if request.url.scheme == "https":
            return httpx.Response(302, headers={"Location": "http://hub.invalid/file"})
        return httpx.Response(200, content=b"text\n")

    with (
        httpx.Client(transport=httpx.MockTransport(answer), follow_redirects=True) as client,
        pytest.raises(StoreProblem, match="redirected from HTTPS to HTTP"),
    ):
        fetching._download_dataset_file(client, "https://hub.invalid/file")


def test_an_oversized_file_is_refused(eurogest, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "_MAX_DATASET_BYTES", len(listing(PAIRS, SAME)))
    assert eurogest()[0] == 0
    monkeypatch.setattr(fetching, "_MAX_DATASET_BYTES", len(PAIRS_CONTENT) - 1)
    code, _, err = eurogest()
    assert code == 4
    assert f"more than {len(PAIRS_CONTENT) - 1} bytes; not the data set" in err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"text\n\xff\n", "not UTF-8"),
        ("a.csv", b'text\n"cut', "a.csv"),
        ("a.csv", b"text,more\nonly one cell\n", "a.csv"),
        ("a.parquet", b"PAR1 and the end is missing", "is no Parquet file, or cut off"),
        ("a.json", b'{"text": ', "is no JSON, or cut off"),
        ("a.jsonl", b'{"text": 1}\n{"te', "is no JSON, or cut off"),
    ],
)
def test_a_broken_file_is_refused(eurogest, hub, tmp_path, name, content, message):
    hub[LISTING] = listing(name)
    hub[address(name)] = content
    code, _, err = eurogest()
    assert (code, stored(tmp_path)) == (4, {})
    assert name in err
    assert message in err


def test_a_download_that_is_cut_off(eurogest, hub, tmp_path):
    hub[address(SAME)] = (200, {"Content-Length": "1000", "Connection": "close"}, SAME_CONTENT)
    code, _, err = eurogest()
    assert (code, stored(tmp_path)) == (4, {})
    assert f"{SAME}: cannot be fetched" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>", "is no list of files"),
        (b"[]", "is no list of files"),
        (listing(), "0 data files"),
        (listing("../../outside.csv"), "not a plain path inside a folder"),
        (listing("/outside.csv"), "not a plain path inside a folder"),
    ],
)
def test_a_list_of_files_that_cannot_be_used(eurogest, hub, tmp_path, content, message):
    hub[LISTING] = content
    code, _, err = eurogest()
    assert (code, stored(tmp_path)) == (4, {})
    assert message in err


def test_local_copies_are_checked_and_put_in_their_place(fetch, tmp_path):
    copies = tmp_path / "copies"
    (copies / "data").mkdir(parents=True)
    (copies / PAIRS).write_bytes(PAIRS_CONTENT)
    (copies / SAME).write_bytes(SAME_CONTENT)
    (copies / "README.md").write_text("no data")
    assert fetch("eurogest", "--from", copies)[0] == 0
    assert sorted(stored(tmp_path)) == ["SHA256SUMS", PAIRS, SAME]
    (copies / SAME).write_bytes(b"text\nI dance.\n")
    code, _, err = fetch("eurogest", "--from", copies)
    assert code == 2
    assert f"{SAME} has changed" in err
    assert stored(tmp_path)[SAME] == SAME_CONTENT
    (copies / "more.csv").write_bytes(b"text\nOne.\n")
    assert fetch("eurogest", "--from", copies / "more.csv")[0] == 0
    assert stored(tmp_path)["SHA256SUMS"].count(b".csv\n") == 3
    (tmp_path / "none").mkdir()
    code, _, err = fetch("eurogest", "--from", "none")
    assert code == 2
    assert "none: holds no file of eurogest" in err
    code, _, err = fetch("eurogest", "--from", "gone.csv")
    assert code == 2
    assert "gone.csv: no such file; download it from https://huggingface.co/" in err


def test_a_record_of_digests_that_cannot_be_read(eurogest, tmp_path):
    eurogest()
    (tmp_path / "datasets" / "eurogest" / "SHA256SUMS").write_text("no digest\n")
    code, _, err = eurogest()
    assert code == 2
    assert "SHA256SUMS:1: no line of sha256sum" in err


def test_a_folder_of_gest(run, tmp_path, gest):
    (tmp_path / "gest_1.1.csv").write_bytes(SECOND)
    (tmp_path / "other.csv").write_text("a\n")
    assert run("--from", tmp_path)[0] == 0
    assert lists(tmp_path) == BOTH[2:]
    code, _, err = run("--sha256", "0" * 64)
    assert code == 2
    assert "the digests of gest are pinned" in err
