"""What was seen in looking back: the newest numbers, and when it was seen first."""

from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.store import schema
from monitor.store.changes import findings
from tests.series_scene import Scene, week

KINDS = [ChangeKind.SHIFT, ChangeKind.DRIFT]


@pytest.fixture
def scene(database):
    return Scene(database)


@pytest.fixture
def shift(scene):
    before, after = scene.done(0), scene.done(1)
    return findings.StoredChange(
        series_id=scene.series(), kind=ChangeKind.SHIFT, role=Role.PRIMARY, family="deepl cs",
        changed_at=week(1), detected_at=week(2), before_run_id=before, after_run_id=after,
        comparison_id=None, confirm_id=None, before=0.2, after=0.3, effect=0.1, low=None, high=None,
        p=None, q=None, alpha=None, p_beyond=None, alpha_beyond=None, noise=None, statistic=None,
        status=Status.RETROSPECTIVE, cause=Cause.OPEN, because="PELT", sentence="from 0.2 to 0.3",
        facts={}, inputs_digest="one",
    )  # fmt: skip


def see(scene, *found, at=3):
    with scene.database.begin() as connection:
        return findings.store_retrospective(connection, found, KINDS, [1], week(at))


def stored(scene):
    with scene.database.read() as connection:
        return list(connection.execute(sa.select(schema.changes).order_by(schema.changes.c.id)))


def test_what_is_seen_again_has_the_levels_of_now_and_its_first_date(scene, shift):
    assert see(scene, shift) == 1
    newer = replace(
        shift, before=0.4, after=0.9, effect=0.5, sentence="from 0.4 to 0.9",
        detected_at=week(8), inputs_digest="two",
    )  # fmt: skip
    assert see(scene, newer, at=9) == 1
    [row] = stored(scene)
    assert (row.before, row.after, row.effect) == (0.4, 0.9, 0.5)
    assert (row.sentence, row.inputs_digest) == ("from 0.4 to 0.9", "two")
    assert (row.detected_at, row.computed_at, row.is_current) == (week(2), week(9), True)


def test_what_is_the_same_is_not_written(scene, shift):
    see(scene, shift)
    assert see(scene, replace(shift, detected_at=week(8)), at=9) == 0
    [row] = stored(scene)
    assert (row.detected_at, row.computed_at) == (week(2), week(3))


def test_what_is_gone_is_kept_and_holds_no_more(scene, shift):
    see(scene, shift)
    other = replace(shift, changed_at=week(1) + timedelta(days=1), inputs_digest="two")
    assert see(scene, other) == 1
    assert [row.is_current for row in stored(scene)] == [False, True]
