import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats import contingency_tables

from monitor.measures._paired_panels import of_flips
from monitor.stats.correlation import weighted_pearson
from monitor.stats.intervals import Z95
from monitor.stats.paired import (
    FlipTest,
    compare_margins,
    exchange_parts,
    flip_interval,
    mcnemar,
    nothing_moved,
    recentre_flip,
    sign_flip,
    wider_flip,
)
from tests.cases import check_each

RNG = np.random.default_rng(11)
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def _the_same_numbers_whatever_ran_before():
    RNG.bit_generator.state = START


@check_each(("gained", "lost"), [(1, 0), (7, 2), (2, 7), (40, 41), (300, 180)])
def test_mcnemar_is_the_binomial_law(gained, lost):
    n, fewer = gained + lost, min(gained, lost)
    exact = 2 * stats.binom.cdf(fewer, n, 0.5)
    seen = stats.binom.pmf(fewer, n, 0.5)
    assert mcnemar(gained, lost) == pytest.approx(exact - seen, rel=1e-11)
    told = contingency_tables.mcnemar([[5, gained], [lost, 5]], exact=True).pvalue
    assert mcnemar(gained, lost) == pytest.approx(told - seen, rel=1e-11)


def test_mcnemar_in_the_published_example():
    """Table 1 of Fagerland, Lydersen and Laake (2013): 1 and 7 discordant pairs."""
    assert mcnemar(7, 1) == pytest.approx(0.0391, abs=5e-5)


def test_mcnemar_in_the_far_tail():
    for gained, lost in ((990, 0), (1000, 3), (2500, 500)):
        n = gained + lost
        tail = 2 * sum(math.comb(n, k) for k in range(lost)) + math.comb(n, lost)
        assert mcnemar(gained, lost) == pytest.approx(float(Fraction(tail, 2**n)), rel=1e-9)
    assert mcnemar(0, 990) < 1e-297
    assert mcnemar(0, 5000) == 2.2250738585072014e-308


def test_mcnemar_without_direction():
    assert mcnemar(0, 0) == mcnemar(12, 12) == 1.0
    with pytest.raises(ValueError, match="counts"):
        mcnemar(-1, 2)


def coverage(n, gain, lose):
    """Exact probability that the interval holds gain - lose, over all numbers of flips."""
    held = 0.0
    for b in range(n + 1):
        above = stats.binom.pmf(b, n, gain)
        if above < 1e-9:
            continue
        c = np.arange(n - b + 1)
        below = stats.binom.pmf(c, n - b, lose / (1 - gain))
        for lost in c[below > 1e-9].tolist():
            low, high = flip_interval(b, lost, n)
            held += above * below[lost] * (low - 1e-12 <= gain - lose <= high + 1e-12)
    return held


@check_each(
    ("gain", "lose"),
    [(0.0005, 0.0005), (0.015, 0.0), (0.0184, 0.0), (0.02, 0.01), (0.1, 0.05), (0.2, 0.2)],
)
def test_the_interval_of_flips_covers_what_it_says(gain, lose):
    assert coverage(200, gain, lose) >= 0.95


def test_the_interval_of_flips_by_hand():
    # (13 - 5)/202 -+ z sqrt((18/202 - (8/202)^2)/202)
    low, high = flip_interval(12, 4, 200)
    half = Z95 * math.sqrt((18 / 202 - (8 / 202) ** 2) / 202)
    assert (low, high) == pytest.approx((8 / 202 - half, 8 / 202 + half))
    assert flip_interval(4, 12, 200) == pytest.approx((-high, -low))
    assert flip_interval(5, 0, 5) == (pytest.approx(5 / 7 - Z95 * math.sqrt(24 / 343)), 1.0)
    for impossible in ((1, 0, 0), (3, 3, 5), (-1, 0, 5)):
        with pytest.raises(ValueError, match="probes"):
            flip_interval(*impossible)


def test_no_flips_are_no_certainty():
    low, high = flip_interval(0, 0, 3000)
    assert (low, high) == (-nothing_moved(3000), nothing_moved(3000))
    assert high == pytest.approx(3.689 / 3000, rel=1e-3)
    # with so many flips to come, to see none has just 2.5 %
    assert (1 - high) ** 3000 == pytest.approx(0.025)
    with pytest.raises(ValueError, match="nothing"):
        nothing_moved(0)


def stuart_maxwell(table):
    """The test of a square table (classes before, classes after): a row for each item."""
    table = np.asarray(table, int)
    rows = [
        np.eye(len(table))[two] - np.eye(len(table))[one]
        for one, two in itertools.product(range(len(table)), repeat=2)
        for _ in range(table[one, two])
    ]
    return compare_margins(np.array(rows).reshape(len(rows), len(table)))


