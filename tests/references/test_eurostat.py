"""Employment by occupation of Eurostat: JSON-stat, sparse and flat."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import InvalidInput
from monitor.references import _survey_eurostat
from tests.cases import check_each

CODES = {
    "freq": ["A"],
    "isco08": ["TOTAL", "OC2", "OC22", "OC25", "OC71", "OC96"],
    "sex": ["F", "M", "T"],
    "age": ["Y15-64"],
    "unit": ["THS_PER"],
    "geo": ["DE", "EU27_2020"],
    "time": ["2023", "2024"],
}
#: (isco08, sex, geo, time): value, flag
CELLS = {
    ("OC22", "F", "DE", "2024"): (750.0, ""),
    ("OC22", "M", "DE", "2024"): (250.0, ""),
    ("OC22", "T", "DE", "2024"): (1005.0, ""),
    ("OC25", "F", "DE", "2024"): (20, "u"),
    ("OC25", "M", "DE", "2024"): (80, "b"),
    ("OC71", "F", "DE", "2024"): (None, "c"),
    ("OC71", "M", "DE", "2024"): (900.5, ""),
    ("OC71", "T", "DE", "2024"): (910.5, ""),
    ("OC96", "F", "DE", "2024"): (0.0, ""),
    ("OC96", "M", "DE", "2024"): (0.0, ""),
    ("OC22", "F", "DE", "2023"): (1.0, ""),
    ("OC22", "M", "DE", "2023"): (3.0, ""),
    ("TOTAL", "F", "DE", "2024"): (9.0, ""),
    ("OC2", "F", "DE", "2024"): (9.0, ""),
    ("OC2", "M", "DE", "2024"): (1.0, ""),
}


def dataset(codes=None, cells=None, **changes):
    codes = CODES if codes is None else codes
    sizes = [len(some) for some in codes.values()]
    values, status = {}, {}
    for (isco08, sex, geo, time), (value, flag) in (CELLS if cells is None else cells).items():
        of = {"isco08": isco08, "sex": sex, "geo": geo, "time": time}
        place = 0
        for (name, some), size in zip(codes.items(), sizes, strict=True):
            place = place * size + (some.index(of[name]) if name in of else 0)
        if value is not None:
            values[str(place)] = value
        if flag:
            status[str(place)] = flag
    content = {
        "version": "2.0",
        "class": "dataset",
        "label": "Employed persons by detailed occupation",
        "id": list(codes),
        "size": sizes,
        "dimension": {
            name: {"category": {"index": {code: n for n, code in enumerate(some)}}}
            for name, some in codes.items()
        },
        "value": values,
        "status": status,
        "extension": {"id": "LFSA_EGAI2D"},
    } | changes
    return json.dumps(content).encode()


def changed(**changes):
    return dataset({**CODES, **changes}, {})


def test_the_share_is_of_women_and_men_and_not_of_the_total():
    found = _survey_eurostat.read_dataset(dataset(), "DE")
    assert (found.scheme, found.source, found.country) == ("isco08", "eurostat_lfsa_egai2d", "DE")
    assert (found.year, found.digits) == ("2024", 2)
    health = found.figures["22"]
    assert (health.women, health.n) == (0.75, 1_000_000)
    assert health.word == "ISCO-08 22 Health professionals"


def test_flags_stay_with_the_figure():
    found = _survey_eurostat.read_dataset(dataset(), "DE")
    assert found.figures["25"].word.endswith(
        "technology professionals [b: break in series, u: low reliability]"
    )


def test_what_is_missing_stays_missing():
    found = _survey_eurostat.read_dataset(dataset(), "DE")
    assert set(found.figures) == {"22", "25"}
    assert found.missing["71"].endswith("(c: confidential)")
    assert found.missing["96"] == "the source has no figure of women or men"


def test_a_year_may_be_chosen():
    found = _survey_eurostat.read_dataset(dataset(), "DE", "2023")
    assert (found.year, found.figures["22"].women) == ("2023", 0.25)


def test_the_newest_year_with_figures_counts():
    cells = {cell: value for cell, value in CELLS.items() if cell[3] == "2023"}
    assert _survey_eurostat.read_dataset(dataset(cells=cells), "DE").year == "2023"


def test_one_digit_is_used_where_there_are_not_two():
    codes = {**CODES, "isco08": ["TOTAL", "OC2"]}
    cells = {cell: value for cell, value in CELLS.items() if cell[0] in ("TOTAL", "OC2")}
    found = _survey_eurostat.read_dataset(dataset(codes, cells), "DE")
    assert (found.digits, found.figures["2"].women) == (1, 0.9)
    assert found.key("25") == "2"


@pytest.mark.parametrize("name", ["unit", "freq", "age"])
def test_a_dimension_of_one_category_may_be_left_out(name):
    codes = {key: some for key, some in CODES.items() if key != name}
    assert _survey_eurostat.read_dataset(dataset(codes), "DE").figures["22"].women == 0.75


def test_other_spellings_of_json_stat():
    content = json.loads(dataset())
    content["dimension"]["sex"]["category"]["index"] = CODES["sex"]
    content["dimension"]["freq"]["category"] = {"label": {"A": "Annual"}}
    cells = 1
    for size in content["size"]:
        cells *= size
    content["value"] = [content["value"].get(str(n)) for n in range(cells)]
    del content["status"], content["extension"]
    found = _survey_eurostat.read_dataset(json.dumps(content).encode(), "DE")
    assert (found.figures["22"].women, found.source) == (0.75, "eurostat")


@check_each("value", ["750", True, -1.0, 1e30, 10**400, [], {}])
def test_what_is_no_number_of_people_is_missing(value):
    cells = {**CELLS, ("OC22", "F", "DE", "2024"): (value, "")}
    assert "22" in _survey_eurostat.read_dataset(dataset(cells=cells), "DE").missing


def test_nan_is_missing():
    content = dataset().replace(b"750.0", b"NaN")
    assert "22" in _survey_eurostat.read_dataset(content, "DE").missing


@check_each(
    ("content", "geo", "year", "message"),
    [
        (b"", "DE", "", "is no JSON"),
        (b"[" * 100_000, "DE", "", "is no JSON"),
        (b"[]", "DE", "", "is no dataset in JSON-stat 2.0"),
        (b'{"error":[{"status":400,"label":"x"}]}', "DE", "", "is an error message of Eurostat"),
        (dataset(version="1.0"), "DE", "", "is no dataset in JSON-stat 2.0"),
        (dataset(), "FR", "", "has no geo 'FR'; it has 'DE', 'EU27_2020'"),
        (dataset(), "DE", "1999", "has no year 1999; it has '2023', '2024'"),
        (dataset(), "EU27_2020", "", "no group with figures of women and men for EU27_2020"),
        (dataset(id="x"), "DE", "", "no list of dimensions"),
        (dataset(size=[1]), "DE", "", "no list of dimensions"),
        (dataset(size=[1, 6, 3, 1, 1, 2, 10**18]), "DE", "", "dimension 'time' does not say"),
        (dataset(dimension=[]), "DE", "", "dimension 'time' does not say"),
        (dataset(value="x"), "DE", "", "no cells that could be read (value)"),
        (dataset(value={"a": 1}), "DE", "", "no cells that could be read (value)"),
        (dataset(status="u"), "DE", "", "no cells that could be read (status)"),
        (changed(isco08=["TOTAL"]), "DE", "", "no group of ISCO-08"),
        (changed(sex=["T"]), "DE", "", "has no sex 'F'; download F and M"),
        (changed(age=["Y15-64", "Y15-74"]), "DE", "", "dimension 'age' has 2 categories"),
        (changed(unit=["PC"]), "DE", "", "download it in thousand persons"),
        (changed(freq=["Q"]), "DE", "", "download annual data"),
        (dataset({n: c for n, c in CODES.items() if n != "isco08"}, {}), "DE", "", "'isco08'"),
    ],
)
def test_what_is_something_else_is_refused(content, geo, year, message):
    with pytest.raises(InvalidInput) as raised:
        _survey_eurostat.read_dataset(content, geo, year)
    assert message in str(raised.value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda some: (
        st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=5), some, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(["id", "size", "dimension", "value", "status", "extension"]), _JSON)
def test_no_content_breaks_the_reader(key, value):
    try:
        found = _survey_eurostat.read_dataset(dataset(**{key: value}), "DE")
    except InvalidInput:
        return
    assert all(0 <= figure.women <= 1 for figure in found.figures.values())
