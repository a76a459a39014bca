"""`monitor report`: where the file goes, which run it is of, and what it says when it cannot."""

import json
import stat

import pytest

from monitor import settings
from monitor.cli import reports as command
from monitor.model import InvalidInput
from tests.factories import Scripted, make_audit, mini_items, portuguese, run_audit
from tests.report.conftest import run_small


@pytest.fixture
def home(small_sqlite, tmp_path, monkeypatch):
    """The folder of an audit with a run of the job `mini`, as the command finds it."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_makes_the_folder_and_says_where_the_file_is(home, capsys):
    path = home / "new" / "folder" / "report.html"
    command.report(output=path)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    said = capsys.readouterr()
    assert said.out == ""
    assert "report of run 1 (mini)" in said.err
    assert [entry.name for entry in path.parent.iterdir()] == ["report.html"]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_it_takes_the_newest_run_or_the_one_that_is_named(home, small_sqlite, capsys):
    items = mini_items(2)
    audit = make_audit(home / "other", items=items, name="other")
    run_audit(small_sqlite, audit, Scripted(portuguese(items)))
    for chosen, run in (({}, 2), ({"job": "mini"}, 1), ({"run": 1}, 1), ({"job": "other"}, 2)):
        command.report(output=home / "report.html", **chosen)
        assert f"report of run {run} (" in capsys.readouterr().err


def test_a_name_that_ends_in_pdf_makes_the_same_bytes_each_time(home, capsys):
    for name in ("first.pdf", "second.PDF"):
        command.report(output=home / name)
        assert f"report of run 1 (mini): {home / name}" in capsys.readouterr().err.replace("\n", "")
    made = (home / "first.pdf").read_bytes()
    assert made.startswith(b"%PDF")
    assert made == (home / "second.PDF").read_bytes()


def test_json_goes_to_standard_output(home, capsys):
    command.report(output=home / "report.html", as_json=True)
    assert json.loads(capsys.readouterr().out)["run"]["id"] == 1


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"job": "nothing"}, "no job 'nothing'; known: "),
        ({"run": 7}, "no run 7 in this database"),
        ({"run": 1, "job": "nothing"}, "no job 'nothing'; known: "),
    ],
)
def test_a_run_that_is_not_there_is_an_error(home, chosen, said):
    with pytest.raises(InvalidInput, match=said):
        command.report(output=home / "report.html", **chosen)
    assert not (home / "report.html").exists()


def test_without_any_run_it_says_what_to_do(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"monitor run jobs/demo\.toml"):
        command.report(output=tmp_path / "report.html")


def test_an_unknown_time_zone_is_named(home, monkeypatch):
    monkeypatch.setenv("MONITOR_TIME_ZONE", "Mars/Olympus")
    settings.load.cache_clear()  # the run before has read them
    with pytest.raises(InvalidInput, match="MONITOR_TIME_ZONE: 'Mars/Olympus'"):
        command.report(output=home / "report.html")


def test_a_fault_while_writing_leaves_the_old_report(home, monkeypatch):
    path = home / "report.html"
    path.write_text("old")

    def fail(_descriptor):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        command.report(output=path)
    assert path.read_text() == "old"
    assert not [entry for entry in home.iterdir() if entry.name.startswith(("tmp", ".report"))]


def test_two_targets_of_one_engine_stand_side_by_side(sqlite_database, tmp_path, monkeypatch):
    """One stereotype chart each, one point each in the plane, ids that do not clash."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    run_small(sqlite_database, tmp_path, targets=("pt", "pt-PT"))
    command.report(output=tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "B: Firefox Translations (Bergamot models), English to Portuguese (pt-PT)" in html
    assert html.count('id="rates-') == 4
