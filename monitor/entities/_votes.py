"""Read an entity whose noun is not found from all words that can be about the person.

Hebrew, Arabic and Hindi share this: each noun, pronoun, verb and adjective votes for the gender
that it shows, more or less strongly. The gender for which most is said is read.

In Hebrew and Arabic, articles, conjunctions and prepositions stand before a word without a blank,
pronouns of possession behind it. A word is looked up as it stands, then without what can stand
before it, then also without what can stand behind it.
"""

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import product

from monitor.data import read_toml
from monitor.entities._persons import NounForm, Person, PersonKind, Source
from monitor.entities._reader import EntityReader, Evidence, Token, find_gender
from monitor.languages._plain_text import Script
from monitor.model import Gender

_SHORTEST_WORD = 2  # letters without prefixes
_LONGEST_WORD = 30  # letters; nothing is taken off a longer one


def combine_prefixes(*parts: Sequence[str]) -> tuple[str, ...]:
    """Return what can stand before a word, one of each part after the other; short ones first."""
    return tuple(sorted({"".join(chosen) for chosen in product(*parts)} - {""}, key=len))


def split_word(
    word: str,
    prefixes: Sequence[str],
    stem_variants: Callable[[str], Iterator[str]],
    shortest: int,
) -> tuple[str, ...]:
    """Return all forms under which `word` is looked up, the surest first.

    `stem_variants` yields the forms of a word without a pronoun behind it, none of fewer letters
    than `shortest`.
    """
    if len(word) > _LONGEST_WORD:
        return (word,)
    bare = [word]
    bare += [
        word[len(prefix) :]
        for prefix in prefixes
        if len(word) >= len(prefix) + _SHORTEST_WORD and word.startswith(prefix)
    ]
    stems = [stem for form in bare for stem in stem_variants(form) if len(stem) >= shortest]
    return tuple(dict.fromkeys([*bare, *stems]))


#: Vowel signs and accents of Hebrew and Arabic, tatweel, marks of direction and of no width.
MARKS = (
    "\u00ad\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
)
MARK = re.compile(f"[{MARKS}]")
_LETTERS = rf"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u097f])(?:[^\W_]|[\u0900-\u0963{MARKS}])*"
_WORD = re.compile(rf"{_LETTERS}(?:[\"'’״׳]{_LETTERS})*")

_BETWEEN_ENDINGS = ("/", ".", "(", "/-", "-/", "·", "\\")
_MOST_KEPT = 20_000  # words whose forms are kept
_LEAST_NATIVE = 0.25  # share of the words in the language's script; the rest are names
_LEAST_WEIGHT = 0.25  # of all votes for the gender that is read
_SURE = 0.9  # weight of a verb that can stand alone
_LEAST_WEIGHT_OF_NOUN = 0.8  # the same where a noun was not found: it may not be translated
_MOST_AGAINST = 0.6  # share of that weight that the other gender may have


def invert(words: Mapping[Gender, str]) -> dict[str, Gender]:
    """Return {word: gender} of words between blanks."""
    return {word: gender for gender, listed in words.items() for word in listed.split()}


def load_words(name: str) -> dict[str, list[str]]:
    """Return the word lists of `monitor/data/<name>.toml`, each by its name."""
    return {key: words.split() for key, words in read_toml(name).items()}


