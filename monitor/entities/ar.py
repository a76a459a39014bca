"""Arabic: the noun's form, with or without vowels; elsewhere verbs, adjectives and pronouns."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from monitor.entities._nouns import NounGender
from monitor.entities._reader import Evidence, Token
from monitor.entities._semitic import MARK, SemiticReader, invert, split_word
from monitor.model import Gender

_PREFIXES = tuple(
    sorted(
        {
            "".join(parts)
            for parts in product(("", "و", "ف"), ("", "ال", "ب", "بال", "ك", "كال", "ل", "لل"))
        }
        - {""},
        key=len,
    )
)
_SUFFIXES = ("ه", "ها", "هم", "هما", "هن", "ك", "كم", "نا", "ي", "ني")
_VARIANTS = str.maketrans("أإآٱىؤئ", "اااايوي")
_PRONOUNS = {Gender.FEMININE: "هي وهي فهي", Gender.MASCULINE: "هو وهو فهو"}
_SUFFIXED = {
    Gender.FEMININE: "لها منها اليها عليها بها معها عنها انها لانها بانها وانها ولها فيها كانها",
    Gender.MASCULINE: "له منه اليه عليه به معه عنه انه لانه بانه وانه وله فيه كانه",
}


class Arabic(SemiticReader):
    """Reader of Arabic translations."""

    code = "ar"
    name = "Arabic"
    version = 1
    decides = (
        "the noun's form; verbs, adjectives and pronouns where the noun is not found. "
        "Nobody whose language it is has checked the rules"
    )
    pronouns = invert(_PRONOUNS)
    suffixed = invert(_SUFFIXED)

    def fold(self, form: str) -> str:
        """Return `form` without vowels and tatweel, with one letter for each alef, waw and ya."""
        return _fold(form)

    def split(self, key: str) -> tuple[str, ...]:
        """Return the word, then without prefixes, then without a pronoun behind it."""
        return _split(key)

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular, dual and plural in all cases."""
        if lemma[-1] == "+":
            yield lemma[:-1], True
            return
        yield lemma, False
        if gender is NounGender.MASCULINE:
            yield f"{lemma}ا", False
            for ending in ("ان", "ين", "ون", "و", "ي"):
                yield f"{lemma}{ending}", True
        elif gender is NounGender.FEMININE:
            stem = lemma.removesuffix("ة")
            for ending in ("تان", "تين", "ات"):
                yield f"{stem}{ending}", True

    def is_native(self, key: str) -> bool:
        """Return whether a folded word is in Arabic letters."""
        return "\u0620" <= key[:1] <= "\u06d3"

    def agreement(self, tokens: Sequence[Token], place: int) -> list[Evidence]:
        """Return the verb before or behind the noun."""
        for at in (place - 1, place + 1):
            if 0 <= at < len(tokens):
                shown = self.agreeing(tokens, at)
                if shown:
                    return [Evidence(at, shown[0], "verb")]
        return []

    def agreeing(self, tokens: Sequence[Token], place: int) -> tuple[Gender, float] | None:
        """Return the gender of a verb in the third person."""
        del tokens, place
        return None


@lru_cache(maxsize=1 << 15)
def _fold(form: str) -> str:
    return MARK.sub("", unicodedata.normalize("NFKC", form)).translate(_VARIANTS).casefold()


@lru_cache(maxsize=1 << 15)
def _split(key: str) -> tuple[str, ...]:
    return split_word(key, _PREFIXES, _without_pronoun, 3)


def _without_pronoun(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if stem.endswith("ت"):
                yield f"{stem[:-1]}ة"
            yield stem
            if stem[-1:] in ("و", "ي"):
                yield f"{stem[:-1]}ء"


ENTITY_READER = Arabic()
