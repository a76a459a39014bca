"""Italian tables and endings for the shared lexicon of Romance languages."""

import re

from monitor.languages.romance import _it_words as words
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
    with_folded,
)
from monitor.languages.romance._romance_tags import F, M, fold
from monitor.model import Gender

# Endings of regular verbs in -are, by person.
_ENDINGS = {
    "1": "o avo erò erei ai",
    "A": "i assi",
    "3": "a ano ava avano ò arono erà eranno erebbe iamo ate asse",
    "I": "are ar",
    "G": "ando",
}


def conjugate(lemma: str) -> dict[str, str]:
    """Forms of a regular verb in -are, with accents, and the person class each belongs to."""
    stem = lemma[:-3]
    forms: dict[str, str] = {}
    for person, endings in _ENDINGS.items():
        for ending in endings.split():
            front = stem
            if ending[0] in "ei":
                front = stem + "h" if stem[-1] in "cg" else stem.removesuffix("i")
            forms[front + ending] = person
    return forms


def _copulas() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for lemma, irregular in words.IRREGULAR_COPULAS.items():
        regular = conjugate(lemma) if lemma in words.REGULAR_FORMS_OF else {}
        table.update((form, (lemma, person)) for form, person in regular.items())
        for person, forms in irregular.items():
            table.update((form, (lemma, person)) for form in forms.split())
    return with_folded(table)


def _me_verbs() -> dict[str, str]:
    table: dict[str, str] = {}
    for lemma in words.REGULAR_ME_VERBS:
        forms = [*conjugate(lemma), lemma[:-3] + "ato", lemma[:-3] + "ata"]
        table.update((form, lemma) for form in forms)
    for lemma, irregular in words.IRREGULAR_ME_VERBS.items():
        table.update((form, lemma) for form in irregular.split())
    return with_folded(table | _with_clitic(table))


def _with_clitic(table: dict[str, str]) -> dict[str, str]:
    """sentirmi, facendomi."""
    return {
        re.sub("e$", "", form) + "mi" if form.endswith("re") else form + "mi": lemma
        for form, lemma in table.items()
        if re.search(r"[aei]re$|ndo$", form)
    }


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    if masculine.endswith("tore"):
        return masculine.removesuffix("ore") + "rice"
    return masculine[:-1] + "a" if masculine[-1] in "oe" else masculine


_IRREGULAR = pairs(words.ADJECTIVE_PAIRS)


def _regular(masculines: frozenset[str]) -> list[Pair]:
    """Pairs of the words whose feminine differs."""
    irregular = dict(_IRREGULAR)
    forms = [(m, irregular.get(m) or feminine(m)) for m in sorted(masculines) if m[-1] in "oe"]
    return [(m, f) for m, f in forms if m != f and (m.endswith(("o", "tore")) or m in irregular)]


_TABLES = Tables(
    copulas=_copulas(),
    me_verbs=_me_verbs(),
    human=gendered(_regular(words.HUMAN_ADJECTIVES)),
    listed=gendered(_IRREGULAR + _regular(words.OTHER_ADJECTIVES | words.IRREGULAR_PARTICIPLES)),
    roles=gendered(pairs(fold(words.ROLE_PAIRS)) + _regular(words.ROLE_MASCULINES)),
    not_copulas=frozenset("e stai".split()),
)

_IMPERFECT = re.compile(r"..[aei]vo$")
_FUTURE = re.compile(r"..(?:er|ir)(?:ò|ei)$")
_PRETERITE = re.compile(r"...(?:ai|ii|etti)$")
_SUBJUNCTIVE = re.compile(r"..[aei]ssi$")
_NOT_FIRST = frozenset("""
operai ormai assai marinai notai fornai guai letti tetti aspetti oggetti progetti
effetti difetti biglietti maglietti bravo schiavo
""".split())  # fmt: skip
_THIRD_ENDING = re.compile(
    r"..(?:ava|eva|avano|evano|ivano|arono|erono|irono|ette|ettero|erà|irà|eranno|iranno|rebbe"
    r"|rebbero|iamo)$"
)


