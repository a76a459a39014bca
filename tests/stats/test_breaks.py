import itertools

import numpy as np
import pytest
import ruptures
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stats.series import MOST_MEMORY, SEGMENT, Break, chain_levels, find_breaks
from tests.cases import check_each


def ar1(rng, rho, n):
    e = rng.normal(0, np.sqrt(1 - rho * rho), n)
    x = [rng.normal()]
    for shock in e[1:]:
        x.append(rho * x[-1] + shock)
    return np.array(x)


def stepped(rng, sizes, levels_of):
    return np.concatenate([rng.normal(m, 1, n) for n, m in zip(sizes, levels_of, strict=True)])


def cost(x, starts, penalty):
    parts = np.split(x, starts)
    return sum(((part - part.mean()) ** 2).sum() for part in parts) + penalty * len(starts)


@check_each("seed", range(12))
def test_the_breaks_are_those_of_ruptures(seed):
    rng = np.random.default_rng(seed)
    x = stepped(rng, [20, 9, 17, 6], rng.normal(0, 3, 4))
    ours = find_breaks(x)
    pelt = ruptures.Pelt(model="l2", min_size=SEGMENT, jump=1).fit(x).predict(pen=ours.penalty)
    kernel = ruptures.KernelCPD(kernel="linear", min_size=SEGMENT).fit(x).predict(pen=ours.penalty)
    assert [b.first for b in ours.found] == pelt[:-1] == kernel[:-1]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-5, 5), min_size=6, max_size=13))
def test_no_other_partition_is_cheaper(x):
    x = np.array(x)
    result = find_breaks(x)
    if result.penalty is None:
        return
    every = [
        starts
        for k in range(len(x) // SEGMENT)
        for starts in itertools.combinations(range(SEGMENT, len(x) - SEGMENT + 1), k)
        if all(b - a >= SEGMENT for a, b in itertools.pairwise(starts))
    ]
    found = [b.first for b in result.found]
    best = min(cost(x, list(starts), result.penalty) for starts in every)
    assert cost(x, found, result.penalty) == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_steps_whose_squares_are_0_are_no_noise():
    result = find_breaks(np.array([0, 0, 0, 4.35824116e-281, 0, 1.0]))
    assert (result.found, result.penalty) == ((), None)
    assert result.reason.startswith("no noise to compare with")


def test_a_break_is_told_with_its_levels():
    x = np.array([0.50, 0.51, 0.49, 0.50, 0.52, 0.50, 0.70, 0.69, 0.71, 0.70, 0.72])
    result = find_breaks(x)
    assert result.reason == ""
    assert result.found == (Break(5, 6, pytest.approx(x[:6].mean()), pytest.approx(x[6:].mean())),)


def test_the_penalty_is_the_stated_one():
    x = stepped(np.random.default_rng(2), [26, 26], [0, 0])
    result = find_breaks(x)
    expected = 4 * result.sigma**2 * np.log(52) * (1 + result.rho) / (1 - result.rho)
    assert result.penalty == pytest.approx(expected)
    assert result.found == ()


def test_missed_ticks_show_as_distance_between_last_and_first():
    x = [0.50, 0.51, 0.49, 0.50, 0.52, 0.50, 0.70, 0.69, 0.71, 0.70, 0.72]
    places = [3, 4, 5, 6, 7, 8, 12, 13, 14, 20, 21]
    (only,) = find_breaks(x, places).found
    assert (only.last, only.first) == (8, 12)
    assert only.before == find_breaks(x).found[0].before


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.7])
def test_noise_and_memory_are_recovered_through_breaks(rho):
    # 60 series of 500 points with three breaks of 3 sigma each; the standard errors of the means
    # over the series are below 0.01.
    rng = np.random.default_rng(7)
    shifts = np.repeat([0, 3, -1, 2], 125)
    results = [find_breaks(ar1(rng, rho, 500) + shifts) for _ in range(60)]
    assert np.mean([r.sigma for r in results]) == pytest.approx(1, abs=0.08)
    assert np.mean([r.rho for r in results]) == pytest.approx(rho, abs=0.06)


@pytest.mark.parametrize(("rho", "most"), [(0.0, 0.02), (0.5, 0.05)])
def test_false_alarms_of_quiet_series(rho, most):
    # measured over 2,000: 0.4 % and 3 %; the bounds are four standard errors (of 500) above
    rng = np.random.default_rng(11)
    alarms = [bool(find_breaks(ar1(rng, rho, 52)).found) for _ in range(500)]
    assert np.mean(alarms) <= most


def test_power_against_a_clear_shift():
    # measured: 90 % at 2 sigma half-way; four standard errors of 200 below
    rng = np.random.default_rng(12)
    found = [bool(find_breaks(stepped(rng, [26, 26], [0, 2])).found) for _ in range(200)]
    assert np.mean(found) >= 0.8


def test_memory_is_limited():
    # steps that remember each other: memory beyond that of a random walk
    walk = np.cumsum(ar1(np.random.default_rng(1), 0.9, 300))
    assert find_breaks(walk).rho == MOST_MEMORY


def test_far_away_levels_lose_no_digits():
    x = stepped(np.random.default_rng(3), [20, 20], [0, 5])
    near, far = find_breaks(x), find_breaks(x + 1e6)
    assert [b.first for b in near.found] == [b.first for b in far.found] == [20]


@check_each(
    ("x", "reason"),
    [
        ([], "0 of at least 6"),
        ([1.0], "1 of at least 6"),
        ([0.0, 1.0, 0.0, 5.0, 5.1], "5 of at least 6"),
        ([0.3] * 52, "constant"),
        ([0.0] * 26 + [1.0] * 26, "no noise"),
        ([0.0, 1.0] + [0.0] * 50, "no noise"),
        (list(np.linspace(0, 1, 30)), "no noise"),  # equal steps
    ],
)
def test_what_has_no_noise_has_no_breaks(x, reason):
    result = find_breaks(x)
    assert result.found == ()
    assert result.penalty is None
    assert reason in result.reason


def test_rounding_is_no_noise():
    x = chain_levels(0.1, [0.1, -0.1] * 3 + [0.7] + [0.1, -0.1, 0.2, -0.2, 0.0] * 5 + [0.0] * 30)
    assert "no noise" in find_breaks(x).reason


def test_levels_are_cumulated_differences():
    assert chain_levels(0.5, [0.1, -0.2, 0.0]) == pytest.approx([0.5, 0.6, 0.4, 0.4])
    assert chain_levels(0.5, []) == pytest.approx([0.5])


def test_what_cannot_be_is_an_error():
    for bad in ([np.nan] * 8, [[1.0, 2.0]], [1.0, np.inf]):
        with pytest.raises(ValueError, match="finite"):
            find_breaks(bad)
    for places in ([0, 1], [0, 0, 1], [2, 1, 0]):
        with pytest.raises(ValueError, match="position"):
            find_breaks([1.0, 2.0, 3.0], places)
