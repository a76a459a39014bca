"""`Place`: a folder of job files, a database, and a clock that a test sets."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor import settings
from monitor.daemon.recorded_runner import RecordedRunner
from monitor.daemon.ticking import RerunScheduler, TickScheduler
from monitor.daemon.watching import JobWatcher
from monitor.model import RunState, Stage, TaskState
from monitor.pipeline.collect.run_context import never
from monitor.store.collect import runs
from monitor.store.schedule import tasks, ticks
from monitor.work.perform import WorkerContext
from tests.factories import make_job, make_list, quiet, rows

#: A Monday; the weekly job of these tests is due at 05:00.
MONDAY = datetime(2026, 3, 2, 5, tzinfo=UTC)
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)
MINUTE = timedelta(minutes=1)

#: An engine of one's own that nothing in these tests asks.
OWN = {
    "name": "libretranslate",
    "targets": ["pt"],
    "own": True,
    "config": {"base_url": "http://127.0.0.1:9"},
}


def schedule(cron="0 5 * * mon", **more):
    return {"cron": cron, **more}


class Place:
    """What a daemon does in a round, without its loop."""

    def __init__(self, database, folder):
        self.database, self.folder = database, folder
        self.shop = WorkerContext(database, settings.load(), quiet, never)
        self.woken = 0
        self.restart()

    def restart(self):
        """Forget all that was in memory."""
        self.past = RecordedRunner(self.shop)
        self.watching = JobWatcher(self.database, self.folder, self._before_change)
        self.ticking = TickScheduler(self.shop, self.watching.jobs, self.past, self._wake)
        self.again = RerunScheduler(self.shop, self.watching.jobs, self._wake)

    def _before_change(self, job, now):
        self.ticking.note_ticks(job, now)

    def _wake(self):
        self.woken += 1

    def job(self, name="mini", file=None, **changes):
        content = {"name": name, "engines": [OWN], "schedule": schedule()} | changes
        return make_job(self.folder, file or f"{name}.toml", **content)

    def at(self, now):
        """One round at a time."""
        self.watching.poll_folder(now)
        for name in self.ticking.to_look_at(now):
            self.ticking.note_ticks(self.watching.jobs[name], now)
        self.ticking.begin_ticks(now)
        self.ticking.heal_ticks(now)
        self.again.begin_reruns(now)

    def ticks(self, job="mini"):
        with self.database.read() as connection:
            return ticks.list_newest(connection, job, 1000)[::-1]

    def states(self, job="mini"):
        """[(due, state)] of a job, the oldest first."""
        return [(tick.due_at, str(tick.state)) for tick in self.ticks(job)]

    def end(self, run_id, now, state=RunState.DONE):
        """A run has been asked and derived from: it ends, and its tick with the next round."""
        with self.database.begin() as connection:
            for task in tasks.list_run_tasks(connection, run_id):
                tasks.settle_task(connection, task.id, TaskState.DONE)
            runs.set_state(connection, run_id, state, now)

    def runs(self, kind):
        """The runs of a kind, the oldest first."""
        sql = "SELECT id FROM runs WHERE kind = :kind ORDER BY id"
        with self.database.read() as connection:
            return [
                runs.get_run(connection, row["id"])
                for row in rows(self.database, sql, kind=str(kind))
            ]

    def watched(self):
        with self.database.read() as connection:
            return {row.job: row for row in ticks.list_watched(connection)}

    def tasks(self, run_id):
        with self.database.read() as connection:
            return tasks.list_run_tasks(connection, run_id)

    def settle(self, run_id, state, reason="", not_before=None):
        """What became of the asking of a run."""
        with self.database.begin() as connection:
            for task in tasks.list_run_tasks(connection, run_id):
                if task.stage is Stage.COLLECT:
                    tasks.settle_task(connection, task.id, state, reason, not_before)


@pytest.fixture
def place(database, tmp_path):
    """An installation with one list and no job."""
    folder = tmp_path / "jobs"
    make_list(folder)
    return Place(database, folder)
