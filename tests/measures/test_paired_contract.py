"""What the change of every measure must hold, whatever its formula."""

import math
import random
from dataclasses import replace

import pytest

from monitor import registry
from monitor.change import Paired, Test
from monitor.model import Context, Kind, Validity
from tests.cases import check_each

MEASURES = registry.discover("measures")
#: Measures of classes and of scores: their panel is that of single probes.
BY_PROBE = {name: one for name, one in MEASURES.items() if one.kind is not Kind.SEARCH}
SURE = ("masculine", "masculine", "feminine")


@pytest.fixture(params=MEASURES.values(), ids=MEASURES)
def measure(request):
    return request.param


@pytest.fixture(params=BY_PROBE.values(), ids=BY_PROBE)
def by_probe(request):
    return request.param


def by_scope(changes):
    found = {(one.name, one.scope): one for one in changes}
    assert len(found) == len(changes)
    return found


def test_it_declares_its_primaries_and_what_its_values_mean(measure):
    names = {quantity.name for quantity in measure.quantities}
    assert len(measure.primaries) <= 4
    assert measure.primaries or measure.name == "lexicon_agreement"  # compares lexicons
    assert len(set(measure.primaries)) == len(measure.primaries)
    assert set(measure.primaries) <= names
    assert isinstance(measure.validity, Validity)
    for name in ("means", "does_not_mean", "assumes", "harm"):
        assert getattr(measure.validity, name).endswith(".")


def test_primaries_are_over_all_probes(measure, usual):
    units, context = usual(measure)
    scopes = {(value.name, value.scope) for value in measure.derive(units, context).values}
    assert {(name, "all") for name in measure.primaries} <= scopes


def test_changes_over_all_questions_are_the_same_without_those_of_other_scopes(measure, usual):
    before, context = usual(measure, seed=1)
    after, _ = usual(measure, seed=2)
    changes = measure.paired(before, after, context)
    alone = measure.paired(before, after, replace(context, over_all=True))
    over_all = [one for one in changes if one.scope == "all"]
    assert over_all
    assert [one for one in alone if one.scope == "all"] == over_all


@check_each("repeats", [1, 3])
def test_every_value_has_its_change_once(measure, usual, repeats):
    before, context = usual(measure, seed=1, repeats=repeats)
    after, _ = usual(measure, seed=2, repeats=repeats)
    changes = measure.paired(before, after, context)
    assert all(isinstance(one, Paired) for one in changes)
    derived = {(value.name, value.scope) for value in measure.derive(after, context).values}
    assert set(by_scope(changes)) == derived
    for one in changes:
        assert bool(one.reason) == (one.delta is None), one
        for number in (one.before, one.after, one.delta, one.low, one.high, one.p):
            assert number is None or (type(number) is float and math.isfinite(number)), one
        assert (one.before is None) == (one.after is None)
        assert (one.p is None) == (one.test is Test.NONE), one
        assert one.p is None or 0 < one.p <= 1
        assert (one.low is None) == (one.high is None)
        assert one.low is None or one.low <= one.delta <= one.high
        assert min(one.n, one.only_before, one.only_after) >= 0
        assert 0 <= one.changed <= one.n
        assert len(dict(one.facts)) == len(one.facts)
        assert all(type(n) is float and math.isfinite(n) for _, n in one.facts)
        if one.delta is not None:
            assert one.delta == pytest.approx(one.after - one.before, abs=1e-12)


@check_each("repeats", [1, 3])
def test_the_same_answers_are_no_change(measure, usual, repeats):
    units, context = usual(measure, repeats=repeats)
    compared = [one for one in measure.paired(units, units, context) if one.delta is not None]
    for one in compared:
        assert (one.delta, one.changed, one.only_before, one.only_after) == (0.0, 0, 0, 0), one
        assert one.p in {None, 1.0}
        assert one.low is None or one.low < 0 < one.high


