"""Groups of terms: what ships, and what is refused."""

import csv
import json
import math

import pytest

from monitor.data import read_table
from monitor.model import InvalidInput
from monitor.text.terms import Terms, default_terms, entity_terms
from tests.cases import check_each


def test_terms_are_lower_case_and_in_the_order_given():
    terms = Terms.of({"b": ["Nurse", "SHE"], "a": ["King"]})
    assert terms.groups == (("b", frozenset({"nurse", "she"})), ("a", frozenset({"king"})))
    assert terms.names == ("b", "a")
    assert terms.targets == (0.5, 0.5)


def test_targets_follow_the_groups():
    groups = {"x": ["one"], "y": ["two"], "z": ["three"]}
    assert Terms.of(groups, {"z": 0.5, "x": 0.2, "y": 0.3}).targets == (0.2, 0.3, 0.5)
    assert math.isclose(sum(Terms.of(groups).targets), 1)
    assert Terms.of(groups, {"x": 0, "y": 0, "z": 1}).targets == (0.0, 0.0, 1.0)


GOOD = {"x": ["one"], "y": ["two"]}


@check_each(
    ("groups", "targets", "said"),
    [
        ({"x": ["one"]}, None, "at least two"),
        ({}, None, "at least two"),
        ({"x": ["one", "Both"], "y": ["both"]}, None, "'both' is in two groups: x and y"),
        ({"x": ["ex-wife"], "y": ["two"]}, None, "'ex-wife' is not one word"),
        ({"x": [""], "y": ["two"]}, None, "'' is not one word"),
        ({"x": [7], "y": ["two"]}, None, "7 is not one word"),
        ({"x": "one", "y": ["two"]}, None, "not the text 'one'"),
        ({"x": ["one"], "y": []}, None, "y: the list of terms is empty"),
        (GOOD, {"x": 1}, "the groups are x, y"),
        (GOOD, {}, "no group"),
        (GOOD, {"x": 0.5, "y": 0.5, "z": 0}, "the groups are x, y"),
        (GOOD, {"x": 0.5, "y": 0.4}, "not to 1"),
        (GOOD, {"x": 1.5, "y": -0.5}, "not within 0 and 1"),
        (GOOD, {"x": math.nan, "y": 0.5}, "not within 0 and 1"),
    ],
)
def test_what_cannot_be_used_is_refused(groups, targets, said):
    with pytest.raises(InvalidInput, match="terms: ") as refused:
        Terms.of(groups, targets)
    assert said in str(refused.value)


def test_targets_may_miss_one_by_rounding():
    thirds = {"x": 1 / 3, "y": 1 / 3, "z": 1 / 3}
    Terms.of({name: [name] for name in thirds}, thirds)
    with pytest.raises(InvalidInput):
        Terms.of(GOOD, {"x": 0.5, "y": 0.5 + 1e-8})


def test_the_digest_tells_terms_and_targets_apart_and_not_their_order():
    one = Terms.of({"x": ["a", "b"], "y": ["c"]})
    assert one.digest == Terms.of({"x": ["B", "a", "a"], "y": ["c"]}).digest
    assert one.digest != Terms.of({"x": ["a"], "y": ["c"]}).digest
    assert one.digest != Terms.of({"y": ["c"], "x": ["a", "b"]}).digest
    assert one.digest != Terms.of({"x": ["a", "b"], "y": ["c"]}, {"x": 0.4, "y": 0.6}).digest


def test_the_default_is_pronouns_and_nouns():
    terms = default_terms()
    women, men = (listed for _, listed in terms.groups)
    assert terms.names == ("women", "men")
    assert (len(women), len(men)) == (32, 32)
    assert {"she", "hers", "mother", "lady"} <= women
    assert {"he", "himself", "gentleman"} <= men
    assert not {"mary", "sydney", "christian", "john"} & (women | men)


def test_names_come_in_where_asked_for():
    women, men = (listed for _, listed in default_terms(names=True).groups)
    assert (len(women), len(men)) == (163, 163)
    assert {"mary", "sydney"} <= women
    assert {"christian", "john"} <= men


def test_sorts_of_the_table():
    rows = read_table("group_terms")
    pronouns = {row["word"] for row in rows if row["sort"] == "pronoun"}
    assert pronouns == set("she her hers herself he him his himself".split())
    assert {row["sort"] for row in rows} == {"pronoun", "noun", "name"}
    assert {row["group"] for row in rows} == {"women", "men"}


def test_entities_are_words_of_appendix_b():
    women, men = (listed for _, listed in entity_terms().groups)
    assert (len(women), len(men)) == (79, 87)
    assert {"ballerina", "ms", "wife"} <= women
    assert {"monk", "mr", "brethren"} <= men


def test_the_published_word_list(reference_data):
    published = json.loads((reference_data / "oracles" / "c1_nfairr_lee.json").read_text())
    women, men = (listed for _, listed in default_terms(names=True).groups)
    assert women == set(published["word_list"]["f"])
    assert men == set(published["word_list"]["m"])


def test_the_published_entities(reference_data):
    path = reference_data / "data" / "gender_entities_fabris_b.csv"
    with path.open(newline="") as handle:
        listed = [(row["word"], row["gender"]) for row in csv.DictReader(handle)]
    women, men = (listed for _, listed in entity_terms().groups)
    assert women == {word for word, gender in listed if gender == "f" and "-" not in word}
    assert men == {word for word, gender in listed if gender == "m" and "-" not in word}
