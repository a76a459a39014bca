import math

import numpy as np
import pytest

from monitor.stats.series import LEAST, Floor, QuietTick, noise_floor

PROBES = 1000


def quiet(delta, variance=None, n=10, **repeats):
    return QuietTick(delta, delta**2 if variance is None else variance, n, **repeats)


def test_a_floor_by_hand():
    # mean delta^2 0.01, variance 0.004: 2 s_b^2 = 0.006; own 0.004 * 10 / 200 * 1 / 1.5
    days = [quiet(0.1, 0.004, before_repeats=2)] * 8
    measured = noise_floor(days, 200, repeats=2)
    own = 0.004 * 10 / 200 * (1 / 1.5)
    assert (measured.n_ticks, measured.reason) == (8, "")
    assert measured.s_b == pytest.approx(math.sqrt(0.003))
    assert measured.own == pytest.approx(math.sqrt(own))
    assert measured.sd_of_difference == pytest.approx(math.sqrt(0.006 + own))


def test_where_all_probes_are_asked_again_the_sd_is_that_of_the_differences():
    days = [quiet(delta, 1e-4, PROBES) for delta in (0.03, -0.05, 0.01, 0.04, -0.02, 0.06, 0, 0.03)]
    sd = math.sqrt(np.mean([one.delta**2 for one in days]))
    assert noise_floor(days, PROBES).sd_of_difference == pytest.approx(sd)


def drawn(rng, ticks, s_b, share, number):
    """So many floors of A/A ticks whose own variance on all probes is 1."""
    deltas = rng.normal(0, math.sqrt(2 * s_b**2 + 1 / share), (number, ticks))
    n = int(share * PROBES)
    return [noise_floor([quiet(float(d), 1 / share, n) for d in one], PROBES) for one in deltas]


def test_the_shared_noise_is_recovered():
    large = drawn(np.random.default_rng(9), 30, 20.0, 0.1, 400)
    assert np.mean([one.s_b**2 for one in large]) == pytest.approx(400, rel=0.06)
    assert [one.own for one in large] == pytest.approx([1] * 400)


def test_noise_of_single_probes_is_not_taken_for_shared_noise():
    # 30 A/A ticks: s_b^2 has a standard deviation of 1 / sqrt(60) of the own variance
    none = drawn(np.random.default_rng(6), 30, 0.0, 1.0, 400)
    assert np.mean([one.s_b**2 for one in none]) < 0.08


def test_fewer_than_eight_ticks_make_no_floor():
    none = noise_floor([quiet(0.1)] * (LEAST - 1), PROBES)
    assert none == Floor(PROBES, 7, reason="7 of at least 8 A/A ticks")
    assert none.sd_of_difference is None
    assert noise_floor([], PROBES).reason.startswith("0 of")


def test_a_system_that_answers_the_same_twice_has_no_noise():
    measured = noise_floor([quiet(0.0)] * 9, 100)
    assert measured.reason == "no noise was seen in 9 A/A ticks"
    assert measured.s_b == measured.own == measured.sd_of_difference == 0


def test_ticks_in_which_nothing_moved_count():
    moved = [quiet(0.3, 0.01, 100), quiet(-0.2, 0.01, 100)]
    measured = noise_floor([quiet(0.0, n=100)] * 10 + moved, 100)
    assert measured.sd_of_difference == pytest.approx(math.sqrt(0.13 / 12))


def test_gains_and_losses_that_always_cancel_are_noise_of_single_probes():
    measured = noise_floor([quiet(0.0, 0.01, 100)] * 8, 100)
    assert measured.s_b == 0
    assert measured.sd_of_difference == pytest.approx(0.1)


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
        noise_floor([], 0)
    with pytest.raises(ValueError, match="a probe and a repeat"):
        noise_floor([], 5, repeats=0)
