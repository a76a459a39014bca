import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stats.accuracy import (
    Audit,
    Corrected,
    accuracy_drop,
    calibrated,
    inverse_matrix,
    rogan_gladen,
)
from monitor.stats.intervals import agresti_coull


def test_rogan_and_gladen_by_hand():
    # brucellosis in the documentation of epiR: 23 of 150, Se 0.96, Sp 0.89 -> 5.1 of 100
    found = rogan_gladen(23, 150, Audit(100, 96, 100, 89))
    assert found.raw == pytest.approx(23 / 150)
    assert found.rate == pytest.approx((23 / 150 - 0.11) / 0.85)
    assert found.rate == pytest.approx(0.051, abs=5e-4)
    assert not found.clipped
    assert found.low < found.rate < found.high


def lang_reiczigel(k, n, se_k, se_n, sp_k, sp_n):
    """The limits step by step as the authors' script of 2013 takes them."""
    z = scipy.stats.norm.ppf(0.975)
    p, se, sp = (k + z**2 / 2) / (n + z**2), (se_k + 1) / (se_n + 2), (sp_k + 1) / (sp_n + 2)
    estimate = (p + sp - 1) / (se + sp - 1)
    error = math.sqrt(
        p * (1 - p) / (n + z**2)
        + se * (1 - se) / (se_n + 2) * estimate**2
        + sp * (1 - sp) / (sp_n + 2) * (1 - estimate) ** 2
    ) / (se + sp - 1)
    shift = (
        2 * z**2
        * (estimate * se * (1 - se) / (se_n + 2) - (1 - estimate) * sp * (1 - sp) / (sp_n + 2))
    )  # fmt: skip
    return [min(max(estimate + shift + way * z * error, 0), 1) for way in (-1, 1)]


@pytest.mark.parametrize(
    "case",
    # data sets of table 2 of Reiczigel, Foldi & Ozsvari (2010), Se 50 of 100 and Sp 199 of 200
    [(2, 78, 50, 100, 199, 200), (8, 78, 50, 100, 199, 200), (27, 650, 50, 100, 199, 200),
     (700, 1000, 19, 20, 18, 20), (500, 1000, 20, 20, 20, 20)],
)  # fmt: skip
def test_the_limits_are_those_of_lang_and_reiczigel(case):
    k, n, se_k, se_n, sp_k, sp_n = case
    found = rogan_gladen(k, n, Audit(se_n, se_k, sp_n, sp_k))
    assert (found.low, found.high) == pytest.approx(lang_reiczigel(*case), abs=1e-6)


def test_a_perfect_instrument_corrects_nothing():
    many = 10**9
    found = rogan_gladen(30, 100, Audit(many, many, many, many))
    limits = agresti_coull(30, 100)
    assert found.rate == pytest.approx(0.3)
    assert (found.low, found.high) == pytest.approx((limits.low, limits.high), abs=1e-6)
    for method in (inverse_matrix, calibrated):
        hits, others = method([30, 70], [[many, 0], [0, many]])
        assert (hits.rate, others.rate) == pytest.approx((0.3, 0.7))
        assert (hits.low, hits.high) == pytest.approx((limits.low, limits.high), abs=1e-6)


def test_two_classes_of_the_matrix_are_rogan_and_gladen():
    matrix = inverse_matrix([40, 160], [[18, 2], [3, 27]])
    assert matrix[0].rate == pytest.approx(rogan_gladen(40, 200, Audit(20, 18, 30, 27)).rate)
    assert matrix[0].rate + matrix[1].rate == pytest.approx(1)


def test_three_classes_by_hand():
    # truth 0.5, 0.3, 0.2 seen through these shares of calls by truth
    audited = np.array([[90, 10, 0], [5, 80, 15], [0, 20, 80]])
    q = np.array([0.5, 0.3, 0.2]) @ (audited / 100)
    found = inverse_matrix(1000 * q, audited)
    assert [c.rate for c in found] == pytest.approx([0.5, 0.3, 0.2])
    assert [c.raw for c in found] == pytest.approx(q)
    # calls audited one by one: the truth behind them follows Bayes
    joint = np.array([0.5, 0.3, 0.2])[:, None] * audited / 100
    per_call = 1000 * joint / joint.sum(axis=0)
    assert [c.rate for c in calibrated(1000 * q, per_call)] == pytest.approx([0.5, 0.3, 0.2])


TRUTH = np.array([0.6, 0.3, 0.1])
CALLS = np.array([[0.94, 0.03, 0.03], [0.04, 0.93, 0.03], [0.05, 0.05, 0.90]])
JOINT = TRUTH[:, None] * CALLS


@pytest.mark.parametrize("method", [inverse_matrix, calibrated])
def test_intervals_cover_the_true_shares(method):
    # 1,500 audits of 40 of a class; the standard error of a coverage of 95 % is 0.6 %
    rng = np.random.default_rng(1)
    covered = np.zeros(3)
    for _ in range(1500):
        q = rng.multinomial(2000, JOINT.sum(axis=0))
        if method is inverse_matrix:
            audited = np.array([rng.multinomial(40, row) for row in CALLS])
        else:
            columns = (JOINT / JOINT.sum(axis=0)).T
            audited = np.array([rng.multinomial(40, column) for column in columns]).T
        found = method(q, audited)
        covered += [c.low <= t <= c.high for c, t in zip(found, TRUTH, strict=True)]
    assert (covered / 1500 > 0.925).all()
    assert (covered / 1500 < 0.999).all()


