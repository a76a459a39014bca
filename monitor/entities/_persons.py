"""Persons of a sentence: the tables of person nouns, and the English source that names them.

A line of a table is

    teacher, schoolteacher: maestro/maestra profesor/profesora =docente

`a/b` are the masculine and the feminine, `a/` is a masculine alone, `/b` a feminine alone, `=c` one
form for both, whose article or attribute tells, `!d` a noun whose gender says nothing of the person
(`víctima`). Of a translation of several words the one that is inflected stands alone (`obrero`).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib import resources

from monitor.data import read_words
from monitor.model import InvalidInput


class NounGender(StrEnum):
    """The gender that a form of a noun names."""

    MASCULINE = "masculine"
    FEMININE = "feminine"
    COMMON = "common"  # one form for both
    FIXED = "fixed"  # the same whoever is meant


@dataclass(frozen=True, slots=True)
class NounForm:
    """A reading of a form of the target language: an English noun, its gender and number."""

    noun: str
    gender: NounGender
    plural: bool | None = None


#: All forms of a lemma of that gender: (form, whether it is plural, None where it can be both).
Inflect = Callable[[str, NounGender], Iterable[tuple[str, bool | None]]]


@dataclass(slots=True)
class NounTable:
    """The person nouns of one language. `forms` maps each folded form to what it can be."""

    nouns: frozenset[str] = frozenset()
    forms: dict[str, tuple[NounForm, ...]] = field(default_factory=dict)


#: Languages with the same English nouns share one set: caches then compare it by identity.
_NOUN_SETS: dict[frozenset[str], frozenset[str]] = {}


def load_table(code: str, inflect: Inflect, fold: Callable[[str], str]) -> NounTable:
    """Read `data/entity_nouns_CODE.txt`. Raises InvalidInput naming a line that cannot be read."""
    file = resources.files("monitor.data").joinpath(f"entity_nouns_{code}.txt")
    entries: dict[str, list[tuple[str, NounGender]]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        english, colon, translations = content.partition(":")
        if not colon or not translations.strip():
            raise InvalidInput(f"{file.name}, line {number}: {line!r}; write english: translations")
        lemmas = [pair for word in translations.split() for pair in _lemmas(word)]
        for noun in english.split(","):
            entries.setdefault(noun.strip(), []).extend(lemmas)
    return _index(entries, inflect, fold)


def _lemmas(word: str) -> list[tuple[str, NounGender]]:
    if word[0] in "=!":
        return [(word[1:], NounGender.COMMON if word[0] == "=" else NounGender.FIXED)]
    masculine, _, feminine = word.partition("/")
    pairs = ((masculine, NounGender.MASCULINE), (feminine, NounGender.FEMININE))
    return [(lemma, gender) for lemma, gender in pairs if lemma]


def _index(
    entries: Mapping[str, list[tuple[str, NounGender]]],
    inflect: Inflect,
    fold: Callable[[str], str],
) -> NounTable:
    forms: dict[str, dict[NounForm, None]] = {}
    for noun, lemmas in entries.items():
        for lemma, gender in lemmas:
            for form, plural in inflect(lemma, gender):
                forms.setdefault(fold(form), {})[NounForm(noun, gender, plural)] = None
    nouns = frozenset(entries)
    nouns = _NOUN_SETS.setdefault(nouns, nouns)
    return NounTable(nouns, {form: tuple(kinds) for form, kinds in forms.items()})


# --- the source ----------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:['’‑-][^\W_]+)*")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*>|[\[\]]")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORDS = read_words("entity_words_en")
_ARTICLES = frozenset("a an the".split())
_PRONOUNS = _WORDS["pronouns"]
_BEFORE_NOUNS = _WORDS["before_nouns"]
#: Indefinite persons. They are people of their own beside the entity.
INDEFINITES = frozenset("someone somebody anyone anybody everyone everybody nobody no-one".split())
_SURNAMES = _WORDS["surnames"]
_SEXES = frozenset({"male", "female"})
_IRREGULAR = dict(pair.split("/") for pair in _WORDS["plurals"])
_LONGEST_NOUN = 3  # words: "chief executive officer"


class PersonKind(StrEnum):
    """How a source names a person."""

    NOUN = "noun"  # a noun of the table
    PRONOUN = "pronoun"
    NAME = "name"  # a capitalised word that is in no table
    OTHER = "other"  # any other words


@dataclass(frozen=True, slots=True)
class Person:
    """A person whom the source names.

    `noun` is the English noun in the singular and in small letters, empty for any other kind.
    `first` and `last` are places in the words of the source.
    """

    noun: str
    kind: PersonKind
    first: int
    last: int
    plural: bool = False
    capital: bool = False  # written with a capital, not as the first word


@dataclass(frozen=True, slots=True)
class Source:
    """A source sentence with the entity and the other persons that it names, in order."""

    words: tuple[str, ...]
    entity: Person
    others: tuple[Person, ...]

    @property
    def place(self) -> float:
        """Place of the entity in the sentence, from 0 (first word) to 1 (last word)."""
        return self.entity.first / max(1, len(self.words) - 1)


def read_source(
    sentence: str, entity: str, index: int | None, nouns: frozenset[str]
) -> Source | str:
    """Return the source as read, or the reason why the entity cannot be found in it.

    `index` counts words between blanks from 0, as WinoMT does. It chooses between several places of
    the entity; a word or two beside it is no fault, since articles and punctuation are counted
    differently. `nouns` are the English person nouns of the target language's table.
    """
    words, bare, places = _split(sentence)
    wanted = list(_split(entity)[0])
    while len(wanted) > 1 and wanted[0] in _ARTICLES:
        wanted = wanted[1:]
    if not wanted:
        return "no_entity"
    if index is not None and not 0 <= index < len(sentence.split()):
        return "index_out_of_range"
    starts = [
        place
        for place, word in enumerate(words)
        if wanted[0] in (word, bare[place])
        and all(
            place + i < len(words) and following in (words[place + i], bare[place + i])
            for i, following in enumerate(wanted)
        )
    ]
    if not starts and len(wanted) == 1:
        starts = [place for place, word in enumerate(words) if wanted[0] in _singulars(word)]
    if not starts:
        return "entity_not_in_source"
    first = starts[0]
    if index is not None:
        first = min(starts, key=lambda place: abs(places[place] - index))
    entity_person = _person(words, sentence, first, first + len(wanted) - 1, nouns)
    others = tuple(
        person
        for person in list_people(words, nouns)
        if person.last < entity_person.first or person.first > entity_person.last
    )
    return Source(words, entity_person, others)


def list_people(words: tuple[str, ...], nouns: frozenset[str]) -> list[Person]:
    """Return the persons whom `words` name by a noun of the table, in order."""
    people: list[Person] = []
    openings = _openings(nouns)
    place = 0
    while place < len(words):
        longest = _LONGEST_NOUN if words[place] in openings else 1
        for length in range(min(longest, len(words) - place), 0, -1):
            noun, plural = find_noun(" ".join(words[place : place + length]), nouns)
            if noun:
                people.append(Person(noun, PersonKind.NOUN, place, place + length - 1, plural))
                place += length - 1
                break
        place += 1
    return people


@lru_cache(maxsize=1 << 15)
def find_noun(phrase: str, nouns: frozenset[str]) -> tuple[str, bool]:
    """Return the noun of the table that `phrase` is, and whether it is plural; "" if none."""
    if phrase in nouns:
        return phrase, False
    bare = _POSSESSIVE.sub("", phrase)
    for number, form in enumerate((bare, *_singulars(bare))):
        if form in nouns:
            return form, number > 0
    return "", False


@lru_cache(maxsize=32)
def _openings(nouns: frozenset[str]) -> frozenset[str]:
    """The first words of nouns of several words."""
    return frozenset(noun.partition(" ")[0] for noun in nouns if " " in noun)


def _person(
    words: tuple[str, ...], sentence: str, first: int, last: int, nouns: frozenset[str]
) -> Person:
    """The entity: the longest noun that ends with its last word, else what it is."""
    written = _WORD.findall(_TAG.sub("", sentence))
    capital = written[last][:1].isupper() and last > 0
    if first == last and _is_surname(words, written, last):
        return Person("", PersonKind.NAME, first, last)
    if words[last] in _SEXES and last + 1 < len(words):  # "female teachers"
        noun, plural = find_noun(words[last + 1], nouns)
        if noun:
            return Person(noun, PersonKind.NOUN, first, last + 1, plural)
    for start in range(max(0, last - _LONGEST_NOUN + 1), last + 1):
        noun, plural = find_noun(" ".join(words[start : last + 1]), nouns)
        if noun:
            return Person(noun, PersonKind.NOUN, min(start, first), last, plural, capital)
    for place in range(first, last):  # "friend of mine", "sitting workers there"
        noun, plural = find_noun(words[place], nouns)
        if noun:
            return Person(noun, PersonKind.NOUN, first, last, plural)
    headed = _headed(words, first, last, nouns)
    if headed:
        return headed
    if first == last and words[first].partition("'")[0] in _PRONOUNS:
        return Person("", PersonKind.PRONOUN, first, last)
    kind = PersonKind.NAME if capital else PersonKind.OTHER
    return Person("", kind, first, last)


def _is_surname(words: tuple[str, ...], written: list[str], place: int) -> bool:
    """Whether an occupation stands as a name: with a capital and without an article."""
    if place == 0 or words[place] not in _SURNAMES or words[place - 1] in _ARTICLES:
        return False
    return written[place][:1].isupper()


def _headed(words: tuple[str, ...], first: int, last: int, nouns: frozenset[str]) -> Person | None:
    """The person whose noun follows a determiner or an adjective: "those two students"."""
    if words[last] not in _BEFORE_NOUNS:
        return None
    for place in range(last + 1, min(len(words), last + 3)):
        noun, plural = find_noun(words[place], nouns)
        if noun and noun not in INDEFINITES:
            return Person(noun, PersonKind.NOUN, first, place, plural)
    return None


@lru_cache(maxsize=4096)
def _split(sentence: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """The words in small letters, the same before an apostrophe, and their places.

    Before an apostrophe: "patient's", "I've". Places are those among the pieces between blanks.
    """
    words: list[str] = []
    places: list[int] = []
    for place, piece in enumerate(_TAG.sub("", sentence).split()):
        for word in _WORD.findall(piece):
            words.append(word.lower().replace("’", "'"))
            places.append(place)
    bare = tuple(word.partition("'")[0] for word in words)
    return tuple(words), bare, tuple(places)


def _singulars(word: str) -> list[str]:
    """The singulars that a plural in -s may have; the last word of a phrase counts."""
    before, _, last = word.rpartition(" ")
    if last in _IRREGULAR:
        singulars = [_IRREGULAR[last]]
    elif last.endswith("men"):
        singulars = [f"{last[:-2]}an"]
    elif last.endswith("ies"):
        singulars = [f"{last[:-3]}y", last[:-1]]
    elif last.endswith("es"):
        singulars = [last[:-1], last[:-2]]
    elif last.endswith("s"):
        singulars = [last[:-1]]
    else:
        return []
    return [f"{before} {singular}".strip() for singular in singulars]
