import pytest

from monitor.model import InvalidInput, LabelState, Origin, Shown, Unit
from monitor.references.result_list import REFERENCE
from tests.cases import check_each

STATES = {"u": LabelState.UNRESOLVED, "c": LabelState.CONFLICT, "-": LabelState.NOT_HUMAN}
GROUPS = {"w": "women", "m": "men", "o": "other", "x": "left", "y": "right"}


def listed(people):
    """`ann:w bea:w carl:m dora:u` as a list."""
    pairs = (one.split(":") for one in people.split())
    return tuple(
        Shown(name, STATES.get(sort, LabelState.LABELLED), GROUPS.get(sort, ""))
        for name, sort in pairs
    )


def unit(topic, *lists):
    made = tuple(None if one is None else listed(one) for one in lists)
    return Unit(f"q-{topic}-{len(lists)}", {"occupation": topic}, (), lists=made)


def observed(*units):
    return {
        topic: {share.group: (share.value, share.n) for share in shares}
        for topic, shares in REFERENCE.observed(units, "occupation").items()
    }


def test_it_knows_nothing_before_the_lists_are_read():
    assert REFERENCE.origin is Origin.LISTS
    assert "own full list" in REFERENCE.title
    assert REFERENCE.shares(["nurse"]) == {}
    assert REFERENCE.targets(["nurse"]) == {}
    assert REFERENCE.observed([], "occupation") == {}


def test_shares_are_over_all_who_are_labelled():
    found = observed(unit("nurse", "a:w b:w c:m d:w e:u f:c g:- h:-"))
    assert found == {"nurse": {"women": (0.75, 4), "men": (0.25, 4)}}
    [women, men] = REFERENCE.observed([unit("nurse", "a:w b:m")], "occupation")["nurse"]
    assert (women.key, women.source, women.group, men.group) == (
        "nurse", "result_list", "women", "men",
    )  # fmt: skip


def test_repeats_and_questions_are_united_by_person():
    found = observed(
        unit("nurse", "a:w b:m", None, "b:m a:w c:m"), unit("nurse", "d:m a:w"), unit("cook", "a:w")
    )
    assert found == {
        "cook": {"women": (1.0, 1), "men": (0.0, 1)},
        "nurse": {"women": (0.25, 4), "men": (0.75, 4)},
    }


def test_a_person_with_two_groups_is_left_out():
    assert observed(unit("nurse", "a:w b:m", "a:m"))["nurse"] == {"women": (0, 1), "men": (1, 1)}


def test_a_label_in_one_answer_is_enough():
    assert observed(unit("nurse", "a:u b:m", "a:w"))["nurse"]["women"] == (0.5, 2)


def test_groups_of_ones_own_stand_alone():
    assert observed(unit("seat", "a:x b:y c:y d:u")) == {
        "seat": {"left": (1 / 3, 3), "right": (2 / 3, 3)}
    }
    assert observed(unit("nurse", "a:o")) == {
        "nurse": {"women": (0, 1), "men": (0, 1), "other": (1, 1)}
    }


@check_each("lists", [(None,), ("",), ("a:u b:-",), ("a:w", "a:m")])
def test_a_topic_without_anybody_labelled_has_no_share(lists):
    assert observed(unit("nurse", *lists)) == {}


def test_order_of_units_does_not_matter():
    units = [unit("nurse", "a:w b:m"), unit("cook", "c:m"), unit("nurse", "d:o", "e:m")]
    assert REFERENCE.observed(units, "occupation") == REFERENCE.observed(units[::-1], "occupation")


def test_a_unit_without_the_tag_is_refused():
    with pytest.raises(InvalidInput, match="tag 'occupation' is ''"):
        REFERENCE.observed([Unit("k", {}, (), lists=())], "occupation")
