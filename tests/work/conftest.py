"""Runs as the daemon begins them, loopback servers, and worker processes."""

import os
import threading
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline, settings
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import TOGETHER
from monitor.store.schema import attempts, exchanges, runs
from monitor.work import queue
from monitor.work.perform import WorkerContext
from tests import warm
from tests.factories import DUE, make_job, make_list, mini_items
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate

PATIENCE = 120.0


class Watched(LibreTranslate):
    """Counts how many requests it has at once, and waits before some if it is told to."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.most, self._now, self._gate = 0, 0, threading.Lock()

    def __call__(self, request, wire):
        with self._gate:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            super().__call__(request, wire)
        finally:
            with self._gate:
                self._now -= 1


@contextmanager
def server(**changes):
    with serve(Watched(**changes)) as running:
        yield running


def use(running, **changes):
    """A server as an engine of a job."""
    base = {"name": "libretranslate", "targets": ["pt"], "pace": 1000.0, "own": True}
    return base | {"config": {"base_url": running.url}} | changes


def lane(running):
    return f"libretranslate@{running.url.removeprefix('http://')}"


def until(condition, what):
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    pytest.fail(f"waited in vain for {what}")


class Site:
    """An installation: a database, a folder of jobs, and what a test does with them."""

    def __init__(self, database, folder):
        self.database, self.folder = database, folder
        self._due = DUE
        make_list(folder, items=mini_items(1))

    def begin(self, *engines, **changes):
        """A run with its tasks, as the daemon begins it."""
        audit = load_audit(make_job(self.folder, engines=list(engines), **changes))
        self._due += timedelta(days=7)
        run = pipeline.start(self.database, audit, RunKind.SCHEDULED, self._due)
        lanes = [TOGETHER] if audit.job.synchronised else list(pipeline.by_lane(audit))
        with self.database.begin() as connection:
            tasks.plan_tasks(connection, run.id, lanes)
        return run

    def shop(self, stop=lambda: False):
        return WorkerContext(self.database, settings.load(), lambda *_: None, stop)

    def tasks(self, run):
        with self.database.read() as connection:
            return tasks.list_run_tasks(connection, run.id)

    def scalar(self, query):
        with self.database.read() as connection:
            return connection.execute(query).scalar_one()

    def states(self):
        """The states of all runs, oldest first."""
        with self.database.read() as connection:
            return list(connection.execute(sa.select(runs.c.state).order_by(runs.c.id)).scalars())

    def events(self, kind):
        """(subject, detail) of what happened."""
        query = sa.text("SELECT subject, detail FROM events WHERE kind = :kind ORDER BY id")
        with self.database.read() as connection:
            return [tuple(row) for row in connection.execute(query, {"kind": kind})]

    def is_exactly_once(self, questions):
        """Every question has one final attempt, one answer, and no exchange belongs to nothing."""
        final = self.scalar(sa.select(sa.func.count()).where(attempts.c.final))
        answered = self.scalar(
            sa.select(sa.func.count(sa.distinct(attempts.c.exchange_id))).where(attempts.c.final)
        )
        stored = self.scalar(sa.select(sa.func.count()).select_from(exchanges))
        return (final, answered, stored) == (questions,) * 3


@pytest.fixture
def dialect():
    """Workers share PostgreSQL; a test for both databases parametrizes this anew."""
    return "postgresql"


@pytest.fixture
def site(database, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_CONTACT", "tests@monitor.test")
    queue.ensure_queue(database)
    return Site(database, tmp_path)


class Process:
    """A worker of its own, and what it said."""

    def __init__(self, module, words, environment, folder, log):
        self.log = log
        with log.open("wb") as said:
            self.popen = warm.begin(
                module, words, folder=folder, environment=environment, said=said
            )

    def send(self, number):
        self.popen.send_signal(number)

    def wait(self):
        """Its exit code."""
        return self.popen.wait(PATIENCE)

    @property
    def said(self):
        return self.log.read_text(errors="replace")


@pytest.fixture
def start(site, database_url):
    """A function that starts a worker as a process; all of them are ended with the test."""
    started = []

    def begin(*arguments, command=("monitor.cli", "worker"), **changes):
        environment = {
            **{name: text for name, text in os.environ.items() if name in ("PATH", "HOME")},
            "MONITOR_DATABASE_URL": database_url,
            "MONITOR_CONTACT": "tests@monitor.test",
            "MONITOR_LOG_LEVEL": "info",
            **changes,
        }
        log = site.folder / f"worker-{len(started)}.log"
        module, *words = command
        started.append(Process(module, [*words, *arguments], environment, site.folder, log))
        return started[-1]

    yield begin
    for one in started:
        if one.popen.poll() is None:
            one.popen.kill()
            one.popen.wait()