class VotingReader(EntityReader):
    """Reader that lets all words of the person vote where the noun is not found."""

    script = Script.OTHER
    #: {form: gender} of third-person pronouns, and of what is written together with one.
    pronouns: Mapping[str, Gender]
    suffixed: Mapping[str, Gender]
    #: Nouns of the table that more often mean a thing; they are no evidence for an unknown noun.
    things: Container[str] = frozenset()
    #: Endings that are written behind a noun and a slash for the other gender; words for "or".
    other_endings: Container[str] = frozenset()
    alternatives: Container[str] = frozenset()

    def __init__(self) -> None:
        self._forms: dict[str, tuple[NounForm, ...]] = {}

    @abstractmethod
    def split(self, key: str) -> tuple[str, ...]:
        """Return all forms under which a folded word is looked up, the surest first."""

    @abstractmethod
    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender that the verb or adjective at `place` shows, and its weight."""

    def tokenize(self, text: str) -> list[Token]:
        """Return the words of `text` in order."""
        tokens = []
        for match in _WORD.finditer(text):
            key = self.fold(match[0])
            tokens.append(Token(match[0], match.start(), match.end(), key, self.split(key)))
        return tokens

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether a fair share of the words is in the language's script."""
        native = sum(self.is_native(token.key) for token in tokens)
        return _LEAST_NATIVE * len(tokens) <= native > 0

    @abstractmethod
    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in the script of the language."""

    def _forms_at(self, token: Token) -> tuple[NounForm, ...]:
        """The forms of person nouns that a word can be, kept for words that come again."""
        forms = self._forms.get(token.key)
        if forms is None:
            if len(self._forms) >= _MOST_KEPT:
                self._forms.clear()
            forms = self._forms[token.key] = super()._forms_at(token)
        return forms

    def noun_gender(self, token: Token) -> tuple[Gender, bool] | None:
        """Return the gender of a person noun of the table, and whether it is a plural."""
        kinds = self._forms_at(token)
        gender = find_gender(kinds)
        return (gender, all(form.plural for form in kinds)) if gender else None

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return BOTH for רופא/ה, רופא/רופאה and רופא או רופאה."""
        token = tokens[place]
        if place + 1 < len(tokens) and tokens[place + 1].key in self.other_endings:
            if text[token.end : tokens[place + 1].start] in _BETWEEN_ENDINGS:
                return Evidence(place, Gender.BOTH, "both forms", last=place + 1)
            return None
        pairs = [(place - 2, place), (place - 1, place), (place, place + 1), (place, place + 2)]
        for first, second in pairs:
            inside = first >= 0 and second < len(tokens)
            if inside and self._alternate(text, tokens, first, second):
                return Evidence(first, Gender.BOTH, "both forms", last=second)
        return None

    def _alternate(self, text: str, tokens: Sequence[Token], first: int, second: int) -> bool:
        """Whether two nouns are the two genders of one noun, with a slash or "or" between them."""
        if second == first + 1:
            joined = text[tokens[first].end : tokens[second].start].strip() == "/"
        else:
            joined = tokens[first + 1].key in self.alternatives
        if not joined:
            return False
        one, other = self._forms_at(tokens[first]), self._forms_at(tokens[second])
        genders = [self.noun_gender(tokens[at]) for at in (first, second)]
        shared = {form.noun for form in one} & {form.noun for form in other}
        return bool(shared) and None not in genders and genders[0] != genders[1]

    def reference(
        self, source: Source, tokens: Sequence[Token], place: int, claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return pronouns and verbs that can mean nobody else.

        Where the source names no other person, these are the words that win the vote. Else they
        are those of the gender that no other person has.
        """
        if not source.others:
            return self.evidence(source, tokens, {place: source.entity})
        nouns = [self.noun_gender(tokens[other]) for other in claimed]
        taken = {noun[0] for noun in nouns if noun}
        if None in nouns or len(claimed) < len(source.others):
            return []
        shown = (
            (
                at,
                self.pronouns.get(token.key)
                or self.suffixed.get(token.key)
                or self.predicate(tokens, at),
            )
            for at, token in enumerate(tokens)
            if at != place
        )
        return [
            Evidence(at, gender, "reference")
            for at, gender in shown
            if gender and gender not in taken
        ]

    def predicate(self, tokens: Sequence[Token], place: int) -> Gender | None:
        """Return the gender of a verb or an adjective that a person is the subject of."""
        shown = self.agreeing(tokens, place)
        return shown[0] if shown and shown[1] >= _SURE else None

    def evidence(
        self, source: Source, tokens: Sequence[Token], claimed: dict[int, Person]
    ) -> list[Evidence]:
        """Return the words of the gender for which most is said.

        An entity that is a noun beside other persons is read from a noun alone, if those of the
        others are found: pronouns and verbs can be theirs.
        """
        votes: dict[Gender, list[tuple[float, Evidence]]] = defaultdict(list)
        nouns_alone = source.entity.kind is PersonKind.NOUN and bool(source.others)
        if nouns_alone and len(claimed) < len(source.others):
            return []  # the noun can be that of another person
        target = source.place * max(1, len(tokens) - 1)
        for place in range(len(tokens)):
            if place in claimed:
                continue
            vote = self._vote(tokens, place, nouns_alone)
            if vote:
                gender, weight, rule = vote
                near = 1 + (2 if nouns_alone else 0.5) / (1 + abs(place - target))
                votes[gender].append((weight * near, Evidence(place, gender, rule)))
        totals = {gender: sum(weight for weight, _ in items) for gender, items in votes.items()}
        if not totals:
            return []
        best = max(totals, key=lambda gender: totals[gender])
        against = sum(totals.values()) - totals[best]
        named = source.entity.kind in (PersonKind.NOUN, PersonKind.OTHER)
        least = _LEAST_WEIGHT_OF_NOUN if named else _LEAST_WEIGHT
        if totals[best] < least or against > _MOST_AGAINST * totals[best]:
            return []
        return [item for _, item in votes[best]]

    def _vote(
        self, tokens: Sequence[Token], place: int, nouns_alone: bool
    ) -> tuple[Gender, float, str] | None:
        token = tokens[place]
        shown = None if nouns_alone else self.agreeing(tokens, place)
        noun = self.noun_gender(token)
        if noun and not self.is_thing(token) and not (shown and token.key not in self.table.forms):
            gender, plural = noun
            if nouns_alone:
                named = self.is_definite(token) and not plural
                return (gender, 1.0, "noun") if named else None
            return gender, self.noun_weight(gender, plural), "noun"
        if nouns_alone:
            return None
        if token.key in self.pronouns:
            return self.pronouns[token.key], self.pronoun_weight(token.key), "pronoun"
        if token.key in self.suffixed:
            return self.suffixed[token.key], 0.6, "pronoun"
        return (shown[0], shown[1], "agreement") if shown else None

    def is_thing(self, token: Token) -> bool:
        """Return whether a noun of the table more often means a thing or is an attribute."""
        return any(key in self.things for key in token.keys)

    def is_definite(self, token: Token) -> bool:
        """Return whether a noun can name the person: an indefinite one is a predicate."""
        del token
        return True

    def noun_weight(self, gender: Gender, plural: bool) -> float:
        """Return how surely a person noun means the person and not another one."""
        if gender is Gender.FEMININE:
            return 0.8
        return 0.3 if plural else 0.5

    def pronoun_weight(self, key: str) -> float:
        """Return how surely a pronoun means the person."""
        del key
        return 1.5