@check_each("size", [2, 3, 5, 7])
@check_each("often", [1, 5, 40])
def test_stuart_maxwell_is_that_of_statsmodels(size, often):
    for _ in range(5):
        table = RNG.poisson(often, (size, size)) + np.eye(size, k=1, dtype=int)
        table[-1, 0] += 1  # every class is left and entered
        told = contingency_tables.SquareTable(table.astype(float), shift_zeros=False).homogeneity()
        found = stuart_maxwell(table)
        assert found == pytest.approx((told.statistic, told.df, told.pvalue), rel=1e-8)


def test_stuart_maxwell_of_two_classes_is_mcnemar_without_correction():
    found = stuart_maxwell([[10, 9], [4, 20]])
    assert found == pytest.approx((25 / 13, 1, stats.chi2.sf(25 / 13, 1)))


def test_stuart_maxwell_drops_classes_that_nobody_left_or_entered():
    plain = stuart_maxwell([[10, 9, 1], [4, 20, 2], [0, 5, 3]])
    wide = [[10, 9, 0, 1, 0], [4, 20, 0, 2, 0], [0] * 5, [0, 5, 0, 3, 0], [0, 0, 0, 0, 8]]
    assert stuart_maxwell(wide) == pytest.approx(plain)


@check_each(
    "table",
    [np.zeros((0, 0)), np.zeros((3, 3)), np.diag([3, 4, 0]),
     [[5, 2, 0, 0], [1, 5, 0, 0], [0, 0, 5, 2], [0, 0, 3, 1]]],
)  # fmt: skip
def test_stuart_maxwell_is_not_made_up(table):
    assert stuart_maxwell(table) is None


def test_sign_flip_adds_up_clusters_and_flips_them():
    terms = np.array([1.0, 2.0, -0.5, 4.0, 0.25])
    found = sign_flip(terms, np.array([5, 5, 1, 9, 1]))
    # clusters 3, 4 and -.25: |S| >= 6.75 in 6.75 and 7.25, each with both signs
    assert (found.total, found.clusters, found.moved) == (6.75, 3, 3)
    assert found.p == pytest.approx(0.5)
    alone = sign_flip(terms)
    patterns = itertools.product((-1, 1), repeat=5)
    reached = [abs(sum(s * t for s, t in zip(p, terms, strict=True))) >= 6.75 for p in patterns]
    assert alone.p == pytest.approx(sum(reached) / 32)


def test_the_wider_of_two_is_around_the_first():
    narrow = FlipTest(1.0, 0.75, 1.25, 0.01, 9, 8, 0.2)
    wide = FlipTest(3.0, 2.0, 4.0, 0.002, 7, 6, 0.5)
    assert wider_flip(narrow, wide) == FlipTest(1.0, 0.0, 2.0, 0.01, 9, 8, 0.5)
    assert wider_flip(wide, narrow) == FlipTest(3.0, 2.0, 4.0, 0.01, 7, 6, 0.5)
    assert wider_flip(wide, FlipTest(0.0, None, None, 1.0, 7, 0, 0.0)).low is None


def test_sign_flip_of_equal_flips_is_the_exact_test_of_mcnemar():
    for gained, lost in ((7, 2), (60, 30), (400, 250)):
        terms = np.concatenate([np.ones(gained), -np.ones(lost), np.zeros(500)]) / 3000
        told = stats.binomtest(gained, gained + lost).pvalue
        assert sign_flip(terms).p == pytest.approx(told, rel=1e-9)


def test_clusters_whose_terms_cancel_have_not_moved():
    third = 1 / 3
    found = sign_flip(np.array([third, third, -2 * third, 0.0, 0.5]), np.array([0, 0, 0, 1, 2]))
    assert (found.clusters, found.moved, found.p) == (3, 1, 1.0)


def test_the_interval_of_sign_flip_by_hand():
    sums = np.array([0.03, -0.01, 0.0, 0.02])
    found = sign_flip(sums, step=0.01)
    variance = 4 / 3 * np.sum((sums - 0.01) ** 2) + 2 * 0.01**2
    half = stats.t.ppf(0.975, 3) * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((0.04 - half, 0.04 + half), rel=1e-7)


def test_nothing_moved_has_an_interval_where_a_step_is_known():
    assert sign_flip(np.zeros(40)) == FlipTest(0.0, None, None, 1.0, 40, 0, 0.0)
    found = sign_flip(np.zeros(40), step=1 / 40)
    assert (found.low, found.high) == pytest.approx((-nothing_moved(40), nothing_moved(40)))
    assert found.p == 1.0


