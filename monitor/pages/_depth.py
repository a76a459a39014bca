"""Cuts a page where elements lie within each other deeper than on any page that people made.

In goes the text of a page, out comes the same text or its beginning. The tree builder needs time
with the square of the depth: a few hundred kilobytes of nothing but openings would stop a run.
"""

import re

import numpy as np

#: Result pages are less than two hundred elements deep.
DEEPEST = 5000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
#: Elements that hold nothing, or whose closing tags are usually left out.
_FLAT = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
    | {"wbr", "p", "li", "dt", "dd", "option", "td", "tr", "th"}
)
_LESS_THAN, _SLASH = ord("<"), ord("/")


def shallow(source: str) -> str:
    """The page up to the tag that would lie deeper than `DEEPEST`."""
    if not _may_be_deep(source):
        return source
    depth = end = 0
    for tag in _TAG.finditer(source):
        if tag[2].lower() in _FLAT:
            continue
        if end < tag.end():  # looked for once: many openings can lie before one far end
            found = source.find(">", tag.end())
            end = found if found >= 0 else len(source)
        if source[end - 1] != "/":
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > DEEPEST:
            return source[: tag.start()]
    return source


def _may_be_deep(source: str) -> bool:
    """Whether openings outnumber closings by so many somewhere, unclosed elements included."""
    body = np.frombuffer(source.encode("utf-8", "replace") + b" ", dtype=np.uint8)
    after = body[np.flatnonzero(body[:-1] == _LESS_THAN) + 1]
    if after.size <= DEEPEST:
        return False
    depth = np.cumsum(np.where(after == _SLASH, -1, 1))
    lowest = np.minimum(np.minimum.accumulate(depth), 0)
    return bool((depth - lowest).max() > DEEPEST)
