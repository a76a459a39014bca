"""The claim beyond the list: levels that add up, and p given that the change was large."""

import math

import numpy as np
import pytest

from monitor.stages.changes.decisions import (
    ALPHA_EVENTS,
    ALPHA_ORIGIN,
    conditional_p,
    event_level,
    least_effect,
    origin_level,
)


def test_levels_of_all_events_and_looks_add_up():
    events = sum(2 * event_level(number, 2) for number in range(1, 50_000))
    assert events == pytest.approx(ALPHA_EVENTS, rel=1e-4)
    looks = sum(120 * origin_level(look, 120) for look in range(1, 50_000))
    assert looks == pytest.approx(ALPHA_ORIGIN, rel=1e-4)
    assert ALPHA_EVENTS + ALPHA_ORIGIN < 0.05


def test_the_least_effect_is_the_gap_that_the_noise_needs():
    before, since = [0.0, 1.0, -1.0], [10.0, 12.0, 11.0]
    # the highest run before is 1 above its mean, the lowest since 1 below
    assert least_effect(before, since, up=True, exceptions=0) == pytest.approx(2)
    fall = least_effect([-x for x in before], [-x for x in since], up=False, exceptions=0)
    assert fall == pytest.approx(2)
    odd = [*before, 50.0]
    assert least_effect(odd, since, up=True, exceptions=1) < least_effect(
        odd, since, up=True, exceptions=0
    )


def test_p_given_selection_is_that_of_simulated_sums():
    """Sums of random signs that reach 1.5 standard deviations: their conditional p is uniform."""
    rng = np.random.default_rng(4)
    sums = (rng.integers(0, 2, (100_000, 40)) * 2 - 1).sum(axis=1)
    spread = math.sqrt(40)
    least = 1.5 * spread
    values = np.abs(sums)
    selected = values[values >= least]
    p = {v: float(np.mean(values >= v)) for v in np.unique(selected)}
    conditional = np.array([conditional_p(p[v], v, spread, least) for v in selected])
    for level in (0.05, 0.2, 0.5):
        assert np.mean(conditional <= level) <= level * 1.35


def test_without_selection_p_stays_and_nothing_is_divided_by_nothing():
    assert conditional_p(0.03, 1.0, 0.5, 0.0) == pytest.approx(0.03)
    assert conditional_p(0.03, 0.0, 0.0, 0.0) == 1.0
    assert conditional_p(1e-300, 1e3, 1.0, 1e3) == 1.0
