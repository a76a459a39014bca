"""Representations in few dimensions: SVD, skip-gram, GloVe."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from monitor.corpus import factors
from monitor.corpus.bias import Bias, Biases, first_order
from monitor.corpus.concepts import Concepts
from monitor.corpus.encoding import EncodingRules, encode_documents
from monitor.corpus.factors import (
    Factors,
    InitGlove,
    SkipgramSettings,
    over_seeds,
    read_glove,
    reduce_dimensions,
    skip_gram,
)
from monitor.corpus.pmi import AssociationKind, Pmi
from monitor.model import InvalidInput, MissingPart, State
from tests.corpus.small import cooccurrences, number_texts

CONCEPTS = Concepts.of(["she"], ["he"], [("she", "he")])


@pytest.fixture(scope="module")
def text():
    """Documents of random words, in which nurse stands beside she and cook beside he."""
    draw = np.random.default_rng(7)
    filler = [f"w{i}" for i in range(30)]
    documents = []
    for near in (["nurse", "she"], ["cook", "he"]) * 200:
        around = draw.choice(filler, size=12).tolist()
        documents.append([*around[:6], *near, *around[6:], *near])
    return documents


@pytest.mark.parametrize("kind", list(AssociationKind))
@pytest.mark.parametrize("weighting", [0.0, 0.5, 1.0])
def test_svd_is_that_of_the_dense_matrix(text, kind, weighting):
    source = Pmi(cooccurrences(text), kind, shift=0.1)
    found = reduce_dimensions(source, 4, weighting)
    left, sizes, right = np.linalg.svd(source.matrix().toarray())
    expected = left[:, :4] * sizes[:4] ** weighting
    assert np.abs(found.left) == pytest.approx(np.abs(expected), abs=1e-9)
    assert (found.left[np.abs(found.left).argmax(axis=0), range(4)] > 0).all()
    rank4 = (left[:, :4] * sizes[:4]) @ right[:4]
    assert found.values(found.words, found.words) == pytest.approx(rank4, abs=1e-9)


def test_svd_is_the_same_for_a_seed(text):
    source = Pmi(cooccurrences(text))
    first, second = (reduce_dimensions(source, 5, seed=3) for _ in range(2))
    assert np.array_equal(first.left, second.left)
    assert np.array_equal(first.right, second.right)


def test_svd_leaves_out_dimensions_of_nothing():
    found = reduce_dimensions(Pmi(cooccurrences([["a", "b"], ["c", "d"]]), AssociationKind.PMI), 3)
    assert found.left.shape == (4, 3)
    lone = cooccurrences([["a", "b"], ["c"]])
    assert reduce_dimensions(Pmi(lone), 2).left.shape == (3, 2)
    with pytest.raises(InvalidInput, match="all associations are 0"):
        reduce_dimensions(Pmi(cooccurrences([["a", "b", "c"]]), AssociationKind.SPPMI), 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dimensions": 4}, "4 dimensions asked for, 4 words"),
        ({"dimensions": 0}, "0 dimensions asked for"),
        ({"dimensions": 1, "weighting": 2}, "weighting is 2; it must be within 0 and 1"),
    ],
)
def test_svd_refuses(given, message):
    with pytest.raises(InvalidInput, match=message):
        reduce_dimensions(Pmi(cooccurrences([["a", "b"], ["c", "d"]])), **given)


# --- skip-gram ----------------------------------------------------------------------------------


def encoded(documents):
    return encode_documents(number_texts(map(" ".join, documents)), EncodingRules(unique=False))


SMALL = SkipgramSettings(dimensions=8, epochs=10, sample=0)


@pytest.fixture(scope="module")
def learnt(text):
    return skip_gram(encoded(text), 1, SMALL)


def test_skip_gram_finds_what_stands_together(learnt):
    biases = first_order(learnt, ["nurse", "cook"], CONCEPTS).values
    assert biases["nurse"] > 0.1
    assert biases["cook"] < -0.1


def test_skip_gram_is_the_sigmoid_of_both_vectors(learnt):
    at, beside = learnt.words.index("nurse"), learnt.words.index("she")
    product = np.float64(learnt.left[at]) @ np.float64(learnt.right[beside])
    found = learnt.values(["nurse"], ["she"])[0, 0]
    assert found == pytest.approx(1 / (1 + np.exp(-product)), rel=1e-12)
    big = np.full((1, 1), 40.0)
    assert Factors(["a"], big, -big, sigmoid=True).values(["a"], ["a"])[0, 0] == 0.0


def test_skip_gram_is_the_same_for_a_seed_and_another_for_another(text, learnt):
    corpus = encoded(text)
    again, other = skip_gram(corpus, 1, SMALL), skip_gram(corpus, 2, SMALL)
    assert np.array_equal(again.left, learnt.left)
    assert np.array_equal(again.right, learnt.right)
    assert not np.array_equal(other.left, learnt.left)


def test_documents_are_drawn_anew_by_the_seed_and_long_ones_taken_in_parts(monkeypatch):
    monkeypatch.setattr(factors, "_LONGEST", 2)
    corpus = encoded([["a", "b", "c"], ["d"]])
    whole = factors._SkipgramTexts(corpus, None)
    assert list(whole) == list(whole) == [["a", "b"], ["c"], ["d"]]
    twice = factors._SkipgramTexts(corpus, np.array([1, 1]))
    assert (list(twice), twice.n) == ([["d"], ["d"]], 2)
    drawn = skip_gram(corpus, 1, SkipgramSettings(dimensions=2, epochs=1, resampled=True))
    assert drawn.left.shape == (4, 2)


def test_skip_gram_says_what_it_needs(monkeypatch):
    with pytest.raises(InvalidInput, match="the corpus has no words"):
        skip_gram(replace(encoded([["a"], ["b"]]), tokens=np.zeros(0, np.int32)), 1)
    monkeypatch.setitem(sys.modules, "gensim.models.word2vec", None)
    with pytest.raises(MissingPart, match=r"pip install 'gbmonitor\[word2vec\]'"):
        skip_gram(encoded([["a"], ["b"]]), 1)


def test_below_the_floor_skip_gram_says_so():
    assert factors.below_floor(10_000_000) == ""
    assert "9,999,999 tokens" in factors.below_floor(9_999_999)


def runs(*values):
    return [
        Biases((Bias("a", State.MEASURED, v), Bias("b", State.INSUFFICIENT)), (), (), ())
        for v in values
    ]


def test_several_seeds_have_a_mean_and_from_ten_on_limits():
    assert over_seeds([]) == {}
    (few,) = over_seeds(runs(1.0, 2.0)).values()
    assert (few.value, few.low, few.high, few.runs) == (1.5, None, None, 2)
    found = over_seeds(runs(*range(10)))
    assert set(found) == {"a"}
    half = 2.262157 * np.std(range(10), ddof=1)
    assert (found["a"].low, found["a"].high) == pytest.approx((4.5 - half, 4.5 + half), rel=1e-6)


# --- GloVe --------------------------------------------------------------------------------------


def written(path, *rows):
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_both_vectors_of_glove_without_their_biases(tmp_path):
    all_of_them = written(tmp_path / "all.txt", "a 1 2 9 3 4 9", "b 0 1 9 1 0 9", "a 7 7 7 7 7 7")
    both = written(tmp_path / "both.txt", "2 4", "a 1 2 3 4", "b 0 1 1 0")
    words = written(tmp_path / "words.txt", "a 1 2", "b 0 1", "c 5 5")
    contexts = written(tmp_path / "contexts.txt", "b 1 0", "a 3 4")
    found = [
        read_glove(all_of_them, 2),
        read_glove(both, 2),
        read_glove(words, 2, contexts),
    ]
    for one in found:
        assert list(one.words) == ["a", "b"]
        assert one.values(["a", "b"], ["a", "b"]).tolist() == [[11, 1], [4, 0]]


@pytest.mark.parametrize(
    ("dimensions", "message"),
    [
        (4, "one vector of 4 numbers a word; first order needs context vectors as well"),
        (3, "4 numbers a word; with 3 dimensions it would be 8 .* or 6"),
    ],
)
def test_what_glove_lacks_is_said(tmp_path, dimensions, message):
    with pytest.raises(InvalidInput, match=message):
        read_glove(written(tmp_path / "words.txt", "a 1 2 3 4", "b 1 2 3 4"), dimensions)


def test_two_files_that_do_not_go_together_are_refused(tmp_path):
    words = written(tmp_path / "words.txt", "a 1 2", "b 1 2")
    with pytest.raises(InvalidInput, match=r"other\.txt: no word of .*words\.txt is in it"):
        read_glove(words, 2, written(tmp_path / "other.txt", "c 1 2", "d 1 2"))
    with pytest.raises(InvalidInput, match=r"wide\.txt: 3 numbers a word, 2 expected"):
        read_glove(words, 2, written(tmp_path / "wide.txt", "a 1 2 3", "b 1 2 3"))


def test_init_glove_is_the_logarithm_of_a_conditional_share():
    source = InitGlove(cooccurrences([["she", "nurse"], ["she", "cook"], ["he", "cook"]]))
    assert source.values(["nurse"], ["she", "he"])[0] == pytest.approx(
        [np.log(0.5), np.nan], nan_ok=True
    )
    nurse, cook = first_order(source, ["nurse", "cook"], CONCEPTS).words
    assert (nurse.state, nurse.value) == (State.INSUFFICIENT, None)
    assert "there is no value for that" in nurse.reason
    assert cook.value == pytest.approx(np.log(0.5))
    assert list(source.words) == ["cook", "she", "he", "nurse"]


# --- both ---------------------------------------------------------------------------------------


def test_words_and_vectors_have_to_be_as_many():
    with pytest.raises(InvalidInput, match="each word needs one of each"):
        Factors(["a", "b"], np.zeros((2, 3)), np.zeros((2, 4)))
