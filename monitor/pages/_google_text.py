"""Texts on a page of Google as a reader sees them: without scripts, menus and hidden elements."""

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "g-popup", "-comment"})
_RUNNING = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "mark", "small", "span"}
    | {"strong", "sub", "sup", "u", "wbr", "-text"}
)
#: No part of a page that is read has so many pieces.
_MOST = 50_000
_MENUS = frozenset({"button", "menu", "menuitem"})


def prose(node: LexborNode | None, without: frozenset[int] = frozenset()) -> str:
    """The text of a node in one line, blocks apart; `without` are elements to leave out."""
    if node is None:
        return ""
    return " ".join("".join(islice(_pieces(node, without), _MOST)).split())


def _pieces(root: LexborNode, without: frozenset[int]) -> Iterator[str]:
    """Texts in the order of the page; a stack, because pages nest deeper than Python calls."""
    stack: list[LexborNode | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif node.tag == "-text":
            yield node.text_content or ""
        elif not _hidden(node, without):
            edge = "" if node.tag in _RUNNING else " "
            yield edge
            stack.append(edge)
            stack.extend(reversed(list(node.iter(include_text=True))))


def _hidden(node: LexborNode, without: frozenset[int]) -> bool:
    if node.tag in _UNSEEN or node.mem_id in without:
        return True
    attributes = node.attributes
    if attributes.get("role") in _MENUS:
        return True
    return is_hidden(node)


def is_hidden(node: LexborNode) -> bool:
    """Whether an element is not displayed by its own style."""
    return "display:none" in (node.attributes.get("style") or "").replace(" ", "")
