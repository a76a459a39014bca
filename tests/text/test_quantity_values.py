"""How values of quantities are written for people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import Meaning
from monitor.model import QuantityUnit as Unit
from monitor.text.quantity_values import (
    axis_label,
    neutral_words,
    say_change,
    say_change_interval,
    say_figures,
    say_interval,
    say_question,
    say_size,
    say_value,
    say_values,
)


def plain(words):
    return words.replace("\N{NO-BREAK SPACE}", " ").replace("\N{MINUS SIGN}", "-")


@pytest.mark.parametrize(
    ("unit", "value", "said"),
    [
        (Unit.SHARE, 0.4421, "44 %"), (Unit.SHARE, 0.0312, "3.1 %"), (Unit.SHARE, 0.0, "0 %"),
        (Unit.SHARE, 0.03, "3 %"), (Unit.SHARE, 0.0996, "10 %"), (Unit.SHARE, 0.0004, "0 %"),
        (Unit.SHARE, 1.0, "100 %"),
        (Unit.DIFFERENCE, 0.41, "+41 points"), (Unit.DIFFERENCE, -0.0248, "-2.5 points"),
        (Unit.DIFFERENCE, 0.01, "+1 point"), (Unit.DIFFERENCE, 0.0, "0 points"),
        (Unit.LOG_ODDS, 1.2345, "+1.234"), (Unit.SCORE, 0.8431, "0.843"), (Unit.RANK, 8.5, "8.5"),
        (Unit.RATIO, 2.111, "2.11"),
    ],
)  # fmt: skip
def test_a_value_is_written_in_its_unit(unit, value, said):
    assert plain(say_value(unit, value)) == said


@pytest.mark.parametrize(
    ("unit", "change", "said"),
    [
        (Unit.SHARE, 0.47, "+47 points"), (Unit.SHARE, -0.03, "-3 points"),
        (Unit.DIFFERENCE, -0.47, "-47 points"), (Unit.LOG_ODDS, 0.12, "+0.120"),
        (Unit.SCORE, -0.5, "-0.500"),
    ],
)  # fmt: skip
def test_a_change_has_a_sign_and_a_change_of_shares_is_in_points(unit, change, said):
    assert plain(say_change(unit, change)) == said


def test_intervals_name_their_unit_once_and_are_empty_where_there_is_none():
    assert plain(say_interval(Unit.SHARE, 0.35, 0.53)) == "35 % to 53 %"
    assert plain(say_interval(Unit.DIFFERENCE, -0.2, 0.38)) == "-20 to +38 points"
    assert plain(say_change_interval(Unit.SHARE, 0.2, 0.38)) == "+20 to +38 points"
    assert plain(say_change_interval(Unit.SCORE, 0.2, 0.38)) == "+0.200 to +0.380"
    assert say_interval(Unit.SHARE, None, 0.5) == say_change_interval(Unit.SHARE, 0.5, None) == ""


def test_two_values_have_as_many_digits_as_their_difference():
    assert [plain(words) for words in say_values(Unit.DIFFERENCE, 0.3437, 0.2655)] == [
        "+34.4 points", "+26.6 points",
    ]  # fmt: skip
    assert [plain(words) for words in say_values(Unit.SHARE, 0.508, 0.069)] == ["50.8 %", "6.9 %"]
    assert [plain(words) for words in say_values(Unit.SHARE, 0.5, 0.5)] == ["50 %", "50 %"]
    assert say_values(Unit.SCORE, 0.5, None) == ("0.500", "")


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=2))
def test_printed_shares_have_the_printed_gap(columns):
    parts = [(Unit.SHARE, *ends) for ends in zip(*columns, strict=True)]
    gaps = [men - women for women, men in columns]
    women, men, gap = say_figures([*parts, (Unit.DIFFERENCE, *gaps)], has_change=False)
    for side in (0, 1):
        shares = [float(plain(row[side]).split()[0]) for row in (women, men)]
        printed = plain(gap[side]).split()[0]
        digits = len(printed.partition(".")[2])
        assert abs(shares[1] - shares[0] - float(printed)) < 0.6 * 0.1**digits


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_newest_values_are_printed_with_the_digits_of_their_row_and_have_the_printed_gap(ends):
    women, men = ends[:3], ends[3:]
    gaps = [m - w for w, m in zip(women, men, strict=True)]
    rows = [(Unit.SHARE, *women), (Unit.SHARE, *men), (Unit.DIFFERENCE, *gaps)]
    printed = [
        [plain(cell).split()[0] for cell in row] for row in say_figures(rows, has_change=False)
    ]
    for row in printed:
        assert len({len(cell.partition(".")[2]) for cell in row}) == 1
    digits = len(printed[2][2].partition(".")[2])
    shares = [float(row[2]) for row in printed]
    assert abs(shares[1] - shares[0] - shares[2]) < 0.6 * 0.1**digits


def test_a_quantity_without_values_before_has_its_newest_one_alone():
    rows = [(Unit.SHARE, None, None, 0.6143), (Unit.DIFFERENCE, 0.344, 0.266, 0.218)]
    share, gap = say_figures(rows, has_change=True)
    assert share[:2] == ("", "")
    assert [plain(cell) for cell in gap] == ["+34.4 points", "+26.6 points", "+21.8 points"]


def test_a_size_has_no_sign():
    assert plain(say_size(Unit.SHARE, -0.029)) == "2.9 points"


def test_an_axis_has_as_many_digits_as_its_steps_need():
    assert [plain(axis_label(Unit.SHARE, value)) for value in (0.0, 0.025, 0.5)] == [
        "0", "2.5", "50",
    ]  # fmt: skip
    assert [plain(axis_label(Unit.RATIO, value)) for value in (-0.25, 3 * 0.1)] == ["-0.25", "0.3"]


@pytest.mark.parametrize(
    ("unit", "label", "question", "asked"),
    [
        (Unit.DIFFERENCE, "gap", "", "How large is the gap of DeepL?"),
        (Unit.DIFFERENCE, "share, less b", "", "How large is the share, less b, of DeepL?"),
        (Unit.SHARE, "masculine forms", "", "How common are masculine forms with DeepL?"),
        (Unit.RANK, "rank by forms", "", "What is the rank by forms of DeepL?"),
        (Unit.SCORE, "gap", "How stereotypical is {system}?", "How stereotypical is DeepL?"),
    ],
)  # fmt: skip
def test_a_quantity_asks_a_question(unit, label, question, asked):
    meaning = Meaning(label=label, unit=unit, up="", down="", question=question)
    assert say_question(meaning, "DeepL") == asked


def test_a_neutral_value_says_what_it_means():
    assert neutral_words(Unit.SHARE, 0.5) == "equally often"
    assert neutral_words(Unit.DIFFERENCE, 0.0) == "no difference"
