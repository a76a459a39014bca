"""How far two lists order documents otherwise, by hand and against scipy."""

import pytest
from scipy.stats import kendalltau

from monitor.ranked.lists import kendall_distance


def test_the_same_list_is_at_no_distance_and_the_reverse_at_one():
    assert kendall_distance("abcd", "abcd") == 0
    assert kendall_distance("abcd", "dcba") == 1
    assert kendall_distance("abcd", "bacd") == pytest.approx(1 / 6)


def test_lists_of_the_same_documents_are_as_far_apart_as_tau_says():
    first, second = "abcdefgh", "hbadcfge"
    tau = kendalltau([first.index(one) for one in first], [second.index(one) for one in first])
    assert kendall_distance(first, second) == pytest.approx((1 - tau.statistic) / 2, abs=1e-12)


def test_a_document_that_a_list_lacks_stands_behind_all_others():
    # ab: same; a before c in one, c unseen behind a: same; b before c: same
    assert kendall_distance("abc", "ab") == 0
    # c stands first in one list, and behind a and b in the other
    assert kendall_distance("cab", "ab") == pytest.approx(2 / 3)


def test_a_pair_that_a_list_lacks_whole_counts_one_half():
    # a, b against c, d: four pairs the other way round, and two in no order
    assert kendall_distance("ab", "cd") == pytest.approx((4 + 0.5 * 2) / 6)


def test_one_document_has_no_order():
    assert kendall_distance("a", "a") is None
    assert kendall_distance("", "") is None
