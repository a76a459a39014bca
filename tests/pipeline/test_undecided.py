"""A tick that cannot be decided: an alarm, words everywhere, and decided once the cause is gone."""

import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor import pipeline, settings
from monitor.cli.schedule import jobs as _status
from monitor.daemon.upkeep import StaleRunRenewer
from monitor.model import InvalidInput, RunKind, RunState, StoreBusy
from monitor.pipeline.changes import conclusion
from monitor.pipeline.collect.run_context import never
from monitor.pipeline.collect.run_starts import pairs_of
from monitor.pipeline.schedule.supervision import supervise_jobs
from monitor.stages.document import html
from monitor.stages.reports.weekly import report
from monitor.store.changes import findings as changes
from monitor.store.changes import series as series_store
from monitor.store.collect import runs
from monitor.store.schedule import tasks
from monitor.store.schema import alarms, looks, stages_done
from monitor.web.site.pages import series as series_page
from monitor.web.site.pages.operations import read_operations as operations
from monitor.work.perform import WorkerContext, perform_task
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit

WEEK = timedelta(weeks=1)
ITEMS = mini_items(4)
FAULT = "no degrees of freedom"


def broken(*_):
    raise ValueError(FAULT)


class Job:
    """Weekly ticks of a job, of which the second one fails in detection."""

    def __init__(self, database, folder):
        self.database, self.audit = database, make_audit(folder, items=ITEMS)

    def tick(self, number):
        return run_audit(
            self.database, self.audit, Scripted(portuguese(ITEMS)), DUE + number * WEEK
        )

    def confirm(self, number):
        at = DUE + number * WEEK
        begun = pipeline.start_confirm(self.database, self.audit, at, pairs_of(self.audit))
        return pipeline.run(
            self.database, self.audit, begun.run, Scripted(portuguese(ITEMS)), quiet
        )

    def alarms(self):
        query = sa.select(alarms).where(alarms.c.kind == "undecided").order_by(alarms.c.id)
        with self.database.read() as connection:
            return [
                (row.subject, row.detail, row.resolved_at is None)
                for row in connection.execute(query)
            ]

    def undecided(self):
        with self.database.read() as connection:
            return [(run.kind, run.due_at) for run in runs.find_undecided(connection)]

    def decided(self):
        with self.database.read() as connection:
            return [one.due_at for one in changes.read_ledger(connection, "mini")]

    def kept(self):
        with self.database.read() as connection:
            return runs.list_ended(connection)


@pytest.fixture
def job(database, tmp_path):
    return Job(database, tmp_path)


@pytest.fixture
def failing(job, monkeypatch):
    """Two ticks; detection of the second failed, and would work by now."""
    job.tick(0)
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", broken)
        assert job.tick(1).state is RunState.DONE  # what was measured is measured
    return job


def is_over(job):
    """Every tick is decided, and the alarm has ended."""
    [(_, _, is_open)] = job.alarms()
    return not job.undecided() and not is_open and len(job.decided()) == len(job.kept())


@pytest.mark.both_databases
def test_a_fault_in_detection_is_an_alarm_with_its_reason(failing):
    [(subject, detail, is_open)] = failing.alarms()
    assert (subject, is_open) == ("mini", True)
    assert f"ValueError: {FAULT}" in detail
    assert "1 run is not decided: 2025-01-13 05:00 UTC" in detail
    assert failing.undecided() == [(RunKind.SCHEDULED, DUE + WEEK)]
    assert failing.decided() == [DUE]


def test_it_is_said_by_status_operations_series_and_report(failing):
    found = _status.read_status(failing.database)
    assert [row["job"] for row in found["undecided"]] == ["mini"]
    assert _status.needs_somebody(found)
    assert json.dumps(found["undecided"])
    with failing.database.read() as connection:
        page = operations(connection, datetime.now(UTC), [])
        told = report.make_weekly(
            connection, ["mini"], DUE + WEEK + timedelta(hours=1), ZoneInfo("UTC")
        )
        number = connection.execute(sa.text("SELECT MIN(id) FROM series_keys")).scalar()
        history = series_store.read_history(connection, series_store.get_series(connection, number))
        undecided_said = series_page.say_undecided(connection, history)
    assert [one.kind for one in page.alarms] == ["undecided"]
    [row] = told.numbers["missing"]["undecided"]
    assert row["due_at"] == [DUE + WEEK]
    said = "1 run is not decided: 2025-01-13 05:00 UTC"
    assert said in re.sub(r"<[^>]*>", "", html.html(told.document))
    assert said in undecided_said


