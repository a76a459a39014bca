"""`monitor report weekly`, and that `monitor report` is what it was."""

import json

import pytest
from typer.testing import CliRunner

from monitor import settings
from monitor.cli import app
from monitor.model import InvalidInput
from tests.report import weeks as made


@pytest.fixture
def home(sqlite_database, tmp_path, monkeypatch):
    """The folder of an audit with five ticks."""
    made.small(sqlite_database)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    settings.load.cache_clear()
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, ["report", *arguments], catch_exceptions=True)


def test_it_writes_three_files_of_the_newest_week(home):
    done = run("weekly")
    assert done.exit_code == 0, done.output
    names = sorted(path.name for path in (home / "out" / "weekly").iterdir())
    assert names == [f"weekly-2025-12-22.{one}" for one in ("html", "json", "pdf")]
    assert "week to 2025-12-22: out/weekly/weekly-2025-12-22.json" in " ".join(done.stderr.split())


def test_a_date_a_job_and_formats_are_chosen(home):
    done = run("weekly", "--until", "2025-12-10", "--job", "mt-weekly", "--formats", "json",
               "--folder", str(home / "w"))  # fmt: skip
    assert done.exit_code == 0, done.output
    [path] = (home / "w").iterdir()
    assert path.name == "weekly-2025-12-10-mt-weekly.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert {row["due_at"][:10] for row in found["series"]} == {"2025-12-08"}
    assert {row["n_due"] for row in found["series"]} == {3}


@pytest.mark.parametrize(("missed", "code"), [((4,), 5), ((3,), 0)])
def test_a_week_that_nobody_ran_is_reported_and_ends_with_five(
    sqlite_database, tmp_path, monkeypatch, missed, code
):
    made.Weeks(sqlite_database, n_ticks=5).ticks(missed=missed)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    settings.load.cache_clear()
    done = run("weekly", "--formats", "json,html")
    assert done.exit_code == code, done.output
    [path] = (tmp_path / "out" / "weekly").glob("*.json")
    found = json.loads(path.read_text(encoding="utf-8"))["missing"]["not_asked"]
    assert found == (["mt-weekly"] if code else [])
    html = path.with_suffix(".html").read_text(encoding="utf-8")
    assert ("Nothing was asked in this week for mt-weekly" in html) is bool(code)
    said = "nothing was asked in this week, although it was due: mt-weekly;"
    assert (said in " ".join(done.stderr.split())) is bool(code)


@pytest.mark.parametrize(
    ("until", "is_past"), [("2030-01-01", True), ("2025-12-29", True), ("2025-12-28", False)]
)
def test_a_date_past_the_newest_tick_is_said(home, until, is_past):
    done = run("weekly", "--until", until, "--formats", "json")
    assert done.exit_code == 0, done.output
    said = "note: no tick was due in this week; the newest due tick is of 2025-12-22"
    assert (said in " ".join(done.stderr.split())) is is_past
    assert "note:" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["weekly", "--until", "10.12.2025"], "write a date as"),
        (["weekly", "--formats", "docx"], "name any of html, json, pdf"),
        (["weekly", "--formats", ","], "name any of html, json, pdf"),
        (["weekly", "--job", "nobody"], "no job 'nobody'; known: "),
        (["weekly", "--until", "1999-01-01", "--job", "mt-weekly"], "nothing of mt-weekly was due"),
        (
            ["weekly", "--until", "1999-01-01"],
            "--until 1999-01-01: nothing of this archive was due",
        ),
        (["--run", "1", "weekly"], "write them after it"),
        (["--run", "99"], "no run 99 in this database"),
    ],
)
def test_what_cannot_be_used_is_named(home, arguments, said):
    done = run(*arguments)
    assert isinstance(done.exception, InvalidInput)
    assert said in str(done.exception)


def test_the_report_of_a_run_is_the_command_itself(home):
    done = run("--run", "5", "--output", str(home / "r.html"), "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["run"]["id"] == 5
    assert (home / "r.html").exists()
