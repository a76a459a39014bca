"""Latvian: the gender a text gives to its first person.

Adjectives in -s/-a (-š/-a) with their degrees and definite forms (-ais/-ā); past participles in
-is/-usi and -ies/-usies, which form the perfect with "to be" (esmu gribējis); participles in
-ts/-ta, -ams/-ama, -ošs/-oša, and those of manner in -dams/-dama; pats/pati, viens/viena,
tāds/tāda; datives with "to be" (man patīk būt vienai); person nouns with a partner, after "par"
where their accusatives differ. See :mod:`monitor.languages._baltic` for when they are the
speaker's.

An accusative in -u is of either gender (kļuvu par skolotāju) and tells nothing. The feminine in -a
is also a genitive of masculines, so that a nominative counts beside the first person only.
"""

from functools import partial

from monitor.data import read_toml
from monitor.languages import _baltic as b
from monitor.languages import _clauses as c
from monitor.languages._clauses import ClauseReader, own_and_foreign, read_pairs, read_words

_DATA = read_toml("person_words_lv")
_STEMS = frozenset(word[:-1] for word in _DATA["adjectives"].split())
_DEFINITE = frozenset(word.removesuffix("ais") for word in _DATA["definite"].split())
_DEPICTIVE = frozenset(word[:-1] for word in _DATA["depictives"].split())
_NOUNS = read_pairs(_DATA["nouns"])
_NOUN_SUFFIXES = b.nouns_by_suffix(_DATA["noun_suffixes"])
_NO_NOUNS = frozenset(_DATA["no_nouns"].split())
#: What stems end in: -īgs, -isks, -ains, -āks, -ošs, -ams, participles in -ts, loans.
_SUFFIXES = (
    "īg", "isk", "ain", "āk", "oš", "am", "āl", "īv", "abl", "oz",
    "āt", "ēt", "īt", "ot", "ut", "ūt", "kt", "gt", "pt", "bt", "mt", "st", "zt", "rt", "lt",
)  # fmt: skip
_NO_STEMS = frozenset(_DATA["no_stems"].split())
_SHORTEST = 3
_LEAST = 4  # letters of a stem that only its suffix tells


def _is_listed(stem: str) -> bool:
    return stem in _STEMS or stem.removeprefix("ne") in _STEMS


def is_stem(stem: str) -> bool:
    """Return whether a stem is that of an adjective or a passive participle."""
    if _is_listed(stem):
        return True
    return len(stem) >= _LEAST and stem.endswith(_SUFFIXES) and stem not in _NO_STEMS


def _accusative(masculine: str, feminine: str) -> tuple[str, str]:
    """Return the accusatives of a noun in -s/-e, which tell the genders; empty for all others."""
    if masculine[-1] != "s" or masculine[-2] in "iu" or feminine[-1] != "e":
        return "", ""
    return f"{masculine[:-1]}u", f"{feminine[:-1]}i"


_ROLES = [pair for pair in (_accusative(m, f) for m, f in _NOUNS) if pair[0]]
_ROLE_SUFFIXES = [pair for pair in (_accusative(m, f) for m, f in _NOUN_SUFFIXES) if pair[0]]

WORDS = read_words(
    _DATA["words"],
    vars(c) | vars(b),
    (c.NOUN_M, [m for m, _ in _NOUNS]),
    (c.NOUN_F, [f for _, f in _NOUNS]),
    (c.ROLE_M, [m for m, _ in _ROLES]),
    (c.ROLE_F, [f for _, f in _ROLES]),
    (b.LOOKS_M, _NO_NOUNS),
)
_ENDINGS = b.read_endings(_DATA["endings"])
#: Endings of nouns in -is that no past participle has, or hardly one.
_NOUNS_IN_IS = ("nis", "alis", "elis", "ilis", "ulis", "olis", "eris", "aris", "āris", "ķis")
_FIRST = ("šu", "šos", "ējos", "ājos", "ījos", "ojos", "inos", "ēju", "āju", "īju", "oju")
_OF_STEM = (
    ("s", c.ADJ_M), ("š", c.ADJ_M), ("a", c.ADJ_F), ("am", c.DAT_M), ("ai", c.DAT_F),
    ("i", c.ADV), ("u", 0), ("as", 0), ("us", 0),
)  # fmt: skip


def ending(key: str) -> int:
    """Return the tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST and not _is_listed(key[:-1]):
        return 0
    for suffix, least, tags in _ENDINGS:
        if key.endswith(suffix) and len(key) - len(suffix) >= least:
            return tags
    if any(key.endswith(suffix) and _is_listed(key.removesuffix(suffix)) for suffix in "sa"):
        return _adjective(key)  # "elegants" is no noun in -ants
    return _noun(key) or _adjective(key) or _other(key)


def _noun(key: str) -> int:
    """Return the tags of a person noun by its suffix."""
    if key in _NO_NOUNS:
        return 0
    for pairs, masculine, feminine in (
        (_NOUN_SUFFIXES, c.NOUN_M, c.NOUN_F),
        (_ROLE_SUFFIXES, c.ROLE_M, c.ROLE_F),
    ):
        for ending_m, ending_f in pairs:
            if key.endswith(ending_m):
                return masculine
            if key.endswith(ending_f):
                return feminine
    return 0


def _adjective(key: str) -> int:
    """Return the tags of an adjective or a participle."""
    for suffix, tags in _OF_STEM:
        stem = key.removesuffix(suffix)
        if stem != key and is_stem(stem):
            neighbouring_tags = (tags & c.ADJ) << 2 if stem[-1] == "t" or stem in _DEPICTIVE else 0
            return tags | neighbouring_tags | (b.PERFECT if stem in _DEPICTIVE else 0)
    if key.endswith("ais"):
        return c.ADJ_M if key.removesuffix("ais") in _DEFINITE else 0
    if key.endswith("ā"):
        return c.ADJ_F if key.removesuffix("ā") in _DEFINITE else 0
    return c.PART_M if key.endswith("is") and not key.endswith(_NOUNS_IN_IS) else 0


def _other(key: str) -> int:
    """Return the tags of a verb, or of what looks like a noun."""
    if key.endswith(_FIRST) and not key.endswith("tāju"):
        return c.VERB
    if key.endswith("t"):
        return c.INF
    if key.endswith("š") or (key[-1] == "s" and key[-2] not in _LONG_AND_SHORT):
        return b.LOOKS_M
    if key.endswith(("a", "e")):
        return b.LOOKS_F
    return b.LOOKS_DAT if key.endswith(("am", "ai", "im", "ei")) else 0


_LONG_AND_SHORT = frozenset("aeiouāēīū")
_COUPLES = frozenset(_NOUNS + _ROLES) | {("pats", "pati")}
_PAIRED = read_pairs(_DATA["paired"])


_OWN, _FOREIGN = own_and_foreign("lv")

LANGUAGE = ClauseReader(
    code="lv",
    name="Latvian",
    version=2,
    words=WORDS,
    ending=ending,
    rules=(*b.RULES, b.AFTER_PAR),
    one_word=partial(b.one_word, _COUPLES, _PAIRED),
    own=_OWN,
    foreign=_FOREIGN,
    telling="āēīģķļņ",
    letters="aābcčdeēfgģhiījkķlļmnņoprsštuūvzžōŗ",
)
