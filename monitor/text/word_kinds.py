"""Kinds of English words, after WordNet 3.0: common words, nouns of persons, places and things.

Words and phrases are in lower case. The table is read when the first word is looked up.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from monitor.text.nouns import is_noun, noun_lemmas


@dataclass(frozen=True, slots=True)
class _KindTable:
    capitals: frozenset[str]  # nouns that are written with a capital letter only
    others: frozenset[str]  # adjectives, adverbs and verbs that are no nouns
    persons: frozenset[str]  # nouns whose commonest sense is a person
    phrases: frozenset[str]  # names of several words that are never a person's
    places: frozenset[str]


@cache
def _load_table() -> _KindTable:
    packed = files("monitor.data").joinpath("english_word_kinds.txt.gz").read_bytes()
    _notice, *parts = gzip.decompress(packed).decode("ascii").split("\n\n")
    return _KindTable(*(frozenset(part.split("\n")) for part in parts))


def is_common(word: str) -> bool:
    """Return whether a word, or its singular, is written in small letters in English.

    A word with hyphens is, where all its parts are.
    """
    if "-" in word:
        return all(map(is_common, word.split("-")))
    table = _load_table()
    return word in table.others or any(
        is_noun(lemma) and lemma not in table.capitals for lemma in noun_lemmas(word)
    )


def is_person_noun(word: str) -> bool:
    """Return whether the commonest sense of a noun, or of its singular, is a person."""
    return not _load_table().persons.isdisjoint(noun_lemmas(word))


def is_thing_name(phrase: str) -> bool:
    """Return whether a phrase is the name of a place, an institution, a work or an event."""
    return phrase in _load_table().phrases


def is_place_name(word: str) -> bool:
    """Return whether a word is the name of a place and of no person."""
    return word in _load_table().places
