"""Cells of tables that people open in spreadsheet programs: what somebody wrote in, and back.

A formula begins a cell. Where cells are parted by semicolons, as in half of Europe, or by tabs, one
begins within what is a single cell to us, and quotes around it are no help.
"""

import csv
import re
from collections.abc import Iterable
from typing import TextIO

_FORMULA = "=+@＝＋＠\\-－"
#: What programs may leave out at the beginning of a cell.
_PAD = '[ \u00a0"]*'
#: The apostrophe, so that undoing is exact.
_HOSTILE = re.compile(f"['\t\r\n]|{_PAD}[{_FORMULA}]")
_BREAK = re.compile("[;\t\r\n]")
_WITHIN = re.compile(f"(?<=[;\t\r\n])({_PAD})('*[{_FORMULA}])")
_GUARDED = re.compile(f"(?<=[;\t\r\n])({_PAD})'('*[{_FORMULA}])")


def make_inert(cell: str) -> str:
    """A cell that no spreadsheet program runs as a formula: an apostrophe goes before each."""
    if _BREAK.search(cell):  # most have none, and this is told ten times as quickly
        cell = _WITHIN.sub(r"\1'\2", cell)
    return f"'{cell}" if _HOSTILE.match(cell) else cell


def plain(cell: str) -> str:
    """Return the text that `inert` was given."""
    if cell[:1] == "'" and _HOSTILE.match(cell, 1):
        cell = cell[1:]
    return _GUARDED.sub(r"\1\2", cell)


class RowWriter:
    """Writes rows of CSV, each line with a line feed at its end, and no cell without its breaks.

    Python's own writer leaves a carriage return bare where lines do not end in one, and programs
    begin a new row there: whatever stands after it would be the first cell of a row.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._writer = csv.writer(self, lineterminator="\r\n")

    def rows(self, rows: Iterable[Iterable[str]]) -> None:
        """Write rows; their cells are inert already."""
        self._writer.writerows(rows)

    def write(self, line: str) -> int:
        """Take one line from Python's writer."""
        return self._file.write(line.removesuffix("\r\n") + "\n")
