"""Table 11 of the Current Population Survey: workbooks made here, with all that can be wrong."""

import io
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from monitor.model import InvalidInput
from monitor.references import _survey_bls
from tests.cases import check_each

HEADING = [
    ["HOUSEHOLD DATA"],
    ["11. Employed persons by detailed occupation, sex, race, and Hispanic or Latino ethnicity"],
    ["[Numbers in thousands]"],
    ["Occupation", "2025", None, None],
    [None, "Total employed", "Percent of total employed"],
    [None, None, "Women", "White"],
    [],
]
TOTAL = ["Total, 16 years and over", 161346, 47.1, 76.3]
ROWS = [
    TOTAL,
    [],
    ["Management occupations", 21000, 41.8],
    ["Chief executives", 1780, 30.6, 85.9],
    ["Registered nurses(1)", 3450, 86.8],
    ["  Bakers ", "212", "61.5"],
    ["Actuaries", 45, "–"],
    ["Boilermakers", 11, None],
    ["Physicians and\nsurgeons", 1_234, 44],
    ["Roofers", "–", "–"],
    ["NOTE: Estimates for race groups do not sum to totals in 2025."],
]


def workbook(rows=None, heading=None, sheet="cpsaat11"):
    book = Workbook()
    book.active.title = sheet
    for row in [*(HEADING if heading is None else heading), *(ROWS if rows is None else rows)]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read(*arguments, year=2025, **options):
    return _survey_bls.read_table(workbook(*arguments, **options), year)


def test_shares_of_women_by_title():
    found = read()
    assert (found.scheme, found.country, found.year) == ("cps", "US", "2025")
    assert found.source == "bls_cps_table_11"
    nurses = found.figures["registered nurses"]
    assert nurses.women == pytest.approx(0.868)
    assert (nurses.word, nurses.n) == ("Registered nurses", 3_450_000)
    assert found.figures["bakers"].women == pytest.approx(0.615)
    assert found.figures["bakers"].n == 212_000
    assert found.figures["physicians and surgeons"].word == "Physicians and surgeons"


def test_a_dash_is_missing_and_no_number():
    found = read()
    for title in ("actuaries", "boilermakers", "roofers"):
        assert title not in found.figures
        if title != "boilermakers":
            assert "no percentage" in found.missing[title]
    assert not any(title.startswith("note") for title in [*found.figures, *found.missing])


def test_the_beginning_is_found_wherever_it_stands():
    shifted = [["x"]] * 9
    assert read(heading=[*shifted, *HEADING]).figures.keys() == read().figures.keys()


def test_a_title_that_stands_twice_has_no_share():
    found = read([*ROWS, ["Bakers", 10, 5.0]])
    assert "bakers" not in found.figures
    assert "twice" in found.missing["bakers"]


@check_each("value", [-1, 101, "61,5", "=1+1", True, "n/a", "inf", 10**30])
def test_what_is_no_percentage_is_missing(value):
    found = read([TOTAL, ["Bakers", 212, value]])
    assert "bakers" in found.missing


@check_each(
    ("options", "message"),
    [
        ({"sheet": "Sheet1"}, "has no sheet cpsaat11, but Sheet1; save"),
        ({"rows": ROWS[1:]}, 'no row "Total, 16 years and over"'),
        ({"rows": [["Total, 16 years and over", 1000, 0.471]]}, "0.471 percent of all employed"),
        ({"rows": [["Total, 16 years and over", 1000, None]]}, "None percent of all employed"),
        ({"heading": [["Occupation", "Total", "White"]]}, "column C has no heading Women"),
        ({"year": 2024}, "its heading says 2025, not 2024; see --year"),
    ],
)
def test_another_table_is_refused(options, message):
    with pytest.raises(InvalidInput) as raised:
        read(**options)
    assert message in str(raised.value)


def test_a_heading_without_a_year_leaves_it_to_the_person():
    heading = [["Occupation", "Total", "Women"]]
    assert read(heading=heading, year=2011).year == "2011"


# --- hostile files --------------------------------------------------------------------------------


def packed(parts, base=None):
    """A zip file: the parts of a workbook with some of them replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(base or workbook())) as old:
        content = {name: old.read(name) for name in old.namelist()} | parts
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, body in content.items():
            new.writestr(name, body)
    return out.getvalue()


@check_each(
    ("content", "message"),
    [
        (b"", "is no .xlsx workbook"),
        (b"<html>Access Denied</html>", "is no .xlsx workbook"),
        (workbook()[:-200], "is no .xlsx workbook"),
        (b"x" * (_survey_bls.MOST_BYTES + 1), "has more than 10,000,000 bytes"),
        (packed({"xl/big.xml": b"0" * 70_000_000}), "unpacks to"),
        (packed({f"p{n}": b"" for n in range(201)}), "unpacks to"),
        (packed({"xl/styles.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}), "document type"),
        (
            packed({"xl/styles.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a/>'.encode("utf-16-le")}),
            "document type",
        ),
        (packed({"xl/workbook.xml": b"<a"}), "cannot be read as a workbook"),
        (packed({"xl/worksheets/sheet1.xml": b"<a"}), "cannot be read as a workbook"),
        (packed({"[Content_Types].xml": b""}), "cannot be read as a workbook"),
    ],
)
def test_a_hostile_file_is_refused(content, message):
    with pytest.raises(InvalidInput) as raised:
        _survey_bls.read_table(content, 2025)
    assert message in str(raised.value)


def test_an_encrypted_or_lying_archive_is_refused():
    content = bytearray(workbook())
    place = content.index(b"PK\x01\x02")
    content[place + 8] |= 1  # encrypted
    with pytest.raises(InvalidInput, match=r"is no \.xlsx workbook"):
        _survey_bls.read_table(bytes(content), 2025)


def test_a_formula_is_not_computed():
    with pytest.raises(InvalidInput, match="percent of all employed"):
        read([["Total, 16 years and over", 1000, "=40+7"]])


def test_a_sheet_that_claims_endless_rows_ends():
    xml = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    )
    with pytest.raises(InvalidInput, match="no row"):
        _survey_bls.read_table(packed({"xl/worksheets/sheet1.xml": xml}), 2025)


_WHOLE = workbook()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers(0, len(_WHOLE) - 1), st.integers(0, 255))
def test_no_byte_breaks_the_reader(place, byte):
    content = bytearray(_WHOLE)
    content[place] = byte
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = _survey_bls.read_table(bytes(content), 2025)
        except InvalidInput:
            return
    assert all(0 <= figure.women <= 1 for figure in found.figures.values())
