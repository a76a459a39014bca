"""Permutation tests: exact counts against enumeration, references and samples."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.lexicons import permutation
from monitor.lexicons.installed import find
from monitor.lexicons.lexicon import Lexicon, on_grid
from monitor.lexicons.permutation import WordTest, published_tests, run_test, split_test

#: Few values, so that there are ties; none of the sums of floats is exact.
SCORE = st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.3, 0.7]) | st.floats(-1, 1)


def enumerated(low, high):
    scores = [round(score * 2**40) for score in (*high, *low)]
    sums = [sum(some) for some in itertools.combinations(scores, len(high))]
    return sum(some >= sum(scores[: len(high)]) for some in sums), len(sums)


@given(st.lists(SCORE, min_size=1, max_size=6), st.lists(SCORE, min_size=1, max_size=6))
def test_counts_are_those_of_all_splits(low, high):
    split = split_test(np.array(low), np.array(high))
    assert (split.n_ge, split.n) == enumerated(low, high)
    assert split.exact
    assert 0 < split.p <= 1
    assert split.p == split.n_ge / math.comb(len(low) + len(high), len(high))


def test_ties_count_although_floats_differ():
    # 0.1 + 0.2 is not 0.3 in floats; every split has the same difference
    assert split_test(np.array([0.1, 0.2]), np.array([0.3, 0.0])).n_ge == 4


@given(st.lists(SCORE, min_size=2, max_size=5), st.lists(SCORE, min_size=2, max_size=5))
def test_both_tails_together_are_all_splits_and_the_ties(low, high):
    one, other = np.array(low), np.array(high)
    there, back = split_test(one, other), split_test(other, one)
    assert there.n_ge + back.n_ge > there.n


def test_two_words_among_many():
    high, low = on_grid(np.array([0.9, 0.8])), on_grid(np.linspace(-0.9, 0.7, 2000))
    split = split_test(low, high)
    assert (split.n_ge, split.exact) == (1, True)
    split = split_test(-high, -low)  # the same, seen from the other side
    assert (split.n_ge, split.n) == (1, math.comb(2002, 2))


def test_a_sample_where_there_are_too_many_splits(monkeypatch):
    draw = np.random.default_rng(2)
    low, high = on_grid(draw.uniform(-0.5, 0.4, 9)), on_grid(draw.uniform(-0.4, 0.5, 9))
    exact = split_test(low, high)
    monkeypatch.setattr(permutation, "MOST_SPLITS", exact.n_splits - 1)
    sampled = split_test(low, high, seed=1)
    assert (sampled.exact, sampled.n, sampled.n_splits) == (False, 100_000, exact.n_splits)
    assert sampled.p == (sampled.n_ge + 1) / 100_001
    assert abs(sampled.p - exact.p) < 4 * math.sqrt(exact.p * (1 - exact.p) / 100_000) + 1e-5
    assert split_test(low, high, seed=1) == sampled
    assert split_test(low, high, seed=2).n_ge != sampled.n_ge


def test_a_sampled_p_is_never_0():
    high, low = on_grid(np.linspace(0.5, 0.9, 20)), on_grid(np.linspace(-0.9, -0.5, 20))
    split = split_test(low, high)
    assert (split.exact, split.n_ge, split.p) == (False, 0, 1 / 100_001)


# --- in a lexicon -------------------------------------------------------------------------------

TEST = WordTest("T", "a and b", "as printed", ("Einstein", "science", "zzz"), ("art",), 0.01)


def test_words_are_looked_up_as_printed_then_in_lower_case():
    cased = Lexicon.of("c", {"Einstein": -0.5, "einstein": 0.5, "science": -0.25, "art": 0.25})
    found = run_test(TEST, cased)
    assert (found.low, found.high, found.dropped) == (("Einstein", "science"), ("art",), ("zzz",))
    assert found.split.difference == 0.625
    lower = Lexicon.of("l", {"einstein": 0.5, "science": -0.25, "art": 0.25})
    assert run_test(TEST, lower).low == ("einstein", "science")


def test_a_side_without_words_has_no_p():
    found = run_test(TEST, Lexicon.of("l", {"science": -0.25}))
    assert found.split is None
    assert found.dropped == ("Einstein", "zzz", "art")


def test_the_published_lists():
    found = published_tests()
    assert [test.table for test in found] == ["A.4", "A.4", "A.4", "A.5", "A.6", "A.7"]
    assert [(len(test.low), len(test.high)) for test in found] == [
        (15, 12), (15, 12), (14, 10), (8, 8), (8, 8), (10, 10)
    ]  # fmt: skip
    assert "corageous" in found[0].low
    assert "courageous" in found[1].low
    assert {"Einstein", "NASA", "Shakespeare"} <= permutation.words_of_tests()
    assert len({test.label for test in found}) == 6


NAMES = {
    "A.4 agency and communion, as printed (corageous)": "A.4 agency vs communion",
    "A.4 agency and communion, spelled right (courageous)": "A.4 with courageous spelled right",
    "A.4 agency and communion, public code (no courageous, generous, nurturing)": (
        "A.4 with the code lists (no courageous, generous, nurturing)"
    ),
    "A.5 science and arts, as printed": "A.5 science vs arts",
    "A.6 career and family, as printed": "A.6 career vs family",
    "A.7 occupations of men and of women, as printed": "A.7 jobs_m vs jobs_f",
}


@pytest.mark.parametrize("test", published_tests(), ids=lambda test: test.label)
def test_the_reference_counts(reference_data, test):
    path = reference_data / "oracles" / "a2_permutation_tests.json"
    expected = json.loads(path.read_text(encoding="utf-8"))["tests"][NAMES[test.label]]
    found = run_test(test, find("glove-6b-50d", None))
    assert set(found.low) == set(expected["low"])
    assert set(found.high) == set(expected["high"])
    assert list(found.dropped) == expected.get("dropped", [])
    assert (found.split.n_ge, found.split.n_splits) == (expected["n_ge"], expected["n_splits"])
    assert found.split.p == pytest.approx(expected["p_exact"], abs=1e-12)
    assert found.split.difference == pytest.approx(expected["difference"], abs=1e-9)
    assert test.printed_p == expected.get("paper_p", test.printed_p)
