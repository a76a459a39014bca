"""Slavic text: tokens with their offsets, uniform spelling, and the words of each language.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
"""

import re
import unicodedata
from functools import cache

from monitor.data import read_toml
from monitor.languages._pairs import ONE_FORM
from monitor.languages._plain_text import shorten
from monitor.languages._speech import MARK, SIGNS

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
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_STROKES))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


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
