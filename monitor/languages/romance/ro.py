"""Romanian: the gender a text gives to its first person.

What carries gender are the words that agree with the speaker: predicates of a fi, a deveni, a
rămâne, a se simți ("sunt obosită", "mă simt singur"), passives ("am fost concediată"), nouns
("sunt profesoară", "lucrez ca bucătar"), object complements ("m-a făcut nervoasă"), "eu însămi".
The reader is the one of all Romance languages here
(:mod:`monitor.languages.romance._romance_reader`). Particular to Romanian:

- after a avea a participle agrees with nobody ("am obosit"), after a fi it does;
- the article stands at the end of its noun ("șeful, șefa") or before a degree ("cea mai bună");
- "să" joins a subjunctive to the verb before it; "sunt" is "I am" and "they are", but then its
  predicate is a plural;
- texts without diacritics, with commas and with cedillas are read alike.

Agreement follows the Academia Română's "Gramatica limbii române".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _ro_words as words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._ro_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_climbing import ClimbingReader
from monitor.languages.romance._romance_lexicon import double_token

_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + double_token("ă|a|oare|toare|oasă|easă|iță", "ă|a|oare|toare|oasă")
    + rf"|{SIGNS}"
)


_ARTICULATED = re.compile(r".{2,}(?:a|ul|le|ii)$")


class RomanianReader(ClimbingReader):
    """The reader of Romanian, with what is particular to it."""

    __slots__ = ()
    ages = words.AGES
    age_openers = words.AGE_OPENERS
    reflexive = frozenset("trezi intoarce".split())
    indefinite = frozenset("un o niciun nicio fiecare".split())

    def _not_a_verb(self, i: int) -> bool:
        """Besides: no "I am" in "ei sunt"."""
        if self._tags(i - 1) & lex.OTHER:
            return True
        return super()._not_a_verb(i)

    def _track_before_verb(self, i: int) -> None:
        """Besides: a noun with its article at the end may be the subject ("rezistența mea")."""
        word, clause = self.tokens[i], self.clause
        verb = word.tags & (lex.FIRST | lex.MAYBE_FIRST | lex.OTHER_VERB | lex.PREPOSITION)
        if verb or clause.subject or clause.after_preposition or not _ARTICULATED.search(word.key):
            super()._track_before_verb(i)
        else:
            clause.noun_phrase = True

    def _skip_modifiers(self, i: int) -> int:
        """Besides: past "destul de", "atât de", "în mod natural"."""
        i = super()._skip_modifiers(i)
        for _ in range(3):
            if self._word(i).key in words.DEGREES and self._word(i + 1).key == "de":
                i += 2
            elif self._word(i - 1).key in words.DEGREES and self._word(i).key == "de":
                i += 1
            elif self._word(i).key == "in" and self._word(i + 1).key == "mod":
                i += 3
            elif self._word(i).key == "cu" and self._word(i + 1).key == "adevarat":
                i += 2
            else:
                break
            i = super()._skip_modifiers(i)
        return i

    def _stands_alone(self, i: int) -> bool:
        return not self._of_a_noun(i)


LANGUAGE = RomanceLanguage(
    "ro", "Romanian", 2, token=_TOKEN, lexicon=LEXICON, reader=RomanianReader, share=0.15
)
