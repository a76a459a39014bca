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
from monitor.languages._clauses import read_pairs
from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_clause import Opening
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, read_lists
from monitor.text.tokens import strip_marks

words = read_lists("person_words_ca")
_SPELLED_PARTICIPLES = frozenset(read_toml("person_words_ca")["irregular_participles"].split())

# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("leg", "loga"), ("à", "ana"), ("í", "ina"), ("ó", "ona"), ("ú", "una"), ("ós", "osa"),
    ("és", "esa"), ("ès", "esa"), ("ís", "isa"), ("iu", "iva"), ("at", "ada"), ("it", "ida"),
    ("ït", "ïda"), ("ut", "uda"), ("e", "a"), ("o", "a"), ("", "a"),
)  # fmt: skip


_ROLES = read_pairs(words.role_pairs)
#: The same without accents, where that makes no other word: "net" is clean.
_PLAIN_ROLES = [
    (strip_marks(m), strip_marks(f)) for m, f in _ROLES if strip_marks(m) not in {"net", "neta"}
]


_TABLES = lex.make_tables(
    replace(words, irregular_participles=_SPELLED_PARTICIPLES),
    _FEMININES,
    copulas=lex.with_folded(lex.copula_forms(words, without={"despertat", "acabat"})),
    me_verbs=lex.with_folded(lex.me_verb_forms(words)),
    roles=_ROLES + _PLAIN_ROLES,
    not_copulas="es son esta sec fes sou",
    spell=strip_marks,
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

_STRONG = (
    r".{2,}(?:[aiu]da|at|it|ut|ït)$|.{2,}(?:ós|osa|iu|iva|enc|enca|dor|dora)$|.*[àèéíòóú]\w{1,2}ica?$"
    r"|.{2,}[àèòé]\w{1,2}ic[a]?$"
)
# Endings of the feminine and of the masculine it belongs to, folded.
_BASES = (
    ("ada", "at"), ("uda", "ut"), ("ida", "it"), ("osa", "os"), ("iva", "iu"), ("enca", "enc"),
    ("ora", "or"), ("era", "er"), ("ica", "ic"), ("loga", "leg"), ("grafa", "graf"), ("a", ""),
)  # fmt: skip


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.NOT_ADJECTIVE, r"(?:[ie]tat|ertat|ultat|istat|etut|itut|iment)$"),
            Suffix(lex.SUFFIX, _STRONG, written=True),
            Suffix(lex.LOOSE, r".{2,}(?:era?|ors?a?|leg|loga|grafa?|esc|esca)$"),
        ),
        masculine=("",),
        feminine=("a",),
        bases=_BASES,
        verb=_verb,
        singular=lambda key: (
            key[:-2] + "a"
            if key.endswith("es") and key not in words.epicene_adjectives
            else key[:-1]
        ),
        manner=re.compile(r".{3,}ment$"),
        agent=re.compile(r".{2,}(?:d|t|s)ora?$|.{2,}era?$|.{2,}(?:leg|loga|grafa?)$"),
        agent_common=re.compile(rf"(?!(?:{_GERUNDS})$)(?:.{{2,}}ista|.{{4,}}[ae]nt|.{{3,}}aire)$"),
        participle=re.compile(r"[aiu]t$"),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"(?!l)[^\W_]{1,4}"),  # l·l is a letter: tranquil·la
        sign="a",
        letters="x",
        bases=lambda key: lex.swap_ending(key[:-1] + "a", _BASES),  # cansadx -> cansat
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
