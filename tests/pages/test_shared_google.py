"""Real pages of Google of 2000 to 2026, held against readings that were made by hand."""

import csv
import json

import pytest

from monitor.model import Block
from monitor.pages._walls import state_of
from monitor.pages.google import PAGE

_GOOGLES = ("google", "google-carousel")


@pytest.fixture(scope="module")
def serps(reference_data):
    folder = reference_data / "serps"
    if not folder.is_dir():
        pytest.fail(f"{folder}: no such folder")
    return folder


@pytest.fixture(scope="module")
def rows(serps):
    """The index's rows of HTML pages."""
    with (serps / "INDEX.tsv").open(encoding="utf-8", newline="") as handle:
        return [r for r in csv.DictReader(handle, delimiter="\t") if r["file"].endswith(".html")]


@pytest.fixture(scope="module")
def readings(serps, rows):
    """File and reading of each of Google's pages."""
    own = [row["file"] for row in rows if row["engine"] in _GOOGLES]
    assert own
    return {name: PAGE.parse((serps / name).read_bytes()) for name in own}


def _shown(reading, block):
    return [item for item in reading.items if item.block is block]


def test_states(serps, rows, readings):
    expected, found = {}, {}
    for row in rows:
        if row["engine"] in (*_GOOGLES, "blocked"):
            name = row["file"]
            expected[name] = row["state"]
            reading = readings.get(name) or PAGE.parse((serps / name).read_bytes())
            found[name] = state_of(reading)
    assert found == expected


def test_organic_results_equal_those_read_by_hand(serps, readings):
    compared = 0
    for name, reading in readings.items():
        path = serps / name.replace(".html", ".expected.json")
        expected = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if "organic" not in expected:
            continue
        organic = _shown(reading, Block.ORGANIC)
        found = [{"rank": i.rank, "title": i.title, "url": i.url} for i in organic]
        assert found == expected["organic"], name
        quoted = [{"title": i.title, "url": i.url} for i in _shown(reading, Block.ANSWER)]
        assert quoted == [expected[key] for key in ("featured_snippet",) if key in expected], name
        compared += 1
    assert compared


def test_organic_results_are_plausible(rows, readings):
    for row in rows:
        if row["engine"] not in _GOOGLES or row["state"] != "ok":
            continue
        organic = _shown(readings[row["file"]], Block.ORGANIC)
        assert 2 <= len(organic) <= 20, row["file"]
        assert all(item.title and item.url.startswith("http") for item in organic), row["file"]
        assert not any("/url?" in item.url or "/aclk" in item.url for item in organic), row["file"]
        assert sum(bool(item.text) for item in organic) >= 0.8 * len(organic), row["file"]


def test_pages_are_told_from_those_of_other_engines(serps, rows):
    for row in rows:
        if row["engine"] == "blocked":
            continue
        sure = PAGE.sniff((serps / row["file"]).read_bytes())
        if row["engine"] in _GOOGLES:
            assert sure >= 0.8, row["file"]
        else:
            assert sure <= 0.1, row["file"]


def test_cut_pages_raise_nothing(serps, readings):
    for name in readings:
        body = (serps / name).read_bytes()
        for part in (3, 2):
            state = state_of(PAGE.parse(body[: len(body) * (part - 1) // part]))
            assert state in ("ok", "unreadable", "no_results"), name
