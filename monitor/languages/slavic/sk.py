"""Slovak: the gender a text gives to its first person.

The past tense and the conditional join an l-participle to "som" in the same clause ("plakala som",
"rád by som"). The present shows the gender in predicates: adjectives in -ý/-á, -y/-a after a long
syllable, comparatives in -ší/-šia and participles in -ci/-ca ("som silnejšia", "som vedúca"), and
in "rád/rada" and "sám/sama" beside a first-person verb; in the instrumental after "to become" and
"to be" ("stanem sa silnou"), and in the object complement ("robí ma to šťastnou"). Nouns for
persons are read only with `nouns=True`.
"""

import re

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import longest_ending, read_words
from monitor.languages.slavic import _slavic_west as west
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns
from monitor.languages.slavic._slavic_west import (
    ACC_F,
    ACC_M,
    RULES,
    negated,
)

_DATA = read_toml("person_words_sk")
_SHORTENED_STEMS = _DATA["shortened"].split()

WORDS = read_words(
    _DATA["words"],
    vars(s) | vars(west),
    (s.ADJ_M, [f"{stem}y" for stem in _SHORTENED_STEMS]),
    (s.ADJ_F, [f"{stem}a" for stem in _SHORTENED_STEMS]),
    (ACC_M, [f"{stem}eho" for stem in _SHORTENED_STEMS]),
    (ACC_F, [f"{stem}u" for stem in _SHORTENED_STEMS]),
    (s.INS_F, [f"{stem}ou" for stem in _DATA["instrumental_stems"].split() + _SHORTENED_STEMS]),
)

_ENDINGS = read_words(_DATA["endings"], vars(s) | vars(west))
# After a long syllable the ending is short: "krásny/krásna", in the accusative "krásnu".
_AFTER_LONG = {"y": s.ADJ_M, "a": s.ADJ_F, "u": ACC_F}
_SHORTENED = re.compile(r"(?:[áéíóúýĺŕô]|i[aeu])[^aeiouyáäéíóúýôĺŕ]*n[yau]$")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    tags = negated(key, WORDS) or longest_ending(key, _ENDINGS)
    if tags & ACC_M and not key.endswith("ého"):  # only where the feminine is read as well
        feminine = f"{key[:-3]}u"
        return tags if (WORDS.get(feminine) or ending(feminine)) & ACC_F else 0
    if tags & s.INS_M:
        feminine = f"{key[:-2]}ou"
        return tags if (WORDS.get(feminine) or ending(feminine)) & s.INS_F else tags & s.VERB
    if not tags and key.endswith(("ny", "na", "nu")) and _SHORTENED.search(key):
        return _AFTER_LONG[key[-1]]
    return tags


LANGUAGE = Slavic(
    code="sk",
    name="Slovak",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzž",
    people=person_nouns("person_nouns_sk"),
    version=5,
)
