"""Weekly reports by schedule: when they are due, that they are made once, and what is raised."""

import hashlib
import json
import shutil
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor import settings
from monitor.model import StoreProblem
from monitor.pipeline import notices as telling
from monitor.pipeline import reports
from monitor.pipeline.reports import make_report, report_what_is_due
from monitor.stages.notices import NoticeRules
from monitor.store import schema
from monitor.store.journal import events, notifications
from monitor.store.reports import run_list
from tests.looked_after import watch
from tests.report import weeks as made
from tests.report.weeks import FIRST, WEEK

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TABLE = {"cron": "0 8 * * mon", "folder": "weekly", "formats": ["json", "html"]}
#: Three hours after each tick.
DUE = FIRST + 4 * WEEK + 3 * HOUR


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Where reports are put."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path / "home"))
    settings.load.cache_clear()
    return tmp_path / "home"


@pytest.fixture
def weeks(database, home):
    """A job of five ticks that is watched since the fourth, with a report each week."""
    found = made.small(database, report=TABLE)
    watch(database, "mt-weekly", since=FIRST + 3 * WEEK + 4 * HOUR, report=TABLE)
    return found


def rows(database):
    with database.read() as connection:
        query = sa.select(schema.reports).order_by(schema.reports.c.due_at)
        return connection.execute(query).all()


def alarms(database):
    with database.read() as connection:
        return {(one.kind, one.subject): one.detail for one in events.list_open_alarms(connection)}


def run_again(weeks, state, due_at):
    """Another run of the job, which is in this state."""
    with weeks.database.begin() as connection:
        made.insert(
            connection, schema.runs, job_id=weeks.job_id, job=weeks.name, due_at=due_at,
            kind="scheduled", code_version="1", packages={}, created_at=due_at, state=state,
            finished_at=None,
        )  # fmt: skip


def test_nothing_is_done_before_a_report_is_due(weeks):
    assert report_what_is_due(weeks.database, DUE - HOUR) == []
    assert rows(weeks.database) == []


def test_a_due_report_is_made_once_and_says_its_digest(weeks, home):
    [found] = report_what_is_due(weeks.database, DUE + timedelta(minutes=1))
    names = ["weekly-2025-12-22-mt-weekly.html", "weekly-2025-12-22-mt-weekly.json"]
    assert sorted(path.name for path in (home / "weekly").iterdir()) == names
    [row] = rows(weeks.database)
    assert (row.state, row.due_at, row.folder) == ("made", DUE, "weekly")
    content = (home / "weekly" / names[1]).read_bytes()
    assert row.digest == found.digest == hashlib.sha256(content).hexdigest()
    assert datetime.fromisoformat(json.loads(content)["until"]) == DUE
    assert row.digest in (home / "weekly" / names[0]).read_text(encoding="utf-8")
    assert report_what_is_due(weeks.database, DUE + HOUR) == []
    assert alarms(weeks.database) == {}


def test_a_report_that_is_made_late_is_the_one_that_was_due(weeks, home):
    report_what_is_due(weeks.database, DUE)
    [path] = (home / "weekly").glob("*.json")
    first = path.read_bytes()
    with weeks.database.begin() as connection:
        connection.execute(sa.delete(schema.reports))
    found = report_what_is_due(weeks.database, DUE + 2 * WEEK)
    assert [one.until for one in found] == [DUE, DUE + WEEK, DUE + 2 * WEEK]
    assert path.read_bytes() == first


def test_it_waits_for_a_run_then_is_late_then_is_made_of_what_is_there(weeks):
    run_again(weeks, "running", DUE - HOUR)
    database = weeks.database
    assert report_what_is_due(database, DUE) == []
    assert alarms(database) == {}
    assert report_what_is_due(database, DUE + 2 * HOUR) == []
    assert set(alarms(database)) == {("report_late", "mt-weekly")}
    assert "runs of mt-weekly go on" in alarms(database)["report_late", "mt-weekly"]
    assert [row.state for row in rows(database)] == ["due"]
    [found] = report_what_is_due(database, DUE + 13 * HOUR)
    assert found.until == DUE
    assert alarms(database) == {}


