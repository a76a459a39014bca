"""Spanish: the gender a text gives to its first person.

As in Portuguese, what carries gender are the words that agree with the speaker: predicates of ser,
estar, quedar(se), sentirse, volverse, ponerse and the like, passives, nouns after "como", object
complements ("me dejó nerviosa"), "sola", "yo misma". The reader is the one of all Romance
languages here (:mod:`monitor.languages.romance._romance_reader`). Particular to Spanish:

- clitics stand before a chain of auxiliaries ("me estoy volviendo loca") or inside the verb
  ("sentirme sola");
- "solo" is an adverb as often as an adjective: it counts after verbs of being and living and at
  the end of a clause, "sólo" never;
- after haber a participle agrees with nobody ("he cansado");
- subjects are dropped almost always, so a form shared by the first and the third person (era,
  estaba) counts where the text is the speaker's so far and the predicate is said of people.

Agreement follows the Real Academia's "Nueva gramática de la lengua española".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _es_words as words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._es_lexicon import LEXICON
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_climbing import ClimbingReader
from monitor.languages.romance._romance_lexicon import double_token

_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + double_token("a|o|e|ra|ora|esa|na|ona|ita|iz|triz", "a|o|e")
    + rf"|[¿¡]|{SIGNS}"
)
_LIVING = frozenset(
    """
    vivo vivia vivi vivir viviendo viajo viajar viaje viajaba viajando duermo dormir dormia dormi
    ceno cenar ceno comer quedar crie crecer creci trabajar estar quedarme sentirme quede siento
    vivido viajado dormido estado pasado
    paso pasar pase pasé pasaba pasando
    senti sentia ir fui iba voy volver volvi salir sali caminar camino andar morir
    """.split()
)

# After "vivo solo": where, with whom, since when; "vivo solo para ti" is "only".
_PLACES = frozenset("en con sin desde hasta durante de del a al cuando porque y".split())


class SpanishReader(ClimbingReader):
    """The reader of Spanish, with what is particular to it."""

    __slots__ = ()
    ages = words.AGES
    age_openers = words.AGE_OPENERS
    reflexive = frozenset("quedar sentir volver despertar ir".split())
    indefinite = frozenset("un una ningun ninguna cada algun alguna".split())

    def _adverbial(self, i: int) -> bool:
        """Return whether "solo" means "only" here: it does unless its place says otherwise."""
        word, follows, before = self._word(i), self._tags(i + 1), self._word(i - 1)
        if word.key != "solo":
            return False
        if follows & (lex.PUNCTUATION | lex.COORDINATOR | lex.QUOTE):
            return False
        lives = before.key in _LIVING or before.copula in {"ser", "estar", "quedar", "sentir"}
        lives = (
            lives
            or bool(before.me_lemma and self._me_beside(i - 1))
            or bool(before.tags & (lex.ADVERB | lex.TIME))
        )
        return not (lives and self._word(i + 1).key in _PLACES)

    def _skip_modifiers(self, i: int) -> int:
        i = super()._skip_modifiers(i)
        while self._adverbial(i):
            i = super()._skip_modifiers(i + 1)
        return i

    def _stands_alone(self, i: int) -> bool:
        return not self._adverbial(i) and super()._stands_alone(i)


LANGUAGE = RomanceLanguage(
    "es", "Spanish", 5, token=_TOKEN, lexicon=LEXICON, reader=SpanishReader, share=0.3
)
