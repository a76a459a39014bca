"""What German and Maltese must stand: long and hostile texts, offsets, many different words."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import registry
from monitor.languages._stretch_reader import StretchReader
from monitor.model import Cue
from tests.cases import check_each
from tests.patience import HANGS

LANGUAGES = {
    code: language
    for code, language in registry.discover("languages").items()
    if isinstance(language, StretchReader)
}
UNITS = [
    "ich bin ", "als ", "und ", "Lehrer ", "ich, ", "(", '"', "Lehrer*", "zu einem ",
    "mich wie ", "ich bin Lehrer oder ", "sagte: ", "— ", "ä", "jien ", "jien għajjien ", "kont u ",
    "bħala għalliem ", "l-", "'a", "għajjien/", "qiegħed ni ", "jien: ",
]  # fmt: skip
_NOISE = st.lists(st.one_of(st.sampled_from(UNITS), st.text(max_size=6)), max_size=40).map("".join)

every_language = pytest.mark.parametrize("code", sorted(LANGUAGES))


@every_language
@check_each("unit", UNITS)
def test_long_input_takes_linear_time(code, unit):
    text = (unit * 50_000)[:50_000]
    start = time.process_time()
    for cue in (Cue.AGREEMENT, Cue.QUOTED):
        LANGUAGES[code].signal(text, cue)
    assert time.process_time() - start < HANGS


@every_language
@settings(max_examples=150, deadline=None)
@given(text=_NOISE)
def test_offsets_hold_for_any_text(code, text):
    for cue in (Cue.AGREEMENT, Cue.QUOTED):
        for witness in LANGUAGES[code].signal(text, cue).witnesses:
            assert text[witness.start : witness.end] == witness.text


@every_language
def test_many_different_words_do_not_fill_the_memory(code):
    for start in range(0, 40_000, 1000):  # more than are kept
        LANGUAGES[code].signal(
            " ".join(f"w{'x' * (n % 7)}o{n}" for n in range(start, start + 1000))
        )
    assert len(LANGUAGES[code]._keys) <= 1 << 15
