"""Documents in the marked text of TREC collections: lines in, documents out, one at a time.

A document stands between <DOC> and </DOC>, its id in <DOCNO>, its title in <TITLE> or <HEADLINE>,
its text in one or more <TEXT>; whatever else it holds is no part of its text. Tags may be written
in lower case.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from monitor.model import InvalidInput
from monitor.rankers._html_text import without_huge_numbers

_START = re.compile(r"<DOC\s*>", re.IGNORECASE)
_END = re.compile(r"</DOC\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_COMMENT, _COMMENT_END = "<!--", "-->"


@dataclass(frozen=True, slots=True)
class Marked:
    """One document, and where it begins."""

    key: str
    title: str
    text: str
    place: str


class _Sections:
    """The parts of a document that stand between a tag and its end."""

    def __init__(self, name: str) -> None:
        self._start = re.compile(rf"<{name}\s*>", re.IGNORECASE)
        self._end = re.compile(rf"</{name}\s*>", re.IGNORECASE)

    def within(self, content: str) -> Iterator[str]:
        """Yield them in their order. Where one end is missing, no later tag has one either."""
        at = 0
        while start := self._start.search(content, at):
            end = self._end.search(content, start.end())
            if end is None:
                return
            yield content[start.end() : end.start()]
            at = end.end()


_KEY, _TITLE, _TEXT = _Sections("DOCNO"), _Sections("(?:TITLE|HEADLINE)"), _Sections("TEXT")


def documents(lines: Iterable[str], path: str) -> Iterator[Marked]:
    """Yield the documents of a file. Raises InvalidInput for one without an id or an end."""
    within: list[str] | None = None
    began = 0
    for number, line in enumerate(lines, start=1):
        at = 0
        while at < len(line):
            if within is None:
                start = _START.search(line, at)
                if start is None:
                    break
                within, began, at = [], number, start.end()
            end = _END.search(line, at)
            if end is None:
                within.append(line[at:])
                break
            within.append(line[at : end.start()])
            yield _document("".join(within), f"{path}:{began}")
            within, at = None, end.end()
    if within is not None:
        raise InvalidInput(f"{path}:{began}: <DOC> without </DOC>")


def _document(content: str, place: str) -> Marked:
    key = next(_KEY.within(content), None)
    if _START.search(content):  # two documents would become one
        raise InvalidInput(f"{place}: <DOC> without </DOC>")
    if key is None:
        raise InvalidInput(f"{place}: a document without <DOCNO>")
    title = " ".join(_plain(found) for found in _TITLE.within(content))
    text = "\n".join(_plain(found) for found in _TEXT.within(content))
    return Marked(_plain(key).strip(), title, text, place)


def _plain(marked: str) -> str:
    return html.unescape(without_huge_numbers(_untagged(marked))).strip()


def _untagged(marked: str) -> str:
    """A text with a blank for each tag and each comment. A comment without an end is none."""
    pieces: list[str] = []
    at = 0
    while (start := marked.find(_COMMENT, at)) >= 0:
        end = marked.find(_COMMENT_END, start + len(_COMMENT))
        if end < 0:
            break
        pieces.append(_TAG.sub(" ", marked[at:start]))
        at = end + len(_COMMENT_END)
    pieces.append(_TAG.sub(" ", marked[at:]))
    return " ".join(pieces)
