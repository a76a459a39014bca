"""lexicon_agreement: the same lists under two lexicons."""

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from monitor.lexicons.lexicon import Lexicon
from monitor.measures.gsr.lexicon_agreement import MEASURE, LexiconAgreement
from monitor.model import Context, Document, InvalidInput, State, Unit
from tests.cases import check_each

WORDS = [f"word{chr(97 + n)}" for n in range(20)]
SCORES = {word: (n - 10) / 12 for n, word in enumerate(WORDS)}
A = Lexicon.of("a", SCORES)
#: The same but for noise, the same turned round, and the same on another scale.
NOISY = Lexicon.of(
    "noisy", {w: s + (n * 7 % 5 - 2) / 20 for n, (w, s) in enumerate(SCORES.items())}
)
TURNED = Lexicon.of("turned", {word: -score for word, score in SCORES.items()})
SMALLER = Lexicon.of("smaller", {word: score / 2 for word, score in SCORES.items()})
OTHER = Lexicon.of("other", {f"x{word}": score for word, score in SCORES.items()})


def unit(key, query, *texts):
    documents = tuple(Document(f"{key}-{n}", text) for n, text in enumerate(texts))
    return Unit(key, {}, (), documents=(documents,), query=query)


def system(seed, n=30, pull=1.0):
    """Documents follow the genderedness of their query by `pull`, and chance."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    units = []
    for at in range(n):
        of_query = rng.randrange(20)
        near = [
            WORDS[min(max(round(10 + pull * (of_query - 10) + rng.gauss(0, 4)), 0), 19)]
            for _ in range(3)
        ]
        units.append(unit(f"q{at:02}", WORDS[of_query], *near))
    return units


def agreement(units, lexicons=(A, NOISY), measure=MEASURE, **context):
    values = measure.derive(units, Context(1, lexicons=lexicons, **context)).values
    return {one.name: one for one in values}


def test_over_queries_it_is_pearsons_r():
    units = [unit(f"q{n:02}", WORDS[n], WORDS[(n + 3) % 20]) for n in range(20)]
    found = agreement(units)["agreement_queries"]
    texts = [WORDS[(n + 3) % 20] for n in range(20)]
    expected = stats.pearsonr(A.scores(texts), NOISY.scores(texts)).statistic
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert (found.planned, found.answered, found.used) == (20, 20, 20)
    assert -1 <= found.low < found.value < found.high <= 1
    assert found.bound_low is found.bound_high is None


@pytest.mark.parametrize(("other", "r"), [(SMALLER, 1.0), (TURNED, -1.0)])
def test_a_scale_agrees_and_a_sign_does_not(other, r):
    assert agreement(system(1), (A, other))["agreement_queries"].value == pytest.approx(r)


def test_over_systems_it_is_spearmans_rho_of_slopes():
    beside = {f"s{n}": system(n, pull=0.2 * n) for n in range(1, 6)}
    found = agreement(system(9), (A, TURNED), beside=beside)["agreement_systems"]
    assert found.value == pytest.approx(1.0)  # the slope does not change with the sign
    assert dict(found.facts) == {"systems": 6, "systems_used": 6}
    noisy = agreement(system(9), beside=beside)["agreement_systems"]
    assert -1 <= noisy.low <= noisy.value <= noisy.high <= 1


def test_few_systems_make_no_value():
    beside = {"x": system(1), "y": system(2)}
    found = agreement(system(9), beside=beside)["agreement_systems"]
    assert found.state is State.INSUFFICIENT
    assert found.reason == "3 systems have a slope under both lexicons, at least 4"


def test_changes_need_the_tick_before_of_every_system():
    beside = {f"s{n}": system(n) for n in range(5)}
    found = agreement(system(9), beside=beside, before=system(10))["agreement_changes"]
    assert found.state is State.INSUFFICIENT
    assert found.reason == "1 systems have a change of slope under both lexicons, at least 4"
    assert "0 systems" in agreement(system(9), beside=beside)["agreement_changes"].reason


def as_run(units, texts, queries, name):
    run = {}
    for one in units:
        (documents,) = one.documents
        run[one.key] = [f"{name}-{document.key}" for document in documents]
        texts.update({f"{name}-{document.key}": document.text for document in documents})
        queries[one.key] = one.query
    return run


def test_as_a_library_with_changes():
    texts, queries = {}, {}
    base = system(7)
    rng = np.random.default_rng(1)

    def drawn(name):
        moved = [
            unit(one.key, one.query, *(WORDS[rng.integers(20)] for _ in range(3))) for one in base
        ]
        return as_run(moved, texts, queries, name)

    now, before = ({n: drawn(f"{when}{n}") for n in "abcde"} for when in ("now", "before"))
    score = MEASURE.score(
        now.pop("a"), texts, queries=queries, lexicon=(A, TURNED), beside=now,
        before=before.pop("a"), beside_before=before,
    )  # fmt: skip
    assert score.value == pytest.approx(-1)
    assert score.details["agreement_systems"] == pytest.approx(1)
    assert score.details["agreement_changes"] == pytest.approx(1)
    assert (score.planned, score.used) == (30, 30)
    assert score.name == 'lexicon_agreement(lexicon=["a","turned"])'


def test_fewer_queries_than_the_floor():
    units = [unit(f"q{n:02}", WORDS[n], WORDS[(n * 3 + 5) % 20]) for n in range(10)]
    few = agreement(units[1:])["agreement_queries"]
    assert few.state is State.INSUFFICIENT
    assert few.reason == "9 queries of 9 planned have values under both, floor 10"
    assert agreement(units)["agreement_queries"].state is State.MEASURED
    low = LexiconAgreement(floor=5)
    assert agreement(units[1:], measure=low)["agreement_queries"].state is State.MEASURED


def test_a_lexicon_without_the_words_and_constant_lists():
    assert "0 queries" in agreement(system(1), (A, OTHER))["agreement_queries"].reason
    units = [unit(f"q{n:02}", WORDS[n], "wordt") for n in range(15)]
    assert "constant" in agreement(units)["agreement_queries"].reason


@pytest.mark.parametrize(
    ("lexicons", "reason"),
    [((), "0 lexicons"), ((A,), "1 lexicons"), ((A, Lexicon.of("b", SCORES)), "are the same")],
)
def test_two_different_lexicons_are_needed(lexicons, reason):
    for value in agreement(system(1), lexicons).values():
        assert value.state is State.INSUFFICIENT
        assert reason in value.reason
    run = {"q": ["d"]}
    with pytest.raises(InvalidInput, match=reason if len(lexicons) else "are the same"):
        MEASURE.score(run, {"d": "word"}, queries={"q": "word"}, lexicon=lexicons)
    few = MEASURE.score(run, {"d": "word"}, queries={"q": "word"}, lexicon=(A, NOISY))
    assert (few.value, few.low) == (None, None)
    assert "floor 10" in few.reason


def test_a_lexicon_of_another_language_is_refused():
    with pytest.raises(InvalidInput, match="language 'pt'"):
        agreement(system(1), (A, Lexicon.of("pt", {"uma": 0.5}, language="pt")))


@pytest.mark.parametrize("units", [[], [replace(unit("q", "worda"), documents=(None,))]])
def test_nothing_in_no_number_out(units):
    for value in agreement(units).values():
        assert value.state is State.INSUFFICIENT
        assert value.reason
        assert (value.value, value.low, value.high, value.bound_low, value.bound_high) == (
            None,
        ) * 5
        assert value.answered == value.used == 0


def test_order_of_units_and_of_lexicons_does_not_matter():
    units, beside = system(4), {f"s{n}": system(n, pull=0.2 * n) for n in range(5)}
    expected = agreement(units, beside=beside)
    assert agreement(units[::-1], beside=dict(reversed(beside.items()))) == expected
    for name, value in agreement(units, (NOISY, A), beside=beside).items():
        assert value.value == pytest.approx(expected[name].value)


def test_reduce_is_the_correlation_of_each_group():
    stats_of = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.5], [1.0, 1.0]])
    found = MEASURE.reduce(stats_of, np.array([0, 0, 0, 2]), np.ones((2, 4)))
    assert found.shape == (2, 3)
    assert found[0, 0] == pytest.approx(stats.pearsonr([1, 2, 3], [2, 4, 6.5]).statistic)
    assert np.isnan(found[:, 1:]).all()
    assert MEASURE.reduce(stats_of[:0], np.zeros(0, np.int64), np.zeros((2, 0))).shape == (2, 0)


def test_unit_is_the_genderedness_of_its_lists():
    first, second = MEASURE.unit(unit("q", "nurse", "she and her sister"))
    assert first == second > 0  # no lexicon is named: the built-in one twice
    assert MEASURE.unit(unit("q", "nurse", "")) is None


def test_systems_that_are_all_alike_have_no_order():
    beside = {f"s{n}": system(9) for n in range(4)}
    found = agreement(system(9), beside=beside)["agreement_systems"]
    assert found.state is State.INSUFFICIENT
    assert "the same under a lexicon" in found.reason


@check_each(
    ("name", "bad"),
    [
        *(
            ("lexicon", bad)
            for bad in (None, [], "no such", ["a"], ["a", "a"], ["a", "b c"], [1, 2])
        ),
        *(("floor", bad) for bad in (None, 2, True, 10.5)),
        *(("discount", bad) for bad in (None, "no such")),
        *(("exclude", bad) for bad in (None, "no such")),
        *(("cutoff", bad) for bad in (0, True, "10")),
    ],
)
def test_bad_parameters(name, bad):
    with pytest.raises(InvalidInput, match=name):
        MEASURE.configure({name: bad})


def test_parameters_round_trip():
    assert MEASURE.configure(MEASURE.parameters) == MEASURE
    chosen = MEASURE.configure({"lexicon": ["a", "b"]})
    assert chosen.configure(chosen.parameters) == chosen