def test_the_interval_of_two_classes_covers():
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(2000):
        hits = rng.binomial(600, 0.3 * 0.92 + 0.7 * 0.06)
        audit = Audit(40, int(rng.binomial(40, 0.92)), 40, int(rng.binomial(40, 0.94)))
        found = rogan_gladen(int(hits), 600, audit)
        covered += found.low <= 0.3 <= found.high
    assert 0.93 < covered / 2000 < 0.99


def test_the_wrong_sampling_gives_another_answer():
    # 20 of each called class, 18 right: the share of right calls is not the share of found hits
    audited = [[18, 2], [2, 18]]
    assert calibrated([100, 900], audited)[0].rate == pytest.approx(0.1 * 0.9 + 0.9 * 0.1)
    assert inverse_matrix([100, 900], audited)[0].rate == pytest.approx(0)


def test_a_rate_below_zero_is_cut_off_and_said():
    found = rogan_gladen(10, 100, Audit(20, 19, 20, 17))
    assert (found.rate, found.low) == (0, 0)
    assert found.clipped
    assert found.high > 0
    found = rogan_gladen(97, 100, Audit(20, 19, 20, 19))
    assert (found.rate, found.high) == (1, 1)
    assert found.clipped
    assert found.low < 1
    first, second = inverse_matrix([1, 99], [[19, 1], [3, 17]])
    assert (first.rate, second.rate) == (0, 1)
    assert first.clipped
    assert not any(c.clipped for c in inverse_matrix([50, 50], [[19, 1], [3, 17]]))


def test_fewer_hits_than_the_errors_alone_would_give_are_no_rate():
    # 15 of 100 false hits were to be expected of the audit, and there is 1
    found = rogan_gladen(1, 100, Audit(20, 19, 20, 17))
    assert "do not fit" in found.reason
    assert found.rate is found.low is found.high is None
    assert found.raw == 0.01


@pytest.mark.parametrize(
    ("hits", "n", "audit", "reason"),
    [
        (0, 0, Audit(20, 20, 20, 20), "nothing was measured"),
        (5, 10, Audit(9, 9, 20, 20), "9 of at least 10"),
        (5, 10, Audit(20, 20, 0, 0), "0 of at least 10"),
        (5, 10, Audit(20, 10, 20, 10), "no better than chance"),
        (5, 10, Audit(20, 2, 20, 2), "no better than chance"),
    ],
)
def test_what_cannot_be_corrected_says_why(hits, n, audit, reason):
    found = rogan_gladen(hits, n, audit)
    assert reason in found.reason
    assert found.rate is found.low is found.high is None
    assert found.raw == (hits / n if n else None)


def test_classes_that_cannot_be_corrected_say_why():
    good = [[20, 0], [0, 20]]
    for method in (inverse_matrix, calibrated):
        assert method([0, 0], good) == (Corrected(None, reason="nothing was measured"),) * 2
        assert "9 of at least 10" in method([1, 1], [[20, 0], [0, 9]])[0].reason
    mixed = inverse_matrix([5, 5], [[10, 10], [10, 10]])
    assert "mixes up" in mixed[1].reason
    assert mixed[1].rate is None
    assert mixed[1].raw == 0.5


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(1, 40), st.data())
def test_a_drop_is_fishers_exact_test(n_before, n_after, data):
    before = data.draw(st.integers(0, n_before))
    after = data.draw(st.integers(0, n_after))
    if not n_before:
        assert accuracy_drop(before, n_before, after, n_after) is None
        return
    table = [[after, n_after - after], [before, n_before - before]]
    expected = scipy.stats.fisher_exact(table, alternative="less").pvalue
    assert accuracy_drop(before, n_before, after, n_after) == pytest.approx(expected, abs=1e-9)


def test_what_cannot_be_is_an_error():
    for arguments in [(5, 4, 5, 5), (5, 5, -1, 5)]:
        with pytest.raises(ValueError, match="audit"):
            Audit(*arguments[1:3], 5, 6)
        with pytest.raises(ValueError, match="right"):
            accuracy_drop(*arguments)
    for hits, n in [(-1, 5), (6, 5)]:
        with pytest.raises(ValueError, match="hits"):
            rogan_gladen(hits, n, Audit(20, 20, 20, 20))
    for called, audited in [([1, 2], [[1]]), ([], [])]:
        with pytest.raises(ValueError, match="k by k"):
            inverse_matrix(called, audited)
    with pytest.raises(ValueError, match="at least 0"):
        calibrated([-1, 2], [[20, 0], [0, 20]])
    with pytest.raises(ValueError, match="finite"):
        calibrated([math.nan, 2], [[20, 0], [0, 20]])
