"""Spanish tables and endings for the shared lexicon of Romance languages."""

import re

from monitor.languages.romance import _es_words as words
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


def _copulas() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for lemma, irregular in words.IRREGULAR_COPULAS.items():
        regular = conjugate(lemma) if lemma in words.REGULAR_FORMS_OF else {}
        table.update((form, (lemma, person)) for form, person in regular.items())
        for person, forms in irregular.items():
            table.update((form, (lemma, person)) for form in forms.split())
    # Other verbs than these make participles that are adjectives.
    adjectival = {"dormido", "crecido", "nacido", "acabado", "caido", "caído", "muerto", "cogido"}
    return with_folded({form: entry for form, entry in table.items() if form not in adjectival})


def _me_verbs() -> dict[str, str]:
    table = {form: lemma for lemma in words.REGULAR_ME_VERBS for form in conjugate(lemma)}
    for lemma, forms in words.IRREGULAR_ME_VERBS.items():
        table.update((form, lemma) for form in forms.split())
    return with_folded(table | _with_clitic(table))


def _with_clitic(table: dict[str, str]) -> dict[str, str]:
    """sentirme, sintiéndome."""
    return {form + "me": lemma for form, lemma in table.items() if re.search(r"r$|ndo$", form)}


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    return masculine[:-1] + "a" if masculine.endswith("o") else masculine + "a"


_IRREGULAR = pairs(fold(words.ADJECTIVE_PAIRS))
_ADJECTIVE_STEMS = {m for m, _ in _IRREGULAR}


def _regular(masculines: frozenset[str]) -> list[Pair]:
    return [(m, feminine(m)) for m in sorted(masculines - _ADJECTIVE_STEMS)]


_TABLES = Tables(
    copulas=_copulas(),
    me_verbs=_me_verbs(),
    human=gendered(
        [pair for pair in _IRREGULAR if pair[0] in words.HUMAN_ADJECTIVES]
        + _regular(words.HUMAN_ADJECTIVES)
    ),
    listed=gendered(_IRREGULAR + _regular(words.OTHER_ADJECTIVES | words.IRREGULAR_PARTICIPLES)),
    roles=gendered(pairs(fold(words.ROLE_PAIRS)) + _regular(words.ROLE_MASCULINES)),
    not_copulas=frozenset("seria esta este vino sé".split()),
)

# First-person forms that are nouns too, unless a verb is due at their place.
_NOT_SURE_FIRST = frozenset(
    """
    uso paso canto baile entro cuido juego ayudo corro intento sueño trabajo estudio odio deseo
    recuerdo espero amo pago practico indico publico critico duelo cargo camino viaje gano miro
    bailo vendo visto siento cubro busco rio bebo toma paro vivo tomo compro cocino
    """.split()
)
_NOT_PRETERITE = frozenset(
    "café té qué porqué bebé olé así aquí allí ahí casi también amén sí mí ti jabalí rubí esquí "
    "colibrí maniquí pié fé josé tupé comité puré chalé paté bufé".split()
)
_PRETERITE = re.compile(r"...[éí]$|..(?:tuv|duj|pus|dij|quis|hic|vin|traj|cup)e$")
_THIRD_ENDING = re.compile(
    r"..(?:ó|aron|ieron|aban|ían|amos|emos|imos|ará|erá|irá|arán|erán|irán)$"
)


def _verb(low: str, key: str) -> int:
    tags = lex.ENCLITIC if _ENCLITIC.search(key) else 0
    if key in words.FIRST_VERBS and not low.endswith("ó"):
        return tags | (lex.MAYBE_FIRST if key in _NOT_SURE_FIRST else lex.FIRST)
    if _PRETERITE.search(low) and low not in _NOT_PRETERITE:
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
    if key in words.THINGS or key in words.FIXED_NOUNS or _GERUND.search(key):
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


LEXICON = Lexicon(
    words,
    _TABLES,
    Endings(
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
    Doubles(
        pattern=double_pattern(r"[^\W_]{1,4}"),
        stem="un",
        sign="o",
        letters="ex",
        bases=_inclusive_base,
    ),
)
lookup = LEXICON.lookup
