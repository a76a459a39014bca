"""Italian: the gender a text gives to its first person.

What carries gender are the words that agree with the speaker: predicates of essere, stare,
diventare, restare, sentirsi and the like, participles after essere ("sono andata", "mi sono
sentita"), nouns ("sono infermiera", "lavoro come cuoco"), object complements ("mi rende nervosa"),
"da sola", "io stessa". The reader is the one of all Romance languages here
(:mod:`monitor.languages.romance._romance_reader`). Particular to Italian:

- the first person has forms of its own (ero, stavo, sarei), so a dropped subject is no riddle;
  "sono" is also "they are", but then its predicate is a plural;
- after avere a participle need not agree with "mi" ("mi ha lasciato" is said by women too): it is
  not read in either gender;
- "solo" is an adverb as often as an adjective: it counts after "da", after verbs of being and
  living, and at the end of a clause;
- "da bambina", "da piccolo" name an age.

Agreement follows Serianni, "Grammatica italiana".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _it_words as words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._it_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_climbing import ClimbingReader
from monitor.languages.romance._romance_lexicon import double_token
from monitor.languages.romance._romance_tags import Word

_TOKEN = re.compile(
    r"(?<!\w)(?i:(?:[dn]e|a|da|su)ll|(?:que|be)ll|quest|nessun|un|com|anch|[cdlmstv])['’](?=[^\W\d_])"
    r"|(?<!\w)(?i:po|mo|be|va|da|fa|sta|di|e)['’](?!\w)"
    rf"|[^\W\d_][\w{MARK}]*"
    + double_token("a|o|trice|ora|essa|ina|iera|na", "a|o|trice|essa|iera")
    + rf"|{SIGNS}"
)
_LIVING = frozenset("""
vivo vivevo vivere vivendo viaggio viaggiare viaggiavo dormo dormire ceno mangiare uscire esco
stare stavo sto restare resto rimanere rimango sentirmi sento sentivo andare vado andai tornare
camminare passo passare passavo
""".split())  # fmt: skip
_DEFINITE = frozenset({"il", "lo", "la", "l'"})
_PLACES = frozenset("in con senza da dal dalla a al alla quando perche e nel nella".split())


class ItalianReader(ClimbingReader):
    """The reader of Italian, with what is particular to it."""

    __slots__ = ()
    ages = words.AGES
    age_openers = words.AGE_OPENERS
    reflexive = frozenset("sentir svegliare".split())
    indefinite = frozenset("un uno una nessun nessuno nessuna ogni".split())

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "ci sono molte cose", "l'essere umano"; a dropped "I" in "non mi sono"."""
        word, before = self.tokens[i], self._word(i - 1)
        if before.key in {"ci", "ce"} and word.copula == "essere":
            return True
        if word.person in "IP" and before.tags & lex.DETERMINER:
            return not before.tags & (lex.CLITIC | lex.PREPOSITION)
        if word.copula in self.words.WORKING and before.tags & lex.DETERMINER:
            return True
        return word.copula == "sembrare" and self._me_beside(i)

    def _adverbial(self, i: int) -> bool:
        """Return whether "solo" means "only" here: it does unless its place says otherwise."""
        word, follows, before = self._word(i), self._tags(i + 1), self._word(i - 1)
        if word.key != "solo":
            return False
        if follows & (lex.PUNCTUATION | lex.COORDINATOR | lex.QUOTE) or before.key == "da":
            return False
        if before.copula == "essere":
            return self._word(i + 2).key != "casa"  # "sono solo a casa", "sono solo in ritardo"
        return not (before.key in _LIVING and self._word(i + 1).key in _PLACES)

    def _working(self, i: int) -> int:
        """Besides: "faccio la maestra", "fare l'idraulico"."""
        if self._word(i).key in _DEFINITE and self._word(i + 1).noun == lex.PAIR:
            return self._phrase(i, "role_noun", bare=True)[0]
        return super()._working(i)

    def _skip_modifiers(self, i: int) -> int:
        i = super()._skip_modifiers(i)
        while self._adverbial(i):
            i = super()._skip_modifiers(i + 1)
        return i

    def _before_alone(self, i: int) -> Word:
        """Besides: before "da" in "viaggiare da sola"."""
        return self._word(i - 1 - (self._word(i - 1).key == "da"))

    def _stands_alone(self, i: int) -> bool:
        """Besides: "da sola" whatever stands before."""
        if self._adverbial(i):
            return False
        return self._word(i - 1).key == "da" or super()._stands_alone(i)


LANGUAGE = RomanceLanguage(
    "it", "Italian", 2, token=_TOKEN, lexicon=LEXICON, reader=ItalianReader, share=0.3
)
