"""`monitor run --noise` and `--confirm`: a part of a tick is asked again by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from monitor.jobs import load_audit
from monitor.model import Outcome, RunKind
from monitor.store.changes.findings import ToConfirm
from monitor.store.collect import run_progress, runs
from monitor.store.reports import run_report as report_store
from tests.command import program
from tests.factories import (
    DUE,
    Scripted,
    answer,
    make_audit,
    make_job,
    mini_items,
    portuguese,
    rows,
    run_audit,
)

ITEMS = mini_items()
NOW = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def fetchers(monkeypatch):
    """The fetchers that commands made; `spoil` is what becomes of their answers."""
    made = []
    spoil = {}

    def fetcher(*_):
        made.append(Scripted(portuguese(ITEMS), **spoil))
        return made[-1]

    monkeypatch.setattr("monitor.work.outside.Outside", fetcher)
    return made, spoil


@pytest.fixture
def ticked(sqlite_database, tmp_path, fetchers):
    """A database with one scheduled run of a job with a noise table."""
    audit = make_audit(tmp_path / "jobs", noise={"share": 0.5})
    run_audit(sqlite_database, audit, Scripted(portuguese(ITEMS)), NOW - timedelta(hours=2))
    return sqlite_database


def test_noise_by_hand_asks_a_part_of_the_newest_tick_again(monitor, ticked, fetchers):
    code, said, _ = monitor("run", "jobs/mini.toml", "--noise")
    assert code == 0
    assert "(noise) of mini" in said
    assert "16 of 16 questions asked again have an answer" in " ".join(said.split())
    [fetcher] = fetchers[0]
    assert len(set(fetcher.texts)) == len(fetcher.texts) == 16
    with ticked.read() as connection:
        first, noise = (runs.get_run(connection, number) for number in (1, 2))
        assert (noise.kind, noise.due_at, noise.state) == (RunKind.NOISE, first.due_at, "done")
        # what is looked at without being named is still the tick
        assert report_store.find_run(connection, None, None) == first.id
        assert report_store.find_run(connection, "mini", None) == first.id
        assert report_store.find_run(connection, None, noise.id) == noise.id
        assert [one.id for one in run_progress.find_newest_runs(connection, "mini", 9)] == [
            first.id
        ]
    assert len(rows(ticked, "SELECT DISTINCT run_id FROM readings r JOIN attempts a "
                            "ON a.id = r.attempt_id")) == 2  # fmt: skip


def test_it_is_one_run_and_status_says_its_kind(monitor, ticked):
    assert monitor("run", "jobs/mini.toml", "--noise")[0] == 0
    code, _, said = monitor("run", "jobs/mini.toml", "--noise")
    assert code == 2
    assert "the noise run of" in said
    assert "go on with it by --noise --resume" in said
    code, status, _ = monitor("status", "--json")
    assert code == 0
    assert [(one["run"], one["kind"]) for one in json.loads(status)["runs"]] == [(2, "noise")]


def test_a_noise_run_is_resumed_by_its_kind_alone(monitor, ticked, fetchers):
    failed = answer(outcome=Outcome.TIMEOUT)
    fetchers[1]["spoil"] = lambda number, _request, given: failed if number < 4 else given
    code, said, why = monitor("run", "jobs/mini.toml", "--noise", "--json")
    assert code == 5
    found = json.loads(said)
    assert (found["kind"], found["state"], found["points"]) == ("noise", "partial", 0)
    assert "monitor run jobs/mini.toml --noise --resume" in why
    code, _, why = monitor("run", "jobs/mini.toml", "--resume")
    assert (code, "no unfinished run of 'mini' to resume" in why) == (2, True)
    fetchers[1].clear()
    code, said, _ = monitor("run", "jobs/mini.toml", "--noise", "--resume", "--json")
    assert code == 0
    assert json.loads(said)["answered"] == 16


def test_the_control_of_a_tick_is_held_against_the_tick_before(ticked, tmp_path):
    from monitor.store.collect import evidence

    audit = load_audit(tmp_path / "jobs" / "mini.toml")
    agents = iter([("library", "2"), ("library", "2")])

    def other(_number, _request, given):
        from dataclasses import replace

        return replace(given, agent=(agent,))

    from monitor import pipeline
    from tests.factories import quiet

    for kind, due_at in ((RunKind.NOISE, NOW - timedelta(hours=2)), (RunKind.SCHEDULED, NOW)):
        agent = next(agents)
        tick = (
            pipeline.start_noise(ticked, audit, due_at)
            if kind is RunKind.NOISE
            else pipeline.start(ticked, audit, kind, due_at)
        )
        fetcher = Scripted(portuguese(ITEMS), spoil=other)
        pipeline.run(ticked, audit, tick, fetcher, quiet)
    with ticked.read() as connection:
        [engine] = connection.exec_driver_sql("SELECT id FROM engines").scalars().all()
        before, now = evidence.find_answerers(connection, tick.id, "mini", engine)
        _, first = evidence.find_answerers(connection, 1, "mini", engine)
    assert before == first
    assert before != now


@pytest.mark.parametrize("flag", ["--noise", "--confirm"])
def test_what_cannot_be_asked_again_is_said(monitor, sqlite_database, tmp_path, fetchers, flag):
    make_audit(tmp_path / "jobs")
    code, _, said = monitor("run", "jobs/mini.toml", flag)
    assert code == 2
    assert ("nothing can be asked again" in said) or ("no finding of mini is to be" in said)
    assert rows(sqlite_database, "SELECT id FROM runs") == []
    code, _, said = monitor("run", "jobs/mini.toml", flag, "--resume")
    assert code == 2
    assert f"no unfinished {flag[2:]} run of 'mini' to resume" in said
    code, _, said = monitor("run", "jobs/mini.toml", "--noise", "--confirm")
    assert (code, "name one of them" in said) == (2, True)
    assert fetchers[0] == []


def test_nothing_is_asked_by_hand_while_a_run_of_the_job_is_going(monitor, ticked):
    from monitor.store.schedule import tasks

    with ticked.begin() as connection:
        tasks.plan_tasks(connection, 1, ["lane"])
    code, _, said = monitor("run", "jobs/mini.toml", "--noise")
    assert (code, "run 1 of mini has not ended" in said) == (2, True)


def test_a_finding_is_asked_again_by_hand(monitor, ticked, tmp_path, fetchers, monkeypatch):
    due_at = NOW - timedelta(hours=2)
    found = [
        ToConfirm("mini", due_at, "firefox_translations", "pt"),
        ToConfirm("mini", DUE, "firefox_translations", "pt"),  # long ago: there is no such tick
        ToConfirm("other", due_at, "firefox_translations", "pt"),
    ]
    monkeypatch.setattr("monitor.store.changes.findings.find_unconfirmed", lambda *_: found)
    make_job(tmp_path / "jobs", noise={"share": 0.5}, confirm={"daily_budget": 31})
    code, _, said = monitor("run", "jobs/mini.toml", "--confirm")
    assert (code, "confirm.daily_budget = 31" in said) == (2, True)
    make_job(tmp_path / "jobs", noise={"share": 0.5}, confirm={"daily_budget": 32})
    code, said, why = monitor("run", "jobs/mini.toml", "--confirm", "--json")
    assert code == 0, why
    summary = json.loads(said)
    assert (summary["kind"], summary["answered"]) == ("confirm", 32)
    with ticked.read() as connection:
        assert runs.get_run(connection, summary["run"]).due_at == due_at
    found[:] = found[1:]
    code, _, said = monitor("run", "jobs/mini.toml", "--confirm")
    assert (code, "asked again now, it would not be confirmed" in said) == (2, True)


def test_a_tick_that_was_asked_again_in_vain_holds_up_no_other(monitor, ticked, monkeypatch):
    audit = load_audit(Path("jobs/mini.toml"))
    times = [NOW - timedelta(hours=2), NOW - timedelta(hours=1)]
    run_audit(ticked, audit, Scripted(portuguese(ITEMS)), times[1])
    found = [ToConfirm("mini", at, "firefox_translations", "pt") for at in times]
    monkeypatch.setattr(
        "monitor.store.changes.findings.find_unconfirmed", lambda *_: found
    )  # none is compared
    for at in times:
        code, said, why = monitor("run", "jobs/mini.toml", "--confirm", "--json")
        assert code == 0, why
        with ticked.read() as connection:
            assert runs.get_run(connection, json.loads(said)["run"]).due_at == at
    code, _, said = monitor("run", "jobs/mini.toml", "--confirm")
    assert code == 2
    assert all(f"{at:%Y-%m-%d %H:%M} UTC: " in " ".join(said.split()) for at in times)
