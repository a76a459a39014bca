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
from dataclasses import replace

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_reader import ClimbingReader
from monitor.languages.romance._romance_words import F, M, fold, read_lists
from monitor.model import Gender

words = read_lists("person_words_es")
words = replace(words, acts=words.acts | words.irregular_participles)

# Endings of regular verbs, by conjugation: (first only, first or third, somebody else).
_ENDINGS = {
    "a": (
        "o é aré",
        "aba aría ara ase e",
        "a as an en ó aron aban amos ará arán ábamos aremos ían",
    ),
    "e": ("o í eré", "ía ería iera iese", "e es en ió ieron ían emos erá erán íamos eremos"),
    "i": ("o í iré", "ía iría iera iese", "e es en ió ieron ían imos irá irán íamos iremos"),
}
_SOFT = {"g": "gu", "c": "qu", "z": "c"}  # before e


def conjugate(lemma: str) -> dict[str, str]:
    """Forms of a regular verb, with accents, and the person class each belongs to."""
    stem, vowel = lemma[:-2], lemma[-2]
    soft = stem[:-1] + _SOFT.get(stem[-1], stem[-1])
    forms: dict[str, str] = {}
    for person, endings in zip("1A3", _ENDINGS[vowel], strict=True):
        for ending in endings.split():
            front = vowel == "a" and ending[0] in "eé"
            forms[(soft if front else stem) + ending] = person
    return forms | {
        lemma: "I",
        stem + ("ando" if vowel == "a" else "iendo"): "G",
        stem + ("ado" if vowel == "a" else "ido"): "P",
    }


# Other verbs than these make participles that are adjectives.
_ADJECTIVAL = frozenset("dormido crecido nacido acabado caido caído muerto cogido".split())
_ME_VERBS = lex.me_verb_forms(words, conjugate)


def _with_clitic(table: dict[str, str]) -> dict[str, str]:
    """sentirme, sintiéndome."""
    return {form + "me": lemma for form, lemma in table.items() if re.search(r"r$|ndo$", form)}


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    return masculine[:-1] + "a" if masculine.endswith("o") else masculine + "a"


_IRREGULAR = lex.pairs(fold(words.adjective_pairs))
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _regular(masculines: frozenset[str]) -> list[lex.Pair]:
    return [(m, feminine(m)) for m in sorted(masculines - _ADJECTIVE_STEMS)]


_TABLES = lex.Tables(
    copulas=lex.with_folded(lex.copula_forms(words, conjugate, _ADJECTIVAL)),
    me_verbs=lex.with_folded(_ME_VERBS | _with_clitic(_ME_VERBS)),
    human=lex.gendered(
        [pair for pair in _IRREGULAR if pair[0] in words.human_adjectives]
        + _regular(words.human_adjectives)
    ),
    listed=lex.gendered(_IRREGULAR + _regular(words.listed_adjectives)),
    roles=lex.gendered(lex.pairs(fold(words.role_pairs)) + _regular(words.role_masculines)),
    not_copulas=frozenset("seria esta este vino sé".split()),
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
_STRONG = re.compile(
    r".{2,}(?:ad|id|os|iv|ic|ent|ari|er|an|in|und|uid|log|graf)(?P<vowel>[oa])$"
    r"|.{2,}(?:d|t|s)ora?$|.{3,}(?:es|on)a$"
)
_NOT_STRONG = re.compile(r"(?:(?:ment|er|in|an|ent|ari)[oa]|[aeio]ndo|esa|ona|cion)$")
_PARTICIPLE = re.compile(r".{2,}[aiu]d[oa]$|.{3,}os[oa]$")
_STRESSED = re.compile(r".{2,}(?:és|[^cs]ión|[^i]ón|ín|án)$")
_VOWEL_ENDING = re.compile(r".{3,}[oa]$")
_GERUND = re.compile(r"(?:an|en|on)do$")
_NOT_LOOSE = re.compile(r"(?:i|ez|ur|nz|mi?ent|it|ab|[aei]m|tr|sm)[oa]$|aje$")


def _by_suffix(low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.things or key in words.fixed_nouns or _GERUND.search(key):
        return lex.NOT_ADJECTIVE
    if _PARTICIPLE.match(key):
        return lex.SUFFIX
    if _STRESSED.match(low):
        return lex.LOOSE
    if _STRONG.match(key) and not _NOT_STRONG.search(key):
        return lex.SUFFIX
    if _VOWEL_ENDING.match(key) and not _NOT_LOOSE.search(key):
        return lex.LOOSE
    return lex.NOT_ADJECTIVE


def _gender(key: str) -> Gender | None:
    if key.endswith(("o", "or", "es", "on", "in", "an")):
        return M
    return F if key.endswith("a") else None


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        return key[:-1] if key.endswith("ora") else key[:-1] + "o"
    return key


def _inclusive_base(key: str) -> str:
    """cansade, cansadx -> cansado; amigue -> amigo."""
    return re.sub("gu$", "g", re.sub("qu$", "c", key[:-1])) + "o"


def _singular(key: str) -> str:
    return re.sub("(?<=[rzlndj])e$", "", key[:-1]) or key


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=_singular,
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(
            r".{2,}(?:d|t|s)ora?$|.{2,}er[oa]$|.{3,}(?:log|graf|an)[oa]$|.{3,}ari[oa]$"
        ),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"[^\W_]{1,4}"),
        stem="un",
        sign="o",
        letters="ex",
        bases=_inclusive_base,
    ),
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
    ages = words.ages
    age_openers = words.age_openers
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
