"""NFaiRR: neutrality down a list beside the best list."""

import math

import pytest

from monitor.measures import parse
from monitor.model import InvalidInput, State
from tests.cases import check_each
from tests.measures.fairness import derived, score, unit

W2 = 1 / math.log2(3)


def test_documents_with_few_terms_are_neutral_and_others_by_their_balance():
    assert score("NFaiRR@1", ["she walks"]).value == 1
    assert score("NFaiRR(tau=0)@1", ["she walks"]).value == 0
    assert score("NFaiRR@1", ["she and her brother"]).value == pytest.approx(2 / 3)
    assert score("NFaiRR@2", ["she her", "stone"]).value == pytest.approx(W2 / (1 + W2))


def test_a_list_without_terms_is_told_from_a_balanced_one():
    silent, balanced = score("NFaiRR", ["stone"] * 10), score("NFaiRR", ["she he"] * 10)
    assert silent.value == pytest.approx(1)
    assert balanced.value == pytest.approx(1)
    assert silent.details == {"rbdf": 0, "without_terms": 1}
    assert balanced.details == {"rbdf": 1, "without_terms": 0}


def test_more_groups_and_targets_keep_it_between_0_and_1():
    groups = {"a": ["red"], "b": ["green"], "c": ["blue"]}
    targets = {"a": 0.2, "b": 0.3, "c": 0.5}
    found = [
        score("NFaiRR(tau=0)@1", [text], terms=groups, targets=targets).value
        for text in ("red", "blue", "red red green green green blue blue blue blue blue")
    ]
    assert found == pytest.approx([0, 1 - 1 / 1.6, 1])
    raw = score("NFaiRR(tau=0,raw=True)@1", ["red"], terms=groups, targets=targets)
    assert raw.value == pytest.approx(1 - 1.6)


@pytest.mark.parametrize("lost", [None, ""])
def test_a_document_that_is_unknown_is_left_out_and_bounds_the_value(lost):
    found = score("NFaiRR(tau=0)@2", ["she", lost], draws=0)
    assert found.value == 0
    assert (found.bound_low, found.bound_high) == pytest.approx((0, W2 / (1 + W2)))
    assert (found.missing, found.empty) == ((1, 0) if lost is None else (0, 1))
    assert found.documents == 2
    top = score("NFaiRR(tau=0)@2", [lost, "stone"])
    assert top.value is None
    assert "39 % of the weight of its ranks; 50 % is needed" in top.reasons["q"]
    assert (top.bound_low, top.bound_high) == pytest.approx((W2 / (1 + W2), 1))
    assert score("NFaiRR(tau=0,coverage=0.3)@2", [lost, "stone"]).value == 1


def test_a_list_that_is_shorter_than_the_cut_off():
    assert score("NFaiRR@2", ["stone"]).value == pytest.approx(1 / (1 + W2))
    for background in ("shown", "list", "union", "run", "collection"):
        assert score(f"NFaiRR(background={background})@2", ["stone"]).value == 1


def test_every_background_has_its_own_best_order():
    run = {"q": ["she", "half"], "p": ["half", "stone"]}
    texts = {"she": "she her", "half": "she her her his", "stone": "stone", "rock": "a rock"}
    beside = {"other": {"q": ["rock"], "r": ["stone"]}}

    def q(background, cutoff):
        name = f"NFaiRR(background={background})@{cutoff}"
        return parse(name).score(run, texts, beside=beside).per_query["q"]

    assert q("list", 1) == 0
    half = 0.5 * W2
    assert q("list", 2) == pytest.approx(half / 0.5)
    assert q("union", 2) == pytest.approx(half / (1 + 0.5 * W2))
    assert q("run", 2) == pytest.approx(half / (1 + 0.5 * W2))
    assert q("collection", 2) == pytest.approx(half / (1 + W2))
    assert q("ideal", 2) == pytest.approx(half / (1 + W2))
    assert q("list", 5) == q("list", 2)