def test_a_report_that_cannot_be_written_is_failed_raised_and_tried_again(weeks, home):
    home.mkdir()
    (home / "weekly").write_text("in the way")
    database = weeks.database
    assert report_what_is_due(database, DUE) == []
    [row] = rows(database)
    assert row.state == "failed"
    assert "cannot be written" in row.reason
    assert set(alarms(database)) == {("report_failed", "mt-weekly")}
    assert "cannot be written" in alarms(database)["report_failed", "mt-weekly"]
    (home / "weekly").unlink()
    assert report_what_is_due(database, DUE + HOUR / 2) == []  # not every minute
    assert len(report_what_is_due(database, DUE + HOUR)) == 1
    assert [row.state for row in rows(database)] == ["made"]
    assert alarms(database) == {}


def test_a_fault_of_the_program_is_failed_and_ends_nothing(weeks, monkeypatch, caplog):
    def broken(*_given, **_named):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(reports, "make_report", broken)
    assert report_what_is_due(weeks.database, DUE) == []
    [row] = rows(weeks.database)
    assert row.reason == "ZeroDivisionError: by zero"
    assert "Traceback" in caplog.text


def test_reports_of_a_clock_that_was_ahead_are_taken_back_and_made_in_their_time(weeks, home):
    database = weeks.database
    report_what_is_due(database, DUE)
    [path] = (home / "weekly").glob("*12-22*.json")
    content, ahead = path.read_bytes(), DUE + 10 * WEEK
    assert len(report_what_is_due(database, ahead)) == reports.MOST_OWED
    assert report_what_is_due(database, DUE + HOUR) == []
    assert [row.due_at for row in rows(database)] == [DUE]
    assert path.read_bytes() == content
    found = [report_what_is_due(database, DUE + n * WEEK) for n in (1, 2, 10)]
    assert [len(one) for one in found] == [1, 1, 8]
    assert [row.due_at for row in rows(database)] == [DUE + n * WEEK for n in range(11)]
    with database.read() as connection:
        [said] = events.list_newest(connection, 9, "reports_taken_back")
    assert (said.subject, said.at) == ("mt-weekly", DUE + HOUR)
    assert f"8 reports, the first due at {DUE + 3 * WEEK:%Y-%m-%d %H:%M} UTC" in said.detail


def told(database, now):
    """What people would be told now."""
    telling.write_notices(database, ("findings",), NoticeRules(), now)
    with database.read() as connection:
        return [(one.kind, one.subject) for one in notifications.list_newest(connection, 99)][::-1]


@pytest.mark.parametrize(
    ("lost", "said"),
    [(False, "“Page one: systems”, “What changed”, "), (True, reports.UNKNOWN)],
)
def test_who_was_told_of_a_report_that_is_made_anew_is_told_in_what_it_differs(
    weeks, home, lost, said
):
    database, later = weeks.database, DUE + WEEK
    report_what_is_due(database, DUE)
    about = [("digest", f"digest:mt-weekly/{at:%Y-%m-%dT%H:%MZ}") for at in (DUE, later)]
    assert told(database, DUE) == about[:1]
    report_what_is_due(database, later)  # by a clock that is ahead: nothing of that week is there
    assert told(database, later) == about
    with database.begin() as connection:
        every = sa.update(schema.notices).values(state="sent", tries=1, sent_at=later)
        connection.execute(every)
    report_what_is_due(database, DUE + HOUR)
    if lost:
        shutil.rmtree(home / "weekly")
    weeks.n_ticks += 1
    with database.begin() as connection:
        weeks.run(connection, 5)
        weeks.look(connection, 5)
    report_what_is_due(database, later)
    assert told(database, later) == [*about, ("corrected", about[1][1])]
    assert told(database, later + HOUR) == [*about, ("corrected", about[1][1])]
    with database.read() as connection:
        [event] = events.list_newest(connection, 9, reports.MADE_ANEW)
        assert event.detail.startswith(said)
        assert f"Differs in: {said}" in notifications.list_newest(connection, 1)[0].body


