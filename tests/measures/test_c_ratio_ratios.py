"""Model and target ratios, by hand and against the rows and cases of the reference data."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.measures.c_ratio._bias_statistics import (
    rounded_target,
    share_fraction,
    topic_bias,
)
from monitor.measures.c_ratio._list_topics import ListRules
from monitor.model import Share


def denominator_of(denominator, cutoff, shown):
    return ListRules(cutoff, denominator, "exact", "women", ("women", "men"), 0.5).over(shown)


@pytest.fixture(scope="module")
def lipani(reference_data):
    return json.loads((reference_data / "oracles" / "f1_lipani.json").read_text())


def test_every_row_of_the_paper(lipani):
    rows = lipani["paper_rows"]
    assert len(rows) == 66
    for row in rows:
        model, target = Fraction(str(row["model_ratio"])), Fraction(str(row["target_ratio"]))
        assert float(topic_bias(model, target)) == pytest.approx(row["beta"], abs=1e-12)


@pytest.mark.parametrize("denominator", ["shown", "cutoff"])
def test_every_case_of_the_reference(lipani, denominator):
    assert len(lipani["cases"]) == 100
    for case in lipani["cases"]:
        expected = case[f"denominator_{denominator}"]
        n = denominator_of(denominator, case["cutoff"], case["n_results"])
        if expected is None:
            assert n == 0
            continue
        mu = Fraction(case["n_c_relevant"], case["n_relevant"])
        model = Fraction(case["n_c_in_results"], n)
        target = rounded_target(mu, n, model)
        assert float(model) == pytest.approx(expected["model"], abs=1e-12)
        assert float(target) == pytest.approx(expected["target"], abs=1e-12)
        assert topic_bias(model, target) == Fraction(expected["beta_exact"])
        assert ((mu * n) % 1 == Fraction(1, 2)) is expected["tie"]
        other = Fraction(case["n_results"] - case["n_c_in_results"], n)
        assert float(topic_bias(other, rounded_target(1 - mu, n, other))) == pytest.approx(
            expected["beta_complement"], abs=1e-12
        )


def test_a_tie_goes_to_the_model():
    mu = Fraction(1, 4)
    assert rounded_target(mu, 10, Fraction(0)) == Fraction(2, 10)
    assert rounded_target(mu, 10, Fraction(2, 10)) == Fraction(2, 10)
    assert rounded_target(mu, 10, Fraction(3, 10)) == Fraction(3, 10)
    assert rounded_target(mu, 10, Fraction(9, 10)) == Fraction(3, 10)


def test_ties_are_not_decided_in_floats():
    assert 0.29 * 50 != 14.5
    mu = share_fraction(Share("k", 0.29, "s", "US", "2019"))
    assert rounded_target(mu, 50, Fraction(1)) == Fraction(15, 50)
    assert rounded_target(mu, 50, Fraction(0)) == Fraction(14, 50)


def test_a_share_of_a_known_count_is_that_count():
    assert share_fraction(Share("k", 1 / 6, "s", "US", "2019", n=600)) == Fraction(1, 6)
    assert share_fraction(Share("k", 0.123, "s", "US", "2019", n=10)) == Fraction(123, 1000)


def test_the_ends_stay_ends():
    assert rounded_target(Fraction(1), 8, Fraction(0)) == 1
    assert rounded_target(Fraction(0), 8, Fraction(1)) == 0


def test_nothing_has_no_ratio():
    with pytest.raises(ValueError, match="0 items"):
        rounded_target(Fraction(1, 2), 0, Fraction(0))


def test_denominators():
    assert denominator_of("shown", 10, 7) == 7
    assert denominator_of("shown", 10, 12) == 10
    assert denominator_of("cutoff", 10, 7) == 10


@given(st.fractions(0, 1, max_denominator=200), st.integers(1, 30), st.data())
def test_the_target_is_nearest_and_the_complement_opposite(mu, n, data):
    model = Fraction(data.draw(st.integers(0, n)), n)
    target = rounded_target(mu, n, model)
    nearest = min(abs(Fraction(k, n) - mu) for k in range(n + 1))
    assert abs(target - mu) == nearest
    assert topic_bias(1 - model, rounded_target(1 - mu, n, 1 - model)) == -topic_bias(model, target)
