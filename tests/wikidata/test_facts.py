"""Facts of items, from the query service and, where that does not know, from the API."""

import pytest

from monitor.wikidata.facts import look_up
from tests.cases import check_each
from tests.standins import faults, serve
from tests.standins import wikidata as standin
from tests.standins.wikidata import Item, Wikidata, asker, services

ADA = Item(
    "Q7259",
    "Ada Lovelace",
    aliases=("Ada Byron", 'the "Enchantress"'),
    genders=("Q6581072", ("Q6581097", "deprecated")),
    occupations=("Q170790", "Q82594"),
)
NOBODY = Item("Q90", "Nobody", genders=("somevalue",))
BOTH = Item("Q91", "Changed", genders=(("Q6581097", "normal"), ("Q1052281", "preferred")))


def looked_up(app, *items):
    with serve(app) as running:
        return look_up(items, asker(), services(running)), running.requests


def paths(sent):
    return [request.path for request in sent]


def test_both_services_say_the_same():
    ids = [ADA.id, NOBODY.id, BOTH.id]
    by_query, sent = looked_up(Wikidata([ADA, NOBODY, BOTH]), *ids)
    assert paths(sent) == ["/sparql"]
    by_api, sent = looked_up(Wikidata([ADA, NOBODY, BOTH], unindexed=ids), *ids)
    assert paths(sent) == ["/sparql", "/w/api.php"]
    assert by_query == by_api
    assert by_query["Q7259"].genders == ("Q6581072",)
    assert by_query["Q7259"].names == {"Ada Lovelace", "Ada Byron", 'the "Enchantress"'}
    assert by_query["Q90"].genders == ("somevalue",)
    assert by_query["Q91"].genders == ("Q1052281",)


def test_the_query_service_is_asked_for_no_more_than_is_needed():
    _, [request] = looked_up(Wikidata([ADA]), "Q7259")
    query = dict(request.form)["query"]
    assert query.count("wdt:") == 1 + 5  # the prefix, P31, P21, P106, P569, P570
    assert dict(request.headers)["accept"] == "application/sparql-results+json"


@pytest.mark.parametrize(
    "fault", [standin.timed_out(), standin.cut_short(), standin.qlever_exception(200)]
)
def test_the_api_stands_in_for_a_query_service_that_fails(fault):
    found, _ = looked_up(Wikidata([ADA], script=[fault]), "Q7259")
    assert found["Q7259"].item == "Q7259"


ABOUT = {"item": f"{standin.ENTITY}Q7259", "property": "http://www.wikidata.org/prop/direct/P21"}


@check_each(
    "row",
    [
        ABOUT,
        {"property": ABOUT["property"], "value": f"{standin.ENTITY}Q5"},
        ABOUT | {"item": "http://evil.test/Q7259", "value": f"{standin.ENTITY}Q5"},
        ABOUT | {"value": "female"},
    ],
)
def test_a_row_that_makes_no_sense_is_no_record(row):
    found, sent = looked_up(Wikidata([ADA], script=[standin.bindings([row])]), "Q7259")
    assert paths(sent) == ["/sparql", "/w/api.php"]
    assert found["Q7259"].genders == ("Q6581072",)


@pytest.mark.parametrize("fault", [standin.too_many(), standin.lagging(), faults.malformed()])
def test_what_nobody_answered_for_is_absent(fault):
    found, sent = looked_up(Wikidata([ADA], always=fault), "Q7259", "Q90")
    assert found == {}
    assert len(sent) == 2


def test_merged_and_deleted_items():
    found, _ = looked_up(Wikidata([ADA], merged={"Q5000": "Q7259"}), "Q5000", "Q6000", "Q7259")
    assert found["Q5000"] == found["Q7259"]
    assert found["Q6000"] is None


def test_many_items_take_few_requests():
    items = [Item(f"Q{n}", f"Person {n}") for n in range(1, 61)]
    found, sent = looked_up(Wikidata(items), *(item.id for item in items))
    assert len(found) == 60
    assert len(sent) == 3


def test_an_answer_that_is_too_long_is_asked_for_in_halves():
    items = [Item(f"Q{n}", "x" * 300_000) for n in range(1, 5)]
    app = Wikidata(items, unindexed=[item.id for item in items])
    with serve(app) as running:
        whole = asker(most_bytes=700_000)
        found = look_up([item.id for item in items], whole, services(running))
    assert set(found) == {"Q1", "Q2", "Q3", "Q4"}
    assert len(running.requests) == 1 + 3
