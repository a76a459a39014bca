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
from monitor.languages.romance._romance_reader import ClimbingReader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, read_lists, unless
from monitor.text.tokens import strip_marks

_OWN = read_lists("person_words_gl")
_NOT_OF_PEOPLE = frozenset("solo bravo vago largo nado".split())
_NEIGHBOURS = read_lists("person_words_pt"), read_lists("person_words_es")


def _with_neighbours(name: str) -> frozenset[str]:
    """Return adjectives of a list, and of those of Portuguese and Spanish."""
    adjectives = frozenset[str]().union(*(getattr(lists, name) for lists in (_OWN, *_NEIGHBOURS)))
    return frozenset(word for word in adjectives if word.endswith(("o", "or")))


words = replace(
    _OWN,
    human_adjectives=_with_neighbours("human_adjectives") - _NOT_OF_PEOPLE,
    other_adjectives=_with_neighbours("other_adjectives"),
)
_COPULAS = lex.copula_forms(words)
# "quedeime canso": the clitic clings to a finite verb.
_CLINGING = {form + "me": entry for form, entry in _COPULAS.items() if entry[1] in "1AIG"}
_ME_VERBS = lex.me_verb_forms(
    words, lambda lemma: [*lex.conjugate(words, lemma), lemma[:-1] + "do"]
)
_WITH_CLITIC = {form + "me": lemma for form, lemma in _ME_VERBS.items()}


_TABLES = lex.make_tables(
    words,
    (("o", "a"), ("", "a")),
    copulas=lex.with_folded(_COPULAS | _CLINGING),
    me_verbs=lex.with_folded(_ME_VERBS | _WITH_CLITIC),
    not_copulas="esta seria e",
    spell=strip_marks,
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

_STRONG = r".{2,}(?:iv|ic|ent|ari|eir|log|graf)[oa]|.{2,}(?:d|t|s)ora?"
_NOT_LOOSE = r"(?:i|ez|ur|nz|tr|er)[oa]|mento|menta|ismo|axe|aba|amos|smo|me"
LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.NOT_ADJECTIVE, r"(?:an|en|in)do$"),
            Suffix(lex.SUFFIX, r".{2,}[aiu]d[oa]$|.{3,}os[oa]$"),
            Suffix(lex.SUFFIX, unless(r"(?:ment|tic|gic|ri|eir|iv|ent)[oa]", _STRONG)),
            Suffix(lex.LOOSE, unless(_NOT_LOOSE, r".{3,}[oa]")),
        ),
        masculine=("o", "or"),
        feminine=("a",),
        bases=(("ora", "or"), ("a", "o")),
        verb=_verb,
        singular=lambda key: re.sub("(?<=[rz])e$", "", key[:-1]) or key,
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(r".{2,}(?:d|t|s)ora?$|.{3,}(?:log|graf)[oa]$"),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(bases=lambda key: key[:-1] + "o"),
)


_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + lex.double_token("a|o|e|ra|ora|esa|na|ona|oa|iz|triz", "a|o|e")
    + rf"|[¿¡]|{SIGNS}"
)


class GalicianReader(ClimbingReader):
    """The reader of Galician, with what is particular to it."""

    __slots__ = ()
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
