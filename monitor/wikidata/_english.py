"""English nouns for people: the plural of a phrase, what is doubtful about it, and named gender.

Rules and short lists instead of a dictionary, so that it is clear why a plural came out; what no
rule is sure of carries a doubt.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Doubt(StrEnum):
    """Why a plural may be wrong."""

    NONE = ""
    FOREIGN = "foreign"  # a vowel at the end, or letters that English has not
    PLURAL = "plural"  # looks like a plural already, and was left as it is
    PARTS = "parts"  # several words side by side, of which nobody says which one counts


class Plural(NamedTuple):
    """A phrase in the plural."""

    text: str
    doubt: Doubt


_PREPOSITIONS = ("of", "in", "for", "at", "to", "with", "on", "from", "de", "about", "without")
_INNER = re.compile(rf"(?<=\w)([ -](?:{'|'.join(_PREPOSITIONS)})[ -].*)$")
_PARTICLE = re.compile(r"(?<=er)(-(?:up|by|on|off|out))$")
#: Offices whose adjective stands behind the noun.
_BEFORE_GENERAL = frozenset(
    "accountant advocate agent attorney auditor commissioner consul director governor inspector "
    "minister postmaster procurator prosecutor registrar secretary solicitor surveyor vicar".split()
)
_BEHIND = re.compile(r"^(.*?)(\w+)([ -]general)$", re.IGNORECASE)
_PARTS = re.compile(r"[(),/&;:]| and | or ")
_PLAIN = re.compile(r"[A-Za-z' -]+")

_SAME = frozenset(
    "bhikkhu clergy geisha judoka karateka mangaka ninja personnel police rikishi samurai staff "
    "troops".split()
)
_IRREGULAR = {
    "alumnus": "alumni",
    "child": "children",
    "condottiero": "condottieri",
    "paparazzo": "paparazzi",
    "person": "people",
    "thief": "thieves",
}
_NO_MAN = re.compile(
    r"(?:hu|ger|ro|sha|nor|otto|brah|turco|turko|mussul|talis|oce|cai)man$", re.IGNORECASE
)
_HERO = re.compile(r"hero$", re.IGNORECASE)
_HARD_CH = re.compile(r"(?:ar|u)ch$", re.IGNORECASE)
_ES = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_IES = re.compile(r"(?<=[^aeiou])y$", re.IGNORECASE)
_READY = re.compile(r"(?<![sui])s$", re.IGNORECASE)
_VOWEL = re.compile(r"[aiou]$", re.IGNORECASE)
_AT_HOME = frozenset("ballerina barista diva guru impresario rabbi virtuoso yogi".split())


def plural(phrase: str) -> Plural:
    """The plural of a noun phrase for one person: `justice of the peace`, justices of the peace."""
    head, rest = _split(phrase)
    parts = _PARTS.search(phrase) is not None
    before, sign, last = _last_word(head)
    text, doubt = _word(last)
    # in "woman writer" both words change
    if before.casefold() in ("man", "woman"):
        before = _word(before)[0]
    return Plural(f"{before}{sign}{text}{rest}", Doubt.PARTS if parts else doubt)


def _split(phrase: str) -> tuple[str, str]:
    """(what takes the plural, what follows it): "lady", "-in-waiting"."""
    general = _BEHIND.match(phrase)
    if general and general[2].casefold() in _BEFORE_GENERAL:
        return general[1] + general[2], general[3]
    for tail in (_INNER, _PARTICLE):
        if found := tail.search(phrase):
            return phrase[: found.start()], found[0]
    return phrase, ""


def _last_word(head: str) -> tuple[str, str, str]:
    at = max(head.rfind(" "), head.rfind("-"))
    return ("", "", head) if at < 0 else (head[:at], head[at], head[at + 1 :])


def _word(word: str) -> tuple[str, Doubt]:
    """One word in the plural, its capitals kept."""
    low = word.casefold()
    if not _PLAIN.fullmatch(word):
        return _regular(word), Doubt.FOREIGN
    if low in _SAME:
        return word, Doubt.NONE
    for singular, several in _IRREGULAR.items():
        if low.endswith(singular):
            start = word[: -len(singular)]
            return start + (
                several if start or word.islower() else several.capitalize()
            ), Doubt.NONE
    if len(word) > 1 and word.isupper():
        return word + "s", Doubt.NONE
    if low.endswith("man") and not _NO_MAN.search(word):
        return word[:-2] + "en", Doubt.NONE
    if low.endswith("wife"):
        return word[:-2] + "ves", Doubt.NONE
    if _READY.search(word):
        return word, Doubt.PLURAL
    strange = _VOWEL.search(word) and low not in _AT_HOME and not _HERO.search(word)
    return _regular(word), Doubt.FOREIGN if strange else Doubt.NONE


def _regular(word: str) -> str:
    if _IES.search(word):
        return word[:-1] + "ies"
    if (_ES.search(word) and not _HARD_CH.search(word)) or _HERO.search(word):
        return word + "es"
    return word + "s"


# --- words that name a gender ---------------------------------------------------------------------

_WOMEN = re.compile(
    r"(?:woman|women|maid|lady|girl|(?<!mid)wife|mother|sister|(?<!n)ess|trix|euse|ienne)$"
)
_WOMEN_WORDS = frozenset(
    "ballerina baroness concubine courtesan dame deaconess diva duenna geisha governess heroine "
    "majorette matriarch matron nun odalisque patroness queen salonnière suffragette usherette "
    "vestal widow witch".split()
)
_MEN = re.compile(r"(?:man|men|boy|lord|father|brother|husband)$")
_MEN_WORDS = frozenset(
    "abbot baron count duke emperor eunuch friar gigolo king monk patriarch prince sultan".split()
)


def named_gender(phrase: str) -> str:
    """`women` or `men` where the English word itself names one: `nun`, `cowboy`; else empty.

    Says nothing about who holds an occupation. A drag queen is left out: the word names a role.
    """
    low = phrase.casefold()
    words = [_last_word(_split(low)[0])[2], low.split(" ")[0]]
    if low.startswith("drag "):
        return ""
    if _any(words[:1], _WOMEN, _WOMEN_WORDS) or words[1] in ("woman", "female"):
        return "women"
    is_no_man = _NO_MAN.search(words[0]) is not None
    if (_any(words[:1], _MEN, _MEN_WORDS) and not is_no_man) or words[1] in ("man", "male"):
        return "men"
    return ""


def _any(words: Iterable[str], ending: re.Pattern[str], known: frozenset[str]) -> bool:
    return any(ending.search(word) or word in known for word in words)