def _verb(low: str, key: str) -> int:
    tags = lex.ENCLITIC if _ENCLITIC.search(key) else 0
    if key in words.FIRST_VERBS or low in words.FIRST_VERBS:
        return tags | (lex.MAYBE_FIRST if key in _NOT_SURE_FIRST else lex.FIRST)
    if low.endswith("ivo") and not low.endswith(("rivo", "tivo", "sivo", "divo")):
        return tags | lex.MAYBE_FIRST
    if low.endswith(("avo", "evo")) and low not in _NOT_FIRST and _IMPERFECT.search(low):
        return tags | lex.FIRST
    if (_FUTURE.search(low) or _PRETERITE.search(low)) and low not in _NOT_FIRST:
        return tags | lex.FIRST
    if _SUBJUNCTIVE.search(low):
        return tags | lex.MAYBE_FIRST
    return tags | (lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0)


_NOT_SURE_FIRST = frozenset("""
torno resto inizio rifiuto aspetto cambio conto dedico disegno lotto merito misuro noto peso
pratico presto pubblico regalo rispetto ritorno saluto sbaglio seguo sposto suono tiro tratto urlo
volo lavoro gioco aiuto viaggio uso sogno studio porto prendo parto amo odio spero provo vivo guido
persi corsi presi decisi apro lascio compro salgo
""".split())  # fmt: skip

# --- Endings -----------------------------------------------------------------------------------

_ENCLITIC = re.compile(r".{2,}(?:[aei]rmi|ndomi)$")
_PARTICIPLE = re.compile(r".{2,}[aiu]t[oa]$|.{3,}os[oa]$")
_STRONG = re.compile(r".{3,}(?:[ts]iv|ic|ent|ari|an|[eo]s|ett|ist|log)[oa]$|.{3,}t(?:ore|rice)$")
_NOT_STRONG = re.compile(r"(?:ment|an|ent|ett|ist)[oa]$")

_VOWEL_ENDING = re.compile(r".{3,}[oa]$")
_GERUND = re.compile(r"[ae]ndo$")
_NOT_LOOSE = re.compile(
    r"(?:iera|[st]ora|llora|i[ao]|ezz[ao]|ur[ao]|nz[ao]|mento|menta|ismo|aggi[ao]|in[ao]|[ae]v[ao]|iamo|tr[ao]|smo)$"
)


def _by_suffix(low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.THINGS or key in words.FIXED_NOUNS or _GERUND.search(key):
        return lex.NOT_ADJECTIVE
    if low[-1] in "àòìùèé":
        return lex.NOT_ADJECTIVE
    if _PARTICIPLE.match(key):
        return lex.SUFFIX
    if _STRONG.match(key) and not _NOT_STRONG.search(key):
        return lex.SUFFIX
    if _VOWEL_ENDING.match(key) and not _NOT_LOOSE.search(key):
        return lex.LOOSE
    return lex.NOT_ADJECTIVE


def _gender(key: str) -> Gender | None:
    if key.endswith(("o", "tore")):
        return M
    return F if key.endswith(("a", "trice")) else None


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        if key.endswith("trice"):
            return key.removesuffix("rice") + "ore"
        return key[:-1] + "o"
    return key


LEXICON = Lexicon(
    words,
    _TABLES,
    Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=lambda key: re.sub("i$", "o", re.sub("e$", "a", key)),
        manner=re.compile(r".{3,}mente$"),
        agent=re.compile(r".{3,}t(?:ore|rice)$|.{3,}(?:log|graf)[oa]$"),
        agent_common=re.compile(r".{2,}ista$|.{4,}[ae]nte$|.{3,}iatra$"),
        participle=re.compile(
            r"(?:[aiu]t|fatt|dett|mess|pres|scelt|ett|att|ott|pert|fert|ort|olt|int|us|is|es|ers|oss"
            r"|ess|ost|nt)o$"
        ),
    ),
    Doubles(
        pattern=double_pattern(r"[^\W_]{1,5}", signs="@*ə"),
        stem="un",
        sign="o",
        letters="xu",
        bases=lambda key: key[:-1] + "o",
    ),
)
lookup = LEXICON.lookup
