"""Names of people as text: cleaned, and compared, strictly to find somebody and leniently to doubt.

No name says anything about a gender here.
"""

import re
import unicodedata

from monitor.model import storable
from monitor.wikidata.requests import MOST_NAME

#: Controls and what is no character: they part words.
_BLANKS = ("Cc", "Cs", "Co")
#: Marks of direction, joiners, soft hyphens: they stand within words.
_FORMAT = "Cf"
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CUT = ("…", "...")


def clean(text: str) -> str:
    """Text in NFC with single blanks and without characters that nobody sees."""
    kinds = ((sign, unicodedata.category(sign)) for sign in storable(text))
    seen = (" " if kind in _BLANKS else sign for sign, kind in kinds if kind != _FORMAT)
    return unicodedata.normalize("NFC", " ".join("".join(seen).split()))


def person_name(text: str) -> str:
    """The cleaned name; empty for what cannot be one: no letter in it, or far too long."""
    if len(text) > 4 * MOST_NAME:
        return ""
    name = clean(text)
    has_letter = any(sign.isalpha() for sign in name)
    return name if has_letter and len(name) <= MOST_NAME else ""


def folded(name: str) -> str:
    """The name as entity keys hold it."""
    return unicodedata.normalize("NFC", clean(name).casefold())


def strict(name: str) -> str:
    """Names are the same person's name where this is equal; diacritics tell people apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(name)).casefold())


def _loose(name: str) -> str:
    plain = unicodedata.normalize("NFKD", _BRACKETED.sub(" ", clean(name)).casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def may_be(shown: str, names: frozenset[str]) -> bool:
    """Whether what a page shows can be one of these names, spelling aside.

    A name that the page cut short has to begin one of them.
    """
    wanted = _loose(shown)
    known = {_loose(name) for name in names}
    if clean(shown).endswith(_CUT):
        return any(name.startswith(wanted) for name in known)
    return wanted in known
