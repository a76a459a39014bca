"""Lithuanian: the gender a text gives to its first person.

Adjectives in -as/-a, -us/-i, -is/-ė with their degrees and definite forms; participles in -ęs/-usi,
-tas/-ta, -mas/-ma, -antis/-anti, and those of manner in -damas/-dama; pats/pati, vienas/viena and
toks/tokia; datives with "to be" (man patinka būti vienai); instrumentals (laikau save protinga,
tapau mokytoja); person nouns with a partner. See :mod:`monitor.languages._baltic` for when
they are the speaker's.

The neuter in -a (*man gera*), the dative feminine in -ai, which is an adverb too, and plurals in -i
tell nothing: a nominative counts beside the first person only, a dative after "to be" only.
"""

import re
from functools import partial

from monitor.data import read_toml
from monitor.languages import _baltic as b
from monitor.languages import _clauses as c
from monitor.languages._clauses import ClauseReader, own_and_foreign, read_pairs, read_words

_DATA = read_toml("person_words_lt")
_AS = frozenset(word[:-2] for word in _DATA["adjectives_as"].split() if word.endswith("as"))
_US = frozenset(word[:-2] for word in _DATA["adjectives_us"].split() if word.endswith("us"))
_NO_US = frozenset(_DATA["no_us"].split())
_NOUNS = read_pairs(_DATA["nouns"])
_NOUN_SUFFIXES = b.nouns_by_suffix(_DATA["noun_suffixes"])
_NO_NOUNS = frozenset(_DATA["no_nouns"].split())
_ACCUSATIVE = {"as": "ą", "is": "į", "ys": "į", "ius": "ių", "ė": "ę"}
_INSTRUMENTAL = {"as": "u", "is": "iu", "ys": "iu", "ius": "iumi", "a": "a", "ė": "e"}
#: What stems in -as/-a end in: -ingas, -iškas, -otas, participles in -tas, -amas, -omas.
_AS_SUFFIXES = ("ing", "išk", "t", "am", "om", "iausi", "gubi")
_US_SUFFIXES = ("yv", "bil", "al", "iar", "oz", "ant", "ent")
_NO_AS = frozenset("miest daikt kran but vart pašt tekst sport punkt met viet kat lent ind".split())
_PRESENT_IN = frozenset(_DATA["present_in"].split())
_DEPICTIVE = frozenset(word[:-2] for word in _DATA["depictives"].split())
_SHORTEST = 3


def _is_as(stem: str) -> bool:
    """Return whether a stem is that of an adjective or participle in -as/-a."""
    if stem.removeprefix("ne") in _AS:
        return True
    return len(stem) > _SHORTEST and stem.endswith(_AS_SUFFIXES) and stem not in _NO_AS


def _is_us(stem: str) -> bool:
    """Return whether a stem is that of an adjective in -us/-i."""
    if stem.removeprefix("ne") in _US:
        return True
    return len(stem) > _SHORTEST and stem.endswith(_US_SUFFIXES)


def _noun_forms() -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the listed nouns: nominatives and other cases, masculine and feminine."""
    masculine = [m for m, _ in _NOUNS]
    feminine = [f for _, f in _NOUNS]
    others = [
        {b.inflected(form, case) for form in forms for case in (_ACCUSATIVE, _INSTRUMENTAL)}
        for forms in (masculine, feminine)
    ]
    both = others[0] & others[1] | {""}
    return masculine, feminine, sorted(others[0] - both), sorted(others[1] - both)


_NOUN_M, _NOUN_F, _ROLE_M, _ROLE_F = _noun_forms()

WORDS = read_words(
    _DATA["words"],
    vars(c) | vars(b),
    (c.VERB, _DATA["present"].split()),
    (c.NOUN_M, _NOUN_M),
    (c.NOUN_F, _NOUN_F),
    (c.ROLE_M, _ROLE_M),
    (c.ROLE_F, _ROLE_F),
    (0, _NO_US),
    (b.LOOKS_M, _NO_NOUNS),
)


_ENDINGS = b.read_endings(_DATA["endings"])
_FIRST = (
    "siu", "čiau", "čiausi", "siuosi", "uosi", "ausi", "uoju", "auju", "inu", "ėju", "iau", "au",
)  # fmt: skip
_LOOKS_M, _LOOKS_F = ("as", "is", "ys"), ("a", "ė")
_NOT_BEFORE_I = frozenset("aeoutsėi")  # in front of the -i of other words than adjectives in -us
_PLURALS = ("ais", "mis")  # instrumentals
_PRESENT = frozenset(_DATA["present"].split())
_PREFIX = re.compile("^(?:te|ne|be|nebe)?(?:pa|iš|į|su|nu|per|pri|at|ap|už|par|pra)?(?:si)?")


def ending(key: str) -> int:
    """Return the tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return c.ADJ_F if key[-1] == "i" and key[:-1] in _US else 0
    for suffix, least, tags in _ENDINGS:
        if key.endswith(suffix) and len(key) - len(suffix) >= least:
            return tags
    if _PREFIX.sub("", key, count=1) in _PRESENT:
        return c.VERB
    if _is_listed(key):
        return _adjective(key)
    return _noun(key) or _adjective(key) or _other(key)


