"""Lexicons as tables of words, and as files that are whole or refused."""

import dataclasses
import hashlib
import json
import math
import pickle
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.lexicons import lexicon
from monitor.lexicons.lexicon import MAGIC, Lexicon, WordTable, load_lexicon, unpack_lexicon
from monitor.model import InvalidInput
from tests.cases import check_each

SCORES = {
    "nurse": 0.26,
    "engineer": -0.304,
    "she": 0.5,
    "naïve": 0.125,
    "привет": -1.0,
    "x" * 90: 1,
}

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1)
#: Words as texts may have them, halves of characters and line ends included.
ASKED = st.text(st.characters(), max_size=20)


def book(scores=SCORES, name="small", language="en", meta=None):
    return Lexicon.of(name, scores, language, meta)


# --- looking words up ---------------------------------------------------------------------------


def test_scores_of_words():
    made = book()
    found = made.scores(["she", "nobody", "nurse", "she", "", "x" * 89, "привет"])
    np.testing.assert_array_equal(np.isnan(found), [0, 1, 0, 0, 1, 1, 0])
    np.testing.assert_allclose(found[[0, 2, 3, 6]], [0.5, 0.26, 0.5, -1.0], rtol=0, atol=1e-12)
    assert made.scores([]).shape == (0,)
    assert made.score("naïve") == 0.125
    assert made.score("Naïve") is None
    assert "she" in made
    assert "he" not in made
    assert (len(made), made.low, made.high) == (6, -1.0, 1.0)
    assert sorted(made.words) == sorted(SCORES)


@given(
    st.dictionaries(WORDS, st.floats(-1, 1), min_size=1, max_size=40), st.lists(ASKED, max_size=40)
)
def test_every_word_is_found_and_no_other(scores, asked):
    made = book(scores)
    asked = [*asked, *scores, *asked]
    found = made.scores(asked)
    for word, score in zip(asked, found, strict=True):
        if word in scores:
            assert score == pytest.approx(scores[word], abs=2.0**-41)
        else:
            assert math.isnan(score)


@given(st.lists(WORDS, unique=True, min_size=1, max_size=30), st.lists(ASKED, max_size=30))
def test_words_that_share_their_hash_are_told_apart(listed, asked):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon, "_mix_hash", lambda values: values & np.uint64(1))
        asked = [*listed, *asked]
        expected = [listed.index(word) if word in listed else -1 for word in asked]
        assert WordTable.of(listed).find(asked).tolist() == expected


def test_an_empty_table_of_words():
    empty = WordTable.of([])
    assert (len(empty), list(empty), empty.find(["a"]).tolist()) == (0, [], [-1])


@given(st.lists(st.floats(-1, 1), min_size=1))
def test_scores_lie_on_a_grid_on_which_sums_are_exact(scores):
    placed = lexicon.on_grid(np.array(scores))
    assert (placed * 2.0**40 == np.rint(placed * 2.0**40)).all()
    np.testing.assert_allclose(placed, scores, rtol=0, atol=2.0**-41)
    assert sum(placed) == math.fsum(placed)


def test_a_rounding_error_beyond_one_is_one():
    np.testing.assert_array_equal(lexicon.on_grid(np.array([1 + 1e-15, -1 - 1e-15])), [1, -1])


@check_each("score", [1.01, -2.0, math.nan, math.inf])
def test_impossible_scores_are_refused(score):
    with pytest.raises(InvalidInput, match=r"'she' has .*; -1 to 1 is possible"):
        book({"she": score})


def test_impossible_words_are_refused():
    with pytest.raises(InvalidInput, match="no word in it"):
        book({})
    for word in ("", "a\nb"):
        with pytest.raises(InvalidInput, match="a word is empty or holds the end of a line"):
            book({word: 0.5})


