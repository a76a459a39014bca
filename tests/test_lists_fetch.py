"""`monitor lists fetch gest`: from a stand-in for the repository, and from local copies."""

import dataclasses
import hashlib
import logging
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from monitor import cli, datasets
from monitor.datasets import GEST
from monitor.fetch import downloads as fetching
from monitor.jobs import find_list, load_audit
from monitor.lists import load_list
from tests.factories import make_job

FIRST = b'sentence,stereotype\nI sing.,1\n"I came, I saw.",9\nI sing.,8\nI sing.,8\n'
SECOND = FIRST.replace(b"I came", b"I went")


def small(*contents):
    """GEST with these contents in the place of the real ones."""
    editions = tuple(
        dataclasses.replace(edition, sha256=hashlib.sha256(content).hexdigest())
        for edition, content in zip(GEST.editions, contents, strict=True)
    )
    return dataclasses.replace(GEST, editions=editions)


@pytest.fixture
def gest(monkeypatch):
    made = small(FIRST, SECOND)
    monkeypatch.setitem(datasets.DATASETS, "gest", made)
    return made


@pytest.fixture
def repository(monkeypatch):
    """A server that holds the two files; `state` changes what it answers."""
    state = {
        f"/{edition.commit}/{edition.path}": content
        for edition, content in zip(GEST.editions, (FIRST, SECOND), strict=True)
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = state.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("MONITOR_GEST_SOURCE", f"http://127.0.0.1:{server.server_port}/")
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `monitor lists fetch gest`; gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments):
        words = ["monitor", "lists", "fetch", "gest", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", words)
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, " ".join(captured.err.split())

    yield command
    root.handlers[:] = handlers
    root.setLevel(level)


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
    assert gest.editions[0].sha256 in err


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
    assert "--file" in err


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
