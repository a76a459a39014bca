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

_START = re.compile(r"<DOC\s*>", re.IGNORECASE)
_END = re.compile(r"</DOC\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Marked:
    """One document, and where it begins."""

    key: str
    title: str
    text: str
    place: str


def _sections(name: str) -> re.Pattern[str]:
    return re.compile(rf"<{name}\s*>(.*?)</{name}\s*>", re.IGNORECASE | re.DOTALL)


_KEY, _TITLE, _TEXT = _sections("DOCNO"), _sections("(?:TITLE|HEADLINE)"), _sections("TEXT")


def documents(lines: Iterable[str], path: str) -> Iterator[Marked]:
    """Yield the documents of a file. Raises InvalidInput for one without an id or an end."""
    within: list[str] | None = None
    began = 0
    for number, line in enumerate(lines, start=1):
        rest = line
        while rest:
            if within is None:
                start = _START.search(rest)
                if start is None:
                    break
                within, began, rest = [], number, rest[start.end() :]
            end = _END.search(rest)
            if end is None:
                within.append(rest)
                break
            within.append(rest[: end.start()])
            yield _document("".join(within), f"{path}:{began}")
            within, rest = None, rest[end.end() :]
    if within is not None:
        raise InvalidInput(f"{path}:{began}: <DOC> without </DOC>")


def _document(content: str, place: str) -> Marked:
    key = _KEY.search(content)
    if _START.search(content):  # two documents would become one
        raise InvalidInput(f"{place}: <DOC> without </DOC>")
    if key is None:
        raise InvalidInput(f"{place}: a document without <DOCNO>")
    title = " ".join(_plain(found) for found in _TITLE.findall(content))
    text = "\n".join(_plain(found) for found in _TEXT.findall(content))
    return Marked(_plain(key[1]).strip(), title, text, place)


def _plain(marked: str) -> str:
    return html.unescape(_TAG.sub(" ", marked)).strip()
