"""Slavic text: tokens with their offsets, and spelling made uniform.

One compiled expression finds words and the punctuation that cuts clauses. A word keeps combining
marks, zero-width characters and the tail of a double form ("unavený/á", "mógł(a)bym", "rád*a");
:func:`clean` makes its spelling uniform, so that look-ups see lower case, composed letters and no
invisible characters, while offsets stay those of the text as it was given.
"""

import re
import unicodedata

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
