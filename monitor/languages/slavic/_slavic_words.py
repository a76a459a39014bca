"""Words of the Slavic languages: tokens, spelling, function words, texts without diacritics.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages import _plain_text as plain_text
from monitor.languages._clauses import Ending, longest_ending, read_words
from monitor.languages._pairs import ONE_FORM
from monitor.languages._speech import MARK, SIGNS
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
