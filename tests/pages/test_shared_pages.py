"""Real pages of five engines and of walls, held against readings that were made by hand."""

import csv
import json

import pytest

from monitor import registry
from monitor.model import Block
from monitor.pages._html import read_document
from monitor.pages._walls import find_wall, state_of

#: Folder of the pages, and the reader that they belong to.
READERS = {
    "bing": "bing",
    "duckduckgo": "duckduckgo",
    "brave": "brave",
    "mediawiki": "wikipedia",
}


@pytest.fixture(scope="module")
def serps(reference_data):
    folder = reference_data / "serps"
    if not folder.is_dir():
        pytest.fail(f"{folder}: no such folder")
    return folder


@pytest.fixture(scope="module")
def index(serps):
    """The index's rows of HTML pages."""
    with (serps / "INDEX.tsv").open(encoding="utf-8", newline="") as handle:
        rows = [r for r in csv.DictReader(handle, delimiter="\t") if r["file"].endswith(".html")]
    assert rows
    return rows


def _own(index):
    found = [row for row in index if row["engine"] in READERS]
    assert {row["engine"] for row in found} == set(READERS)
    return found


def test_states(serps, index):
    expected, found = {}, {}
    for row in _own(index):
        body = (serps / row["file"]).read_bytes()
        reading = registry.page(READERS[row["engine"]]).parse(body)
        expected[row["file"]] = row["state"]
        found[row["file"]] = state_of(reading)
    assert found == expected


def test_every_reader_sees_every_wall(serps, index):
    walls = [row for row in index if row["engine"] == "blocked"]
    assert walls
    for row in walls:
        body = (serps / row["file"]).read_bytes()
        found = {name: state_of(registry.page(name).parse(body)) for name in READERS.values()}
        assert set(found.values()) == {row["state"]}, (row["file"], found)


def test_no_page_of_results_is_a_wall_though_nothing_could_be_read(serps, index):
    for row in index:
        if row["engine"] != "blocked":
            page = read_document((serps / row["file"]).read_bytes())
            assert find_wall(page, 0) is None, row["file"]


def test_organic_results_equal_those_read_by_hand(serps, index):
    compared = 0
    for row in _own(index):
        path = serps / row["file"].replace(".html", ".expected.json")
        if not path.exists():
            continue
        expected = json.loads(path.read_text("utf-8"))
        reading = registry.page(READERS[row["engine"]]).parse((serps / row["file"]).read_bytes())
        organic = [item for item in reading.items if item.block == Block.ORGANIC]
        found = [{"rank": i.rank, "title": i.title, "url": i.url} for i in organic]
        assert found == expected["organic"], row["file"]
        compared += 1
    assert compared >= len(READERS)


def test_every_result_has_an_address_and_no_redirect(serps, index):
    for row in _own(index):
        if row["state"] != "ok":
            continue
        reading = registry.page(READERS[row["engine"]]).parse((serps / row["file"]).read_bytes())
        organic = [item for item in reading.items if item.block == Block.ORGANIC]
        assert len(organic) > 5, row["file"]
        assert all(item.title and item.url.startswith("http") for item in organic), row["file"]
        assert not any("/ck/a" in item.url or "uddg=" in item.url for item in organic)


def test_no_other_reader_takes_a_page_for_its_own(serps, index):
    readers = registry.discover("pages")
    for row in index:
        own = READERS.get(row["engine"], row["engine"].split("-")[0])
        if own not in readers:
            continue
        body = (serps / row["file"]).read_bytes()
        sure = {name: reader.sniff(body) for name, reader in readers.items()}
        best = max(sure, key=sure.__getitem__)
        assert best == own, (row["file"], sure)
        assert all(sure[own] > found for name, found in sure.items() if name != own), row["file"]
