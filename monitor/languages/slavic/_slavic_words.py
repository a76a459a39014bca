"""Words and clauses of the Slavic languages: tokens, spelling, tags, rules, witnesses.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
:mod:`monitor.languages.slavic._slavic` explains how a language uses tags and rules.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Protocol, TypeAlias

from monitor.data import read_toml
from monitor.languages._clauses import read_words
from monitor.languages._pairs import ONE_FORM
from monitor.languages._plain_text import shorten
from monitor.languages._speech import MARK, QUOTES, SIGNS
from monitor.model import Gender
from monitor.text.tokens import strip_marks

# --- tokens and spelling -------------------------------------------------------------------------

# In Cyrillic an apostrophe and a hyphen between letters belong to the word: об'єднав, что-то.
_WORD = rf"[^\W\d_]+(?:(?:[{MARK}\d]|['’\-](?=[\u0400-\u052f]))[^\W_{MARK}]*)*"
# What may follow the stroke or stand in the brackets of a double form.
# Longest first.
_TAIL = "łabym|abym|лась|лася|ého|łam|ась|am|ka|la|na|ná|ną|ou|ov|ła|ая|ла|на|ой|ою|ся|a|i|á|ą|а|я"
# The text may hold accents as marks of their own.
_TAILS = sorted({*_TAIL.split("|"), *unicodedata.normalize("NFD", _TAIL).split("|")}, key=len)
_ANY = "(?i:" + "|".join(reversed(_TAILS)) + ")"
TOKEN = re.compile(
    rf"{_WORD}(?:(?=[(\[/{ONE_FORM}])(?!:я)"  # :я is the next clause
    rf"(?:[(\[]-?{_ANY}[)\]](?:[^\W\d_]+)?|[/{ONE_FORM}]-?{_ANY}(?!\w)))?"
    rf"|{SIGNS}"
)
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_STRESS = re.compile("(?<=[аеёиоуыэюяєіїАЕЁИОУЫЭЮЯЄІЇ])\u0301")  # dictionaries mark it in Cyrillic
_STROKES = str.maketrans("łŁđĐ", "lLdD")  # these have no decomposition
DOUBLE = re.compile(
    rf"^(?P<stem>[^/(\[{ONE_FORM}]+)(?P<sign>[/(\[{ONE_FORM}])-?"
    rf"(?P<tail>{_TAIL})[)\]]?(?P<rest>\w*)$"
)


def clean(surface: str) -> str:
    """Lower case, composed, without invisible characters, stress marks and drawn-out letters."""
    if surface.isalpha():  # neither marks nor invisible characters
        low = shorten(surface.casefold())
        return low if low.isascii() else unicodedata.normalize("NFC", low)
    low = _STRESS.sub("", _INVISIBLE.sub("", surface).casefold())
    return shorten(unicodedata.normalize("NFC", low))


def fold(text: str) -> str:
    """`text` without accents and strokes."""
    return strip_marks(text.translate(_STROKES))


# --- languages by their function words ------------------------------------------------------------


_DATA = read_toml("function_words")


def _read_lists(name: str) -> dict[str, frozenset[str]]:
    """Return word lists by language; Serbian has those of Croatian."""
    lists = {code: frozenset(text.split()) for code, text in _DATA[name].items()}
    return lists | {"sr": lists["hr"]}


_FUNCTION_WORDS, _HOMOGRAPHS = _read_lists("slavic"), _read_lists("homographs")
_COMMON = frozenset(_DATA["like_slavic"].split())
_BULGARIAN_ALONE = frozenset(_DATA["bulgarian_alone"].split())
#: Letters that only one of the languages has.
TELLING = {code: frozenset(letters) for code, letters in _DATA["telling"].items()}
#: Spellings of chats and of the spoken language: {spelling: word}.
CHAT = {
    code: dict(pair.split("/") for pair in pairs) for code, pairs in _read_lists("chat").items()
}
#: Endings of the spoken language: {ending: that of the written one}, for words without any reading.
#: Czech "unavenej", whose feminine is as in writing.
SPOKEN = {"cs": ("ej", "ý")}


@cache
def own_and_foreign(code: str, *, bare: bool = False) -> tuple[frozenset[str], frozenset[str]]:
    """Words that only `code` has among the lists, and words that only other languages have.

    With `bare` as they are spelt without diacritics.
    """
    own_words = _FUNCTION_WORDS[code]
    other_lists = [
        listed for other, listed in _FUNCTION_WORDS.items()
        if listed is not own_words and other not in (code, "bg")
    ]  # fmt: skip
    foreign_words = frozenset().union(*other_lists)
    if code != "bg":
        foreign_words |= _BULGARIAN_ALONE - foreign_words - own_words
    if bare:
        own_words, foreign_words = (
            frozenset(map(fold, listed)) | listed for listed in (own_words, foreign_words)
        )
    return own_words - foreign_words, foreign_words - own_words - _COMMON - _HOMOGRAPHS[code]


# --- tags --------------------------------------------------------------------------------------

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


_LONGEST_ENDING = 8


def longest_ending(key: str, endings: Mapping[str, int]) -> int:
    """Tags of the longest ending of `key` in a table of them, 0 without any."""
    for size in range(min(_LONGEST_ENDING, len(key)), 0, -1):
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

    def key(self, surface: str) -> str:
        """A token in the spelling of the tables."""

    def look_up(self, surface: str) -> int:
        """Tags of one token, looked at on its own."""

    def known(self, surface: str) -> int:
        """Return what `look_up` says, kept from the first look."""


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
    """A condition under which a word shows the speaker's gender: see :mod:`._slavic`."""

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


