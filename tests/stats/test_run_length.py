import math

import numpy as np
import pytest
import scipy.stats

from monitor.stats import ewma
from monitor.stats.run_length import _FOUND, limit_for, run_length, search
from tests.cases import check_each

SHIFTS = (0, 0.25, 0.5, 0.75, 1, 1.5, 2)

#: Lucas & Saccucci (1990), table 3, as Montgomery's Introduction to Statistical Quality Control
#: prints it: limit, weight, run lengths by shift.
PUBLISHED = [
    (3.054, 0.40, (500, 224, 71.2, 28.4, 14.3, 5.9, 3.5)),
    (2.998, 0.25, (500, 170, 48.2, 20.1, 11.1, 5.5, 3.6)),
    (2.962, 0.20, (500, 150, 41.8, 18.2, 10.5, 5.5, 3.7)),
    (2.814, 0.10, (500, 106, 31.3, 15.9, 10.3, 6.1, 4.4)),
    (2.615, 0.05, (500, 84.1, 28.8, 16.4, 11.4, 7.1, 5.2)),
]


@check_each(("limit", "weight", "published"), PUBLISHED)
def test_run_lengths_are_those_of_lucas_and_saccucci(limit, weight, published):
    ours = [run_length(weight, limit, shift, exact=False) for shift in SHIFTS]
    assert ours == pytest.approx(published, rel=0.01, abs=0.05)  # as printed


@pytest.mark.parametrize("limit", [1.0, 2.5, 3.0])
def test_without_memory_it_is_shewharts_chart(limit):
    expected = 1 / (2 * scipy.stats.norm.sf(limit))
    assert run_length(1.0, limit) == pytest.approx(expected)
    assert run_length(1.0, limit, exact=False) == pytest.approx(expected)


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_exact_limits_are_those_of_a_simulation(shift):
    # 4,000 runs; the standard deviation of a run length is about its mean, so the standard error
    # is 1.6 % of it, and 6 % are nearly four of them
    weight, limit, runs = 0.2, 2.0, 4000
    rng = np.random.default_rng(8)
    statistic, lengths, alive = np.zeros(runs), np.zeros(runs), np.ones(runs, bool)
    for t in range(1, 2000):
        statistic = weight * rng.normal(shift, 1, runs) + (1 - weight) * statistic
        half = limit * math.sqrt(weight / (2 - weight) * (1 - (1 - weight) ** (2 * t)))
        lengths[alive] = t
        alive &= np.abs(statistic) <= half
    assert not alive.any()
    assert lengths.mean() == pytest.approx(run_length(weight, limit, shift), rel=0.06)


def test_exact_limits_signal_earlier_than_the_final_ones():
    assert run_length(0.1, 2.8) < run_length(0.1, 2.8, exact=False)


@pytest.mark.parametrize(("weight", "length"), [(0.2, 500.0), (0.4, 100.0), (1.0, 370.4)])
def test_the_limit_has_the_run_length_that_was_asked_for(weight, length):
    assert run_length(weight, limit_for(length, weight)) == pytest.approx(length, rel=2e-5)


@pytest.mark.parametrize(("length", "weight"), sorted(_FOUND))
def test_limits_that_are_written_down_are_found_again(length, weight):
    assert limit_for(length, weight) == pytest.approx(search(length, weight), rel=1e-9)


def test_the_limit_of_our_charts_is_written_down():
    assert (ewma.RUN_LENGTH, ewma.LAMBDA) in _FOUND


def test_limits_of_shewharts_chart():
    assert limit_for(370.4, 1.0) == pytest.approx(3, abs=1e-4)
    assert limit_for(100.0, 1.0) == pytest.approx(2.5758, abs=1e-4)


def test_what_cannot_be_is_an_error():
    for weight, limit in [(0.0, 3), (1.1, 3), (0.2, 0)]:
        with pytest.raises(ValueError, match="weight"):
            run_length(weight, limit)
    for length in (1.0, 1e12):
        with pytest.raises(ValueError, match="no limit"):
            limit_for(length, 0.2)