def test_a_report_that_is_made_anew_and_says_the_same_is_told_once(weeks):
    database, later = weeks.database, DUE + WEEK
    report_what_is_due(database, later)
    before = told(database, later)
    assert len(before) == 2
    report_what_is_due(database, DUE + HOUR)
    report_what_is_due(database, later)
    assert told(database, later) == before


@pytest.mark.parametrize(("minute", "waits"), [(30, False), (90, True)])
def test_the_week_that_a_report_waits_for_is_that_of_its_clock(weeks, minute, waits):
    """Clocks in Vienna were put forward on 2026-03-29: that week has an hour less."""
    due = datetime(2026, 3, 30, 9, tzinfo=ZoneInfo("Europe/Vienna"))
    run_again(weeks, "running", datetime(2026, 3, 23, 8, tzinfo=due.tzinfo) + minute * MINUTE)
    report = run_list.StoredReport(1, "mt-weekly", due.astimezone(UTC), "due", "", "", "", None)
    found = reports._waits_for(weeks.database, report, [], due.tzinfo, due.astimezone(UTC))
    assert found == (["mt-weekly"] if waits else [])


def test_an_alarm_of_a_report_that_is_taken_back_ends(weeks, home):
    report_what_is_due(weeks.database, DUE)
    shutil.rmtree(home / "weekly")
    (home / "weekly").write_text("in the way")
    assert report_what_is_due(weeks.database, DUE + 10 * WEEK) == []
    assert set(alarms(weeks.database)) == {
        ("report_failed", "mt-weekly"), ("report_late", "mt-weekly"),
    }  # fmt: skip
    assert report_what_is_due(weeks.database, DUE + HOUR) == []
    assert alarms(weeks.database) == {}


def test_a_clock_that_is_set_back_by_seconds_takes_nothing_back(weeks):
    report_what_is_due(weeks.database, DUE)
    assert report_what_is_due(weeks.database, DUE - timedelta(seconds=30)) == []
    assert [row.state for row in rows(weeks.database)] == ["made"]


def test_a_report_without_the_library_of_pdf_has_the_other_forms(weeks, home, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    watch(weeks.database, "other", since=FIRST, report=TABLE | {"formats": ["pdf", "html"],
          "covers": "all"})  # fmt: skip
    report_what_is_due(weeks.database, DUE)
    assert ("report_failed", "other") in alarms(weeks.database)
    assert (home / "weekly" / "weekly-2025-12-22.html").exists()


def test_alarms_of_a_job_that_is_not_watched_any_more_end(weeks, home):
    home.mkdir()
    (home / "weekly").write_text("in the way")
    report_what_is_due(weeks.database, DUE)
    assert alarms(weeks.database)
    with weeks.database.begin() as connection:
        connection.execute(sa.update(schema.watched_jobs).values(is_active=False))
    report_what_is_due(weeks.database, DUE + HOUR)
    assert alarms(weeks.database) == {}


def test_a_job_without_the_table_has_no_report(database, home):
    made.small(database)
    watch(database, "mt-weekly", since=FIRST)
    assert report_what_is_due(database, DUE) == []
    assert rows(database) == []


def test_all_three_forms_are_files_that_appear_whole(sqlite_database, tmp_path, home):
    made.small(sqlite_database)
    folder = tmp_path / "new" / "folder"
    zone = settings.load().zone
    first = make_report(sqlite_database, [], None, zone, folder)
    contents = {path.name: path.read_bytes() for path in first.paths}
    assert sorted(contents) == [f"weekly-2025-12-22.{one}" for one in ("html", "json", "pdf")]
    assert contents["weekly-2025-12-22.pdf"].startswith(b"%PDF")
    again = make_report(sqlite_database, [], None, zone, folder)
    assert {path.name: path.read_bytes() for path in again.paths} == contents
    assert {path.name for path in folder.iterdir()} == set(contents)


def test_a_folder_that_is_none_is_said(sqlite_database, tmp_path, home):
    made.small(sqlite_database)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreProblem, match="cannot be written"):
        make_report(sqlite_database, [], None, settings.load().zone, tmp_path / "file", ["json"])
