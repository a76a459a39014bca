"""Rankers against their formulas in plain Python, and BM25 against another implementation."""

import json

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.model import InvalidInput
from monitor.rankers.choice import NAMES, Choice, read_choice
from monitor.rankers.formulas import (
    WITH_VECTORS,
    Bm25,
    QueryLikelihood,
    TfIdf,
    Unranked,
    best_documents,
    make_ranker,
    w2v_add,
    w2v_si,
)
from monitor.text.tokens import tokens
from tests.cases import check_each
from tests.rankers.small import TEXTS, Plain, Toy, drawn_vectors, index_of, keys, pairs

QUESTIONS = (
    "asylum seekers in Australia",
    "the president of the United States",
    "women in parliament",
    "fire fire bushfire",
    "zzzz unknown Sydney",
)
ALL = 1000
BY_WORDS = {"bm25": Bm25(), "query_likelihood": QueryLikelihood(), "tf_idf": TfIdf()}


@pytest.fixture(scope="module")
def lee(reference_data):
    return json.loads((reference_data / "oracles" / "lee350.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lee_index(lee, tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("lee") / "index", lee)


@pytest.fixture(scope="module")
def lee_plain(lee):
    return Plain(lee)


@pytest.fixture
def small(tmp_path):
    return index_of(tmp_path / "index", TEXTS)


def assert_same(found, expected, places=9):
    assert [key for key, _ in found] == [key for key, _ in expected]
    assert [s for _, s in found] == pytest.approx([s for _, s in expected], abs=10**-places)


@check_each("question", QUESTIONS)
@check_each("name", BY_WORDS)
def test_scores_are_those_of_the_formula(name, question, lee_index, lee_plain):
    query = tokens(question)
    found = pairs(lee_index, BY_WORDS[name].rank(lee_index, query, ALL))
    expected = getattr(lee_plain, name)(query)
    # the order of sums differs, so equal scores can differ in their last digit
    assert sorted(key for key, _ in found) == sorted(key for key, _ in expected)
    scores = dict(expected)
    assert [s for _, s in found] == pytest.approx([scores[key] for key, _ in found], abs=1e-9)
    assert [key for key, _ in found[:5]] == [key for key, _ in expected[:5]]
    assert len(found) > 5


@check_each("question", QUESTIONS)
@check_each(("k1", "b"), [(1.2, 0.75), (0.9, 0.4), (2.0, 0.0)])
def test_bm25_is_that_of_another_implementation(lee, lee_index, question, k1, b):
    order = sorted(lee)
    other = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    other.index([tokens(lee[key]) for key in order], show_progress=False)
    query = [word for word in tokens(question) if word in other.vocab_dict]
    expected = other.get_scores(query)
    best_first = [order[n] for n in np.lexsort((np.arange(len(order)), -np.round(expected, 9)))]
    found = Bm25(k1, b).rank(lee_index, query, ALL)
    scores = {key: float(expected[n]) for n, key in enumerate(order)}
    assert found.scores.tolist() == pytest.approx(
        [scores[key] for key in keys(lee_index, found)], abs=1e-5
    )
    assert keys(lee_index, found)[:100] == best_first[: min(100, len(found.documents))]
    assert len(found.documents) == (expected > 0).sum()


@check_each("question", QUESTIONS)
@check_each("name", WITH_VECTORS)
def test_cosines_are_those_of_the_formula(name, question, lee_index, lee_plain):
    some = [word for word in lee_plain.all if sum(map(ord, word)) % 3]
    vectors = drawn_vectors({*some, "zzzz", "sydney"})

    def weight(word):
        if name == "w2v_add":
            return 1.0
        share = lee_plain.all[word] / lee_plain.total
        return -np.log(share) if share else None

    query = tokens(question)
    found = pairs(lee_index, make_ranker(name, {}, vectors).rank(lee_index, query, ALL))
    expected = dict(lee_plain.cosine_of_means(query, vectors, weight))
    assert len(found) == len(expected) == 350
    assert [s for _, s in found] == pytest.approx([expected[key] for key, _ in found], abs=2e-6)
    assert [s for _, s in found] == sorted((s for _, s in found), reverse=True)


def test_a_small_list_by_hand(small):
    [first, second, third, fourth] = pairs(small, Bm25().rank(small, ["nurse"], 20))
    # e has 6 words, a and f have 7, b has 10: the same word counts more in a shorter text
    assert [first[0], second[0], third[0], fourth[0]] == ["e", "a", "f", "b"]
    assert second[1] == third[1]
    average = sum(len(tokens(text)) for text in TEXTS.values()) / 6
    rarity = np.log(1 + (6 - 4 + 0.5) / (4 + 0.5))
    assert first[1] == pytest.approx(rarity / (1 + 1.2 * (0.25 + 0.75 * 6 / average)))


@check_each("name", NAMES)
def test_a_question_without_a_known_word_has_no_list(name, small):
    found = make_ranker(name, {}, Toy({"nurse": [1, 0]})).rank(small, ["zebra", "gnu"], 20)
    assert isinstance(found, Unranked)
    assert "word of the question" in found.reason


@check_each("name", NAMES)
def test_empty_documents_are_in_no_list(name, small):
    vectors = drawn_vectors({word for text in TEXTS.values() for word in tokens(text)})
    found = make_ranker(name, {}, vectors).rank(small, ["nurse", "rain", "doctor"], 20)
    assert "d" not in keys(small, found)
    assert len(found.documents) == 5


@check_each("name", NAMES)
@check_each("depth", [1, 2, 3, 20])
def test_a_shorter_list_is_the_beginning_of_the_longer_one(name, depth, small):
    vectors = drawn_vectors({word for text in TEXTS.values() for word in tokens(text)})
    chosen = make_ranker(name, {}, vectors)
    whole = pairs(small, chosen.rank(small, ["nurse", "tired"], 20))
    assert pairs(small, chosen.rank(small, ["nurse", "tired"], depth)) == whole[:depth]
    # a and f are the same text
    scores = dict(whole)
    assert scores["a"] == scores["f"]
    order = [key for key, _ in whole]
    assert order.index("f") == order.index("a") + 1


def test_a_word_of_every_document_says_nothing_to_tf_idf(tmp_path):
    index = index_of(tmp_path / "i", {"a": "common rare", "b": "common"})
    found = TfIdf().rank(index, ["common"], 20)
    assert found == Unranked("every word of the question stands in all documents")
    assert keys(index, TfIdf().rank(index, ["common", "rare"], 20)) == ["a"]


def test_vectors_that_cancel_out_make_no_list(small):
    vectors = Toy({"nurse": [1.0, 0.0], "doctor": [-1.0, 0.0]})
    found = w2v_add(vectors).rank(small, ["nurse", "doctor"], 20)
    assert "cancel out" in found.reason
    [first, *_, last] = pairs(small, w2v_add(vectors).rank(small, ["nurse"], 20))
    assert first == ("a", 1.0)
    assert last == ("e", -1.0)  # two doctors, one nurse
    assert "b" not in dict(pairs(small, w2v_add(vectors).rank(small, ["nurse"], 20)))  # cancels out


def test_only_w2v_add_takes_words_that_the_collection_lacks(small):
    vectors = Toy({"nurse": [1.0, 0.0], "midwife": [1.0, 0.1]})
    assert keys(small, w2v_add(vectors).rank(small, ["midwife"], 20)) == ["a", "b", "e", "f"]
    assert isinstance(w2v_si(vectors).rank(small, ["midwife"], 20), Unranked)


def test_a_collection_without_any_vector_has_no_list(small):
    found = w2v_add(Toy({"midwife": [1.0, 0.1]})).rank(small, ["midwife"], 20)
    assert found == Unranked("no document has a word with a vector")


def test_means_are_computed_once_for_vectors_and_weighting(small, monkeypatch):
    vectors, other = Toy({"nurse": [1.0, 0.0]}), Toy({"nurse": [0.0, 1.0]})
    for chosen in (w2v_add(vectors), w2v_add(vectors), w2v_si(vectors), w2v_add(other)):
        chosen.rank(small, ["nurse"], 20)
    assert len(list((small.folder / "derived").glob("w2v_*.npy"))) == 3
    monkeypatch.setattr("monitor.rankers.formulas.MeanVectorRanker._means", None)
    assert keys(small, w2v_add(vectors).rank(small, ["nurse"], 20)) == ["a", "b", "e", "f"]


WORDS = "nurse doctor she he the rain tired".split()
collections = st.dictionaries(
    st.text("abcxyz", min_size=1, max_size=3),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40, deadline=None)
@given(
    texts=collections,
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    data=st.data(),
)
@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_documents_in_the_file_changes_nothing(
    name, texts, query, data, tmp_path_factory
):
    shuffled = dict(data.draw(st.permutations(list(texts.items()))))
    vectors = drawn_vectors(WORDS[:5])
    found = []
    digests = set()
    for one in (texts, shuffled):
        index = index_of(tmp_path_factory.mktemp("i") / "index", one)
        ranked = make_ranker(name, {}, vectors).rank(index, query, 3)
        found.append(ranked if isinstance(ranked, Unranked) else pairs(index, ranked))
        digests.add(index.meta.digest)
    assert found[0] == found[1]
    assert len(digests) == 1
    if not isinstance(found[0], Unranked):
        assert found[0] == sorted(found[0], key=lambda pair: (-pair[1], pair[0]))


@settings(max_examples=40, deadline=None)
@given(texts=collections, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
@pytest.mark.parametrize("name", BY_WORDS)
def test_any_small_collection_is_ranked_as_in_plain_python(name, texts, query, tmp_path_factory):
    index = index_of(tmp_path_factory.mktemp("i") / "index", texts)
    ranked = BY_WORDS[name].rank(index, query, 20)
    expected = dict(getattr(Plain(texts), name)(query))
    if isinstance(ranked, Unranked):
        assert not any(expected.values())
        return
    assert dict(pairs(index, ranked)) == pytest.approx(expected, abs=1e-9)


@given(scores=st.lists(st.sampled_from([0.5, 1.0, 2.0, -1.0]), min_size=1), depth=st.integers(1, 9))
def test_the_best_are_those_of_a_full_sort(scores, depth):
    found = best_documents(np.arange(len(scores)), np.array(scores), depth)
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:depth]
    assert found.documents.tolist() == order
    assert found.scores.tolist() == [scores[n] for n in order]


@pytest.mark.parametrize(
    "choice",
    [
        Choice("bm25", "news"),
        Choice("w2v_si", "news-2", "glove.6B-hard", counterfactual=True),
        Choice("tf_idf", "N.x", counterfactual=True),
    ],
)
def test_a_choice_is_read_as_it_is_spelled(choice):
    assert read_choice(str(choice)) == choice


@check_each(
    "spelled",
    ["", "bm25", "bm26@news", "bm25:glove@news", "w2v_add@news", "bm25@../x", "w2v_si:../g@news",
     "bm25@news+other", "bm25@-", "bm25@news\n"],
)  # fmt: skip
def test_what_is_no_choice_is_refused(spelled):
    with pytest.raises(InvalidInput):
        read_choice(spelled)


def test_a_ranker_that_nobody_knows_is_refused():
    with pytest.raises(InvalidInput, match="known: bm25"):
        make_ranker("bm42", {}, None)
    with pytest.raises(InvalidInput, match="needs vectors"):
        make_ranker("w2v_add", {}, None)
