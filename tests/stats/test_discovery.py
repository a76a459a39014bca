import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import (
    GAMMA_SUM,
    e_lond,
    gamma,
    inside_level,
    lord,
    simes,
)
from monitor.stats.power import false_alarms

P = st.floats(0, 1)
SMALL = st.one_of(P, st.floats(0, 1e-3), st.just(0.0))


def test_the_gammas_sum_to_one():
    # The sum to n and the integral of the falling terms from n + 1/2 (midpoint rule, error far
    # below 1e-9): with v = sqrt(log x) it is 2 exp(-v) (v^3 + 3 v^2 + 6 v + 6).
    n = 1_000_000
    j = np.arange(1, n + 1, dtype=np.float64)
    terms = np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j))))
    v = math.sqrt(math.log(n + 0.5))
    total = terms.sum() + 2 * math.exp(-v) * (v**3 + 3 * v**2 + 6 * v + 6)
    assert total <= GAMMA_SUM < total + 1e-6
    assert [gamma(k) for k in (1, 2, 500)] == pytest.approx(list(terms[[0, 1, 499]] / total))


@pytest.mark.parametrize(("constant", "spent"), [(0.0722, 0.913), (0.07720838, 0.976)])
def test_the_constants_in_print_spend_less(constant, spent):
    assert constant * math.log(2) / gamma(1) == pytest.approx(spent, abs=5e-4)


def paper(p, alpha, wealth, length):
    """LORD++ word by word from section 3.1 of Ramdas et al. (2017), but that the initial wealth is
    spent evenly, and all begins anew after `length` hypotheses."""
    levels, tau, start = [], [], 0
    for t in range(1, len(p) + 2):
        if (t - 1) % length == 0:
            start = t - 1
        now = [moment for moment in tau if moment > start]
        level = wealth / length
        if now:
            level += (alpha - wealth) * gamma(t - now[0])
        level += alpha * sum(gamma(t - moment) for moment in now[1:])
        levels.append(level)
        if t <= len(p) and p[t - 1] <= level:
            tau.append(t)
    return levels, tau


@settings(deadline=None)
@given(st.lists(SMALL, max_size=60), st.floats(0.01, 0.3), st.floats(0.01, 1), st.integers(1, 60))
def test_lord_is_that_of_the_paper(p, alpha, part, length):
    ledger = lord(p, alpha, part * alpha, length)
    levels, tau = paper(p, alpha, part * alpha, length)
    assert [*ledger.levels, ledger.next_level] == pytest.approx(levels, rel=1e-9)
    assert [t for t, hit in enumerate(ledger.rejected, start=1) if hit] == tau


def test_lord_by_hand():
    # alpha 0.05, initial wealth 0.025 over 52 ticks; gamma_1 = log 2 / 12.645108 = 0.0548154,
    # gamma_2 = log 2 / (2 exp(sqrt(log 2))) / 12.645108 = 0.0119206
    g1, g2, even = 0.05481545, 0.01192062, 0.025 / 52
    assert lord([], 0.05).next_level == pytest.approx(even)
    quiet = lord([0.5] * 51, 0.05)
    assert quiet.levels == pytest.approx((even,) * 51)
    assert quiet.next_level == pytest.approx(even)
    first = lord([0.0001], 0.05)
    assert first.rejected == (True,)
    assert first.next_level == pytest.approx(even + 0.025 * g1, rel=1e-5)
    second = lord([0.0001, 0.001], 0.05)
    assert second.next_level == pytest.approx(even + 0.025 * g2 + 0.05 * g1, rel=1e-5)
    assert second.levels[0] == first.levels[0]


def test_a_new_ledger_begins_after_a_year_of_weeks_with_nothing_of_the_old_one():
    year = [1e-9] * 52
    found = lord([*year, 0.9], 0.05)
    assert found.levels[51] > 0.004  # of what was earned
    assert found.levels[52] == lord(year, 0.05).next_level == pytest.approx(0.025 / 52)
    assert found.next_level == pytest.approx(0.025 / 52)


@given(st.lists(SMALL, min_size=1, max_size=60), st.integers(0, 59))
def test_one_more_rejection_makes_no_later_level_smaller(p, at):
    more = [0.0 if t == at else value for t, value in enumerate(p)]
    one, two = lord(p, 0.05), lord(more, 0.05)
    pairs = zip((*one.levels, one.next_level), (*two.levels, two.next_level), strict=True)
    assert all(after >= before - 1e-15 for before, after in pairs)


@given(st.lists(SMALL, max_size=52), st.floats(0.01, 0.3))
def test_levels_of_a_ledger_add_up_to_what_its_rejections_allow(p, alpha):
    ledger = lord(p, alpha)
    assert math.fsum(ledger.levels) <= alpha * max(sum(ledger.rejected), 1) + 1e-12


