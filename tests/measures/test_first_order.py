"""First-order co-occurrence and its high-order kin over the texts of questions."""

import csv
import gzip
import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from monitor import registry
from monitor.measures.corpus._word_biases import (
    about_correlation,
    corpus_of,
    over_words,
    pull_draws,
    rescaled_weights,
)
from monitor.measures.corpus.first_order import MEASURE
from monitor.model import Context, Document, InvalidInput, Share, State, Unit
from tests.cases import check_each
from tests.measures import corpora

HIGH = ("centroid", "average_high", "directional")
#: Every word counts, and every word that occurs has a value.
BARE = MEASURE.configure({"min_count": 1, "floor": 0, "topics_floor": 3})


def unit(key, *texts, query=""):
    documents = tuple(Document(f"{key}-{n}", text) for n, text in enumerate(texts))
    return Unit(key, {}, (), documents=(documents,), query=query)


def topics(result):
    return {one.topic: one for one in result.topics}


def values(result):
    return {one.name: one for one in result.values}


def test_biases_by_hand():
    """Pairs: she-nurse, she-tall, nurse-tall and he-clerk, twice each way round; 8 in all.

    PMI(nurse, she) = log(1 * 8 / (2 * 2)) = log 2, PMI(clerk, he) = log(1 * 8 / (1 * 1)) = log 8;
    one word for women and one for men are known. pilot stands alone and has no pair.
    """
    units = [unit("a", "She, nurse! Tall."), unit("b", "he clerk", "pilot")]
    found = topics(BARE.derive(units, Context(1)))
    assert found["nurse"].bias == pytest.approx(math.log(2), abs=1e-12)
    assert found["clerk"].bias == pytest.approx(-math.log(8), abs=1e-12)
    assert (found["nurse"].women, found["nurse"].men, found["nurse"].used) == (1, 0, 1)
    assert found["pilot"].state is State.INSUFFICIENT
    assert found["pilot"].bias is None


@pytest.mark.parametrize("kind", ["pmi", "ppmi", "sppmi"])
@pytest.mark.parametrize("cds", [1.0, 0.75])
def test_first_order_is_that_of_the_oracle(oracle, kind, cds):
    expected, units, shares = oracle
    expected = expected["average_first"][f"{kind.upper()}_cds{cds}"]
    chosen = {"min_count": 3, "floor": 0, "representation": kind, "cds": cds}
    assert_oracle(MEASURE.configure(chosen), units, shares, expected["per_word"], expected)


@pytest.mark.parametrize("name", HIGH)
def test_high_order_is_that_of_the_oracle(oracle, name):
    expected, units, shares = oracle
    expected = expected["high_order_on_PPMI"]
    measure = registry.measure(name).configure({"min_count": 3, "floor": 0})
    correlation = {"correlation": expected["correlation"][name]}
    assert_oracle(measure, units, shares, expected["per_method"][name], correlation)


def assert_oracle(measure, units, shares, per_word, expected):
    result = measure.derive(units, Context(1, shares, draws=0))
    found = {one.topic: one.bias for one in result.topics if one.bias is not None}
    assert len(found) == 137  # of its 140 words three mean women or men themselves
    whole, census = values(result), expected["correlation"]["census"]
    facts = dict(whole[f"{measure.name}_mean"].facts)
    assert facts["vocabulary"] == 13262
    for word, bias in found.items():
        known = per_word[word]
        if isinstance(known, dict):
            for side, of in (("women", "f"), ("men", "m")):
                assert facts[f"{side}:{word}"] == pytest.approx(known[of], abs=1e-9), word
            known = known["bias"]
        assert bias == pytest.approx(known, abs=1e-9), word
    for kind in ("pearson", "spearman"):
        value = whole[f"{measure.name}_{kind}"]
        assert dict(value.facts)["words_used"] == census["n"]
        assert value.value == pytest.approx(census[kind], abs=1e-9)


@pytest.mark.parametrize("name", ["first_order", "centroid", "average_high"])
def test_sides_and_unbiased_area_are_of_the_whole_vocabulary(name):
    units = [
        unit("a", "She nurse tall.", "the he clerk"),
        unit("b", "he clerk, river", "she sings"),
    ]
    measure = registry.measure(name).configure({"min_count": 1, "floor": 0, "topics_floor": 3})
    result = measure.derive(units, Context(1, draws=10))
    told = {one.name: dict(one.facts) for one in result.values}
    facts = told[f"{name}_mean"]
    assert facts["unbiased_words"] == facts["vocabulary"] == 8
    sides = {word: (facts[f"women:{word}"], facts[f"men:{word}"]) for word in ("nurse", "clerk")}
    for word, (women, men) in sides.items():
        assert women - men == pytest.approx(topics(result)[word].bias, abs=1e-12)
        low, high = facts["association_low"], facts["association_high"]
        assert low <= min(women, men) <= max(women, men) <= high
    assert not told[f"{name}_pearson"].keys() & {"women:nurse", "unbiased_threshold"}


