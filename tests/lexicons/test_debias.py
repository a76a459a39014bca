"""Debiased vectors: what is lost, what is kept, and what stays apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.lexicons.direction import (
    PAIRS,
    Debiasing,
    PairWords,
    VectorChange,
    equalise_pair,
    gender_specific,
    neutralise_rows,
    unit_rows,
)
from tests.lexicons.small import space

SEEDS = st.integers(0, 2**32)


def some(seed, n=6, dimensions=4):
    draw = np.random.default_rng(seed)
    return unit_rows(draw.normal(size=(n, dimensions))), unit_rows(
        draw.normal(size=(1, dimensions))
    )[0]


def debiasing(change, rows):
    words = PairWords()
    words.offer(list(rows), np.stack(list(rows.values())))
    return Debiasing.of(change, words.direction(), words.vectors)


@given(SEEDS)
def test_neutral_rows_have_no_gender_and_unit_length(seed):
    rows, direction = some(seed)
    changed = neutralise_rows(rows, direction)
    np.testing.assert_allclose(changed @ direction, 0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(changed, axis=1), 1)
    # what is left points where the rest of the row did
    rest = rows - np.outer(rows @ direction, direction)
    assert (np.einsum("ij,ij->i", changed, rest) > 0).all()


def test_a_row_that_is_nothing_but_gender_becomes_zero():
    direction = np.array([1.0, 0.0])
    np.testing.assert_array_equal(
        neutralise_rows(np.array([[-1.0, 0.0], [0.6, 0.8]]), direction), [[0, 0], [0, 1]]
    )


@given(SEEDS)
def test_equal_words_differ_in_gender_alone(seed):
    rows, direction = some(seed)
    female, male = equalise_pair(rows[0], rows[1], direction)
    np.testing.assert_allclose([female @ female, male @ male], 1)
    assert female @ direction == pytest.approx(-(male @ direction))
    assert (female @ direction > 0) == (rows[0] @ direction > rows[1] @ direction)
    # so every neutral word is as near to one as to the other
    other = neutralise_rows(rows[2:3], direction)[0]
    assert other @ female == pytest.approx(other @ male)


def test_words_of_one_gender_are_not_put_apart():
    same = np.array([0.6, 0.8])
    female, male = equalise_pair(same, same, np.array([1.0, 0.0]))
    np.testing.assert_allclose([female, male], [[0, 1], [0, 1]])


def test_regular_vectors_stay_as_they_are():
    rows = space()
    unit = unit_rows(np.stack(list(rows.values())))
    np.testing.assert_array_equal(
        debiasing(VectorChange.REGULAR, rows).rows(list(rows), unit), unit
    )


def test_strong_debiasing_takes_the_direction_from_every_word():
    rows = space()
    made = debiasing(VectorChange.STRONG, rows)
    changed = made.rows(list(rows), unit_rows(np.stack(list(rows.values()))))
    np.testing.assert_allclose(changed @ made.direction, 0, atol=1e-12)


def test_hard_debiasing_keeps_words_that_mean_a_gender():
    rows = space(others=["nurse", "queen", "engineer"])
    made = debiasing(VectorChange.HARD, rows)
    unit = unit_rows(np.stack(list(rows.values())))
    changed = dict(zip(rows, made.rows(list(rows), unit), strict=True))
    for word in ("nurse", "engineer"):
        assert changed[word] @ made.direction == pytest.approx(0, abs=1e-12)
    np.testing.assert_array_equal(changed["queen"], unit[list(rows).index("queen")])
    for female, male in PAIRS:
        assert changed["nurse"] @ changed[female] == pytest.approx(changed["nurse"] @ changed[male])
        assert changed[female] @ made.direction > 0 > changed[male] @ made.direction
    # and what was given is not touched
    np.testing.assert_array_equal(unit, unit_rows(np.stack(list(rows.values()))))


def test_words_that_mean_a_gender():
    found = gender_specific(PAIRS)
    assert {"she", "Mary", "mary", "queen", "actor"} <= found
    assert not {"nurse", "engineer"} & found


def test_the_list_is_that_of_the_paper(reference_data):
    path = reference_data / "data" / "gender_entities_fabris_b.csv"
    listed = [line.split(",")[0] for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    # no text has a token with a hyphen, so no vector is kept for one
    assert {word for word in listed if word.isalpha()} <= gender_specific(PAIRS)
