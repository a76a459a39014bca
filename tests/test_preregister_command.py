"""`monitor preregister`: declared once, before the first tick, and anybody can check the hash."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from monitor import docs
from monitor.model import RunKind
from monitor.store.jobs import declarations
from tests.command import program
from tests.engines.test_recorded import recorded_job, row, write
from tests.factories import (
    DUE,
    Scripted,
    make_audit,
    make_job,
    make_list,
    mini_items,
    portuguese,
    run_audit,
)
from tests.test_jobs_tables import DECLARED

HYPOTHESIS = "Čeština: it becomes [bold]less[/bold] stereotypical."
TABLE = DECLARED | {"hypothesis": HYPOTHESIS, "date": "2026-01-05"}


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def job(tmp_path):
    """A job that declares something."""
    return make_audit(tmp_path / "jobs", preregistration=TABLE)


def registered(database):
    with database.read() as connection:
        return declarations.find_registration(connection, "mini")


def test_what_is_declared_is_said_in_plain_words(monitor, sqlite_database, job):
    code, said, warned = monitor("preregister", "jobs/mini.toml")
    assert code == 0
    found = registered(sqlite_database)
    for line in (
        f"hypothesis: {HYPOTHESIS}",
        "tested first: f_s (stereotype rate p_m - p_f); the smallest change that matters is 0.05",
        "targets: pt",
        "a change is announced with a probability of at most 0.05",
        "stop rule: after 52 ticks",
        "decided on 2026-01-05",
        f"list mini@1: {job.lists[0].content_hash}",
        f"registered at {found.registered_at:%Y-%m-%d %H:%M:%S} UTC",
        f"hash: {found.hash}",
    ):
        assert line in said
    assert warned == ""
    with sqlite_database.read() as connection:
        assert declarations.read_registered_content(connection, "mini") == job.job.preregistration
        assert declarations.read_registered_content(connection, "other") is None


def test_the_command_of_the_docs_computes_the_hash(monitor, sqlite_database, job, tmp_path):
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    _, exported, _ = monitor("preregister", "jobs/mini.toml", "--show", "--json")
    page = (docs.ROOT / "docs" / "preregistration.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    (tmp_path / "declared.json").write_text(exported, encoding="utf-8")
    computed = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert computed.stdout.strip() == registered(sqlite_database).hash
    assert json.loads(exported)["hash"] == registered(sqlite_database).hash


def test_the_same_is_registered_once(monitor, sqlite_database, job):
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    first = registered(sqlite_database)
    run_audit(sqlite_database, job, Scripted(portuguese(mini_items())))
    code, said, _ = monitor("preregister", "jobs/mini.toml")
    assert (code, "was registered already at" in said) == (0, True)
    assert registered(sqlite_database) == first


def test_another_declaration_is_refused_and_the_first_counts(
    monitor, sqlite_database, job, tmp_path
):
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    first = registered(sqlite_database)
    make_job(tmp_path / "jobs", preregistration=TABLE | {"alpha": 0.1})
    code, _, said = monitor("preregister", "jobs/mini.toml")
    assert code == 2
    assert f"with the hash {first.hash}; the first declaration counts" in said
    assert "Different now: preregistration: option alpha 0.05 -> 0.1" in said
    assert registered(sqlite_database) == first
    code, said, warned = monitor("preregister", "jobs/mini.toml", "--show")
    assert (code, f"hash: {first.hash}" in said) == (0, True)
    assert "another now than what was declared: preregistration: option alpha 0.05" in warned


def test_after_the_first_tick_nothing_is_declared(monitor, sqlite_database, job):
    run_audit(sqlite_database, job, Scripted(portuguese(mini_items())))
    code, _, said = monitor("preregister", "jobs/mini.toml")
    assert code == 2
    assert "run 1 of the tick of 2025-01-06 05:00 UTC was begun on 20" in said
    assert "what is declared after the first tick is no preregistration" in said
    assert registered(sqlite_database) is None


def test_what_was_recorded_before_cannot_be_declared(monitor, sqlite_database, tmp_path):
    make_list(tmp_path / "jobs")
    recorded_job(tmp_path / "jobs", preregistration=TABLE)
    file = tmp_path / "jobs" / "translations.csv"
    write(file, [row("I am tired 1 1.", "Estou cansada.")])
    code, _, said = monitor("preregister", "jobs/mini.toml")
    assert (code, registered(sqlite_database)) == (2, None)
    assert "answers of 2023-05-01 are recorded already" in said
    file.unlink()
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    first = registered(sqlite_database)
    write(file, [row("I am tired 1 1.", "Estou cansada.")])
    code, said, _ = monitor("preregister", "jobs/mini.toml")
    assert (code, "was registered already at" in said) == (0, True)
    assert registered(sqlite_database) == first


def test_a_run_by_hand_before_it_is_said(monitor, sqlite_database, job):
    run_audit(sqlite_database, job, Scripted(portuguese(mini_items())), DUE, RunKind.MANUAL)
    code, _, warned = monitor("preregister", "jobs/mini.toml")
    assert (code, "run 1 was made by hand on" in warned) == (0, True)
    assert "run 1 was made by hand" in monitor("preregister", "jobs/mini.toml", "--show")[2]


def test_a_run_by_hand_after_it_is_not(monitor, sqlite_database, job):
    assert monitor("preregister", "jobs/mini.toml")[0] == 0
    run_audit(sqlite_database, job, Scripted(portuguese(mini_items())), DUE, RunKind.MANUAL)
    assert monitor("preregister", "jobs/mini.toml", "--show")[2] == ""


@pytest.mark.parametrize("flag", [(), ("--show",)])
def test_a_job_that_declares_nothing(monitor, sqlite_database, tmp_path, flag):
    make_audit(tmp_path / "jobs")
    code, said, why = monitor("preregister", "jobs/mini.toml", *flag)
    assert (code, said) == (2, "")
    assert ("has no table [preregistration]" in why) or ("nothing was declared for mini" in why)


def test_a_bad_table_is_named_and_nothing_is_written(monitor, sqlite_database, tmp_path):
    make_audit(tmp_path / "jobs")
    make_job(tmp_path / "jobs", preregistration=TABLE | {"targets": ["cs"]})
    code, _, why = monitor("preregister", "jobs/mini.toml")
    assert (code, "preregistration.targets: 'cs': no engine has it" in why) == (2, True)
    assert registered(sqlite_database) is None


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_both_databases_keep_what_the_hash_is_of(database, tmp_path):
    from monitor.model import digest
    from monitor.pipeline import jobs

    effects = {"f_s": 1, "f_m": 0.1 + 0.2}
    table = TABLE | {"smallest_effect": effects, "alpha": 1e-5}
    audit = make_audit(tmp_path / "jobs", preregistration=table)
    made = jobs.register_job(database, audit, DUE)
    assert made.is_new
    found = registered(database)
    assert found == made.registered
    assert found.hash == digest(found.content)
    assert found.registered_at == DUE
    assert not jobs.register_job(database, audit, DUE).is_new
    assert Path(audit.path).exists()
