"""How the weekly report writes numbers with their uncertainty, times, and what is missing."""

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.stages._report_text import number, ranges, span
from monitor.stages.document.records import Cell

Row = dict[str, Any]

#: What a state without a value is called.
NOT_MEASURED = "not measured"
_KILO = 1000.0
#: `1, 2, 3, 4`: at least three whole numbers in a row.
_NUMBERS = re.compile(r"\b\d{1,6}(?:, \d{1,6}){2,}\b")


def estimate(row: Row, sign: bool = False, name: str = "value") -> str:
    """`0.512 [0.488, 0.536]`: a value with its 95 % interval, or that there is no interval."""
    return f"{number(row[name], 3, sign)} {span(row['low'], row['high'], 3, sign)}"


def cell(row: Row, sign: bool = False, name: str = "value") -> Cell:
    """A value above its interval; why there is none where it was not measured."""
    if row[name] is None:
        return missing(row["reason"])
    return Cell(number(row[name], 3, sign), unbroken(span(row["low"], row["high"], 3, sign)))


def unbroken(words: str) -> str:
    """Words that are kept on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def missing(reason: str) -> Cell:
    """That something was not measured, and why."""
    return Cell(NOT_MEASURED, brief(reason) or "no reason is stored", is_missing=True)


def brief(reason: str) -> str:
    """A reason with the numbers of its parts in the fewest words: `stereotype 1-7, 9`."""
    return _NUMBERS.sub(lambda found: ranges([int(word) for word in found[0].split(", ")]), reason)


def quiet(reason: str) -> Cell:
    """Words in place of a number that was not to be had."""
    return Cell("none", reason, is_missing=True)


def day(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d")


def minute(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16 05:00 UTC`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")


def size(n_bytes: float) -> str:
    """`1.2 MB`, in powers of 1000."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(n_bytes) < _KILO:
            return f"{n_bytes:,.0f} B" if unit == "B" else f"{n_bytes:,.1f} {unit}"
        n_bytes /= _KILO
    return f"{n_bytes:,.1f} TB"


def listed(words: list[str]) -> str:
    """`a, b and c`."""
    return (
        words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
    )
