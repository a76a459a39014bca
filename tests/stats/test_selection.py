from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.stats.intervals import (
    IntervalMethod,
    absolute_limits,
    highest_limits,
    lowest_limits,
    mean_limits,
)

PAIRS = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).map(sorted)


def interval(pairs):
    table = np.array(pairs, float).reshape(-1, 2)
    return IntervalMethod(table[:, 0], table[:, 1])


def selections(pairs):
    return chain.from_iterable(combinations(pairs, n) for n in range(len(pairs) + 1))


@given(st.lists(PAIRS, min_size=1, max_size=4), st.lists(PAIRS, max_size=4))
def test_limits_are_those_of_all_selections(certain, optional):
    chosen = [[*certain, *more] for more in selections(optional)]
    for found, statistic in (
        (mean_limits, np.mean),
        (lowest_limits, min),
        (highest_limits, max),
    ):
        limits = found(interval(certain), interval(optional))
        assert limits.low == pytest.approx(min(statistic([p[0] for p in c]) for c in chosen))
        assert limits.high == pytest.approx(max(statistic([p[1] for p in c]) for c in chosen))


@given(PAIRS)
def test_magnitudes_are_those_of_all_numbers_between(pair):
    sizes = [abs(number) for number in range(pair[0], pair[1] + 1)]
    found = absolute_limits(*interval([pair]))
    assert (found.low[0], found.high[0]) == (min(sizes), max(sizes))
