"""Ukrainian: the form of the noun; of nouns of one form, attributes and the past tense.

Feminine names of professions are usual (вчителька, лікарка). A masculine noun is masculine,
whatever pronoun follows, unless its own verb or attribute is feminine ("лікар сказала").
"""

from collections.abc import Iterable

from monitor.entities._east_slavic import EastSlavicReader, read_slavic_words
from monitor.entities._persons import NounGender
from monitor.entities._reader import endings

_WORDS = read_slavic_words("entity_words_uk")

_ADJECTIVES_IN_A = tuple(
    "ча ща ова на ська зька цька ома іла осла ора іпа ата ила бла гла ерла ртва ята ня".split()
)
_NOUNS_IN_A = frozenset("дівчина дружина кузина балерина панна фрейліна дама теща няня".split())
_NOUN_ENDINGS = ("иня", "еня", "чиня")


class Ukrainian(EastSlavicReader):
    """Reader of Ukrainian translations."""

    code = "uk"
    name = "Ukrainian"
    version = 1
    decides = (
        "the form of the noun; of nouns of one form for both genders (суддя, колега) attributes"
        " and the past tense; a masculine noun with a feminine verb or attribute is feminine;"
        " pronouns where the source names nobody else"
    )
    words = _WORDS
    gender_stems = tuple(_WORDS.adjectives.items())

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        yield lemma, False
        for form in _WORDS.plurals.get(lemma, "").split():
            yield form, None if lemma in ("мати", "хазяїн", "гість") else True
        if lemma in ("хтось", "хто-небудь"):
            for form in "кого кому ким кимо".split():
                yield f"{form}{lemma[3:]}", False
        elif lemma.endswith(("ий", "ній")) and lemma != "геній":
            yield from _adjective(lemma[:-2], feminine=False)
        elif lemma == "матір":
            yield "матір'ю", False
        elif lemma[-1] in "ая":
            if gender is NounGender.FEMININE and _is_adjective(lemma):
                yield from _adjective(lemma[:-1], feminine=True)
            yield from _first_declension(lemma)
        elif lemma.endswith("о"):
            yield from _consonant(lemma[:-1])
        elif lemma[-1] not in "еиіую":
            yield from _second_declension(lemma)


def _is_adjective(lemma: str) -> bool:
    """Return whether a feminine noun is declined as an adjective: слідча, присутня."""
    if lemma in _NOUNS_IN_A or lemma.endswith(_NOUN_ENDINGS):
        return False
    return lemma.endswith(_ADJECTIVES_IN_A)


def _adjective(stem: str, *, feminine: bool) -> Iterable[tuple[str, bool | None]]:
    if feminine:
        return endings(stem, "ої ій у ю ою єю ьої", "им ім і їх их іх ими іми")
    return endings(stem, "ого ому ім ього ьому", "і їх их іх ими іми", "им ім")


def _first_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = lemma[:-1]
    yield from endings(stem, "у ю ою ею єю і", "ам ям ами ями ах ях - ь", "и і ї")
    yield f"{_softened(stem)}і", False
    if stem[-1] == "к":
        yield f"{stem[:-1]}ок", True


def _softened(stem: str) -> str:
    return stem[:-1] + {"к": "ц", "г": "з", "х": "с"}.get(stem[-1], stem[-1])


def _second_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    for stem in _stems(lemma):
        yield from _consonant(stem)
    if lemma.endswith(("анин", "янин", "арин")):  # громадянин, громадяни; болгарин, болгари
        yield from endings(lemma[:-2], "", "и - ам ами ах")


def _stems(lemma: str) -> list[str]:
    """Return the stems that a noun can have before endings: кравець, кравц-; боєць, бійц-."""
    if lemma in _WORDS.stems:
        return [_WORDS.stems[lemma]]
    if lemma.endswith(("єць", "їць")):  # італієць, італійц-
        return [f"{lemma[:-3]}йц"]
    if lemma.endswith("ець"):
        return [f"{lemma[:-3]}ц", f"{lemma[:-3]}ьц", f"{lemma[:-2]}ц"]
    if lemma.endswith(("ок", "ек")):
        return [lemma, f"{lemma[:-2]}к"]
    if lemma.endswith("ень"):  # учень, учн-
        return [f"{lemma[:-3]}н"]
    return [lemma[:-1] if lemma[-1] in "ьй" else lemma]


def _consonant(stem: str) -> Iterable[tuple[str, bool | None]]:
    return endings(stem, "у ю ові еві єві ом ем єм е", "и ї ів їв ей ам ям ами ями ах ях", "а я і")


ENTITY_READER = Ukrainian()
