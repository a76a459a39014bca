"""What every measure must hold, whatever its formula."""

import math
import random
from dataclasses import fields, replace

import numpy as np
import pytest

from monitor import registry
from monitor.model import Context, InvalidInput, QuantityUnit, Result, State, Symmetry
from tests.cases import check_each

MEASURES = registry.discover("measures")
SCOPES = ("stereotype:", "tag:", "template:", "template-stereotype:", "bin:")
#: What is a value of a parameter and would be none of others: switches, and names of lexicons.
ALLOWED = {
    "raw": (True,), "rbdf": (True,), "names": (True,), "relevant": (True,), "strict": (True,),
    "lexicon": ("no such",), "baseline": ("no such", []), "between": ([],),
}  # fmt: skip
NUMBERS = ("value", "low", "high", "bound_low", "bound_high")


@pytest.fixture(params=MEASURES.values(), ids=MEASURES)
def measure(request):
    return request.param


def by_name(result):
    return {(value.name, value.scope): value for value in result.values}


def reflected(quantity, number):
    match quantity.symmetry:
        case Symmetry.ODD:
            return -number
        case Symmetry.EVEN:
            return number
        case Symmetry.RECIPROCAL:
            return 1 / number
        case Symmetry.COMPLEMENT:
            return 1 - number
        case Symmetry.REFLECT:
            return quantity.low + quantity.high - number


def test_it_declares_itself(measure):
    names = [quantity.name for quantity in measure.quantities]
    assert len(set(names)) == len(names)
    assert measure.version >= 1
    assert measure.citation
    assert measure.resampling
    assert type(measure).__doc__
    for quantity in measure.quantities:
        assert quantity.low < quantity.high
        if quantity.meaning.unit is QuantityUnit.SHARE:
            assert (quantity.low, quantity.high) == (0, 1)
        assert quantity.neutral is None or quantity.low <= quantity.neutral <= quantity.high
        assert quantity.mirror in {"", *names}


def test_a_name_of_a_quantity_is_one_measures_and_means_the_same_for_all_kinds_of_engines():
    found = {}
    for measure in MEASURES.values():
        for quantity in measure.quantities:
            name, known = found.setdefault(quantity.name, (measure.name, quantity))
            assert (name, known) == (measure.name, quantity)


def test_order_of_units_does_not_matter(measure, usual):
    units, context = usual(measure, repeats=3)
    expected = measure.derive(units, context)
    for seed in range(3):
        shuffled = list(units)
        random.Random(seed).shuffle(shuffled)  # noqa: S311 - no secret
        assert measure.derive(shuffled, context) == expected


def test_same_seed_same_result_and_another_seed_moves_no_value(measure, usual):
    units, context = usual(measure)
    first = measure.derive(units, context)
    assert measure.derive(units, context) == first
    other = measure.derive(units, replace(context, seed=99))
    for one, two in zip(first.values, other.values, strict=True):
        assert one.value == two.value


@check_each("what", ["no units", "no answers", "no references and no answers"])
def test_nothing_in_no_number_out(measure, usual, what):
    units, context = usual(measure, pool=[None])
    if what == "no units":
        units = []
    if what.startswith("no references"):
        context = replace(context, shares={}, targets={})
    result = measure.derive(units, context)
    assert result.values
    for value in result.values:
        assert value.state is State.INSUFFICIENT
        assert value.reason
        assert [getattr(value, name) for name in NUMBERS] == [None] * 5
        assert value.answered == value.used == value.unidentified == 0
    for topic in result.topics:
        assert topic.state is State.INSUFFICIENT
        assert topic.model is topic.bias is topic.bound_low is topic.bound_high is None


def test_unit_says_nothing_only_without_an_answer(measure, usual):
    nothing, _ = usual(measure, pool=[None], repeats=2)
    pool = ["masculine", "none" if measure.tag else "both", "unidentified"]
    something, _ = usual(measure, pool=pool)
    assert all(measure.unit(unit) is None for unit in nothing)
    if not measure.tag:  # a list of results may be empty, or without a word that says something
        something = [unit for unit in something if measure.unit(unit) is not None]
        assert something
    widths = {len(measure.unit(unit)) for unit in something}
    assert len(widths) == 1


def test_balanced_input_gives_the_neutral_value(measure, balanced):
    units, context = balanced(measure)
    neutral = {quantity.name: quantity.neutral for quantity in measure.quantities}
    values = measure.derive(units, context).values
    assert {value.name for value in values} == set(neutral)
    for value in values:
        if neutral[value.name] is not None and value.used >= 10:
            assert value.value == pytest.approx(neutral[value.name], abs=1e-12), value


