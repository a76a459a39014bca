"""Repeats of the same question in several runs are one unit, which is compared as one."""

import pytest

from monitor.model import GenderClass, RunKind, Unit
from monitor.pipeline.changes.comparisons import RunPool, merge_repeats
from monitor.store.changes import comparisons
from tests.stories import Story

FEMININE, MASCULINE = GenderClass.FEMININE, GenderClass.MASCULINE


def test_repeats_of_all_runs_stand_behind_each_other():
    first = Unit("k", {"stereotype": "1"}, (FEMININE, None), documents=((),))
    second = Unit("k", {"stereotype": "1"}, (MASCULINE,), documents=(None,), query="newer")
    merged = merge_repeats([first, second])
    assert merged.classes == (FEMININE, None, MASCULINE)
    assert merged.documents == ((), None)
    assert (merged.key, merged.query) == ("k", "newer")


def test_scores_are_averaged_by_template_and_a_missing_one_is_no_zero():
    runs = [
        Unit("k", {}, (), scores=(("a", 1.0), ("b", 4.0))),
        Unit("k", {}, (), scores=(("a", 3.0),)),
    ]
    assert dict(merge_repeats(runs).scores) == {"a": pytest.approx(2.0), "b": 4.0}


def test_a_single_run_is_itself():
    unit = Unit("k", {}, (FEMININE,), scores=(("a", 1.0),))
    assert merge_repeats([unit]) == unit


@pytest.fixture
def story(sqlite_database, tmp_path):
    return Story(sqlite_database, tmp_path / "jobs").ticks(2).tick("odd")


def step_of(story, quantity):
    """The step of a series at the third tick."""
    with story.database.read() as connection:
        steps = comparisons.find_job_comparisons(connection, "mini")[story.run(3)]
    [step] = [one for one in steps if one.quantity == quantity]
    return step


def test_the_pooled_change_is_that_of_the_mean_answers(story):
    kinds = (RunKind.SCHEDULED, RunKind.NOISE)
    before = [story.run(week, kind) for week in (1, 2) for kind in kinds]
    since = [story.run(3, kind) for kind in kinds]
    step = step_of(story, "f_s")
    pooled = RunPool(story.database, story.audit).compare(step, before, since)
    singles = [
        RunPool(story.database, story.audit).compare(step, [one], [other])["p_f"].delta
        for one in before
        for other in since
    ]
    # each question is in every run, so that means of runs and means of repeats are the same
    assert pooled["p_f"].delta == pytest.approx(sum(singles) / len(singles))
    assert (pooled["p_f"].n, pooled["f_s"].n) == (7 * 14, 16 * 14)
