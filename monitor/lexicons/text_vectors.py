"""Word vectors as text: word2vec and fastText (with a header line), GloVe (without)."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import Path

import numpy as np

from monitor.lexicons.source import (
    LONGEST_LINE,
    PART_BYTES,
    Block,
    Rows,
    block_of,
    checked,
    header_of,
    not_finite,
    reading,
    sha256,
)
from monitor.model import InvalidInput

_BOM = b"\xef\xbb\xbf"

_NUMBER = re.compile(
    rb"[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|nan|inf|infinity)", re.IGNORECASE
)

#: Lines that tell how many dimensions a file without a header has.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class TextVectors:
    """One row a line: the word, then its numbers, with blanks between."""

    path: Path
    format: str  # "text" has a header line, "glove" has none
    dimensions: int
    declared: int | None

    @classmethod
    def opened(cls, path: Path, form: str) -> "TextVectors":
        """The file, its first lines read. Raises InvalidInput."""
        lines = _lines(path)
        first = next(lines, b"")
        if form == "text":
            header = checked(header_of(first), path)
            return cls(path, form, header.dimensions, header.n)
        return cls(path, form, _dimensions([first, *islice(lines, _SAMPLE)], path), None)

    @property
    def name(self) -> str:
        return self.path.name

    def hashes(self) -> dict[str, str]:
        return {self.path.name: sha256(self.path)}

    def blocks(self) -> Iterator[Block]:
        lines = _lines(self.path)
        number = 0
        if self.declared is not None:
            next(lines, None)
            number = 1
        begin = number
        most = max(1, PART_BYTES // (8 * self.dimensions))
        while batch := list(islice(lines, most)):
            yield self._block(batch, number)
            number += len(batch)
        if self.declared is not None and number - begin != self.declared:
            raise InvalidInput(
                f"{self.path}: line 1 says {self.declared:,} words, {number - begin:,} are there; "
                "fetch the file anew, or correct line 1"
            )

    def _block(self, lines: Sequence[bytes], before: int) -> Block:
        parted = [self._parted(line, before + 1 + i) for i, line in enumerate(lines)]
        numbers = [part for _, part in parted]
        rows = _numbers(b" ".join(numbers))
        if rows is None or rows.size != len(lines) * self.dimensions:
            raise self._no_number(numbers, before)
        rows = rows.reshape(len(lines), self.dimensions)
        words = [word for word, _ in parted]
        bad = not_finite(rows)
        if bad is not None:
            raise InvalidInput(
                f"{self.path}: line {before + 1 + bad:,}: the vector of "
                f"{_shown(words[bad])} holds NaN or an infinite number; remove the line, or fetch "
                "the file anew"
            )
        return block_of(words, rows)

    def _parted(self, line: bytes, number: int) -> tuple[bytes, bytes]:
        """Word and numbers of a line."""
        word, _, numbers = line.partition(b" ")
        if word and numbers.count(b" ") == self.dimensions - 1 and b"\t" not in line:
            return word, numbers
        fields = line.split()
        extra = len(fields) - self.dimensions - 1
        # "at name@domain.com" is one word of GloVe 840B; a number that follows the word is none
        blanks = self.format == "glove" and extra > 0 and not all(map(_is_number, fields[1:-1]))
        if extra == 0 or (blanks and not all(map(_is_number, fields[1 : 1 + extra]))):
            return b" ".join(fields[: 1 + extra]), b" ".join(fields[1 + extra :])
        raise InvalidInput(
            f"{self.path}: line {number:,}: {max(len(fields) - 1, 0):,} numbers after "
            f"{_shown(fields[0] if fields else b'')}, {self.dimensions:,} expected"
            f"{' (line 1 says so)' if self.declared is not None else ''}; the file is cut or "
            "damaged: fetch it anew"
        )

    def _no_number(self, rows: Sequence[bytes], before: int) -> InvalidInput:
        """What is wrong with the first bad row."""
        wrong = [[field for field in row.split() if not _is_number(field)] for row in rows]
        sizes = [len(row.split()) for row in rows]
        bad = [i for i, size in enumerate(sizes) if wrong[i] or size != self.dimensions]
        first = (bad or [0])[0]
        what = f"{sizes[first]} numbers"
        if wrong[first]:
            what = f"{_shown(wrong[first][0])} is no number"
        return InvalidInput(
            f"{self.path}: line {before + 1 + first:,}: {what}; {self.dimensions:,} are "
            "expected. The file is damaged or of another format: fetch it, or name its --format"
        )


def _lines(path: Path) -> Iterator[bytes]:
    """Lines without their ends; empty ones at the end of the file are none."""
    with reading(path) as file:
        rest, empty = b"", 0
        part = file.read(PART_BYTES).removeprefix(_BOM)
        while True:
            lines = (rest + part).split(b"\n")
            rest = lines.pop() if part else b""
            if len(rest) > LONGEST_LINE:
                raise InvalidInput(
                    f"{path}: a line of more than {LONGEST_LINE:,} bytes; these are no vectors as "
                    "text: name the --format"
                )
            for line in lines:
                stripped = line.rstrip(b" \r\t")
                if not stripped:
                    empty += 1
                    continue
                # one inside stays, and is found ragged
                yield from repeat(b"", empty)
                empty = 0
                yield stripped
            if not part:
                return
            part = file.read(PART_BYTES)


def _dimensions(lines: Sequence[bytes], path: Path) -> int:
    """How many numbers end most of the first lines."""
    found = Counter(filter(None, map(_trailing, lines)))
    if not found:
        raise InvalidInput(
            f"{path}: line 1 is not a word with numbers behind it; known formats are word2vec "
            "(binary and text), GloVe and fastText .vec: name one with --format"
        )
    return found.most_common(1)[0][0]


def _trailing(line: bytes) -> int:
    """How many fields at the end of a line are numbers; its first never is."""
    fields = line.split()[1:]
    for place, field in enumerate(reversed(fields)):
        if not _is_number(field):
            return place
    return len(fields)


def _is_number(field: bytes) -> bool:
    return _NUMBER.fullmatch(field) is not None


def _numbers(text: bytes) -> Rows | None:
    """All numbers of a text, or None where something else stands in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            wide = np.fromstring(text.decode("ascii"), dtype=np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused
        return wide.astype(np.float32)


def _shown(field: bytes) -> str:
    return repr(field[:60].decode("utf-8", "replace"))


def is_row(line: bytes, dimensions: int) -> bool:
    """Whether a line could be a row of so many numbers."""
    return _trailing(line) == dimensions
