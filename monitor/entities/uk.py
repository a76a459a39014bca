"""Ukrainian: the form of the noun; of nouns of one form, attributes and the past tense.

Feminine names of professions are usual (вчителька, лікарка). A masculine noun is masculine,
whatever pronoun follows, unless its own verb or attribute is feminine ("лікар сказала").
"""

from collections.abc import Iterable

from monitor.entities._east_slavic import EastSlavicReader, read_slavic_words
from monitor.entities._nouns import NounGender
from monitor.model import Gender

_M, _F = Gender.MASCULINE, Gender.FEMININE

_WORDS = read_slavic_words(
    "entity_words_uk",
    ambiguous=("ій", "ю", "у", "сама"),
    feminine_attribute=("льна", "чна", "ська", "цька", "шня", "овна", "нова"),
    women=("жінк", "жінок", "жінц", "дівчин"),
    instrumental=("ом", "ем", "єм", "им", "ою", "ею"),
    adjectival=("ий", "ій", "ого", "ому", "им", "ої"),
    adjectives=(("жіноч", _F), ("чоловіч", _M), ("материнськ", _F), ("батьківськ", _M)),
    past=(
        ("лася", _F),
        ("лась", _F),
        ("вся", _M),
        ("ла", _F),
        ("ав", _M),
        ("ив", _M),
        ("ув", _M),
        ("яв", _M),
    ),
    foreign_letters=frozenset("ыэъёўјђћљњџ"),
)

_CONSONANT = "а я у ю ові еві єві ом ем єм і и ї ів їв ей ам ям ами ями ах ях е".split()
_SINGULAR = frozenset("у ю ові еві єві ом ем єм е".split())
_BOTH = frozenset("а я і".split())
_PLURALS = {
    "друг": "друзі друзів друзям друзями друзях",
    "чоловік": "чоловіки чоловіків",
    "людина": "люди людей людям людьми людях",
    "дитина": "діти дітей дітям дітьми дітях",
    "гість": "гості гостей гостям гостями гостях гостя гостю гостеві гостем",
    "мати": "матері матерів матерям матерями матір матір'ю матері",
    "хазяїн": "хазяї хазяїв хазяям хазяями хазяїна хазяїну хазяїном",
    "дівчина": "дівчата дівчат дівчатам дівчатами дівчатах",
    "сестра": "сестер",
    "медсестра": "медсестер",
    "особа": "осіб",
    "відьма": "відьом",
    "суддя": "суддів",
    "фея": "фей",
}
_ADJECTIVES_IN_A = tuple(
    """
    ча ща ова на ська зька цька ома іла осла ора іпа ата ила бла гла ерла ртва ята ня
    """.split()
)
_NOUNS_IN_A = frozenset(
    """
    дівчина дружина кузина балерина панна фрейліна дама теща няня
    """.split()
)
_NOUN_ENDINGS = ("иня", "еня", "чиня")
_IRREGULAR_STEMS = {
    "посол": "посл",
    "свекор": "свекр",
    "підмайстер": "підмайстр",
    "боєць": "бійц",
    "отець": "отц",
    "жрець": "жерц",
    "чернець": "ченц",
    "пішохід": "пішоход",
}


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

    def inflect(self, lemma: str, gender: NounGender) -> Iterable[tuple[str, bool | None]]:
        """Yield the forms of all cases in both numbers."""
        lemma = self.fold(lemma)
        yield lemma, False
        for form in _PLURALS.get(lemma, "").split():
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
    for ending in ("ої ій у ю ою єю ьої" if feminine else "ого ому ім ього ьому").split():
        yield stem + ending, False
    for ending in "им ім".split():
        yield stem + ending, True if feminine else None
    for ending in "і їх их іх ими іми".split():
        yield stem + ending, True


def _first_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    stem = lemma[:-1]
    for ending in "у ю ою ею єю і".split():
        yield stem + ending, False
    yield f"{_softened(stem)}і", False
    for ending in "и і ї".split():
        yield stem + ending, None
    for ending in "ам ям ами ями ах ях".split():
        yield stem + ending, True
    yield stem, True
    yield f"{stem}ь", True
    if stem[-1] == "к":
        yield f"{stem[:-1]}ок", True


def _softened(stem: str) -> str:
    return stem[:-1] + {"к": "ц", "г": "з", "х": "с"}.get(stem[-1], stem[-1])


def _second_declension(lemma: str) -> Iterable[tuple[str, bool | None]]:
    for stem in _stems(lemma):
        yield from _consonant(stem)
    if lemma.endswith(("анин", "янин", "арин")):  # громадянин, громадяни; болгарин, болгари
        for ending in ("и", "", "ам", "ами", "ах"):
            yield lemma[:-2] + ending, True


def _stems(lemma: str) -> list[str]:
    """Return the stems that a noun can have before endings: кравець, кравц-; боєць, бійц-."""
    if lemma in _IRREGULAR_STEMS:
        return [_IRREGULAR_STEMS[lemma]]
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
    for ending in _CONSONANT:
        number = None if ending in _BOTH else ending not in _SINGULAR
        yield stem + ending, number


ENTITY_READER = Ukrainian()