def test_the_unbiased_area_by_hand():
    """Of five words nurse and tall have log 2 with she, clerk log 8 with he; she and he none."""
    units = [unit("a", "She, nurse! Tall."), unit("b", "he clerk")]
    facts = dict(BARE.derive(units, Context(1, draws=10)).values[0].facts)
    assert (facts["association_low"], facts["association_high"]) == (0, math.log(8))
    assert facts["unbiased_threshold"] == pytest.approx((1 + 1 + 3) / 5 / 3, abs=1e-12)


def test_a_direction_has_no_sides():
    measure = registry.measure("directional").configure(
        {"min_count": 1, "floor": 0, "topics_floor": 3}
    )
    result = measure.derive([unit("a", "She nurse woman", "the he clerk man")], Context(1, draws=2))
    assert "unbiased_threshold" not in dict(result.values[0].facts)


@pytest.fixture(scope="module")
def oracle(reference_data):
    """(oracle, a question per article, shares of the census).

    Its tokens are split at blanks alone; the four that hold an underscore are too rare to count.
    """
    folder = reference_data / "oracles"
    with gzip.open(folder / "enwiki106.json.gz") as file:
        texts = json.load(file)
    plain = (" ".join(word for word in text.split() if "_" not in word) for text in texts)
    units = [unit(f"{number:03}", text) for number, text in enumerate(plain)]
    table = (reference_data / "data" / "labour_us_census_2015.csv").read_text(encoding="utf-8")
    shares = {
        row["occupation"]: Share(row["occupation"], float(row["share_women"]), "", "US", "2015")
        for row in csv.DictReader(table.splitlines())
    }
    expected = json.loads((folder / "g1_counts_pmi.json").read_text(encoding="utf-8"))
    return expected, units, shares


def test_a_text_counts_once_and_for_the_first_question():
    units = [
        unit("b", "she nurse", "he clerk"),
        unit("a", "She -- nurse.", "she nurse", None, "..."),
    ]
    corpus = corpus_of(units, 1)
    assert corpus.documents == 2
    assert [corpus.keys[at] for at in corpus.owner] == ["a", "b"]
    assert (corpus.repeats, corpus.missing, corpus.empty) == (2, 1, 1)
    assert [some.tolist() for some in corpus.held] == [[0, 1], [0]]


def test_the_order_of_texts_decides_nothing():
    units = corpora.drawn([corpora.M, corpora.F])[:12]
    turned = [replace(one, documents=(one.documents[0][::-1],)) for one in units[::-1]]
    measure = MEASURE.configure({"floor": 1})
    assert measure.derive(units, Context(1, draws=20)) == measure.derive(
        turned, Context(1, draws=20)
    )


def test_rare_words_are_taken_out_before_pairs_are_counted():
    """Without the rare word in between, nurse is next to she within a window of one."""
    far = [unit("a", "she once nurse", "she nurse he", "clerk he")]
    near = replace(BARE, window=1, min_count=2).derive(far, Context(1, draws=0))
    assert topics(near)["nurse"].women == 2
    assert topics(replace(BARE, window=1).derive(far, Context(1, draws=0)))["nurse"].women == 1


@check_each(
    ("texts", "reason"),
    [
        ((), "no text was read"),
        ((None, "..."), "no text was read"),
        (("she nurse he",), "one text only"),
        (("he nurse", "he clerk"), "no word for women of the list"),
        (("she nurse", "she clerk"), "no word for men of the list"),
        (("she nurse", "he clerk"), "2 words have support, floor 3"),
    ],
)
def test_what_has_no_value_says_why(texts, reason):
    for value in BARE.derive([unit("a", *texts)], Context(1)).values:
        assert value.state is State.INSUFFICIENT
        if not value.name.endswith(("pearson", "spearman")) or "floor" not in reason:
            assert reason in value.reason


def test_a_word_without_support_has_no_value():
    """A word that is rare, or of whose pairs too few are expected with either side."""
    some = corpora.drawn([corpora.M, corpora.F])
    some.append(unit("z", "baker alone", *(f"joiner he own{n}" for n in range(6)), "sailor"))
    found = topics(MEASURE.derive(some, Context(1, draws=50)))
    assert found["nurse"].model_low < found["nurse"].bias < found["nurse"].model_high
    assert found["joiner"].bias is None
    assert "with the women's" in found["joiner"].reason
    assert found["sailor"].reason == "occurs 1 time, at least 5"


def test_what_trained_vectors_need_is_said():
    with pytest.raises(InvalidInput, match="ten million tokens"):
        MEASURE.configure({"representation": "skip-gram"})


def test_the_signature_holds_the_word_lists():
    assert MEASURE.tables == {"rekabsaz2021": MEASURE.concepts.digest}
    assert set(MEASURE.topics) >= {"nurse", "plumber"}
    assert "actress" not in MEASURE.topics


# --- intervals and changes ------------------------------------------------------------------------


