"""What a finding is held against when it is asked again, and what becomes of it."""

import random
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast
from monitor.model import RunKind
from monitor.pipeline.again import pairs_of
from monitor.pipeline.detecting import detect
from monitor.store import changes as looked
from monitor.store import claims, comparisons, runs
from monitor.store.schema import changes, looks
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, run_audit

WEEK = timedelta(weeks=1)
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


def half():
    """Sentences about women are said without a gender, so that much has no value."""
    unmarked = {one["text"]: "Faz sol." for one in ITEMS if int(one["stereotype"]) <= 7}
    return Scripted(portuguese(ITEMS, lambda _: False) | unmarked)


def with_floor_2(folder):
    """The job with another parameter, so that its series are others."""
    floor = [{"name": "masculine_rate", "floor": 2}]
    return make_audit(folder, items=ITEMS, measures=floor)


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
            said = half() if again == "half" else answers(again)
            pipeline.run(self.database, self.audit, begun.run, said, quiet)
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


def test_each_quantity_is_held_against_a_run_that_has_a_value_of_it(database, tmp_path):
    story = Story(database, tmp_path).tick("normal").tick("normal").tick("odd", again="half")
    story.tick("odder", again="odder")
    with database.read() as connection:
        again = story.run_of[4, RunKind.CONFIRM]
        held = {
            one.quantity: one.before_run
            for one in comparisons.of_run(connection, again, Contrast.CONFIRM)
            if one.scope == "all"
        }
    before, half_said = story.run_of[2, RunKind.SCHEDULED], story.run_of[3, RunKind.CONFIRM]
    assert {held["f_s"], held["p_f"]} == {before}
    assert {held["marked_share"], held["p_m"]} == {half_said}
    assert story.found(4)["status"] == "confirmed"
    with database.read() as connection:
        run, kept = (
            runs.get(connection, again),
            comparisons.of_run(connection, again, Contrast.CONFIRM),
        )
    pipeline.conclude(database, story.audit, run, quiet)  # again: nothing is written
    with database.read() as connection:
        assert comparisons.of_run(connection, again, Contrast.CONFIRM) == kept


def test_a_finding_stays_where_it_was_asked_again_with_another_job(database, tmp_path):
    story = Story(database, tmp_path).tick("normal").tick("odd")
    found = story.found(2)
    other = with_floor_2(tmp_path)
    begun = pipeline.start_confirm(database, other, DUE + WEEK, pairs_of(other))
    pipeline.run(database, other, begun.run, answers("odd"), quiet)
    assert found["status"] == "unconfirmed"
    assert story.found(2) == found  # of its series nothing was asked again


def test_a_tick_whose_level_is_another_is_decided_by_its_own_job(sqlite_database, tmp_path):
    story = Story(sqlite_database, tmp_path).tick("normal").tick("normal")
    first, story.audit = story.audit, with_floor_2(tmp_path)
    story.tick("normal").tick("odd")
    with sqlite_database.begin() as connection:
        known = {one.due_at: one.number for one in looked.ledger(connection, "mini")}
        assert known[DUE + 3 * WEEK] == 2
        connection.execute(sa.delete(looks).where(looks.c.due_at == DUE + WEEK))
        early, late = (runs.get(connection, story.run_of[n, RunKind.SCHEDULED]) for n in (2, 4))
    detect(sqlite_database, story.audit, late, late.due_at)
    detect(sqlite_database, first, early, late.due_at)  # which makes the fourth tick the second
    with sqlite_database.read() as connection:
        assert {one.due_at: one.number for one in looked.ledger(connection, "mini")} == known
    assert story.found(4)["status"] == "candidate"
