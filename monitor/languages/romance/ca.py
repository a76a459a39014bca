"""Catalan: the gender a text gives to its first person.

As in Portuguese and Spanish, what carries gender are the words that agree with the speaker. The
reader is the one of all Romance languages here (:mod:`monitor.languages.romance._romance_reader`).
Particular to Catalan:

- the past is a form of anar with an infinitive: "vaig ser contractada" is the speaker's, "va ser
  difícil" is not;
- clitics have up to four forms (em, m', -me, 'm) and stand before a chain of auxiliaries
  ("m'he tornat boja", "em va fer feliç"); the article l' shows no gender, what follows it does;
- the masculine has many endings and the feminine follows from them (cansat/cansada, gelós/gelosa,
  actiu/activa, català/catalana); a word that is not listed counts only with an ending that forms
  adjectives in both genders alike;
- "com a mare" names what the speaker is, "com una princesa" what the speaker is like.

Agreement follows the Institut d'Estudis Catalans' "Gramàtica de la llengua catalana".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _ca_words as words
from monitor.languages.romance._ca_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_climbing import ClimbingReader
from monitor.languages.romance._romance_lexicon import double_token
from monitor.languages.romance._romance_phrase import Opening

_TOKEN = re.compile(
    r"(?<!\w)[dlmnstDLMNST]['’](?=[^\W\d_])|(?<=\w)['’](?i:ls|ns|[mtlns])(?!\w)"
    rf"|[^\W\d_][\w·{MARK}]*"
    + double_token(
        "a|ada|uda|ida|da|ra|ora|na|ona|osa|iva|ica|era|ina|essa|va|triu",
        "a|ada|uda|ida|da|osa|iva|ona|na|ra|ora",
    )
    + rf"|[¿¡]|{SIGNS}"
)


class CatalanReader(ClimbingReader):
    """The reader of Catalan, with what is particular to it."""

    __slots__ = ()
    ages = words.AGES
    age_openers = words.AGE_OPENERS
    reflexive = frozenset("quedar sentir tornar despertar seure".split())
    indefinite = frozenset("un una cap cada algun alguna".split())

    def _opening(self, i: int, *, bare: bool) -> Opening:
        """Besides: "el cap" is the head of something, "cap" alone is "no"."""
        opening = super()._opening(i, bare=bare)
        last = opening.end - 1 - opening.partitive
        if opening.first >= 0 and self._word(last).key == "cap":
            opening.end, opening.partitive = last, False
        return opening

    def _said_by_many(self, i: int) -> bool:
        """Besides: "em van dir que ..."."""
        if self._word(i).key == "dir":
            return self._word(i - 1).key in words.SAID_BY_MANY
        return super()._said_by_many(i)


LANGUAGE = RomanceLanguage(
    "ca", "Catalan", 5, token=_TOKEN, lexicon=LEXICON, reader=CatalanReader, share=0.3
)
