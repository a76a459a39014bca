"""Dutch: nouns with a feminine form, and pairs whose masculine form names men alone.

Most names of professions are one form for all (arts, assistent, bakker), and neither article nor
attribute shows a gender. Of these a pronoun decides where the source names nobody else.
"""

from collections.abc import Iterable, Sequence

from monitor.data import read_words
from monitor.entities._germanic import GermanicReader, words
from monitor.entities._persons import NounGender, Source
from monitor.entities._reader import Evidence, Token, endings, find_pair
from monitor.model import Gender

_M, _F = Gender.MASCULINE, Gender.FEMININE
_PRONOUNS = {
    **dict.fromkeys("hij hem zijn".split(), _M),
    **dict.fromkeys("zij ze haar".split(), _F),
}
_WORDS = read_words("entity_words_nl")
_PLURAL_VERBS = _WORDS["plural_verbs"]
_PLURAL_SOURCE = words("they them their theirs themselves")
_GENDER_STEMS = (("vrouwelijk", _F), ("vrouwen", _F), ("mannelijk", _M), ("mannen", _M))
_JOINERS = words("en of")
_ARTICLES = words("de een het die deze dat")
_SHORT_VOWEL = 2


class Dutch(GermanicReader):
    """Reader of Dutch translations."""

    code = "nl"
    name = "Dutch"
    version = 1
    decides = (
        "nouns with a feminine form (verpleegster, lerares, assistente), and their masculine where"
        " it names men (leraar, koning); most names of professions are one form for all: of these"
        " only hij and zij that can refer to nobody else"
    )
    gender_stems = _GENDER_STEMS
    function_words = _WORDS["function_words"]
    foreign_words = _WORDS["foreign_words"]

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield singular and plural."""
        del gender
        lemma = self.fold(lemma)
        yield lemma, False
        if lemma.endswith("man"):
            yield from endings(f"{lemma}nen", "", "-")
        elif lemma.endswith(("in", "non", "zus", "es", "rix")) and not lemma.endswith("ies"):
            yield from endings(lemma + lemma[-1], "", "en")
        elif lemma.endswith("e"):
            yield from endings(lemma, "", "s n")
        else:
            yield from endings(lemma, "", "s en")
            yield from endings(_opened(lemma), "", "en")

    def offered(self, text: str, tokens: Sequence[Token], place: int) -> Evidence | None:
        """Return BOTH for "leraar of lerares"."""
        if "/" not in text and not any(token.key in _JOINERS for token in tokens):
            return None
        forms = [self._forms_at(token) for token in tokens]
        return find_pair(text, tokens, place, forms, _JOINERS, _ARTICLES)

    def pronouns(self, source: Source, tokens: Sequence[Token]) -> list[Evidence]:
        """Return hij and zij with their forms; ze and zijn only in the singular."""
        others = not _PLURAL_SOURCE.isdisjoint(source.words)
        items = []
        for place, token in enumerate(tokens):
            gender = _PRONOUNS.get(token.key)
            if not gender or (token.key == "zijn" and not _is_possessive(tokens, place)):
                continue
            if token.key in ("zij", "ze") and (others or _has_plural_verb(tokens, place)):
                continue
            items.append(Evidence(place, gender, "pronoun"))
        return items

    def weaker(self, tokens: Sequence[Token]) -> list[list[Evidence]]:
        """Return nothing: no other word agrees with a person."""
        del tokens
        return []


def _opened(lemma: str) -> str:
    """Return the stem of the plural: leraar, lerar-; vrouw, vrouw-; slaaf, slav-; zoon, zon-."""
    stem = lemma
    if len(stem) > _SHORT_VOWEL and stem[-2] == stem[-3] and stem[-2] in "aeou":
        stem = stem[:-2] + stem[-1]
    if stem[-1] in "fs":
        stem = stem[:-1] + {"f": "v", "s": "z"}[stem[-1]]
    elif stem == lemma and stem[-2] in "aeiou" and stem[-3] not in "aeiou":
        stem += stem[-1]
    return stem


def _is_possessive(tokens: Sequence[Token], place: int) -> bool:
    """Return whether "zijn" is "his" and not "to be": a word follows that is no verb's company."""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    before = tokens[place - 1].key if place else ""
    if not after or after.start - tokens[place].end > 1 or before in ("te", "zij", "ze", "ze"):
        return False
    return after.key not in _NOT_OWNED and before not in _SUBJECTS


_NOT_OWNED = _WORDS["not_owned"]
_SUBJECTS = words("we wij jullie er die dit dat zij ze kan zou zal moet wil kunnen zullen zouden")


def _has_plural_verb(tokens: Sequence[Token], place: int) -> bool:
    beside = [tokens[other].key for other in (place + 1, place - 1) if 0 <= other < len(tokens)]
    return any(key in _PLURAL_VERBS for key in beside)


ENTITY_READER = Dutch()
