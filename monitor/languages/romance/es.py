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
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, read_lists, unless
from monitor.text.tokens import strip_marks

words = read_lists("person_words_es")

# Other verbs than these make participles that are adjectives.
_ADJECTIVAL = frozenset("dormido crecido nacido acabado caido caído muerto cogido".split())
_ME_VERBS = lex.me_verb_forms(words)


def _with_clitic(table: dict[str, str]) -> dict[str, str]:
    """sentirme, sintiéndome."""
    return {form + "me": lemma for form, lemma in table.items() if re.search(r"r$|ndo$", form)}


_TABLES = lex.make_tables(
    words,
    (("o", "a"), ("", "a")),
    copulas=lex.with_folded(lex.copula_forms(words, without=_ADJECTIVAL)),
    me_verbs=lex.with_folded(_ME_VERBS | _with_clitic(_ME_VERBS)),
    not_copulas="seria esta este vino sé",
    spell=strip_marks,
)
_PRETERITE = re.compile(r"...[éí]$|..(?:tuv|duj|pus|dij|quis|hic|vin|traj|cup)e$")
_THIRD_ENDING = re.compile(
    r"..(?:ó|aron|ieron|aban|ían|amos|emos|imos|ará|erá|irá|arán|erán|irán)$"
)


def _verb(low: str, key: str) -> int:
    tags = lex.ENCLITIC if _ENCLITIC.search(key) else 0
    if key in words.first_verbs and not low.endswith("ó"):
        return tags | (lex.MAYBE_FIRST if key in words.not_sure_first else lex.FIRST)
    if _PRETERITE.search(low) and low not in words.not_preterite:
        return tags | lex.FIRST
    return tags | (lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0)


# --- Endings -----------------------------------------------------------------------------------

_ENCLITIC = re.compile(r".{2,}(?:[aei]rme|ndome)$")
_STRONG = (
    r".{2,}(?:ad|id|os|iv|ic|ent|ari|er|an|in|und|uid|log|graf)[oa]"
    r"|.{2,}(?:d|t|s)ora?|.{3,}(?:es|on)a"
)
_NOT_STRONG = r"(?:ment|er|in|an|ent|ari)[oa]|[aeio]ndo|esa|ona|cion"
_NOT_LOOSE = r"(?:i|ez|ur|nz|mi?ent|it|ab|[aei]m|tr|sm)[oa]|aje"
LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.NOT_ADJECTIVE, r"(?:an|en|on)do$"),
            Suffix(lex.SUFFIX, r".{2,}[aiu]d[oa]$|.{3,}os[oa]$"),
            Suffix(lex.LOOSE, r".{2,}(?:és|[^cs]ión|[^i]ón|ín|án)$", written=True),
            Suffix(lex.SUFFIX, unless(_NOT_STRONG, _STRONG)),
            Suffix(lex.LOOSE, unless(_NOT_LOOSE, r".{3,}[oa]")),
        ),
        masculine=("o", "or", "es", "on", "in", "an"),
        feminine=("a",),
        bases=(("ora", "or"), ("a", "o")),
        verb=_verb,
        singular=lambda key: re.sub("(?<=[rzlndj])e$", "", key[:-1]) or key,
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(
            r".{2,}(?:d|t|s)ora?$|.{2,}er[oa]$|.{3,}(?:log|graf|an)[oa]$|.{3,}ari[oa]$"
        ),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(),
)


_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + lex.double_token("a|o|e|ra|ora|esa|na|ona|ita|iz|triz", "a|o|e")
    + rf"|[¿¡]|{SIGNS}"
)

# After "vivo solo": where, with whom, since when; "vivo solo para ti" is "only".
_PLACES = frozenset("en con sin desde hasta durante de del a al cuando porque y".split())


class SpanishReader(ClimbingReader):
    """The reader of Spanish, with what is particular to it."""

    __slots__ = ()
    reflexive = frozenset("quedar sentir volver despertar ir".split())
    indefinite = frozenset("un una ningun ninguna cada algun alguna".split())

    def _adverbial(self, i: int) -> bool:
        """Return whether "solo" means "only" here: it does unless its place says otherwise."""
        word, follows, before = self._word(i), self._tags(i + 1), self._word(i - 1)
        if word.key != "solo":
            return False
        if follows & (lex.PUNCTUATION | lex.COORDINATOR | lex.QUOTE):
            return False
        lives = before.key in words.living or before.copula in {"ser", "estar", "quedar", "sentir"}
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
