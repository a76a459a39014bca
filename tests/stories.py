"""A job's ticks, each asked again for noise and, where a signal stands, to confirm it."""

import random
import shutil
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import RunKind
from monitor.pipeline.collect.run_starts import pairs_of, start_confirm, start_noise, to_confirm
from monitor.store.collect import runs
from monitor.store.database import connect
from monitor.store.schema import changes, series_keys
from tests.conftest import copy_sqlite, made_once
from tests.demo import copied
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit

ITEMS = mini_items(14)
#: Ticks before anything changes: 17 whole runs beside the one that others are compared with.
QUIET = 9
#: By how much more feminine sentences about women are translated, by the state of the system.
MORE = {"normal": 0.0, "odd": 0.4, "odder": 0.6}


def drawn(*what):
    """Return a number in [0, 1) that follows from what is given."""
    return random.Random(" ".join(map(str, what))).random()  # noqa: S311 - no secret


class Story:
    """Ticks of one job, a week apart. Each run draws two in a hundred answers anew."""

    def __init__(self, database, folder, noise=True, confirm=True):
        table = {"share": 1} if noise is True else noise
        tables = ({"noise": table} if noise else {}) | ({"confirm": {}} if confirm else {})
        self.database = database
        self.audit = make_audit(folder, items=ITEMS, **tables)
        self.weeks = self.asked = 0
        self.noise, self.confirm = bool(noise), confirm

    def answers(self, state):
        self.asked += 1

        def is_feminine(item):
            women = int(item["stereotype"]) <= 7
            limit = 0.3 + MORE[state] if women else 0.05
            flips = drawn("flip", self.asked, item["key"]) < 0.01
            return (drawn(item["key"]) < limit) is not flips

        return Scripted(portuguese(ITEMS, is_feminine))

    def tick(self, state="normal", again=None):
        """A scheduled run, its noise run, and a confirming run where a signal stands."""
        due_at = DUE + timedelta(weeks=self.weeks)
        self.weeks += 1
        run_audit(self.database, self.audit, self.answers(state), due_at)
        if self.noise:
            noise = start_noise(self.database, self.audit, due_at)
            pipeline.run(self.database, self.audit, noise, self.answers(again or state), quiet)
        signals = to_confirm(self.database, due_at) if self.confirm else []
        if any(one.due_at == due_at for one in signals):
            begun = start_confirm(self.database, self.audit, due_at, pairs_of(self.audit))
            said = self.answers(again or state)
            pipeline.run(self.database, self.audit, begun.run, said, quiet)
        return self

    def ticks(self, number, state="normal"):
        for _ in range(number):
            self.tick(state)
        return self

    def changes(self, **wanted):
        """Changes in force as dictionaries, by tick; `wanted` are values of columns."""
        query = (
            sa.select(changes, series_keys.c.quantity, series_keys.c.scope)
            .join(series_keys, series_keys.c.id == changes.c.series_id)
            .where(changes.c.is_current)
            .order_by(changes.c.changed_at, changes.c.id)
        )
        with self.database.read() as connection:
            found = [dict(row._mapping) for row in connection.execute(query)]
        return [row for row in found if all(row[name] == v for name, v in wanted.items())]

    def week(self, number):
        """The due time of a tick, counted from 1."""
        return DUE + timedelta(weeks=number - 1)

    def run(self, week, kind=RunKind.SCHEDULED):
        with self.database.read() as connection:
            return runs.find_scheduled(connection, "mini", self.week(week), kind)


@pytest.fixture(scope="session")
def quiet_folder(sqlite_template, tmp_path_factory):
    """The folder of an archive of quiet ticks; nobody may write into it."""

    def make(folder):
        copy_sqlite(sqlite_template, folder / "monitor.db")
        database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
        story = Story(database, folder / "jobs").ticks(QUIET)
        database.close()
        (folder / "asked").write_text(str(story.asked))

    return made_once(tmp_path_factory, "quiet-ticks", make)


@pytest.fixture
def quiet_story(request, dialect, quiet_folder, tmp_path):
    """A story of this test's own that begins after the quiet ticks."""
    shutil.copytree(quiet_folder, tmp_path, dirs_exist_ok=True)
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    if dialect == "postgresql":
        source, database = database, request.getfixturevalue("database")
        copied(source, database)
        source.close()
    story = Story(database, tmp_path / "jobs")
    story.weeks, story.asked = QUIET, int((tmp_path / "asked").read_text())
    yield story
    database.close()
