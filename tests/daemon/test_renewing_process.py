"""Real daemons and workers of a newer version: charts go over, also through a kill."""

import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from monitor import pipeline
from monitor.cli.schedule.jobs import read_status as status
from monitor.jobs import load_audit
from monitor.work import queue
from monitor.work.outside import open_fetcher
from tests.daemon.conftest import OWN
from tests.daemon.test_process import YEARLY, Installation, ended, until
from tests.factories import DUE, mini_items, portuguese, rows, run_audit
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate
from tests.test_redo import chart

ROOT = Path(__file__).parents[2]
WEEKS = 4


class Updated(Installation):
    """An installation that has asked for some weeks; its next processes are of a newer version."""

    def __init__(self, database, home, **environment):
        super().__init__(database, home)
        self.environment = {"PYTHONPATH": str(ROOT)} | environment

    def ask(self, weeks=WEEKS):
        """What the version before has asked and computed."""
        with serve(LibreTranslate(translations=portuguese(mini_items()))) as running:
            engine = OWN | {"pace": 1000.0, "config": {"base_url": running.url}}
            content = {"engines": [engine], "schedule": YEARLY, "contact": "tests@monitor.test"}
            audit = load_audit(self.place.job(**content))
            with open_fetcher(pipeline.sample_requests(audit), audit.job.contact) as fetcher:
                for week in range(weeks):
                    run_audit(self.database, audit, fetcher, DUE + week * timedelta(weeks=1))
        assert chart(self.database) == [1.0] * weeks

    def begun(self, *arguments, **environment):
        environment = {**os.environ, **self.environment, **environment}
        return self.started(*arguments, module="tests.updated", **environment)

    def planned(self):
        return rows(self.database, "SELECT state, tries FROM tasks WHERE stage = 'redo'")

    def stop(self, *processes):
        for process in processes:
            process.send_signal(signal.SIGTERM)
        assert [ended(process)[0] for process in processes] == [0] * len(processes)


def is_over(here):
    return chart(here.database) == [-1.0] * WEEKS


def killed(process):
    assert process.wait(120) == -signal.SIGKILL


def settled(here):
    """Nothing was done twice, and nothing is left."""
    assert rows(here.database, "SELECT id FROM tasks WHERE state = 'open'") == []
    assert {row["state"] for row in here.planned()} == {"done"}
    sql = "SELECT COUNT(*) AS n FROM agreements"
    assert rows(here.database, sql)[0]["n"] == 2 * WEEKS * 32
    switched = rows(here.database, "SELECT COUNT(*) AS n FROM switches")[0]["n"]
    assert switched == rows(here.database, "SELECT COUNT(*) AS n FROM series_keys")[0]["n"]


def test_a_daemon_of_a_newer_version_does_it_through_a_kill(sqlite_database, tmp_path):
    here = Updated(sqlite_database, tmp_path)
    try:
        here.ask()
        killed(here.begun("daemon", "--jobs", "jobs", DIES_AT="2"))
        assert chart(here.database) == [1.0] * WEEKS
        found = status(here.database)
        assert found["redo"] == [{"job": "mini", "done": 1, "planned": WEEKS, "is_by_itself": True}]
        daemon = here.begun("daemon", "--jobs", "jobs")
        until(lambda: is_over(here), "the charts to go over")
        until(lambda: rows(here.database, "SELECT * FROM events WHERE kind = 'redone'"), "the end")
        here.stop(daemon)
        settled(here)
    finally:
        here.end()


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_workers_of_a_newer_version_do_it_through_a_kill(database, database_url, tmp_path):
    queue.ensure_queue(database)
    here = Updated(database, tmp_path, MONITOR_DATABASE_URL=database_url, MONITOR_LEASE_SECONDS="2")
    try:
        here.ask()
        daemon = here.begun("daemon", "--jobs", "jobs")
        killed(here.begun("worker", DIES_AT="2"))
        assert chart(here.database) == [1.0] * WEEKS
        worker = here.begun("worker")
        until(lambda: is_over(here), "the charts to go over")
        until(lambda: rows(here.database, "SELECT * FROM events WHERE kind = 'redone'"), "the end")
        here.stop(daemon, worker)
        settled(here)
    finally:
        here.end()
