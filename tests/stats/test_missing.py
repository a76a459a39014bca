"""Bounds of means with open terms, and whether answers are missing alike on both sides."""

from itertools import combinations

import numpy as np
import pytest

from monitor.stats.paired import mcnemar, mean_bounds, missing_p


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_those_of_every_choice_of_the_open_terms(seed):
    rng = np.random.default_rng(seed)
    low = rng.uniform(-1, 1, 9)
    high = low + rng.uniform(0, 1, 9)
    known = np.arange(9) < 1 + seed % 4
    sets = [
        [*np.flatnonzero(known), *further]
        for size in range(10)
        for further in combinations(np.flatnonzero(~known), size)
    ]
    expected = min(low[rows].mean() for rows in sets), max(high[rows].mean() for rows in sets)
    assert tuple(mean_bounds(low, high, known)) == pytest.approx(expected)


def test_nothing_bounds_a_mean_with_an_endless_term():
    ends = np.array([0.0, -np.inf]), np.array([0.5, 2.0])
    assert tuple(mean_bounds(*ends, np.array([True, False]))) == (-np.inf, 1.25)
    with pytest.raises(ValueError, match="known"):
        mean_bounds(*ends, np.array([False, False]))


def test_of_one_class_it_is_mcnemar():
    assert missing_p([(40, 40)], [(9, 2)]) == pytest.approx(mcnemar(9, 2))
    assert missing_p([(40, 40), (0, 0)], [(9, 2), (0, 0)]) == pytest.approx(mcnemar(9, 2))
    assert missing_p([(40, 40)], [(0, 0)]) is None


def test_a_class_that_became_rarer_is_missing_less_often_after_it():
    """80 answers of a class became 40: of as many missing ones, half as many are known after."""
    assert missing_p([(80, 40), (20, 60)], [(40, 20), (10, 30)]) > 0.9
    assert missing_p([(80, 80), (20, 20)], [(40, 20), (10, 30)]) < 0.01


@pytest.mark.parametrize("rates", [(0.3, 0.3), (0.1, 0.5)])
def test_answers_missing_alike_on_both_sides_seldom_have_a_small_p(rates):
    """At the same rate of each class on both sides, also where answers come and go."""
    rng, p = np.random.default_rng(8), []
    for _ in range(600):
        same = rng.random(400) < 0.7
        before, after = same.copy(), same.copy()
        for side in (before, after):
            moved = rng.random(400) < 0.03
            side[moved] = rng.random(moved.sum()) < 0.7
        gone = [rng.random(400) < np.where(side, *rates) for side in (before, after)]
        kept = ~gone[0] & ~gone[1]
        p.append(missing_p(
            [((kept & (before == c)).sum(), (kept & (after == c)).sum()) for c in (True, False)],
            [((~gone[0] & gone[1] & (before == c)).sum(),
              (gone[0] & ~gone[1] & (after == c)).sum()) for c in (True, False)],
        ))  # fmt: skip
    assert np.mean(np.array(p) <= 0.05) <= 0.07
    assert np.mean(np.array(p) <= 0.5) >= 0.3
