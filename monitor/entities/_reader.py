"""Read the gender that a translation gives to a person whom its source names.

A language (one file each) brings its table of person nouns, its inflection and the words that
agree. The steps are the same for all:

1. The entity is found in the English source, with the other persons named there (`_persons`).
2. Words of the translation that are forms of their nouns are assigned to the persons: each word to
   one person, in the order of the source where forms are shared (`assign_mentions`).
3. The noun's own form decides. Where it is one form for both genders, words that agree with it
   decide (articles, attributes, predicates), then pronouns that can refer to nobody else.
4. An entity that is no noun of the table (a pronoun, a name, a rare noun) has the gender that the
   persons' words of the translation agree on (`evidence`), the nearest to its place first.

Nothing is read from the gender that the source states.
"""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from monitor.data import read_words
from monitor.entities._persons import (
    NounForm,
    NounGender,
    NounTable,
    Person,
    PersonKind,
    Source,
    load_table,
    read_source,
)
from monitor.languages._plain_text import Script, plain
from monitor.model import Cue, EntityText, Gender, GenderClass, Signal, Witness

_MOST_PERSONS = 5  # with more, each person takes the nearest word that is left
_MOST_WORDS = 5  # of one person that are tried


def assign_mentions(source: Source, forms: Sequence[tuple[NounForm, ...]]) -> dict[int, Person]:
    """Return {place of a word: the person whom it names}.

    `forms` are what each word of the translation can be. Every word names one person. Of all ways
    to assign words, the one that finds most persons is taken, then the one whose order is that of
    the source, then the one whose places in the sentence are nearest.
    """
    people = sorted((source.entity, *source.others), key=lambda person: person.first)
    people = [person for person in people if person.kind is PersonKind.NOUN]
    words = [(place, kinds) for place, kinds in enumerate(forms) if kinds]
    candidates = [_candidates(person, words) for person in people]
    places = [place for of_person in candidates for place in of_person]
    if all(len(of_person) <= 1 for of_person in candidates) and len(set(places)) == len(places):
        named = [person for person, of_person in zip(people, candidates, strict=True) if of_person]
        return dict(zip(places, named, strict=True))
    if len(people) > _MOST_PERSONS:
        return _assign_nearest(source, people, candidates, len(forms))
    best: tuple[float, ...] | None = None
    chosen: tuple[int | None, ...] = ()
    for assignment in _assignments([places[:_MOST_WORDS] for places in candidates]):
        score = _score(source, people, assignment, len(forms))
        if best is None or score > best:
            best, chosen = score, assignment
    return {
        place: person for person, place in zip(people, chosen, strict=True) if place is not None
    }


def _candidates(person: Person, words: Sequence[tuple[int, tuple[NounForm, ...]]]) -> list[int]:
    """Places of the words that can be the person's noun, those of the right number if any."""
    noun, plural = person.noun, person.plural
    places: list[int] = []
    right: list[int] = []
    for place, kinds in words:
        own = [form.plural for form in kinds if form.noun == noun]
        if own:
            places.append(place)
            if None in own or plural in own:
                right.append(place)
    return right or places


def _assignments(candidates: list[list[int]]) -> Iterator[tuple[int | None, ...]]:
    """Every way to give each person one of its words or none, no word twice."""

    def extend(prefix: tuple[int | None, ...]) -> Iterator[tuple[int | None, ...]]:
        if len(prefix) == len(candidates):
            yield prefix
            return
        for place in candidates[len(prefix)]:
            if place not in prefix:
                yield from extend((*prefix, place))
        yield from extend((*prefix, None))

    return extend(())


def _score(
    source: Source, people: list[Person], assignment: tuple[int | None, ...], length: int
) -> tuple[float, ...]:
    pairs = [
        (person, place)
        for person, place in zip(people, assignment, strict=True)
        if place is not None
    ]
    inversions = sum(
        later < earlier
        for number, (_, earlier) in enumerate(pairs)
        for _, later in pairs[number + 1 :]
    )
    distance = sum(
        abs(person.first / len(source.words) - place / max(1, length)) for person, place in pairs
    )
    return (len(pairs), -inversions, -distance)