def test_the_alarm_stands_with_its_reason_until_the_tick_is_decided(failing):
    before = failing.alarms()
    supervise_jobs(failing.database, datetime.now(UTC) + timedelta(days=1))
    assert failing.alarms() == before


@pytest.mark.both_databases
def test_a_tick_that_nobody_noticed_is_found_by_its_missing_row_of_the_ledger(job):
    job.tick(0)
    now = datetime.now(UTC)
    with job.database.begin() as connection:  # as an older version left it
        connection.execute(sa.delete(looks))
        connection.execute(sa.delete(stages_done).where(stages_done.c.stage == "compare"))
    supervise_jobs(job.database, now)
    assert job.alarms() == []  # it has just ended, and may be being compared
    supervise_jobs(job.database, now + timedelta(minutes=20))
    [(subject, detail, is_open)] = job.alarms()
    assert (subject, is_open) == ("mini", True)
    assert detail == "1 run is not decided: 2025-01-06 05:00 UTC; remedy: monitor redo"
    pipeline.conclude_after(job.database, job.kept(), quiet)
    supervise_jobs(job.database, now + timedelta(minutes=21))
    assert is_over(job)


def test_a_mark_without_a_row_of_the_ledger_is_no_decision(job):
    job.tick(0)
    with job.database.begin() as connection:
        connection.execute(sa.delete(looks))
    assert job.undecided() == [(RunKind.SCHEDULED, DUE)]
    assert pipeline.conclude_after(job.database, job.kept(), quiet) == 1
    assert job.undecided() == []


def by_the_next_tick(job):
    job.tick(2)


def by_redo(job):
    pipeline.conclude_after(job.database, job.kept(), quiet)


def by_the_daemon(job):
    StaleRunRenewer(job.database).look(datetime.now(UTC) + timedelta(minutes=20))
    shop = WorkerContext(job.database, settings.load(), quiet, never)
    with job.database.read() as connection:
        [task] = tasks.find_ready(connection, datetime.now(UTC))
    perform_task(shop, task.id)


@pytest.mark.parametrize("decide", [by_the_next_tick, by_redo, by_the_daemon])
def test_it_is_decided_once_the_cause_is_gone(failing, decide):
    decide(failing)
    assert is_over(failing)


def test_the_daemon_tries_again_once_an_hour(failing, monkeypatch):
    monkeypatch.setattr(conclusion, "detect_changes", broken)
    renewing, now = StaleRunRenewer(failing.database), datetime.now(UTC) + timedelta(minutes=20)
    shop = WorkerContext(failing.database, settings.load(), quiet, never)
    done = []
    for minutes in (0, 5, 61):
        renewing.look(now + timedelta(minutes=minutes))
        with failing.database.read() as connection:
            planned = tasks.find_ready(connection, datetime.now(UTC))
        done.append(len(planned))
        for task in planned:
            perform_task(shop, task.id)
    assert done == [1, 0, 1]
    [(_, _, is_open)] = failing.alarms()
    assert is_open


def test_asking_again_that_cannot_be_compared_is_not_silent_either(job, monkeypatch):
    job.tick(0)
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "compare_run", broken)
        job.confirm(0)
    assert job.undecided() == [(RunKind.CONFIRM, DUE)]
    [(_, detail, is_open)] = job.alarms()
    assert is_open
    assert FAULT in detail
    job.tick(1)
    assert job.undecided() == []
    assert not job.alarms()[0][2]


def test_a_decision_that_fails_later_is_none_any_more(job, monkeypatch):
    job.tick(0)
    [run] = job.kept()
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", broken)
        pipeline.conclude(job.database, job.audit, run, quiet)
    assert job.undecided() == [(RunKind.SCHEDULED, DUE)]
    pipeline.conclude(job.database, job.audit, run, quiet)
    assert is_over(job)


def test_a_job_that_cannot_be_read_is_an_alarm_as_well(job, monkeypatch):
    def unreadable(*_):
        raise InvalidInput("jobs/mini.toml: gone")

    monkeypatch.setattr(conclusion, "detect_changes", unreadable)
    job.tick(0)
    [(_, detail, _)] = job.alarms()
    assert detail.endswith("jobs/mini.toml: gone")


def test_a_database_that_is_away_is_no_fault_of_a_tick(job, monkeypatch):
    def away(*_):
        raise StoreBusy("busy")

    job.tick(0)
    [run] = job.kept()
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", away)
        with pytest.raises(StoreBusy):
            pipeline.conclude(job.database, job.audit, run, quiet)
    assert job.alarms() == []
