"""What Russian and Ukrainian share: nouns, agreement with them, and the words that show a gender.

A language brings its declension, its pronouns and the endings of its past tense.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import Any

from monitor.data import read_toml
from monitor.entities._persons import NounForm, NounGender, Person, Source
from monitor.entities._reader import (
    LETTERS,
    Evidence,
    SteppedReader,
    Token,
    choose_nearest,
    find_pair,
    is_alone,
)
from monitor.languages._plain_text import Script
from monitor.model import Gender

_WORD = re.compile(rf"{LETTERS}(?:[-'’ʼ]{LETTERS})*")
#: Masculine nouns in the nominative singular: a consonant, but no ending of another case.
_NOMINATIVE = re.compile(r"[^аеєиіїоуыэюя\W](?<![оеєиіыїуюя]м)(?<!ах|ях|ов|ів|сь)$")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_PARTICIPLE = re.compile("[аеєияо]н[ао]$|[аеуиыя]та$")  # a passive, whose agent follows
_APOSTROPHES = {ord(sign): "'" for sign in "’ʼ"}
_STRESS = re.compile("[\u0300\u0301]")
_INCLUSIVE = re.compile(r"[*:_/·(]-?(?:[^\W\d_]{0,6}(?:ца|ця|ка|ша|ня|на|а|я|ки|ці|цы))\b\)?")
_FARTHEST_VERB = 3
_FARTHEST_SUBJECT = 9  # words before an office
_SHORTEST_ATTRIBUTE = 4


@dataclass(frozen=True)
class SlavicWords:
    """The closed classes of a language. Values are folded words."""

    pronouns: dict[str, Gender]
    attributes: dict[str, Gender]  # endings of adjectives and determiners in the singular
    determiners: dict[str, Gender]
    ambiguous: tuple[str, ...]  # endings of determiners that are feminine or something else
    feminine_attribute: tuple[str, ...]  # endings of the feminine nominative
    women: tuple[str, ...]  # stems that begin a compound of women: женщина-врач
    no_person: frozenset[str]  # nouns for persons that are other words more often
    becoming: frozenset[str]  # feminine past tense with the instrumental of a profession
    offices: frozenset[str]  # words before the genitive of a profession
    instrumental: tuple[str, ...]  # endings
    adjectival: tuple[str, ...]  # endings of nouns that are adjectives otherwise
    adjectives: dict[str, Gender]  # stems of words for "female" and "male"
    past: dict[str, Gender]  # endings of the past tense
    no_verb: frozenset[str]  # nouns that end like a past tense
    verbs: dict[str, Gender]  # past tense of consonant stems, short adjectives
    adverbs: frozenset[str]  # that stand between subject and verb
    function_words: frozenset[str]
    foreign_words: frozenset[str]  # of neighbour languages
    foreign_letters: frozenset[str]
    joiners: frozenset[str]
    prepositions: frozenset[str]
    plurals: dict[str, str]  # irregular forms of nouns
    stems: dict[str, str]
    singulars: dict[str, str] = field(default_factory=dict)
    fold_letters: dict[str, str] = field(default_factory=dict)


def read_slavic_words(name: str) -> SlavicWords:
    """Return the word lists of `monitor/data/<name>.toml`."""
    data = read_toml(name)
    lists: dict[str, Any] = {
        field.name: _convert(field.type, data[field.name])
        for field in fields(SlavicWords)
        if field.name in data
    }
    return SlavicWords(**lists)


def _convert(kind: object, value: Any) -> object:  # noqa: ANN401 - as TOML has it
    """Return a list of the kind that its field has."""
    if kind == dict[str, Gender]:
        return _read_genders(**value)
    if kind == dict[str, str]:
        return value
    return tuple(value.split()) if kind == tuple[str, ...] else frozenset(value.split())


def _read_genders(masculine: str, feminine: str) -> dict[str, Gender]:
    """Return {word: its gender} of two lists of words."""
    words = dict.fromkeys(masculine.split(), Gender.MASCULINE)
    return words | dict.fromkeys(feminine.split(), Gender.FEMININE)


class EastSlavicReader(SteppedReader):
    """Reader of a language of the East Slavic group."""

    script = Script.CYRILLIC
    words: SlavicWords

    def fold(self, form: str) -> str:
        """Return `form` in small letters, composed, without marks of stress."""
        composed = unicodedata.normalize("NFC", form.casefold()).translate(_APOSTROPHES)
        return _STRESS.sub("", composed).translate(self._letters)

    def tokenize(self, text: str) -> list[Token]:
        """Return the words of `text` in order; a compound has its parts among its keys."""
        return [
            Token(match[0], match.start(), match.end(), *self._keys(match[0]))
            for match in _WORD.finditer(text)
        ]

    @cached_property
    def _keys(self) -> Callable[[str], tuple[str, tuple[str, ...]]]:
        return lru_cache(maxsize=65536)(self._find_keys)

    def _find_keys(self, word: str) -> tuple[str, tuple[str, ...]]:
        key = self.fold(word)
        if "-" not in word:
            return key, (key,)
        return key, (key, *key.split("-"))

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether the words are of this language and of no neighbour."""
        own = foreign = 0
        for token in tokens:
            if token.key in self.words.function_words:
                own += 1
            elif token.key in self.words.foreign_words or not self.words.foreign_letters.isdisjoint(
                token.key
            ):
                foreign += 1
        if own or foreign:
            return own >= foreign
        return any(_CYRILLIC.match(token.key) for token in tokens)

    def _forms_at(self, token: Token) -> tuple[NounForm, ...]:
        """Return what a word or a part of a compound can be: "женщина-врач"."""
        if len(token.keys) == 1:
            return self.table.forms.get(token.key, ())
        forms = [form for key in token.keys for form in self.table.forms.get(key, ())]
        return tuple(dict.fromkeys(forms))

    @cached_property
    def _letters(self) -> dict[int, str]:
        return str.maketrans(self.words.fold_letters)

    # --- agreement -------------------------------------------------------------------------------

    def outweighs(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> Evidence | None:
        """Return what calls the person of a masculine noun a woman.

        Her verb or attribute ("врач сказала", "наша врач"), or, where the source names nobody
        else, a pronoun ("она стала председателем").
        """
        key = tokens[place].key
        if "-" in key and key.startswith(self.words.women):
            return Evidence(place, Gender.FEMININE, "compound")
        forms = self._forms_at(tokens[place])
        if any(form.gender is not NounGender.MASCULINE for form in forms):
            return None
        beside = self._feminine_beside(tokens, place) or self._feminine_role(tokens, place)
        if beside or claimed or not is_alone(source):
            return beside
        items = choose_nearest(
            self.pronouns(source, tokens) or self._verbs(tokens), source, len(tokens)
        )
        return items[0] if items and items[0].gender is Gender.FEMININE else None

    def _feminine_role(self, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return the feminine verb of a role: "она работала инженером", "заняла пост министра"."""
        if self._is_office(tokens, place):
            return self._feminine_before(tokens, place)
        if not tokens[place].key.endswith(self.words.instrumental):
            return None
        for verb in range(place - 1, max(-1, place - 2 - _FARTHEST_VERB), -1):
            key = tokens[verb].key
            if key in self.words.prepositions or _PARTICIPLE.search(key):
                return None
            if key in self.words.becoming:
                return Evidence(verb, Gender.FEMININE, "verb", last=place)
        return None

    def _is_office(self, tokens: Sequence[Token], place: int) -> bool:
        """Return whether the noun names an office: "в качестве инженера", "пост министра"."""
        before = [token.key for token in tokens[max(0, place - 2) : place]]
        return any(key in self.words.offices for key in before)

    def _feminine_before(self, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return the nearest pronoun or verb before `place` if it is feminine."""
        for subject in range(place - 1, max(-1, place - 1 - _FARTHEST_SUBJECT), -1):
            gender = self.words.pronouns.get(tokens[subject].key) or self._verb(tokens[subject])
            if gender:
                feminine = gender is Gender.FEMININE
                return Evidence(subject, gender, "office", last=place) if feminine else None
        return None

    def _feminine_beside(self, tokens: Sequence[Token], place: int) -> Evidence | None:
        if not _NOMINATIVE.search(tokens[place].key):
            return None
        before = tokens[place - 1] if place else None
        if before and (
            (
                self.words.determiners.get(before.key) is Gender.FEMININE
                and not before.key.endswith(self.words.ambiguous)
            )
            or (
                before.key.endswith(self.words.feminine_attribute)
                and len(before.key) > _SHORTEST_ATTRIBUTE
                and not self._forms_at(before)
            )
        ):
            return Evidence(place - 1, Gender.FEMININE, "attribute", last=place)
        if before and self._verb(before) is Gender.FEMININE:
            subject = tokens[place - 2] if place > 1 else None
            if not subject or not (self._forms_at(subject) or subject.key in self.words.pronouns):
                return Evidence(place - 1, Gender.FEMININE, "verb")
        for verb in range(place + 1, min(len(tokens), place + 1 + _FARTHEST_VERB)):
            if tokens[verb].start - tokens[verb - 1].end != 1:
                break
            if self._verb(tokens[verb]) is Gender.FEMININE:
                return Evidence(verb, Gender.FEMININE, "verb")
            if tokens[verb].key not in self.words.adverbs and not tokens[verb].text[0].isupper():
                break
        return None

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return attributes before the noun, else the past tense beside it."""
        key = tokens[place].key
        if "-" in key and key.startswith(self.words.women):
            return [Evidence(place, Gender.FEMININE, "compound")]
        nominative = key[-1] in "ая"
        item = self._attribute_before(tokens, place, nominative=nominative)
        if not item and not (place and tokens[place - 1].key in self.words.prepositions):
            item = self._verb_beside(tokens, place, nominative=nominative)
        return [item] if item else []

    def _attribute_before(
        self, tokens: Sequence[Token], place: int, *, nominative: bool
    ) -> Evidence | None:
        gender = self._attribute(tokens[place - 1].key) if place else None
        if not gender:
            return None
        if nominative and tokens[place - 1].key.endswith("ой"):  # молодой судья
            gender = Gender.MASCULINE
        return Evidence(place - 1, gender, "attribute", last=place)

    def _verb_beside(
        self, tokens: Sequence[Token], place: int, *, nominative: bool
    ) -> Evidence | None:
        before = self._verb(tokens[place - 1]) if place and nominative else None
        if before:
            return Evidence(place - 1, before, "verb")
        for verb in range(place + 1, min(len(tokens), place + 1 + _FARTHEST_VERB)):
            if tokens[verb].start - tokens[verb - 1].end > 1:
                break
            gender = self._verb(tokens[verb])
            if gender:
                return Evidence(verb, gender, "verb")
            if tokens[verb].key not in self.words.adverbs:
                break
        return None

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return INCLUSIVE for "учитель_ница", BOTH for "учитель или учительница"."""
        after = _INCLUSIVE.match(text, tokens[place].end)
        if after:
            whole_word = place + 1 < len(tokens) and bool(self._forms_at(tokens[place + 1]))
            if not whole_word:
                both = after[0][0] in "(/"
                gender = Gender.BOTH if both else Gender.INCLUSIVE
                last = min(len(tokens) - 1, place + 1)
                return Evidence(place, gender, "ending", last=last)
        if not any(token.key in self.words.joiners for token in tokens) and "/" not in text:
            return None
        forms = [self._forms_at(token) for token in tokens]
        return find_pair(text, tokens, place, forms, self.words.joiners, self.words.determiners)

    # --- evidence without the noun ---------------------------------------------------------------

    def pronouns(self, source: Source, tokens: Sequence[Token]) -> list[Evidence]:
        """Return the forms of he and she, and their possessives."""
        del source
        words = self.words.pronouns
        return [
            Evidence(place, words[token.key], "pronoun")
            for place, token in enumerate(tokens)
            if token.key in words
        ]

    def weaker(self, tokens: Sequence[Token]) -> list[list[Evidence]]:
        """Return the past tense."""
        return [self._verbs(tokens)]

    def noun_evidence(
        self, tokens: Sequence[Token], place: int, forms: tuple[NounForm, ...]
    ) -> Evidence | None:
        """Return the gender of a noun that is no adjective, or of the words beside it."""
        key = tokens[place].key
        if "-" in key and key.startswith(self.words.women):
            return Evidence(place, Gender.FEMININE, "compound")
        if key.endswith(self.words.adjectival) or key in self.words.no_person:
            return None
        item = super().noun_evidence(tokens, place, forms)
        if item and item.gender is Gender.MASCULINE:
            return self._feminine_beside(tokens, place) or item
        return item

    def _verbs(self, tokens: Sequence[Token]) -> list[Evidence]:
        return [
            Evidence(place, gender, "verb")
            for place, token in enumerate(tokens)
            if (gender := self._verb(token))
        ]

    def _attribute(self, key: str) -> Gender | None:
        if key in self.words.determiners:
            return self.words.determiners[key]
        if key in self.table.forms:
            return None
        for length in (3, 2):
            gender = self.words.attributes.get(key[-length:])
            if gender and len(key) > length + 2:
                return gender
        return None

    def _verb(self, token: Token) -> Gender | None:
        """Return the gender of a past tense or a short adjective."""
        key = token.key
        gender = self.words.verbs.get(key)
        if gender:
            return gender
        if token.text[0].isupper() and token.start:
            return None
        for ending, gender in self.words.past.items():
            if key.endswith(ending) and len(key) > len(ending) + 1:
                return None if key in self.words.no_verb or key in self.table.forms else gender
        return None
