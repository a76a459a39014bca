"""Bias of words: values by hand, symmetry, and words of which it is not known."""

import math
from dataclasses import replace

import numpy as np
import pytest

from monitor.corpus.bias import Method, first_order, high_order
from monitor.corpus.concepts import Concepts
from monitor.corpus.factors import Factors
from monitor.corpus.pmi import AssociationKind, Pmi
from monitor.model import InvalidInput, State
from tests.cases import check_each
from tests.corpus.small import cooccurrences

CONCEPTS = Concepts.of(["she", "her"], ["he", "him"], [("she", "he"), ("her", "him")])
#: nurse beside she three times and beside he once; cook the other way round.
TEXT = [["she", "nurse"]] * 3 + [["he", "nurse"]] + [["he", "cook"]] * 3 + [["she", "cook"]]


def by_word(biases):
    return {one.word: one for one in biases.words}


@pytest.mark.parametrize("kind", list(AssociationKind))
def test_bias_by_hand(kind):
    # 16 pairs; she, he, nurse and cook have 4 neighbours each: 3 seen of 1 expected, 1 of 1
    biases = first_order(Pmi(cooccurrences(TEXT), kind), ["nurse", "cook"], CONCEPTS, floor=None)
    near = max(math.log(3) - math.log(5), 0.0) if kind is AssociationKind.SPPMI else math.log(3)
    nurse, cook = biases.words
    assert (nurse.women, nurse.men) == pytest.approx((near, 0.0))
    assert (nurse.value, cook.value) == pytest.approx((near, -near))
    assert (biases.women, biases.men) == (("she",), ("he",))
    assert biases.missing == ("her", "him")


def test_smoothing_takes_contexts_by_a_power_of_their_number():
    text = [*TEXT, *[["she", "cook"]] * 12]
    counts = cooccurrences(text)
    n = {"she": 16, "he": 4}
    whole = sum(total**0.75 for total in (16, 4, 4, 16))
    expected = math.log(1 / (4 * n["he"] ** 0.75 / whole))
    found = Pmi(counts, AssociationKind.PMI, cds=0.75).values(["nurse"], ["he"])
    assert found[0, 0] == pytest.approx(expected)
    with pytest.raises(InvalidInput, match="cds is 0; it must be above 0 and at most 1"):
        Pmi(counts, cds=0)


def test_swapping_women_and_men_negates():
    source = Pmi(cooccurrences([[*"abshcb", "she", "a", "he", "b"], ["he", "a", "c", "she"]]))
    concepts = Concepts.of(["she", "b"], ["he"], [("she", "he"), ("b", "he")])
    plain = first_order(source, ["a", "c", "s"], concepts, None).values
    swapped = first_order(source, ["a", "c", "s"], concepts.swapped, None).values
    assert any(plain.values())
    assert swapped == pytest.approx({word: -value for word, value in plain.items()})
    for method in Method:
        plain = high_order(source, ["a", "c", "s"], concepts, method).values
        swapped = high_order(source, ["a", "c", "s"], concepts.swapped, method).values
        assert any(plain.values())
        assert swapped == pytest.approx({word: -value for word, value in plain.items()})


def test_pairs_that_never_occur_count_where_they_were_to_be_expected():
    #: rare has 1 neighbour, common 40; she and he are half of all neighbours
    text = [["she", "rare"], *[["she", "common"]] * 40, *[["he", "other"]] * 41]
    biases = by_word(first_order(Pmi(cooccurrences(text)), ["rare", "common"], CONCEPTS))
    rare, common = biases["rare"], biases["common"]
    assert common.state is State.MEASURED
    assert common.men == 0.0
    assert common.expected_men == pytest.approx(40 * 41 / 164)
    assert (rare.state, rare.value, rare.women) == (State.INSUFFICIENT, None, None)
    assert rare.expected_women == pytest.approx(0.25)
    assert "fewer than 5 pairs are expected on a side: 0.2 with words for women" in rare.reason


def test_support_is_needed_on_either_side():
    # w has support with men's words alone: its pairs that never occur are not known on any side
    text = [["she", "x"], *[["he", "w"]] * 30, *[["he", "y"]] * 5]
    (one,) = first_order(Pmi(cooccurrences(text)), ["w"], CONCEPTS).words
    assert one.expected_men > 5 > one.expected_women
    assert (one.state, one.value) == (State.INSUFFICIENT, None)


def test_pairs_that_all_occur_need_no_support():
    (one,) = first_order(Pmi(cooccurrences([["she", "w", "he"]])), ["w"], CONCEPTS).words
    assert one.state is State.MEASURED


