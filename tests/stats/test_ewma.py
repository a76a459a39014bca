import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stats.ewma import BASELINE, RUN_LENGTH, chart, on_logit
from monitor.stats.run_length import limit_for
from tests.cases import check_each


def weights_of(positions, start, weight):
    """What the chart's value at the last position is made of, written out: one weight a point."""
    shares, end = [], positions[-1]
    for before, here in zip([start, *positions[:-1]], positions, strict=True):
        shares.append((1 - (1 - weight) ** (here - before)) * (1 - weight) ** (end - here))
    return np.array(shares)


def test_without_gaps_it_is_the_textbook_chart():
    rng = np.random.default_rng(0)
    x, sd, weight = rng.normal(10, 2, 30), 2.0, 0.2
    result = chart(x, sd, target=10.0, weight=weight)
    limit = limit_for(RUN_LENGTH, weight)
    statistic = 10.0
    for t, (value, point) in enumerate(zip(x, result.points, strict=True), start=1):
        statistic = weight * value + (1 - weight) * statistic
        half = limit * sd * math.sqrt(weight / (2 - weight) * (1 - (1 - weight) ** (2 * t)))
        assert point.statistic == pytest.approx(statistic)
        assert (point.low, point.high) == pytest.approx((10 - half, 10 + half))
        assert point.outside == (abs(statistic - 10) > half)
    assert result.run_length == RUN_LENGTH
    assert result.limit == limit
    assert result.target_sd == 0


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 6), min_size=3, max_size=15), st.sampled_from([0.2, 0.5]))
def test_limits_are_those_of_the_sum_written_out(steps, weight):
    places = [int(p) for p in np.cumsum(steps)]
    rng = np.random.default_rng(len(steps))
    x, sd = rng.normal(size=len(steps)), rng.uniform(0.5, 2, len(steps))
    last = chart(x, sd, places, target=0.0, weight=weight).points[-1]
    shares = weights_of(places, places[0] - 1, weight)
    half = limit_for(RUN_LENGTH, weight) * math.sqrt((shares**2 * sd**2).sum())
    assert last.statistic == pytest.approx((shares * x).sum())
    assert last.high == pytest.approx(half)
    assert last.low == pytest.approx(-half)


def test_the_baseline_makes_the_target_and_its_error_widens_the_limits():
    rng = np.random.default_rng(1)
    x, sd = rng.normal(0.4, 0.01, 20), rng.uniform(0.005, 0.02, 20)
    places = [*range(12), *range(15, 23)]
    result = chart(x, sd, places)
    trust = sd[:BASELINE] ** -2
    target = (trust @ x[:BASELINE]) / trust.sum()
    assert result.target == pytest.approx(target)
    assert result.target_sd == pytest.approx(trust.sum() ** -0.5)
    assert [p.position for p in result.points] == places[BASELINE:]
    shares = weights_of(places[BASELINE:], places[BASELINE - 1], 0.2)
    # z - target = sum of shares * x - (sum of shares) * mean of the baseline
    variance = (shares**2 * sd[BASELINE:] ** 2).sum() + shares.sum() ** 2 / trust.sum()
    assert result.points[-1].high - target == pytest.approx(result.limit * math.sqrt(variance))


def test_a_gap_ages_the_past_and_invents_nothing():
    near = chart([0.0, 1.0], 1.0, [0, 1], target=0.0).points[-1]
    far = chart([0.0, 1.0], 1.0, [0, 40], target=0.0).points[-1]
    assert near.statistic == pytest.approx(0.2)
    assert far.statistic == pytest.approx(1, abs=1e-3)
    assert far.high > near.high


def test_false_alarms_are_those_that_the_run_length_states():
    # 52 points at a run length of 500: about 1 - exp(-52/500) = 9.9 % of quiet series signal;
    # four standard errors of 1,000 are 3.8 %
    rng = np.random.default_rng(2)
    signals = [bool(chart(rng.normal(size=52), 1.0, target=0.0).outside) for _ in range(1000)]
    assert np.mean(signals) == pytest.approx(0.099, abs=0.038)


def test_a_lasting_shift_is_found():
    # measured: 0.98 within 12 points at 1.5 sds; four standard errors of 200 below
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(200):
        x = rng.normal(size=52) + 1.5 * (np.arange(52) >= 20)
        found += any(20 <= place < 32 for place in chart(x, 1.0, target=0.0).outside)
    assert found / 200 > 0.93


@check_each(
    ("x", "sd", "reason"),
    [
        ([], 1.0, "0 points"),
        ([1.0], 1.0, "1 points"),
        ([1.0, 2.0] * 4, 1.0, "8 points"),
        ([1.0, 2.0] * 10, 0.0, "no noise"),
        ([1.0, 2.0] * 10, [0.0] + [1.0] * 19, "no noise"),
        ([0.7] * 20, 1.0, "constant"),
    ],
)
def test_what_cannot_be_charted_says_why(x, sd, reason):
    result = chart(x, sd)
    assert result.points == ()
    assert result.outside == ()
    assert result.limit is None
    assert reason in result.reason


def test_constant_values_are_charted_against_a_given_target():
    assert chart([5.0] * 10, 1.0, target=0.0).outside == tuple(range(10))
    assert chart([0.0] * 10, 1.0, target=0.0).outside == ()
    assert chart([], 1.0, target=0.0).reason.startswith("0 points")


def test_logit_and_its_deviation():
    value, sd = on_logit(0.2, 0.01)
    assert value == pytest.approx(math.log(0.2 / 0.8))
    h = 1e-6
    slope = (on_logit(0.2 + h, 0.01)[0] - on_logit(0.2 - h, 0.01)[0]) / (2 * h)
    assert sd == pytest.approx(0.01 * slope, rel=1e-6)
    assert on_logit(0.0, 0.01) is None
    assert on_logit(1.0, 0.01) is None
    for share, deviation in [(-0.1, 0.1), (1.1, 0.1), (math.nan, 0.1), (0.5, -1), (0.5, math.nan)]:
        with pytest.raises(ValueError, match="share"):
            on_logit(share, deviation)


def test_what_cannot_be_is_an_error():
    for x, sd in [([math.nan], 1.0), ([1.0], math.inf), ([1.0], -1.0)]:
        with pytest.raises(ValueError, match="finite"):
            chart(x, sd)
    with pytest.raises(ValueError, match="column"):
        chart([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="position"):
        chart([1.0, 2.0], 1.0, [1, 1])
    with pytest.raises(ValueError, match="weight"):
        chart([1.0], 1.0, weight=0.0)
    with pytest.raises(ValueError, match="baseline"):
        chart([1.0], 1.0, baseline=0)
