import math

import numpy as np
import pytest
import scipy.stats

from monitor.stats.noise import LEAST, Floor, Quiet, floor
from monitor.stats.paired import sign_flip
from tests.cases import check_each

PROBES = 1000


def quiet(delta, variance=None, n=10, **repeats):
    return Quiet(delta, delta**2 if variance is None else variance, n, **repeats)


def test_a_floor_by_hand():
    # mean delta^2 0.01, variance 0.004: 2 s_b^2 = 0.006; own 0.004 * 10 / 200 * 1 / 1.5
    days = [quiet(0.1, 0.004, before_repeats=2)] * 8
    found = floor(days, 200, repeats=2)
    own = 0.004 * 10 / 200 * (1 / 1.5)
    assert found.s_b == pytest.approx(math.sqrt(0.003))
    assert found.own == pytest.approx(math.sqrt(own))
    assert found.sd_of_difference == pytest.approx(math.sqrt(0.006 + own))
    assert found.statistic(-0.2) == pytest.approx(0.2 / found.sd_of_difference)
    assert found.p_shared == pytest.approx(scipy.stats.chi2.sf(8 * 2.5, 8))
    assert found.counts
    assert found.degrees == pytest.approx(8 * ((0.006 + own) / 0.01) ** 2)
    expected = 2 * scipy.stats.t.sf(0.2 / found.sd_of_difference, found.degrees)
    assert found.p(-0.2) == pytest.approx(expected)
    limit = 8 * 0.01 / scipy.stats.chi2.ppf(0.05, 8)  # 2 s^2 + variance
    assert found.s_b_high == pytest.approx(math.sqrt((limit - 0.004) / 2))


def test_where_all_probes_are_asked_again_p_is_that_of_the_differences_alone():
    days = [quiet(delta, 1e-4, PROBES) for delta in (0.03, -0.05, 0.01, 0.04, -0.02, 0.06, 0, 0.03)]
    found = floor(days, PROBES)
    sd = math.sqrt(np.mean([one.delta**2 for one in days]))
    assert found.sd_of_difference == pytest.approx(sd)
    assert found.p(0.1) == pytest.approx(2 * scipy.stats.t.sf(0.1 / sd, 8))


def a_year(rng, ticks, s_b, share, runs):
    """(runs, ticks) differences and (runs,) one more, whose own variance on all probes is 1."""
    days = rng.normal(0, math.sqrt(2 * s_b**2 + 1 / share), (runs, ticks))
    return days, rng.normal(0, math.sqrt(2 * s_b**2 + 1), runs)


def floors(days, share):
    n = int(share * PROBES)
    return [floor([quiet(float(d), 1 / share, n) for d in one], PROBES) for one in days]


@check_each(("share", "s_b"), [(0.1, 5.0), (0.1, 15.0), (1.0, 0.7), (1.0, 5.0)])
def test_p_is_kept_where_the_noise_was_shown(share, s_b):
    # some 600 to 1,500 floors: four standard errors at 5 % are below 3.6 %
    days, more = a_year(np.random.default_rng(5), 12, s_b, share, 1500)
    known = floors(days, share)
    p = [one.p(float(delta)) for one, delta in zip(known, more, strict=True) if one.counts]
    assert len(p) > 500
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / len(p))
    assert np.mean(np.array(p) <= 0.5) <= 0.5 + 2 / math.sqrt(len(p))


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_probes_that_flip_by_themselves_seldom_count_as_shared(share):
    # 2,000 floors at 5 %: four standard errors are 1.9 %
    days, _ = a_year(np.random.default_rng(6), 8, 0.0, share, 2000)
    known = floors(days, share)
    assert np.mean([one.counts for one in known]) == pytest.approx(0.05, abs=0.02)
    assert all(one.p(1e9) is None for one in known if not one.counts)


def test_signs_of_real_flips_vary_less_than_chi_squared():
    rng = np.random.default_rng(7)
    shown = []
    for _ in range(400):
        flips = [sign_flip(rng.choice((-0.01, 0.01), rng.integers(1, 5))) for _ in range(8)]
        shown.append(floor([quiet(one.total, one.spread**2, 50) for one in flips], 500).counts)
    assert np.mean(shown) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 400)


