"""What the API answers about items: ranks, unknown values, merged and missing items."""

import contextlib
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import Answer, Outcome
from monitor.wikidata import entities
from monitor.wikidata.requests import NotReadable
from tests.cases import check_each

NOW = datetime(2026, 1, 5, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def answer(content):
    return Answer(Outcome.OK, NOW, 0.1, status=200, body=json.dumps(content).encode())


def statement(value, rank="normal"):
    if value in ("somevalue", "novalue"):
        return {"mainsnak": {"snaktype": value}, "rank": rank}
    snak = {"snaktype": "value", "datavalue": {"value": {"id": value}}}
    return {"mainsnak": snak, "rank": rank}


def entity(*statements):
    return {"claims": {"P21": list(statements)}}


@check_each(
    ("statements", "values"),
    [
        ([], ()),
        ([statement("Q1"), statement("Q2")], ("Q1", "Q2")),
        ([statement("Q1"), statement("Q2", "preferred")], ("Q2",)),
        ([statement("Q1", "deprecated")], ()),
        ([statement("Q1", "deprecated"), statement("Q2")], ("Q2",)),
        ([statement("somevalue")], ("somevalue",)),
        ([statement("novalue")], ()),
        ([statement("novalue", "preferred"), statement("Q1")], ()),
        ([statement("somevalue", "preferred"), statement("Q1")], ("somevalue",)),
        ([statement("Q1"), statement("Q1")], ("Q1",)),
    ],
)
def test_the_best_rank_counts(statements, values):
    assert entities.best_values(entity(*statements), "P21") == values


@check_each(
    "broken",
    [
        {},
        {"claims": None},
        {"claims": ["P21"]},
        {"claims": {"P21": {}}},
        {"claims": {"P21": [None]}},
        entity({"mainsnak": {"snaktype": "novalue"}}),
        entity({"rank": "normal"}),
        entity({"rank": "normal", "mainsnak": {"snaktype": "value"}}),
        entity(statement("Mozilla")),
    ],
)
def test_a_broken_claim_is_no_missing_gender(broken):
    with pytest.raises(NotReadable):
        entities.best_values(broken, "P21")


def test_php_writes_no_claims_as_a_list():
    assert entities.best_values({"claims": []}, "P21") == ()


def whole(item, **more):
    base = {"id": item, "claims": {"P31": [statement("Q5")]}, "labels": [], "aliases": []}
    return base | more


def test_merged_items_stand_under_the_id_that_was_asked_for():
    merged = whole("Q7", redirects={"from": "Q6", "to": "Q7"})
    for key in ("Q6", "Q7"):
        found = entities.read_entities(answer({"entities": {key: merged}}))
        assert found["Q6"].item == "Q7"


def test_missing_items_are_known_to_be_missing():
    content = {"entities": {"Q8": {"id": "Q8", "missing": ""}}}
    assert entities.read_entities(answer(content)) == {"Q8": None}


@check_each(
    "broken",
    [
        {"id": "Mozilla"},
        {"id": None},
        {"labels": {"en": {"value": 3}}},
        {"aliases": {"en": [{"language": "en"}]}},
        {"labels": None},
    ],
)
def test_a_broken_item_is_none(broken):
    with pytest.raises(NotReadable):
        entities.read_entities(answer({"entities": {"Q7": whole("Q7") | broken}}))


@check_each("links", [{}, {"enwiki": {}}, {"enwiki": {"title": None}}, None])
def test_an_item_without_the_article_is_none(links):
    content = {"entities": {"Q7": {"id": "Q7", "sitelinks": links}}}
    with pytest.raises(NotReadable):
        entities.read_sitelinks(answer(content), "enwiki")


def test_names_of_all_languages():
    texts = {"en": {"language": "en", "value": "Ada"}, "ar": {"language": "ar", "value": "آدا"}}
    aliases = {"en": [{"value": "Countess"}, {"value": "A. L."}]}
    content = {"entities": {"Q7": whole("Q7", labels=texts, aliases=aliases)}}
    found = entities.read_entities(answer(content))["Q7"]
    assert found.names == {"Ada", "آدا", "Countess", "A. L."}
    assert found.label == "Ada"


def test_the_label_for_all_languages_is_used():
    assert entities.chosen_label({"mul": "Ada", "ar": "آدا"}) == "Ada"
    assert entities.chosen_label({"pl": "Ada", "ar": "آدا"}) == "آدا"
    assert entities.chosen_label({}) == ""


@pytest.mark.parametrize("read", [entities.read_entities, entities.read_search])
def test_error_messages_come_with_status_200(read):
    with pytest.raises(NotReadable, match="maxlag: Waiting"):
        read(answer({"error": {"code": "maxlag", "info": "Waiting"}}))


@given(JSON)
def test_no_json_raises_anything_else(content):
    for wrapped in (
        content,
        {"entities": content},
        {"query": content},
        {"entities": {"Q1": content}},
    ):
        for read in (
            entities.read_entities,
            entities.read_search,
            lambda a: entities.read_sitelinks(a, "enwiki"),
        ):
            with contextlib.suppress(NotReadable):
                read(answer(wrapped))


def search(total, titles, **more):
    hits = [{"title": title} for title in titles]
    return answer({"query": {"searchinfo": {"totalhits": total}, "search": hits}} | more)


def test_a_search_says_whether_it_shows_all():
    assert entities.read_search(search(2, ["Q1", "Q2"])).is_whole
    assert not entities.read_search(search(3, ["Q1", "Q2"])).is_whole
    assert entities.read_search(search(0, [])).is_whole


@check_each(
    "broken",
    [
        search(1, ["Q1"], warnings={"search": {"warnings": "timed out, partial results"}}),
        search(0, ["Q1"]),
        search("1", ["Q1"]),
        search(1, ["Talk:Q1"]),
        answer({"query": {"search": []}}),
        answer({"batchcomplete": True}),
    ],
)
def test_a_search_that_may_lack_hits_is_none(broken):
    with pytest.raises(NotReadable):
        entities.read_search(broken)


def test_a_real_search_is_read(reference_data):
    body = (reference_data / "serps" / "wikidata" / "cirrus_search.json").read_bytes()
    found = entities.read_search(Answer(Outcome.OK, NOW, 0.1, status=200, body=body))
    assert found == entities.Hits(1, ("Q1",))
