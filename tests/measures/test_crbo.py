"""CRBO: rankings against those over gender-swapped documents."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from monitor.measures.fairness.crbo import CRBO, MEASURE
from monitor.model import Context, Document, InvalidInput, State, Unit
from tests.cases import check_each

RUN = {"q1": ["a", "b"], "q2": ["a", "b"], "q3": ["c"]}
SWAPPED = {"q1": ["a", "b"], "q2": ["b", "a"], "q3": ["d"]}


def documents(keys, text=""):
    return None if keys is None else tuple(Document(key, text + key) for key in keys)


def unit(key, lists, swapped=None, **further):
    return Unit(
        key,
        further.pop("tags", {"gender_neutral": "yes"}),
        (),
        documents=tuple(documents(one, further.get("text", "")) for one in lists),
        swapped=tuple(map(documents, lists if swapped is None else swapped)),
        query=key,
    )


def only(units, measure=MEASURE, draws=200):
    result = measure.derive(units, Context(3, draws=draws))
    (value,) = result.values
    return value, {one.key: one for one in result.queries}


def test_as_a_library():
    score = MEASURE.score(RUN, counterfactual=SWAPPED)
    assert score.per_query == pytest.approx({"q1": 1.0, "q2": 0.9, "q3": 0.0}, abs=1e-12)
    assert score.value == pytest.approx(1.9 / 3)
    assert (score.name, score.planned, score.used) == ("CRBO", 3, 3)
    assert score.details["queries_unchanged"] == 1
    assert score.low <= score.value <= score.high
    back = MEASURE.score(SWAPPED, counterfactual=RUN)
    assert back.per_query == pytest.approx(score.per_query, abs=1e-12)


def test_cutoff_and_p():
    run, swapped = {"q": ["a", "b", "c"]}, {"q": ["a", "b", "x"]}
    assert CRBO(cutoff=2).score(run, counterfactual=swapped).value == pytest.approx(1)
    assert MEASURE.score(run, counterfactual=swapped).value < 1
    assert CRBO(cutoff=2).score(run, counterfactual=swapped).name == "CRBO@2"
    assert CRBO(p=0.5).score(RUN, counterfactual=SWAPPED).per_query["q2"] == pytest.approx(0.5)


def test_a_query_without_a_swapped_list_has_no_value_but_bounds():
    score = MEASURE.score(RUN, counterfactual={"q1": ["a", "b"]})
    assert score.per_query == {"q1": pytest.approx(1.0), "q2": None, "q3": None}
    assert "gender-swapped" in score.reasons["q2"]
    assert (score.bound_low, score.bound_high) == pytest.approx((1 / 3, 1))
    assert (score.planned, score.used) == (3, 1)


def test_without_any_counterfactual_run():
    with pytest.raises(InvalidInput, match="counterfactual"):
        MEASURE.score(RUN)
    score = MEASURE.score(RUN, counterfactual={})
    assert score.value is None
    assert "gender-swapped" in score.reason
    value, _ = only([unit("q", [["a"]], swapped=[None])])
    assert value.state is State.INSUFFICIENT
    assert value.value is None
    assert (value.answered, value.used) == (1, 0)


def test_an_empty_list_is_no_agreement():
    value, queries = only([unit("q1", [[]]), unit("q2", [["a"]], [[]]), unit("q3", [["a"]])])
    assert value.value == pytest.approx(1)
    assert value.used == 1
    assert "empty" in queries["q1"].reason
    assert (queries["q2"].bound_low, queries["q2"].bound_high) == (0, 1)


def test_points_pair_repeats_in_their_order():
    lists = [["a", "b"], None, ["x", "y"]]
    value, _ = only([unit("q", lists, [["a", "b"], ["z"], ["x", "y"]])])
    assert value.value == pytest.approx(1)
    assert dict(value.facts)["queries_unchanged"] == 1
    value, _ = only([unit("q", lists, [None, None, ["x", "y"]])])
    assert value.value == pytest.approx(1)
    assert (value.bound_low, value.bound_high) == pytest.approx((0.5, 1))
    assert dict(value.facts)["queries_unchanged"] == 0


def test_the_same_address_with_other_words_is_one_document():
    units = [unit("q1", [["a", "b"]], text="one "), unit("q2", [["a", "b"]], text="two ")]
    value, _ = only(units)
    assert value.value == pytest.approx(1)
    assert dict(value.facts)["queries_unchanged"] == 2


def test_gendered_questions_are_left_out():
    units = [unit("q1", [["a"]]), unit("q2", [["a"]], [["b"]], tags={"gender_neutral": "no"})]
    value, _ = only(units)
    assert (value.value, value.planned) == (pytest.approx(1), 1)
    assert dict(value.facts)["queries_gendered"] == 1


def test_order_of_units_does_not_matter():
    rng = random.Random(1)  # noqa: S311 - no secret
    units = [
        unit(f"q{n:02}", [rng.sample("abcdefgh", 5)], [rng.sample("abcdefgh", 5)])
        for n in range(30)
    ]
    expected = MEASURE.derive(units, Context(1, draws=200))
    rng.shuffle(units)
    assert MEASURE.derive(units, Context(1, draws=200)) == expected
    value = expected.values[0]
    assert 0 <= value.low < value.value < value.high <= 1
    assert value.bound_low == pytest.approx(value.value) == value.bound_high


@pytest.mark.parametrize("units", [[], [unit("q", [None])]])
def test_nothing_in_no_number_out(units):
    value, _ = only(units)
    assert value.state is State.INSUFFICIENT
    assert value.reason
    assert (value.value, value.low, value.high, value.bound_low, value.bound_high) == (None,) * 5


def test_unit_and_reduce():
    assert MEASURE.unit(unit("q", [["a", "b"]], [["b", "a"]])) == pytest.approx((0.9,))
    assert MEASURE.unit(unit("q", [None])) is None
    assert MEASURE.unit(replace(unit("q", [["a"]]), swapped=())) is None
    found = MEASURE.reduce(np.array([[1.0], [0.0]]), np.array([0, 1]), np.array([[1.0, 0.0]]))
    assert found[0, 0] == 1
    assert math.isnan(found[0, 1])


@check_each(
    ("name", "bad"),
    [("p", 1.0), ("p", 0.0), ("p", True), ("p", "0.9"), ("p", math.nan), ("p", None)]
    + [("cutoff", bad) for bad in (0, -1, True, 2.5, "10", [])],
)
def test_bad_parameters(name, bad):
    with pytest.raises(InvalidInput, match=f"CRBO: {name} is"):
        MEASURE.configure({name: bad})
