"""When a job decides that a series changed: real runs, each tick asked twice."""

from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.change import Contrast
from monitor.model import RunKind
from monitor.pipeline.changes import comparisons as comparing
from monitor.pipeline.changes import detection
from monitor.pipeline.collect.run_starts import to_confirm
from monitor.stages.changes import decisions
from monitor.stages.reports import claim_content
from monitor.store.changes import comparisons
from monitor.store.changes import findings as stored
from monitor.store.collect import runs
from monitor.store.schema import changes
from monitor.store.schema import comparisons as comparisons_table
from tests.factories import quiet
from tests.stories import QUIET, Story, quiet_folder, quiet_story  # noqa: F401 - fixtures


@pytest.fixture
def story(quiet_story):  # noqa: F811
    return quiet_story


def primary(story, quantity="f_s", **wanted):
    return story.changes(quantity=quantity, scope="all", role="primary", **wanted)


@pytest.mark.both_databases
def test_a_change_that_stays_is_confirmed_within_two_ticks(story):
    story.tick("odd")
    [signal] = primary(story, kind="step")
    assert (signal["status"], signal["changed_at"]) == ("candidate", story.week(10))
    assert signal["p_beyond"] is None
    assert not story.changes(status="confirmed")
    story.tick("odd")
    [found] = primary(story, kind="step")
    assert (found["status"], found["changed_at"]) == ("confirmed", story.week(10))
    assert found["detected_at"] == story.week(11)
    assert found["q"] <= found["alpha"] == decisions.ALPHA
    assert found["p_beyond"] <= found["alpha_beyond"]
    facts = found["facts"]
    assert (facts["runs_before"], facts["runs_since"]) == (17, facts["runs_needed"])
    assert facts["size_from_later"] == 0
    story.tick("odd")
    [later] = primary(story, kind="step")
    assert (later["facts"]["size_from_later"], later["facts"]["size_runs"]) == (1, 2)
    assert later["status"] == "confirmed"
    assert later["effect"] == pytest.approx(0.38, abs=0.05)
    assert later["low"] < later["effect"] < later["high"]


def test_the_questions_of_a_signal_are_asked_again_at_every_tick_until_it_is_decided(story):
    story.tick("odd")
    assert story.run(10, RunKind.CONFIRM) is not None
    with story.database.read() as connection:
        again = comparisons.find_run_comparisons(
            connection, story.run(10, RunKind.CONFIRM), Contrast.AGAIN
        )
    assert {one.before_run for one in again} == {story.run(1)}
    assert not to_confirm(story.database, story.week(10))


def test_one_odd_tick_is_a_signal_that_was_not_reproduced(story):
    story.tick("odd", again="normal").tick("normal")
    assert not story.changes(status="confirmed")
    assert not story.changes(status="candidate")


def test_a_signal_that_a_confirming_run_does_not_show_is_refuted(story):
    story.tick("odd").tick("normal")
    [signal] = primary(story, kind="step")
    assert (signal["status"], signal["detected_at"]) == ("refuted", story.week(11))


def test_secondary_series_change_only_beside_a_decided_primary_series(story):
    story.tick("odd")
    assert not story.changes(role="secondary")
    story.tick("odd")
    beside = story.changes(role="secondary")
    assert beside
    assert {row["changed_at"] for row in beside} == {story.week(10)}
    assert {row["status"] for row in beside} == {"confirmed"}


def test_every_tick_is_recorded_as_decided(story):
    with story.database.read() as connection:
        ledger = stored.read_ledger(connection, "mini")
    assert [look.number for look in ledger] == list(range(QUIET))
    assert {look.hypotheses for look in ledger} == {3}
    assert {look.rule for look in ledger} == {decisions.RULE}
    assert ledger[0].p is None
    assert all(look.p == 1.0 for look in ledger[1:])


def test_a_job_that_is_decided_again_stays_as_it_is(story):
    story.ticks(2, "odd")
    query = sa.select(changes).order_by(changes.c.id)
    with story.database.read() as connection:
        before = list(connection.execute(query))
        kept = runs.list_ended(connection, "mini")
    late = [run for run in kept if run.due_at >= story.week(QUIET)]
    assert len(late) > 5
    for run in (kept[0], *late):
        pipeline.conclude(story.database, story.audit, run, quiet)
    with story.database.read() as connection:
        assert list(connection.execute(query)) == before


def test_what_does_not_hold_any_more_is_no_longer_in_force(story):
    """As where a newer version of rules reads the later answers otherwise."""
    story.ticks(2, "odd")
    assert primary(story, status="confirmed")
    since = [
        story.run(week, kind) for week in (10, 11) for kind in (RunKind.NOISE, RunKind.CONFIRM)
    ]
    with story.database.begin() as connection:
        connection.execute(
            sa.update(comparisons_table)
            .where(comparisons_table.c.after_run_id.in_([one for one in since if one]))
            .values(delta=0.0)
        )
        run = runs.get_run(connection, story.run(11))
    [old] = primary(story, status="confirmed")
    detection.detect_changes(story.database, story.audit, run)
    assert not story.changes(status="confirmed")
    with story.database.read() as connection:
        card = claim_content.card_of_change(connection, old["id"], ZoneInfo("UTC"))
    assert card.numbers["headline"].startswith("No longer in force: ")
    assert decisions.RULE in card.text


def test_a_change_stays_while_newer_rules_have_not_read_its_answers(story, monkeypatch):
    """As after an update of ours, until the runs are derived anew."""
    story.ticks(3, "odd")
    before = primary(story, status="confirmed")
    assert before
    monkeypatch.setattr(comparing, "read_units", lambda *_: [])
    with story.database.read() as connection:
        run = runs.get_run(connection, story.run(12))
    assert detection.detect_changes(story.database, story.audit, run) == 0
    assert primary(story, status="confirmed") == before


def test_without_noise_runs_ticks_decide_and_more_of_them_are_needed(sqlite_database, tmp_path):
    story = Story(sqlite_database, tmp_path / "jobs", noise=False, confirm=False).ticks(18)
    story.ticks(3, "odd")
    assert not primary(story, status="confirmed")
    story.tick("odd")
    [found] = primary(story, status="confirmed")
    assert found["changed_at"] == story.week(19)
    assert found["facts"]["runs_before"] == 17


def test_noise_runs_of_a_part_of_the_questions_count_for_no_decision(sqlite_database, tmp_path):
    story = Story(sqlite_database, tmp_path / "jobs", noise={"share": 0.5}).ticks(3)
    with sqlite_database.read() as connection:
        noise = story.run(3, RunKind.NOISE)
        assert comparisons.find_run_comparisons(connection, noise, Contrast.DAYS)
        assert not comparisons.find_run_comparisons(connection, noise, Contrast.AGAIN)
