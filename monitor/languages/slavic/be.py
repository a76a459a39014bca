"""Belarusian: the gender a text gives to its first person.

The past tense in -ў/-ла and of consonant stems (мог, прывык), adjectives and participles as
predicates, instrumentals after the copular verbs, сам/сама and адзін/адна: see
:mod:`._east_slavic` for when they are the speaker's. The neuter past may end in
-ла too, so without "I" as the subject it is not read; -аў and -яў are also genitive plurals.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import longest_ending, read_words
from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic._east_slavic import (
    RULES,
    follow,
    is_stem,
    one_apostrophe,
    read_east_words,
)
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns

_DATA = read_toml("person_words_be")

WORDS = read_east_words(_DATA)

_ENDINGS = read_words(_DATA["endings"], vars(s) | vars(e))
_ADJECTIVES = tuple(_DATA["suffixes"].split())
_PRIMARY = frozenset(_DATA["primary"].split())
_SOFT = frozenset(_DATA["soft"].split())
_NOUN_STEMS = ("ін", "ын")
_SUFFIX_NOUNS = frozenset(_DATA["suffix_nouns"].split())
# Before -аю, which is rather a verb's ending, only what no verb ends in.
_LONG = tuple("лів льн йн чн жн сн дн тн рн вн".split())
# Endings of adjectives: a masculine and the feminine of the same stems, so that neither gender is
# known alone. After к, г and х the masculine has those of the soft stems.
_HARD_ENDINGS = {
    "ы": s.ADJ_M, "ая": s.ADJ_F, "ым": s.INS_M, "ай": s.INS_F, "ой": s.INS_F, "ою": s.INS_F,
}  # fmt: skip
_SOFT_ENDINGS = {"і": s.ADJ_M, "яя": s.ADJ_F, "ім": s.INS_M, "яй": s.INS_F, "яю": s.INS_F}
_VELARS = frozenset("кгх")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if key.endswith("аю") and is_stem(key[:-2], _LONG, _PRIMARY, _NOUN_STEMS):
        return s.INS_F  # otherwise a verb: думаю
    if key.endswith("чы") and key[:-1] in _PRIMARY:
        return s.ADJ_M  # otherwise an infinitive: магчы
    tags = longest_ending(key, _ENDINGS)
    if tags and not tags & e.OBLIQUE:
        return tags
    tags = _adjective(key) or tags
    return e.NEXT_M if not tags and key.endswith("оў") else tags


def _adjective(key: str) -> int:
    """Tags of an adjective in the nominative or the instrumental."""
    for size in (2, 1):
        stem, shape = key[:-size], key[-size:]
        if shape in _HARD_ENDINGS and stem not in _SUFFIX_NOUNS:
            if is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS):
                return _HARD_ENDINGS[shape]
        elif shape in _SOFT_ENDINGS:
            velar = stem[-1] in _VELARS and is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS)
            if stem in _SOFT or (velar and stem not in _SUFFIX_NOUNS):
                return _SOFT_ENDINGS[shape]
    return e.OBLIQUE if key.endswith(("ая", "яя")) else 0


LANGUAGE = Slavic(
    code="be",
    name="Belarusian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгдеёжзійклмнопрстуўфхцчшыьэюяʼ",
    spell=one_apostrophe,
    follow=follow,
    people=person_nouns("person_nouns_be"),
    version=6,
)
