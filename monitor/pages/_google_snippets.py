"""Snippets of web results: the text that belongs to a heading and to no other."""

from collections import Counter
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborNode

from monitor.pages._google_text import prose

#: Where snippets stood, newest first. Elsewhere the rest of the result's text is taken.
_KNOWN = (
    ".VwiC3b, [data-sncf='1'], .ITZIwc, .IsZvec, .aCOpRe, .lEBKkf, span.st, .FrIlee, .yDYNvb, "
    ".BNeawe.s3v9rd"
)
#: What stands in a result and is not its snippet: address, copies, links into the site.
_APART = (
    "cite, a, span.a, .gl, .action-menu, .osl, font[color=green], font[color='#008000'], "
    "[role=button]"
)
#: Tables hold links into the site, and the whole result before 2008.
_TABLES = "table"
_ROOTS = frozenset({"rso", "res", "ires", "search", "center_col", "main", "rcnt", "botstuff"})
_ROOT_TAGS = frozenset({"body", "html", "ol", "td", "main", "-undef", "-document"})
_FARTHEST = 40


def snippets(headings: Sequence[tuple[LexborNode, str]]) -> list[str]:
    """The snippet of each heading, given all headings of a page."""
    shared: Counter[int] = Counter()
    for node, _ in headings:
        shared.update(one.mem_id for one in _ancestors(node))
    return [_snippet(node, title, shared) for node, title in headings]


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    for _ in range(_FARTHEST):
        if parent is None or parent.tag in _ROOT_TAGS or parent.attributes.get("id") in _ROOTS:
            return
        yield parent
        parent = parent.parent


def _snippet(node: LexborNode, title: str, shared: Counter[int]) -> str:
    """What is known as a snippet in the largest element with no other heading, else its rest."""
    container = node
    for one in _ancestors(node):
        if shared[one.mem_id] > 1:
            break
        container = one
    if container is node:
        return ""
    for found in container.css(_KNOWN):
        text = prose(found)
        if text and text != title:
            return text
    apart = frozenset(part.mem_id for part in container.css(_APART)) | {node.mem_id}
    tables = frozenset(part.mem_id for part in container.css(_TABLES))
    return (prose(container, apart | tables) or prose(container, apart)).strip("- ")