def test_one_cluster_and_none_have_no_interval():
    one = sign_flip(np.array([0.1, 0.2]), np.array([4, 4]), 0.1)
    assert (one.low, one.high, one.p) == (None, None, 1.0)
    assert sign_flip(np.zeros(0), step=0.1) == FlipTest(0.0, None, None, 1.0, 0, 0, 0.0)
    assert sign_flip(np.zeros(0), np.zeros(0, np.int64)) == FlipTest(
        0.0, None, None, 1.0, 0, 0, 0.0
    )


@check_each(
    ("terms", "clusters", "step"),
    [([1.0, math.nan], None, 0.0), ([math.inf], None, 0.0), ([[1.0]], None, 0.0),
     ([1.0], None, -1.0), ([1.0, 2.0], [1], 0.0)],
)  # fmt: skip
def test_terms_that_are_none_are_refused(terms, clusters, step):
    with pytest.raises(ValueError, match="need"):
        sign_flip(np.array(terms), clusters and np.array(clusters), step)


def test_the_spread_is_that_of_the_clusters():
    terms, clusters = np.array([0.1, 0.2, -0.1, 0.1, 0.4]), np.array([0, 0, 1, 1, 2])
    found = sign_flip(terms, clusters)
    assert found.spread == pytest.approx(0.5)  # sums 0.3, 0.0, 0.4
    signs = np.array(list(itertools.product((-1, 1), repeat=3))) @ np.array([0.3, 0.0, 0.4])
    assert found.spread == pytest.approx(signs.std())


def test_the_spread_of_a_share_is_that_of_its_flips():
    assert dict(of_flips(9, 7, 50).evidence) == {"spread": 4 / 50}
    terms = np.array([1.0] * 9 + [-1.0] * 7 + [0.0] * 34) / 50
    assert sign_flip(terms).spread == pytest.approx(4 / 50)
    assert dict(of_flips(0, 0, 3).evidence) == {"spread": 0.0}


def test_tiny_terms_have_a_spread():
    assert sign_flip(np.array([3e-200, -4e-200])).spread == pytest.approx(5e-200)


def mean_of(stats, groups, weights):
    assert not groups.any()
    return (weights @ stats[:, :1]) / weights.sum(axis=1, keepdims=True)


def pearson_of(stats, groups, weights):
    return weighted_pearson(stats[:, 0], stats[:, 1], weights)[:, None]


def test_parts_of_a_mean_are_its_differences():
    before, after = RNG.normal(size=(2, 300, 1))  # more than are exchanged at a time
    after[::3] = before[::3]
    parts = exchange_parts(mean_of, before, after)
    assert parts == pytest.approx((after - before)[:, 0] / 300, abs=1e-15)
    assert not parts[::3].any()


def test_parts_of_a_correlation_turn_round_and_add_up_nearly():
    before, after = RNG.normal(size=(2, 60, 2)) @ np.array([[1, 0.6], [0, 0.8]])
    after[:40] = before[:40]
    parts = exchange_parts(pearson_of, before, after)
    assert np.count_nonzero(parts) == 20
    change = np.corrcoef(after.T)[0, 1] - np.corrcoef(before.T)[0, 1]
    assert parts.sum() == pytest.approx(change, abs=0.01)
    assert exchange_parts(pearson_of, after, before) == pytest.approx(-parts, abs=1e-12)


def test_a_part_is_one_exchange_about_the_middle_of_both_sides():
    before, after = RNG.normal(size=(2, 8, 2))
    rows = np.concatenate([before, after])
    weights = np.full((2, 16), 0.5)
    weights[0, [2, 10]], weights[1, [2, 10]] = (1, 0), (0, 1)
    then, now = (
        np.cov(rows.T, aweights=w, ddof=0)[0, 1]
        / np.sqrt(np.prod(np.diag(np.cov(rows.T, aweights=w, ddof=0))))
        for w in weights
    )
    assert exchange_parts(pearson_of, before, after)[2] == pytest.approx(now - then)


def test_limits_are_about_the_change_itself():
    flip = sign_flip(np.array([0.1, 0.2, 0.05]))
    moved = recentre_flip((1.0, 1.4), flip)
    assert moved.total == pytest.approx(0.4)
    assert moved.high - moved.low == pytest.approx(flip.high - flip.low)
    assert (moved.low + moved.high) / 2 == pytest.approx(0.4)
    still = recentre_flip((1.0, 1.0), sign_flip(np.zeros(3), step=0.1))
    assert (still.total, still.low, still.high) == (0.0, None, None)


def test_a_unit_without_which_nothing_varies_has_no_part():
    before, after = np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [3.0, 5.0]])
    assert np.isfinite(exchange_parts(pearson_of, before, after)).all()
