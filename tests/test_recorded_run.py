"""`monitor run` on a job with recorded translations: one run per recorded date, none twice."""

import json
import subprocess
import sys

import pytest

from monitor.fetch.recorded import RecordedFetcher
from tests.command import program
from tests.engines.test_recorded import ALL_MASCULINE, ITEMS, collection, recorded_job
from tests.factories import make_list, portuguese


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def audit(run, tmp_path):
    """A folder with a database, a job and translations of two dates."""
    assert run("init")[0] == 0
    make_list(tmp_path / "jobs")
    recorded_job(tmp_path / "jobs")
    lacking = dict(list(ALL_MASCULINE.items())[1:])
    collection(tmp_path / "jobs", {"2023-06-01": lacking, "2023-05-01": portuguese(ITEMS)})
    return tmp_path


def test_every_date_becomes_a_run_and_none_becomes_two(run, audit):
    code, out, _ = run("run", "jobs/mini.toml")
    assert code == 0
    assert "2023-05-01" in out
    assert "32 of 32" in out
    assert "31 of 32" in out
    code, out, err = run("run", "jobs/mini.toml")
    assert (code, out) == (0, "")
    assert "all 2 recorded dates of mini have a run already" in err
    collection(audit / "jobs", {"2023-07-01": ALL_MASCULINE})
    [made] = json.loads(run("run", "jobs/mini.toml", "--json")[1])
    assert made["due_at"] == "2023-07-01T00:00:00+00:00"
    assert (made["state"], made["planned"], made["answered"]) == ("done", 32, 32)
    assert "2023-07-01" in run("status")[1]


INTERRUPTED = """
import os, signal, sys
from monitor.pipeline.collect import runs

step = getattr(runs, sys.argv[1])

def interrupted(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    return step(*arguments)

setattr(runs, sys.argv[1], interrupted)
sys.argv = ["monitor", "run", "jobs/mini.toml"]
from monitor.cli import main
main()
"""


@pytest.mark.parametrize(
    ("step", "code", "words"),
    [
        ("read_answers", 130, "go on with: monitor run jobs/mini.toml --resume"),
        ("find_signals", 130, "go on with: monitor run jobs/mini.toml --resume"),
        ("compute_points", 130, "go on with: monitor run jobs/mini.toml --resume"),
        ("conclude", 0, "all values are there; finishing this run"),
    ],
)
def test_ctrl_c_while_a_run_is_computed_stops_it_or_says_that_it_is_finished(
    run, audit, step, code, words
):
    collection(audit / "jobs", {"2023-05-01": portuguese(ITEMS)})
    command = [sys.executable, "-c", INTERRUPTED, step]
    ended = subprocess.run(command, cwd=audit, capture_output=True, text=True, check=False)
    assert (ended.returncode, words in ended.stderr) == (code, True), ended.stderr
    assert ("stopping" in ended.stderr) == (code != 0)
    if code:
        assert "32 of 32 answers are kept" in ended.stderr
        [made] = json.loads(run("run", "jobs/mini.toml", "--resume", "--json")[1])
        assert (made["state"], made["answered"]) == ("done", 32)


def test_what_was_stopped_is_resumed_before_the_other_dates(run, audit, monkeypatch):
    answer = RecordedFetcher.answer_request
    asked = []

    def stopping(self, request):
        asked.append(request)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return answer(self, request)

    monkeypatch.setattr(RecordedFetcher, "answer_request", stopping)
    code, _, err = run("run", "jobs/mini.toml")
    assert code == 130
    assert "0 of 32 answers are kept" in err
    made = json.loads(run("run", "jobs/mini.toml", "--resume", "--json")[1])
    assert [(one["due_at"][:10], one["state"]) for one in made] == [
        ("2023-05-01", "done"),
        ("2023-06-01", "done"),
    ]


def test_check_names_a_recording_that_cannot_be_used(run, audit):
    assert run("check", "jobs/mini.toml")[0] == 0
    (audit / "jobs" / "translations.csv").unlink()
    code, _, err = run("check", "jobs/mini.toml")
    assert code == 2
    assert "translations.csv: no such file of recorded translations" in err
    code, _, err = run("run", "jobs/mini.toml")
    assert code == 2
    assert "translations.csv: no such file" in err
    assert "no run yet" in run("status")[1]


def test_the_plan_of_a_tick(run, audit):
    code, out, _ = run("plan", "jobs/mini.toml")
    assert code == 0
    assert "recorded:amazon_translate" in out
    assert "Portuguese" in out.split()


def test_the_report_names_the_system(run, audit):
    run("run", "jobs/mini.toml")
    assert run("report", "--output", "r.html")[0] == 0
    assert "recorded:amazon_translate" in (audit / "r.html").read_text()


def test_its_evidence_can_be_shown_and_verified(run, audit):
    run("run", "jobs/mini.toml")
    assert "match their digests" in run("evidence", "verify")[1]
    shown = run("evidence", "show", "1")[1]
    assert "sha256" in shown
    assert "translations.csv" in shown
