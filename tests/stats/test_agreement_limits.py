import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t
from statsmodels.stats.inter_rater import cohens_kappa, to_table
from statsmodels.stats.proportion import proportion_confint

from bench import agreement_coverage
from monitor.stats.agreement import (
    FEWEST_OTHERS,
    alpha_limits,
    cohen_kappa,
    kappa_limits,
    krippendorff_alpha,
    raw_limits,
)


def rated(n, raters=2, seed=5, say_it=0.8):
    draw = random.Random(seed)  # noqa: S311 - the same ratings each time
    return agreement_coverage.rated(draw, n, (0.6, 0.3, 0.1), say_it, raters)


def by_leaving_out(statistic, ratings):
    """The jackknife item by item."""
    found, n = statistic(ratings), len(ratings[0])
    without = [statistic([row[:k] + row[k + 1 :] for row in ratings]) for k in range(n)]
    error = math.sqrt((n - 1) * np.var(without)) / (1 - found**2)
    reach = t.ppf(0.975, n - 1) * error
    return math.tanh(math.atanh(found) - reach), math.tanh(math.atanh(found) + reach)


@pytest.mark.parametrize("raters", [2, 4])
def test_limits_are_those_of_leaving_out_each_item(raters):
    ratings = rated(90, raters)
    assert alpha_limits(ratings) == pytest.approx(by_leaving_out(krippendorff_alpha, ratings))
    first, second, *_ = ratings
    by_item = by_leaving_out(lambda two: cohen_kappa(*two), [first, second])
    assert kappa_limits(first, second) == pytest.approx(by_item)


def test_many_items_have_the_limits_of_large_samples():
    first, second = rated(3_000)
    table, _ = to_table(np.column_stack([first, second]))
    theirs = cohens_kappa(table)
    assert kappa_limits(first, second) == pytest.approx(
        (theirs.kappa_low, theirs.kappa_upp), abs=2e-3
    )
    same = sum(a == b for a, b in zip(first, second, strict=True))
    assert raw_limits(first, second) == pytest.approx(
        proportion_confint(same, 3_000, method="wilson"), abs=1e-6
    )


def test_raters_who_always_agree_may_differ_yet():
    one = ["man"] * 30 + ["woman"] * 30
    low, high = alpha_limits([one, one])
    # 60 people without disagreement: up to 1 - .025^(1/60) of all may be in dispute, by chance 1/2
    assert (low, high) == (pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 60))), 1.0)
    assert kappa_limits(one, one) == (low, high)


@pytest.mark.parametrize("others", [FEWEST_OTHERS - 1, FEWEST_OTHERS])
def test_too_few_items_of_another_value_have_no_limits(others):
    first = ["man"] * 80 + ["woman"] * others
    second = ["man"] * 80 + ["woman"] * (others - 4) + ["man"] * 4
    assert (alpha_limits([first, second]) is None) is (others < FEWEST_OTHERS)
    assert (kappa_limits(first, second) is None) is (others < FEWEST_OTHERS)
    assert raw_limits(first, second) is not None


def test_no_value_has_no_limits():
    everywhere = ["man"] * 60
    assert alpha_limits([everywhere, everywhere]) is None
    assert kappa_limits(everywhere, everywhere) is None
    assert raw_limits([None], ["man"]) is None
    assert kappa_limits([None], ["man"]) is None
    assert kappa_limits(["man", "woman"] * 30, ["woman", "man"] * 30) is None  # kappa -1


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), min_size=40)
)
def test_limits_hold_the_value_and_stay_inside(columns):
    ratings = [list(row) for row in zip(*columns, strict=True)]
    limits = alpha_limits(ratings)
    if limits is not None:
        assert -1 <= limits.low <= krippendorff_alpha(ratings) <= limits.high <= 1


@pytest.mark.parametrize("say_it", [0.775, 0.98])
def test_limits_hold_the_truth_where_a_bootstrap_may_not(say_it):
    told, held = agreement_coverage.setting((0.5, 0.5), say_it, 100, 60)
    assert told == 60
    assert held["alpha"] >= 0.88
    assert held["kappa"] >= 0.88
