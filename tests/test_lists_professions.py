"""The shipped lists for search engines, and the rules that form plurals."""

import csv
import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from monitor.data import read_table
from monitor.lists import load_list
from monitor.model import Cue
from monitor.references.us_labour import UsLabour
from monitor.resources import find_folder
from monitor.wikidata.occupations import NameDoubt, make_plural, make_slug, named_gender
from monitor.wikidata.requests import is_item
from tests.cases import check_each

LISTS = find_folder("jobs") / "lists"
SEARCH = load_list(LISTS / "professions-search@1.csv")
PATTERNS = load_list(LISTS / "professions-search-patterns@1.csv")
TRAITS = load_list(LISTS / "stereotype-search@1.csv")
TABLE = {row["occupation"]: row for row in read_table("occupations")}


def nouns():
    """{occupation: noun in the singular} as the key says it, where no table has it."""
    return {
        item.tags["occupation"]: TABLE.get(item.tags["occupation"], {}).get(
            "noun", item.tags["occupation"].replace("_", " ")
        )
        for item in SEARCH.items
    }


# --- professions ----------------------------------------------------------------------------------


def test_every_profession_is_one_question_about_people():
    assert len(SEARCH.items) == 856
    assert (SEARCH.cues, SEARCH.source_lang, SEARCH.status) == ((Cue.PEOPLE,), "en", "unvalidated")
    for item in SEARCH.items:
        plural_form = item.tags["plural"]
        assert item.text == f"list of {plural_form}"
        assert item.tags["pattern"].format(plural=plural_form) == item.text
        assert item.key == f"list-of-{make_slug(plural_form)}"
    for tag in ("occupation", "plural"):
        assert len({item.tags[tag] for item in SEARCH.items}) == len(SEARCH.items)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", item.tags["occupation"]) for item in SEARCH.items)


def test_every_occupation_of_the_tables_is_asked_under_its_own_key():
    by_key = {item.tags["occupation"]: item for item in SEARCH.items}
    assert set(TABLE) <= set(by_key)
    assert all(by_key[key].tags["plural"] == row["plural"] for key, row in TABLE.items())
    plurals = {row["plural"]: key for key, row in TABLE.items()}
    for item in SEARCH.items:
        assert plurals.get(item.tags["plural"], item.tags["occupation"]) == item.tags["occupation"]
    assert len(UsLabour().shares(by_key)) == len(TABLE)


def test_an_item_of_wikidata_is_well_formed_and_stands_once():
    items = [item.tags["wikidata"] for item in SEARCH.items if item.tags["wikidata"]]
    assert all(map(is_item, items))
    assert [item for item, times in Counter(items).items() if times > 1] == []
    assert len(items) == 636
    assert "636 of 856" in SEARCH.description


@check_each(
    ("occupation", "item"),
    [
        ("philosopher", "Q4964182"),
        ("mathematician", "Q170790"),
        ("writer", "Q36180"),
        ("actor", "Q33999"),
        ("politician", "Q82955"),
        ("nurse", "Q186360"),
        ("footballer", "Q937857"),
        ("carpenter", "Q154549"),
        ("doctor", ""),
    ],
)
def test_items_that_everybody_knows(occupation, item):
    (found,) = [one for one in SEARCH.items if one.tags["occupation"] == occupation]
    assert found.tags["wikidata"] == item


def test_a_word_that_names_a_gender_says_so():
    gendered = {item.tags["occupation"]: item.tags["gendered"] for item in SEARCH.items}
    assert set(gendered.values()) == {"", "women", "men"}
    assert {word for word, gender in gendered.items() if gender == "women"} == {
        "abbess",
        "ballerina",
        "geisha",
        "governess",
        "lady_in_waiting",
        "nun",
        "seamstress",
    }
    assert {word for word, gender in gendered.items() if gender == "men"} == {
        "abbot",
        "coachman",
        "cowboy",
        "friar",
        "handyman",
        "monk",
    }
    for occupation, noun in nouns().items():
        spoken = noun.replace("lady in waiting", "lady-in-waiting")
        assert named_gender(spoken) == gendered[occupation], noun


def test_the_patterns_ask_the_same_professions():
    def topic(item):
        return tuple(item.tags[tag] for tag in ("occupation", "plural", "wikidata", "gendered"))

    assert {topic(item) for item in PATTERNS.items} == {topic(item) for item in SEARCH.items}
    assert PATTERNS.cues == (Cue.PEOPLE,)
    per_topic = {}
    for item in PATTERNS.items:
        pattern = item.tags["pattern"]
        assert item.text == pattern.format(plural=item.tags["plural"])
        per_topic.setdefault((item.tags["field"] == "crime", topic(item)), set()).add(pattern)
    both, best = {"famous {plural}", "{plural}"}, {"best {plural}"}
    for (is_crime, _), patterns in per_topic.items():
        assert patterns == (both if is_crime else both | best)


