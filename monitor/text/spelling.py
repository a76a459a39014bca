"""Texts with their escapes undone: JSON and scripts, addresses, HTML, base 64."""

import base64
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from html import unescape
from urllib.parse import unquote

#: One escaped character of JSON and scripts, of addresses (of one to four bytes) and of HTML.
_ESCAPE = re.compile(
    r"\\(?:u(?P<code>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<plain>[\\/\"'nrt]))|"
    r"(?P<percent>%[0-7][0-9a-fA-F]|%[cCdD][0-9a-fA-F]%[89abAB][0-9a-fA-F]|"
    r"%[eE][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){2}|%[fF][0-7](?:%[89abAB][0-9a-fA-F]){3})|"
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});)"
)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
#: Escapes within escapes are undone so many times.
_MOST_LEVELS = 5
#: What is left of a value that is undone, if it is shorter, is too common to be sought.
_SHORTEST_SOUGHT = 3
_LONGEST_SOUGHT = 400  # values that are longer are sought in stretches of their own


def _undo_escape(match: re.Match[str]) -> str:
    if match["percent"]:
        return unquote(match["percent"])
    if match["entity"]:
        return unescape(match["entity"]).replace("\xa0", " ")
    if match["plain"]:
        return _PLAIN.get(match["plain"], match["plain"])
    return chr(int(match["code"] or match["byte"], 16))


class SpelledText:
    """A text with its escapes undone: as it is, undone once, twice, and so on.

    `levels` are these texts, of which the first one is the source.
    """

    def __init__(self, text: str) -> None:
        self.levels = [text]
        self._segments: list[list[tuple[int, int, int]]] = []
        self._changes: dict[tuple[int, int], list[tuple[int, int]]] = {}
        while len(self.levels) < _MOST_LEVELS and any(sign in self.levels[-1] for sign in "\\%&"):
            decoded, segments = self._undo(self.levels[-1])
            if decoded == self.levels[-1]:
                break
            self.levels.append(decoded)
            self._segments.append(segments)

    @cached_property
    def _folded(self) -> list[str]:
        """Return the levels in lower case, where that keeps the length."""
        lowered = (level.lower() for level in self.levels)
        return [
            folded if len(folded) == len(level) else level
            for folded, level in zip(lowered, self.levels, strict=True)
        ]

    @staticmethod
    def _undo(text: str) -> tuple[str, list[tuple[int, int, int]]]:
        """Return the text undone once, and (start in it, start and end of the escape before it)."""
        pieces, segments, position, length = [], [(0, 0, 0)], 0, 0
        for match in _ESCAPE.finditer(text):
            character = _undo_escape(match)
            pieces += [text[position : match.start()], character]
            length += match.start() - position
            segments.append((length, match.start(), match.end()))
            length += len(character)
            segments.append((length, match.end(), match.end()))
            position = match.end()
        return "".join([*pieces, text[position:]]), segments

    def find_changes(self, depth: int, around: int) -> list[tuple[int, int]]:
        """Return the stretches of a level within `around` characters of an escape undone for it.

        The rest of the level stands likewise in the level before; of the source it is all.
        """
        if depth == 0:
            return [(0, len(self.levels[0]))]
        if (depth, around) in self._changes:
            return self._changes[depth, around]
        stretches = self._changes[depth, around] = []
        for at, _, _ in self._segments[depth - 1][1::2]:
            if stretches and at - around <= stretches[-1][1]:
                stretches[-1] = stretches[-1][0], at + around
            else:
                stretches.append((max(0, at - around), at + around))
        return stretches

    def find_source(self, depth: int, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of a level stands in the source."""
        for segments in reversed(self._segments[:depth]):
            first = segments[bisect_right(segments, (start, len(self.levels[0]) + 1, 0)) - 1]
            last = segments[bisect_right(segments, (end - 1, len(self.levels[0]) + 1, 0)) - 1]
            start = first[1] if first[2] > first[1] else first[1] + start - first[0]
            end = last[2] if last[2] > last[1] else last[1] + end - last[0]
        return start, end

    def find_spellings(self, value: str, *, any_case: bool = False) -> Iterator[tuple[int, int]]:
        """Yield where a value stands in the source, however it is escaped, or in base 64."""
        # What looks like an escape in the value itself is undone with those around it.
        undone = SpelledText(value).levels[1:]
        forms = [value, *(form for form in undone if len(form) >= _SHORTEST_SOUGHT)]
        for depth, level in enumerate(self.levels):
            text = self._folded[depth] if any_case else level
            for form in forms[: depth + 1]:
                sought = form.lower() if text is not level else form
                for low, high in self.find_changes(depth, max(len(sought), _LONGEST_SOUGHT)):
                    for start in find_all(text, sought, low, high):
                        yield self.find_source(depth, start, start + len(sought))
        coded = base64.b64encode(value.encode("utf-8", "surrogatepass")).decode().rstrip("=")
        for spelling in {coded, coded.translate(str.maketrans("+/", "-_"))}:
            for start in find_all(self.levels[0], spelling):
                yield start, start + len(spelling)


def find_all(text: str, value: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield where a value begins in a text, or between two places of it, without overlaps."""
    last = len(text) if end is None else end + len(value) - 1
    at = text.find(value, start, last)
    while at >= 0:
        yield at
        at = text.find(value, at + len(value), last)
