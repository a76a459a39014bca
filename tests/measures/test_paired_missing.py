"""What missing answers could make of changes: bounds that hold the truth, and the flag."""

import random
from dataclasses import replace

import numpy as np
import pytest

from monitor import registry
from monitor.model import Context, Document, GenderClass, Kind, Unit
from tests.measures.fairness import unit

M, F, NONE = GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.NONE
MEASURES = registry.discover("measures")
RATE = MEASURES["masculine_rate"]
BY_CLASS = {
    name: one
    for name, one in MEASURES.items()
    if one.kind is not Kind.SEARCH and name != "lm_ratio"
}


def changes(measure, before, after, context):
    found = measure.paired(before, after, context)
    return {(one.name, one.scope): one for one in found if one.delta is not None}


def without(units, share, seed, *, lost=lambda _: True):
    """The units without the answers of a random share of them, or of those that are `lost`."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    return [
        replace(
            one,
            classes=(None,) * len(one.classes),
            lists=(None,) * len(one.lists),
            documents=(None,) * len(one.documents),
            scores=(),
        )
        if rng.random() < share and lost(one)
        else one
        for one in units
    ]


def test_every_primary_change_has_bounds_and_the_flag(usual):
    for name, measure in MEASURES.items():
        before, context = usual(measure, seed=1, pool=(M, M, F))
        after, _ = usual(measure, seed=2, pool=(M, M, F))
        found = changes(measure, before, after, context)
        for primary in measure.primaries if not getattr(measure, "of_corpus", False) else ():
            facts = dict(found[primary, "all"].facts)
            assert facts["missing_suspect"] in (0, 1), name
            if "p_missing" not in facts:
                assert facts["bound_low"] <= found[primary, "all"].delta <= facts["bound_high"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("measure", BY_CLASS.values(), ids=BY_CLASS)
def test_the_change_of_complete_answers_lies_within_the_bounds(measure, usual, seed):
    pool, measure = (M, M, F, NONE), measure.configure({"floor": 1})
    before, context = usual(measure, seed=seed, pool=pool)
    after, _ = usual(measure, seed=seed + 10, pool=pool)
    complete = changes(measure, before, after, context)
    some = changes(measure, without(before, 0.15, 1), without(after, 0.25, 2), context)
    checked = set()
    for key, one in some.items():
        facts = dict(one.facts)
        if "bound_low" in facts and key in complete:
            truth = complete[key].delta
            assert facts["bound_low"] - 1e-9 <= truth <= facts["bound_high"] + 1e-9, key
            assert facts["bound_low"] <= one.delta <= facts["bound_high"], key
            checked.add(one.name)
    assert set(measure.primaries) - {"pearson"} <= checked


@pytest.mark.parametrize("name", ["nfairr", "texfair", "awrf", "direct_gap"])
def test_bounds_of_ranked_lists_hold_what_unread_documents_could_say(name):
    texts = ("she her woman", "he his man", "she he", "north people", "man men boy")
    rng = random.Random(4)  # noqa: S311 - no secret

    def asked():
        return [unit(f"q{n}", rng.choices(texts, k=5)) for n in range(20)]

    def unread(units):
        return [
            replace(u, documents=(tuple(
                Document(d.key, None) if rng.random() < 0.15 else d for d in u.documents[0]
            ),))
            for u in units
        ]  # fmt: skip

    measure, context = MEASURES[name], Context(3, draws=0)
    before, after = asked(), asked()
    key = measure.primaries[0], "all"
    truth = changes(measure, before, after, context)[key].delta
    for sides in ((unread(before), unread(after)), (before, unread(after))):
        facts = dict(changes(measure, *sides, context)[key].facts)
        assert facts["bound_low"] <= truth <= facts["bound_high"]
        assert facts["bound_low"] < facts["bound_high"]


def sentences(rng, n=40):
    """Sentences of all stereotypes and their masculine answers (units,) with probability .7."""
    tags = [{"stereotype": str(i)} for i in range(1, 17) for _ in range(n)]
    said = rng.random(len(tags)) < 0.7
    return tags, said


def units_of(tags, said, gone):
    return [
        Unit(f"{row:04}", one, (None if lost else M if masculine else F,))
        for row, (one, masculine, lost) in enumerate(zip(tags, said, gone, strict=True))
    ]


def flag(before, after, name="f_m"):
    return dict(changes(RATE, before, after, Context(1))[name, "all"].facts)["missing_suspect"]


def share_flagged(gone_before, gone_after, turned=0.0, years=40):
    """How often a change is flagged; `gone_*` give the chance that an answer is missing."""
    flags = []
    for seed in range(years):
        rng = np.random.default_rng(seed)
        tags, said = sentences(rng)
        later = said ^ (rng.random(len(said)) < 0.02)
        later &= ~(rng.random(len(said)) < turned)
        gone = [rng.random(len(said)) < chance(side) for chance, side in (
            (gone_before, said), (gone_after, later))]  # fmt: skip
        flags.append(flag(units_of(tags, said, gone[0]), units_of(tags, later, gone[1])))
    return float(np.mean(flags))


def at_random(rate):
    return lambda said: np.full(len(said), rate)


def by_answer(masculine, feminine):
    return lambda said: np.where(said, masculine, feminine)


def test_what_is_missing_alike_at_both_ticks_is_seldom_flagged():
    assert share_flagged(at_random(0.3), at_random(0.3)) <= 0.15
    assert share_flagged(by_answer(0.4, 0.08), by_answer(0.4, 0.08)) <= 0.15
    assert share_flagged(at_random(0.3), at_random(0.3), turned=0.1) <= 0.15


def test_what_began_to_be_missing_by_its_answer_is_flagged():
    assert share_flagged(at_random(0.0), by_answer(0.4, 0.08)) >= 0.95
    assert share_flagged(at_random(0.3), by_answer(0.4, 0.08)) >= 0.9
    assert share_flagged(by_answer(0.08, 0.4), at_random(0.0)) >= 0.95


def test_a_change_larger_than_what_is_missing_is_not_flagged():
    """Twelve answers are lost, and a tenth of the masculine ones turns feminine."""
    assert share_flagged(at_random(0.0), at_random(0.02), turned=0.1) == 0


def test_answers_without_a_mark_are_not_missing():
    tags, said = sentences(np.random.default_rng(1))
    nobody = np.zeros(len(said), bool)
    before, after = units_of(tags, said, nobody), units_of(tags, said, nobody)
    unmarked = [replace(one, classes=(NONE,)) if n % 3 == 0 else one for n, one in enumerate(after)]
    [one] = [c for c in RATE.paired(before, unmarked, Context(1)) if c.name == "f_m"]
    assert one.only_before > 200
    assert dict(one.facts)["missing_suspect"] == 0
    assert "p_missing" not in dict(one.facts)


@pytest.mark.parametrize(("samples", "step"), [(3, 0.5), (3, 1.0), (4, 0.5)])
def test_nothing_bounds_the_change_of_a_ratio_where_a_score_is_missing(samples, step):
    """As much is added for men as is taken off for women: no sum of weights says what is open."""
    measure = registry.measure("lm_ratio").configure({"floor": 1})
    before = [
        Unit(f"{i}-{j}", {"stereotype": str(i)}, (None,), scores=(("0", 0.1 * i + j),))
        for i in range(1, 17)
        for j in range(samples)
    ]
    after = [
        replace(unit, scores=(("0", dict(unit.scores)["0"] + (step if unit.key > "5" else 0)),))
        for unit in before
        if unit.key != "3-0"
    ]
    after.append(Unit("3-0", {"stereotype": "3"}, (None,)))
    changes = {one.name: one for one in measure.paired(before, after, Context(1))}
    for name in ("q_f", "g_s"):  # both are of stereotype 3
        assert "bound_low" not in dict(changes[name].facts)
    assert "bound_low" in dict(changes["q_m"].facts)
