"""The law of randomly signed sums against enumeration, convolution and the binomial law."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.stats import paired
from monitor.stats.paired import two_sided
from tests.cases import check_each

RNG = np.random.default_rng(7)
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def _the_same_numbers_whatever_ran_before():
    RNG.bit_generator.state = START


def signs(m, share=0.7):
    return RNG.choice([-1.0, 1.0], m, p=[1 - share, share])


SHAPES = {
    "flips": signs,
    "two weights": lambda m: signs(m) * RNG.choice([1 / 7, 1 / 9], m),
    "sixteen weights": lambda m: (
        signs(m) / (RNG.choice([7, 9], m) * RNG.integers(190, 210, m).astype(float))
    ),
    "thirds": lambda m: RNG.integers(-3, 4, m) / 3,
    "continuous": lambda m: RNG.normal(0.5, 1, m),
    "exponential": lambda m: RNG.exponential(1, m) * signs(m),
    "very unequal": lambda m: 10.0 ** RNG.uniform(-3, 0, m) * signs(m),
    "one giant": lambda m: np.append(RNG.normal(0.3, 1, m - 1), float(m)),
}


def sums_of(sizes):
    found = np.zeros(1)
    for size in sizes:
        found = np.concatenate([found + size, found - size])
    return np.sort(found)


def enumerated(terms):
    """Every pattern of signs, put together of two halves: up to 40 terms."""
    sizes = np.abs(terms)
    one, two = sums_of(sizes[::2]), sums_of(sizes[1::2])
    least = abs(terms.sum()) - 1e-10 * sizes.sum()
    reached = len(two) - np.searchsorted(two, least - one)
    return min(2 * int(reached.sum()) / 2.0 ** len(terms), 1.0)


@check_each("shape", SHAPES)
@check_each("m", [1, 2, 5, 12, 16, 20])
def test_few_terms_are_exact(shape, m):
    for _ in range(5):
        terms = SHAPES[shape](m)
        assert two_sided(terms) == pytest.approx(enumerated(terms), rel=1e-12)


@check_each("shape", SHAPES)
@check_each("m", [24, 31, 36])
def test_many_terms_are_as_good_as_exact_in_the_middle_and_in_the_tail(shape, m):
    # Weights that are nearly alike make bunches of sums, which take longest to tell apart.
    error = 1e-3 if shape == "sixteen weights" else 2e-5
    for lean in (0.5, 0.7, 0.9, 1.0):
        terms = SHAPES[shape](m)
        terms = np.abs(terms) * signs(m, lean)
        assert two_sided(terms) == pytest.approx(enumerated(terms), rel=error)


@pytest.mark.parametrize("shape", SHAPES)
def test_integration_alone_agrees_where_adding_up_is_switched_off(shape, monkeypatch):
    monkeypatch.setattr(paired, "_FEW", 1)
    for m in (26, 34, 40):
        terms = SHAPES[shape](m)
        # Half of the atom at the total itself is what integration leaves out of a dense law.
        atom = 2.0**-m
        assert two_sided(terms) == pytest.approx(enumerated(terms), rel=1e-2, abs=2 * atom)


def convolved(multiples, counts, total):
    """P(|S| >= total) where terms are whole numbers, by convolution in whole numbers."""
    law = {0: 1}
    for size, count in zip(multiples, counts, strict=True):
        for _ in range(count):
            spread = {}
            for value, ways in law.items():
                for other in (value + size, value - size):
                    spread[other] = spread.get(other, 0) + ways
            law = spread
    reached = sum(ways for value, ways in law.items() if abs(value) >= total)
    return float(Fraction(reached, 2 ** sum(counts)))


@check_each("total", [7, 63, 300, 800, 1150, 1600])
def test_lattices_agree_with_convolution_far_into_the_tail(total):
    """100 flips each of weights 1/7 and 1/9, as f_m has them: a lattice of 63rds."""
    sizes = np.array([9.0] * 100 + [7.0] * 100) / 63
    terms = sizes.copy()
    for at in RNG.permutation(200):  # turn terms round until the total is about right
        if terms.sum() * 63 <= total:
            break
        terms[at] *= -1
    reached = round(abs(terms.sum()) * 63)
    expected = convolved([9, 7], [100, 100], reached)
    assert two_sided(terms) == pytest.approx(expected, rel=1e-9)


def test_equal_terms_are_the_binomial_law():
    for m, lost in ((100, 20), (1000, 100), (1000, 0), (3000, 900)):
        terms = np.append(np.ones(m - lost), -np.ones(lost)) * 0.1
        tail = sum(math.comb(m, k) for k in range(lost + 1))
        assert two_sided(terms) == pytest.approx(2 * tail / 2**m, rel=1e-9)


def test_a_fine_lattice_of_many_terms_agrees_with_convolution():
    sizes = RNG.integers(1, 21, 120)
    terms = sizes * signs(120, 0.75) / 20
    numbers, counts = np.unique(sizes, return_counts=True)
    reached = round(abs(terms.sum()) * 20)
    expected = convolved(numbers.tolist(), counts.tolist(), reached)
    assert two_sided(terms) == pytest.approx(expected, rel=1e-9)


def test_no_p_is_0():
    assert two_sided(np.ones(5000)) == pytest.approx(2.2250738585072014e-308)


def test_sums_of_nothing_and_of_0_are_certain():
    assert two_sided(np.zeros(0)) == two_sided(np.zeros(5)) == 1.0
    assert two_sided(np.array([0.1, 0.2, -0.3])) == 1.0
    assert two_sided(np.array([3.0])) == 1.0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-1e3, 1e3, allow_subnormal=False), max_size=60), st.floats(1e-6, 1e6))
def test_it_is_a_probability_and_knows_neither_scale_nor_direction(values, scale):
    terms = np.array(values)
    found = two_sided(terms)
    assert 0 < found <= 1
    assert two_sided(-terms) == found
    assert two_sided(terms * scale) == pytest.approx(found, rel=1e-3)


def test_a_further_total_is_rarer():
    sizes = RNG.exponential(1, 80)
    before = 1.0
    for turned in range(40, -1, -4):
        terms = np.sort(sizes)
        terms[:turned] *= -1
        found = two_sided(terms)
        assert found <= before
        before = found
