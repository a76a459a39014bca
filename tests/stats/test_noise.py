import math

import numpy as np
import pytest
import scipy.stats

from monitor.stats.noise import LEAST, Floor, Quiet, floor

PROBES = 1000


def quiet_weeks(rng, ticks, s_b, s_w, part=0.1, repeats=2):
    """Differences of both kinds from the model: values of a tick with noise of days and minutes.

    Every probe and repeat is drawn for itself; a day adds what all of its probes share.
    """
    per_probe = s_w * math.sqrt(PROBES)
    asked_again = int(part * PROBES)
    minutes, days = [], []
    for _ in range(ticks):
        answers = rng.normal(0, per_probe, (repeats, PROBES)) + rng.normal(0, s_b)
        again = rng.normal(0, per_probe, asked_again) + rng.normal(0, s_b)
        first, second = answers[0].mean(), answers[1].mean()
        minutes.append(Quiet(second - first, PROBES))
        panel = answers[:, :asked_again].mean()
        days.append(Quiet(again.mean() - panel, asked_again, before_repeats=repeats))
    return minutes, days


@pytest.mark.parametrize(("s_b", "s_w"), [(0.01, 0.01), (0.02, 0.005), (0.0, 0.01)])
def test_the_variances_are_recovered(s_b, s_w):
    # 1,500 ticks: relative standard errors of s_w^2 are 3.7 %, that of s_b^2 is s_b_error
    found = floor(*quiet_weeks(np.random.default_rng(1), 1500, s_b, s_w), PROBES)
    assert found.n_ticks == 1500
    assert found.s_w**2 == pytest.approx(s_w**2, rel=0.15)
    assert abs(found.s_b**2 - s_b**2) < 4 * found.s_b_error
    assert found.reason == ""


def test_the_standard_error_is_that_of_repetition():
    # spread of s_b^2 over 200 floors of 30 ticks, away from 0; its relative standard error is 5 %
    rng = np.random.default_rng(2)
    floors = [floor(*quiet_weeks(rng, 30, 0.03, 0.005), PROBES) for _ in range(200)]
    spread = np.std([f.s_b**2 for f in floors])
    assert np.mean([f.s_b_error for f in floors]) == pytest.approx(spread, rel=0.2)


def test_a_floor_by_hand():
    minutes = [Quiet(0.02, 100)] * 8  # n delta^2 / 2 = 0.02
    days = [Quiet(0.1, 10, before_repeats=2)] * 8  # (0.01 - 0.02 * 1.5 / 10) / 2 = 0.0035
    found = floor(minutes, days, 200)
    assert found.s_w == pytest.approx(math.sqrt(0.02 / 200))
    assert found.s_b == pytest.approx(math.sqrt(0.0035))
    assert found.s_b_error == pytest.approx(math.sqrt(2 * 0.005**2 / 8 + 2 * 0.0015**2 / 8))
    assert found.sd_of_difference(4) == pytest.approx(math.sqrt(2 * (0.0035 + 0.0001 / 4)))
    assert found.statistic(-0.2, 4) == pytest.approx(0.2 / found.sd_of_difference(4))
    cautious = math.sqrt(2 * (0.0035 + 2 * found.s_b_error + 0.0001 / 4))
    assert found.p(-0.2, 4) == pytest.approx(2 * scipy.stats.t.sf(0.2 / cautious, 8))


def floors_of(rng, runs, ticks, s_b, s_w, part, repeats):
    """As `quiet_weeks`, drawn from the laws of the differences themselves: thousands are quick."""
    m = int(part * PROBES)
    v = s_w**2 * PROBES
    within = rng.normal(0, math.sqrt(2 * s_w**2), (runs, ticks))
    across = rng.normal(0, math.sqrt(2 * s_b**2 + v * (1 / repeats + 1) / m), (runs, ticks))
    for minute, day in zip(within, across, strict=True):
        yield floor(
            [Quiet(float(d), PROBES) for d in minute],
            [Quiet(float(d), m, before_repeats=repeats) for d in day],
            PROBES,
        )


@pytest.mark.parametrize("part", [0.1, 1.0])
@pytest.mark.parametrize(("s_b", "s_w"), [(0.0, 0.01), (0.01, 0.01), (0.03, 0.01), (0.01, 0.0)])
def test_p_is_conservative_when_nothing_changes(s_b, s_w, part):
    # 2,000 floors: four standard errors at 5 % are 1.9 %
    rng = np.random.default_rng(5)
    sd = math.sqrt(2 * (s_b**2 + s_w**2 / 2))
    p = [f.p(rng.normal(0, sd), 2) for f in floors_of(rng, 2000, LEAST, s_b, s_w, part, 2)]
    assert np.mean(np.array(p) < 0.05) <= 0.05
    assert np.mean(np.array(p) < 0.5) <= 0.5


def test_p_sees_what_is_far_beyond_the_noise():
    rng = np.random.default_rng(6)
    p = [f.p(0.3, 2) for f in floors_of(rng, 200, 20, 0.01, 0.01, 0.1, 2)]
    assert np.mean(np.array(p) < 0.01) > 0.95


def test_fewer_than_eight_ticks_make_no_floor():
    minutes, days = quiet_weeks(np.random.default_rng(7), LEAST - 1, 0.01, 0.01)
    none = floor(minutes * 10, days, PROBES)
    assert none == Floor(PROBES, 7, reason="7 of at least 8 A/A ticks")
    assert none.sd_of_difference(1) is none.statistic(0.5, 1) is none.p(0.5, 1) is None
    assert floor([], [], PROBES).reason.startswith("0 of")


def test_without_repeats_all_noise_is_that_of_days():
    days = [Quiet(0.1, 10), Quiet(-0.1, 10)] * 4
    for minutes in ([], [Quiet(0.02, 100)] * (LEAST - 1)):
        found = floor(minutes, days, 200)
        assert found.s_w is None
        assert found.s_b == pytest.approx(0.1 / math.sqrt(2))
        assert found.sd_of_difference(1) == found.sd_of_difference(5) == pytest.approx(0.1)


def test_more_minutes_than_days_leave_no_noise_of_days():
    found = floor([Quiet(0.5, 100)] * 8, [Quiet(0.001, 100)] * 8, 100)
    assert found.s_b == 0
    assert found.sd_of_difference(1) == pytest.approx(0.5)


def test_a_system_that_answers_the_same_twice_has_no_noise_and_no_p():
    found = floor([Quiet(0.0, 100)] * 8, [Quiet(0.0, 10)] * 9, 100)
    assert found.reason == "no noise was seen in 9 A/A ticks"
    assert found.s_b == found.s_w == found.sd_of_difference(1) == 0
    assert found.statistic(0.1, 1) is found.p(0.1, 1) is None


def test_what_cannot_be_is_an_error():
    with pytest.raises(ValueError, match="probes and repeats"):
        Quiet(0.1, 0)
    with pytest.raises(ValueError, match="probes and repeats"):
        Quiet(0.1, 1, before_repeats=0)
    with pytest.raises(ValueError, match="no number"):
        Quiet(math.nan, 1)
    with pytest.raises(ValueError, match="at least one probe"):
        floor([], [], 0)
    with pytest.raises(ValueError, match="repeat"):
        floor([], [Quiet(0.1, 10)] * 8, 10).p(0.1, 0)
