"""Russian: the form of the noun; of nouns of one form, attributes and the past tense.

A masculine name of a profession is masculine, whatever pronoun follows ("кассиру ..., потому что
она"), unless its own verb or attribute is feminine ("врач сказала", "наша врач").
"""

from collections.abc import Iterable

from monitor.entities._east_slavic import EastSlavicReader, read_slavic_words
from monitor.entities._nouns import NounGender
from monitor.model import Gender

_M, _F = Gender.MASCULINE, Gender.FEMININE

_WORDS = read_slavic_words(
    "entity_words_ru",
    ambiguous=("ой", "ей", "у", "ю"),
    feminine_attribute=("нная", "льная", "тная", "вная", "чная", "жная", "кая", "овая"),
    women=("женщин", "девушк", "девуше"),
    instrumental=("ом", "ем", "ым", "им"),
    adjectival=("ый", "ий", "ой", "ая", "яя", "ого", "его", "ому", "ему", "ым", "им", "ую", "юю"),
    adjectives=(("женск", _F), ("мужск", _M), ("материнск", _F), ("отцовск", _M)),
    past=(("лась", _F), ("лся", _M), ("ла", _F), ("л", _M)),
    foreign_letters=frozenset("іїєґўјђћљњџ"),
    fold_letters={ord("ё"): "е"},
)

_HARD = "а у ом е ы и ов ев ам ами ах ем я ей".split()
_SINGULAR = frozenset("а у ом е ем".split())
_IRREGULAR_SINGULARS = {
    "кто-то": "кого-то кому-то кем-то ком-то",
    "кто-нибудь": "кого-нибудь кому-нибудь кем-нибудь ком-нибудь",
    "кто-либо": "кого-либо кому-либо кем-либо ком-либо",
    "мать": "матери матерью",
    "дочь": "дочери дочерью",
}
_IRREGULAR_STEMS = {"посол": "посл", "свекор": "свекр"}
_IRREGULAR_PLURALS = {
    "друг": "друзья друзей друзьям друзьями друзьях",
    "брат": "братья братьев братьям братьями братьях",
    "муж": "мужья мужей мужьям мужьями мужьях",
    "сын": "сыновья сыновей сыновьям сыновьями сыновьях",
    "князь": "князья князей князьям князьями князьях",
    "зять": "зятья зятьев зятьям зятьями зятьях",
    "человек": "люди людей людям людьми людях человек",
    "ребенок": "дети детей детям детьми детях",
    "сосед": "соседи соседей соседям соседями соседях",
    "хозяин": "хозяева хозяев хозяевам хозяевами хозяевах",
    "господин": "господа господ господам господами господах",
    "черт": "черти чертей",
    "шурин": "шурья шурьев шурьям шурьями шурьях",
    "деверь": "деверья деверей деверьям деверьями деверьях",
    "дядя": "дядья дядьев дядьям дядьями дядьях",
    "сестра": "сестер",
    "медсестра": "медсестер",
    "княжна": "княжон",
    "царевна": "царевен",
    "мать": "матери матерей матерям матерями матерях",
    "дочь": "дочери дочерей дочерям дочерями дочерьми дочерях",
    "дитя": "дети детей детям детьми детях",
}
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

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        yield lemma, False
        for form in _IRREGULAR_SINGULARS.get(lemma, "").split():
            yield form, False
        for form in _IRREGULAR_PLURALS.get(lemma, "").split():
            yield form, True
        if lemma in _IRREGULAR_SINGULARS:
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
    singular = "ой ей ую юю ою ею" if feminine else "ого его ому ему ом ем"
    for ending in singular.split():
        yield stem + ending, False
    for ending in "ым им".split():
        yield stem + ending, True if feminine else None
    for ending in "ые ие ых их ыми ими".split():
        yield stem + ending, True


def _first_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem, soft = lemma[:-1], lemma[-1] == "я"
    for ending in ("е ю ей ею" if soft else "е у ой ою ей ею").split():
        yield stem + ending, False
    for ending in ("и" if soft else "ы и").split():
        yield stem + ending, None
    for ending in ("ям ями ях" if soft else "ам ами ах").split():
        yield stem + ending, True
    if not soft:
        yield stem, True
        if stem[-1] == "к":
            before = stem[:-1].removesuffix("ь").removesuffix("й")
            yield f"{before}ок", True
            yield f"{before}ек", True
    elif stem[-1] in "иея":
        yield f"{stem}й", True
    elif stem[-1] == "ь":
        yield f"{stem[:-1]}ий", True
        yield f"{stem[:-1]}ей", True
    else:
        yield f"{stem}ь", True
        yield f"{stem}ей", True


def _third_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    for ending in "и ью".split():
        yield lemma[:-1] + ending, None
    for ending in "ей ям ями ях".split():
        yield lemma[:-1] + ending, True


def _soft_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = f"{lemma[:-3]}н" if lemma.endswith("ень") else lemma[:-1]  # парень, парня
    for ending in "я ю ем е".split():
        yield stem + ending, False
    for ending in "и ей ев ям ями ях".split():
        yield stem + ending, True


def _hard_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    if lemma.endswith(("анин", "янин", "арин", "ярин")):  # гражданин, граждане; болгарин, болгары
        for ending in ("е", "ы", "", "ам", "ами", "ах"):
            yield lemma[:-2] + ending, True
    for stem in _stems(lemma):
        for ending in _HARD:
            if stem + ending != "после":  # "after", not the ambassador
                yield stem + ending, None if ending == "а" else ending not in _SINGULAR


def _stems(lemma: str) -> list[str]:
    """Return the stems that a noun can have before endings: продавец, продавц-; боец, бойц-."""
    if lemma in _IRREGULAR_STEMS:
        return [_IRREGULAR_STEMS[lemma]]
    before = lemma[:-2]
    if lemma.endswith("ец"):
        return [lemma, f"{before}{'й' if before[-1] in 'оеаи' else ''}ц", f"{before}ьц"]
    if lemma.endswith(("ок", "ек")):
        return [lemma, f"{before}к", f"{before}ьк"]
    return [lemma]


ENTITY_READER = Russian()
