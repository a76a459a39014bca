"""Catalan, Spanish and Portuguese texts of every sort: hostile, long, decomposed, labelled."""

import csv
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.model import Cue, GenderClass
from tests.languages.classes import LETTERS, check_places
from tests.languages.test_tables import cases, tables

DATA = Path(__file__).parent / "data"
CODES = ("ca", "es", "pt")
#: How a long text begins.
OPENINGS = {"ca": "Sóc ", "es": "Soy ", "pt": "Sou "}
ANY_SIGN = [
    *"“ ” \" ' ’ ( ) / * @ ¿ ¡ : – , . l' d’ · cansad@ cansado(a)".split(),
    *["\u200b", "\u0301", "Я", "我", "\n", "\U0001f600", "cansa\u0301da", "é", "e\u0301"],
]


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_offsets_hold_for_any_text(code, data):
    language = tables(code)
    pieces = st.one_of(st.sampled_from([*language.PIECES, *ANY_SIGN]), st.text(max_size=6))
    text = data.draw(st.lists(pieces, max_size=40).map(" ".join))
    for cue in (Cue.AGREEMENT, Cue.QUOTED):
        check_places(language.LANGUAGE, text, cue)


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_read(code, text):
    check_places(tables(code).LANGUAGE, text)


@pytest.mark.parametrize("code", CODES)
def test_decomposed_and_upper_case_texts_read_the_same(code):
    language = tables(code)
    for _, _, text in cases(language.RULES, 3):
        expected = language.LANGUAGE.signal(text).cls
        for spelling in (
            unicodedata.normalize("NFD", text),
            text.upper(),
            "\ufeff" + text.replace("a", "a\u200b", 1),
        ):
            assert check_places(language.LANGUAGE, spelling).cls is expected, spelling


@pytest.mark.parametrize("code", CODES)
def test_long_input_takes_steps_in_proportion(code):
    """Counted in function calls, not seconds: twice the text, at most about twice the work."""
    language = tables(code)
    for unit in language.UNITS:
        whole = (OPENINGS[code] + unit * 10_000)[:10_000]
        for cue in (Cue.AGREEMENT, Cue.QUOTED):
            half_steps, steps = (
                count_calls(language.LANGUAGE, text, cue) for text in (whole[:5_000], whole)
            )
            assert steps <= 3 * half_steps + 1_000, unit


def count_calls(language, text, cue):
    """Function calls, C functions included, that one signal takes."""
    count = 0

    def step(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(step)
    try:
        language.signal(text, cue)
    finally:
        sys.setprofile(None)
    check_places(language, text, cue)
    return count


@pytest.mark.parametrize("split", ["dev", "held"])
@pytest.mark.parametrize("code", CODES)
def test_labelled_sentences(code, split):
    with (DATA / f"{code}.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == split]
    signal = tables(code).LANGUAGE.signal
    judged = [(signal(row["text"]).cls, row) for row in rows if row["label"] in "MFN"]
    genders = {GenderClass.MASCULINE, GenderClass.FEMININE}
    predicted = [(cls, row) for cls, row in judged if cls in genders]
    correct = sum(cls is LETTERS[row["label"]] for cls, row in predicted)
    marked = sum(row["label"] in "MF" for _, row in judged)
    assert marked > 0
    assert correct / len(predicted) >= 0.97
    assert correct / marked >= 0.85
