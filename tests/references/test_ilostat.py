"""Employment by occupation of ILOSTAT: rows of CSV."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.input_files import decode_lines
from monitor.model import InvalidInput
from monitor.references import _survey_ilostat
from tests.cases import check_each

HEADER = (
    "ref_area,source,indicator,sex,classif1,time,obs_value,obs_status,"
    "note_classif,note_indicator,note_source"
)


def row(code, sex, value, year="2024", status="", area="DEU", **changes):
    indicator = changes.get("indicator", "EMP_TEMP_SEX_OC2_NB")
    classif = code if "_" in code else f"OC2_ISCO08_{code}"
    source = changes.get("source", "BA:580")
    return f'"{area}","{source}","{indicator}","SEX_{sex}","{classif}","{year}",{value},{status},,,'


ROWS = [
    row("22", "F", "2400.5"),
    row("22", "M", "799.5"),
    row("22", "T", "3250"),
    row("25", "F", "20", status='"U"'),
    row("25", "M", "80", status='"B"'),
    row("71", "F", "", status='"U"'),
    row("71", "M", "900"),
    row("62", "F", "3"),
    row("OC2_ISCO08_TOTAL", "F", "1"),
    row("OC2_ISCO08_X", "F", "1"),
    row("OC2_ISCO88_22", "F", "1"),
    row("22", "F", "1", year="2023"),
    row("22", "M", "3", year="2023"),
    row("22", "F", "5", area="FRA"),
]


def read(rows=None, area="DEU", year="", header=HEADER):
    lines = [header, *(ROWS if rows is None else rows)]
    return _survey_ilostat.read_lines((line + "\r\n" for line in lines), area, year)


def test_the_share_is_of_women_and_men_and_not_of_the_total():
    found = read()
    assert (found.scheme, found.country, found.year, found.digits) == ("isco08", "DEU", "2024", 2)
    assert found.source == "ilostat_emp_temp_sex_oc2_nb_ba_580"
    assert found.figures["22"].women == pytest.approx(2400.5 / 3200)
    assert found.figures["22"].n == 3_200_000
    assert found.figures["22"].word == "ISCO-08 22 Health professionals"


def test_what_is_unreliable_says_so():
    assert read().figures["25"].word.endswith("[B: break in series, U: unreliable]")


def test_what_is_missing_stays_missing():
    found = read()
    assert set(found.figures) == {"22", "25"}
    assert found.missing["71"].endswith("(U: unreliable)")
    assert set(found.missing) == {"71", "62"}


def test_a_year_may_be_chosen_and_one_without_figures_is_passed_over():
    assert read(year="2023").figures["22"].women == 0.25
    assert read([*ROWS, row("22", "F", "5", year="2025")]).year == "2024"


def test_one_digit_is_used_where_there_are_not_two():
    rows = [
        row(f"OCU_ISCO08_{n}", sex, str(v), indicator="EMP_TEMP_SEX_OCU_NB_A")
        for n, sex, v in ((2, "F", 6), (2, "M", 4), (7, "F", 1), (7, "M", 9))
    ]
    found = read(rows)
    assert (found.digits, found.figures["2"].women, found.key("22")) == (1, 0.6, "2")
    assert found.source.startswith("ilostat_emp_temp_sex_ocu_nb_")


def test_of_several_sources_the_marked_one_counts():
    header = HEADER + ",best_source"
    rows = [f"{one},1" for one in ROWS] + [f"{row('22', 'F', '9', source='BX:1')},0"]
    assert read(rows, header=header).figures["22"].n == 3_200_000


def test_a_figure_that_stands_twice_is_none():
    found = read([*ROWS, row("22", "F", "7")])
    assert "twice" in found.missing["22"]


@check_each(
    ("options", "message"),
    [
        ({"area": "DE"}, "--area 'DE': write the three letters"),
        ({"area": "AUT"}, "no row on ISCO-08 groups by sex for the area AUT"),
        ({"area": "FRA"}, "no group with figures of women and men for FRA"),
        ({"year": "1999"}, "has no year 1999 for DEU; it has 2023, 2024"),
        ({"header": HEADER.replace("classif1", "classif1.label")}, "type=code"),
        ({"header": "<html>"}, "line 1: has no column 'ref_area'; download it with format=.csv"),
        ({"rows": ["a,b"]}, "line 2: 2 cells under 11 columns"),
        ({"rows": ['"a']}, "line 2: is no CSV"),
        ({"rows": [row("22", "F", "many")]}, "line 2: obs_value 'many' is no number"),
        ({"rows": [row("22", "F", "-1")]}, "obs_value '-1' is no number"),
        ({"rows": [row("22", "F", "nan")]}, "obs_value 'nan' is no number"),
        (
            {"rows": [row("22", "F", "1", indicator="UNE_TUNE_SEX_AGE_NB")]},
            "indicator 'UNE_TUNE_SEX_AGE_NB' is not employment by sex and occupation",
        ),
        (
            {"rows": [*ROWS, row("25", "F", "1", source="BX:1")]},
            "DEU 2024 is of the sources BA:580, BX:1; keep the rows of one",
        ),
        (
            {"rows": [*ROWS, row("2", "F", "1", indicator="EMP_TEMP_SEX_OCU_NB")]},
            "holds several indicators: EMP_TEMP_SEX_OC2_NB, EMP_TEMP_SEX_OCU_NB; keep one",
        ),
    ],
)
def test_what_is_something_else_is_refused(options, message):
    with pytest.raises(InvalidInput) as raised:
        read(**options)
    assert message in str(raised.value)


def test_bytes_that_are_no_utf_8_are_refused():
    content = io.BytesIO(HEADER.encode() + b"\r\n\xff\xfe")
    with pytest.raises(InvalidInput, match="the table:2: not UTF-8"):
        _survey_ilostat.read_lines(decode_lines(content, "the table"), "DEU")


@given(st.lists(st.text(max_size=12), min_size=11, max_size=11), st.text(max_size=40))
def test_no_text_breaks_the_reader(cells, text):
    for extra in (",".join(cells), text):
        try:
            found = read([*ROWS, extra])
        except InvalidInput:
            continue
        assert all(0 <= figure.women <= 1 for figure in found.figures.values())