def test_what_it_is_cannot_be_changed():
    made = book()
    with pytest.raises(ValueError, match="read-only"):
        made.values[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "other"


def test_it_can_be_sent_to_another_process():
    made = book()
    made.scores(["she"])
    sent = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
    assert sent.scores(list(SCORES)).tolist() == made.scores(list(SCORES)).tolist()
    assert (sent.digest, sent.meta) == (made.digest, made.meta)


# --- the file -----------------------------------------------------------------------------------


def test_the_digest_is_of_words_and_scores_alone():
    made = book()
    assert made.digest == book(dict(reversed(SCORES.items())), "other", meta={"a": 1}).digest
    assert made.digest != book({**SCORES, "she": 0.25}).digest
    assert made.digest != book({**SCORES, "he": -0.5}).digest


def test_a_file_gives_back_what_was_written(tmp_path):
    made = book(language="pt", meta={"source": "ü", "explained_variance": [0.5, 0.25]})
    path = tmp_path / "other-name.lexicon"
    path.write_bytes(made.pack())
    read = load_lexicon(path)
    assert (read.name, read.language, read.digest) == ("other-name", "pt", made.digest)
    assert read.meta == made.meta
    np.testing.assert_array_equal(read.values, made.values)
    assert list(read.words) == list(made.words)
    assert made.pack() == read.pack()


@given(st.data())
def test_damage_anywhere_is_found(data):
    content = bytearray(book().pack())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(InvalidInput, match=r"p: is (damaged|no lexicon)"):
        unpack_lexicon(bytes(content), "n", "p")


@given(st.data())
def test_a_file_that_is_cut_or_longer_is_refused(data):
    content = book().pack()
    cut = data.draw(st.integers(0, len(content) - 1))
    for wrong in (content[:cut], content + content[:cut] + b"x"):
        with pytest.raises(InvalidInput, match=r"p: is (damaged|no lexicon)"):
            unpack_lexicon(wrong, "n", "p")


def forged(change):
    """A file whose checksum is right and whose content is not."""
    line, body = book().pack()[len(MAGIC) + 65 :].split(b"\n", 1)
    header = json.loads(line)
    header, body = change(header, body)
    content = json.dumps(header).encode() + b"\n" + body
    return MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def bomb(header, body):
    packed = zlib.compress(bytes(10**6))
    return {**header, "words": [len(packed), 20]}, packed + body[header["words"][0] :]


def two(header, body):
    value = zlib.compress(np.full(6, 2.0).view(np.uint8).reshape(-1, 8).T.tobytes())
    return {**header, "scores": [len(value), 48]}, body[: header["words"][0]] + value


@check_each(
    ("change", "words"),
    [
        (lambda header, body: (header, body + b"x"), "longer or shorter"),
        (lambda header, body: ({**header, "n": 5}, body), "says 5 words"),
        (lambda header, body: ({**header, "n": 0}, body), "says 0 words"),
        (lambda header, body: ({**header, "digest": "0"}, body), "not those that it was made of"),
        (lambda header, body: ({**header, "meta": []}, body), "its description"),
        (lambda _, body: ([], body), "list indices"),
        (lambda _, body: ({}, body), "'words'"),
        (lambda header, body: ({**header, "words": [-1, 2]}, body), "longer or shorter"),
        (lambda h, body: ({**h, "words": [h["words"][0], 2**40]}, body), "a part of 1,099"),
        (bomb, "cannot be unpacked"),
        (two, "not within"),
    ],
)
def test_forged_files(change, words):
    with pytest.raises(InvalidInput, match=words):
        unpack_lexicon(forged(change), "n", "p")


def test_foreign_files(tmp_path):
    (tmp_path / "a.lexicon").write_text("nurse\t0.26\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"begins with b'nurse\\t0.26', not with"):
        load_lexicon(tmp_path / "a.lexicon")
    with pytest.raises(InvalidInput, match=r"b.lexicon: cannot be read: No such file"):
        load_lexicon(tmp_path / "b.lexicon")
