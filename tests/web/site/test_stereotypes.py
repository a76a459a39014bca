"""Stereotypes by systems: the numbers of the view `masculine_rates`, in the order that is asked."""

import csv
import io

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store.access import embargoes
from monitor.store.reports import run_report
from monitor.store.schema import point_facts
from monitor.web.site.pages import stereotypes
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

TWO = "libretranslate(base_url=http://two.test)"


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.VIEWER)


@pytest.fixture
def viewer(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def api(client, **parameters):
    answer = client.get("/api/v1/stereotypes", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rates(archive, run):
    """{(engine, target, stereotype): row of the view} of one run."""
    with archive.read() as connection:
        return {
            (row["engine"], row["target"], row["stereotype"]): row
            for row in run_report.read_masculine_rates(connection, run)
        }


@ON_BOTH
def test_the_newest_run_has_the_rates_of_the_view(client, archive):
    found = api(client)
    known = rates(archive, found["chosen"]["run"])
    assert [row["number"] for row in found["stereotypes"]] == list(range(1, 17))
    n = 0
    for row in found["stereotypes"]:
        for system, cell in zip(found["systems"], row["cells"], strict=True):
            there = known[system["engine"], system["target"], row["number"]]
            assert (cell["value"], cell["low"], cell["high"], cell["state"]) == (
                there["value"], there["low"], there["high"], there["state"],
            )  # fmt: skip
            marked = [n for n in (there["masculine"], there["feminine"]) if n is not None]
            assert cell["marked"] == (sum(marked) if marked else None)
            assert (cell["value"] is None) == (cell["state"] != "measured")
            assert row["about"] == there["about"]
            n += 1
    assert n == len(known)


def test_ranks_follow_the_rates(viewer):
    found = api(viewer)
    for at in range(len(found["systems"])):
        cells = [row["cells"][at] for row in found["stereotypes"]]
        ranked = sorted((one["rank"], one["value"]) for one in cells if one["rank"] is not None)
        assert bool(ranked) is (found["systems"][at]["state"] == "measured")
        assert [value for _, value in ranked] == sorted(value for _, value in ranked)


@pytest.mark.parametrize("down", [False, True])
def test_stereotypes_are_in_the_order_of_a_system(viewer, down):
    systems = api(viewer)["systems"]
    at = next(n for n, one in enumerate(systems) if one["state"] == "measured")
    system = systems[at]
    found = api(viewer, by=system["series"], down=down)
    values = [row["cells"][at]["value"] for row in found["stereotypes"]]
    measured = [one for one in values if one is not None]
    assert len(set(measured)) > 1
    assert values == sorted(measured, reverse=down) + [None] * (len(values) - len(measured))
    page = HTMLParser(viewer.get(f"/stereotypes?by={system['series']}&down={down}").text)
    marked = page.css("th[aria-sort]")
    assert [one.attributes["aria-sort"] for one in marked] == [
        "descending" if down else "ascending"
    ]


def test_systems_are_paged(viewer, monkeypatch):
    everything = [one["name"] for one in api(viewer)["systems"]]
    assert len(everything) > 1
    monkeypatch.setattr(stereotypes, "SYSTEMS", 1)
    seen = [api(viewer, page=number + 1)["systems"] for number in range(len(everything))]
    assert [one["name"] for some in seen for one in some] == everything
    assert api(viewer, page=len(everything) + 1)["systems"] == []


def test_a_rate_leads_to_its_series_and_its_answers(viewer):
    found = api(viewer)
    cell = found["stereotypes"][0]["cells"][0]
    page = HTMLParser(viewer.get("/stereotypes").text)
    assert page.css_first(f'a[href="/series/{cell["series"]}"]')
    run = found["chosen"]["run"]
    answers = page.css_first(f'a[href="/series/{cell["series"]}/ticks/{run}"]')
    assert f"{cell['marked']} marked" in answers.text()


def test_the_csv_has_every_system(viewer, sqlite_archive):
    found = api(viewer)
    rows = list(csv.DictReader(io.StringIO(viewer.get("/stereotypes.csv").text)))
    known = rates(sqlite_archive, found["chosen"]["run"])
    assert {(row["engine"], row["target"], int(row["stereotype"])) for row in rows} == set(known)
    for row in rows:
        value = known[row["engine"], row["target"], int(row["stereotype"])]["value"]
        assert row["value"] == ("" if value is None else str(value))


def test_an_embargo_hides_a_system_from_the_public(archive, make_client, clock):
    viewer = make_client(archive, Role.VIEWER)
    assert TWO in {one["engine"] for one in api(viewer)["systems"]}
    with archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": TWO}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(archive, entry=EntryRule.PUBLIC)
    engines = {one["engine"] for one in api(public)["systems"]}
    assert engines
    assert TWO not in engines
    assert "two.test" not in public.get("/stereotypes.csv").text
    assert TWO in {one["engine"] for one in api(viewer)["systems"]}


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("run=0", 422), ("run=x", 422), ("run=99999999999999999999", 422), ("by=-1", 422),
        ("page=0", 422), ("list=%00", 400), ("run=999999", 200), ("list=%3Cscript%3E", 200),
        ("by=9223372036854775807", 200),
    ],
)  # fmt: skip
def test_whatever_is_asked_has_an_answer(viewer, query, status):
    for path in ("/stereotypes", "/api/v1/stereotypes"):
        assert viewer.get(f"{path}?{query}").status_code == status


def test_an_empty_archive_says_so(sqlite_database, make_client):
    client = make_client(sqlite_database, Role.VIEWER)
    text = client.get("/stereotypes").text
    assert "There is no run yet that asks about stereotypes" in text
    assert "monitor run jobs/demo.toml" in text
    assert client.get("/stereotypes.csv").status_code == 404


def test_what_no_point_says_is_not_nought(sqlite_archive, viewer):
    with sqlite_archive.begin() as connection:
        connection.execute(sa.delete(point_facts))
    found = api(viewer)
    cells = [cell for row in found["stereotypes"] for cell in row["cells"] if cell]
    assert {cell["marked"] for cell in cells} == {None}
    assert "marked not known" in viewer.get("/stereotypes").text
