"""Words read many texts at a time are those that one text after the other has."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.ranked import words as reading
from monitor.ranked.words import tokenise
from monitor.text.tokens import tokens
from tests.cases import check_each

LETTERS = (
    "aAbB zZ09_-.\n\x00\x1c'\u00e9\u0130\u212a\u03a3\u03c3\u2019\u2014\u0303\u4e2d\ud800"
    "\U0001f600\u2160"
)


def one_by_one(texts):
    """(tokens of each text by number, tokens in the order in which they first stand)."""
    numbers = {}
    found = [[numbers.setdefault(one, len(numbers)) for one in tokens(text)] for text in texts]
    return found, tuple(numbers)


def read(texts):
    words = tokenise({str(n): text for n, text in enumerate(texts)})
    starts = zip(words.starts[:-1], words.starts[1:], strict=True)
    return [words.ids[begin:end].tolist() for begin, end in starts], words.vocabulary


@settings(deadline=None, max_examples=300)
@given(st.lists(st.text(st.sampled_from(LETTERS), max_size=30), min_size=8, max_size=20))
def test_any_texts_are_read_as_one_by_one(texts):
    assert read(texts) == one_by_one(texts)


@settings(deadline=None)
@given(st.lists(st.text(max_size=12), min_size=8, max_size=12))
def test_texts_of_any_script_are_read_as_one_by_one(texts):
    assert read(texts) == one_by_one(texts)


@check_each(
    "texts",
    [
        [],
        [""] * 9,
        ["."] * 9,
        ["one two"] * 3,
        ["", "one", "", "One", "two!", "", "three", "", ""],
        ["x" * 5000, *["y z"] * 9],
        ["x" * 1024, "x" * 1023 + "y", "x" * 1025, *["x" * 1024] * 9],
        ["x" * 1024, "x" * 1023 + "y", *["x" * 1024] * 9],
        ["x" * n for n in range(1, 90)],
        ["x" * n + "a" for n in range(1, 90)] + ["x" * n + "b" for n in range(1, 90)],
        [f"w{n}" for n in range(5000)],
        [" ".join(f"w{n * k}" for n in range(50)) for k in range(200)],
        ["don\u2019t stop", "caf\u00e9 \u2014 caf\u00c9", "na\u00efve"] * 5,
        ["\u039f\u0394\u039f\u03a3 '\u03a3", "a.\u03a3"] * 8,
    ],
)
def test_texts_of_all_sorts(texts):
    assert read(texts) == one_by_one(texts)


def test_texts_are_read_in_blocks(monkeypatch):
    monkeypatch.setattr(reading, "_BLOCK", 100)
    texts = [" ".join(f"word{(n * k) % 71}" for n in range(9)) for k in range(60)]
    assert read(texts) == one_by_one(texts)


def test_a_text_that_is_too_long_is_read_alone(monkeypatch):
    monkeypatch.setattr("monitor.ranked.words._MOST", 20)
    texts = ["one two"] * 9 + ["one three two four five"] + ["six"] * 9
    assert read(texts) == one_by_one(texts)


def test_texts_whose_hashes_collide_are_read_one_by_one(monkeypatch):
    from monitor.ranked import words as numbering

    texts = [f"longer_word{n} longest{n}words" for n in range(200)]
    monkeypatch.setattr(numbering, "_mix_hashes", lambda numbers: numbers * np.uint64(0))
    assert numbering.number_tokens(texts, {}.__getitem__) is None
    assert read(texts) == one_by_one(texts)
    monkeypatch.setattr(numbering, "_mix_hashes", lambda numbers: numbers << np.uint64(40))
    assert read(texts) == one_by_one(texts)


def test_missing_texts_are_not_empty_ones():
    words = tokenise([("a", None), ("b", ""), ("c", "one")])
    assert words.known.tolist() == [False, True, True]
    assert words.lengths.tolist() == [0, 0, 1]
    assert words.counts(np.array([True])).tolist() == [0, 0, 1]
    assert words.sums(np.array([0.5])).tolist() == [0, 0, 0.5]


def test_sums_do_not_depend_on_how_many_tokens_are_added_at_a_time(monkeypatch):
    texts = {str(n): " ".join(f"w{(n * k) % 13}" for k in range(n % 7)) for n in range(50)}
    words = tokenise(texts)
    values = np.arange(len(words.vocabulary)) / 8
    chosen = values > 0.5
    expected = words.sums(values), words.counts(chosen)
    hand = [sum(values[words.number_of[w]] for w in tokens(text)) for text in texts.values()]
    assert expected[0].tolist() == hand
    for size in (1, 3, 10, 1000):
        monkeypatch.setattr(reading, "_TOKENS", size)
        assert words.sums(values).tolist() == expected[0].tolist()
        assert words.counts(chosen).tolist() == expected[1].tolist()
