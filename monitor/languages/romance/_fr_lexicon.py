"""French tables and endings for the shared lexicon of Romance languages."""

import re

from monitor.languages._pairs import ONE_FORM
from monitor.languages.romance import _fr_words as words
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

# Endings of verbs in -er that the reader meets with "me".
_ENDINGS = "e es ent ais ait aient ai a erai era erais erait er ant é ée"


def conjugate(lemma: str) -> list[str]:
    """Return forms of a regular verb in -er."""
    stem = lemma[:-2]
    forms = [stem + ending for ending in _ENDINGS.split()]
    if re.search("é[^aeiou]$", stem):  # considère
        open_stem = stem[:-2] + "è" + stem[-1]
        forms += [open_stem + ending for ending in ("e", "es", "ent")]
    if stem.endswith(("el", "ev")):  # appelle, lève
        grave = stem + "l" if stem.endswith("pel") else stem[:-2] + "è" + stem[-1]
        forms += [grave + ending for ending in ("e", "es", "ent", "erai", "era", "erait")]
    return forms


def _copulas() -> dict[str, tuple[str, str]]:
    return {
        form: (fold(lemma), person)
        for lemma, irregular in words.IRREGULAR_COPULAS.items()
        for person, forms in irregular.items()
        for form in forms.split()
    }


def _me_verbs() -> dict[str, str]:
    table = {form: fold(lemma) for lemma in words.REGULAR_ME_VERBS for form in conjugate(lemma)}
    for lemma, forms in words.IRREGULAR_ME_VERBS.items():
        table.update((form, fold(lemma)) for form in forms.split())
    return table


# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("eux", "euse"), ("oux", "ouse"), ("if", "ive"), ("ïf", "ïve"), ("teur", "trice"),
    ("eur", "euse"),
    ("en", "enne"), ("on", "onne"), ("el", "elle"), ("eil", "eille"), ("er", "ère"),
    ("et", "ette"), ("ec", "èque"), ("c", "que"), ("e", "e"), ("", "e"),
)  # fmt: skip


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective or a noun for a person."""
    for ending, replacement in _FEMININES:
        if masculine.endswith(ending):
            return masculine.removesuffix(ending) + replacement
    return masculine


_IRREGULAR = pairs(words.ADJECTIVE_PAIRS)


def _regular(masculines: frozenset[str]) -> list[Pair]:
    """Pairs of the words whose feminine differs."""
    irregular = dict(_IRREGULAR)
    forms = [(m, irregular.get(m) or feminine(m)) for m in sorted(masculines)]
    return [(m, f) for m, f in forms if m != f]


_TABLES = Tables(
    copulas=_copulas(),
    me_verbs=_me_verbs(),
    human=gendered(_regular(words.HUMAN_ADJECTIVES)),
    listed=gendered(_IRREGULAR + _regular(words.OTHER_ADJECTIVES | words.IRREGULAR_PARTICIPLES)),
    roles=gendered(pairs(words.ROLE_PAIRS)),
    not_copulas=frozenset({"ete"}),
)


def _verb(_low: str, key: str) -> int:
    if key in words.FIRST_VERBS:
        return lex.FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(key) else 0


#: What inclusive spellings put behind a masculine form: "fatigué·e", "heureux(se)".
#: A point or a hyphen stands for the middle dot: fatigué.e, fatigué-e.
MARKS = ONE_FORM + r".\-"
TAILS = "e|ne|le|se|te|ve|he|que|euse|rice|trice|ère|ière|ienne|enne|onne|elle|ive|ice|sse"

# --- Endings -----------------------------------------------------------------------------------

_THIRD_ENDING = re.compile(r"..(?:ait|aient|erent|irent|eront|iront|era|ira|ons|ez)$")
# A masculine and the feminine that it has in writing: (masculine, feminine).
_PAIRS = (
    ("é", "ée"), ("i", "ie"), ("u", "ue"), ("eux", "euse"), ("if", "ive"), ("teur", "trice"),
    ("eur", "euse"), ("ien", "ienne"), ("el", "elle"), ("al", "ale"), ("ier", "ière"),
    ("ant", "ante"), ("ent", "ente"), ("ois", "oise"), ("ard", "arde"), ("is", "ise"),
    ("it", "ite"), ("ert", "erte"), ("ort", "orte"), ("ict", "icte"), ("act", "acte"),
    ("ond", "onde"), ("aud", "aude"),
)  # fmt: skip
# Endings that nouns have as often: right after a verb of being only.
_LOOSE_PAIRS = (
    ("ais", "aise"), ("ain", "aine"), ("in", "ine"), ("an", "ane"), ("ot", "ote"), ("us", "use"),
    ("ect", "ecte"), ("er", "ère"), ("ers", "erse"), ("int", "inte"), ("il", "ile"), ("on",
    "onne"),
)  # fmt: skip
_MASCULINE = re.compile(rf".{{2,}}(?:{'|'.join(m for m, _ in _PAIRS)})$")
_FEMININE = re.compile(rf".{{2,}}(?:{'|'.join(f for _, f in _PAIRS)})$")
_LOOSE = re.compile(rf".{{2,}}(?:{'|'.join(f'{m}|{f}' for m, f in _LOOSE_PAIRS)})$")
_NO_ADJECTIVE = re.compile(
    r"(?:mente?|tié|aient|tion|ude|[^o]uie?|oie?|[ae]ue?|oue?|ait|iste)$(?<!aude)"
)


def _by_suffix(low: str, _key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if low in words.THINGS or low in words.FIXED_NOUNS or _NO_ADJECTIVE.search(low):
        return lex.NOT_ADJECTIVE
    if low.endswith(("ais", "aise")):
        return lex.LOOSE  # an imperfect tense as well
    if _PARTICIPLE.search(low) or _MASCULINE.match(low) or _FEMININE.match(low):
        return lex.SUFFIX
    return lex.LOOSE if _LOOSE.match(low) else lex.NOT_ADJECTIVE


_PARTICIPLE = re.compile(r".{2,}(?:é|ée)$")


def _gender(low: str) -> Gender | None:
    return F if low.endswith("e") else M


def _base(low: str, gender: Gender | None) -> str:
    """The masculine form of an unlisted word."""
    if gender is F:
        for masculine, feminine_ending in _PAIRS + _LOOSE_PAIRS:
            if low.endswith(feminine_ending):
                return low.removesuffix(feminine_ending) + masculine
    return low


LEXICON = Lexicon(
    words,
    _TABLES,
    Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=lambda key: key.removesuffix("s"),
        manner=re.compile(r".{3,}(?:e|am|em|i|u)ment$"),
        agent=re.compile(r"(?!)"),
        agent_common=re.compile(r".{2,}iste$|.{2,}logue$|.{2,}peute$|.{3,}aire$"),
        participle=re.compile(r"(?:[éiu]|is|it|ert|eint|aint|oint|mort)$"),
        accented=True,
    ),
    Doubles(
        pattern=double_pattern(TAILS, marks=MARKS),
        stem="un",
        sign="e",
        letters="x",
        bases=lambda key: key[:-1],
    ),
)
lookup = LEXICON.lookup
