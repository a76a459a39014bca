"""Word lists: those that ship, and those of one's own with what is wrong with them."""

import csv

import pytest

from monitor.corpus.bias import first_order
from monitor.corpus.concepts import (
    Concepts,
    default_concepts,
    occupation_groups,
    read_concepts,
)
from monitor.corpus.pmi import Pmi
from monitor.model import InvalidInput
from tests.cases import check_each
from tests.corpus.small import cooccurrences

HEADER = "list,group,word,partner\n"


def test_the_shipped_lists_are_those_of_the_supplement(reference_data):
    with (reference_data / "data" / "first_order_words.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shipped = default_concepts()
    listed = {name: [r["word"] for r in rows if r["list"] == name] for name in ("female", "male")}
    assert (list(shipped.women), list(shipped.men)) == (listed["female"], listed["male"])
    pairs = [(row["pair"], row["word"]) for row in rows if row["list"] == "pair"]
    assert list(shipped.pairs) == pairs
    names = {
        "occupation_female": "women",
        "occupation_male": "men",
        "occupation_neutral": "neutral",
    }
    groups = {row["word"]: names[row["list"]] for row in rows if row["list"] in names}
    assert occupation_groups() == groups
    assert list(shipped.occupations) == list(groups)


def test_a_change_of_any_list_changes_the_digest():
    plain = Concepts.of(["she"], ["he"], [("she", "he")], ["nurse"])
    others = [
        Concepts.of(["she", "her"], ["he"], [("she", "he")], ["nurse"]),
        Concepts.of(["she"], ["he", "him"], [("she", "he")], ["nurse"]),
        Concepts.of(["she"], ["he"], [("her", "him")], ["nurse"]),
        Concepts.of(["she"], ["he"], [("she", "he")], ["cook"]),
    ]
    assert len({plain.digest, *(one.digest for one in others)}) == 5
    assert plain.swapped == Concepts(("he",), ("she",), (("he", "she"),), ("nurse",))


def test_lists_of_ones_own_are_read(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(
        f"{HEADER}concept,women,girl,\nconcept,women,girl,\nconcept,men,boy,\n"
        "pair,women,girl,boy\noccupation,,nurse,\n",
        encoding="utf-8",
    )
    assert read_concepts(path) == Concepts(("girl",), ("boy",), (("girl", "boy"),), ("nurse",))


@check_each(
    ("text", "message"),
    [
        ("list,word\n", "own.csv: column group is missing; needed are list, group, word, partner"),
        (f"{HEADER}names,women,ann,\n", "line 2: list is 'names'; known: concept, pair, occ"),
        (f"{HEADER}concept,girls,ann,\n", "line 2: group is 'girls'; for the list concept known"),
        (f"{HEADER}concept,women,,\n", "line 2: a word is missing"),
        (f"{HEADER}pair,women,girl,\n", "line 2: a word is missing"),
        (f"{HEADER}concept,women,girl,\n", "own.csv: concept words: none for men; name at least"),
        (f"{HEADER}concept,women,girl\nconcept,men,Boy", "'Boy' is not one word of letters and"),
        (f"{HEADER}concept,women,a\nconcept,men,a", "'a' stands for women and for men"),
        (f"{HEADER}concept,women,a\nconcept,men,b\npair,women,a,a", "'a' is paired with itself"),
    ],
)
def test_what_is_wrong_with_lists_is_named(tmp_path, text, message):
    path = tmp_path / "own.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as raised:
        read_concepts(path)
    assert message in str(raised.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"none\.csv: no such file"):
        read_concepts(tmp_path / "none.csv")


def test_an_accented_word_is_found_in_texts_without_accents():
    listed = Concepts.of(["she", "fiancée"], ["he", "fiancé"], [("fiancée", "fiancé")])

    def spelt(*words):
        return listed.spelt(lambda asked: [word for word in asked if word in words])

    plain = spelt("she", "he", "fiancee", "fiance")
    assert (plain.women, plain.men) == (("she", "fiancee"), ("he", "fiance"))
    assert plain.pairs == (("fiancee", "fiance"),)
    # Where the accented form is known, it is meant; one that is not known in either is missing.
    assert spelt("she", "he", "fiancée", "fiancé", "fiancee", "fiance") is listed
    assert spelt("she", "he") is listed
    assert spelt("fiancée", "fiance").men == ("he", "fiance")


def test_biases_of_texts_without_accents_are_those_of_texts_with_them():
    text = "she fiancée nurse he fiance smith she nurse nurse fiancée smith he fiance fiance smith"
    concepts = Concepts.of(["she", "fiancée"], ["he", "fiance"], [("fiancée", "fiance")])

    def biases(text):
        of = cooccurrences([text.split()] * 3)
        return first_order(Pmi(of), ["nurse", "smith"], concepts, floor=None).values

    with_accents = biases(text)
    assert with_accents == biases(text.replace("é", "e"))
    assert set(with_accents) == {"nurse", "smith"}
