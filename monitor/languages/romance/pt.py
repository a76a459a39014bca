"""Portuguese (mostly Brazilian): the gender a text gives to its first person.

Portuguese verbs carry no gender. What carries it are the words that agree with the speaker:
predicates of copulas ("estou cansada", "me tornei médico"), passives ("fui contratada"), nouns
after "como", object complements ("me deixou nervosa"), and a few words on their own ("obrigada",
"sozinho", "eu mesma"). The reader therefore goes once from left to right, keeps track of the
subject of the clause it is in, and reads a predicate wherever something is said of the speaker.

A first-person form (sou, estou, fui) needs no subject. A form shared with the third person (era,
estava, fosse) counts after "eu"; where the subject is dropped it counts only if the clause before
was the speaker's, nobody else was mentioned, and the predicate is one that is said of people:
"porque estava cansada" counts, "porque era perigoso" does not. Non-finite forms follow the subject
that governs them. What somebody else says, and what stands in quotation marks, is not read; the
cue QUOTED reads only inside the marks.

Agreement rules follow Cunha and Cintra, "Nova gramática do português contemporâneo", and Bechara,
"Moderna gramática portuguesa".
"""

import re

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_reader import Reader, RomanceLanguage
from monitor.languages.romance._romance_words import Suffix, read_lists, unless

words = read_lists("person_words_pt")

# --- Tables ------------------------------------------------------------------------------------

_TABLES = lex.make_tables(
    words,
    (("o", "a"), ("eu", "eia"), ("", "a")),
    # Other verbs make participles that are adjectives.
    copulas=lex.copula_forms(words, participles=False),
    me_verbs=lex.me_verb_forms(words),
    not_copulas="séria sérias esta",
)

_NOT_PRETERITE = frozenset("lei rei hei frei sei".split())

# --- Endings -----------------------------------------------------------------------------------

_PRETERITE = re.compile(r".{2,}ei$")
_PRETERITE_IN_I = re.compile(r"[^áéíóúâêô]{2,}[^aeou]i$")
_NOT_IN_I = frozenset("aqui ali dali daqui assi abacaxi guarani tupi sagui jabuti colibri".split())
_THIRD_ENDING = re.compile(r".[^e](?:ou|iu|[^st]eu|[aie]ram|avam|[aei]mos)$")


def _verb(low: str, key: str) -> int:
    if key in words.first_verbs:
        return lex.FIRST if key in words.sure_first else lex.MAYBE_FIRST
    if _PRETERITE.match(key) and key not in _NOT_PRETERITE:
        return lex.FIRST
    if _PRETERITE_IN_I.match(low) and key not in _NOT_IN_I:
        return lex.MAYBE_FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(key) else 0


_STRONG = (
    r".{2,}(?:ad|id|os|iv|ic|ent|ari|eir|an|in|und|uid|log|graf)[oa]|.{2,}(?:d|t|s)ora?|.{3,}esa?"
)
LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjectives=(
            Suffix(lex.NOT_ADJECTIVE, r"(?:an|en|in|on)do$"),
            Suffix(lex.SUFFIX, r"ês$|.{3,}ári[oa]$", written=True),
            Suffix(lex.NOT_ADJECTIVE, r"es$"),
            Suffix(lex.SUFFIX, r".{2,}[aiu]d[oa]$|.{3,}os[oa]$"),
            Suffix(lex.SUFFIX, unless(r"(?:ment|eir|in|an|ent|ri)[oa]|[aeio]ndo", _STRONG)),
            Suffix(
                lex.LOOSE,
                unless(r"(?:i|ez|ur|nc|ment|inh|av|am|tr|sm)[oa]|ao|agem", r".{3,}[oa]"),
            ),
        ),
        masculine=("o", "or", "es"),
        feminine=("a",),
        bases=(("ora", "or"), ("a", "o")),
        verb=_verb,
        singular=lambda key: re.sub("(?<=[rz])e$", "", key[:-1]) or key,
        manner=re.compile(r".{2,}mente$"),
        agent=re.compile(
            r".{2,}(?:d|t|s)ora?$|.{2,}eir[oa]$|.{3,}(?:log|graf|an)[oa]$|.{3,}ari[oa]$"
        ),
        agent_common=re.compile(r".{2,}ista$|.{3,}[aei]nte$|.{3,}(?:iatra|peuta|ólatra|maníaca)$"),
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(stem="um"),
)


_TOKEN = re.compile(
    rf"[^\W\d_][\w{MARK}]*"
    + lex.double_token("a|o|e|ra|ora|esa|na|ona|ã|inha|eira|iz|triz", "a|o|e")
    + rf"|{SIGNS}"
)


class PortugueseReader(Reader):
    """The reader of Portuguese, with what is particular to it."""

    __slots__ = ()

    def _not_a_verb(self, i: int) -> bool:
        """No verb in "um acordo", "ao vivo"; no verb of the speaker in "me era", "me parece"."""
        word, before = self.tokens[i], self._tags(i - 1)
        if word.tags & lex.ADVERB:
            return True
        if word.person == "1" and word.key not in {"sou", "fui", "estou"}:
            return bool(before & (lex.DETERMINER | lex.PREPOSITION)) and not before & lex.CLITIC
        if word.key == "fui" and self._word(i + 1).key == "a":
            # "Fui a uma festa"; "fui a única" has no second article.
            return bool(self._tags(i + 2) & lex.DETERMINER)
        if word.key == "estar" and self._word(i - 1).key == "bem":
            return bool(self._tags(i - 2) & (lex.DETERMINER | lex.PREPOSITION))
        if word.key == "ser":
            return bool(before & lex.DETERMINER) and not before & lex.PREPOSITION
        return bool(before & lex.ME) and word.person in "A3" and word.copula != "virar"


LANGUAGE = RomanceLanguage(
    "pt", "Portuguese", 5, token=_TOKEN, lexicon=LEXICON, reader=PortugueseReader, share=0.3
)