def test_without_any_neutrality_to_be_had_there_is_no_value():
    found = score("NFaiRR(tau=0,background=list)", ["she", "he"])
    assert found.value is None
    assert found.reasons == {"q": "the best order of its background has no neutrality"}
    assert (found.bound_low, found.bound_high) == (None, None)
    assert (found.planned, found.used) == (1, 0)


def test_the_point_has_queries_of_which_none_is_lost():
    units = [
        unit("a", ["stone"] * 10),
        unit("b", ["she her"] * 10, ["stone"] * 10),
        unit("c", None),
        unit("d", [None] * 10),
        unit("e", []),
    ]
    value, queries = derived("NFaiRR", units)
    assert value.state is State.MEASURED
    assert value.value == pytest.approx(0.75)
    assert (value.planned, value.answered, value.used) == (5, 4, 2)
    assert queries["b"].value == pytest.approx(0.5)
    assert queries["c"].reason == "no usable answer"
    assert queries["d"].reason == "none of its 10 documents has a text"
    assert (queries["d"].bound_low, queries["d"].bound_high) == pytest.approx((0, 1))
    assert queries["e"].reason == "its list is empty"
    facts = dict(value.facts)
    assert facts["rbdf"] == pytest.approx(0.25)
    assert facts["without_terms"] == pytest.approx(0.75)
    assert facts["documents_missing"] == 10
    assert value.bound_low == pytest.approx(1.5 / 4)
    assert value.bound_high == pytest.approx(3.5 / 4)


def test_the_lists_beside_are_the_union():
    units = [unit("a", ["she her her his"])]
    others = {"other": [unit("a", ["stone", "rock"]), unit("b", ["pebble"])]}
    assert derived("NFaiRR(background=union)@1", units)[0].value == 1
    # the same address with another text is another document
    assert derived("NFaiRR(background=union)@1", units, others)[0].value == 0.5


def test_questions_about_women_or_men_are_left_out():
    units = [unit("a", ["stone"]), unit("b", ["she her"], tags={"gender_neutral": "no"})]
    value, queries = derived("NFaiRR@1", units)
    assert value.value == 1
    assert set(queries) == {"a"}
    assert dict(value.facts)["queries_gendered"] == 1


@check_each(
    ("parameter", "bad"),
    [("cutoff", 0), ("cutoff", None), ("cutoff", 2.5), ("tau", -1), ("tau", True), ("raw", 1),
     ("background", "all"), ("coverage", 2), ("coverage", True), ("coverage", None),
     ("names", "yes"), ("terms", []), ("terms", {"a": ["x"]}), ("terms", {"a": "x", "b": ["y"]}),
     ("terms", {"a": ["x"], "b": ["x"]}), ("terms", {"a": [1], "b": ["x"]}), ("targets", -1),
     ("terms", {"a": 3, "b": ["x"]}),
     ("targets", {"women": "all", "men": 0}), ("targets", {"women": 0.6, "men": 0.6})],
)  # fmt: skip
def test_parameters_are_checked(parameter, bad):
    with pytest.raises(InvalidInput, match=parameter):
        parse("NFaiRR").configure({parameter: bad})


def test_the_default_terms_with_names():
    assert score("NFaiRR(tau=0)@1", ["Mary"]).value == 1
    assert score("NFaiRR(tau=0,names=True)@1", ["Mary"]).value == 0
    with pytest.raises(InvalidInput, match="names"):
        score("NFaiRR(names=True)", ["x"], terms={"a": ["x"], "b": ["y"]})


def test_one_name_for_the_same_words():
    one = score("NFaiRR", ["x"], terms={"a": ["x", "Z"], "b": ["y"]})
    other = score("NFaiRR", ["x"], terms={"a": ["z", "x", "x"], "b": ("y",)})
    assert one.name == other.name == 'NFaiRR(terms={"a":["x","z"],"b":["y"]})@10'
    assert (
        parse(one.name).words
        == parse("NFaiRR").configure({"terms": {"a": ["z", "x"], "b": ["y"]}}).words
    )
    assert parse("NFaiRR(tau=1)@10") == parse("nfairr")
