"""What a finding is held against when it is asked again, and what becomes of it."""

import random
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast
from monitor.model import RunKind
from monitor.pipeline.again import pairs_of
from monitor.store import claims, comparisons, runs
from monitor.store.schema import changes
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit

ITEMS = mini_items(14)
#: By how much more feminine sentences about women are said to be, in the states of a system.
MORE = {"normal": 0.0, "odd": 0.4, "odder": 0.6}


def answers(state):
    """Translations of a system: each sentence has a limit of its own, which never changes."""

    def is_feminine(item):
        women = int(item["stereotype"]) <= 7
        limit = 0.3 + MORE[state] if women else 0.05
        return random.Random(item["key"]).random() < limit  # noqa: S311 - no secret

    return Scripted(portuguese(ITEMS, is_feminine))


class Story:
    """A job's ticks, one a week, each with what was said when it was asked again."""

    def __init__(self, database, folder):
        self.database, self.audit = database, make_audit(folder, items=ITEMS)
        self.weeks, self.run_of = 0, {}

    def tick(self, state, again=None):
        """A scheduled run, and a confirming one where it was asked again."""
        due_at = DUE + timedelta(weeks=self.weeks)
        self.weeks += 1
        run_audit(self.database, self.audit, answers(state), due_at)
        self._remember(due_at, RunKind.SCHEDULED)
        if again is not None:
            begun = pipeline.start_confirm(self.database, self.audit, due_at, pairs_of(self.audit))
            pipeline.run(self.database, self.audit, begun.run, answers(again), quiet)
            self._remember(due_at, RunKind.CONFIRM)
        return self

    def _remember(self, due_at, kind):
        with self.database.read() as connection:
            self.run_of[self.weeks, kind] = runs.scheduled_at(connection, "mini", due_at, kind)

    def found(self, week):
        """The finding of f_s at a tick, counted from 1; None without one."""
        with self.database.read() as connection:
            tick = self.run_of[week, RunKind.SCHEDULED]
            [test] = [
                one for one in comparisons.of_run(connection, tick, Contrast.STEP)
                if (one.quantity, one.scope) == ("f_s", "all")
            ]  # fmt: skip
            query = sa.select(changes).where(
                changes.c.series_id == test.series_id, changes.c.after_run_id == tick,
                changes.c.is_current, changes.c.kind == "step",
            )  # fmt: skip
            row = connection.execute(query).one_or_none()
            return row and claims.change(connection, row.id)

    def statuses(self):
        return [one and one["status"] for one in map(self.found, range(2, self.weeks + 1))]

    def held_against(self, week):
        """Week and kind of the run that the confirming run of a week was compared with."""
        known = {run_id: key for key, run_id in self.run_of.items()}
        return known[self.found(week)["confirm"]["before_run_id"]]


@pytest.fixture
def story(sqlite_database, tmp_path):
    return Story(sqlite_database, tmp_path)


def test_a_change_that_stays_is_confirmed_against_the_tick_before_last(database, tmp_path):
    story = Story(database, tmp_path).tick("normal").tick("normal").tick("odd", again="odd")
    assert story.statuses() == [None, "confirmed"]
    assert story.held_against(3) == (1, RunKind.SCHEDULED)
    found = story.found(3)
    assert found["facts"]["confirm_shares_before"] == 0
    assert "Asked again" not in found["because"]
    assert found["e_value"] > 20


def test_one_odd_tick_is_found_twice_and_refuted_twice(story):
    story.tick("normal").tick("normal").tick("odd", again="normal").tick("normal", again="normal")
    assert story.statuses() == [None, "refuted", "refuted"]
    assert story.held_against(4) == (3, RunKind.CONFIRM)


def test_the_return_is_refuted_also_where_nobody_asked_the_odd_tick_again(story):
    story.tick("normal").tick("normal").tick("odd").tick("normal", again="normal")
    assert story.statuses() == [None, "unconfirmed", "refuted"]
    assert story.held_against(4) == (2, RunKind.SCHEDULED)


def test_a_change_that_lasted_a_week_is_confirmed_and_so_is_its_return(story):
    story.tick("normal").tick("normal").tick("odd", again="odd").tick("normal", again="normal")
    assert story.statuses() == [None, "confirmed", "confirmed"]
    assert story.held_against(4) == (3, RunKind.CONFIRM)


def test_an_odd_tick_after_a_change_is_not_confirmed_by_that_change(story):
    story.tick("normal").tick("normal").tick("odd", again="odd").tick("odder", again="odd")
    assert story.statuses() == [None, "confirmed", "refuted"]


def test_at_the_second_tick_it_is_held_against_the_first_and_says_so(story):
    story.tick("normal").tick("odd", again="odd")
    assert story.statuses() == ["confirmed"]
    assert story.held_against(2) == (1, RunKind.SCHEDULED)
    found = story.found(2)
    assert found["facts"]["confirm_shares_before"] == 1
    assert "held against the same tick before, because there is no earlier one" in found["because"]


def test_what_is_concluded_again_stays(story):
    story.tick("normal").tick("normal").tick("odd", again="normal").tick("normal", again="normal")
    before = story.statuses(), [story.found(week)["id"] for week in (3, 4)]
    for run_id in story.run_of.values():
        with story.database.read() as connection:
            run = runs.get(connection, run_id)
        pipeline.conclude(story.database, story.audit, run, quiet)
    assert (story.statuses(), [story.found(week)["id"] for week in (3, 4)]) == before
