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
from dataclasses import replace

from monitor.data import read_toml
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_phrase import Opening
from monitor.languages.romance._romance_reader import ClimbingReader
from monitor.languages.romance._romance_words import F, M, fold, read_lists
from monitor.model import Gender

words = read_lists("person_words_ca")
_SPELLED_PARTICIPLES = frozenset(read_toml("person_words_ca")["irregular_participles"].split())
words = replace(words, acts=words.acts | words.irregular_participles)

# Endings of regular verbs in -ar: (first only, first or third, somebody else).
_ENDINGS = {
    "1": "o aré",
    "A": "ava aria és i",
    "3": "a es en em eu aven arà aran arem àvem aríem",
    "I": "ar",
    "G": "ant",
    "P": "at",
}
_SOFT = {"g": "gu", "c": "qu", "j": "g", "ç": "c"}  # before e and i


def conjugate(lemma: str) -> dict[str, str]:
    """Forms of a regular verb in -ar, with accents, and the person class each belongs to."""
    stem = lemma[:-2]
    soft = stem[:-1] + _SOFT.get(stem[-1], stem[-1])
    return {
        (soft if ending[0] in "eéi" else stem) + ending: person
        for person, endings in _ENDINGS.items()
        for ending in endings.split()
    }


# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("leg", "loga"), ("à", "ana"), ("í", "ina"), ("ó", "ona"), ("ú", "una"), ("ós", "osa"),
    ("és", "esa"), ("ès", "esa"), ("ís", "isa"), ("iu", "iva"), ("at", "ada"), ("it", "ida"),
    ("ït", "ïda"), ("ut", "uda"), ("e", "a"), ("o", "a"), ("", "a"),
)  # fmt: skip


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    for ending, replacement in _FEMININES:
        if masculine.endswith(ending):
            return masculine.removesuffix(ending) + replacement
    return masculine


_IRREGULAR = [(fold(m), fold(f)) for m, f in lex.pairs(words.adjective_pairs)]
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _regular(masculines: frozenset[str]) -> list[lex.Pair]:
    forms = [(fold(m), fold(feminine(m))) for m in sorted(masculines)]
    irregular = dict(_IRREGULAR)
    return [(m, irregular.get(m, f)) for m, f in forms]


def _roles() -> list[lex.Pair]:
    """Pairs with their accents and, where that makes no other word, without."""
    written = lex.pairs(words.role_pairs)
    other = {"net", "neta"}  # clean
    plain = [(fold(m), fold(f)) for m, f in written if fold(m) not in other]
    return written + plain + _regular(words.role_masculines)


_TABLES = lex.Tables(
    copulas=lex.with_folded(lex.copula_forms(words, conjugate, {"despertat", "acabat"})),
    me_verbs=lex.with_folded(lex.me_verb_forms(words, conjugate)),
    human=lex.gendered(_regular(words.human_adjectives)),
    listed=lex.gendered(_IRREGULAR + _regular(_SPELLED_PARTICIPLES | words.other_adjectives)),
    roles=lex.gendered(_roles()),
    not_copulas=frozenset("es son esta sec fes sou".split()),
)

_FUTURE = re.compile(r"..ré$")
_THIRD_ENDING = re.compile(
    r"..(?:aven|ien|arà|erà|irà|drà|aran|eran|iran|dran|àvem|íem|arem|irem)$"
)


# Gerunds of verbs that take a predicate: they look like nouns for people.
_GERUNDS = (
    "tornant|posant|quedant|deixant|considerant|trobant|mostrant|estant|semblant|restant|continuant"
)


def _verb(low: str, key: str) -> int:
    if key in words.first_verbs:
        return lex.MAYBE_FIRST if key in words.not_sure_first else lex.FIRST
    if _FUTURE.search(low):
        return lex.FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0


# --- Endings -----------------------------------------------------------------------------------

_STRONG = re.compile(
    r".{2,}(?:[aiu]da|at|it|ut|ït)$|.{2,}(?:ós|osa|iu|iva|enc|enca|dor|dora)$|.*[àèéíòóú]\w{1,2}ica?$"
    r"|.{2,}[àèòé]\w{1,2}ic[a]?$"
)
_NOT_STRONG = re.compile(r"(?:[ie]tat|ertat|ultat|istat|etut|itut|iment)$")
_LOOSE = re.compile(r".{2,}(?:era?|ors?a?|leg|loga|grafa?|esc|esca)$")
# Endings of the feminine and of the masculine it belongs to, folded.
_BASES = (
    ("ada", "at"), ("uda", "ut"), ("ida", "it"), ("osa", "os"), ("iva", "iu"), ("enca", "enc"),
    ("ora", "or"), ("era", "er"), ("ica", "ic"), ("loga", "leg"), ("grafa", "graf"), ("a", ""),
)  # fmt: skip


def _by_suffix(low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.things or key in words.fixed_nouns:
        return lex.NOT_ADJECTIVE
    if _STRONG.match(low) and not _NOT_STRONG.search(key):
        return lex.SUFFIX
    return lex.LOOSE if _LOOSE.match(key) else lex.NOT_ADJECTIVE


def _gender(key: str) -> Gender | None:
    return F if key.endswith("a") else M


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        for ending, masculine in _BASES:
            if key.endswith(ending):
                return key.removesuffix(ending) + masculine
    return key


def _inclusive_base(key: str) -> str:
    """Cansadx -> cansat."""
    return _base(key[:-1] + "a", F)


def _singular(key: str) -> str:
    return (
        key[:-2] + "a" if key.endswith("es") and key not in words.epicene_adjectives else key[:-1]
    )


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=_singular,
        manner=re.compile(r".{3,}ment$"),
        agent=re.compile(r".{2,}(?:d|t|s)ora?$|.{2,}era?$|.{2,}(?:leg|loga|grafa?)$"),
        agent_common=re.compile(rf"(?!(?:{_GERUNDS})$)(?:.{{2,}}ista|.{{4,}}[ae]nt|.{{3,}}aire)$"),
        participle=re.compile(r"[aiu]t$"),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"(?!l)[^\W_]{1,4}"),  # l·l is a letter: tranquil·la
        stem="un",
        sign="a",
        letters="x",
        bases=_inclusive_base,
    ),
)


_TOKEN = re.compile(
    r"(?<!\w)[dlmnstDLMNST]['’](?=[^\W\d_])|(?<=\w)['’](?i:ls|ns|[mtlns])(?!\w)"
    rf"|[^\W\d_][\w·{MARK}]*"
    + lex.double_token(
        "a|ada|uda|ida|da|ra|ora|na|ona|osa|iva|ica|era|ina|essa|va|triu",
        "a|ada|uda|ida|da|osa|iva|ona|na|ra|ora",
    )
    + rf"|[¿¡]|{SIGNS}"
)


class CatalanReader(ClimbingReader):
    """The reader of Catalan, with what is particular to it."""

    __slots__ = ()
    ages = words.ages
    age_openers = words.age_openers
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
            return self._word(i - 1).key in words.said_by_many
        return super()._said_by_many(i)


LANGUAGE = RomanceLanguage(
    "ca", "Catalan", 5, token=_TOKEN, lexicon=LEXICON, reader=CatalanReader, share=0.3
)
