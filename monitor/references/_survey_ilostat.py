"""Reads employment by occupation of ILOSTAT: CSV in, women's share per ISCO-08 group out.

Indicators of employment by sex and occupation in thousands: `EMP_TEMP_SEX_OC2_NB_A` (two digits of
ISCO-08) and `EMP_TEMP_SEX_OCU_NB_A` (one digit). A row without a value is missing.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from monitor.input_files import refuse_doubles
from monitor.model import InvalidInput
from monitor.references._survey_shares import (
    TITLES,
    LabourFigure,
    Survey,
    make_figures,
    plain_title,
)

MOST_BYTES = 256_000_000
_NEEDED = ("ref_area", "source", "indicator", "sex", "classif1", "time", "obs_value", "obs_status")
_INDICATOR = re.compile(r"EMP_[A-Z0-9]+_SEX_(?:OCU|OC2)_NB(?:_A)?")
_CODE = re.compile(r"(?:OCU|OC2)_ISCO08_(?:[0-9]_)?([0-9]{1,2})")
_AREA = re.compile(r"[A-Z][A-Z0-9]{2,5}")
_SOURCE = re.compile(r"[A-Z0-9:]{1,20}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_VALUE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,12})?(?:[eE][+-]?[0-9]{1,2})?")
_SEXES = ("SEX_F", "SEX_M")
#: What ILOSTAT says of a figure.
_STATUS = {
    "A": "adjusted",
    "B": "break in series",
    "E": "estimated",
    "I": "imputed",
    "M": "model-based",
    "P": "provisional",
    "S": "not significant",
    "U": "unreliable",
}


@dataclass(frozen=True, slots=True)
class _LabourCell:
    """One figure: of whom, in thousands or None, and what the source says of it."""

    source: str
    sex: str
    code: str
    thousands: float | None
    status: str


def read_lines(lines: Iterable[str], area: str, year: str = "") -> Survey:
    """The shares of one area in a year, the newest without `year`. Raises InvalidInput."""
    if not _AREA.fullmatch(area):
        raise InvalidInput(f"--area {area!r}: write the three letters of ISO 3166, such as DEU")
    by_year, indicator = _by_year(lines, area)
    if not by_year:
        raise InvalidInput(f"has no row on ISCO-08 groups by sex for the area {area}")
    if year and year not in by_year:
        raise InvalidInput(f"has no year {year} for {area}; it has {', '.join(sorted(by_year))}")
    for year_tried in [year] if year else sorted(by_year, reverse=True):
        cells = by_year[year_tried]
        source = _choose_source(cells, area, year_tried)
        digits = max(len(cell.code) for cell in cells)
        figures, missing = _make_figures([cell for cell in cells if len(cell.code) == digits])
        if figures:
            source_name = f"ilostat_{indicator.lower()}_{source.lower().replace(':', '_')}"
            return Survey("isco08", source_name, area, year_tried, figures, missing, digits)
    raise InvalidInput(f"has no group with figures of women and men for {area} {year}".rstrip())


def _by_year(lines: Iterable[str], area: str) -> tuple[dict[str, list[_LabourCell]], str]:
    """({year: cells}, indicator) of an area."""
    cells_by_year: dict[str, list[_LabourCell]] = defaultdict(list)
    indicators = set()
    for line, row in _read_rows(lines):
        if not _INDICATOR.fullmatch(row["indicator"]):
            raise InvalidInput(
                f"line {line}: indicator {plain_title(row['indicator'])[:40]!r} is not employment "
                "by sex and occupation; download EMP_TEMP_SEX_OC2_NB_A"
            )
        code = _CODE.fullmatch(row["classif1"])
        is_wanted = (
            row["ref_area"] == area and row["sex"] in _SEXES and _YEAR.fullmatch(row["time"])
        )
        if not is_wanted or code is None or code[1] not in TITLES:
            continue
        indicators.add(row["indicator"].removesuffix("_A"))
        status = plain_title(row["obs_status"])[:1]
        cell = _LabourCell(row["source"], row["sex"], code[1], _read_thousands(line, row), status)
        cells_by_year[row["time"]].append(cell)
    if len(indicators) > 1:
        raise InvalidInput(f"holds several indicators: {', '.join(sorted(indicators))}; keep one")
    return cells_by_year, "".join(indicators)


def _read_rows(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    reader = csv.reader(lines, strict=True)
    try:
        header = next(reader, [])
        refuse_doubles(header, "the table")
        missing = [column for column in _NEEDED if column not in header]
        if missing:
            labels = any(column.endswith(".label") for column in header)
            remedy = "type=code" if labels else "format=.csv"
            raise InvalidInput(f"line 1: has no column {missing[0]!r}; download it with {remedy}")
        for cells in reader:
            if len(cells) != len(header):
                raise InvalidInput(
                    f"line {reader.line_num}: {len(cells)} cells under {len(header)} columns"
                )
            row = dict(zip(header, cells, strict=True))
            # of the sources of a year one is marked, where a download holds all of them
            if row.get("best_source", "1") in ("1", "TRUE"):
                yield reader.line_num, row
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num}: is no CSV in UTF-8: {error}") from error


def _read_thousands(line: int, row: Mapping[str, str]) -> float | None:
    text = row["obs_value"]
    if not text:
        return None
    if not _VALUE.fullmatch(text):
        raise InvalidInput(
            f"line {line}: obs_value {plain_title(text)[:40]!r} is no number of people"
        )
    return float(text)


def _choose_source(cells: Iterable[_LabourCell], area: str, year: str) -> str:
    """The one survey that the figures are of."""
    sources = sorted({cell.source for cell in cells})
    if len(sources) > 1 or not _SOURCE.fullmatch(sources[0]):
        source_list = ", ".join(plain_title(source)[:20] for source in sources)
        raise InvalidInput(f"{area} {year} is of the sources {source_list}; keep the rows of one")
    return sources[0]


def _make_figures(cells: Iterable[_LabourCell]) -> tuple[dict[str, LabourFigure], dict[str, str]]:
    by_code: dict[str, dict[str, list[_LabourCell]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        by_code[cell.code][cell.sex].append(cell)
    read, missing = {}, {}
    for code, of in by_code.items():
        women, men = (of[sex] for sex in _SEXES)
        if len(women) > 1 or len(men) > 1:
            missing[code] = "its figures stand twice in the file"
            continue
        n_women, n_men = (next((cell.thousands for cell in of[sex]), None) for sex in _SEXES)
        read[code] = n_women, n_men, _describe_flags(women + men)
    figures, without = make_figures(read)
    return figures, missing | without


def _describe_flags(cells: Iterable[_LabourCell]) -> str:
    statuses = sorted({cell.status for cell in cells if cell.status})
    return ", ".join(f"{flag}: {_STATUS[flag]}" if flag in _STATUS else flag for flag in statuses)