@check_each("repeats", [1, 3])
def test_swapping_women_and_men_is_the_declared_symmetry(measure, usual, swapped, repeats):
    units, context = usual(measure, repeats=repeats)
    plain = by_name(measure.derive(units, context))
    swap = by_name(measure.derive(*swapped(units, context)))
    quantities = {quantity.name: quantity for quantity in measure.quantities}
    assert {name for name, _ in plain} == set(quantities)
    for (name, scope), value in plain.items():
        quantity = quantities[name]
        other = swap[quantity.mirror or name, scope]
        assert (other.state, other.planned, other.used) == (value.state, value.planned, value.used)
        turned = quantity.symmetry is not Symmetry.EVEN
        for field, partner in (("value", "value"), ("low", "high"), ("bound_low", "bound_high")):
            for one, two in ((field, partner), (partner, field)):
                before = getattr(value, one)
                after = getattr(other, two if turned else one)
                expected = None if before is None else reflected(quantity, before)
                assert after == pytest.approx(expected, abs=1e-9), (name, scope, one)


@check_each("seed", range(4))
def test_numbers_are_finite_and_in_their_range_and_bounds_contain_values(measure, usual, seed):
    units, context = usual(measure, seed=seed, repeats=1 + seed % 3)
    ranges = {q.name: (q.low, q.high) for q in measure.quantities}
    for value in measure.derive(units, context).values:
        low, high = ranges[value.name]
        for field in NUMBERS:
            number = getattr(value, field)
            assert number is None or type(number) is float, (value.name, field)
            assert number is None or (
                math.isfinite(number) and low - 1e-12 <= number <= high + 1e-12
            )
        assert (value.value is not None) == (value.state is State.MEASURED)
        assert value.planned >= value.answered >= value.unidentified >= 0
        assert value.answered >= value.used >= 0
        if value.value is not None and value.bound_low is not None:
            assert value.bound_low <= value.value <= value.bound_high
        assert all(math.isfinite(number) for _, number in value.facts)
        assert len(dict(value.facts)) == len(value.facts)


def test_all_that_is_yielded_is_declared_and_stands_once(measure, usual):
    result = measure.derive(*usual(measure))
    declared = {quantity.name for quantity in measure.quantities}
    keys = [(value.name, value.scope) for value in result.values]
    assert len(set(keys)) == len(keys)
    assert {name for name, _ in keys} <= declared
    for _, scope in keys:
        assert scope == "all" or scope.startswith(SCOPES)


def test_no_draws_leave_no_interval_but_the_values(measure, usual):
    units, context = usual(measure)
    without = measure.derive(units, replace(context, draws=0))
    for one, two in zip(without.values, measure.derive(units, context).values, strict=True):
        assert one.value == two.value


def test_reduce_with_ones_is_reduce_with_repeated_units(measure, usual):
    units, _ = usual(measure) if measure.tag else usual(measure, pool=["masculine", "feminine"])
    stats = np.array([measure.unit(unit) for unit in units if measure.unit(unit) is not None])
    groups = np.arange(len(stats)) % 3
    once = measure.reduce(stats, groups, np.ones((1, len(stats))))
    twice = measure.reduce(
        np.concatenate([stats, stats]),
        np.concatenate([groups, groups]),
        np.ones((1, 2 * len(stats))),
    )
    weighted = measure.reduce(stats, groups, np.full((4, len(stats)), 2.0))
    assert once.shape == (1, 3)
    assert weighted.shape == (4, 3)
    assert twice == pytest.approx(once)
    assert weighted[3] == pytest.approx(once[0])


def test_reduce_marks_groups_without_weight(measure, usual):
    units, _ = usual(measure, pool=["masculine", "feminine"])
    stats = np.array([measure.unit(unit) for unit in units[:6]])
    values = measure.reduce(stats, np.array([0, 2, 0, 2, 2, 0]), np.array([[1.0, 0, 1, 0, 0, 1]]))
    assert np.isnan(values[0]).tolist() == [False, True, True]
    assert measure.reduce(stats[:0], np.zeros(0, np.int64), np.zeros((2, 0))).shape == (2, 0)


def test_parameters_round_trip_and_unknown_ones_are_refused(measure):
    assert measure.configure({}) == measure
    assert measure.configure(measure.parameters) == measure
    assert set(measure.parameters) == {field.name for field in fields(measure)}
    with pytest.raises(InvalidInput, match=f"{measure.name}: unknown parameter 'colour'; known"):
        measure.configure({"colour": 1})
    for name in measure.parameters:
        for bad in (None, True, -1, "no such", 2.5, []):
            if bad in ALLOWED.get(name, ()) or (bad is None and measure.parameters[name] is None):
                continue
            with pytest.raises(InvalidInput, match=name):
                measure.configure({name: bad})


def test_a_unit_without_the_tag_is_refused(measure, usual):
    if not measure.tag:
        return  # needs none
    units, context = usual(measure)
    with pytest.raises(InvalidInput, match=f"probe {units[0].key}: tag '{measure.tag}'"):
        measure.derive([replace(units[0], tags={})], context)


def test_results_are_plain_records(measure):
    assert isinstance(measure.derive([], Context(0)), Result)
