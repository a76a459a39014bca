"""TED, TExFAIR and AWRF: distances of exposure from target shares."""

import math

import pytest

from monitor.measures import parse
from monitor.model import InvalidInput
from tests.cases import check_each
from tests.measures.fairness import derived, score, unit

W2 = 1 / math.log2(3)


def test_terms_count_by_their_share_of_the_words():
    assert score("TED", ["she x", "he x x x"]).value == pytest.approx(
        abs(0.5 - 0.25 * W2) / (0.5 + 0.25 * W2)
    )
    assert score("TED@1", ["she x", "he"]).value == 1


def test_texfair_is_what_is_left_of_the_largest_distance():
    texts = ["she x", "he x x x", "stone"]
    for parameters in ("", "(rbdf=False)", "(strict=True)"):
        ted, texfair = score(f"TED{parameters}@5", texts), score(f"TExFAIR{parameters}@5", texts)
        assert texfair.value == pytest.approx(1 - ted.value)
        assert texfair.details["rbdf"] == ted.details["rbdf"]


def test_the_other_form_stands_beside():
    texts = ["she x", "stone"]
    rbdf = 1 / (1 + W2)
    with_, without = score("TED", texts), score("TED(rbdf=False)", texts)
    assert with_.details == pytest.approx({"rbdf": rbdf, "ted_without_rbdf": 1})
    assert without.details == pytest.approx({"rbdf": rbdf, "ted_with_rbdf": rbdf})
    with_, without = score("TExFAIR", texts), score("TExFAIR(rbdf=False)", texts)
    assert with_.details == pytest.approx({"rbdf": rbdf, "texfair_without_rbdf": 0})
    assert without.details == pytest.approx({"rbdf": rbdf, "texfair_with_rbdf": 1 - rbdf})


def test_no_representative_document():
    assert score("TED", ["stone", "rock"]).value == 0
    found = score("TExFAIR(rbdf=False)", ["stone", "rock"])
    assert found.value is None
    assert found.reasons == {"q": "no document has a group term"}
    assert (found.bound_low, found.bound_high) == (None, None)
    unread = score("TED(rbdf=False)", ["stone", "rock", None])
    assert unread.value is None
    assert (unread.bound_low, unread.bound_high) == pytest.approx((0, 1))


def test_a_missing_document_is_left_out_and_an_empty_one_is_not_representative():
    missing, empty = score("TED", ["she", None]), score("TED", ["she", ""])
    assert missing.value == 1
    assert empty.value == pytest.approx(1 / (1 + W2))
    for found in (missing, empty):
        # the other one is she again, or he alone
        lowest = (1 - W2) / (1 + W2)
        assert (found.bound_low, found.bound_high) == pytest.approx((lowest, 1))
    assert score("TED", [None, "she"]).value is None
    assert score("AWRF", ["she", None]).value == 1
    assert score("AWRF", ["she", ""]).value == pytest.approx(1 / (1 + W2))
    assert score("AWRF(nonrepresentative=skip)", ["she", ""]).value == 1


def test_several_unknown_documents_move_together():
    found = score("TED(coverage=0)", ["she", None, ""])
    weight = W2 + 0.5
    assert found.bound_low == pytest.approx(max(0, 1 - weight) / (1 + weight), abs=1e-12)
    three = {"a": ["she"], "b": ["he"], "c": ["they"]}
    found = score("TED(coverage=0)", ["she", None], terms=three)
    assert found.bound_low == pytest.approx(2 * (1 / (1 + W2) - 1 / 3))
    assert found.bound_high == pytest.approx(4 / 3)


def test_distances_of_awrf():
    texts, groups = ["she"], {"f": ["she"], "m": ["he"]}
    quarter = {"f": 0.25, "m": 0.75}
    assert score("AWRF", texts, terms=groups, targets=quarter).value == pytest.approx(1.5)
    assert score("AWRF(distance=L2)", texts, terms=groups, targets=quarter).value == pytest.approx(
        0.75 * math.sqrt(2)
    )
    middle = 0.625
    divergence = (
        math.log2(1 / middle) + 0.25 * math.log2(0.25 / middle) + 0.75 * math.log2(0.75 / 0.375)
    ) / 2
    assert score("AWRF(distance=JS)", texts, terms=groups, targets=quarter).value == pytest.approx(
        divergence
    )
    assert score("AWRF(distance=JS)", texts, terms=groups, targets={"f": 0, "m": 1}).value == 1


def test_points_over_queries():
    units = [unit("a", ["she x", "he x"]), unit("b", None), unit("c", [None, "she"])]
    value, queries = derived("TExFAIR@2", units)
    assert (value.planned, value.answered, value.used) == (3, 2, 1)
    assert queries["a"].value == value.value
    assert queries["b"].bound_low is None
    assert queries["c"].bound_low == 0
    assert value.bound_low == pytest.approx(value.value / 3)
    assert dict(value.facts)["rbdf"] == 1


@check_each(
    ("name", "parameter", "bad"),
    [("TED", "rbdf", "no"), ("TED", "strict", None), ("TExFAIR", "coverage", "x"),
     ("TExFAIR", "rbdf", 1), ("AWRF", "distance", "KL"), ("AWRF", "nonrepresentative", "third"),
     ("AWRF", "coverage", 1.5), ("FaiRR", "raw", None), ("FaiRR", "tau", 0.5)],
)  # fmt: skip
def test_parameters_are_checked(name, parameter, bad):
    with pytest.raises(InvalidInput, match=f"{name}: {parameter}"):
        parse(name).configure({parameter: bad})
