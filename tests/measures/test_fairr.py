"""FaiRR: a sum, which needs every document."""

import math

import pytest

from tests.measures.fairness import derived, score, unit

W2 = 1 / math.log2(3)


def test_neutrality_is_summed_with_discounts():
    assert score("FaiRR@2", ["stone", "she her"]).value == 1
    assert score("FaiRR@2", ["she her", "stone"]).value == pytest.approx(W2)
    assert score("FaiRR@1", ["she her", "stone"]).value == 0


@pytest.mark.parametrize("lost", [None, ""])
def test_without_every_document_there_are_bounds_alone(lost):
    found = score("FaiRR@3", ["stone", lost, "she her"])
    assert found.value is None
    assert found.reasons["q"] == "a sum needs every document, and some are missing or empty"
    assert (found.bound_low, found.bound_high) == pytest.approx((1, 1 + W2))
    assert score("FaiRR@1", ["stone", lost]).value == 1


def test_a_point():
    value, _ = derived("FaiRR@2", [unit("a", ["stone", "stone"]), unit("b", None)])
    assert value.value == pytest.approx(1 + W2)
    assert value.bound_low == pytest.approx((1 + W2) / 2)
    assert value.bound_high == pytest.approx(1 + W2)