# --- texts without diacritics: "Som sikovna", "Zrobilam to", "Jsem unaveny" -----------------------
#
# Such a text is read a second time, by a reader whose tables have lost their diacritics as well.
# The closed classes keep their tags. Of the endings that no longer tell a gender from another word,
# only those are read that still do so in both genders: an adjective in -y whose feminine would be
# taken for a noun is left unread, and so is a past tense whose feminine is also a present
# ("pozwalam").

_ACCENTED = re.compile(r"[\u00c0-\u024f\u0300-\u036f\u0400-\u052f]")
Ending: TypeAlias = Callable[[str], int]


def is_bare(text: str) -> bool:
    """Return whether the text has no letter with a diacritic."""
    return text.isascii() or not _ACCENTED.search(text)


def _without_diacritics(words: Mapping[str, int]) -> dict[str, int]:
    """The table with its forms folded; forms that fold alike have the tags of each other."""
    folded: dict[str, int] = {}
    for form, tags in words.items():
        for bare in {fold(form), fold(form.replace("đ", "dj"))}:
            folded[bare] = folded.get(bare, 0) | tags
    for bare, tags in folded.items():
        if tags & CUT and tags & PREP:  # "że" and "ze": the subordinator is far more frequent
            folded[bare] = tags & ~PREP
    return folded


_BARE_DATA = read_toml("person_words_bare")
_NOUNS = frozenset(_BARE_DATA["nouns"].split())
_PRODUCTIVE = re.compile(r".{2,}(?:[^aeiouy]n|[aeou]n|liv|nut|jat)[ya]$")
_VOWELS = (("y", ADJ_M), ("a", ADJ_F))


def _read_endings(code: str) -> dict[str, int]:
    return read_words(_BARE_DATA[code]["endings"], globals())


def _west(code: str) -> Ending:
    """Return the endings of Czech or Slovak."""
    stems, endings = f"{_BARE_DATA['stems']} {_BARE_DATA[code]['stems']}", _read_endings(code)
    listed = {stem + vowel: tag for stem in stems.split() for vowel, tag in _VOWELS}

    def ending(key: str) -> int:
        plain = key.removeprefix("ne")
        if plain in listed:
            return listed[plain]
        if plain[:-1] + "a" in _NOUNS:
            return 0
        if _PRODUCTIVE.match(key):
            return ADJ_M if key.endswith("y") else ADJ_F
        return longest_ending(key, endings)

    return ending


_POLISH_ENDINGS = _read_endings("pl")
_PRESENTS = frozenset(_BARE_DATA["pl"]["presents"].split())
_NO_PAST = frozenset(_BARE_DATA["pl"]["no_past"].split())


def _polish(key: str) -> int:
    if key in _PRESENTS:
        return VERB
    return 0 if key in _NO_PAST else longest_ending(key, _POLISH_ENDINGS)


#: What endings say besides those of the language itself, and the languages that are read so.
BARE: Mapping[str, Ending] = MappingProxyType(
    {
        "cs": _west("cs"),
        "sk": _west("sk"),
        "pl": _polish,
        **dict.fromkeys(("hr", "sr", "sl"), lambda _: 0),
    }
)
_SILENT = {"pl": _PRESENTS | _NO_PAST}  # forms whose ending is not asked


def bare_tables(
    code: str, words: Mapping[str, int], ending: Ending
) -> tuple[Mapping[str, int], Ending]:
    """The word table and the endings of a language for text without diacritics."""
    if code == "pl":  # "pracuje" may be "pracuję" or "she works"
        words = {form: tags for form, tags in words.items() if not form.endswith("ję")}
    table = _without_diacritics(words)
    if code == "pl":
        stems = _BARE_DATA["pl"]["stems"].split()
        table |= {stem + vowel: tag for stem in stems for vowel, tag in _VOWELS}
    bare, silent = BARE[code], _SILENT.get(code, frozenset())

    def either(key: str) -> int:
        return bare(key) or (0 if key in silent else ending(key))

    return table, either
