"""An index holds what was read, whatever its size and order, and says so when it is damaged."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.model import InvalidInput, MissingPart, StoreProblem
from monitor.rankers import build
from monitor.rankers.corpus import CorpusEntry
from monitor.rankers.index import (
    META,
    Index,
    IndexWords,
    find_index,
    folder_of,
    installed_indexes,
    join_words,
    split_blocks,
)
from monitor.text.tokens import tokens
from tests.rankers.small import TEXTS, index_of, silent


def postings(index):
    """{word: {id: times}} of all words."""
    return {
        word: {
            index.key(document): int(times)
            for document, times in zip(*index.postings(number), strict=True)
        }
        for number, word in enumerate(index.words.all())
    }


def expected(texts):
    found = {}
    for key, text in texts.items():
        for word, times in Counter(tokens(text)).items():
            found.setdefault(word, {})[key] = times
    return found


def test_what_an_index_holds(tmp_path):
    index = index_of(tmp_path / "i", TEXTS)
    assert postings(index) == expected(TEXTS)
    assert index.meta.documents == index.documents == 6
    assert index.meta.empty == 1
    assert index.meta.tokens == sum(len(tokens(text)) for text in TEXTS.values())
    assert index.meta.vocabulary == len(expected(TEXTS)) == len(index.words)
    assert [index.key(n) for n in range(6)] == sorted(TEXTS)
    assert [index.title_and_text(n) for n in range(6)] == [("", TEXTS[k]) for k in sorted(TEXTS)]
    assert index.average_length == index.meta.tokens / 6
    assert index.counterfactual is None
    nurse = index.words.number("nurse")
    assert index.holders(nurse) == 4
    assert index.frequencies[nurse] == 4
    assert index.words.number("zebra") == -1
    assert index.words.number("\ud800") == -1


def test_titles_are_indexed_with_texts(tmp_path):
    build.build_index(
        [CorpusEntry("a", "The Nurse", "She reads.", "")], tmp_path / "i", silent, version="0"
    )
    index = Index(tmp_path / "i")
    assert set(postings(index)) == {"the", "nurse", "she", "reads"}
    assert index.title_and_text(0) == ("The Nurse", "She reads.")


def test_stop_words_are_left_out_of_documents_and_questions(tmp_path):
    index = index_of(tmp_path / "i", TEXTS, stop_words={"the", "a"})
    assert set(postings(index)) == set(expected(TEXTS)) - {"the", "a"}
    assert index.query("The nurse, a doctor") == ["nurse", "doctor"]
    assert index.meta.tokens < index_of(tmp_path / "j", TEXTS).meta.tokens
    assert index.meta.digest != Index(tmp_path / "j").meta.digest


def test_swapped_documents_are_an_index_of_their_own(tmp_path):
    index = index_of(tmp_path / "i", TEXTS, swap=lambda text: text.replace("she", "he"))
    other = index.counterfactual
    assert other.title_and_text(0) == ("", "The nurse said that he was tired.")
    assert [other.key(n) for n in range(6)] == [index.key(n) for n in range(6)]
    assert "she" in postings(index)
    assert "she" not in postings(other)
    assert other.meta.digest != index.meta.digest


WORDS = st.sampled_from("a b c nurse ä straße 漢 x1".split())
collections = st.dictionaries(
    st.text("abcä\U0001f642", min_size=1, max_size=3),
    st.lists(WORDS, max_size=9).map(" ".join),
    min_size=1,
    max_size=9,
)


@settings(max_examples=60, deadline=None)
@given(texts=collections, block=st.integers(1, 7))
def test_blocks_of_any_size_give_the_same_index(texts, block, tmp_path_factory):
    """Also when a document is longer than a block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_BLOCK", block)
        patch.setattr(split_blocks, "__defaults__", (block,))
        small = index_of(tmp_path_factory.mktemp("i") / "i", texts)
    large = index_of(tmp_path_factory.mktemp("i") / "i", texts)
    assert postings(small) == postings(large) == expected(texts)
    assert small.meta == large.meta
    for one in (small, large):
        numbers, bounds, words, counts = one.forward()
        for place, number in enumerate(numbers):
            inside = slice(bounds[place], bounds[place + 1])
            named = [one.words.word(word) for word in words[inside]]
            found = dict(zip(named, counts[inside].tolist(), strict=True))
            assert found == Counter(tokens(texts[one.key(number)]))
            assert named == sorted(named)


