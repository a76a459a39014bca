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
from dataclasses import replace

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_reader import ClimbingReader
from monitor.languages.romance._romance_words import F, M, fold, read_lists
from monitor.model import Gender

_OWN = read_lists("person_words_gl")
_NOT_OF_PEOPLE = frozenset("solo bravo vago largo nado".split())
_NEIGHBOURS = read_lists("person_words_pt"), read_lists("person_words_es")


def _with_neighbours(name: str) -> frozenset[str]:
    """Return adjectives of a list, and of those of Portuguese and Spanish."""
    adjectives = frozenset[str]().union(*(getattr(lists, name) for lists in (_OWN, *_NEIGHBOURS)))
    return frozenset(word for word in adjectives if word.endswith(("o", "or")))


words = replace(
    _OWN,
    acts=_OWN.acts | _OWN.irregular_participles,
    human_adjectives=_with_neighbours("human_adjectives")
    - {"solo", "bravo", "vago", "largo", "nado"},
    other_adjectives=_with_neighbours("other_adjectives"),
)
# Endings of regular verbs in -ar and -er, by person.
_ENDINGS = {
    "a": {
        "1": "o ei arei", "A": "aba aría ase e", "3": "a as an ou aron aban amos ará arán arían",
        "I": "ar", "G": "ando",
    },
    "e": {
        "1": "o ín erei", "A": "ía ería ese a", "3": "e es en eu eron ían emos erá erán",
        "I": "er", "G": "endo",
    },
}  # fmt: skip
_SOFT = {"g": "gu", "c": "qu", "z": "c"}  # before e


def conjugate(lemma: str) -> dict[str, str]:
    """Forms of a regular verb, with accents, and the person class each belongs to."""
    stem, vowel = lemma[:-2], lemma[-2]
    soft = stem[:-1] + _SOFT.get(stem[-1], stem[-1]) if vowel == "a" else stem
    return {
        (soft if ending[0] in "eé" else stem) + ending: person
        for person, endings in _ENDINGS[vowel].items()
        for ending in endings.split()
    }


_COPULAS = lex.copula_forms(words, conjugate)
# "quedeime canso": the clitic clings to a finite verb.
_CLINGING = {form + "me": entry for form, entry in _COPULAS.items() if entry[1] in "1AIG"}
_ME_VERBS = lex.me_verb_forms(words, lambda lemma: [*conjugate(lemma), lemma[:-1] + "do"])
_WITH_CLITIC = {form + "me": lemma for form, lemma in _ME_VERBS.items()}


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    return masculine[:-1] + "a" if masculine.endswith("o") else masculine + "a"


_IRREGULAR = lex.pairs(fold(words.adjective_pairs))
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _regular(masculines: frozenset[str]) -> list[lex.Pair]:
    return [(m, feminine(m)) for m in sorted(masculines - _ADJECTIVE_STEMS)]


_TABLES = lex.Tables(
    copulas=lex.with_folded(_COPULAS | _CLINGING),
    me_verbs=lex.with_folded(_ME_VERBS | _WITH_CLITIC),
    human=lex.gendered(
        [pair for pair in _IRREGULAR if pair[0] in words.human_adjectives]
        + _regular(words.human_adjectives)
    ),
    listed=lex.gendered(_IRREGULAR + _regular(words.listed_adjectives)),
    roles=lex.gendered(lex.pairs(fold(words.role_pairs)) + _regular(words.role_masculines)),
    not_copulas=frozenset("esta seria e".split()),
)

_PRETERITE = re.compile(r"..(?:[^aeiouáéíóú]ei|iven|ixen|uxen|uden|uben)$|.{2,}(?:ei|in|ín)me$")
_IN_IN = re.compile(r".{2,}ín$")
_THIRD_ENDING = re.compile(
    r"..(?:[^e]ou|eu|iu|aron|eron|iron|aban|ían|amos|emos|imos|ará|erá|irá)$"
)


def _verb(low: str, key: str) -> int:
    forms = _TABLES.me_verbs
    tags = lex.ENCLITIC if key.endswith("me") and key in forms and key[:-2] in forms else 0
    if key in words.first_verbs:
        return tags | (lex.MAYBE_FIRST if key in words.not_sure_first else lex.FIRST)
    if low in words.not_preterite:
        return tags
    if _PRETERITE.search(low):
        return tags | lex.FIRST
    if _IN_IN.search(low):
        return tags | lex.MAYBE_FIRST
    return tags | (lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0)


# --- Endings -----------------------------------------------------------------------------------

_PARTICIPLE = re.compile(r".{2,}[aiu]d[oa]$|.{3,}os[oa]$")
_STRONG = re.compile(r".{2,}(?:iv|ic|ent|ari|eir|log|graf)[oa]$|.{2,}(?:d|t|s)ora?$")
_NOT_STRONG = re.compile(r"(?:ment[oa]|tic[oa]|gic[oa]|ri[oa]|eir[oa]|iv[oa]|ent[oa])$")
_VOWEL_ENDING = re.compile(r".{3,}[oa]$")
_GERUND = re.compile(r"(?:an|en|in)do$")
_NOT_LOOSE = re.compile(
    r"(?:i[oa]|ez[oa]|ur[oa]|nz[oa]|mento|menta|ismo|axe|aba|amos|tr[oa]|smo|er[oa]|me)$"
)


def _by_suffix(_low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.things or key in words.fixed_nouns or _GERUND.search(key):
        return lex.NOT_ADJECTIVE
    if _PARTICIPLE.match(key):
        return lex.SUFFIX
    if _STRONG.match(key) and not _NOT_STRONG.search(key):
        return lex.SUFFIX
    if _VOWEL_ENDING.match(key) and not _NOT_LOOSE.search(key):
        return lex.LOOSE
    return lex.NOT_ADJECTIVE


def _gender(key: str) -> Gender | None:
    if key.endswith(("o", "or")):
        return M
    return F if key.endswith("a") else None


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        return key[:-1] if key.endswith("ora") else key[:-1] + "o"
    return key


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=lambda key: re.sub("(?<=[rz])e$", "", key[:-1]) or key,
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(r".{2,}(?:d|t|s)ora?$|.{3,}(?:log|graf)[oa]$"),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"[^\W_]{1,4}"),
        stem="un",
        sign="o",
        letters="ex",
        bases=lambda key: key[:-1] + "o",
    ),
)


_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + lex.double_token("a|o|e|ra|ora|esa|na|ona|oa|iz|triz", "a|o|e")
    + rf"|[¿¡]|{SIGNS}"
)


class GalicianReader(ClimbingReader):
    """The reader of Galician, with what is particular to it."""

    __slots__ = ()
    ages = words.ages
    age_openers = words.age_openers
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
