"""Text in, tokens out: lower case, everything but letters and digits is a blank.

Two sorts of tokens are asked for. Group terms are counted among all of them (Rekabsaz et al. 2021
clean texts like this). Genderedness is averaged over words: at least two letters, no digits
(Fabris et al. 2020, section 4.1).

Stop words are the English stop list of the Indri search engine, without the words that name a
gender. Fabris et al. drop stop words before genderedness is averaged, but keep the gendered ones,
which are what is measured.
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files

#: Letters and digits of any script; the underscore is punctuation.
_TOKEN = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 2

#: ASCII text goes through one table: many times quicker than the pattern, with the same result.
_ASCII = "".join(chr(c).lower() if chr(c).isalnum() else " " for c in range(128))
#: The same for the bytes of UTF-8: those of other letters stay as they are.
_BYTES = bytes(ord(_ASCII[c]) if c < len(_ASCII) else c for c in range(256))
#: Typographic quotation marks, dashes and blanks, in UTF-8: U+2000 to U+203F hold no letter.
_TYPOGRAPHIC = re.compile(rb"\xe2\x80[\x80-\xbf]")
#: Half of a character, as broken input may hold it, is punctuation like any other.
_HALVES = "surrogatepass"


def tokens(text: str) -> list[str]:
    """All tokens of a text in their order: runs of letters and digits, in lower case."""
    if text.isascii():
        return text.translate(_ASCII).split()
    lowered = text.lower().encode("utf-8", _HALVES).translate(_BYTES)
    pieces = _TYPOGRAPHIC.sub(b" ", lowered).decode("utf-8", _HALVES)
    if pieces.isascii():
        return pieces.split()
    tokens_read: list[str] = []
    for piece in pieces.split():
        if piece.isascii():
            tokens_read.append(piece)
        else:
            tokens_read += _TOKEN.findall(piece)
    return tokens_read


def strip_marks(text: str) -> str:
    """Return a text without accents and other marks on its letters, decomposed."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def is_word(token: str) -> bool:
    """Return whether a token counts for genderedness: two letters or more, and no digit."""
    return len(token) >= _LEAST_LETTERS and not any(letter.isdigit() for letter in token)


def words(text: str) -> list[str]:
    """The tokens of a text that are words."""
    return list(filter(is_word, tokens(text)))


# --- stop words -----------------------------------------------------------------------------------

#: Words of the list that are not dropped, because they name a gender.
KEPT = frozenset("she her hers herself he him his himself mr mrs ms".split())


def _read_words() -> frozenset[str]:
    name = "english_stopwords.txt"
    return frozenset(files("monitor.data").joinpath(name).read_text(encoding="utf-8").split())


#: What is dropped from queries and documents before genderedness is averaged.
STOP: frozenset[str] = _read_words() - KEPT


@cache
def stop_words(*, published: bool = False) -> frozenset[str]:
    """The stop words; `published` drops `him` too, as the numbers of the paper did."""
    return STOP | {"him"} if published else STOP
