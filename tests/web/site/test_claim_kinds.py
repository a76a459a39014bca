"""Every kind of number of the archive has a claim card: as a page, for programs, and as files."""

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store.schema import changes, points, series_keys
from monitor.web.site.pages import claim_cards, overview

FORMS = ("html", "txt", "json")


def of_each_kind(archive):
    """{(measure, kind of scope, state): number of a point}."""
    query = sa.select(
        points.c.id, points.c.state, series_keys.c.measure, series_keys.c.scope
    ).join_from(points, series_keys)
    with archive.read() as connection:
        rows = connection.execute(query).all()
    return {
        (row.measure.partition("(")[0], row.scope.partition(":")[0], row.state): row.id
        for row in rows
    }


@pytest.fixture
def viewer(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def is_whole(client, address):
    """Check all forms of a card; the numbers of the API are those of the file."""
    page, api = client.get(address), client.get(f"/api/v1{address}")
    assert (page.status_code, api.status_code) == (200, 200), address
    files = {form: client.get(f"{address}/card/{form}") for form in FORMS}
    assert [one.status_code for one in files.values()] == [200] * len(FORMS), address
    found, numbers = api.json(), files["json"].json()
    assert found["claim"] == numbers["claim"]
    assert found["effect"] == numbers["effect"]
    assert found["citation"]
    assert found["citation"] in files["txt"].text
    assert "<h1" in page.text


def test_every_kind_of_point_has_a_card(sqlite_archive, viewer):
    kinds = of_each_kind(sqlite_archive)
    assert {"all", "bin", "stereotype", "tag", "template"} <= {scope for _, scope, _ in kinds}
    assert len({state for _, _, state in kinds}) > 1
    for number in kinds.values():
        is_whole(viewer, f"/points/{number}")


def test_every_change_has_a_card(sqlite_archive, viewer):
    with sqlite_archive.read() as connection:
        numbers = connection.execute(sa.select(changes.c.id)).scalars().all()
    assert numbers
    for number in numbers:
        is_whole(viewer, f"/changes/{number}")


def test_what_was_seen_by_looking_back_says_that_it_was_not_tested(sqlite_archive, viewer):
    """On its card, and on the first page, where it stands after what was tested."""
    with sqlite_archive.begin() as connection:
        newest = connection.execute(sa.select(sa.func.max(changes.c.id))).scalar_one()
        nothing = dict.fromkeys(("low", "high", "p", "q", "alpha", "p_beyond", "comparison_id"))
        connection.execute(
            sa.update(changes).where(changes.c.id == newest)
            .values(status="retrospective", kind="shift", **nothing)
        )  # fmt: skip
    claim_cards._cache.entries.clear()
    overview._cache.entries.clear()
    card = HTMLParser(viewer.get(f"/changes/{newest}").text).body.text()
    assert "Not tested: found in retrospect." in card
    assert "without an interval" in card
    assert "p none" not in card
