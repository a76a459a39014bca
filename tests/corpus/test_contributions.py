"""What is made of biases: their parts, the unbiased area, and correlations with shares."""

import numpy as np
import pytest

from monitor.corpus.bias import (
    Bias,
    Biases,
    Method,
    first_order,
    high_order,
    of_first_order,
    of_high_order,
    unbiased,
)
from monitor.corpus.concepts import TARGETS, Concepts, correlate_shares, target_shares
from monitor.corpus.factors import Factors
from monitor.corpus.pmi import AssociationKind, Pmi
from monitor.model import InvalidInput, State
from monitor.stats.correlation import fisher_interval
from tests.corpus.small import cooccurrences

CONCEPTS = Concepts.of(["she", "her"], ["he"], [("she", "he")])
TEXT = [
    *[["she", "nurse", "ward", "bed"]] * 3,
    ["he", "nurse"],
    *[["he", "cook", "ward"]] * 2,
    ["her", "ward", "cap", "nurse"],
    ["he", "bed", "cap"],
]


@pytest.fixture(scope="module")
def source():
    return Pmi(cooccurrences(TEXT), AssociationKind.PMI)


def adds_up(found, bias):
    assert found.total == pytest.approx(bias)
    assert sum(part.value for part in found.parts) + found.rest == pytest.approx(bias)
    sizes = [abs(part.value) for part in found.parts]
    assert sizes == sorted(sizes, reverse=True)


def test_parts_of_first_order_add_up(source):
    bias = first_order(source, ["nurse"], CONCEPTS, floor=None).words[0].value
    found = of_first_order(source, "nurse", CONCEPTS, floor=None)
    adds_up(found, bias)
    she, he = source.values(["nurse"], ["she", "he"])[0]
    parts = {part.word: part.value for part in found.parts}
    assert (parts["she"], parts["he"]) == pytest.approx((she / 2, -he))
    assert of_first_order(source, "wizard", CONCEPTS).state is State.INSUFFICIENT


@pytest.mark.parametrize("method", list(Method))
def test_parts_of_high_order_add_up(source, method):
    bias = high_order(source, ["nurse"], CONCEPTS, method).words[0].value
    found = of_high_order(source, "nurse", CONCEPTS, method, most=2)
    adds_up(found, bias)
    assert len(found.parts) == 2 < found.n
    assert of_high_order(source, "wizard", CONCEPTS, method).state is State.INSUFFICIENT


def test_parts_need_dimensions_that_are_words():
    rows = np.eye(2)
    with pytest.raises(InvalidInput, match="stand for no words"):
        of_high_order(Factors(["a", "b"], rows, rows), "a", CONCEPTS, Method.CENTROID)


def test_what_a_representation_always_knows_has_parts_too():
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    found = of_first_order(Factors(["she", "he", "w"], rows, rows), "w", CONCEPTS)
    assert [(part.word, part.value) for part in found.parts] == [("she", 2.0), ("he", -1.0)]


# --- the unbiased area --------------------------------------------------------------------------


def biases(*sides):
    found = [
        Bias(str(at), State.MEASURED, women - men, women, men)
        for at, (women, men) in enumerate(sides)
    ]
    return Biases((*found, Bias("unknown", State.INSUFFICIENT)), (), (), ())


def test_the_unbiased_area_by_hand():
    found = unbiased(biases((2.0, 1.0), (5.0, 2.0)))
    assert (found.low, found.high, found.n, found.n_total) == (1.0, 5.0, 2, 3)
    assert found.threshold == pytest.approx((1 + 3) / 2 / 4)
    assert (found.association(2.0), found.bias(2.0)) == (0.25, 0.5)


def test_no_area_without_sides_or_differences():
    assert unbiased(biases()) is None
    assert unbiased(biases((1.0, 1.0))) is None


# --- shares of women ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "file"),
    [("winobias", "labour_us_cps_winobias"), ("census", "labour_us_census_2015")],
)
def test_targets_are_those_of_the_paper(reference_data, name, file):
    lines = (reference_data / "data" / f"{file}.csv").read_text(encoding="utf-8").split()[1:]
    published = {word: float(share) for word, share in (line.split(",") for line in lines)}
    assert target_shares(name) == published
    assert len(published) == {"winobias": 40, "census": 96}[name]
    assert set(TARGETS) == {"winobias", "census"}


def test_correlations_keep_their_sign_and_say_what_is_missing():
    shares = {"a": 0.1, "b": 0.2, "c": 0.4, "d": 0.8, "e": 0.9}
    found = correlate_shares({"a": 3.0, "b": 2.0, "c": 0.0, "d": 1.0, "x": 9.0}, shares)
    rho, r = found
    assert (rho.name, rho.value) == ("spearman", pytest.approx(-0.8))
    assert (rho.n, rho.n_total, rho.missing) == (4, 5, ("e",))
    assert (rho.low, rho.high) == fisher_interval(rho.value, 4, ranks=True)
    assert (r.low, r.high) == fisher_interval(r.value, 4)
    assert r.value == pytest.approx(np.corrcoef([3, 2, 0, 1], [0.1, 0.2, 0.4, 0.8])[0, 1])


def test_too_few_words_have_no_correlation():
    for one in correlate_shares({"a": 1.0, "b": 2.0}, {"a": 0.1, "b": 0.2}):
        assert (one.value, one.low, one.high, one.n) == (None, None, None, 2)
        assert "fewer than 3 words" in one.reason
    exact = correlate_shares({"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 0.1, "b": 0.2, "c": 0.3})
    assert [(one.value, one.low) for one in exact] == [(pytest.approx(1.0), None)] * 2
