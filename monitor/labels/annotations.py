"""What the page itself says of a person: a subtitle and a name in, a doubt about a record out.

A page's words never label anybody; where they contradict the record, people have to look.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from monitor.labels._names import may_be
from monitor.labels.seen import Seen
from monitor.wikidata.genders import MEN, WOMEN

#: Goes up whenever a word is added or taken away.
VERSION = 1

#: Words of professions that are said of one gender only. Left out: words that are used of all
#: (actor, chairman, fisherman), titles (duchess, king), which are roles and brands as well, and
#: words of kinship, which speak of somebody else.
WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            WOMEN: "actress actresses anchorwoman assemblywoman ballerina businesswoman "
            "camerawoman chairwoman comedienne congresswoman entrepreneuse horsewoman "
            "newspaperwoman noblewoman policewoman saleswoman seamstress songstress "
            "spokeswoman sportswoman stateswoman stuntwoman waitress weatherwoman",
            MEN: "assemblyman ballerino businessman congressman nobleman policeman "
            "salesman stuntman waiter weatherman",
        },
    }
)
_BY_WORD = {
    word: group
    for table in WORDS.values()
    for group, words in table.items()
    for word in words.split()
}
_WORD = re.compile(r"[^\W\d_]+")


def is_word(word: str) -> bool:
    """Whether a word of a subtitle names a gender."""
    return word.casefold() in _BY_WORD


def annotated(text: str) -> tuple[str, str]:
    """(word, group) that a subtitle names; empty where it names none, or several."""
    found = [word for word in _WORD.findall(text.casefold()) if word in _BY_WORD]
    groups = {_BY_WORD[word] for word in found}
    return (found[0], groups.pop()) if len(groups) == 1 else ("", "")


def doubt(shown: Seen, item: str, group: str, names: frozenset[str]) -> str:
    """Why what the page says of a person cannot be what Wikidata records; empty if it can.

    Both sides stand in the reason. A name is compared only where the id came with it: a name
    that was searched for is the item's anyway, and that of an article is the article's.
    """
    word, said = annotated(shown.annotation)
    if said and group and said != group:
        return f"the page says {word!r} ({said}), Wikidata records {item} as {group}"
    by_id = shown.kind in ("kg", "wd")
    if by_id and shown.name and names and not may_be(shown.name, names):
        return f"the page shows {shown.name!r}, which is no name of {item} in Wikidata"
    return ""