@check_each("repeats", [1, 3])
def test_exchanging_before_and_after_turns_the_change_round(measure, usual, repeats):
    before, context = usual(measure, seed=1, repeats=repeats)
    after, _ = usual(measure, seed=2, repeats=repeats)
    there = by_scope(measure.paired(before, after, context))
    back = by_scope(measure.paired(after, before, context))
    assert set(there) == set(back)
    for key, one in there.items():
        other = back[key]
        assert (other.n, other.changed, other.test) == (one.n, one.changed, one.test), key
        assert (other.only_before, other.only_after) == (one.only_after, one.only_before)
        assert (other.before, other.after) == (one.after, one.before)
        if one.delta is None:
            assert other.reason == one.reason
            continue
        assert other.delta == pytest.approx(-one.delta, abs=1e-12)
        assert other.p == (one.p and pytest.approx(one.p, rel=1e-6))
        if one.low is not None:
            assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-9)


def test_order_of_units_does_not_matter(measure, usual):
    before, context = usual(measure, seed=1, repeats=3)
    after, _ = usual(measure, seed=2, repeats=3)
    expected = measure.paired(before, after, context)
    for seed in range(2):
        rng = random.Random(seed)  # noqa: S311 - no secret
        shuffled = [rng.sample(units, len(units)) for units in (before, after)]
        assert measure.paired(*shuffled, context) == expected


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_change_is_that_of_two_derivations_on_the_panel(by_probe, usual, repeats):
    """What one side lacks is left out of both; there derive says how far the values are apart."""
    pool = (*SURE * 4, None)
    before, context = usual(by_probe, seed=1, repeats=repeats, pool=pool)
    after, _ = usual(by_probe, seed=2, repeats=repeats, pool=pool)
    sure = [
        (one, two)
        for one, two in zip(before, after, strict=True)
        if by_probe.unit(one) is not None and by_probe.unit(two) is not None
    ]
    assert repeats > 1 or 0.7 < len(sure) / len(before) < 1
    easy = by_probe.configure({"floor": 1})  # without it, a scope of few probes has no value
    first, second = (
        {(value.name, value.scope): value for value in easy.derive(units, context).values}
        for units in ([one for one, _ in sure], [two for _, two in sure])
    )
    checked = set()
    for one in easy.paired(before, after, context):
        if one.delta is None:
            continue
        then, now = first[one.name, one.scope], second[one.name, one.scope]
        assert (one.before, one.after) == pytest.approx((then.value, now.value), abs=1e-9), one
        assert one.delta == pytest.approx(now.value - then.value, abs=1e-9)
        if not one.name.startswith("g_s_"):
            assert one.n == now.used == then.used, one
        checked.add(one.name)
    assert set(by_probe.primaries) <= checked


def test_missing_answers_are_never_flips(by_probe, usual):
    """Answers get lost, none changes: what is left has not moved."""
    before, context = usual(by_probe, seed=1, pool=SURE)
    rng = random.Random(5)  # noqa: S311 - no secret
    after = [
        replace(unit, classes=(None,) * len(unit.classes), scores=())
        if rng.random() < 0.2
        else unit
        for unit in before
    ]
    fewer = [unit for unit in before if rng.random() < 0.9]
    for gone in (after, fewer):
        for one in by_probe.paired(before, gone, context):
            assert one.changed == 0
            assert one.delta in {None, 0.0}, one
            assert one.p in {None, 1.0}
            assert one.only_after == 0
    everything = by_scope(by_probe.paired(before, after, context))
    primary = everything[by_probe.primaries[0], "all"]
    assert primary.delta == 0.0
    assert primary.only_before > 0


@check_each("what", ["no units", "no answers", "no units before", "no units after"])
def test_nothing_in_no_change_out(measure, usual, what):
    units, context = usual(measure, pool=[None] if what == "no answers" else SURE)
    before = [] if what in {"no units", "no units before"} else units
    after = [] if what in {"no units", "no units after"} else units
    changes = measure.paired(before, after, context)
    assert {value.name for value in measure.derive(after, context).values} <= {
        one.name for one in changes
    }
    for one in changes:
        assert one.reason
        assert one.n == one.changed == 0
        numbers = (one.before, one.after, one.delta, one.low, one.high, one.p)
        assert numbers == (None,) * 6
        assert one.test is Test.NONE


def test_no_units_and_no_context(measure):
    assert all(one.reason for one in measure.paired([], [], Context(0)))
