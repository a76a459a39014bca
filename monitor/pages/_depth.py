"""Cuts a page where elements lie within each other deeper than on any page that people made.

The tree builder needs time with the square of the depth: a few hundred kilobytes of nothing but
openings would stop a run. It also opens every unclosed <b>, <a> or <font> again in each new
paragraph, so that a page of n bytes can make a tree of n * n elements.
"""

import re
from collections import Counter

import numpy as np

#: Result pages are less than two hundred elements deep.
DEEPEST = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
#: Elements that hold nothing, or whose closing tags are usually left out.
_FLAT = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
    | {"wbr", "p", "li", "dt", "dd", "option", "td", "tr", "th"}
)
#: Elements that are opened again after what they stand in was closed.
_FORMATS = frozenset(
    {
        "a",
        "b",
        "big",
        "code",
        "em",
        "font",
        "i",
        "nobr",
        "s",
        "small",
        "strike",
        "strong",
        "tt",
        "u",
    }
)
#: A page is cut once so many elements may have been opened again, and so many more for each tag.
#: Pages that people made have two or three unclosed at a time.
_MOST_AGAIN, _AGAIN_A_TAG = 50_000, 5
_LESS_THAN, _SLASH = ord("<"), ord("/")


def shallow(source: str) -> str:
    """The page up to the tag that would lie deeper than `DEEPEST`, or be one too many again."""
    if not _may_be_deep(source):
        return source
    depth = end = again = 0
    unclosed: Counter[str] = Counter()
    n_unclosed = 0
    for number, tag in enumerate(_TAG.finditer(source)):
        name = tag[2].lower()
        if name in _FORMATS and (unclosed[name] or not tag[1]):
            step = -1 if tag[1] else 1
            unclosed[name] += step
            n_unclosed += step
        again += n_unclosed
        if again > _MOST_AGAIN + _AGAIN_A_TAG * number:
            return source[: tag.start()]
        if name in _FLAT:
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
