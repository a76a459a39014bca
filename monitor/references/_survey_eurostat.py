"""Reads employment by occupation of Eurostat: JSON-stat 2.0 in, women's share per group out.

Dataset `lfsa_egai2d`, employed persons by sex and ISCO-08 at two digits, annual, in thousands;
other datasets of the labour force survey with the same dimensions do as well. JSON-stat numbers all
cells in one row, the last dimension fastest; a cell that is not there is missing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from monitor.input_files import load_json
from monitor.model import InvalidInput
from monitor.references._survey_shares import TITLES, Survey, make_figures

MOST_BYTES = 100_000_000
_CODE = re.compile(r"OC([0-9]{1,2})")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_GEO = re.compile(r"[A-Z][A-Z0-9_]{1,19}")
_ID = re.compile(r"[A-Za-z0-9_]{1,40}")
_NEEDED = ("isco08", "sex", "geo", "time")
_UNITS = frozenset({"THS_PER", "THS"})
_BILLION = 1e9
#: What Eurostat says of a figure.
_FLAGS = {
    "b": "break in series",
    "c": "confidential",
    "d": "definition differs",
    "e": "estimated",
    "f": "forecast",
    "p": "provisional",
    "r": "revised",
    "s": "Eurostat estimate",
    "u": "low reliability",
}


@dataclass(frozen=True, slots=True)
class _Dimension:
    """One dimension: where each category stands, and how far its neighbours are apart."""

    places: Mapping[str, int]
    step: int


@dataclass(frozen=True, slots=True)
class _Cube:
    """The cells of a dataset by the codes of their categories."""

    source: str
    dimensions: Mapping[str, _Dimension]
    values: Mapping[int, object]
    status: Mapping[int, str]

    def cell(self, **codes: str) -> tuple[float | None, str]:
        """(value or None, flags) of one cell."""
        position = sum(
            self.dimensions[name].places[code] * self.dimensions[name].step
            for name, code in codes.items()
        )
        value, flags = self.values.get(position), self.status.get(position, "")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None, flags
        return (float(value) if 0 <= value < _BILLION else None), flags


def read_dataset(content: bytes, geo: str, year: str = "") -> Survey:
    """The shares of one place in a year, the newest without `year`. Raises InvalidInput."""
    cube = _read_cube(content)
    geos, times = cube.dimensions["geo"].places, cube.dimensions["time"].places
    if geo not in geos or not _GEO.fullmatch(geo):
        raise InvalidInput(f"has no geo {geo!r}; it has {_name_places(geos)}")
    years = [year] if year else sorted(filter(_YEAR.fullmatch, times), reverse=True)
    if year and year not in times:
        raise InvalidInput(f"has no year {year}; it has {_name_places(times)}")
    codes = {
        match[1]: code
        for code in cube.dimensions["isco08"].places
        if (match := _CODE.fullmatch(code)) and match[1] in TITLES
    }
    digits = max(map(len, codes), default=0)
    codes_of_level = {number: code for number, code in codes.items() if len(number) == digits}
    if not codes_of_level:
        raise InvalidInput("has no group of ISCO-08, such as OC25, in the dimension isco08")
    for year_tried in years:
        cells = {}
        for number, code in codes_of_level.items():
            (women, of_women), (men, of_men) = (
                cube.cell(isco08=code, sex=sex, geo=geo, time=year_tried) for sex in ("F", "M")
            )
            cells[number] = women, men, _describe_flags(of_women + of_men)
        figures, missing = make_figures(cells)
        if figures:
            return Survey("isco08", cube.source, geo, year_tried, figures, missing, digits)
    raise InvalidInput(f"has no group with figures of women and men for {geo} {year}".rstrip())


def _name_places(places: Mapping[str, int]) -> str:
    first_places = sorted(places)[:10]
    return ", ".join(repr(code[:20]) for code in first_places) + (
        " ..." if len(places) > len(first_places) else ""
    )


def _describe_flags(flags: str) -> str:
    """`u: low reliability` of the flags of both cells."""
    known_flags = sorted({flag for flag in flags if flag in _FLAGS})
    return ", ".join(f"{flag}: {_FLAGS[flag]}" for flag in known_flags)


# --- JSON-stat ------------------------------------------------------------------------------------


def _read_cube(content: bytes) -> _Cube:
    data = _read_data(content)
    names, sizes = _read_shape(data)
    lacking = [name for name in _NEEDED if name not in names]
    if lacking:
        raise InvalidInput(
            f"has no dimension {lacking[0]!r}; download lfsa_egai2d or another dataset with "
            "isco08 and sex"
        )
    dimensions: dict[str, _Dimension] = {}
    step = 1
    for name, size in zip(reversed(names), reversed(sizes), strict=True):
        dimensions[name] = _Dimension(_read_places(data, name, size), step)
        step *= size
    _check_single(dimensions)
    for sex in ("F", "M"):
        if sex not in dimensions["sex"].places:
            raise InvalidInput(f"has no sex {sex!r}; download F and M")
    dataset = str(_inner_mapping(data.get("extension")).get("id", "")).lower()
    return _Cube(
        f"eurostat_{dataset}" if _ID.fullmatch(dataset) else "eurostat",
        dimensions,
        _by_place(data.get("value"), "value", step),
        {at: str(flag) for at, flag in _by_place(data.get("status"), "status", step).items()},
    )


def _read_data(content: bytes) -> Mapping[str, object]:
    try:
        data = load_json(content)
    except ValueError as error:
        raise InvalidInput("is no JSON; download it with format=JSON") from error
    if isinstance(data, dict) and "error" in data:
        raise InvalidInput("is an error message of Eurostat and no data; download it again")
    if not isinstance(data, dict) or data.get("class") != "dataset" or data.get("version") != "2.0":
        raise InvalidInput("is no dataset in JSON-stat 2.0; download it with format=JSON")
    return data


def _read_shape(data: Mapping[str, object]) -> tuple[list[str], list[int]]:
    """The names of the dimensions and their numbers of categories."""
    names, sizes = data.get("id"), data.get("size")
    if isinstance(names, list) and isinstance(sizes, list) and len(names) == len(sizes):
        dimension_names = [name for name in names if isinstance(name, str)]
        counted = [n for n in sizes if isinstance(n, int) and not isinstance(n, bool)]
        if len(dimension_names) == len(counted) == len(names) == len(set(dimension_names)):
            return dimension_names, counted
    raise InvalidInput("has no list of dimensions with their sizes (id, size)")


def _read_places(data: Mapping[str, object], name: str, size: int) -> dict[str, int]:
    """{code: place} of a dimension. A dimension of one category may have a label alone."""
    category = _inner_mapping(_inner_mapping(data.get("dimension")).get(name)).get("category")
    index, label = _inner_mapping(category).get("index"), _inner_mapping(category).get("label")
    if isinstance(index, list):
        index = {code: position for position, code in enumerate(index) if isinstance(code, str)}
    if index is None and isinstance(label, dict) and len(label) == 1:
        index = dict.fromkeys(label, 0)
    places = {
        code: position
        for code, position in _inner_mapping(index).items()
        if isinstance(position, int) and not isinstance(position, bool)
    }
    if len(places) != size or set(places.values()) != set(range(len(places))):
        raise InvalidInput(f"dimension {name!r} does not say where its {size} categories stand")
    return places


def _inner_mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _check_single(dimensions: Mapping[str, _Dimension]) -> None:
    """Refuse what would have to be chosen or is no number of people in a year."""
    for name, dimension in dimensions.items():
        if name not in _NEEDED and len(dimension.places) != 1:
            raise InvalidInput(
                f"dimension {name!r} has {len(dimension.places)} categories; download one of them: "
                f"{_name_places(dimension.places)}"
            )
    unit = dimensions.get("unit")
    if unit and not set(unit.places) & _UNITS:
        raise InvalidInput(
            f"is in {_name_places(unit.places)}; download it in thousand persons (THS_PER)"
        )
    freq = dimensions.get("freq")
    if freq and "A" not in freq.places:
        raise InvalidInput(
            f"has the frequency {_name_places(freq.places)}; download annual data (A)"
        )


def _by_place(value: object, what: str, cells: int) -> dict[int, object]:
    """Cells by their place, of a list of all or of an object with those that there are."""
    if value is None and what == "status":
        return {}
    if isinstance(value, list) and len(value) == cells:
        value = {str(position): cell_value for position, cell_value in enumerate(value)}
    if isinstance(value, dict) and all(re.fullmatch(r"[0-9]{1,12}", at) for at in value):
        return {int(at): cell_value for at, cell_value in value.items() if cell_value is not None}
    raise InvalidInput(f"has no cells that could be read ({what})")