def _is_listed(key: str) -> bool:
    """Return whether a word is a form of a listed adjective: "blogas" is no "-ologas"."""
    return any(
        key.endswith(suffix) and key.removesuffix(suffix).removeprefix("ne") in _AS
        for suffix, _ in _OF_AS
    )


def _noun(key: str) -> int:
    """Return the tags of a person noun by its suffix."""
    if key in _NO_NOUNS:
        return 0
    for masculine, feminine in _NOUN_SUFFIXES:
        for form, nominative, role in (
            (masculine, c.NOUN_M, c.ROLE_M),
            (feminine, c.NOUN_F, c.ROLE_F),
        ):
            if key.endswith(form):
                return nominative | (role if form[-1] == "a" else 0)
            for case in (_ACCUSATIVE, _INSTRUMENTAL):
                oblique = b.inflected(form, case)
                if (
                    oblique
                    and key.endswith(oblique)
                    and not (feminine[-1] == "a" and "ą" in oblique)
                ):
                    return role
    return 0


def _adjective(key: str) -> int:
    """Return the tags of an adjective or a passive participle whose stem is one."""
    for endings, is_stem in (
        (_OF_IN, _PRESENT_IN.__contains__),
        (_OF_AS, _is_as),
        (_OF_US, _is_us),
        (_OF_IS, _is_is),
    ):
        for suffix, tags in endings:
            stem = key.removesuffix(suffix)
            if stem != key and is_stem(stem):
                if tags & c.DAT_M and WORDS.get(f"{stem}ai", 0) & c.ADV:
                    return 0  # whose feminine is known as an adverb: "tikrai", "gerai"
                return tags | _beside_verbs(stem, tags)
    return 0


def _beside_verbs(stem: str, tags: int) -> int:
    """Return the tags of a nominative that is said of the subject beside other verbs as well."""
    if not tags & c.ADJ:
        return 0
    passive = stem.endswith(_PASSIVE) and stem.removeprefix("ne") not in _AS
    part = (tags & c.ADJ) << 2  # PART_M and PART_F
    return part | (b.PERFECT if stem in _DEPICTIVE else 0) if passive or stem in _DEPICTIVE else 0


_PASSIVE = ("t", "am", "om")
_OF_AS = (
    ("asis", c.ADJ_M), ("oji", c.ADJ_F), ("as", c.ADJ_M), ("a", c.ADJ_F | c.INS_F),
    ("am", c.DAT_M), ("ai", c.DAT_F | c.ADV), ("u", c.INS_M),
)  # fmt: skip
_OF_US = (
    ("usis", c.ADJ_M), ("ioji", c.ADJ_F), ("us", c.ADJ_M), ("iam", c.DAT_M),
    ("iai", c.DAT_F | c.ADV), ("iu", c.INS_M), ("ia", c.INS_F), ("i", c.ADJ_F),
)  # fmt: skip
_OF_IN = (
    ("intis", c.ADJ_M), ("inti", c.ADJ_F), ("inčiu", c.INS_M), ("inčia", c.INS_F),
    ("inčiam", c.DAT_M), ("inčiai", c.DAT_F),
)  # fmt: skip
_OF_IS = (
    ("is", c.ADJ_M), ("ė", c.ADJ_F), ("iam", c.DAT_M), ("ei", c.DAT_F), ("iu", c.INS_M),
    ("e", c.INS_F),
)  # fmt: skip


def _is_is(stem: str) -> bool:
    """Return whether a stem is that of an adjective in -is/-ė."""
    return len(stem) > _SHORTEST and stem.endswith(("utin", "ybin", "imin", "ikšt", "iniaug"))


def _other(key: str) -> int:
    """Return the tags of a verb, an adverb, or of what looks like a noun."""
    if key.endswith("iai"):
        return c.ADV
    if key.endswith(_FIRST):
        return c.VERB
    if key.endswith(("ti", "tis")):
        return c.INF
    for suffix, loose in (("us", c.LOOSE_M), ("i", c.LOOSE_F)):
        stem = key.removesuffix(suffix)
        if stem != key and stem[-1] not in _NOT_BEFORE_I and stem not in _AS:
            return loose
    if key.endswith(_LOOKS_M):
        return 0 if key.endswith(_PLURALS) else b.LOOKS_M
    if key.endswith(_LOOKS_F):
        return b.LOOKS_F
    return b.LOOKS_DAT if key.endswith(("ui", "iam", "ei")) else 0


_COUPLES = frozenset(_NOUNS) | {("pats", "pati"), ("toks", "tokia"), ("didelis", "didelė")}
_PAIRED = read_pairs(_DATA["paired"])


_OWN, _FOREIGN = own_and_foreign("lt")

LANGUAGE = ClauseReader(
    code="lt",
    name="Lithuanian",
    version=2,
    words=WORDS,
    ending=ending,
    rules=(*b.RULES, *b.LITHUANIAN_RULES),
    one_word=partial(b.one_word, _COUPLES, _PAIRED),
    own=_OWN,
    foreign=_FOREIGN,
    telling="ėįų",
    letters="aąbcčdeęėfghiįyjklmnoprsštuųūvzž",
)
