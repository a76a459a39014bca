"""The lexicon of a Romance language: one word, looked at on its own.

:class:`Lexicon` turns the surface form of a token into a :class:`Word`: closed-class tags, the
copula it may be a form of, and the gender it shows as an adjective or a noun for a person. Words
outside the lists are judged by their endings. Accents and case are folded, except where an accent
tells two words apart (está/esta, avô/avó).
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from monitor.languages._pairs import ONE_FORM, sign_gender
from monitor.languages._speech import QUOTES
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_lists import WordLists
from monitor.languages.romance._romance_tags import F, M, Word, clean, fold
from monitor.model import Gender

Pair = tuple[str, str]  # masculine, feminine
Value = TypeVar("Value")


def pairs(text: str) -> list[Pair]:
    """Read from "enfermeiro/enfermeira ..."."""
    return [(left, right) for left, _, right in (pair.partition("/") for pair in text.split())]


def gendered(forms: Iterable[Pair]) -> dict[str, tuple[Gender, str]]:
    """{form: (gender, masculine form)}."""
    # Masculine forms go in last: "freira" belongs to both padre and monge.
    listed = list(forms)
    table = {f: (F, m) for m, f in reversed(listed)}
    table.update({m: (M, m) for m, _ in listed})
    return table


def with_folded(table: Mapping[str, Value]) -> dict[str, Value]:
    """`table`, and its forms without accents where they are no forms of their own."""
    return {fold(form): entry for form, entry in table.items()} | dict(table)


def copula_forms(
    words: WordLists,
    conjugate: Callable[[str], Mapping[str, str]] | None = None,
    without: Collection[str] = (),
) -> dict[str, tuple[str, str]]:
    """Return {form: (lemma, person)} of the copulas, but not of the forms `without`."""
    table: dict[str, tuple[str, str]] = {}
    for lemma, irregular in words.irregular_copulas.items():
        name = fold(lemma)
        if conjugate and name in words.regular_forms_of:
            table.update((form, (name, person)) for form, person in conjugate(lemma).items())
        for person, *forms in map(str.split, irregular):
            table.update((form, (name, person)) for form in forms)
    return {form: entry for form, entry in table.items() if form not in without}


def me_verb_forms(
    words: WordLists, conjugate: Callable[[str], Iterable[str]] | None = None
) -> dict[str, str]:
    """Return {form: lemma} of the verbs that say something of "me"."""
    table = {
        form: fold(lemma)
        for lemma in words.regular_me_verbs if conjugate
        for form in conjugate(lemma)
    }  # fmt: skip
    for lemma, forms in words.irregular_me_verbs.items():
        table.update((form, fold(lemma)) for form in forms.split())
    return table


@dataclass(frozen=True, slots=True)
class Tables:
    """Forms that a language spells out before it is first used."""

    copulas: Mapping[str, tuple[str, str]]  # form: lemma and person
    me_verbs: Mapping[str, str]  # form: lemma
    human: Mapping[str, tuple[Gender, str]]
    listed: Mapping[str, tuple[Gender, str]]
    roles: Mapping[str, tuple[Gender, str]]
    not_copulas: frozenset[str]  # spellings that only folding makes look like copulas


@dataclass(frozen=True, slots=True)
class Endings:
    """Endings of a language, which tell of unlisted words."""

    adjective: Callable[[str, str], int]  # word and folded word: how far it speaks for an adjective
    gender: Callable[[str], Gender | None]
    base: Callable[[str, Gender | None], str]
    verb: Callable[[str, str], int]  # word and folded word: tags
    singular: Callable[[str], str]
    manner: re.Pattern[str]  # adverbs
    agent: re.Pattern[str]
    agent_common: re.Pattern[str]  # nouns for people with one form
    participle: re.Pattern[str]  # masculine participles
    accented: bool = False  # whether accents tell nouns and adjectives apart, and their gender


@dataclass(frozen=True, slots=True)
class Doubles:
    """Spellings of both genders, or of neither, in one word."""

    pattern: re.Pattern[str]  # groups mark, tail, sign
    stem: str  # of the article: um, un
    sign: str  # the ending that @ and * stand for
    letters: str  # last letters of inclusive forms
    bases: Callable[[str], str]  # the masculine form of an inclusive one


def double_pattern(tail: str, *, marks: str = ONE_FORM, signs: str = "@*") -> re.Pattern[str]:
    """Return the pattern of `Doubles`: `marks` stand before a tail, `signs` for an ending."""
    return re.compile(rf"(?:(?P<mark>[/(\[{marks}])-?(?P<tail>{tail})[)\]]?|(?P<sign>[{signs}]))$")


def double_token(brackets: str, tails: str, *, marks: str = ONE_FORM, signs: str = "@*") -> str:
    """Return what may end a token: a tail in brackets, one after a mark, or a sign for it."""
    return rf"(?:[(\[]-?(?i:{brackets})[)\]]|[/{marks}]-?(?i:{tails})(?!\w)|[{signs}](?!\w))?"


_SIGNS = {
    ",": lex.COMMA, ".": lex.STOP, "!": lex.STOP, "?": lex.STOP, "…": lex.STOP, "\n": lex.STOP,
    "/": lex.SLASH, ";": lex.BREAK, ":": lex.BREAK | lex.COLON,
    "(": lex.BREAK | lex.BRACKET, ")": lex.BREAK,
    "–": lex.BREAK, "—": lex.BREAK, "-": lex.BREAK, "¿": lex.BREAK, "¡": lex.BREAK, "]": lex.BREAK,
    "[": lex.BREAK | lex.BRACKET,
}  # fmt: skip
_FOREIGN_LETTERS = frozenset("čšžćđłęąśźżńěřůýďťňľĺŕőűășțğışåøæßäö")
_LONGEST_WORD = 60  # longer strings are no words, and would cost time and memory
_STILL_ADJECTIVES = ~(lex.MAYBE_FIRST | lex.KNOWN | lex.ME_VERB | lex.CONTROL | lex.LEAVES)


class Lexicon:
    """Every word of one language."""

    def __init__(
        self, words: WordLists, tables: Tables, endings: Endings, doubles: Doubles
    ) -> None:
        self.words = words
        self.endings = endings
        self._tables = tables
        self._doubles = doubles
        self._foreign = _FOREIGN_LETTERS - set(words.letters)
        self.lookup = lru_cache(maxsize=1 << 16)(self._lookup)

    def _lookup(self, surface: str) -> Word:
        """Every reading of one token."""
        first = surface[0]
        if surface in QUOTES:
            return Word(surface, lex.QUOTE)
        if first in _SIGNS:
            return Word(surface, _SIGNS[first])
        if len(surface) > _LONGEST_WORD:
            return Word("", 0)
        low = clean(surface)
        low = self.words.chat.get(low, low)
        inclusive = low[-1:] and low[-1] in self._doubles.letters
        return (
            self._marked(low)
            or (self._inclusive(fold(low)) if inclusive else None)
            or (self._plain(low))
        )

    def _plain(self, low: str) -> Word:
        key = fold(low)
        tables = self._tables
        copula, person = tables.copulas.get(low) or tables.copulas.get(key) or ("", "")
        if low in tables.not_copulas:
            copula = person = ""
        me_lemma = tables.me_verbs.get(low) or tables.me_verbs.get(key, "")
        tags = self._table_tags(low, key)
        function_word = lex.PREPOSITION | lex.DETERMINER | lex.SUBORDINATOR
        if low not in self.words.by_accent and not tags & function_word:
            tags |= self.endings.verb(low, key)
        tags |= self._verb_classes(key, person, me_lemma)
        gender, adjective, base = self._adjective(low, key, tags)
        role_gender, noun, role_base = self._role(low, key)
        if noun:
            gender, base = role_gender, role_base
        elif gender and self.endings.agent.match(key) and key not in self.words.things:
            noun = lex.AGENT
        if tags or noun or adjective > lex.LOOSE:
            tags |= lex.KNOWN
        if gender and (adjective >= lex.SUFFIX or noun == lex.PAIR):
            tags |= lex.GENDERED
        if noun == lex.COMMON:
            tags |= lex.ONE_FORM
        return Word(
            key, tags | lex.LATIN, copula, person, me_lemma, gender, adjective, noun, base,
            self._evidence(low), self._determiner(key) if tags & lex.DETERMINER else None,
        )  # fmt: skip

    def _evidence(self, low: str) -> int:
        if any(c > "\u024f" or c in self._foreign for c in low):
            return -1
        return (low in self.words.own_words) - (low in self.words.foreign_words)

    def _table_tags(self, low: str, key: str) -> int:
        if low in self.words.by_accent:
            return self.words.by_accent[low]
        # "Laissé" is no form of "laisse".
        form = low if self.endings.accented and low.endswith("é") else key
        tags = self.words.tags.get(form, 0)
        if self.endings.manner.match(key):
            tags |= lex.ADVERB
        return tags

    def _verb_classes(self, key: str, person: str, me_lemma: str) -> int:
        tags = 0
        if person:
            tags |= lex.THIRD if person == "3" else lex.COPULA
        if me_lemma:
            tags |= lex.ME_VERB
        if key.startswith(self.words.object_control):
            tags |= lex.CONTROL
        if me_lemma == self.words.seeing or key.startswith(self.words.leaving):
            tags |= lex.LEAVES
        return tags

    def _role(self, low: str, key: str) -> tuple[Gender | None, int, str]:
        entry = self._tables.roles.get(low) or self._tables.roles.get(key)
        if entry:
            return entry[0], lex.PAIR, entry[1]
        form = low if self.endings.accented else key
        if form in self.words.fixed_nouns:
            return None, lex.FIXED, key
        agent = self.endings.agent_common.match(key) and form not in self.words.things
        # Catalan "content" has a feminine: no noun of one form.
        agent = agent and not {low, key} & (self._tables.human.keys() | self._tables.listed.keys())
        if agent or form in self.words.common_nouns:
            return None, lex.COMMON, key
        return None, lex.NO_NOUN, key

    def _adjective(self, low: str, key: str, tags: int) -> tuple[Gender | None, int, str]:
        if low in self.words.by_accent:
            return None, lex.NOT_ADJECTIVE, key
        form = low if self.endings.accented else key
        if form in self.words.epicene_adjectives:
            return None, lex.LISTED, key
        for table, level in ((self._tables.human, lex.HUMAN), (self._tables.listed, lex.LISTED)):
            entry = table.get(low) or table.get(key)
            if entry:
                return entry[0], level, entry[1]
        if tags & _STILL_ADJECTIVES:
            return None, lex.NOT_ADJECTIVE, key
        level = self.endings.adjective(low, key)
        gender = self.endings.gender(form) if level else None
        return gender, level, self.endings.base(form, gender)

    def _determiner(self, key: str) -> Gender | None:
        if key in self.words.masculine_determiners:
            return M
        return F if key in self.words.feminine_determiners else None

    def _inclusive(self, key: str) -> Word | None:
        """The reading of "cansade", "cansadx", "ume" as a form outside the two genders."""
        stem = self._doubles.stem
        if key[:-1] == stem:
            tags = lex.DETERMINER | lex.KNOWN | lex.LATIN
            return Word(key, tags, determiner=Gender.INCLUSIVE)
        base = self._doubles.bases(key)
        is_known = base in self._tables.human or base in self._tables.roles
        if key in self.words.not_inclusive or not is_known:
            return None
        return self._plain(base)._replace(key=key, gender=Gender.INCLUSIVE, base=base)

    def both(self, one: str, other: str) -> Word | None:
        """The word whose masculine and feminine these are; nothing if they are not."""
        a, b = self.lookup(one), self.lookup(other)
        if {a.determiner, b.determiner} == {M, F}:
            return a._replace(
                tags=a.tags | lex.MARKED, gender=None, noun=lex.NO_NOUN, determiner=Gender.BOTH
            )
        if {a.gender, b.gender} != {M, F} or a.base != b.base:
            return None
        masculine = a if a.gender is M else b
        return masculine._replace(tags=masculine.tags | lex.MARKED, gender=Gender.BOTH)

    def _marked(self, low: str) -> Word | None:
        """The reading of "cansado(a)", "um/a", "cansado*a", "cansad@", "cansad*"."""
        match = self._doubles.pattern.search(low)
        if not match:
            return None
        head = low[: match.start()]
        if not match["sign"]:
            word, gender = self._plain(head), sign_gender(match["mark"])
            return word._replace(
                tags=word.tags | lex.MARKED,
                gender=gender if word.gender else None,
                determiner=gender if word.determiner else None,
            )
        if fold(head) in {self._doubles.stem, ""}:
            tags = lex.DETERMINER | lex.MARKED | lex.LATIN
            return Word(head, tags, determiner=Gender.INCLUSIVE)
        word = self._plain(head + self._doubles.sign)
        if word.noun == lex.PAIR or word.adjective >= lex.SUFFIX:
            return word._replace(tags=word.tags | lex.MARKED, gender=Gender.INCLUSIVE)
        return self._plain(head)
