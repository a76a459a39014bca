"""Ukrainian: the gender a text gives to its first person.

The past tense in -в/-ла and of consonant stems (міг, звик), adjectives and participles as
predicates, in full and short forms, instrumentals after the copular verbs, сам/сама and один/одна:
see :mod:`._east_slavic` for when they are the speaker's. Comparatives show the
gender, unlike the Russian ones. The genitive plural in -ів looks like a past tense, so the verbs
in -ів are listed.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import longest_ending, read_pairs, read_words
from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic._east_slavic import (
    RULES,
    follow,
    is_stem,
    one_apostrophe,
    prefixed,
    read_east_words,
)
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns

_DATA = read_toml("person_words_uk")
_PREDICATES = read_pairs(f"{_DATA['words']['GLAD_M/GLAD_F']} {_DATA['words']['SHORT_M/SHORT_F']}")

WORDS = read_east_words(
    _DATA,
    (s.PAST_M, prefixed(_DATA["prefixes"], _DATA["roots_iv"], "")),
    # Most are full forms too: what follows may be their noun.
    (s.ADJ_M, [form for form, _ in _PREDICATES if form.endswith("ий")]),
    (s.ADJ_F, [form for _, form in _PREDICATES if form not in ("рада", "повинна", "права")]),
)

_ENDINGS = read_words(_DATA["endings"], vars(s) | vars(e))
_ADJECTIVES = tuple(_DATA["suffixes"].split())
_PRIMARY = frozenset(_DATA["primary"].split())
_SOFT = frozenset(_DATA["soft"].split())
_NOUN_STEMS = tuple(_DATA["noun_stems"].split())
_SUFFIX_NOUNS = frozenset(_DATA["suffix_nouns"].split())
# Endings of adjectives, the longest first: a masculine and the feminine of the same stems, so that
# neither gender is known alone. With a suffix, a word in -я is a noun: знання.
_HARD_ENDINGS = ("ий", s.ADJ_M), ("им", s.INS_M), ("ою", s.INS_F), ("а", s.ADJ_F)
_SOFT_ENDINGS = ("ій", s.ADJ_M), ("ім", s.INS_M), ("ьою", s.INS_F), ("я", s.ADJ_F)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    tags = longest_ending(key, _ENDINGS)
    if tags:
        return tags
    for soft, tag in _SOFT_ENDINGS:
        if key.endswith(soft) and key[: -len(soft)] in _SOFT:
            return tag
    for hard, tag in _HARD_ENDINGS:
        if key.endswith(hard):
            stem = key[: -len(hard)]
            adjective = is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS)
            return tag if adjective and stem not in _SUFFIX_NOUNS else 0
    return e.NEXT_M if key.endswith(("ів", "ов")) else 0  # a past tense or a genitive plural


LANGUAGE = Slavic(
    code="uk",
    name="Ukrainian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгґдеєжзиіїйклмнопрстуфхцчшщьюяʼ",
    spell=one_apostrophe,
    follow=follow,
    people=person_nouns("person_nouns_uk"),
    version=6,
)
