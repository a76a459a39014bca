"""No completion of missing and empty documents lies outside of the bounds."""

import math
import random

import pytest

from monitor.measures import parse
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import lists_of
from monitor.ranked.texts import DocumentTexts
from tests.cases import check_each
from tests.ranked.completions import GROUPS, TARGETS, a_world, completed

NAMES = [
    "NFaiRR@{k}",
    "NFaiRR(background=shown,tau=0)@{k}",
    "NFaiRR(background=list)@{k}",
    "NFaiRR(background=union,tau=0)@{k}",
    "NFaiRR(background=run)@{k}",
    "NFaiRR(background=collection,tau=0)@{k}",
    "NFaiRR(raw=True)@{k}",
    "NFaiRR(raw=True,background=list,tau=0)@{k}",
    "NFaiRR(raw=True,background=union,tau=0)@{k}",
    "FaiRR@{k}",
    "FaiRR(raw=True,tau=0)@{k}",
    "TED@{k}",
    "TED(rbdf=False)@{k}",
    "TED(strict=True)@{k}",
    "TExFAIR@{k}",
    "TExFAIR(rbdf=False)@{k}",
    "AWRF@{k}",
    "AWRF(nonrepresentative=skip)@{k}",
    "AWRF(distance=L2)@{k}",
    "AWRF(distance=L2,nonrepresentative=skip)@{k}",
    "AWRF(distance=JS)@{k}",
    "AWRF(distance=JS,nonrepresentative=skip)@{k}",
    "ARB(magnitude=bool)@{k}",
    "ARB@{k}",
]


def rows(measure, run, beside, texts):
    given = RankedInput(
        planned=tuple(run),
        lists=lists_of(run.items()),
        texts=DocumentTexts(texts),
        beside={"other": lists_of(beside.items())},
    )
    return measure.per_list(given)


def worlds(name, n, seed):
    for at in range(n):
        groups = GROUPS[2 if name.startswith("ARB") else 2 + at % 2]
        targets = TARGETS[len(groups)][at // 2 % len(TARGETS[len(groups)])]
        measure = parse(name.format(k=(1, 2, 3, 10)[at % 4]))
        measure = measure.configure({"terms": groups, "targets": targets})
        yield measure, groups, a_world(seed + at, groups)


@check_each("name", NAMES)
def test_no_completion_lies_outside(name):
    compared = 0
    for measure, groups, (run, beside, known, whole) in worlds(name, 24, seed=1000):
        found = rows(measure, run, beside, known)
        least, most = measure.limits()
        assert not (found.low < least - 1e-9).any()
        assert not (found.high > most + 1e-9).any()
        rng = random.Random(7)  # noqa: S311 - no secret
        for texts in (whole, *(completed(rng, known, groups) for _ in range(8))):
            for row, value in enumerate(rows(measure, run, beside, texts).values):
                if math.isnan(value):
                    continue
                if math.isnan(found.low[row]):
                    # neither bounds nor value: what was read is not defined, and is complete
                    assert not found.missing[row] + found.empty[row]
                    continue
                assert found.low[row] - 1e-9 <= value <= found.high[row] + 1e-9, (known, run, row)
                compared += 1
    assert compared > 150


@check_each("name", NAMES)
def test_values_lie_within_their_bounds_and_without_doubt_are_them(name):
    seen = 0
    for measure, _, (run, beside, known, whole) in worlds(name, 40, seed=5000):
        found = rows(measure, run, beside, known)
        defined = ~(found.values != found.values)
        assert (found.low[defined] <= found.values[defined]).all()
        assert (found.high[defined] >= found.values[defined]).all()
        sure = rows(measure, run, beside, whole)
        both = ~(sure.values != sure.values)
        assert (sure.low[both] == sure.values[both]).all()
        assert (sure.high[both] == sure.values[both]).all()
        seen += defined.sum()
    assert seen > 20 or name.startswith("FaiRR")


def extremes(groups):
    """Texts that bring a list to its bounds: one group alone, next to nothing of it, or none."""
    for words in groups.values():
        yield f"{words[0]} {words[0]}"
        yield f"{words[0]} " + "x " * 100_000
    yield "x"


def reached(name, texts, targets=None, groups=GROUPS[2], candidates=()):
    """(bounds, lowest and highest value over extreme texts for the one that is missing)."""
    measure = parse(name).configure({"terms": groups, "targets": targets or {}, "coverage": 0})
    run = {"q": list(texts)}
    found = rows(measure, run, {}, texts)
    (lost,) = [key for key, text in texts.items() if not text]
    values = [
        rows(measure, run, {}, {**texts, lost: text}).values[0]
        for text in (*extremes(groups), *candidates)
    ]
    return (found.low[0], found.high[0]), (min(values), max(values))


@check_each("lost", [None, ""])
@check_each(
    "name",
    ["NFaiRR(tau=0)@3", "NFaiRR(tau=0,background=shown)@3", "TED@3", "TExFAIR@3", "AWRF@3",
     "TED(rbdf=False)@3", "TExFAIR(rbdf=False)@3", "AWRF(nonrepresentative=skip)@3",
     "AWRF(distance=JS)@3", "AWRF(distance=L2)@3", "ARB(magnitude=bool)@3"],
)  # fmt: skip
def test_bounds_are_reached(name, lost):
    texts = {"a": lost, "b": "she x", "c": "she she he"}
    if name == "TED@3" and lost is None:
        texts = {"a": "she x x", "b": "she", "c": lost}
    candidates = []
    for his in range(61):  # somewhere among these is the balance
        candidates += ["he " * his + other * (60 - his) for other in ("she ", "x ")]
    bounds, found = reached(name, texts, candidates=candidates)
    # a sum of differences is 0 at one mixture of terms, which no whole number of words may meet
    assert bounds == pytest.approx(found, abs=2e-2)


def test_the_lower_bound_beside_the_own_list_moves_both_sums():
    bounds, found = reached("NFaiRR(tau=0,background=list)@2", {"a": "she", "b": None, "c": "x"})
    assert bounds[0] == pytest.approx(found[0], abs=1e-12)
    assert bounds[0] == 0.0
    bounds, found = reached("NFaiRR(tau=0,background=list)@2", {"a": "she he", "b": None})
    assert bounds == pytest.approx((1.0, 1.0))
    bounds, found = reached("NFaiRR(tau=0,background=list)@2", {"a": "she he he", "b": None})
    assert bounds[0] == pytest.approx(found[0], abs=1e-12)
    assert bounds[0] < 1


def test_sums_of_counts_have_no_bounds_and_say_nothing_false():
    score = parse("ARB").score({"q": ["a", "b"]}, {"a": "she she", "b": None})
    assert (score.bound_low, score.bound_high) == (None, None)
    assert score.value == 2
