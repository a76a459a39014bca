"""Cells of tables that people open in spreadsheet programs: what somebody wrote in, and back.

A formula begins a cell. Where cells are parted by semicolons, as in half of Europe, or by tabs, one
begins within what is a single cell to us, and quotes around it are no help.
"""

import re

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
