"""Shares of an audited output: by hand, against Rogan and Gladen, and by simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from monitor.stats.agreement import Called, SharePlace, audited_share, drop_within
from tests.cases import check_each

TOP, REST, OUTSIDE = SharePlace.TOP, SharePlace.REST, SharePlace.OUTSIDE


def test_a_share_by_hand():
    # 300 called masculine: 18 m, 1 f, 1 neither of 20; 100 feminine: 2 m, 18 f; 100 neither: 5 m
    found = audited_share(
        [
            Called("masculine", 300, TOP, 18, 1, 1),
            Called("feminine", 100, REST, 2, 18, 0),
            Called("none", 100, OUTSIDE, 5, 0, 15),
        ]
    )
    masculine = 300 * 0.9 + 100 * 0.1 + 100 * 0.25
    feminine = 300 * 0.05 + 100 * 0.9
    assert found.raw == pytest.approx(0.75)
    assert found.rate == pytest.approx(masculine / (masculine + feminine))
    assert found.low < found.rate < found.high


@settings(deadline=None)
@given(
    st.integers(100, 10_000), st.integers(100, 10_000),
    st.tuples(st.integers(1, 30), st.integers(1, 30)),
    st.tuples(st.integers(1, 30), st.integers(1, 30)),
)  # fmt: skip
def test_of_two_classes_it_is_what_rogan_and_gladen_correct_to(m, f, of_m, of_f):
    """With sensitivity and specificity in the whole output; those of the sheet itself mislead."""
    if sum(of_m) < 10 or sum(of_f) < 10:
        return
    found = audited_share([Called("m", m, TOP, *of_m), Called("f", f, REST, *of_f)])
    right_m, right_f = m * of_m[0] / sum(of_m), f * of_f[1] / sum(of_f)
    wrong_m, wrong_f = m - right_m, f - right_f
    sensitivity, specificity = right_m / (right_m + wrong_f), right_f / (right_f + wrong_m)
    raw, better = m / (m + f), sensitivity + specificity - 1
    assert found.raw == pytest.approx(raw)
    assert found.rate * better == pytest.approx(raw + specificity - 1, abs=1e-9)


def test_of_rare_calls_the_sheet_shows_too_many():
    """100 of 1,000 called masculine, and one call in ten is wrong of either class."""
    found = audited_share([Called("m", 100, TOP, 18, 2, 0), Called("f", 900, REST, 2, 18, 0)])
    assert found.rate == pytest.approx(0.1 * 0.9 + 0.9 * 0.1)


def test_a_class_that_is_read_whole_needs_no_ten():
    common = Called("masculine", 500, TOP, 20, 0, 0), Called("feminine", 400, REST, 0, 20, 0)
    found = audited_share([*common, Called("mixed", 3, OUTSIDE, 1, 0, 2)])
    assert found.rate == pytest.approx(501 / 901)
    lacking = audited_share([*common, Called("mixed", 3, OUTSIDE, 1, 0, 1)])
    assert (lacking.rate, lacking.raw) == (None, pytest.approx(500 / 900))
    assert lacking.reason == "2 of at least 3 read of what was called mixed"


@check_each(
    ("called", "reason"),
    [
        ([], "nothing was measured"),
        ([Called("none", 0, OUTSIDE)], "nothing was measured"),
        ([Called("masculine", 50, TOP, 9, 0, 0)], "9 of at least 10 read of what was called"),
        ([Called("masculine", 50, TOP, 0, 0, 20)], "people read none of these classes in it"),
    ],
)
def test_without_enough_nothing_is_corrected(called, reason):
    found = audited_share(called)
    assert found.rate is found.low is found.high is None
    assert found.reason.startswith(reason)


def test_what_is_called_by_nobody_has_no_raw_share():
    assert audited_share([Called("none", 50, OUTSIDE, 2, 1, 17)]).raw is None


def test_nobody_reads_more_than_there_is():
    with pytest.raises(ValueError, match="more than there is"):
        Called("mixed", 3, OUTSIDE, 2, 1, 1)
    with pytest.raises(ValueError, match="more than there is"):
        Called("mixed", 3, OUTSIDE, -1, 1, 1)


@check_each(
    ("q", "truth"),
    [
        ([0.8, 0.15, 0.05], [(0.97, 0.01, 0.02), (0.02, 0.95, 0.03), (0.1, 0.05, 0.85)]),
        ([0.6, 0.3, 0.1], [(0.9, 0.05, 0.05), (0.1, 0.85, 0.05), (0.2, 0.2, 0.6)]),
        ([0.95, 0.03, 0.02], [(0.98, 0.01, 0.01), (0.1, 0.88, 0.02), (0.1, 0.1, 0.8)]),
    ],
)
@check_each("n", [20, 60])
def test_limits_hold_the_true_share(q, truth, n):
    random = np.random.default_rng(5)
    law = np.array(truth)
    true = (q @ law[:, 0]) / (q @ law[:, :2].sum(axis=1))
    held = 0
    for _ in range(400):
        some = []
        for place, answers, row in zip(SharePlace, random.multinomial(1_000, q), law, strict=True):
            every = random.multinomial(answers, row)
            drawn = random.multivariate_hypergeometric(every, min(n, answers))
            some.append(Called(place.name, int(answers), place, *map(int, drawn)))
        found = audited_share(some)
        held += found.low <= true <= found.high
    assert held >= 0.93 * 400


# --- falls ----------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.data())
def test_one_class_is_the_test_of_fisher(data):
    n_before, n_after = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    before = data.draw(st.integers(0, n_before))
    after = data.draw(st.integers(0, n_after))
    found = drop_within([(before, n_before, after, n_after)])
    table = [[after, n_after - after], [before, n_before - before]]
    assert found == pytest.approx(fisher_exact(table, alternative="less").pvalue)


def test_two_classes_are_spread_each_by_itself():
    found = drop_within([(19, 20, 15, 20), (3, 4, 2, 4)])
    first, second = hypergeom(40, 34, 20), hypergeom(8, 5, 4)
    expected = sum(first.pmf(a) * second.pmf(b) for a in range(21) for b in range(5) if a + b <= 17)
    assert found == pytest.approx(expected)


def test_other_numbers_of_a_poor_class_are_no_fall():
    """Pooled, 19 + 1 of 22 before and 19 + 10 of 40 after would look like one."""
    assert drop_within([(20, 22, 29, 40)]) < 0.1
    assert drop_within([(19, 20, 19, 20), (1, 2, 10, 20)]) > 0.4


def test_without_a_class_of_both_audits_there_is_no_p():
    assert drop_within([]) is None
    assert drop_within([(0, 0, 5, 5), (5, 5, 0, 0)]) is None
    with pytest.raises(ValueError, match="more right ones"):
        drop_within([(6, 5, 1, 5)])
