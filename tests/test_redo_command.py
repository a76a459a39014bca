"""`monitor redo`: what it says, what it leaves to workers, exit codes, on both databases."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline, settings
from monitor.model import Stage, TaskState
from monitor.pipeline.changes import conclusion
from monitor.store import schema
from monitor.store.collect import runs
from monitor.store.schedule import tasks
from monitor.work.perform import WorkerContext, perform_task
from tests.command import program
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit
from tests.test_redo import OWN, chart, counts, series, turn, update, version_of_parser

__all__ = ["update"]

TRANSLATIONS = portuguese(mini_items())


@pytest.fixture
def monitor(database, database_url, tmp_path, monkeypatch, capsys):
    """Runs a command in a folder whose database has two weekly runs."""
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    settings.load.cache_clear()
    audit = make_audit(tmp_path)
    for number in (0, 1):
        run_audit(database, audit, Scripted(TRANSLATIONS), DUE + number * timedelta(weeks=1))
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def test_nothing_is_lacking(monitor):
    code, _, said = monitor("redo")
    assert code == 0
    assert "0 of 2 runs lack present versions: 0 answers" in said
    assert "0 new points in 0 runs; 0 series went over" in said


def test_ticks_that_cannot_be_decided_are_left_out_and_decided_later(
    monitor, database, monkeypatch
):
    def broken(*_):
        raise ValueError("no degrees of freedom")

    with database.begin() as connection:
        connection.execute(sa.delete(schema.looks))
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", broken)
        code, _, said = monitor("redo")
        assert code == 5
        assert "left out: 2 runs (1, 2): not compared, so that the tick is not decided" in said
        code, _, said = monitor("status")
        assert "mini: 2 runs are not decided: 2025-01-06 05:00, 2025-01-13 05:00 UTC" in said
        assert "alarm since" in said
        assert "run 2: ValueError: no degrees of freedom" in said
    code, _, said = monitor("redo")
    assert code == 0
    assert "2 runs were compared anew" in said
    assert "not decided" not in monitor("status")[2]


def test_what_would_be_done_and_why(monitor, database, update):
    turn(update)
    before = counts(database)
    code, _, said = monitor("redo", "--dry-run")
    assert code == 0
    assert "2 of 2 runs lack present versions: 64 answers" in said
    assert (
        f"signal, measure: 2 runs (1, 2), 64 answers: pt:pt@{OWN + 1} of "
        f"firefox_translations@{version_of_parser()}; pt: language_version {OWN} -> {OWN + 1}"
    ) in said
    assert counts(database) == before


def test_it_is_done(monitor, database, update):
    turn(update)
    code, _, said = monitor("redo", "--processes", 1)
    assert code == 0
    n = len(series(database))
    assert f"{2 * n} new points in 2 runs; {n} series went over to new versions" in said
    assert chart(database) == [-1.0, -1.0]


def test_a_later_step_leaves_out_what_an_earlier_one_lacks(monitor, database, update):
    turn(update)
    code, _, said = monitor("redo", "--from", "measure")
    assert code == 5
    reason = "signal was not done with the present versions; use --from signal"
    assert f"left out: 2 runs (1, 2): {reason}" in said
    assert chart(database) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("chosen", "n"), [(("--run", 2), 1), (("--job", "mini"), 2), (("--since", "2025-01-07"), 1)]
)
def test_some_runs_only(monitor, update, chosen, n):
    turn(update)
    code, _, said = monitor("redo", "--dry-run", *chosen)
    assert code == 0
    runs = "1 of 1 run lacks" if n == 1 else f"{n} of {n} runs lack"
    assert f"{runs} present versions: {n * 32} answers" in said


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (("--run", 9), "no run 9 has ended"),
        (("--job", "nosuch"), "no job 'nosuch'; known: mini"),
        (("--since", "2026-01-01"), "no run was due on 2026-01-01 or later"),
        (("--from", "ask"), "'ask' is not known; known: parse, signal, measure"),
        (("--since", "yesterday"), "'yesterday' is no date; write one as 2026-11-22"),
        (("--processes", -1), "-1 is too small; the least is 0"),
    ],
)
def test_what_is_no_choice(monitor, chosen, said):
    code, _, told = monitor("redo", *chosen)
    assert code == 2
    assert said in told.replace("│ ", "")


def test_stopped_by_a_person(monitor, database, update, monkeypatch):
    turn(update)

    def stopped(*_args, **_named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("monitor.pipeline.derive.recomputation.store_value", stopped)
        code, _, said = monitor("redo")
    assert code == 130
    assert "what was done stays done; go on with the same command" in said
    assert chart(database) == [1.0, 1.0]
    assert monitor("redo")[0] == 0
    assert chart(database) == [-1.0, -1.0]


# --- by workers -----------------------------------------------------------------------------------


def open_tasks(database):
    with database.read() as connection:
        return [one for run in (1, 2) for one in tasks.list_run_tasks(connection, run)]


def work(database):
    shop = WorkerContext(database, settings.load(), quiet, pipeline.never)
    for one in open_tasks(database):
        perform_task(shop, one.id)


@pytest.mark.parametrize("first", ["parse", "signal"])
def test_left_to_workers(monitor, database, update, first):
    turn(update)
    code, _, said = monitor("redo", "--by-workers", "--from", first)
    assert code == 0
    assert "2 runs are to be derived anew by the daemon or its workers" in said
    assert chart(database) == [1.0, 1.0]
    assert [(one.stage, one.lane) for one in open_tasks(database)] == [
        (Stage.REDO, "" if first == "parse" else first)
    ] * 2
    work(database)
    n = len(series(database))
    assert [(one.state, one.reason) for one in open_tasks(database)] == [
        (TaskState.DONE, f"{n} new points")
    ] * 2
    assert chart(database) == [-1.0, -1.0]


def test_a_worker_that_may_not_begin_earlier_waits_for_a_person(monitor, database, update):
    monitor("redo", "--by-workers", "--from", "signal")
    assert open_tasks(database) == []  # nothing is lacking
    with database.begin() as connection:
        tasks.plan_redo(connection, 1, "measure")
    turn(update)
    work(database)
    [one] = open_tasks(database)
    assert (one.state, one.reason) == (
        TaskState.OPEN, "signal was not done with the present versions; use --from signal",
    )  # fmt: skip
    assert one.not_before is not None


def test_a_worker_waits_for_who_works_on_the_run(monitor, database, update):
    turn(update)
    monitor("redo", "--by-workers", "--run", 1)
    with pipeline.Turns(database) as turns:
        turns.take(pipeline.turn_of_run(1))
        work(database)
        assert open_tasks(database)[0].state is TaskState.OPEN
    with database.begin() as connection:
        connection.execute(sa.update(schema.tasks).values(not_before=None))
        assert runs.get_run(connection, 1).id == 1
    work(database)
    assert open_tasks(database)[0].state is TaskState.DONE