@check_each("method", [None, *Method])
def test_words_and_sides_that_are_not_there_are_said(method):
    def measured(text, words):
        source = Pmi(cooccurrences(text))
        if method is None:
            return first_order(source, words, CONCEPTS, floor=None)
        return high_order(source, words, CONCEPTS, method)

    known, unknown = measured(TEXT, ["nurse", "wizard", "nurse"]).words
    assert known.state is State.MEASURED
    assert (unknown.word, unknown.state, unknown.value) == ("wizard", State.INSUFFICIENT, None)
    assert "the word is not in the vocabulary" in unknown.reason
    biases = measured([["he", "nurse", "him"]], ["nurse", "wizard"])
    assert [one.value for one in biases.words] == [None, None]
    reason = (
        "no pair of concept words" if method is Method.DIRECTIONAL else "no concept word for women"
    )
    assert all(reason in one.reason for one in biases.words)
    assert {"she", "her"} <= set(biases.missing)


def test_a_corpus_without_neighbours_is_refused():
    with pytest.raises(
        InvalidInput, match=r"no two words stand within 5 tokens .* 2 document\(s\)"
    ):
        Pmi(cooccurrences([["she"], ["nurse"]]))


def vectors(**rows):
    found = np.array(list(rows.values()), np.float64)
    return Factors(list(rows), found, found)


def test_high_order_by_hand():
    space = vectors(she=[3, 0], he=[0, 4], w=[2, 0], v=[0, 0])
    concepts = Concepts.of(["she"], ["he"], [("she", "he")])
    biases = high_order(space, ["w", "v"], concepts, Method.DIRECTIONAL)
    assert biases.words[0].value == pytest.approx(2 * 3 / 5)
    assert biases.explained == (1.0,)
    assert biases.words[1].state is State.INSUFFICIENT
    assert "the vector of the word is zero" in biases.words[1].reason
    for method in (Method.CENTROID, Method.AVERAGE_HIGH):
        one = high_order(space, ["w"], concepts, method).words[0]
        assert (one.value, one.women, one.men) == pytest.approx((1.0, 1.0, 0.0))


def test_a_direction_points_towards_women_whatever_the_signs_of_its_components():
    draw = np.random.default_rng(5)
    for _ in range(20):
        space = vectors(**{word: draw.normal(size=4) for word in ("she", "her", "he", "him")})
        value = high_order(space, space.words, CONCEPTS, Method.DIRECTIONAL).values
        assert value["she"] + value["her"] > value["he"] + value["him"]


def test_a_centroid_weighs_long_vectors_more_and_an_average_does_not():
    space = vectors(she=[3, 0], her=[0, 1], he=[0, -1], w=[1, 0])
    found = {m: high_order(space, ["w"], CONCEPTS, m).words[0].women for m in Method}
    assert found[Method.CENTROID] == pytest.approx(3 / math.sqrt(10))
    assert found[Method.AVERAGE_HIGH] == pytest.approx(0.5)


def test_a_concept_word_with_a_vector_of_zeros_is_missing():
    space = vectors(she=[1, 0], her=[0, 0], he=[0, 1], him=[0, 2], w=[1, 0])
    biases = high_order(space, ["w"], CONCEPTS, Method.AVERAGE_HIGH)
    assert (biases.women, biases.missing) == (("she",), ("her",))
    assert biases.words[0].women == 1.0


def test_pairs_that_do_not_differ_have_no_direction():
    space = vectors(she=[1, 0], he=[1, 0], w=[1, 0])
    (one,) = high_order(space, ["w"], CONCEPTS, Method.DIRECTIONAL).words
    assert one.reason == "the two words of every pair have the same vector"


def test_many_words_are_taken_in_parts(monkeypatch):
    source = Pmi(cooccurrences(TEXT))
    whole = high_order(source, ["nurse", "cook", "she"], CONCEPTS, Method.CENTROID)
    monkeypatch.setattr("monitor.corpus.bias._AT_ONCE", 1)
    assert high_order(source, ["nurse", "cook", "she"], CONCEPTS, Method.CENTROID) == whole


def test_counts_as_whole_numbers_are_the_same():
    counts = cooccurrences(TEXT)
    whole = replace(counts, matrix=counts.matrix.astype(np.int32))
    for kind in AssociationKind:
        assert (Pmi(counts, kind).matrix() != Pmi(whole, kind).matrix()).nnz == 0
        words = counts.vocabulary.words
        dense = np.nan_to_num(Pmi(whole, kind).values(words, words[:2]))
        assert np.array_equal(Pmi(counts, kind).vectors(words)[:, :2], dense)
