"""The occupations within occupations."""

from monitor.wikidata.facts import find_subclasses
from tests.standins import serve, wikidata
from tests.standins.wikidata import Wikidata, asker, services


def found_for(app, *occupations):
    with serve(app) as running:
        return find_subclasses(occupations, asker(), services(running)), running.requests


def test_an_occupation_is_within_itself():
    found, _ = found_for(Wikidata(within={"Q33999": ("Q10800557", "Q10798782")}), "Q33999", "Q1")
    assert found == {"Q33999": {"Q33999", "Q10800557", "Q10798782"}, "Q1": {"Q1"}}


def test_a_portion_that_failed_is_absent():
    occupations = [f"Q{n}" for n in range(100, 115)]
    found, sent = found_for(Wikidata(script=[wikidata.timed_out()]), *occupations)
    assert len(sent) == 2
    assert set(found) == set(sorted(occupations)[10:])


def test_nothing_is_asked_about_nothing():
    assert found_for(Wikidata(), "actor", "") == ({}, [])