def test_the_shared_noise_is_recovered_and_its_limit_kept():
    # mean of 400 estimates of s_b^2 = 4, whose standard deviation is about 18 / sqrt(2 * 30)
    days, _ = a_year(np.random.default_rng(8), 30, 2.0, 0.1, 400)
    known = floors(days, 0.1)
    missed = np.mean([(one.s_b_high or 0) < 2.0 for one in known])
    assert missed == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 400))
    large = floors(a_year(np.random.default_rng(9), 30, 20.0, 0.1, 400)[0], 0.1)
    assert np.mean([one.s_b**2 for one in large]) == pytest.approx(400, rel=0.06)


def test_a_tenth_of_the_probes_misses_what_all_of_them_see():
    counted = {}
    for share in (0.1, 1.0):
        known = floors(a_year(np.random.default_rng(10), 12, 1.2, share, 300)[0], share)
        counted[share] = np.mean([one.counts for one in known])
    assert counted[0.1] < 0.25
    assert counted[1.0] > 0.9


def test_fewer_than_eight_ticks_make_no_floor():
    none = floor([quiet(0.1)] * (LEAST - 1), PROBES)
    assert none == Floor(PROBES, 7, reason="7 of at least 8 A/A ticks")
    assert none.sd_of_difference is none.statistic(0.5) is none.p(0.5) is None
    assert not none.counts
    assert floor([], PROBES).reason.startswith("0 of")


def test_a_system_that_answers_the_same_twice_has_no_noise_and_no_p():
    found = floor([quiet(0.0)] * 9, 100)
    assert found.reason == "no noise was seen in 9 A/A ticks"
    assert found.s_b == found.own == found.sd_of_difference == 0
    assert found.s_b_high is None
    assert found.statistic(0.1) is found.p(0.1) is None


def test_ticks_in_which_nothing_moved_say_nothing_of_what_is_shared():
    moved = [quiet(0.3, 0.01, 100), quiet(-0.2, 0.01, 100)]
    found = floor([quiet(0.0, n=100)] * 10 + moved, 100)
    assert found.p_shared == pytest.approx(scipy.stats.chi2.sf(9 + 4, 2))
    assert found.degrees == pytest.approx(2)
    assert found.sd_of_difference == pytest.approx(math.sqrt(0.13 / 12))


def test_gains_and_losses_that_always_cancel_have_no_limit():
    found = floor([quiet(0.0, 0.01, 100)] * 8, 100)
    assert (found.s_b, found.s_b_high, found.counts) == (0.0, None, False)
    assert found.sd_of_difference == pytest.approx(0.1)


def test_a_floor_that_counts_always_has_a_p():
    """Also where single A/A ticks were so noisy that, on average, nothing is shared."""
    known = floor([Quiet(0.02, 0.0001, 60)] * 7 + [Quiet(0, 0.01, 60)], 600)
    assert known.counts
    assert known.s_b == 0
    assert 0 < known.p(0.05) < 1
    rng = np.random.default_rng(5)
    for _ in range(2000):
        days = [
            Quiet(float(rng.normal(0, 0.02)), float(variance), 60)
            for variance in 10.0 ** rng.uniform(-6, -1, 8)
        ]
        known = floor(days, 600)
        assert not known.counts or 0 <= known.p(0.05) <= 1


def test_what_cannot_be_is_an_error():
    with pytest.raises(ValueError, match="probes and repeats"):
        quiet(0.1, n=0)
    with pytest.raises(ValueError, match="probes and repeats"):
        quiet(0.1, before_repeats=0)
    for delta, variance in ((math.nan, 1), (0.1, math.nan), (0.1, math.inf), (0.1, -1.0)):
        with pytest.raises(ValueError, match="no number"):
            quiet(delta, variance)
    with pytest.raises(ValueError, match="no probe has moved"):
        quiet(0.1, 0.0)
    with pytest.raises(ValueError, match="a probe and a repeat"):
        floor([], 0)
    with pytest.raises(ValueError, match="a probe and a repeat"):
        floor([], 5, repeats=0)
