"""Tokens are runs of letters and digits in lower case, whatever the script."""

import re

from hypothesis import given
from hypothesis import strategies as st

from monitor.text.tokens import is_word, tokens, words
from tests.cases import check_each


@check_each(
    ("text", "found"),
    [
        ("", []),
        (" .,_ ", []),
        ("The Nurse's 2nd co-worker", ["the", "nurse", "s", "2nd", "co", "worker"]),
        ("snake_case", ["snake", "case"]),
        ("“Zoë”—it’s\u00a0HER", ["zoë", "it", "s", "her"]),
        ("\ud800she", ["she"]),
    ],
)
def test_tokens(text, found):
    assert tokens(text) == found


def _plainly(text):
    return re.findall(r"[^\W_]+", text.lower())


@given(st.text(st.characters() | st.sampled_from("Aé_’ \u0130\u212a\ud800")))
def test_the_quick_way_is_the_plain_one(text):
    assert tokens(text) == _plainly(text)


def test_every_character():
    for first in range(0, 0x110000, 0x1000):
        text = "".join(f"a{chr(code)}B " for code in range(first, first + 0x1000))
        assert tokens(text) == _plainly(text)


def test_words_have_two_letters_and_no_digit():
    assert words("A cat, 2 dogs, r2d2 and I") == ["cat", "dogs", "and"]
    assert not is_word("")
