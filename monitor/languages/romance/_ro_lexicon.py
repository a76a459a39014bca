"""Romanian tables and endings for the shared lexicon of Romance languages."""

import re

from monitor.languages.romance import _ro_words as words
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


def _copulas() -> dict[str, tuple[str, str]]:
    return with_folded(
        {
            form: (fold(lemma), person)
            for lemma, irregular in words.IRREGULAR_COPULAS.items()
            for person, forms in irregular.items()
            for form in forms.split()
        }
    )


def _me_verbs() -> dict[str, str]:
    table = {
        form: fold(lemma)
        for lemma, forms in words.IRREGULAR_ME_VERBS.items()
        for form in forms.split()
    }
    return with_folded(table)


# Ends of masculine forms and what the feminine puts in their place; the first that fits decides.
_FEMININES = (
    ("tor", "toare"), ("sor", "soare"), ("os", "oasa"), ("esc", "easca"), ("iu", "ie"), ("u", "a"),
    ("e", "e"), ("", "a"),
)  # fmt: skip


def feminine(masculine: str) -> str:
    """The regular feminine of an adjective, without diacritics."""
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


def _definite(forms: list[Pair]) -> list[Pair]:
    """The pairs with the article at their end: "seful/sefa", "directorul/directoarea"."""
    return [(_with_article(m), f if f.endswith("a") else f + "a") for m, f in forms]


def _with_article(masculine: str) -> str:
    return masculine + ("le" if masculine.endswith("e") else "l" if masculine[-1] == "u" else "ul")


_ROLES = [(m, f) for m, f in pairs(words.ROLE_PAIRS) if m != f]
_TABLES = Tables(
    copulas=_copulas(),
    me_verbs=_me_verbs(),
    human=gendered(_regular(words.HUMAN_ADJECTIVES)),
    listed=gendered(_IRREGULAR + _regular(words.OTHER_ADJECTIVES | words.IRREGULAR_PARTICIPLES)),
    roles=gendered(_ROLES + _definite(_ROLES)),
    not_copulas=frozenset(),
)

# --- Endings -----------------------------------------------------------------------------------

_FIRST_ENDING = re.compile(r".{2,}(?:eam|iam|ând|ez)$")
_NOT_FIRST = re.compile(r"(?:ând|englez|francez|chinez|portughez|olandez)$")
_IMPERFECT = re.compile(r".{2,}[^c]am$")
_THIRD_ENDING = re.compile(r".{2,}(?:ește|eşte|ează|eau|au)$")


def _verb(low: str, key: str) -> int:
    if key in words.FIRST_VERBS:
        return lex.FIRST
    if _FIRST_ENDING.search(low) and not _NOT_FIRST.search(low):
        return lex.MAYBE_FIRST if low.endswith("ez") else lex.FIRST
    return lex.OTHER_VERB if _THIRD_ENDING.search(low) else 0


# A masculine ending and the feminine that belongs to it, without diacritics.
_PAIRS = (
    ("at", "ata"), ("it", "ita"), ("ut", "uta"), ("os", "oasa"), ("iv", "iva"), ("bil", "bila"),
    ("ent", "enta"), ("ant", "anta"), ("tor", "toare"), ("nic", "nica"), ("ist", "ista"),
)  # fmt: skip
# Endings that nouns have as often: right after a verb of being only.
_LOOSE_PAIRS = (("ic", "ica"), ("al", "ala"), ("esc", "easca"), ("ian", "iana"), ("ez", "eza"))
_LOOSE = re.compile(rf".{{2,}}(?:{'|'.join(f'{m}|{f}' for m, f in _LOOSE_PAIRS)})$")
_STRONG = re.compile(rf".{{2,}}(?:{'|'.join(f'{m}|{f}' for m, f in _PAIRS)})$")
_PARTICIPLE = re.compile(r".{2,}(?:[aiu]t|s)$")


def _by_suffix(_low: str, key: str) -> int:
    """Return how far the ending of an unlisted word speaks for an adjective."""
    if key in words.THINGS or key in words.FIXED_NOUNS:
        return lex.NOT_ADJECTIVE
    if _STRONG.match(key):
        return lex.SUFFIX
    return lex.LOOSE if _LOOSE.match(key) else lex.NOT_ADJECTIVE


def _gender(key: str) -> Gender | None:
    return F if key.endswith(("a", "toare")) else M


def _base(key: str, gender: Gender | None) -> str:
    if gender is F:
        for masculine, feminine_ending in _PAIRS + _LOOSE_PAIRS:
            if key.endswith(feminine_ending):
                return key.removesuffix(feminine_ending) + masculine
    return key


LEXICON = Lexicon(
    words,
    _TABLES,
    Endings(
        adjective=_by_suffix,
        gender=_gender,
        base=_base,
        verb=_verb,
        singular=lambda key: key,
        manner=re.compile(r".{4,}(?:mente|este)$"),
        agent=re.compile(r"(?!)"),
        agent_common=re.compile(r"(?!)"),
        participle=_PARTICIPLE,
    ),
    Doubles(
        pattern=double_pattern(r"[^\W_]{1,5}"),
        stem="un",
        sign="",
        letters="x",
        bases=lambda key: key[:-1],
    ),
)
lookup = LEXICON.lookup