def test_the_columns_are_in_the_same_order():
    columns = "key text occupation plural wikidata gendered field pattern".split()
    for name in ("professions-search@1", "professions-search-patterns@1"):
        with (LISTS / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
            assert next(csv.reader(handle)) == columns


# --- traits ---------------------------------------------------------------------------------------

FABRIS = {
    ("A.4", "agency"): "aggressive ambitious arrogant confident courageous critical decisive "
    "demanding hardworking independent possessive proud selfish strong stubborn",
    ("A.4", "communion"): "affectionate compassionate emotional generous honest nurturing outgoing "
    "patient polite romantic sensitive unselfish",
    ("A.5", "science"): "astronomy chemistry Einstein experiment NASA physics science technology",
    ("A.5", "arts"): "art dance drama literature novel poetry Shakespeare symphony",
    ("A.6", "career"): "business career corporation executive management office professional "
    "salary",
    ("A.6", "family"): "children cousin family home marriage parents relatives wedding",
}


def test_every_word_of_the_tables_is_asked_in_three_patterns():
    found = {}
    for item in TRAITS.items:
        place = (item.tags["table"], item.tags["pole"])
        found.setdefault(place, Counter())[item.tags["trait"]] += 1
    for place, words in FABRIS.items():
        assert found.pop(place) == dict.fromkeys(words.split(), 3)
    assert set(found) == {("", "")}
    assert set(found["", ""].values()) == {3}


def test_every_stereotype_is_asked():
    asked = {item.tags["stereotype"] for item in TRAITS.items} - {""}
    assert asked == {row["id"] for row in read_table("gest_stereotypes")}
    assert TRAITS.cues == (Cue.TERMS,)


def test_no_search_about_a_trait_speaks_of_women_or_men():
    gendered = re.compile(
        r"\b(wom[ae]n|m[ae]n|girls?|boys?|females?|males?|she|he|her|his|him|mothers?|fathers?|"
        r"ladies|lady|guys?|wives|wife|husbands?|sons?|daughters?)\b",
        re.IGNORECASE,
    )
    assert [item.text for item in TRAITS.items if gendered.search(item.text)] == []
    named = {item.tags["trait"] for item in TRAITS.items if item.tags["gender_neutral"] == "no"}
    assert named == {"Einstein", "Shakespeare"}
    assert {item.tags["gender_neutral"] for item in TRAITS.items} == {"yes", "no"}


def test_a_search_is_made_of_its_pattern():
    for item in TRAITS.items:
        pattern = item.tags["pattern"]
        if pattern != "phrase":
            before, _, after = pattern.partition("{trait}")
            assert item.text.startswith(before)
            assert item.text.endswith(after)
            stem = item.tags["trait"].removesuffix("y")
            assert stem in item.text


# --- plurals --------------------------------------------------------------------------------------


def test_the_rules_form_every_plural_of_the_list():
    assert SEARCH.items
    for item in SEARCH.items:
        noun = nouns()[item.tags["occupation"]]
        found = make_plural(noun)
        assert make_slug(found.text) == make_slug(item.tags["plural"]), noun
        assert found.doubt is NameDoubt.NONE, noun


@check_each(
    ("noun", "several"),
    [
        ("actor", "actors"),
        ("actress", "actresses"),
        ("coach", "coaches"),
        ("monarch", "monarchs"),
        ("eunuch", "eunuchs"),
        ("missionary", "missionaries"),
        ("essay", "essays"),
        ("hero", "heroes"),
        ("fisherwoman", "fisherwomen"),
        ("businessman", "businessmen"),
        ("shaman", "shamans"),
        ("German", "Germans"),
        ("human", "humans"),
        ("salesperson", "salespeople"),
        ("housewife", "housewives"),
        ("midwife", "midwives"),
        ("thief", "thieves"),
        ("chief", "chiefs"),
        ("chef de cuisine", "chefs de cuisine"),
        ("aide-de-camp", "aides-de-camp"),
        ("justice of the peace", "justices of the peace"),
        ("man-at-arms", "men-at-arms"),
        ("lady-in-waiting", "ladies-in-waiting"),
        ("attorney general", "attorneys general"),
        ("secretary-general", "secretaries-general"),
        ("brigadier general", "brigadier generals"),
        ("woman writer", "women writers"),
        ("fixer-upper", "fixer-uppers"),
        ("runner-up", "runners-up"),
        ("stand-up comedian", "stand-up comedians"),
        ("TV host", "TV hosts"),
        ("CEO", "CEOs"),
        ("children's writer", "children's writers"),
        ("Formula One driver", "Formula One drivers"),
    ],
)
def test_a_plural_without_doubt(noun, several):
    assert make_plural(noun) == (several, NameDoubt.NONE)


@check_each(
    ("noun", "several", "doubt"),
    [
        ("maestro", "maestros", NameDoubt.FOREIGN),
        ("salonnière", "salonnières", NameDoubt.FOREIGN),
        ("armed forces", "armed forces", NameDoubt.PLURAL),
        ("baker (trade)", "baker (trade)s", NameDoubt.PARTS),
        ("painter and sculptor", "painter and sculptors", NameDoubt.PARTS),
    ],
)
def test_a_doubtful_plural_says_why(noun, several, doubt):
    assert make_plural(noun).doubt is doubt
    if doubt is not NameDoubt.PARTS:
        assert make_plural(noun).text == several


@check_each(
    ("noun", "gender"),
    [
        ("policewoman", "women"),
        ("duchess", "women"),
        ("aviatrix", "women"),
        ("housewife", "women"),
        ("midwife", ""),
        ("witness", ""),
        ("barrister", ""),
        ("minister", ""),
        ("drag queen", ""),
        ("male nurse", "men"),
        ("policeman", "men"),
        ("shaman", ""),
        ("human", ""),
        ("altar boy", "men"),
        ("viking", ""),
        ("king of arms", "men"),
        ("chess player", ""),
    ],
)
def test_a_gender_is_read_from_the_word_alone(noun, gender):
    assert named_gender(noun) == gender


@given(st.text())
def test_any_text_has_a_plural(text):
    assert isinstance(make_plural(text).text, str)
    assert named_gender(text) in ("", "women", "men")
