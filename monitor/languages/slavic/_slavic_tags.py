"""Words and clauses of the Slavic languages: tags, clauses, rules, witnesses.

:mod:`monitor.languages.slavic._slavic` explains how a language uses them and passes every name on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from monitor.languages._clauses import table as table  # noqa: PLC0414 - languages find it here
from monitor.languages._speech import QUOTES
from monitor.model import Gender

# --- Tags --------------------------------------------------------------------------------------

# Clauses.
COMMA, STOP, COLON, BREAK, SLASH, QUOTE = (1 << n for n in range(6))
CUT = 1 << 6  # opens a clause: subordinators, relative pronouns
AND = 1 << 7  # coordinators
OR = 1 << 8  # "or": what it joins may be the two genders of one word
SAY = 1 << 9  # a verb of saying that is not the first person's
# Who the clause is about.
NOMINATIVE = 1 << 10  # the pronoun "I"
AUX = 1 << 11  # auxiliaries that only the first person has: jsem, bych, sam, bih, sem
BE = 1 << 12  # the copula in the first person, as far as an adjective may follow
FEEL = 1 << 13  # other copular verbs in the first person
VERB = 1 << 14  # another verb in the first person singular
OTHER = 1 << 15  # a subject or verb of another person
ME = 1 << 16  # oblique forms of "I"
# Words that show a gender, in pairs.
PAST_M, PAST_F = 1 << 17, 1 << 18  # l-participles, past tense
FUSED_M, FUSED_F = 1 << 19, 1 << 20  # forms that hold the first person and the gender: byłem
ADJ_M, ADJ_F = 1 << 21, 1 << 22  # adjectives in the nominative
INS_M, INS_F = 1 << 23, 1 << 24  # adjectives in the instrumental
SHORT_M, SHORT_F = 1 << 25, 1 << 26  # short adjectives and passive participles
GLAD_M, GLAD_F = 1 << 27, 1 << 28  # rád, rád/ráda
SELF_M, SELF_F = 1 << 29, 1 << 30  # sám, sama
NOUN_M, NOUN_F = 1 << 31, 1 << 32  # nouns for persons, as neighbours
# Neighbours.
PREP = 1 << 33
DET = 1 << 34  # determiners, pronouns that go with a noun
ADV = 1 << 35  # adverbs and particles
CLITIC = 1 << 36
INF = 1 << 37  # infinitives; `BE_INF` is "to be"
BE_INF = 1 << 38
BE_PAST = 1 << 39  # "was": the past tense of the copula, beside its PAST tag
# What the reader itself adds.
DOUBLED = 1 << 40  # both genders written as one word: rád/a
INCLUSIVE = 1 << 41  # rád*a
OWN, FOREIGN, NATIVE = 1 << 42, 1 << 43, 1 << 44
WOULD = 1 << 45  # the particle of the conditional: what is said under it was not said
BRACKET = 1 << 46  # beside BREAK: what it opens may be an ending
IS = 1 << 47  # a copula in the third person singular: it has a subject of its own, and bars no rule
FREE = 1 << 48  # a language's own tags start here: FREE, FREE << 1, ...

FIRST = NOMINATIVE | AUX | BE | FEEL | VERB | FUSED_M | FUSED_F
PAST = PAST_M | PAST_F
ADJ = ADJ_M | ADJ_F
VERBAL = AUX | BE | FEEL | VERB | PAST | FUSED_M | FUSED_F | SAY
FINITE = VERBAL | OTHER | IS
PUNCTUATION = COMMA | STOP | COLON | BREAK | QUOTE
CUTS = PUNCTUATION | CUT | AND
MARKS = {",": COMMA, ":": COLON, "/": SLASH} | dict.fromkeys(".!?…\n", STOP) | dict.fromkeys(
    ";)]–—-", BREAK
) | dict.fromkeys("([", BREAK | BRACKET) | dict.fromkeys(QUOTES, QUOTE)  # fmt: skip
_NEAR = 8  # a bounded look keeps the time linear

Fits: TypeAlias = Callable[["Clause", int], bool]
#: Surfaces and tags of a text, and what spells a surface as the tables do; the tags are changed.
Context: TypeAlias = Callable[[list[str], list[int], Callable[[str], str]], None]
Follow: TypeAlias = Callable[[list["Clause"], "Clause"], int]


def longest_ending(key: str, endings: Mapping[str, int], longest: int = 8) -> int:
    """Tags of the longest ending of `key` in a table of them, 0 without any."""
    for size in range(min(longest, len(key)), 0, -1):
        tags = endings.get(key[-size:])
        if tags is not None:
            return tags
    return 0


class Vocabulary(Protocol):
    """Words of a language, as its clauses ask for them."""

    @property
    def follow(self) -> Follow | None: ...

    @property
    def words(self) -> Mapping[str, int]:
        """Listed words in the spelling of the tables, with their tags."""
        ...

    def key(self, surface: str) -> str:
        """A token in the spelling of the tables."""
        ...

    def look_up(self, surface: str) -> int:
        """Tags of one token, looked at on its own."""
        ...

    def known(self, surface: str) -> int:
        """Return what `look_up` says, kept from the first look."""
        ...


@dataclass(slots=True)
class Clause:
    """One clause. `tags[i]` and `key(i)` are of its i-th word; `union` is all tags together."""

    tags: list[int]
    at: list[int]  # positions of its words among the tokens of the text
    union: int
    opener: int  # tags of what it was cut at: punctuation, CUT or AND; 0 at the start
    surfaces: list[str]
    language: Vocabulary

    def tag(self, i: int) -> int:
        """Tags of the i-th word, 0 outside the clause."""
        return self.tags[i] if 0 <= i < len(self.tags) else 0

    def key(self, i: int) -> str:
        """The i-th word in uniform spelling, empty outside the clause."""
        if not 0 <= i < len(self.tags):
            return ""
        return self.language.key(self.surfaces[self.at[i]])

    def near_before(self, i: int, tags: int) -> bool:
        """Return whether one of the few words before the i-th has one of `tags`."""
        return any(t & tags for t in self.tags[max(0, i - _NEAR) : i])


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition under which a word shows the speaker's gender: see the top of this module."""

    name: str
    masculine: int
    feminine: int
    needs: int = 0
    bars: int = 0
    fits: Fits | None = None
    weak: bool = False
    shown: int = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", self.masculine | self.feminine)


# --- witnesses ------------------------------------------------------------------------------------


#: Token, gender, name of the rule.
Found: TypeAlias = tuple[int, Gender, str]


def apply(rules: tuple[Rule, ...], clauses: list[Clause]) -> list[Found]:
    """Every witness that `rules` find, in the order of the text."""
    witnesses: dict[int, Found] = {}
    for clause in clauses:
        union = clause.union
        for rule in rules:
            gendered = rule.shown
            if not union & gendered or union & rule.bars or (rule.needs and not union & rule.needs):
                continue
            for i, word in enumerate(clause.tags):
                if not word & gendered:
                    continue
                token = clause.at[i]
                if token not in witnesses and (not rule.fits or rule.fits(clause, i)):
                    witnesses[token] = (token, _gender(word, rule), rule.name)
    return (
        [witnesses[token] for token in sorted(witnesses)]
        if len(witnesses) > 1
        else list(witnesses.values())
    )


def _gender(word: int, rule: Rule) -> Gender:
    if word & DOUBLED or (word & rule.masculine and word & rule.feminine):
        return Gender.BOTH
    if word & INCLUSIVE:
        return Gender.INCLUSIVE
    return Gender.MASCULINE if word & rule.masculine else Gender.FEMININE
