"""The Slavic reader: which gender a text gives to its first person, by tables.

How to add a language
---------------------
One file `xx.py`, with its word lists in `monitor/data/person_words_xx.toml`, ends with
`LANGUAGE = Slavic(...)`:

* `words`: {lower-case form: tags}: the closed classes. `read_words` makes it of lists under the
  names of their tags, and joins the tags of a form that stands in several lists. A form listed
  here never asks `ending`.
* `ending(key) -> tags`: what the ending of an unlisted word says (past tense, adjective, first
  person of the present). Called once per form, the answer is kept.
* `rules`: tuple of :class:`monitor.languages._clauses.Rule`. All strong rules are tried; `weak`
  ones only where no strong rule found anything in the text.
* `letters`: the lower-case letters of the language; a word with another letter speaks against it.
* `spell` (optional): applied to each lower-case word before look-up (Serbian to Latin script).
* `people` (optional): person nouns ("jsem lékařka"), read with `nouns=True` only; see
  :mod:`monitor.languages._slavic_people`.
* `context` (optional): changes the tags of words by their neighbours, before clauses are cut
  (Croatian "te" is "and" as well as "you").
* `follow` (optional): tags that a clause takes over from those of its sentence before it, for
  languages whose verbs do not say the person ("я пришла и увидела"). Without it a pronoun of the
  first person is passed on past an inserted clause ("Já, jak víš, jsem unavená").

Tags are bits of an `int`. Those of :mod:`monitor.languages._clauses` have a meaning for the reader
or are only names that the languages share; a language may define its own from `FREE` upwards.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import or_

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages import _plain_text as plain_text
from monitor.languages._clauses import (
    Clause,
    Context,
    Ending,
    Follow,
    Rule,
    SentenceReader,
    longest_ending,
    read_words,
)
from monitor.languages._pairs import ONE_FORM, one_stem, sign_gender
from monitor.languages._plain_text import script_of
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.slavic._slavic_people import RULES, People, with_people
from monitor.model import Cue, Gender, GenderClass, Signal
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
_STRESS = re.compile("(?<=[аеёиоуыэюяєіїАЕЁИОУЫЭЮЯЄІЇ])\u0301")  # dictionaries mark it in Cyrillic
_STROKES = str.maketrans("łŁđĐ", "lLdD")  # these have no decomposition
DOUBLE = re.compile(
    rf"^(?P<stem>[^/(\[{ONE_FORM}]+)(?P<sign>[/(\[{ONE_FORM}])-?"
    rf"(?P<tail>{_TAIL})[)\]]?(?P<rest>\w*)$"
)


def clean(surface: str) -> str:
    """Return a word in uniform spelling, without stress marks."""
    return plain_text.clean(surface if surface.isalpha() else _STRESS.sub("", surface))


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


# --- texts without diacritics: "Som sikovna", "Zrobilam to", "Jsem unaveny" -----------------------
#
# Such a text is read a second time, by a reader whose tables have lost their diacritics as well.
# The closed classes keep their tags. Of the endings that no longer tell a gender from another word,
# only those are read that still do so in both genders: an adjective in -y whose feminine would be
# taken for a noun is left unread, and so is a past tense whose feminine is also a present
# ("pozwalam").

_ACCENTED = re.compile(r"[\u00c0-\u024f\u0300-\u036f\u0400-\u052f]")


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
        if tags & s.CUT and tags & s.PREP:  # "że" and "ze": the subordinator is far more frequent
            folded[bare] = tags & ~s.PREP
    return folded


_BARE_DATA = read_toml("person_words_bare")
_NOUNS = frozenset(_BARE_DATA["nouns"].split())
_PRODUCTIVE = re.compile(r".{2,}(?:[^aeiouy]n|[aeou]n|liv|nut|jat)[ya]$")
_VOWELS = (("y", s.ADJ_M), ("a", s.ADJ_F))


def _read_endings(code: str) -> dict[str, int]:
    return read_words(_BARE_DATA[code]["endings"], vars(s))


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
            return s.ADJ_M if key.endswith("y") else s.ADJ_F
        return longest_ending(key, endings)

    return ending


_POLISH_ENDINGS = _read_endings("pl")
_PRESENTS = frozenset(_BARE_DATA["pl"]["presents"].split())
_NO_PAST = frozenset(_BARE_DATA["pl"]["no_past"].split())


def _polish(key: str) -> int:
    if key in _PRESENTS:
        return s.VERB
    return 0 if key in _NO_PAST else longest_ending(key, _POLISH_ENDINGS)


#: What endings say besides those of the language itself, and the languages that are read so.
BARE: Mapping[str, Ending] = {
    "cs": _west("cs"),
    "sk": _west("sk"),
    "pl": _polish,
    **dict.fromkeys(("hr", "sr", "sl"), lambda _: 0),
}
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


# --- the reader -----------------------------------------------------------------------------------

_SHORTEST = 2  # letters: no ending can be told from so little


def pass_pronoun_on(sentence: list[Clause], clause: Clause) -> int:
    """Return the pronoun that waits for its verb past an insertion: "Я, как и все, устал"."""
    last = sentence[-1].union
    waits = last & s.NOMINATIVE and not last & s.VERBAL and not clause.union & s.OTHER
    return s.NOMINATIVE if waits else 0


@dataclass(kw_only=True)
class Slavic(SentenceReader):
    """A Slavic language: the gender of the first person in its texts, from agreement."""

    code: str
    name: str
    words: Mapping[str, int]
    ending: Ending
    rules: tuple[Rule, ...]
    letters: str
    spell: Callable[[str], str] = str
    context: Context | None = None
    follow: Follow | None = pass_pronoun_on
    people: People
    nouns: bool = False  # count nouns for persons ("som vodca"): those of `people`
    without_diacritics: bool = False  # of the tables
    version: int
    _token = TOKEN

    def counting(self, *, nouns: bool) -> Slavic:
        return replace(self, nouns=nouns)

    def __post_init__(self) -> None:
        self._alphabet = frozenset(self.letters + "'’-")
        self._script = script_of(self.letters)
        self._chat = CHAT.get(self.code, {})
        self._spoken = SPOKEN.get(self.code)
        self._telling = TELLING.get(self.code, frozenset())
        self._own, foreign = own_and_foreign(self.code, bare=self.without_diacritics)
        rules = self.rules + (RULES if self.nouns else ())
        self._keep_rules(rules)
        self._couples = self.people.couples if self.nouns else frozenset()
        masculine = reduce(or_, (rule.masculine for rule in rules))
        feminine = reduce(or_, (rule.feminine for rule in rules))
        self._genders, self._marked = (masculine, feminine), masculine | feminine | s.BRACKET
        self._ending: Ending = self._tag_ending
        self._table, listed = self.words, frozenset(self.words)
        if self.nouns:
            self._table = with_people(self.words, self._tag_ending, self.people)
        self._bare: Slavic | None = None
        if self.without_diacritics:
            self._table, self._ending = bare_tables(self.code, self._table, self._tag_ending)
            listed = frozenset(self._table)
        elif self.code in BARE:
            self._bare = replace(self, without_diacritics=True)
        self._foreign_words = foreign - listed

    # --- words ---------------------------------------------------------------------------------

    def spell_token(self, surface: str) -> str:
        """Return a token in the spelling of the tables."""
        return self._spelling(clean(surface))

    def _spelling(self, low: str) -> str:
        return self.spell(self._chat.get(low, low))

    def _tag_ending(self, key: str) -> int:
        """Return what the ending of a word says that is long enough to have one."""
        return self.ending(key) if len(key) > _SHORTEST else 0

    def _tags(self, key: str) -> int:
        """Tags of a word by the table or by its ending."""
        if key in self._table:
            return self._table[key]
        tags = self._ending(key)
        if not tags and self._spoken and key.endswith(self._spoken[0]):
            return self._ending(key.removesuffix(self._spoken[0]) + self._spoken[1])
        return tags

    def look_up(self, surface: str) -> int:
        """Return the tags of one token, looked at on its own."""
        if surface in s.MARKS:
            return s.MARKS[surface]
        low = clean(surface)
        if not low.isalpha() and (double := DOUBLE.match(low)):
            forms = (double["stem"] + tail + double["rest"] for tail in ("", double["tail"]))
            return self._doubled(forms, double["sign"])
        key = self._spelling(low)
        own, foreign = self._own, self._foreign_words
        tags = self._tags(key)
        if self._alphabet.issuperset(low):
            tags |= s.NATIVE
            telling = key in own or low in own or not self._telling.isdisjoint(low)
            telling &= key not in foreign
            telling |= self.without_diacritics and bool(tags & (s.FUSED_M | s.FUSED_F))
            tags |= s.OWN if telling else 0
            tags |= s.FOREIGN if key in foreign else 0
        elif key in foreign or not self._alphabet.isdisjoint(low):
            tags |= s.FOREIGN  # a name in another script says nothing: "купил LEGO"
        return tags

    def _doubled(self, forms: Iterable[str], sign: str) -> int:
        """Tags of "rád/a", "był(a)m", "rád*a": those of the form without its tail, or with it."""
        both = s.DOUBLED if sign_gender(sign) is Gender.BOTH else s.INCLUSIVE
        all_tags = (self._tags(self._spelling(form)) for form in forms)
        return next((tags | both for tags in all_tags if tags & self._marked), 0) | s.NATIVE

    def _both(self, one: str, other: str) -> int:
        """Tags of a word whose masculine and feminine these are; 0 if they are not."""
        masculine, feminine = self._genders
        a, b = self._forms[one], self._forms[other]
        if a & feminine and b & masculine:
            a, b = b, a
        if not (a & masculine and b & feminine and self._one_word(one, other)):
            return 0
        # The feminine tag of a pair is the next bit after the masculine one.
        gender = a & masculine & (b & feminine) >> 1 or a & masculine
        return (a & b & ~(masculine | feminine)) | gender | s.NATIVE | s.DOUBLED

    def _one_word(self, one: str, other: str) -> bool:
        """Return whether two forms are one word in its two genders."""
        pair = self.key(one), self.key(other)
        return one_stem(*pair) or pair in self._couples or pair[::-1] in self._couples

    def _signal(self, text: str, cue: Cue, least: int = 0) -> Signal:
        signal = super()._signal(text, cue, least)
        if signal.witnesses or not self._bare or not is_bare(text):
            return signal
        sure = signal.cls is not GenderClass.UNIDENTIFIED
        bare = self._bare._signal(text, cue, least=0 if sure else 1)  # noqa: SLF001 - same class
        return bare if bare.witnesses else signal
