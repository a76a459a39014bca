"""Carousels on real pages of Google, held against readings that were made by hand."""

import json

import pytest

from monitor.pages._google_entities import read_carousel, read_panel
from monitor.pages._html import read_document
from tests.pages.reading import is_refinement, tiles_visible

_OTHERS = ("bing", "brave", "duckduckgo", "blocked")


@pytest.fixture(scope="module")
def serps(reference_data):
    folder = reference_data / "serps"
    if not folder.is_dir():
        pytest.fail(f"{folder}: no such folder")
    return folder


@pytest.fixture(scope="module")
def read_by_hand(serps):
    """Page and the carousel that is on it, of all pages where somebody looked."""
    found = []
    for engine in ("google", "google-carousel"):
        for path in sorted((serps / engine).glob("*.expected.json")):
            expected = json.loads(path.read_text("utf-8")).get("carousel")
            if expected is not None:
                name = path.name.replace(".expected.json", ".html")
                body = (serps / engine / name).read_bytes()
                found.append((name, read_document(body), expected))
    assert found, "no page has a reading by hand"
    return found


def test_names_in_full_and_in_order(read_by_hand):
    expected, found = {}, {}
    for name, page, seen in read_by_hand:
        read = read_carousel(page)
        found[name] = None if read is None else [item.title for item in read]
        names = [item["name"] for item in seen.get("items", ())]
        expected[name] = names if seen["present"] else None
    assert found == expected


def test_entities(read_by_hand):
    different = [
        (name, item["name"], item["mid"], tile.entity)
        for name, page, seen in read_by_hand
        for item, tile in zip(seen.get("items", ()), read_carousel(page) or (), strict=True)
        if item.get("mid") and item["mid"] != tile.entity
    ]
    assert different == []


def test_second_lines(read_by_hand):
    different = [
        (name, item["name"], item["subtitle"], tile.text)
        for name, page, seen in read_by_hand
        for item, tile in zip(seen.get("items", ()), read_carousel(page) or (), strict=True)
        if item.get("subtitle") and item["subtitle"] != tile.text
    ]
    assert different == []


def test_every_entity_has_its_id(read_by_hand):
    without = [
        (name, tile.title)
        for name, page, seen in read_by_hand
        for tile in read_carousel(page) or ()
        if seen["kind"] != "query refinements" and not tile.entity
    ]
    assert without == []


def test_tiles_are_counted_as_they_are_there(read_by_hand):
    counted = {name: tiles_visible(page) for name, page, _ in read_by_hand}
    assert counted == {name: len(seen.get("items", ())) for name, _, seen in read_by_hand}


def test_refinements_are_told_from_entities(read_by_hand):
    assert {name for name, page, _ in read_by_hand if is_refinement(page)} == {
        name for name, _, seen in read_by_hand if seen.get("kind") == "query refinements"
    }


def test_no_carousel_where_there_can_be_none(serps):
    pages = [path for folder in _OTHERS for path in sorted((serps / folder).glob("*.html"))]
    assert pages
    for path in pages:
        page = read_document(path.read_bytes())
        assert read_carousel(page) is None, path.name
        assert read_panel(page) == (), path.name


def test_panels_have_a_name_and_the_entity(serps):
    pages = sorted(serps.glob("google*/*.html"))
    panels = {
        path.name: found
        for path in pages
        if (found := read_panel(read_document(path.read_bytes())))
    }
    assert panels["2017-05-06_narendra-modi.html"][0].title == "Narendra Modi"
    for name, found in panels.items():
        assert found[0].entity, name
        assert all(item.title and item.text for item in found), name
