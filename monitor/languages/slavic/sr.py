"""Serbian, in Cyrillic and Latin script: the gender a text gives to its first person.

Cyrillic words are put into Latin letters before they are looked up; both scripts have the same
tables (:mod:`._hrsr`). Witnesses keep the script and the offsets of the text.
"""

from monitor.languages.slavic._hrsr import LETTERS, RULES, WORDS, ending
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns
from monitor.languages.slavic._south import read_context

_CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
_TO_LATIN = str.maketrans(
    dict(
        zip(
            _CYRILLIC,
            "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split(),
            strict=True,
        )
    )
)


def to_latin(word: str) -> str:
    """A lower-case word in Latin letters."""
    return word if word.isascii() else word.translate(_TO_LATIN)


LANGUAGE = Slavic(
    code="sr",
    name="Serbian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    context=read_context,
    letters=LETTERS + _CYRILLIC,
    spell=to_latin,
    people=person_nouns("person_nouns_hrsr"),
    version=6,
)
