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
from dataclasses import replace

from monitor.languages._speech import MARK, SIGNS
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance import RomanceLanguage
from monitor.languages.romance._romance_reader import Reader
from monitor.languages.romance._romance_words import F, M, fold, read_lists
from monitor.model import Gender

words = read_lists("person_words_pt")
words = replace(words, acts=words.acts | words.irregular_participles)

# --- Tables ------------------------------------------------------------------------------------

# Vowel endings of regular verbs, by conjugation: (first only, first or third, third).
_ENDINGS = {
    "a": ("o ei arei", "ava aria asse e", "a ou am aram avam amos ará ara"),
    "e": ("o i erei", "ia eria esse a", "e eu em eram iam emos ará era"),
    "i": ("o i irei", "ia iria isse a", "e iu em iram iam imos irá ira"),
}


def conjugate(lemma: str) -> dict[str, str]:
    """Forms of a regular verb, and the person class each belongs to."""
    stem, vowel = lemma[:-2], lemma[-2]
    forms: dict[str, str] = {}
    for person, endings in zip("1A3", _ENDINGS[vowel], strict=True):
        for ending in endings.split():
            # -gar and -car keep their sound before e.
            soft = ending.startswith("e") and vowel == "a"
            head = re.sub("g$", "gu", re.sub("c$", "qu", stem)) if soft else stem
            forms[fold(head + ending)] = person
    return forms | {
        lemma: "I",
        f"{stem}{vowel}ndo": "G",
        f"{stem}{'a' if vowel == 'a' else 'i'}do": "P",
    }


def _conjugate_copula(lemma: str) -> dict[str, str]:
    """Besides: other verbs than these make participles that are adjectives."""
    return {form: person for form, person in conjugate(lemma).items() if person != "P"}


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective."""
    if masculine.endswith("o"):
        return masculine[:-1] + "a"
    if masculine.endswith("eu"):
        return masculine[:-1] + "ia"
    return masculine + "a"


_IRREGULAR = lex.pairs(words.adjective_pairs)
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _adjectives(masculines: frozenset[str]) -> dict[str, tuple[Gender, str]]:
    regular: list[lex.Pair] = [
        (m, feminine(m)) for m in sorted(masculines) if m not in _ADJECTIVE_STEMS
    ]
    irregular = [(m, f) for m, f in _IRREGULAR if m in masculines]
    return lex.gendered(regular + irregular)


_TABLES = lex.Tables(
    copulas=lex.copula_forms(words, _conjugate_copula),
    me_verbs=lex.me_verb_forms(words, conjugate),
    human=_adjectives(words.human_adjectives),
    listed=lex.gendered(_IRREGULAR) | _adjectives(words.listed_adjectives),
    roles=lex.gendered(lex.pairs(words.role_pairs)),
    not_copulas=frozenset({"séria", "sérias", "esta"}),
)

_NOT_PRETERITE = frozenset("lei rei hei frei sei".split())

# --- Endings -----------------------------------------------------------------------------------

_STRONG = re.compile(
    r".{2,}(?:ad|id|os|iv|ic|ent|ari|eir|an|in|und|uid|log|graf)(?P<vowel>[oa])$"
    r"|.{2,}(?P<agent>(?:d|t|s)or)(?P<fem>a?)$|.{3,}(?P<people>es)(?P<efem>a)?$"
)
_NOT_STRONG = re.compile(r"(?:(?:ment|eir|in|an|ent|ri)[oa]|[aeio]ndo)$")
_PARTICIPLE = re.compile(r".{2,}[aiu]d([oa])$|.{3,}os([oa])$")
_ACCENTED = re.compile(r".{3,}ári[oa]$")
_VOWEL_ENDING = re.compile(r".{3,}[oa]$")
_MANNER = re.compile(r".{2,}mente$")
_PRETERITE = re.compile(r".{2,}ei$")
_PRETERITE_IN_I = re.compile(r"[^áéíóúâêô]{2,}[^aeou]i$")
_NOT_IN_I = frozenset("aqui ali dali daqui assi abacaxi guarani tupi sagui jabuti colibri".split())
_THIRD_ENDING = re.compile(r".[^e](?:ou|iu|[^st]eu|[aie]ram|avam|[aei]mos)$")
_GERUND = re.compile(r"(?:an|en|in|on)do$")
_NOT_LOOSE = re.compile(r"(?:i|ez|ur|nc|ment|inh|av|am|tr|sm)[oa]$|ao$|agem$")
_AGENT = re.compile(r".{2,}(?:d|t|s)ora?$|.{2,}eir[oa]$|.{3,}(?:log|graf|an)[oa]$|.{3,}ari[oa]$")
_AGENT_COMMON = re.compile(r".{2,}ista$|.{3,}[aei]nte$|.{3,}(?:iatra|peuta|ólatra|maníaca)$")


def _ending_gender(key: str) -> Gender | None:
    if key.endswith(("o", "or", "es")):
        return M
    return F if key.endswith("a") else None


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        return key[:-1] if key.endswith("ora") else key[:-1] + "o"
    return key


def _by_suffix(low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.things or key in words.fixed_nouns or _GERUND.search(key):
        return lex.NOT_ADJECTIVE
    if key.endswith("es"):
        return lex.SUFFIX if low.endswith("ês") else lex.NOT_ADJECTIVE
    if _PARTICIPLE.match(key) or _ACCENTED.match(low):
        return lex.SUFFIX
    if _STRONG.match(key) and _ending_gender(key) and not _NOT_STRONG.search(key):
        return lex.SUFFIX
    if _VOWEL_ENDING.match(key) and not _NOT_LOOSE.search(key):
        return lex.LOOSE
    return lex.NOT_ADJECTIVE


def _verb(low: str, key: str) -> int:
    if key in words.first_verbs:
        return lex.FIRST if key in words.sure_first else lex.MAYBE_FIRST
    if _PRETERITE.match(key) and key not in _NOT_PRETERITE:
        return lex.FIRST
    if _PRETERITE_IN_I.match(low) and key not in _NOT_IN_I:
        return lex.MAYBE_FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(key) else 0


def _inclusive_base(key: str) -> str:
    """cansade, cansadx -> cansado; amigue -> amigo."""
    return re.sub("gu$", "g", re.sub("qu$", "c", key[:-1])) + "o"


def _singular(key: str) -> str:
    return re.sub("(?<=[rz])e$", "", key[:-1]) or key


LEXICON = lex.Lexicon(
    words,
    _TABLES,
    lex.Endings(
        adjective=_by_suffix,
        gender=_ending_gender,
        base=_base,
        verb=_verb,
        singular=_singular,
        manner=_MANNER,
        agent=_AGENT,
        agent_common=_AGENT_COMMON,
        participle=re.compile(r"[aiu]do$"),
    ),
    lex.Doubles(
        pattern=lex.double_pattern(r"[^\W_]{1,4}"),
        stem="um",
        sign="o",
        letters="ex",
        bases=_inclusive_base,
    ),
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