@given(sizes=st.lists(st.integers(0, 9), max_size=20), most=st.integers(1, 12))
def test_blocks_are_whole_documents_one_after_the_other(sizes, most):
    bounds = np.cumsum([0, *sizes])
    found = list(split_blocks(bounds, most))
    assert [n for one in found for n in range(one.first, one.last)] == list(range(len(sizes)))
    for one in found:
        assert (one.start, one.end) == (bounds[one.first], bounds[one.last])
        assert one.end - one.start <= most or one.last == one.first + 1


@given(words=st.sets(st.text("abä漢\U0001f642", max_size=4)), other=st.text("abä漢", max_size=4))
def test_sorted_words_are_found_by_number_and_by_name(words, other):
    order = sorted(words)
    kept = IndexWords(*join_words(order))
    assert kept.all() == order
    assert [kept.number(word) for word in order] == list(range(len(order)))
    assert [kept.word(number) for number in range(len(order))] == order
    assert kept.number(other) == (order.index(other) if other in words else -1)


@pytest.mark.parametrize(
    "rows", [[], [CorpusEntry("a", "", "x", ""), CorpusEntry("a", "", "y", "")]]
)
def test_no_documents_and_ids_that_stand_twice_are_no_collection(rows, tmp_path):
    with pytest.raises(InvalidInput, match="each id once"):
        build.build_index(rows, tmp_path / "i", silent, version="0")
    assert not (tmp_path / "i" / META).exists()


def test_a_collection_without_any_word_is_an_index(tmp_path):
    index = index_of(tmp_path / "i", {"a": "", "b": "--"})
    assert (index.meta.tokens, index.meta.vocabulary, index.meta.empty) == (0, 0, 2)
    assert index.words.number("she") == -1


def test_an_index_is_found_by_its_name(tmp_path):
    index_of(tmp_path / "indexes" / "news", TEXTS)
    (tmp_path / "indexes" / "no-index").mkdir()
    assert find_index("news", tmp_path).documents == 6
    assert [(name, meta.documents) for name, meta in installed_indexes(tmp_path)] == [("news", 6)]
    with pytest.raises(MissingPart, match="monitor index SOURCE --name olds"):
        find_index("olds", tmp_path)
    for name in ("", "../news", "a/b", ".news", "a" * 65):
        with pytest.raises(InvalidInput, match="no name of an index"):
            folder_of(name, tmp_path)


def _shorter(path):
    path.write_bytes(path.read_bytes()[:-1])


def _fewer(path):
    np.save(path, np.load(path)[:-1])


def _other_format(path):
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("lengths.npy", _shorter, "no array that can be read"),
        ("lengths.npy", _fewer, "do not belong together"),
        ("posting_counts.npy", _fewer, "do not belong together"),
        ("word_bounds.npy", _fewer, "do not belong together"),
        ("words.bin", _shorter, "do not belong together"),
        ("keys.bin", _shorter, "do not belong together"),
        ("texts.bin", _shorter, "do not belong together"),
        ("texts.bin", lambda path: path.unlink(), "cannot be read"),
        (META, lambda path: path.write_text("{"), "no index, or a damaged one"),
        (META, lambda path: path.write_text("[]"), "no index, or a damaged one"),
        (META, _other_format, "an index of format 99"),
    ],
)
def test_a_damaged_index_is_refused(tmp_path, name, damage, words):
    folder = tmp_path / "i"
    index_of(folder, TEXTS)
    damage(folder / name)
    with pytest.raises(StoreProblem, match=words):
        Index(folder)


def test_a_damaged_forward_file_is_refused(tmp_path):
    index = index_of(tmp_path / "i", TEXTS)
    _fewer(tmp_path / "i" / "forward_counts.npy")
    with pytest.raises(StoreProblem, match="do not belong together"):
        index.forward()


def test_large_files_are_mapped_and_not_read(tmp_path):
    texts = {f"d{n:05}": f"word{n} " * 40 for n in range(3000)}
    index = index_of(tmp_path / "i", texts)
    assert isinstance(index._texts.base, np.memmap)
    assert index.title_and_text(2999) == ("", texts["d02999"])
    assert index.postings(index.words.number("word2999"))[1].tolist() == [40]
