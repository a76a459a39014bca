"""Spanish: nouns in -o/-a and articles; of nouns of one form the article or an attribute tells."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from monitor.entities._nouns import NounGender
from monitor.entities._reader import EntityReader, Evidence, Token
from monitor.model import Gender

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DETERMINERS = {
    word: gender
    for gender, words in {
        Gender.MASCULINE: "el los un unos al del este ese aquel nuestro",
        Gender.FEMININE: "la las una unas esta esa aquella nuestra",
    }.items()
    for word in words.split()
}
_FUNCTION_WORDS = frozenset(
    "el la los las un una que de en y a no se lo le con por para al del".split()
)


class Spanish(EntityReader):
    """Reader of Spanish translations."""

    code = "es"
    name = "Spanish"
    version = 1
    decides = "nouns with two forms, articles"

    def tokenize(self, text: str) -> list[Token]:
        """Return the words of `text` in order."""
        return [
            Token(match[0], match.start(), match.end(), key := self.fold(match[0]), (key,))
            for match in _WORD.finditer(text)
        ]

    def fold(self, form: str) -> str:
        """Return `form` in small letters without accents; ñ stays."""
        decomposed = unicodedata.normalize("NFD", form.casefold().replace("ñ", "\0"))
        return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("\0", "ñ")

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular and plural."""
        del gender
        yield lemma, False
        yield (f"{lemma}s" if lemma[-1] in "aeiouáéó" else f"{lemma}es"), True

    def is_language(self, tokens: Sequence[Token]) -> bool:
        """Return whether a frequent word of Spanish is among the words."""
        return any(token.key in _FUNCTION_WORDS for token in tokens)

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the article before the noun."""
        gender = _DETERMINERS.get(tokens[place - 1].key) if place else None
        return [Evidence(place - 1, gender, "article", last=place)] if gender else []


ENTITY_READER = Spanish()
