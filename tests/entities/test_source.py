"""The English source of a named person, and which words of a translation name whom."""

import pytest

from monitor.entities._persons import NounForm, NounGender, PersonKind, Source, read_source
from monitor.entities._reader import assign_mentions
from tests.cases import check_each

NOUNS = frozenset(
    {"nurse", "worker", "construction worker", "teacher", "child", "woman", "developer"}
)


@check_each(
    ("sentence", "entity", "index", "first", "noun", "kind", "plural"),
    [
        ("The nurse left.", "nurse", 1, 1, "nurse", PersonKind.NOUN, False),
        ("The nurse left.", "The nurse", None, 1, "nurse", PersonKind.NOUN, False),
        ("THE NURSE left.", "nurse", None, 1, "nurse", PersonKind.NOUN, False),
        ("The nurse's car broke.", "nurse", 1, 1, "nurse", PersonKind.NOUN, False),
        ("The nurses left.", "nurses", None, 1, "nurse", PersonKind.NOUN, True),
        ("The children left.", "children", None, 1, "child", PersonKind.NOUN, True),
        ("The construction worker left.", "construction worker", 1, 1, "construction worker",
         PersonKind.NOUN, False),
        ("A nurse met a nurse.", "nurse", 4, 4, "nurse", PersonKind.NOUN, False),
        ("A nurse met a nurse.", "nurse", None, 1, "nurse", PersonKind.NOUN, False),
        ("She left.", "She", 0, 0, "", PersonKind.PRONOUN, False),
        ("Then Morgan left.", "Morgan", 1, 1, "", PersonKind.NAME, False),
        ("The <F>nurse</F> left.", "nurse", 1, 1, "nurse", PersonKind.NOUN, False),
        ("The wainwright left.", "wainwright", 1, 1, "", PersonKind.OTHER, False),
    ],
)  # fmt: skip
def test_the_entity_is_found(sentence, entity, index, first, noun, kind, plural):
    source = read_source(sentence, entity, index, NOUNS)
    assert isinstance(source, Source)
    person = source.entity
    assert (person.first, person.noun, person.kind, person.plural) == (first, noun, kind, plural)


@check_each(
    ("sentence", "entity", "index", "reason"),
    [
        ("The nurse left.", "doctor", 1, "entity_not_in_source"),
        ("The nurse left.", "nurs", None, "entity_not_in_source"),
        ("The nurse left.", "", None, "no_entity"),
        ("The nurse left.", "...", None, "no_entity"),
        ("The nurse left.", "nurse", 3, "index_out_of_range"),
        ("The nurse left.", "nurse", -1, "index_out_of_range"),
        ("", "nurse", None, "entity_not_in_source"),
        ("", "nurse", 0, "index_out_of_range"),
    ],
)
def test_what_is_not_there_has_a_reason(sentence, entity, index, reason):
    assert read_source(sentence, entity, index, NOUNS) == reason


def test_the_other_persons_are_those_named_elsewhere():
    source = read_source(
        "The nurse told the construction worker that the teacher left.", "nurse", 1, NOUNS
    )
    assert [person.noun for person in source.others] == ["construction worker", "teacher"]


def forms(*nouns, plural=None):
    """What each word of a translation can be: names of nouns with `|` between, or nothing."""
    return [
        tuple(NounForm(noun, NounGender.MASCULINE, plural) for noun in word.split("|") if noun)
        for word in nouns
    ]


@check_each(
    ("entity", "words", "place"),
    [
        # one word each
        ("nurse", ("", "nurse", "", "teacher"), 1),
        # a word that both can be goes to the person who has no other
        ("nurse", ("", "nurse|teacher", "", "teacher"), 1),
        ("nurse", ("", "teacher", "", "nurse|teacher"), 3),
        # two words that both can be stand in the order of the source
        ("nurse", ("", "nurse|teacher", "", "nurse|teacher"), 1),
        ("teacher", ("", "nurse|teacher", "", "nurse|teacher"), 3),
        # the order of the translation may be another one
        ("teacher", ("", "teacher", "", "nurse"), 1),
        # one word that both can be: the nearest of both
        ("nurse", ("", "nurse|teacher", "", "", ""), 1),
        ("teacher", ("", "nurse|teacher", "", "", ""), None),
        ("teacher", ("", "", "", "", "nurse|teacher"), 4),
        ("teacher", ("", "nurse"), None),
    ],
)
def test_each_word_names_one_person(entity, words, place):
    source = read_source("The nurse met the teacher.", entity, None, NOUNS)
    claimed = assign_mentions(source, forms(*words))
    found = [at for at, person in claimed.items() if person is source.entity]
    assert found == ([] if place is None else [place])


def test_many_persons_take_no_time_that_grows_with_their_orders():
    sentence = " ".join(["nurse teacher worker"] * 30)
    source = read_source(sentence, "nurse", 45, NOUNS)
    claimed = assign_mentions(source, forms(*["nurse|teacher|worker"] * 90))
    assert len(claimed) == 90
    [place] = [at for at, person in claimed.items() if person is source.entity]
    assert place == pytest.approx(45, abs=1)
