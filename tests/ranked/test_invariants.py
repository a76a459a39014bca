"""What holds whatever the texts are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.measures import count_terms, parse, tokenise
from tests.cases import check_each
from tests.ranked.completions import GROUPS, a_world

SEEDS = st.integers(0, 10**6)
EVEN = ["TED@5", "TExFAIR@5", "TED(rbdf=False)@5", "NFaiRR@5", "NFaiRR(background=list)@5",
        "FaiRR@5", "AWRF@5", "AWRF(nonrepresentative=skip,distance=JS)@5"]  # fmt: skip
ALL = [*EVEN, "ARB@5", "ARB(magnitude=log)@5", "ARB(magnitude=bool)@5", "AWRF(distance=L2)@5"]


def scored(name, run, texts, groups=GROUPS[2], **given):
    return parse(name).score(run, texts, terms=groups, **given)


def same(first, second, sign=1):
    assert first.per_query.keys() == second.per_query.keys()
    for query, value in first.per_query.items():
        other = second.per_query[query]
        assert (value is None) == (other is None), query
        assert value is None or sign * value == pytest.approx(other, abs=1e-12)


@check_each("name", EVEN)
@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_swapping_the_lists_of_words_moves_nothing(name, seed):
    run, beside, texts, _ = a_world(seed, GROUPS[2])
    turned = {"f": GROUPS[2]["m"], "m": GROUPS[2]["f"]}
    first = scored(name, run, texts, beside={"o": beside})
    second = scored(name, run, texts, turned, beside={"o": beside})
    same(first, second)
    assert first.bound_low == pytest.approx(second.bound_low, abs=1e-12)


@pytest.mark.parametrize("magnitude", ["count", "log", "bool"])
@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_swapping_the_lists_of_words_negates_arb(magnitude, seed):
    run, _, texts, _ = a_world(seed, GROUPS[2])
    name = f"ARB(magnitude={magnitude})@5"
    first = scored(name, run, texts)
    second = scored(name, run, texts, {"f": GROUPS[2]["m"], "m": GROUPS[2]["f"]})
    same(first, second, sign=-1)
    low, high = second.bound_low, second.bound_high
    assert first.bound_low == (None if high is None else pytest.approx(-high, abs=1e-12))
    assert first.bound_high == (None if low is None else pytest.approx(-low, abs=1e-12))


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_at_the_first_rank_nearness_of_exposure_is_neutrality(seed):
    run, _, _, whole = a_world(seed, GROUPS[2])
    same(scored("TExFAIR@1", run, whole), scored("NFaiRR(tau=0)@1", run, whole))


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_with_more_groups_it_is_up_to_the_largest_distance(seed):
    run, _, _, whole = a_world(seed, GROUPS[3])
    found = scored("TExFAIR@1", run, whole, GROUPS[3])
    other = scored("NFaiRR(tau=0)@1", run, whole, GROUPS[3])
    for query, value in found.per_query.items():
        assert value / (4 / 3) == pytest.approx(other.per_query[query], abs=1e-12)


@check_each("name", ["TED@5", "TExFAIR@5", "TED(rbdf=False)@5", "AWRF@5"])
@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_doubling_every_text_moves_nothing(name, seed):
    run, _, texts, _ = a_world(seed, GROUPS[2])
    twice = {key: text and f"{text} {text}" for key, text in texts.items()}
    same(scored(name, run, texts), scored(name, run, twice))


@check_each("name", ALL)
@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_the_form_of_the_texts_does_not_matter(name, seed):
    run, _, texts, _ = a_world(seed, GROUPS[2])
    first = scored(name, run, texts)
    assert first.name.split("@")[1] == "5"
    for other in (count_terms(texts, GROUPS[2]), tokenise(texts)):
        second = scored(name, run, other)
        same(first, second)
        for field in ("value", "bound_low", "bound_high", "missing", "empty", "used", "details"):
            assert getattr(first, field) == getattr(second, field)


@check_each("name", ALL)
@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_no_document_that_is_not_read_becomes_a_number(name, seed):
    run, _, texts, _ = a_world(seed, GROUPS[2])
    nothing = dict.fromkeys(texts)
    score = scored(name, run, nothing)
    assert score.value is None
    assert score.used == 0
    assert score.reason
    assert set(score.per_query.values()) == {None}
    assert score.missing == score.documents > 0
    assert (score.low, score.high) == (None, None)
    empty = scored(name, run, dict.fromkeys(texts, ""))
    assert empty.value is None
    assert empty.empty == empty.documents
