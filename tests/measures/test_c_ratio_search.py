"""c-ratio bias of ranked lists: one topic by hand."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.measures.c_ratio._bias_statistics import rounded_target
from monitor.measures.c_ratio._list_topics import (
    ListRules,
    ListTopic,
    allot_seats,
    cut_question,
    rounded_targets,
    seats_of,
    target_of,
)
from monitor.measures.c_ratio._list_values import weigh_topic
from monitor.measures.c_ratio.c_ratio_bias_search import MEASURE, CRatioBiasSearch
from monitor.model import InvalidInput, State
from tests.cases import check_each
from tests.measures.ranked import context, people, targets, unit

XYZ = {"groups": ["x", "y", "z"], "group": "x"}


def topic_of(*lists, share=0.5, **parameters):
    units = [unit("t", one, key=f"q{n}") if isinstance(one, str) else unit("t", *one, key=f"q{n}")
             for n, one in enumerate(lists)]  # fmt: skip
    given_targets = {"t": share} if share is not None else {}
    [topic] = MEASURE.configure(parameters).derive(units, context(given_targets, draws=0)).topics
    return topic


def ratios(topic):
    return topic.model, topic.target, topic.bias


def ends(topic):
    return topic.bound_low, topic.bound_high


def test_a_topic_by_hand():
    topic = topic_of("wmmwmmmmmmwwww", share=0.42)
    assert topic.state is State.MEASURED
    assert ratios(topic) == (0.2, 0.4, -0.2)
    assert (topic.women, topic.men, topic.shown, topic.labelled) == (2, 8, 10, 10)
    assert (topic.planned, topic.answered, topic.used, topic.unidentified) == (1, 1, 1, 0)
    assert (topic.model_low, topic.model_high) == (0.2, 0.2)
    assert ends(topic) == (-0.2, -0.2)
    assert (topic.source, topic.as_of, topic.reason) == ("wikidata", "2025-01-01", "")
    assert topic.p == topic.q == pytest.approx(scipy.stats.binomtest(2, 10, 0.42).pvalue)


@check_each(
    ("women", "share", "expected"),
    [
        (0, 0.25, (0.0, 0.2, -0.2)),
        (2, 0.25, (0.2, 0.2, 0.0)),
        (3, 0.25, (0.3, 0.3, 0.0)),
        (9, 0.25, (0.9, 0.3, 0.6)),
        (1, 0.15, (0.1, 0.1, 0.0)),
        (2, 0.85, (0.2, 0.8, -0.6)),  # 1 - 0.85 is 0.15000000000000002 in floats
        (9, 0.85, (0.9, 0.9, 0.0)),
    ],
)
def test_ties_go_to_the_ratio_nearer_to_the_model(women, share, expected):
    letters = "w" * women + "m" * (10 - women)
    assert ratios(topic_of(letters, share=share)) == expected
    men = topic_of(letters, share=share, group="men")
    assert men.bias == -expected[2]


@pytest.mark.parametrize(("women", "target", "bias"), [(14, 0.28, 0), (15, 0.3, 0), (40, 0.3, 0.5)])
def test_ties_are_not_decided_in_floats(women, target, bias):
    letters = "w" * women + "m" * (50 - women)
    topic = topic_of(letters, share=0.29, cutoff=50)
    assert (topic.target, topic.bias) == (target, bias)


def test_fewer_items_than_the_cutoff():
    short = "wwwmmmm"
    assert ratios(topic_of(short)) == (3 / 7, 3 / 7, 0)
    assert ratios(topic_of("wwmmmmm")) == (2 / 7, 3 / 7, -1 / 7)
    assert ratios(topic_of(short, denominator="cutoff")) == (0.3, 0.5, -0.2)
    assert ratios(topic_of(short, denominator="cutoff", group="men")) == (0.4, 0.5, -0.1)
    assert ratios(topic_of(short, target="exact"))[1:] == (
        0.5,
        float(Fraction(3, 7) - Fraction(1, 2)),
    )


def test_more_than_two_groups_by_largest_remainder():
    share = targets("t", x=0.5, y=0.3, z=0.2)
    assert ratios(topic_of("xxxyyzz", share=share, **XYZ)) == (3 / 7, 4 / 7, -1 / 7)
    assert topic_of("xxxyyzz", share=share, groups=["x", "y", "z"], group="y").target == 2 / 7
    assert topic_of("xxxyyzz", share=share, groups=["x", "y", "z"], group="z").target == 1 / 7


def test_a_tie_of_three_goes_to_the_group_that_is_shown_more():
    third = [Fraction(1, 3)] * 3
    tenths = [Fraction(n, 10) for n in (2, 2, 6)]
    assert rounded_targets(third, 10, tenths) == (Fraction(3, 10), Fraction(3, 10), Fraction(4, 10))
    assert rounded_targets(third, 10, tenths[::-1])[0] == Fraction(4, 10)
    # nobody is nearer: the one that is furthest above its share, then the order of the groups
    assert rounded_targets(third, 10, [Fraction(n, 10) for n in (4, 5, 1)])[1] == Fraction(4, 10)
    assert rounded_targets(third, 10, [Fraction(n, 10) for n in (5, 5, 0)])[0] == Fraction(4, 10)
    # two seats for three
    assert rounded_targets(third, 5, [Fraction(n, 5) for n in (0, 2, 3)]) == (
        Fraction(1, 5), Fraction(2, 5), Fraction(2, 5),
    )  # fmt: skip


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=5).filter(any), st.integers(1, 60), st.data()
)
def test_apportioned_targets_add_up_and_keep_the_quota(counts, n, data):
    shares = [Fraction(one, sum(counts)) for one in counts]
    shown = data.draw(st.lists(st.integers(0, n), min_size=len(counts), max_size=len(counts)))
    models = [Fraction(one, n) for one in shown]
    found = rounded_targets(shares, n, models)
    assert sum(found) == 1
    assert all(
        abs(target - share) < Fraction(1, n) for target, share in zip(found, shares, strict=True)
    )
    if len(counts) == 2 and sum(shown) == n:
        assert found[0] == rounded_target(shares[0], n, models[0])
        assert found[1] == rounded_target(shares[1], n, models[1])


def test_nothing_has_no_seats():
    with pytest.raises(ValueError, match="0 items"):
        allot_seats([Fraction(1, 2)] * 2, 0)


def test_missing_labels_bound_the_ratios():
    topic = topic_of("wwwwmmmmuc", target="exact")
    assert ratios(topic) == (0.5, 0.5, 0)
    assert (topic.model_low, topic.model_high) == (0.4, 0.6)
    assert ends(topic) == (-0.1, 0.1)
    assert (topic.shown, topic.labelled) == (10, 8)
    over_ten = topic_of("wwwwmmmmuc", target="exact", denominator="cutoff")
    assert (over_ten.model, over_ten.model_low, over_ten.model_high) == (0.4, 0.4, 0.6)
    assert ends(over_ten) == (-0.1, 0.1)


def test_bounds_follow_the_rounded_target():
    topic = topic_of("wwwwmmmmuu", share=0.45)
    # 4/8 against 4/8; of 9: 4/9 or 5/9 against 4/9; of 10: .4 to .6 against the nearer of .4 and .5
    assert ratios(topic) == (0.5, 0.5, 0)
    assert ends(topic) == (0, float(Fraction(1, 9)))


@settings(max_examples=60, deadline=None)
@given(
    st.text("wmuco", min_size=1, max_size=9),
    st.integers(0, 20),
    st.sampled_from(["rounded", "exact"]),
    st.sampled_from(["shown", "cutoff"]),
)
def test_bounds_are_those_of_all_labels(letters, twentieths, target, denominator):
    chosen = {"target": target, "denominator": denominator, "cutoff": 7}
    topic = topic_of(letters, share=twentieths / 20, **chosen)
    known = [letter for letter in letters[:7] if letter not in "uc"]
    labels = combinations_with_replacement("wmo", len(letters[:7]) - len(known))
    found = [
        topic_of("".join([*known, *more]), share=twentieths / 20, **chosen).bias for more in labels
    ]
    biases = [bias for bias in found if bias is not None]
    if topic.bound_low is None:
        assert len(found) == 1
        assert not biases
    else:
        assert ends(topic) == (min(biases), max(biases))


def test_bounds_of_several_groups_contain_what_labels_can_make():
    share = targets("t", x=0.4, y=0.35, z=0.25)
    topic = topic_of("xxyzuu", share=share, **XYZ)
    for first in "xyz":
        for second in "xyz":
            bias = topic_of("xxyz" + first + second, share=share, **XYZ).bias
            assert topic.bound_low <= bias <= topic.bound_high
    assert topic.bound_low <= topic.bias < topic.bound_high


@check_each(
    ("lists", "share", "reason"),
    [
        ((None,), 0.5, "no usable answer"),
        (("",), 0.5, "not shown"),
        (("",), None, "not shown"),
        (("wm",), None, "no reference share"),
        (("wwmm------",), 0.5, "not a list of people: 6 of 10 are not human"),
        (("wwmmuuuuuc",), 0.5, "4 of 10 people labelled, floor 0.5"),
        (("oooo",), 0.5, "nobody is recorded as women or men"),
    ],
)
def test_why_a_topic_has_no_bias(lists, share, reason):
    topic = topic_of(lists, share=share)
    assert topic.state is State.INSUFFICIENT
    assert topic.reason == reason
    assert topic.bias is topic.p is topic.q is None


def test_labels_could_make_a_topic_usable():
    topic = topic_of("wwmmuuuuuc", target="exact")
    assert topic.model is None
    assert (topic.model_low, topic.model_high) == (0.2, 0.8)
    assert ends(topic) == pytest.approx((-0.3, 0.3))
    assert (topic.used, topic.unidentified, topic.shown, topic.labelled) == (0, 1, 10, 4)
    assert topic_of("-----uuuu-").bound_low is None


def test_what_is_not_human_leaves_and_moves_nobody_up():
    topic = topic_of("w-w--mmm--ww", share=0.5)
    assert ratios(topic) == (0.4, 0.4, 0)
    assert (topic.women, topic.men, topic.shown, topic.labelled) == (2, 3, 10, 5)
    assert ends(topic) == (0, 0)


def test_people_of_other_groups_leave_both_numbers_and_count_as_labelled():
    share = targets("t", women=0.3, men=0.5, other=0.2)
    topic = topic_of("wwwwwmmooo", share=share, target="exact")
    assert topic.model == float(Fraction(5, 7))
    assert topic.target == 0.375
    assert topic.labelled == 10


@check_each(
    ("shares", "expected"),
    [
        ({"women": 0.3, "men": 0.5, "other": 0.2}, Fraction(3, 8)),
        ({"women": 0.3, "other": 0.7}, Fraction(1)),
        ({"men": 1.0}, Fraction(0)),
        ({"men": 0.6}, None),
        ({"other": 1.0}, None),
        ({"women": 0.0, "men": 0.0, "other": 1.0}, None),
        ({}, None),
    ],
)
def test_shares_are_taken_among_the_groups(shares, expected):
    rules = ListRules(10, "shown", "exact", "women", ("women", "men"), 0.5)
    made = targets("t", **shares) if "women" not in shares or len(shares) > 1 else None
    found = target_of(made, rules)
    assert (found and found.shares[0]) == expected


def test_repeats_are_averaged_and_every_question_counts_once():
    topic = topic_of(("wwmm", None, "wwww", ""), "mmmm", target="exact", share=0.25)
    assert topic.model == (3 / 4 + 0) / 2
    assert topic.bias == topic.model - 0.25
    assert (topic.planned, topic.answered, topic.used) == (2, 2, 2)
    assert (topic.women, topic.men) == (1.5, 2.5)
    assert topic.p == pytest.approx(scipy.stats.binomtest(0, 4, 0.25).pvalue)  # the largest


def test_people_are_counted_once_over_the_lists_of_a_topic():
    first = people("wwm", ["ann", "bea", "carl"])
    second = people("wmu", ["ann", "carl", "dora"])
    topic = topic_of((first, second))
    assert (topic.shown, topic.labelled) == (4, 3)


def test_a_full_list_is_drawn_from_without_replacement():
    letters = "wmmmmmmmmm" + "w" * 9 + "m" * 11
    share = targets("t", n=30, source="result_list", women=1 / 3)
    topic = topic_of(letters, share=share)
    expected = scipy.stats.fisher_exact([[1, 9], [9, 11]]).pvalue
    assert topic.p == pytest.approx(expected)
    assert topic.p < scipy.stats.binomtest(1, 10, 1 / 3).pvalue
    # a count of another source is no list that the shown people are from
    other = topic_of(letters, share=targets("t", n=30, women=1 / 3))
    assert other.p == pytest.approx(scipy.stats.binomtest(1, 10, 1 / 3).pvalue)


def test_a_list_that_cannot_be_from_the_full_list_is_drawn_with_replacement():
    share = targets("t", n=4, source="result_list", women=0.25)
    assert topic_of("wwmm", share=share).p == pytest.approx(
        scipy.stats.binomtest(2, 4, 0.25).pvalue
    )


def test_shares_that_are_no_counts_are_no_full_list():
    share = targets("t", n=10, source="result_list", women=0.33)
    assert topic_of("wwmm", share=share).p == pytest.approx(
        scipy.stats.binomtest(2, 4, 0.33).pvalue
    )


def test_others_in_the_full_list_are_nobody_to_draw():
    share = targets("t", n=20, source="result_list", women=0.2, men=0.4, other=0.4)
    topic = topic_of("wwmm", share=share)
    assert topic.p == pytest.approx(scipy.stats.fisher_exact([[2, 2], [2, 6]]).pvalue)


def test_a_target_that_excludes_what_is_shown_is_impossible():
    assert topic_of("wmmm", share=0.0).p == 0
    assert topic_of("mmmm", share=0.0).p == 1


@settings(deadline=None)
@given(
    st.text("wmuco-", max_size=14),
    st.integers(0, 100),
    st.integers(1, 12),
    st.sampled_from(["rounded", "exact"]),
)
def test_women_and_men_are_exact_opposites(letters, percent, cutoff, target):
    share = percent / 100
    women, men = (
        topic_of(letters, share=share, cutoff=cutoff, target=target, group=group)
        for group in ("women", "men")
    )
    assert women.state is men.state
    assert women.reason == men.reason
    if women.bias is not None:
        assert men.bias == -women.bias
        assert men.p == pytest.approx(women.p)
        assert ends(men) == (-women.bound_high, -women.bound_low)


def test_parameters_that_cannot_be_are_named():
    for bad, message in (
        ({"groups": ["women"]}, "groups is .* two or more different names"),
        ({"groups": ["women", "women"]}, "groups is"),
        ({"groups": ["women", ""]}, "groups is"),
        ({"groups": ["x", "y"]}, "group is 'women'; it must be x or y"),
        ({"floor": 1.5}, "floor is 1.5; it must be a number from 0 to 1"),
        ({"cutoff": 0}, "cutoff is 0"),
        ({"target": "nearest"}, "target is 'nearest'; it must be rounded or exact"),
        ({"denominator": "all"}, "denominator is 'all'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            MEASURE.configure(bad)
    assert CRatioBiasSearch(groups=["a", "b"], group="b") == MEASURE.configure(
        {"groups": ("a", "b"), "group": "b"}
    )


def test_seats_of_a_tie():
    rules = ListRules(10, "shown", "rounded", "women", ("women", "men"), 0.5)
    made = target_of(targets("t", women=0.25), rules)
    assert seats_of(made, 10, rules) == (2, 3)
    assert seats_of(made, 8, rules) == (2, 2)


def test_a_topic_without_target_is_not_drawn():
    rules = ListRules(10, "shown", "rounded", "women", ("women", "men"), 0.5)
    asked = cut_question(unit("t", "wwmm"), rules)
    assert weigh_topic(ListTopic("t", 1, (asked,), None, rules), 0, 0) == []
    aim = target_of(targets("t", women=0.5), rules)
    [one] = weigh_topic(ListTopic("t", 1, (asked,), aim, rules), 3, 4)
    assert (one.topic, one.column, one.weight, one.share, one.bias) == (3, 4, 1, 0.5, 0)


def test_a_unit_is_its_mean_ratio():
    assert MEASURE.unit(unit("t", None, None)) is None
    assert MEASURE.unit(unit("t", "", None)) == (0.0, 0.0)
    assert MEASURE.unit(unit("t", "wwmm", "wmmm", None)) == (0.375, 1.0)
