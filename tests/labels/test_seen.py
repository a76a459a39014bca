"""Whom an item shows: keys, and what names nobody."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.labels.shown_entities import ShownEntity, article_of, public_link, shown_entity
from monitor.model import Block, Item
from tests.cases import check_each

TILE = Item(1, "British mathematician", Block.CAROUSEL, title="Ada Lovelace")
WIKI = "https://en.wikipedia.org/wiki/Ada_Lovelace"


def organic(url, title="Ada Lovelace - Wikipedia"):
    return Item(3, "Countess of Lovelace was", Block.ORGANIC, url, title)


@check_each(
    ("entity", "key"),
    [
        ("/m/0291j3", "kg:/m/0291j3"),
        ("kg:/m/0291j3", "kg:/m/0291j3"),
        ("/g/11b6vqc7d_", "kg:/g/11b6vqc7d_"),
        ("Q7259", "wd:Q7259"),
        ("wd:Q7259", "wd:Q7259"),
        ("http://www.wikidata.org/entity/Q7259", "wd:Q7259"),
        ("", "name:ada lovelace|Q170790"),
        ('/m/" } #', "name:ada lovelace|Q170790"),
        ("/m/ABC", "name:ada lovelace|Q170790"),
        ("Q99999999999", "name:ada lovelace|Q170790"),
    ],
)
def test_the_key_says_how_it_is_known(entity, key):
    assert shown_entity(replace(TILE, entity=entity), ("Q170790",)).entity == key


@check_each(
    "url",
    [
        WIKI,
        "http://EN.m.wikipedia.org/wiki/ada_Lovelace?oldformat=1#Early_life",
        "https://en.wikipedia.org/wiki/Ada%20Lovelace",
        "https://en.wikipedia.org/wiki/Ada__Lovelace_",
        "https://en.wikipedia.org/w/index.php?title=Ada+Lovelace&action=view",
        "https://en.wikipedia.org/wiki/%E2%80%8EAda_Lovelace",
    ],
)
def test_links_to_an_article_are_one_entity(url):
    found = shown_entity(organic(url))
    assert found.entity == "wiki:en:Ada_Lovelace"
    assert found.name == "Ada Lovelace"
    assert found.annotation == ""


def test_other_languages_and_variants():
    assert (
        shown_entity(organic("https://zh.wikipedia.org/zh-tw/%E6%84%9B%E9%81%94")).entity
        == "wiki:zh:愛達"
    )
    assert article_of("wiki:en:2001:_A_Space_Odyssey") == ("en", "2001: A Space Odyssey")
    assert shown_entity(organic("https://en.wikipedia.org/wiki/Prince_(musician)")).name == "Prince"


@check_each(
    "url",
    [
        "https://www.imdb.com/name/nm0000001/",
        "https://en.wikipedia.org.evil.test/wiki/Ada_Lovelace",
        "https://en.wikipedia.org/wiki/Category:Mathematicians",
        "https://en.wikipedia.org/wiki/User_talk:Ada",
        "https://en.wikipedia.org/wiki/",
        "https://en.wikipedia.org/",
        "https://www.wikipedia.org/wiki/Ada_Lovelace",
        "https://en.wikipedia.org/wiki/%FF%FE",
        "https://en.wikipedia.org/wiki/A%7CB",
        "https://en.wikipedia.org/wiki/A%1FB",
        "https://en.wikipedia.org/wiki/" + "x" * 256,
        "https://[en.wikipedia.org/wiki/Ada",
        "https://en.wikipedia.org/w/index.php?" + "title=Ada&" * 60,
        "https://en.wikipedia.org/w/index.php?action=edit",
        "javascript:alert(1)//en.wikipedia.org/wiki/Ada",
        "",
    ],
)
def test_results_that_are_no_article_name_nobody(url):
    assert shown_entity(organic(url)) is None


@pytest.mark.parametrize("block", [Block.AD, Block.AI_OVERVIEW, Block.TRANSLATION])
def test_advertisements_and_written_texts_name_nobody(block):
    assert shown_entity(replace(TILE, block=block, url=WIKI, entity="Q7259")) is None


@check_each("title", ["", "  ", "…", "1984", "\u200e\u200f", "x" * 201, "Ada " * 2_500])
def test_what_is_no_name_names_nobody(title):
    assert shown_entity(replace(TILE, title=title)) is None


def test_a_panel_names_one_entity_and_its_facts_none():
    assert shown_entity(replace(TILE, block=Block.KNOWLEDGE)).entity.startswith("name:")
    assert shown_entity(replace(TILE, block=Block.KNOWLEDGE, rank=2, title="Born")) is None
    fact = replace(TILE, block=Block.KNOWLEDGE, rank=2, entity="/m/0291j3")
    assert shown_entity(fact).entity == "kg:/m/0291j3"


def test_names_are_one_key_however_they_are_written():
    spellings = [
        "Beyonc\u00e9  Knowles",
        "beyonce\u0301 KNOWLES",
        "\u200fBeyonc\u00e9\tKnowles\u200e",
    ]
    keys = {shown_entity(replace(TILE, title=one), ("Q2", "Q1", "Q2")).entity for one in spellings}
    assert keys == {"name:beyonc\u00e9 knowles|Q1,Q2"}


def test_diacritics_tell_people_apart():
    keys = {shown_entity(replace(TILE, title=one)).entity for one in ("Renée Roca", "Renee Roca")}
    assert len(keys) == 2


def test_a_name_cannot_pretend_to_have_an_occupation():
    assert shown_entity(replace(TILE, title="Ada|Q5")).entity != shown_entity(TILE, ("Q5",)).entity
    assert shown_entity(replace(TILE, title="Ada"), ("Q5",)).entity == "name:ada|Q5"
    assert shown_entity(replace(TILE, title="Ada|Q5")).entity == "name:ada|q5|"


def test_links_that_are_no_web_address_are_dropped():
    assert shown_entity(replace(TILE, url="javascript:alert(1)")).link == ""


@given(st.text(max_size=80), st.text(max_size=40), st.sampled_from(Block), st.text(max_size=20))
def test_no_text_raises(title, url, block, entity):
    for address in (url, f"https://en.wikipedia.org/wiki/{url}", f"https://{url}"):
        found = shown_entity(Item(1, title, block, address, title, entity))
        if found:
            found.entity.encode()
            assert found.kind in ("kg", "wd", "wiki", "name")
            assert "\0" not in found.entity + found.name + found.annotation


def test_links_for_raters_lead_to_articles_and_show_no_record():
    assert (
        public_link(ShownEntity('wiki:en:Ada_"L"', "Ada"))
        == "https://en.wikipedia.org/wiki/Ada_%22L%22"
    )
    by_item = public_link(ShownEntity("kg:/m/0291j3", "Ada"), "Q7259")
    assert by_item == "https://www.wikidata.org/wiki/Special:GoToLinkedPage/enwiki/Q7259"
    assert public_link(ShownEntity("wd:Q7259", "Ada")) == by_item
    assert (
        public_link(ShownEntity("name:ada|", "Ada", link="https://www.google.com/search?q=Ada"))
        == ""
    )
