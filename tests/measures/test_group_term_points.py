"""What every measure of group terms holds as a measure of a job."""

import random
from dataclasses import fields, replace

import numpy as np
import pytest

from monitor.measures import parse
from monitor.model import Context, InvalidInput, State
from monitor.names import format_name
from tests.measures.fairness import unit

NAMES = ["ARB", "FaiRR", "NFaiRR", "AWRF", "TED", "TExFAIR"]
TEXTS = ["she her hers", "he x", "she and he", "stone", "rock", "his and her x", None, ""]
SWAP = {"she": "he", "her": "his", "hers": "him", "he": "she", "his": "her", "him": "hers"}


@pytest.fixture(params=NAMES)
def measure(request):
    return parse(f"{request.param}@5")


def usual(seed=1, pool=TEXTS):
    rng = random.Random(seed)  # noqa: S311 - no secret
    return [
        unit(f"q{at:02}", *(None if rng.random() < 0.1 else rng.choices(pool, k=8) for _ in "ab"))
        for at in range(60)
    ]


def swapped(units):
    def turned(document):
        text = document.text and " ".join(SWAP.get(w, w) for w in document.text.split())
        return replace(document, text=text)

    return [
        replace(u, documents=tuple(one and tuple(map(turned, one)) for one in u.documents))
        for u in units
    ]


def context(**given):
    return Context(3, {}, given.pop("draws", 200), **given)


def test_order_of_units_and_seed_move_no_value(measure):
    units = usual()
    expected = measure.derive(units, context())
    shuffled = random.Random(5).sample(units, len(units))  # noqa: S311 - no secret
    assert measure.derive(shuffled, context()) == expected
    other = measure.derive(units, replace(context(), seed=99))
    assert other.values[0].value == expected.values[0].value
    assert measure.derive(units, context(draws=0)).values[0].value == expected.values[0].value


def test_values_limits_and_bounds(measure):
    (value,) = measure.derive(usual(), context()).values
    assert value.state is State.MEASURED
    assert value.low < value.value < value.high
    least, most = measure.limits()
    assert least - 1e-12 <= value.value <= most + 1e-12
    if measure.name != "ARB":
        assert least - 1e-12 <= value.bound_low < value.value < value.bound_high <= most + 1e-12
    quantity = measure.quantities[0]
    assert quantity.low <= least
    assert most <= quantity.high
    assert value.planned == 60
    assert value.planned >= value.answered >= value.used > 0
    if measure.name != "ARB":
        assert dict(value.facts)["rbdf"] > 0


def test_swapping_women_and_men_is_the_declared_symmetry(measure):
    (plain,), (turned,) = (
        measure.derive(units, context()).values for units in (usual(), swapped(usual()))
    )
    sign = -1 if measure.name == "ARB" else 1
    assert turned.value == pytest.approx(sign * plain.value)
    assert turned.used == plain.used


def test_nothing_in_no_number_out(measure):
    for units in ([], usual(pool=[None]), usual(pool=["", None])):
        (value,) = measure.derive(units, context()).values
        assert value.state is State.INSUFFICIENT
        assert value.reason
        assert (value.value, value.low, value.high) == (None, None, None)
        assert value.used == 0


def test_a_unit_is_what_the_point_is_made_of(measure):
    units = usual()
    result = measure.derive(units, context())
    by_query = {one.key: one.value for one in result.queries}
    stats = {one.key: measure.unit(one) for one in units}
    assert {key: one and one[0] for key, one in stats.items()} == by_query
    rows = np.array([one for one in stats.values() if one is not None])
    groups = np.zeros(len(rows), np.int64)
    assert measure.reduce(rows, groups, np.ones((1, len(rows))))[0, 0] == pytest.approx(
        result.values[0].value
    )


def test_parameters_round_trip(measure):
    assert set(measure.parameters) == {field.name for field in fields(measure)}
    assert measure.configure({}) == measure
    assert measure.configure(measure.parameters) == measure
    assert parse(format_name(measure)) == measure
    own = measure.configure(
        {"terms": {"a": ["x"], "b": ["y"]}, "targets": {"b": 1, "a": 0}, "coverage": 0.2}
        if "coverage" in measure.parameters
        else {"terms": {"a": ["x"], "b": ["y"]}}
    )
    assert own.configure(own.parameters) == own
    assert parse(format_name(own)) == own
    with pytest.raises(InvalidInput, match="unknown parameter 'colour'"):
        measure.configure({"colour": 1})
