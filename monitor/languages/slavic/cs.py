"""Czech: the gender a text gives to its first person.

The past tense and the conditional join an l-participle, which shows the gender, to an auxiliary of
the first person in the same clause ("plakala jsem", "rád bych"). The present shows it in
predicates: hard adjectives in -ý/-á, short ones and passive participles ("jsem unavená", "jsem si
vědom"), and in "rád/ráda" and "sám/sama" beside a first-person verb; in the instrumental after "to
become" and "to be" ("stanu se silnou"), and in the object complement ("dělá mě to šťastnou"). Soft
adjectives in -í and all comparatives show nothing. Nouns for persons are read only with
`nouns=True`.
"""

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

_DATA = read_toml("person_words_cs")

WORDS = read_words(
    _DATA["words"],
    vars(s) | vars(west),
    (s.INS_F | ACC_F, [f"{stem}ou" for stem in _DATA["instrumental_stems"].split()]),
)


_ENDINGS = read_words(_DATA["endings"], vars(s) | vars(west))


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    tags = negated(key, WORDS) or longest_ending(key, _ENDINGS)
    if tags & (ACC_M | s.INS_M):  # only where the feminine is read as well
        feminine = f"{key[: -3 if tags & ACC_M else -2]}ou"
        tags_of_feminine = WORDS[feminine] if feminine in WORDS else ending(feminine)
        return tags if tags_of_feminine & s.INS_F else 0
    return tags


LANGUAGE = Slavic(
    code="cs",
    name="Czech",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    people=person_nouns("person_nouns_cs"),
    version=5,
)