def _assign_nearest(
    source: Source, people: list[Person], candidates: list[list[int]], length: int
) -> dict[int, Person]:
    claimed: dict[int, Person] = {}
    ordered = [source.entity, *(person for person in people if person is not source.entity)]
    places_of = dict(zip(map(id, people), candidates, strict=True))
    for person in ordered:
        free = [place for place in places_of.get(id(person), []) if place not in claimed]
        if free:
            target = person.first / len(source.words)
            claimed[min(free, key=lambda place: abs(place / max(1, length) - target))] = person
    return claimed


#: What stands between source and translation in a line of WinoMT, and the reason for one too many.
_SEPARATOR = "|||"
_NO_PAIR = "not_source_and_translation"


class Token(NamedTuple):
    """A word of the translation: `key` is its folded form, `keys` all forms that it can be.

    Words that are written together with an article or a preposition (Hebrew, Arabic) have the form
    without it among `keys`.
    """

    text: str
    start: int
    end: int
    key: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A word that shows a gender. The smallest `rank` counts; words of equal rank must agree."""

    place: int  # of the token
    gender: Gender
    rule: str
    rank: int = 0
    last: int | None = None  # last token of the witness, where it is more than one


GENDER_OF = {NounGender.MASCULINE: Gender.MASCULINE, NounGender.FEMININE: Gender.FEMININE}


def find_gender(forms: Iterable[NounForm]) -> Gender | None:
    """Return the gender that all these forms of nouns show; None where they differ or show none."""
    genders = {GENDER_OF.get(form.gender) for form in forms}
    return genders.pop() if len(genders) == 1 else None


class EntityReader(ABC):
    """Reader of the entity's gender in the translations into one language."""

    code: str
    name: str
    version: int
    #: What the language can decide, in a sentence for the documentation.
    decides: str
    script: Script = Script.LATIN
    cues: ClassVar[frozenset[Cue]] = frozenset({Cue.ENTITY})
    nouns: ClassVar[bool] = False

    # --- what a language brings ------------------------------------------------------------------

    @abstractmethod
    def tokenize(self, text: str) -> list[Token]:
        """Return the words of `text` in order."""

    @abstractmethod
    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of a noun of the table, each with whether it is plural."""

    @abstractmethod
    def fold(self, form: str) -> str:
        """Return the key under which a form is looked up."""

    @abstractmethod
    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether the words are of this language at all."""

    def noun(self, tokens: Sequence[Token], place: int, gender: Gender) -> list[Evidence]:
        """Return the evidence of a noun at `place` whose own form is of `gender`."""
        del tokens
        return [Evidence(place, gender, "noun")]

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the words that agree with a noun of one form for both genders at `place`."""
        del tokens, place
        return []

    def outweighs(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> Evidence | None:
        """Return a word that shows the other gender than the form of the noun ("врач сказала")."""
        del source, tokens, place, claimed
        return None

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return BOTH or INCLUSIVE where the noun at `place` is written for both genders."""
        del text, tokens, place
        return None

    def reference(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return pronouns that refer to the noun at `place`, where nothing nearer decides."""
        del source, tokens, place, claimed
        return []

    def evidence(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return all words that show the gender of a person who is in `claimed` for nobody else.

        Called for an entity whose noun was not found in the translation.
        """
        del source, tokens, claimed
        return []

    # --- what all share --------------------------------------------------------------------------

    @cached_property
    def table(self) -> NounTable:
        """The table of person nouns, read when it is first needed."""
        return load_table(self.code, self.inflect, self.fold)

    def signal(self, text: EntityText) -> Signal:
        """Return the gender that the translation gives to the entity.

        UNIDENTIFIED has the reason as its rule: no_entity, entity_not_in_source,
        index_out_of_range, not_source_and_translation (a separator of WinoMT is in it),
        no_translation, untranslated, other_language, not_found. Never raises for any text.
        """
        cleaned_source = plain(text.source, Script.LATIN)
        source = read_source(
            cleaned_source.text if cleaned_source else text.source,
            text.entity,
            text.index,
            self.table.nouns,
        )
        if isinstance(source, str):
            return Signal(GenderClass.UNIDENTIFIED, rule=source)
        if _SEPARATOR in text.translation:
            return Signal(GenderClass.UNIDENTIFIED, rule=_NO_PAIR)
        cleaned = plain(text.translation, self.script)
        translation = cleaned.text if cleaned else text.translation
        if not translation.strip():
            return Signal(GenderClass.UNIDENTIFIED, rule="no_translation")
        if translation.strip().casefold() == text.source.strip().casefold():
            return Signal(GenderClass.UNIDENTIFIED, rule="untranslated")
        tokens = self.tokenize(translation)
        if not self.is_language(tokens):
            return Signal(GenderClass.UNIDENTIFIED, rule="other_language")
        signal = self._read(source, translation, tokens)
        return cleaned.restore(signal) if cleaned else signal

    def _read(self, source: Source, text: str, tokens: list[Token]) -> Signal:
        forms = self.find_forms(tokens)
        claimed = assign_mentions(source, forms)
        mentions = [place for place, person in claimed.items() if person is source.entity]
        if not mentions:  # the source names the person twice, the translation once
            claimed = {
                place: source.entity if person.noun == source.entity.noun else person
                for place, person in claimed.items()
            }
            mentions = [place for place, person in claimed.items() if person is source.entity]
        others = {place: person for place, person in claimed.items() if person is not source.entity}
        for place in mentions:
            signal = self._read_mention(source, text, tokens, place, forms[place], others)
            if signal.cls is not GenderClass.NONE or place == mentions[-1]:
                return signal
        return _decide(text, tokens, self.evidence(source, tokens, others), "not_found")

    def find_forms(self, tokens: Sequence[Token]) -> list[tuple[NounForm, ...]]:
        """Return for each word the forms of person nouns that it can be."""
        return [self._forms_at(token) for token in tokens]

    def _forms_at(self, token: Token) -> tuple[NounForm, ...]:
        for key in token.keys:
            if key in self.table.forms:
                return self.table.forms[key]
        return ()

    def _read_mention(
        self,
        source: Source,
        text: str,
        tokens: list[Token],
        place: int,
        forms: tuple[NounForm, ...],
        others: dict[int, Person],
    ) -> Signal:
        offer = self.offered(text, tokens, place)
        if offer:
            return _decide(text, tokens, [offer], "")
        own = [form for form in forms if form.noun == source.entity.noun]
        # Italian "infermiere" is a masculine in the singular and a feminine in the plural.
        right = [form for form in own if form.plural in (None, source.entity.plural)]
        if gender := find_gender(right or own):
            other = self.outweighs(source, tokens, place, others)
            evidence = [other] if other else self.noun(tokens, place, gender)
            return _decide(text, tokens, evidence, "")
        if {form.gender for form in right or own} == {NounGender.FIXED}:
            return Signal(GenderClass.NONE, rule="noun_of_fixed_gender")
        evidence = self.agreement(tokens, place)
        evidence = evidence or self.reference(source, tokens, place, others)
        if evidence:
            return _decide(text, tokens, evidence, "")
        return Signal(GenderClass.NONE, rule="noun_of_both_genders")


def _decide(text: str, tokens: Sequence[Token], evidence: list[Evidence], reason: str) -> Signal:
    """The signal of the evidence of the smallest rank; UNIDENTIFIED with `reason` without any."""
    if not evidence:
        return Signal(GenderClass.UNIDENTIFIED, rule=reason)
    best = min(item.rank for item in evidence)
    decisive = [item for item in evidence if item.rank == best]
    witnesses = tuple(_witness(text, tokens, item) for item in decisive)
    genders = {item.gender for item in decisive}
    cls = GenderClass(next(iter(genders)).value) if len(genders) == 1 else GenderClass.MIXED
    return Signal(cls, witnesses)


def _witness(text: str, tokens: Sequence[Token], item: Evidence) -> Witness:
    start = tokens[item.place].start
    end = tokens[item.place if item.last is None else item.last].end
    return Witness(text[start:end], start, end, item.gender, item.rule)


# --- evidence in steps, pairs, the nearest words ------------------------------------------------

#: Pattern of letters with their marks, which may be characters of their own.
LETTERS = r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*"
_SHORTEST_STEM = 3  # letters that a pair of forms shares
_FARTHEST_PAIR = 4  # words between the two forms of "the teacher (male) or the teacher (female)"


def endings(
    stem: str, singular: str, plural: str, both: str = ""
) -> Iterable[tuple[str, bool | None]]:
    """Yield `stem` with each ending, "-" for none."""
    for text, number in ((singular, False), (plural, True), (both, None)):
        for ending in text.split():
            yield stem + ending.replace("-", ""), number


def find_pair(
    text: str,
    tokens: Sequence[Token],
    place: int,
    forms: Sequence[tuple[NounForm, ...]],
    joiners: Container[str],
    between: Container[str],
) -> Evidence | None:
    """Return BOTH if the noun at `place` stands beside its other form: "Lehrer und Lehrerinnen".

    `forms` are what each token can be, `joiners` words for "or" and "and" and the slash, `between`
    articles that may stand before the second form.
    """
    for step in (1, -1):
        joined = False
        other = place + step
        while 0 <= other < len(tokens) and abs(other - place) <= _FARTHEST_PAIR:
            left, right = min(other, other - step), max(other, other - step)
            joined = joined or "/" in text[tokens[left].end : tokens[right].start]
            is_opposite = any(
                form.noun == own.noun and {form.gender, own.gender} == set(GENDER_OF)
                for form in forms[other]
                for own in forms[place]
            )
            if is_opposite and _are_of_one_stem(tokens[place].key, tokens[other].key):
                first, last = min(place, other), max(place, other)
                return Evidence(first, Gender.BOTH, "pair", last=last) if joined else None
            if tokens[other].key in joiners:
                joined = True
            elif tokens[other].key not in between:
                break
            other += step
    return None


def _are_of_one_stem(left: str, right: str) -> bool:
    """Return whether two words begin alike: Arzt and Ärztin, but not Kassierer and Verkäuferin."""
    bare = [unicodedata.normalize("NFD", word).replace("\u0308", "") for word in (left, right)]
    return bare[0][:_SHORTEST_STEM] == bare[1][:_SHORTEST_STEM]


def choose_nearest(items: Iterable[Evidence], source: Source, length: int) -> list[Evidence]:
    """Return the evidence of the gender that most words show; of the nearest word if as many do.

    `length` is the number of words of the translation.
    """
    by_gender: dict[Gender, list[Evidence]] = {}
    for item in items:
        by_gender.setdefault(item.gender, []).append(item)
    if len(by_gender) <= 1:
        return next(iter(by_gender.values()), [])
    target = source.place * max(1, length - 1)

    def order(group: list[Evidence]) -> tuple[int, float]:
        return (-len(group), min(abs(item.place - target) for item in group))

    return min(by_gender.values(), key=order)


_ENGLISH = read_words("entity_words_en")
_SELDOM_PERSONS = _ENGLISH["seldom_persons"]

_GENDERED = _ENGLISH["gendered"]


_THIRD_PERSON = _ENGLISH["third_person"]
_PREDICATES = _ENGLISH["predicates"]
_LONGEST_PREDICATE = 5  # words from "was" to the noun


def is_alone(source: Source) -> bool:
    """Return whether the source names no second person.

    Neither by a noun that mostly is one, nor by a pronoun before the entity: "she saw the fighter",
    but "she was the chairwoman".
    """
    first = source.entity.first
    if not _PREDICATES.intersection(source.words[max(0, first - _LONGEST_PREDICATE) : first]):
        before = source.words[:first]
        if source.entity.kind is PersonKind.NOUN and not _THIRD_PERSON.isdisjoint(before):
            return False
    return all(
        person.noun in _SELDOM_PERSONS or person.noun == source.entity.noun
        for person in source.others
    )


_OTHER_GENDER = {Gender.MASCULINE: Gender.FEMININE, Gender.FEMININE: Gender.MASCULINE}


class SteppedReader(EntityReader):
    """Reader that looks for one kind of word after the other.

    For an entity whose noun was not found: other nouns for persons, pronouns, weaker words. For a
    pronoun or a name the pronouns come first. Where the source names a second person, only nouns
    that name nobody else decide about a noun.
    """

    #: Beginnings of words for "female" and "male", and of compounds of women and men.
    gender_stems: Sequence[tuple[str, Gender]]

    @abstractmethod
    def pronouns(self, source: Source, tokens: Sequence[Token]) -> list[Evidence]:
        """Return the pronouns of the third person singular."""

    @abstractmethod
    def weaker(self, tokens: Sequence[Token]) -> list[list[Evidence]]:
        """Return words that agree with a person or with a thing, the surest kind first."""

    def gender_words(self, tokens: Sequence[Token]) -> list[Evidence]:
        """Return words for "female" and "male", and compounds of women and men."""
        return [
            Evidence(place, gender, "adjective")
            for place, token in enumerate(tokens)
            for stem, gender in self.gender_stems
            if token.key.startswith(stem)
        ]

    def noun_evidence(
        self, tokens: Sequence[Token], place: int, forms: tuple[NounForm, ...]
    ) -> Evidence | None:
        """Return what the noun for a person at `place` shows, whoever it is."""
        del tokens
        gender = find_gender(forms)
        return Evidence(place, gender, "noun") if gender else None

    def reference(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return pronouns that can refer to nobody else.

        Either the source names no second person, or the nouns of all others have the other gender:
        "de bewaker vroeg de verpleegster of hij".
        """
        del place
        if not claimed and not is_alone(source):
            return []
        genders = [find_gender(self._forms_at(tokens[other])) for other in claimed]
        if len({id(person) for person in claimed.values()}) < len(source.others) and claimed:
            return []
        items = [
            item
            for item in self.pronouns(source, tokens)
            if all(gender is _OTHER_GENDER[item.gender] for gender in genders)
        ]
        return choose_nearest(items, source, len(tokens))

    def _titles(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the noun that stands before the name in the source: "Countess Maria"."""
        return [
            Evidence(place, gender, "title")
            for place, person in claimed.items()
            if source.entity.kind is PersonKind.NAME and person.last == source.entity.first - 1
            if (gender := find_gender(self._forms_at(tokens[place])))
        ]

    def evidence(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the words of the first kind that shows a gender."""
        singular: list[Evidence] = []
        plural: list[Evidence] = []
        for place, token in enumerate(tokens):
            forms = () if place in claimed else self._forms_at(token)
            item = self.noun_evidence(tokens, place, forms) if forms else None
            if item:
                (plural if all(form.plural for form in forms) else singular).append(item)
        named = source.entity.kind in (PersonKind.NOUN, PersonKind.OTHER)
        if named and not source.entity.capital and not is_alone(source):
            kinds = [singular]
            if source.entity.noun in _GENDERED:
                kinds = [self.gender_words(tokens), singular]
        else:
            pronouns = self.pronouns(source, tokens)
            titles = self._titles(source, tokens, claimed)
            weaker = self.weaker(tokens)
            if named:
                kinds = [singular, pronouns, *weaker]
            else:
                kinds = [titles, pronouns, *weaker, singular]
            kinds += [self.gender_words(tokens), plural if source.entity.plural else []]
            if named and source.entity.noun in _GENDERED:
                kinds = [self.gender_words(tokens), *kinds]
        for items in kinds:
            if items:
                return choose_nearest(items, source, len(tokens))
        return []
