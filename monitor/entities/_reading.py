"""What readers of several languages share: evidence in steps, pairs, the nearest words."""

import unicodedata
from abc import abstractmethod
from collections.abc import Container, Iterable, Sequence

from monitor.data import read_words
from monitor.entities._nouns import NounForm, NounGender
from monitor.entities._reader import EntityReader, Evidence, Token
from monitor.entities._source import Person, PersonKind, Source
from monitor.model import Gender

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
    own = {(form.noun, form.gender) for form in forms[place]}
    for step in (1, -1):
        joined = False
        other = place + step
        while 0 <= other < len(tokens) and abs(other - place) <= _FARTHEST_PAIR:
            left, right = min(other, other - step), max(other, other - step)
            joined = joined or "/" in text[tokens[left].end : tokens[right].start]
            opposite = {
                (form.noun, _OPPOSITE[form.gender])
                for form in forms[other]
                if form.gender in _OPPOSITE
            }
            if opposite & own and _are_of_one_stem(tokens[place].key, tokens[other].key):
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


_OPPOSITE = {
    NounGender.MASCULINE: NounGender.FEMININE,
    NounGender.FEMININE: NounGender.MASCULINE,
}


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


_WORDS = read_words("entity_words_en")
_SELDOM_PERSONS = _WORDS["seldom_persons"]

_GENDERED = _WORDS["gendered"]


_THIRD_PERSON = _WORDS["third_person"]
_PREDICATES = _WORDS["predicates"]
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

    @abstractmethod
    def pronouns(self, source: Source, tokens: Sequence[Token]) -> list[Evidence]:
        """Return the pronouns of the third person singular."""

    @abstractmethod
    def weaker(self, tokens: Sequence[Token]) -> list[list[Evidence]]:
        """Return words that agree with a person or with a thing, the surest kind first."""

    @abstractmethod
    def gender_words(self, tokens: Sequence[Token]) -> list[Evidence]:
        """Return words for "female" and "male", and compounds of women and men."""

    def noun_evidence(
        self, tokens: Sequence[Token], place: int, forms: tuple[NounForm, ...]
    ) -> Evidence | None:
        """Return what the noun for a person at `place` shows, whoever it is."""
        del tokens
        genders = {form.gender for form in forms}
        if genders in ({NounGender.MASCULINE}, {NounGender.FEMININE}):
            return Evidence(place, Gender(next(iter(genders)).value), "noun")
        return None

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
        genders = [self._gender_of(tokens[other]) for other in claimed]
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
            if (gender := self._gender_of(tokens[place]))
        ]

    def _gender_of(self, token: Token) -> Gender | None:
        genders = {form.gender for form in self._forms_at(token)}
        sure = genders in ({NounGender.MASCULINE}, {NounGender.FEMININE})
        return Gender(next(iter(genders)).value) if sure else None

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
