"""Nouns of English and kinds of its words, after WordNet 3.0.

The lemmas of a lower-case word are those of the irregular forms (women -> woman), what is left when
an ending is taken off, where that is a noun, and the word itself where it is one. A word without
any is its own lemma. The tables are read when the first word is looked up.
Words and phrases are in lower case.
"""

import gzip
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

#: An ending and what takes its place (WordNet, morphy(7WN)).
_ENDINGS = tuple(
    pair.split("/") for pair in "s/ ses/s ves/f xes/x zes/z ches/ch shes/sh men/man ies/y".split()
)
_REMEMBERED = 1 << 16


@dataclass(frozen=True, slots=True)
class _NounTable:
    nouns: frozenset[str]
    lemmas: dict[str, tuple[str, ...]]  # of irregular forms
    forms: dict[str, tuple[str, ...]]  # irregular ones, of lemmas


@cache
def _load_table() -> _NounTable:
    packed = files("monitor.data").joinpath("english_nouns.txt.gz").read_bytes()
    _notice, nouns, irregular = gzip.decompress(packed).decode("ascii").split("\n\n")
    lemmas: dict[str, tuple[str, ...]] = {}
    forms: dict[str, tuple[str, ...]] = {}
    for line in irregular.splitlines():
        form, lemma = line.split()
        lemmas[form] = (*lemmas.get(form, ()), lemma)
        forms[lemma] = (*forms.get(lemma, ()), form)
    return _NounTable(frozenset(nouns.split("\n")), lemmas, forms)


def is_noun(word: str) -> bool:
    """Return whether a lower-case word is the lemma of a noun."""
    return word in _load_table().nouns


@lru_cache(maxsize=_REMEMBERED)
def noun_lemmas(word: str) -> frozenset[str]:
    """The noun lemmas of a lower-case word; the word alone where it has none."""
    table = _load_table()
    bases = {word, *table.lemmas.get(word, ())}
    bases.update(word[: -len(old)] + new for old, new in _ENDINGS if word.endswith(old))
    return frozenset(base for base in bases if base in table.nouns) or frozenset((word,))


def same_noun(a: str, b: str) -> bool:
    """Return whether two lower-case words are the same token or share a noun lemma."""
    return a == b or not noun_lemmas(a).isdisjoint(noun_lemmas(b))


def _inflect_lemma(lemma: str) -> set[str]:
    """Every word that could have a lemma: the rules backwards."""
    forms = {lemma, *_load_table().forms.get(lemma, ())}
    forms.update(lemma.removesuffix(new) + old for old, new in _ENDINGS if lemma.endswith(new))
    return forms


@lru_cache(maxsize=_REMEMBERED)
def same_nouns(word: str) -> frozenset[str]:
    """Every word that is the same noun as a lower-case word, itself among them."""
    lemmas = noun_lemmas(word)
    candidates = {word}.union(*map(_inflect_lemma, lemmas))
    return frozenset(form for form in candidates if same_noun(word, form))


def forms_to_exclude(query: Iterable[str], vocabulary: Container[str]) -> set[str]:
    """The words of a vocabulary that are the same noun as any token of a query.

    It takes a time that does not grow with a vocabulary that is a set or a dictionary.
    """
    return {form for token in query for form in same_nouns(token) if form in vocabulary}


# --- kinds of words -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kinds:
    capitals: frozenset[str]  # nouns that are written with a capital letter only
    others: frozenset[str]  # adjectives, adverbs and verbs that are no nouns
    persons: frozenset[str]  # nouns whose commonest sense is a person
    phrases: frozenset[str]  # names of several words that are never a person's
    places: frozenset[str]


@cache
def _load_kinds() -> _Kinds:
    packed = files("monitor.data").joinpath("english_word_kinds.txt.gz").read_bytes()
    _notice, *parts = gzip.decompress(packed).decode("ascii").split("\n\n")
    return _Kinds(*(frozenset(part.split("\n")) for part in parts))


def is_common(word: str) -> bool:
    """Return whether a word, or its singular, is written in small letters in English.

    A word with hyphens is, where all its parts are.
    """
    if "-" in word:
        return all(map(is_common, word.split("-")))
    table = _load_kinds()
    return word in table.others or any(
        is_noun(lemma) and lemma not in table.capitals for lemma in noun_lemmas(word)
    )


def is_person_noun(word: str) -> bool:
    """Return whether the commonest sense of a noun, or of its singular, is a person."""
    return not _load_kinds().persons.isdisjoint(noun_lemmas(word))


def is_thing_name(phrase: str) -> bool:
    """Return whether a phrase is the name of a place, an institution, a work or an event."""
    return phrase in _load_kinds().phrases


def is_place_name(word: str) -> bool:
    """Return whether a word is the name of a place and of no person."""
    return word in _load_kinds().places
