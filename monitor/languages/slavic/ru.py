"""Russian: the gender a text gives to its first person.

The past tense in -л/-ла and of consonant stems (мог, привык), short adjectives and participles
(рад/рада, удивлён/удивлена), full adjectives as predicates, instrumentals after the copular verbs,
сам/сама and один/одна: see :mod:`._east_slavic` for when they are the speaker's.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import longest_ending, read_words
from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic._east_slavic import RULES, follow, is_stem, read_east_words
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns

_DATA = read_toml("person_words_ru")
_CONSONANT = {
    spelling
    for form in _DATA["consonant"].split()
    for spelling in (form, form.replace("ё", "е"))
    if spelling not in _DATA["no_consonant"].split()
}
_STRESSED = _DATA["stressed"].split()

WORDS = read_east_words(
    _DATA,
    (s.PAST_M, _CONSONANT),
    (s.SHORT_M, _DATA["short_iv"]),
    (s.SHORT_F, [f"{form}а" for form in _DATA["short_iv"].split()]),
    (s.ADJ_M | s.INS_F, [f"{stem}ой" for stem in _STRESSED]),
)

_ENDINGS = read_words(_DATA["endings"], vars(s) | vars(e))
_HARD = tuple(_DATA["hard_suffixes"].split())
_SOFT = tuple(_DATA["soft_suffixes"].split())
_SUFFIX_NOUNS = frozenset(_DATA["suffix_nouns"].split())
_PRIMARY = frozenset(_DATA["primary"].split() + _STRESSED)
_NOUN_STEMS = tuple(_DATA["noun_stems"].split())
# What adjectives in the instrumental end with, and the suffixes before it: a masculine and the
# feminine of the same stems, so that neither gender is known alone.
_INSTRUMENTAL = {
    "ым": (s.INS_M, _HARD),
    "им": (s.INS_M, (*_SOFT, "ск", "цк", "еньк", "оньк", "ешеньк")),
    "ой": (s.INS_F, _HARD),
    "ою": (s.INS_F, _HARD),
    "ей": (s.INS_F, _SOFT),
    "ею": (s.INS_F, _SOFT),
}
_SOFTENED = frozenset("нжшчщ")  # before -ей in an adjective
_SHORT_ENDINGS = ("ен", "ён", "ан", "ян", "нут", "ыт")
_NO_SHORT = ("мен", "ман", "тив", "стан")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    tags = longest_ending(key, _ENDINGS)
    if tags:
        return tags
    if key.endswith(_SHORT_ENDINGS):
        return 0 if key.endswith(_NO_SHORT) else s.SHORT_M
    if key.endswith("а") and is_stem(key[:-1], ("н", "нут", "ыт"), frozenset(), _NOUN_STEMS):
        return s.SHORT_F
    return _instrumental(key)


def _instrumental(key: str) -> int:
    """Tags of an adjective in the instrumental."""
    stem = key[:-2]
    tag, suffixes = _INSTRUMENTAL.get(key[-2:], (0, ()))
    if not tag or stem in _SUFFIX_NOUNS or (key[-2] == "е" and stem[-1] not in _SOFTENED):
        return 0
    return tag if is_stem(stem, suffixes, _PRIMARY, _NOUN_STEMS) else 0


LANGUAGE = Slavic(
    code="ru",
    name="Russian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    follow=follow,
    people=person_nouns("person_nouns_ru"),
    version=7,
)
