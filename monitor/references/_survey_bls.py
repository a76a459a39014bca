"""Reads table 11 of the Current Population Survey: a workbook in, women's share per title out.

US Bureau of Labor Statistics, "Employed persons by detailed occupation, sex, race, and Hispanic or
Latino ethnicity", annual averages: `cpsaat11.xlsx`. Columns are the title, the total employed in
thousands, and the percentage of women; a dash stands where fewer than 50,000 people are employed.
A workbook comes from outside: it is measured before it is opened, and nothing in it is run.
"""

import io
import re
import warnings
import zipfile
from collections.abc import Sequence

from openpyxl import load_workbook

from monitor.model import InvalidInput
from monitor.references._survey_shares import (
    THOUSAND,
    LabourFigure,
    Survey,
    fold_title,
    plain_title,
)

SHEET = "cpsaat11"
#: The table has some 700 rows in a file of 50 kB.
MOST_BYTES = 10_000_000
_MOST_UNPACKED = 60_000_000
_MOST_PARTS = 200
_MOST_ROWS = 3000
_COLUMNS = 3
_FIRST = "total, 16 years and over"
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2212")
_FOOTNOTE = re.compile(r"\s*\([0-9]{1,2}\)$")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_DECLARED = re.compile(
    rb"<\0?!\0?(?:D\0?O\0?C\0?T\0?Y\0?P\0?E|E\0?N\0?T\0?I\0?T\0?Y)", re.IGNORECASE
)
_WRITTEN = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,8}(?:\.[0-9]{1,9})?")
_BILLION = 1e9
_PERCENT = 100.0
#: Women among all employed, in percent: what lies outside is another column.
_LEAST, _MOST = 20.0, 80.0

_Row = tuple[object, object, object]


def read_table(content: bytes, year: int) -> Survey:
    """The shares of a year. Raises InvalidInput for a file that is not this table."""
    rows = _read_rows(content)
    start = next((n for n, row in enumerate(rows) if _row_title(row) == _FIRST), None)
    if start is None:
        raise InvalidInput(f'sheet {SHEET}: no row "Total, 16 years and over" in column A')
    _check_header(rows[:start], year)
    everybody = _read_percent(rows[start][2])
    if everybody is None or not _LEAST <= everybody <= _MOST:
        raise InvalidInput(
            f"sheet {SHEET}: {rows[start][2]!r} percent of all employed would be women; "
            "column C is not the percentage of women"
        )
    figures, missing = _read_figures(rows[start:])
    return Survey("cps", "bls_cps_table_11", "US", str(year), figures, missing)


def _read_figures(rows: Sequence[_Row]) -> tuple[dict[str, LabourFigure], dict[str, str]]:
    figures: dict[str, LabourFigure] = {}
    missing: dict[str, str] = {}
    for row in rows:
        title, people = _row_title(row), _read_number(row[1])
        if not title or (people is None and str(row[1]).strip() not in _DASHES):
            continue  # a heading of the sheet, a blank row or a footnote
        women = _read_percent(row[2])
        if title in figures or title in missing:
            figures.pop(title, None)
            missing[title] = "its title stands twice in the file"
        elif women is None:
            missing[title] = "the source gives no percentage for it"
        else:
            n = None if people is None else round(people * THOUSAND)
            figures[title] = LabourFigure(women / _PERCENT, _row_words(row), n)
    return figures, missing


def _check_header(rows: Sequence[_Row], year: int) -> None:
    cells = [str(cell) for row in rows for cell in row if cell is not None]
    if not any("women" in str(row[2] or "").casefold() for row in rows):
        raise InvalidInput(f"sheet {SHEET}: column C has no heading Women; this is not table 11")
    years = {int(year_text) for cell in cells for year_text in _YEAR.findall(cell)}
    if years and year not in years:
        year_list = ", ".join(map(str, sorted(years)))
        raise InvalidInput(f"sheet {SHEET}: its heading says {year_list}, not {year}; see --year")


def _row_words(row: _Row) -> str:
    return _FOOTNOTE.sub("", plain_title(str(row[0] or "")))


def _row_title(row: _Row) -> str:
    return fold_title(_row_words(row))


def _read_number(cell: object) -> float | None:
    """A number that is not negative, also one that was saved as text; None for anything else."""
    if isinstance(cell, str) and _WRITTEN.fullmatch(cell.strip()):
        return float(cell.strip().replace(",", ""))
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell) if 0 <= cell < _BILLION else None


def _read_percent(cell: object) -> float | None:
    number = _read_number(cell)
    return number if number is not None and number <= _PERCENT else None


# --- the workbook ---------------------------------------------------------------------------------


def _read_rows(content: bytes) -> list[_Row]:
    """The first three columns of the sheet. Raises InvalidInput."""
    _check_size(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which nobody needs
            book = load_workbook(
                io.BytesIO(content), read_only=True, data_only=True, keep_links=False
            )
            if SHEET in book.sheetnames:
                cells = book[SHEET].iter_rows(
                    max_row=_MOST_ROWS, max_col=_COLUMNS, values_only=True
                )
                padded = ((*row, None, None, None) for row in cells)
                return [(row[0], row[1], row[2]) for row in padded]
            names = book.sheetnames
    # the library trips over broken parts in as many ways as there are parts
    except Exception as error:
        raise InvalidInput(f"cannot be read as a workbook ({type(error).__name__})") from error
    title_list = ", ".join(plain_title(name) for name in names[:5])
    raise InvalidInput(f"has no sheet {SHEET}, but {title_list}; save cpsaat11.xlsx as it is")


def _check_size(content: bytes) -> None:
    """Raise InvalidInput for what would be too much to unpack, or declares entities."""
    if len(content) > MOST_BYTES:
        raise InvalidInput(f"has more than {MOST_BYTES:,} bytes; table 11 has some 50,000")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = packed.infolist()
            size = sum(part.file_size for part in parts)
            is_much = len(parts) > _MOST_PARTS or size > _MOST_UNPACKED
            # no part is longer than it says: what is beyond is not unpacked
            declares = not is_much and any(_DECLARED.search(packed.read(part)) for part in parts)
    except Exception as error:
        raise InvalidInput("is no .xlsx workbook; save cpsaat11.xlsx as it is") from error
    if is_much:
        raise InvalidInput(f"unpacks to {len(parts):,} parts of {size:,} bytes: too much")
    if declares:
        raise InvalidInput("declares a document type, as no workbook does")