def test_texts_are_drawn_within_questions_and_lone_ones_together():
    """Three questions whose texts are all alike in each: nothing can vary within them."""
    same = [[f"{words} own{key}{n}" for n in range(12)] for key, words in enumerate(
        ("she nurse he clerk pilot", "he pilot", "she clerk"))]  # fmt: skip
    within = [unit(str(key), *texts) for key, texts in enumerate(same)]
    alone = [
        unit(f"{key}-{n}", text) for key, some in enumerate(same) for n, text in enumerate(some)
    ]
    [fixed, varied] = [
        values(MEASURE.configure({"topics_floor": 3}).derive(units, Context(1, draws=200)))
        for units in (within, alone)
    ]
    fixed, varied = fixed["first_order_mean"], varied["first_order_mean"]
    assert fixed.value == pytest.approx(varied.value)
    assert fixed.high - fixed.low == pytest.approx(0, abs=1e-12)
    assert varied.high - varied.low > 0.05


def test_sums_over_few_texts_vary_as_much_as_they_should():
    """Two texts of a question: the sum of theirs has the variance of two independent ones."""
    strata = np.array([1, 0, 1, 2])
    drawn = rescaled_weights(strata, 4000, np.random.default_rng(1))
    assert set(np.unique(drawn[:, [0, 2]])) == {0.0, 2.0}
    assert (drawn[:, [0, 2]].sum(axis=1) == 2).all()
    assert (drawn[:, [1, 3]] == 1).all()
    assert np.var(drawn[:, [0, 2]] @ [1.0, -1.0]) / 2 == pytest.approx(2, rel=0.05)


def test_limits_of_a_correlation_that_is_noise_are_as_wide_as_it_varies():
    """Sixty words without any relation: about 1 / sqrt(n - 3) on Fisher's scale."""
    rng = np.random.default_rng(1)
    biases, share = rng.normal(size=60), rng.random(60)
    draws = biases + rng.normal(size=(2000, 60))
    value = float(over_words("pearson", biases[None], share)[0])
    found = about_correlation(value, over_words("pearson", pull_draws(biases, draws), share))
    width = (math.atanh(found.high) - math.atanh(found.low)) / 3.92
    assert width == pytest.approx(1 / math.sqrt(57), rel=0.15)


def test_intervals_cover_what_the_texts_were_drawn_from():
    """The mean bias of 40 corpora of texts that are not tilted: about 95 % of limits hold 0."""
    held = 0
    for seed in range(40):
        units = corpora.drawn([corpora.M, corpora.F], seed)[:12]
        measure = MEASURE.configure({"floor": 1})
        [mean, *_] = measure.derive(units, Context(seed, draws=200)).values
        held += mean.low <= 0 <= mean.high
    assert 34 <= held <= 40


def test_exchanged_questions_give_p_of_every_exchange():
    """Six questions: all 64 exchanges made anew reach the change as often as the draws say."""
    before = corpora.drawn([corpora.M, corpora.F, corpora.F], 1)[:12:2]
    after = corpora.drawn([corpora.M, corpora.M, corpora.F], 2)[:12:2]
    measure = MEASURE.configure({"floor": 1, "min_count": 1})

    def change(bits):
        sides = [
            [(a, b)[bits >> at & 1] for at, (a, b) in enumerate(zip(before, after, strict=True))],
            [(b, a)[bits >> at & 1] for at, (a, b) in enumerate(zip(before, after, strict=True))],
        ]
        return measure.paired(*sides, Context(1, draws=0))[0].delta

    deltas = np.array([change(bits) for bits in range(64)])
    exact = np.mean(np.abs(deltas) >= abs(deltas[0]) - 1e-12)
    [found, *_] = measure.paired(before, after, Context(1, draws=2000))
    assert found.delta == deltas[0]
    assert dict(found.facts)["p_drawn"] == pytest.approx(exact, abs=0.03)
    assert found.p >= dict(found.facts)["p_drawn"] - 1e-12


def test_a_tilt_that_grows_in_every_question_is_found():
    """Occupations lose the company of men in all 24: p is less than any draws could show."""

    def shown(number, man):
        about = [corpora.JOBS[(number + n) % 12] for n in range(4)]
        texts = [f"she {job} woman own{number}" for job in about]
        texts += [man.format(job=job, number=number) for job in about]
        return unit(f"q{number:02}", *texts, query=f"question {number}")

    before = [shown(number, "he {job} man own{number}") for number in range(24)]
    after = [shown(number, "he people man own{number}{job}") for number in range(24)]
    changes = MEASURE.paired(before, after, Context(1, corpora.shares(random.Random(1))))  # noqa: S311
    found = {one.name: one for one in changes}
    mean = found["first_order_mean"]
    assert 0 < mean.low < mean.delta < mean.high
    assert mean.p == pytest.approx(2 / 2**24)
    assert (mean.n, mean.changed, mean.before) == (24, 24, pytest.approx(0))
    assert dict(mean.facts)["p_drawn"] == pytest.approx(1 / 2001)
    assert found["first_order_spearman"].low is None
