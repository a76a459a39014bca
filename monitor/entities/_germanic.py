"""What German and Dutch share: words, the language of a text, nouns offered for both genders."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from monitor.entities._reader import LETTERS, SteppedReader, Token

_WORD = re.compile(
    rf"(?<!\d){LETTERS}"
    rf"(?:[:*_·/]-?in(?:nen)?\b|(?<=[^\W\d_])\((?:in|innen)\)|[-'’]{LETTERS})*"
)
#: The same for a text without any of these signs.
_SIGNS = re.compile("[:*_·/('’\u0300-\u036f]")
_PLAIN_WORD = re.compile(r"(?<!\d)[^\W\d_]+(?:-[^\W\d_]+)*")
_ENGLISH = frozenset(
    "the of and to is she he his with for that had from were been they their this would".split()
)


class GermanicReader(SteppedReader):
    """Reader of a Germanic language."""

    function_words: frozenset[str]
    foreign_words: frozenset[str]

    def fold(self, form: str) -> str:
        """Return `form` composed and in small letters."""
        return _fold(form)

    def tokenize(self, text: str) -> list[Token]:
        """Return the words of `text` in order."""
        pattern = _WORD if _SIGNS.search(text) else _PLAIN_WORD
        return [
            Token(match[0], match.start(), match.end(), key := _fold(match[0]), (key,))
            for match in pattern.finditer(text)
        ]

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether words of this language outnumber those of its neighbours."""
        own = foreign = 0
        for token in tokens:
            if token.key in self.function_words:
                own += 1
            elif token.key in self.foreign_words or token.key in _ENGLISH:
                foreign += 1
        if own or foreign:
            return own >= foreign
        return any(self._forms_at(token) for token in tokens)


def words(text: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(text.split())


@lru_cache(maxsize=65536)
def _fold(form: str) -> str:
    return unicodedata.normalize("NFC", form).casefold()
