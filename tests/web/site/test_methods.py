"""How numbers are computed: every measure has its card, and versions are those of the archive."""

import math

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor import registry
from monitor.model import Kind
from monitor.roles import Role
from monitor.store.reports import run_report
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

MEASURES = sorted(registry.discover("measures"))


@pytest.fixture
def client(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def api(client, path):
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_everything_that_is_registered_is_listed(client):
    found = api(client, "/methods")
    assert [one["page"] for one in found["measures"]] == MEASURES
    assert all(one["summary"] for one in found["measures"])
    assert {one["code"] for one in found["languages"]} == set(registry.discover("languages"))
    assert {one["name"] for one in found["references"]} == set(registry.discover("references"))
    readers = registry.discover("entities")
    decides = {one["code"]: one["decides"] for one in found["named_persons"]}
    assert decides == {code: reader.decides for code, reader in readers.items()}
    assert all(one["used"] == [] for one in found["named_persons"])  # the archive asks of speakers
    assert found["lexicons"][0]["words"] > 1000
    page = HTMLParser(client.get("/methods").text)
    for sentence in decides.values():
        assert sentence in page.text()
    for name in MEASURES:
        assert page.css_first(f'a[href="/methods/{name}"]')


def test_each_measure_has_its_formula_its_source_and_its_card(client):
    for name, one in registry.discover("measures").items():
        check_page(client, name, one)


def check_page(client, name, one):
    found = api(client, f"/methods/{name}")
    assert found["description"]
    assert found["citation"] == one.citation
    assert found["card"]["does_not_mean"] == one.validity.does_not_mean
    assert {row["name"]: row["low"] for row in found["quantities"]} == {
        known.name: known.low if math.isfinite(known.low) else None for known in one.quantities
    }
    words = " ".join(HTMLParser(client.get(f"/methods/{name}").text).text().split())
    for said in (one.validity.means, one.validity.assumes, one.validity.harm, one.citation):
        assert " ".join(said.split()) in words
    for parameter in one.parameters:
        assert parameter in words
    assert "inf" not in {end for row in found["quantities"] for end in (row["low"], row["high"])}


@ON_BOTH
def test_versions_are_those_that_the_archive_used(archive, make_client):
    found = api(make_client(archive, Role.VIEWER), "/methods")
    used = {one["page"]: one["used"] for one in found["measures"]}
    with archive.read() as connection:
        parts = [
            row["parts"] for row in run_report.read_rows(connection, "SELECT parts FROM signatures")
        ]
    versions = {one["measure_version"] for one in parts if one["measure"] == "masculine_rate"}
    assert used["masculine_rate"] == sorted(versions)
    assert used["c_ratio_bias_search"] == [registry.measure("c_ratio_bias", Kind.SEARCH).version]
    assert used["texfair"] == []
    languages = {one["code"]: one["used"] for one in found["languages"]}
    assert languages["cs"] == sorted(
        {one["language_version"] for one in parts if one.get("language") == "cs"}
    )
    references = {one["name"]: one["used"] for one in found["references"]}
    assert references["us_labour"]


def test_names_are_found_however_they_are_written(client):
    assert client.get("/methods/NFaiRR").status_code == 200
    found = api(client, "/methods/c_ratio_bias")
    assert found["twin"] == "c_ratio_bias_search"


@pytest.mark.parametrize(("name", "status"), [("gone", 404), ("a-b", 422), ("x" * 101, 422)])
def test_other_names_are_refused(client, name, status):
    assert client.get(f"/methods/{name}").status_code == status
    assert client.get(f"/api/v1/methods/{name}").status_code == status


def test_everybody_reads_them_but_labellers(sqlite_archive, make_client):
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert public.get("/methods/masculine_rate").status_code == 200
    labeller = make_client(sqlite_archive, Role.LABELLER)
    assert labeller.get("/methods").status_code == 403
