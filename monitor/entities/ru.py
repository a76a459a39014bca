"""Russian: the form of the noun; of nouns of one form, attributes and the past tense.

A masculine name of a profession is masculine, whatever pronoun follows ("кассиру ..., потому что
она"), unless its own verb or attribute is feminine ("врач сказала", "наша врач").
"""

from collections.abc import Iterable

from monitor.entities._east_slavic import EastSlavicReader, read_slavic_words
from monitor.entities._persons import NounGender
from monitor.entities._reader import endings

_WORDS = read_slavic_words("entity_words_ru")

_ADJECTIVE_ENDINGS = ("ый", "ий", "ой")
_FEMININE_IN_SOFT_SIGN = frozenset("личность знаменитость модель".split())
_NO_ADJECTIVES = frozenset("гений викарий аграрий герой ковбой пролетарий".split())


class Russian(EastSlavicReader):
    """Reader of Russian translations."""

    code = "ru"
    name = "Russian"
    version = 1
    decides = (
        "the form of the noun; of nouns of one form for both genders (судья, коллега) attributes"
        " and the past tense; a masculine noun with a feminine verb or attribute is feminine;"
        " pronouns where the source names nobody else"
    )
    words = _WORDS
    gender_stems = tuple(_WORDS.adjectives.items())

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        yield lemma, False
        for form in _WORDS.singulars.get(lemma, "").split():
            yield form, False
        for form in _WORDS.plurals.get(lemma, "").split():
            yield form, True
        if lemma in _WORDS.singulars:
            return
        if lemma.endswith(("ая", "яя")):
            yield from _adjective(lemma[:-2], feminine=True)
        elif lemma.endswith(_ADJECTIVE_ENDINGS) and lemma not in _NO_ADJECTIVES:
            yield from _adjective(lemma[:-2], feminine=False)
        elif lemma[-1] in "ая":
            yield from _first_declension(lemma)
        elif gender is NounGender.FEMININE or lemma in _FEMININE_IN_SOFT_SIGN:
            yield from _third_declension(lemma)
        elif lemma[-1] in "ьй":
            yield from _soft_declension(lemma)
        elif lemma[-1] not in "еиуюэ":
            yield from _hard_declension(lemma.removesuffix("о"))


def _adjective(stem: str, *, feminine: bool) -> Iterable[tuple[str, bool | None]]:
    if feminine:
        return endings(stem, "ой ей ую юю ою ею", "ым им ые ие ых их ыми ими")
    return endings(stem, "ого его ому ему ом ем", "ые ие ых их ыми ими", "ым им")


def _first_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = lemma[:-1]
    if lemma[-1] == "а":
        yield from endings(stem, "е у ой ою ей ею", "ам ами ах -", "ы и")
        if stem[-1] == "к":
            before = stem[:-1].removesuffix("ь").removesuffix("й")
            yield from endings(before, "", "ок ек")
        return
    yield from endings(stem, "е ю ей ею", "ям ями ях", "и")
    if stem[-1] in "иея":
        yield f"{stem}й", True
    else:
        yield from endings(stem.removesuffix("ь"), "", "ий ей" if stem[-1] == "ь" else "ь ей")


def _third_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    return endings(lemma[:-1], "", "ей ям ями ях", "и ью")


def _soft_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = f"{lemma[:-3]}н" if lemma.endswith("ень") else lemma[:-1]  # парень, парня
    return endings(stem, "я ю ем е", "и ей ев ям ями ях")


def _hard_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma.endswith(("анин", "янин", "арин", "ярин")):  # гражданин, граждане; болгарин, болгары
        yield from endings(lemma[:-2], "", "е ы - ам ами ах")
    for stem in _stems(lemma):
        for form, plural in endings(stem, "у ом е ем", "ы и ов ев ам ами ах я ей", "а"):
            if form != "после":  # "after", not the ambassador
                yield form, plural


def _stems(lemma: str) -> list[str]:
    """Return the stems that a noun can have before endings: продавец, продавц-; боец, бойц-."""
    if lemma in _WORDS.stems:
        return [_WORDS.stems[lemma]]
    before = lemma[:-2]
    if lemma.endswith("ец"):
        return [lemma, f"{before}{'й' if before[-1] in 'оеаи' else ''}ц", f"{before}ьц"]
    if lemma.endswith(("ок", "ек")):
        return [lemma, f"{before}к", f"{before}ьк"]
    return [lemma]


ENTITY_READER = Russian()
