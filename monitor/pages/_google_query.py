"""What a page of Google was asked, and whether that is more than the name of one entity.

A panel over the whole page shows the cast of a film to who asks for the film and to who asks for
its actors. Only the second asked for the list. The page knows it by the tab that is open, or by
words in the query that are neither in the name of the entity nor in the line beneath it.
"""

import difflib
import re

from selectolax.lexbor import LexborNode

from monitor.pages._google_stick import parameter
from monitor.pages._google_tiles import squashed
from monitor.pages._html import Document, words

_WORDS = re.compile(r"\w+")
_TAB = "kp-wp-tab-"
_FIRST_TAB = "overview"
_CLOSE = 0.75
_SHORTEST = 3
_MOST_FIELDS = 10


def query(document: Document) -> str:
    """The query: from the search field, else from the address; empty where neither has it."""
    for field in document.tree.css("textarea[name=q], input[name=q]")[:_MOST_FIELDS]:
        if text := " ".join((field.attributes.get("value") or words(field)).split()):
            return text
    return parameter(document.url, "q")


def asks_for_more(document: Document, node: LexborNode) -> bool:
    """Whether the query asks for the collection at `node`, not for the entity it belongs to."""
    if _open_tab(node) not in ("", _FIRST_TAB):
        return True
    asked = query(document)
    title = words(document.tree.css_first("[data-attrid=title]"))
    if not asked or not title:
        return bool(asked)
    if squashed(asked) in squashed(title):
        return False
    under = words(document.tree.css_first("[data-attrid=subtitle]"))
    return bool(_unknown(asked, title, under))


def _open_tab(node: LexborNode) -> str:
    parent = node.parent
    while parent is not None:
        if (parent.id or "").startswith(_TAB):
            return (parent.id or "").removeprefix(_TAB).removeprefix("cont-")
        parent = parent.parent
    return ""


def _unknown(asked: str, title: str, under: str) -> list[str]:
    """Words of the query that are in neither text.

    A name may be spelt a little differently. The line beneath may not: who asks for the sculptures
    of a sculptor asks for a list.
    """
    named = _WORDS.findall(title.casefold())
    known = set(_WORDS.findall(under.casefold()))
    return [
        word
        for word in _WORDS.findall(asked.casefold())
        if not word.isdigit()
        and len(word) >= _SHORTEST
        and word not in known
        and not difflib.get_close_matches(word, named, 1, _CLOSE)
    ]
