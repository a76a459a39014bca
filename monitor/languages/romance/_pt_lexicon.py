"""Portuguese tables and endings for the shared lexicon of Romance languages."""

import re

from monitor.languages.romance import _pt_words as words
from monitor.languages.romance import _romance_tags as lex
from monitor.languages.romance._romance_lexicon import (
    Doubles,
    Endings,
    Lexicon,
    Pair,
    Tables,
    double_pattern,
    gendered,
    pairs,
)
from monitor.languages.romance._romance_tags import F, M, fold
from monitor.model import Gender

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


def _copulas() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for lemma, irregular in words.IRREGULAR_COPULAS.items():
        regular = {} if lemma in {"ser", "estar", "sair", "dormir", "vir"} else conjugate(lemma)
        for form, person in regular.items():
            # Other verbs than these make participles that are adjectives.
            if person != "P":
                table[form] = (lemma, person)
        for person, forms in irregular.items():
            table.update((form, (lemma, person)) for form in forms.split())
    return table


def _me_verbs() -> dict[str, str]:
    table = {form: lemma for lemma in words.REGULAR_ME_VERBS for form in conjugate(lemma)}
    for lemma, forms in words.IRREGULAR_ME_VERBS.items():
        table.update((form, lemma) for form in forms.split())
    return table


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective."""
    if masculine.endswith("o"):
        return masculine[:-1] + "a"
    if masculine.endswith("eu"):
        return masculine[:-1] + "ia"
    return masculine + "a"


_IRREGULAR = pairs(words.ADJECTIVE_PAIRS)
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _adjectives(masculines: frozenset[str]) -> dict[str, tuple[Gender, str]]:
    regular: list[Pair] = [
        (m, feminine(m)) for m in sorted(masculines) if m not in _ADJECTIVE_STEMS
    ]
    irregular = [(m, f) for m, f in _IRREGULAR if m in masculines]
    return gendered(regular + irregular)


_TABLES = Tables(
    copulas=_copulas(),
    me_verbs=_me_verbs(),
    human=_adjectives(words.HUMAN_ADJECTIVES),
    listed=gendered(_IRREGULAR) | _adjectives(words.OTHER_ADJECTIVES | words.IRREGULAR_PARTICIPLES),
    roles=gendered(pairs(words.ROLE_PAIRS)),
    not_copulas=frozenset({"séria", "sérias", "esta"}),
)

# First-person forms that are nouns too, unless a verb is due at their place.
_SURE_FIRST = frozenset(
    """
    tenho tive terei vou vim posso faco fiz farei digo direi dou dei sei quero ouco peco perco
    sirvo prefiro consigo creio acho adoro odeio sou fui estou fico
    """.split()
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
    if key in words.THINGS or key in words.FIXED_NOUNS or _GERUND.search(key):
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
    if key in words.FIRST_VERBS:
        return lex.FIRST if key in _SURE_FIRST else lex.MAYBE_FIRST
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


LEXICON = Lexicon(
    words,
    _TABLES,
    Endings(
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
    Doubles(
        pattern=double_pattern(r"[^\W_]{1,4}"),
        stem="um",
        sign="o",
        letters="ex",
        bases=_inclusive_base,
    ),
)
lookup = LEXICON.lookup
