"""Galician: the gender a text gives to its first person.

As in Portuguese and Spanish, what carries gender are the words that agree with the speaker. The
reader is the one of all Romance languages here (:mod:`monitor.languages.romance._romance_reader`).
Particular to Galician:

- clitics cling to finite verbs ("síntome cansa", "deixoume nerviosa");
- "son" is "I am" and "they are", but then its predicate is a plural;
- "só" (alone, only) has one form and shows nothing.

Agreement follows Álvarez and Xove, "Gramática da lingua galega".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _gl_words as words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._gl_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_climbing import ClimbingReader
from monitor.languages.romance._romance_lexicon import double_token

_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + double_token("a|o|e|ra|ora|esa|na|ona|oa|iz|triz", "a|o|e")
    + rf"|[¿¡]|{SIGNS}"
)


class GalicianReader(ClimbingReader):
    """The reader of Galician, with what is particular to it."""

    __slots__ = ()
    ages = words.AGES
    age_openers = words.AGE_OPENERS
    reflexive = frozenset("quedar sentir volver tornar ir".split())
    indefinite = frozenset("un unha ningun ningunha cada algun algunha".split())

    def _not_a_verb(self, i: int) -> bool:
        """Besides: no "I am" in "eles son", "fun a un restaurante"."""
        before = self._tags(i - 1)
        if self.tokens[i].key == "fun" and self._word(i + 1).key == "a":
            return bool(self._tags(i + 2) & lex.DETERMINER)
        return bool(before & lex.OTHER) or super()._not_a_verb(i)


LANGUAGE = RomanceLanguage(
    "gl", "Galician", 2, token=_TOKEN, lexicon=LEXICON, reader=GalicianReader, share=0.15
)
