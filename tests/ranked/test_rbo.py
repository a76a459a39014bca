"""Rank-biased overlap, against exact values and a plain loop of equation 32."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.ranked.lists import (
    count_overlaps,
    extrapolate_overlap,
    lists_of,
    numbered_alike,
)
from tests.cases import check_each


def shared(first, second, cutoff=None):
    tables = [lists_of([("q", list(one))], cutoff=cutoff) for one in (first, second)]
    return count_overlaps(*numbered_alike(*tables))


def ext(first, second, p=0.9):
    return float(extrapolate_overlap(shared(first, second), p)[0])


def plain(first, second, p):
    """Equation 32, depth by depth."""
    s, longer = sorted((len(first), len(second)))
    x = [len(set(first[:d]) & set(second[:d])) for d in range(1, longer + 1)]
    total = sum(x[d - 1] / d * p**d for d in range(1, longer + 1))
    total += sum(x[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, longer + 1))
    tail = ((x[longer - 1] - x[s - 1]) / longer + x[s - 1] / s) * p**longer
    return (1 - p) / p * total + tail


def test_published_values(reference_data):
    known = json.loads((reference_data / "oracles" / "e1_rbo.json").read_text())
    assert known["pairs"]
    for pair in known["pairs"]:
        for p, expected in pair["p"].items():
            whole = shared(pair["S"], pair["T"])
            found = {
                "ext": extrapolate_overlap(whole, float(p)),
                "ext_at_10": extrapolate_overlap(shared(pair["S"], pair["T"], 10), float(p)),
            }
            for form, value in found.items():
                assert value[0] == pytest.approx(expected[form], abs=1e-12), (pair["name"], form)


@check_each(
    ("first", "second", "value"),
    [
        ("abcdefghij", "abcdefghij", 1.0),
        ("abc", "xyz", 0.0),
        ("a", "a", 1.0),
        ("ba", "ab", 0.9),  # only the first rank differs: 1 - (1 - p)
        ("abcdefghij", "abcdefg", 1.0),  # the longer list goes on as the shorter began
        ("a", "xa", 0.45),  # (1-p)/p (0 + 1/2 p^2) + (1/2) p^2 = 0.045 + 0.405
    ],
)
def test_known_pairs(first, second, value):
    assert ext(first, second) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("first", "second"), [("", "ab"), ("ab", ""), ("", "")])
def test_an_empty_list_has_no_overlap(first, second):
    found = shared(first, second)
    assert np.isnan(extrapolate_overlap(found, 0.9)).all()


LISTS = st.lists(st.integers(0, 12), min_size=1, max_size=9, unique=True)


@given(LISTS, LISTS, st.floats(0.05, 0.99))
def test_equals_the_plain_loop_is_symmetric_and_in_range(first, second, p):
    first, second = [str(one) for one in first], [str(one) for one in second]
    value = ext(first, second, p)
    assert value == pytest.approx(plain(first, second, p), abs=1e-12)
    assert value == pytest.approx(ext(second, first, p), abs=1e-12)
    assert 0.0 <= value <= 1.0
    assert ext(first, first, p) == pytest.approx(1.0, abs=1e-12)


def test_many_pairs_at_once_are_as_each_alone():
    rng = np.random.default_rng(3)
    orders = [np.argsort(rng.random((40, 30)), axis=1) for _ in range(2)]
    lengths = rng.integers(0, 20, (2, 40))
    ranked = [
        [[str(one) for one in row[:n]] for row, n in zip(order, some, strict=True)]
        for order, some in zip(orders, lengths, strict=True)
    ]
    tables = [lists_of((str(q), one) for q, one in enumerate(some)) for some in ranked]
    found = extrapolate_overlap(count_overlaps(*numbered_alike(*tables)), 0.9)
    for value, first, second in zip(found, *ranked, strict=True):
        if first and second:
            assert value == pytest.approx(plain(first, second, 0.9), abs=1e-12)
        else:
            assert np.isnan(value)
