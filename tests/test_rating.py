"""Blind rating sheets of probe lists and the agreement of filled ones."""

import csv

import pytest

from monitor.jobs import find_list
from monitor.lists import load_list
from monitor.model import InvalidInput
from monitor.rating import blind_keys, compare_sheets, read_sheet, write_sheet


@pytest.fixture(scope="module")
def stereotypes(pytestconfig):
    return load_list(find_list("stereotypes@1", pytestconfig.rootpath / "jobs"))


def read(path):
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def fill(path, ratings):
    rows = read(path)
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(row | {"rating": ratings(row)} for row in rows)


@pytest.fixture
def sheets(stereotypes, tmp_path):
    paths = [tmp_path / "ana.csv", tmp_path / "ben.csv"]
    for path in paths:
        assert write_sheet(stereotypes, "stereotype", path.stem, path, 0) == 640
    return paths


def test_a_sheet_hides_the_tags_and_has_an_order_of_its_own(stereotypes, sheets):
    ana, ben = (read(path) for path in sheets)
    assert list(ana[0]) == ["key", "text", "rating", "comment"]
    assert not {row["key"] for row in ana} & {item.key for item in stereotypes.items}
    assert {row["text"] for row in ana} == {item.text for item in stereotypes.items}
    assert [row["key"] for row in ana] != [row["key"] for row in ben]
    allowed = read(sheets[0].with_name("ana.csv.values.csv"))
    assert len(allowed) == 18
    assert allowed[0] == {"rating": "1", "meaning": "women are emotional and irrational"}


def test_raters_who_choose_as_the_list_agree_wholly(stereotypes, sheets):
    blind = {b: key for key, b in blind_keys(stereotypes).items()}
    tags = {item.key: item.tags["stereotype"] for item in stereotypes.items}
    for path in sheets:
        fill(path, lambda row: tags[blind[row["key"]]])
    result = compare_sheets(stereotypes, "stereotype", sheets)
    assert (result["items"], result["alpha"], result["disputed"]) == (640, 1.0, [])
    assert [(p["first"], p["second"], p["kappa"], p["n"]) for p in result["pairs"]] == [
        ("ana", "ben", 1.0, 640),
        ("ana", "stereotypes@1", 1.0, 640),
        ("ben", "stereotypes@1", 1.0, 640),
    ]


def test_disputed_items_and_gaps(stereotypes, sheets):
    blind = {b: key for key, b in blind_keys(stereotypes).items()}
    tags = {item.key: item.tags["stereotype"] for item in stereotypes.items}

    def opinion(row):
        key = blind[row["key"]]
        return "none" if key == "s01-01" else "" if key.startswith("s02") else tags[key]

    for path in sheets:
        fill(path, opinion)
    result = compare_sheets(stereotypes, "stereotype", sheets)
    assert result["items"] == 600
    assert result["disputed"] == [{"key": "s01-01", "list": "1", "ratings": ["none", "none"]}]
    assert result["pairs"][1]["agreement"] == pytest.approx(599 / 600)


def test_faults_are_named(stereotypes, sheets, tmp_path):
    with pytest.raises(InvalidInput, match="never overwritten"):
        write_sheet(stereotypes, "stereotype", "ana", sheets[0], 0)
    with pytest.raises(InvalidInput, match="has no tag 'colour'; it has stereotype"):
        write_sheet(stereotypes, "colour", "ana", tmp_path / "x.csv", 0)
    with pytest.raises(InvalidInput, match="at least two raters"):
        compare_sheets(stereotypes, "stereotype", sheets[:1])
    fill(sheets[0], lambda _: "17")
    with pytest.raises(InvalidInput, match=r"ana.csv:2: rating '17'; allowed: 1, 2"):
        compare_sheets(stereotypes, "stereotype", sheets)
    strange = tmp_path / "cora.csv"
    strange.write_text("key,rating\nabc,1\n")
    with pytest.raises(InvalidInput, match="'abc' is no item of stereotypes@1"):
        compare_sheets(stereotypes, "stereotype", [sheets[1], strange])
    strange.write_text("key,rating\nabc,1\nabc,2\n")
    with pytest.raises(InvalidInput, match=r"cora.csv:3: 'abc' is rated twice"):
        read_sheet(strange, ["1", "2"])
    strange.write_text("a,b\n")
    with pytest.raises(InvalidInput, match="no column 'key'"):
        read_sheet(strange, ["1"])
    with pytest.raises(InvalidInput, match="no such file"):
        read_sheet(tmp_path / "none.csv", ["1"])
