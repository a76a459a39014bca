"""One label out of a look-up and of what people said."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor.labels.resolve import Resolution
from monitor.labels.settle import Rating, Settled, allowed_values, settle_label
from monitor.model import LabelState
from tests.cases import check_each

NOW = datetime(2026, 1, 5, tzinfo=UTC)
WOMAN = Resolution("wd:Q1", LabelState.LABELLED, "women", qid="Q1")
NOBODY = Resolution("wd:Q1", LabelState.UNRESOLVED, reason="no item has this id")


def rating(group, by="a", days=0):
    return Rating("wd:Q1", group, by, NOW + timedelta(days=days))


def test_a_look_up_alone_is_the_label():
    assert settle_label(WOMAN, []) == Settled(LabelState.LABELLED, "women", "wikidata", "")
    assert settle_label(NOBODY, []).reason == "no item has this id"


def test_nobody_said_anything():
    assert settle_label(None, []) is None


@check_each("looked_up", [WOMAN, NOBODY, None])
@check_each(
    ("group", "state", "label"),
    [
        ("men", LabelState.LABELLED, "men"),
        ("elders", LabelState.LABELLED, "elders"),
        ("unknown", LabelState.UNRESOLVED, ""),
        ("not_human", LabelState.NOT_HUMAN, ""),
    ],
)
def test_human_labels_win(looked_up, group, state, label):
    found = settle_label(looked_up, [rating(group)])
    assert (found.state, found.group, found.source) == (state, label, "people")


def test_raters_who_agree():
    assert settle_label(None, [rating("men"), rating("men", "b")]).group == "men"


@pytest.mark.parametrize("other", ["women", "unknown", "not_human"])
def test_raters_who_disagree_are_a_conflict(other):
    found = settle_label(WOMAN, [rating("men"), rating(other, "b")])
    assert found.state is LabelState.CONFLICT
    assert found.group == ""
    assert "men" in found.reason
    assert found.public_reason == "raters disagree"


def test_the_newest_of_a_rater_counts():
    late, early = rating("women", days=1), rating("men")
    assert settle_label(None, [late, early]).group == "women"
    assert settle_label(None, [early, late]).group == "women"
    assert settle_label(None, [rating("men"), rating("women")]).group == "women"


def test_what_was_recorded_stays_in_the_restricted_tables():
    doubtful = Resolution("wd:Q1", LabelState.CONFLICT, reason="Wikidata records Q6581097 and ...")
    assert settle_label(doubtful, []).public_reason == "sources disagree"
    assert settle_label(NOBODY, []).public_reason == "no item has this id"


def test_what_people_may_say():
    assert allowed_values() == ("women", "men", "other", "unknown", "not_human")
    assert allowed_values(["elders", "men"]) == (
        "elders",
        "men",
        "women",
        "other",
        "unknown",
        "not_human",
    )
