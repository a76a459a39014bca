"""Effectiveness over judged lists, against values that ir_measures 0.4.3 gives."""

import numpy as np
import pytest

from monitor.measures.effectiveness import _judged_lists
from monitor.ranked.lists import lists_of

QRELS = {
    "q1": {"a": 1, "b": 2, "c": 0, "z": 1},
    "q2": {"a": 0, "b": 0},
    "q4": {"a": -1, "b": 3, "c": 1},
}
RUN = [("q1", ["a", "x", "b"]), ("q2", ["a"]), ("q4", ["a", "c", "y", "b"]), ("q5", [])]


@pytest.fixture
def found():
    return _judged_lists.judged(lists_of(RUN), QRELS, {})


def test_grades_and_pool(found):
    assert found.grades.tolist() == [[1, 0, 2, 0], [0] * 4, [-1, 1, 0, 3], [0] * 4]
    assert found.judged.tolist() == [2, 1, 3, 0]
    assert found.pool.tolist() == [[2, 1, 1], [0] * 3, [3, 1, 0], [0] * 3]
    assert found.relevant(1).tolist() == [3, 0, 2, 0]
    assert found.relevant(2).tolist() == [1, 0, 1, 0]


def test_a_document_is_judged_by_its_address():
    lists = lists_of([("q1", ["a #2"])])
    assert _judged_lists.judged(lists, QRELS, {"a #2": "a"}).grades.tolist() == [[1]]
    assert _judged_lists.judged(lists, QRELS, {}).judged.tolist() == [0]


@pytest.mark.parametrize(
    ("cutoff", "rel", "q1", "q4"),
    [
        (None, 1, 0.5555555555555555, 0.5),
        (2, 1, 0.3333333333333333, 0.25),
        (None, 2, 1 / 3, 1 / 4),
    ],
)
def test_average_precision(found, cutoff, rel, q1, q4):
    values = _judged_lists.average_precision(found.cut(cutoff), rel)
    assert values[[0, 2]] == pytest.approx([q1, q4], abs=1e-12)
    assert np.isnan(values[[1, 3]]).all()


@pytest.mark.parametrize(("cutoff", "expected"), [(2, [0.5, 0, 0.5, 0]), (10, [0.2, 0, 0.2, 0])])
def test_precision_is_over_the_cutoff_whatever_the_length(found, cutoff, expected):
    assert _judged_lists.precision_at(found, 1, cutoff) == pytest.approx(expected)


def test_reciprocal_rank(found):
    assert _judged_lists.reciprocal_rank(found, 1) == pytest.approx([1, 0, 0.5, 0])
    assert _judged_lists.reciprocal_rank(found, 2) == pytest.approx([1 / 3, 0, 0.25, 0])
    assert _judged_lists.reciprocal_rank(found.cut(2), 2) == pytest.approx([0, 0, 0, 0])


@pytest.mark.parametrize(
    ("cutoff", "q1", "q4"),
    [
        (2, 0.38009376671593426, 0.17376534287144002),
        (10, 0.6387878864795979, 0.5296052411645183),
    ],
)
def test_ndcg(found, cutoff, q1, q4):
    values = _judged_lists.ndcg(found, cutoff, _judged_lists.linear_gain)
    assert values[[0, 2]] == pytest.approx([q1, q4], abs=1e-12)
    assert np.isnan(values[[1, 3]]).all()


def test_ndcg_with_exponential_gains(found):
    """By hand: gains 2^g - 1 are 1, 3, 7; discounts 1, 1/log2(3), 1/2, 1/log2(5)."""
    third = 1 / np.log2(3)
    values = _judged_lists.ndcg(found, 10, _judged_lists.exponential_gain)
    assert values[0] == pytest.approx((1 + 3 / 2) / (3 + third + 1 / 2))
    assert values[2] == pytest.approx((third + 7 / np.log2(5)) / (7 + third))


def test_no_list_no_number():
    found = _judged_lists.judged(lists_of([]), {}, {})
    assert _judged_lists.average_precision(found, 1).shape == (0,)
    assert _judged_lists.ndcg(found, 10, _judged_lists.linear_gain).shape == (0,)
    assert _judged_lists.reciprocal_rank(found, 1).shape == (0,)
