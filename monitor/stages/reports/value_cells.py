"""Cells of values with their intervals, and of reasons where there is no value."""

import re
from typing import Any

from monitor.stages.document.notation import number, ranges, span
from monitor.stages.document.records import Cell

Row = dict[str, Any]

#: What a state without a value is called.
NOT_MEASURED = "not measured"
#: `1, 2, 3, 4`: at least three whole numbers in a row.
_NUMBERS = re.compile(r"\b\d{1,6}(?:, \d{1,6}){2,}\b")


def write_cell(row: Row, sign: bool = False, name: str = "value") -> Cell:
    """A value above its interval; why there is none where it was not measured."""
    if row[name] is None:
        return write_missing(row["reason"])
    return Cell(number(row[name], 3, sign), join_words(span(row["low"], row["high"], 3, sign)))


def join_words(words: str) -> str:
    """Words that are kept on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def write_missing(reason: str) -> Cell:
    """That something was not measured, and why."""
    return Cell(NOT_MEASURED, shorten_reason(reason) or "no reason is stored", is_missing=True)


def shorten_reason(reason: str) -> str:
    """A reason with the numbers of its parts in the fewest words: `stereotype 1-7, 9`."""
    return _NUMBERS.sub(lambda match: ranges([int(word) for word in match[0].split(", ")]), reason)


def write_quiet(reason: str) -> Cell:
    """Words in place of a number that was not to be had."""
    return Cell("none", reason, is_missing=True)
