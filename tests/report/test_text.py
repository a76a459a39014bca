"""How numbers and captured text are written."""

import unicodedata
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from monitor.stages.document import notation
from tests.cases import check_each


@check_each(
    ("captured", "shown"),
    [
        ("Estou cansado.", "Estou cansado."),
        ("ação, ñandú, 文, 😀", "ação, ñandú, 文, 😀"),
        ("line\nline\tend", "line\nline\tend"),
        ("a\u202eb", "a[U+202E]b"),
        ("a\u2066b\u2069", "a[U+2066]b[U+2069]"),
        ("a\u200b\u200d\ufeffb", "a[U+200B][U+200D][U+FEFF]b"),
        ("a\u00adb", "a[U+00AD]b"),
        ("a\x00\x1b[31mb", "a[U+0000][U+001B][31mb"),
        ("a\u2028b", "a[U+2028]b"),
        ("a\U000e0041b", "a[U+E0041]b"),
        ("a\u3164b", "a[U+3164]b"),
        ("e" + "\u0301" * 5, "e\u0301\u0301\u0301[U+0301][U+0301]"),
    ],
)
def test_what_acts_unseen_is_shown(captured, shown):
    assert notation.visible(captured) == shown


def test_letters_that_are_not_looked_at_one_by_one_are_harmless():
    plain = [chr(n) for n in range(0x110000) if notation._PLAIN.fullmatch(chr(n))]
    kinds = {unicodedata.category(one) for one in plain}
    assert not kinds & {"Mn", "Me", *notation._INVISIBLE - {"Cc"}}
    assert [one for one in plain if unicodedata.category(one) == "Cc"] == ["\t", "\n"]


def test_markup_and_numbers_are_left_as_they_are():
    assert notation.shown(Markup("<b>\u200b</b>")) == "<b>\u200b</b>"
    assert notation.shown(3) == 3
    assert notation.shown("a\u200b") == "a[U+200B]"


@check_each(
    ("value", "sign", "written"),
    [
        (0.5, False, "0.500"),
        (-0.5, False, "−0.500"),
        (0.5, True, "+0.500"),
        (-0.0001, True, "0.000"),
        (0.0001, True, "0.000"),
        (0.0, True, "0.000"),
    ],
)
def test_numbers(value, sign, written):
    assert notation.number(value, sign=sign) == written


def test_intervals():
    assert notation.span(-0.1, 0.25) == "[−0.100, 0.250]"
    assert notation.span(None, 0.25) == "no interval"
    assert notation.percent_span(0.5, 0.9999) == "[50.0\xa0%, 100.0\xa0%]"
    assert notation.percent_span(None, None) == "no interval"


def test_times_have_their_zone():
    moment = datetime(2025, 7, 1, 12, tzinfo=UTC)
    assert notation.when(moment, ZoneInfo("America/Sao_Paulo")) == "2025-07-01 09:00:00 -03"


def test_ranges():
    assert notation.ranges([3, 1, 2, 7, 9, 8, 3]) == "1-3, 7-9"
    assert notation.ranges([5]) == "5"
    assert notation.ranges([]) == ""


def test_pieces_hold_the_whole_text_in_order():
    witnesses = [
        {"start": 6, "end": 13, "gender": "feminine"},
        {"start": 0, "end": 2, "gender": "masculine"},
    ]
    found = notation.pieces("Eu sou cansada.", witnesses)
    assert [(piece.text, piece.gender) for piece in found] == [
        ("Eu", "masculine"),
        (" sou", ""),
        (" cansad", "feminine"),
        ("a.", ""),
    ]
    assert notation.pieces("", witnesses) == []


def test_a_witness_beyond_the_cut_is_counted_with_the_rest():
    long = "x" * 700
    found = notation.pieces(long, [{"start": 590, "end": 610, "gender": "feminine"}])
    assert [piece.gender for piece in found] == ["", ""]
    assert found[1].text == " … (100 more characters)"
    assert notation.capped(long).endswith("… (100 more characters)")


def test_a_witness_may_end_the_text():
    found = notation.pieces("Estou cansada", [{"start": 6, "end": 13, "gender": "feminine"}])
    assert [piece.text for piece in found] == ["Estou ", "cansada"]


@check_each(
    ("value", "words"),
    [
        ({"floor": 0.5, "groups": ["women", "men"]}, "floor = 0.5, groups = [women, men]"),
        ({"of": {"b": None, "a": True}, "n": 0}, "n = 0, of = (a = yes, b = none)"),
        (["a", {"b": 1}], "a, (b = 1)"),
        ("", "none"), (None, "none"), ({}, "none"), ([], "none"), (0, "0"), (False, "no"),
        ("gest@1", "gest@1"), ("<b>", "<b>"),
    ],
)  # fmt: skip
def test_settings_are_spelt_in_words(value, words):
    assert notation.spelt(value) == words