@given(st.lists(SMALL, min_size=1, max_size=40))
def test_a_later_p_never_moves_an_earlier_level(p):
    whole, part = lord(p, 0.05), lord(p[:-1], 0.05)
    assert whole.levels[:-1] == pytest.approx(part.levels, rel=1e-12)
    assert whole.levels[-1] == pytest.approx(part.next_level, rel=1e-12)


def test_lord_keeps_the_false_discovery_rate():
    # A year of weeks, a tenth of the nulls false with a clear effect. Over 4,000 years the standard
    # error of the mean share is 0.002 (the share lies in 0..1 with a mean of about 0.03).
    rng = np.random.default_rng(20)
    shares, powers = [], []
    for _ in range(4000):
        real = rng.random(52) < 0.1
        z = rng.normal(0, 1, 52) + 4 * real
        hits = np.array(lord(2 * scipy.stats.norm.sf(np.abs(z)), 0.05).rejected)
        shares.append((hits & ~real).sum() / max(hits.sum(), 1))
        powers.append((hits & real).sum() / max(real.sum(), 1))
    assert np.mean(shares) <= 0.05
    assert np.mean(powers) > 0.5  # the rate is kept by finding, not by silence


@pytest.mark.parametrize(("ticks", "rate"), [(52, 0.0247), (365, 0.1610)])
def test_a_quiet_year_has_as_many_false_alarms_as_is_said(ticks, rate):
    # 1 - (1 - 0.025 / 52)^ticks; four standard errors over 2,000 years are 1.4 and 3.3 %
    rng = np.random.default_rng(21)
    alarms = [any(lord(rng.random(ticks), 0.05).rejected) for _ in range(2000)]
    assert false_alarms(ticks) == pytest.approx(rate, abs=5e-5)
    assert np.mean(alarms) == pytest.approx(rate, abs=4 * math.sqrt(rate / 2000))


def test_e_lond_by_hand():
    g1, g2 = 0.05481545, 0.01192062
    ledger = e_lond([400.0, 1.0], 0.05)  # 1 / (0.05 g1) = 364.9
    assert ledger.rejected == (True, False)
    assert ledger.levels == pytest.approx((0.05 * g1, 2 * 0.05 * g2), rel=1e-5)
    assert ledger.next_level == pytest.approx(2 * 0.05 * gamma(3), rel=1e-5)
    assert e_lond([364.8], 0.05).rejected == (False,)
    assert e_lond([math.inf], 0.05).rejected == (True,)
    assert e_lond([0.0], 0.05).rejected == (False,)


def test_e_lond_keeps_the_rate_where_all_tests_are_one():
    # The same likelihood ratio exp(3 z - 4.5) at every step: the worst dependence. Any rejection
    # is false, so at most 5 % of histories may have one.
    rng = np.random.default_rng(22)
    e = np.exp(3 * rng.normal(0, 1, 4000) - 4.5)
    assert np.mean([any(e_lond([value] * 30, 0.05).rejected) for value in e]) <= 0.05


@settings(deadline=None)
@given(st.lists(P, min_size=1, max_size=30), st.floats(0.001, 0.5))
def test_rejections_are_those_of_statsmodels(p, level):
    found = [q <= level for q in benjamini_hochberg(p)]
    assert found == multipletests(p, level, method="fdr_bh")[0].tolist()


@settings(deadline=None)
@given(st.lists(P, min_size=1, max_size=30))
def test_simes_is_his_formula(p):
    expected = [len(p) * value / i for i, value in enumerate(sorted(p), start=1)]
    assert simes(p) == pytest.approx(min(expected))


def test_simes_of_one_is_that_one_and_of_none_is_an_error():
    assert simes([0.03]) == 0.03
    assert simes([0.04, 0.01]) == pytest.approx(0.02)
    with pytest.raises(ValueError, match="family"):
        simes([])


def test_level_inside_selected_families():
    assert inside_level(0.05, 2, 10) == pytest.approx(0.01)
    assert inside_level(0.05, 10, 10) == 0.05
    assert inside_level(0.05, 0, 10) == 0
    for selected, families in [(3, 2), (-1, 2), (0, 0)]:
        with pytest.raises(ValueError, match="families"):
            inside_level(0.05, selected, families)


def test_what_cannot_be_is_an_error():
    for p in ([1.5], [-0.1], [float("nan")]):
        with pytest.raises(ValueError, match="p-values"):
            lord(p, 0.05)
        with pytest.raises(ValueError, match="p-values"):
            simes(p)
    for e in ([-1.0], [float("nan")]):
        with pytest.raises(ValueError, match="e-values"):
            e_lond(e, 0.05)
    for alpha in (0.0, 1.0, float("nan")):
        with pytest.raises(ValueError, match="level"):
            lord([0.5], alpha)
    for wealth in (0.0, 0.06):
        with pytest.raises(ValueError, match="wealth"):
            lord([0.5], 0.05, wealth)
    with pytest.raises(ValueError, match="counted from 1"):
        gamma(0)
