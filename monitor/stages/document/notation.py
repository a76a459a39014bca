"""Notation of numbers, times and captured text in reports."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard
from zoneinfo import ZoneInfo

from markupsafe import Markup

from monitor.text.quantity_values import write_number

#: Characters of one captured text that are shown; the database keeps all of it.
LONGEST = 600
#: Accents on one letter that are shown as such; more are used to write over other lines.
_MOST_MARKS = 3
_LEAST_P = 0.001
number = write_number
_KILO = 1000.0

#: Cf: direction and zero-width characters, tags; Cc: control characters; Co, Cs, Cn: no meaning.
_INVISIBLE = frozenset({"Cf", "Cc", "Co", "Cs", "Cn", "Zl", "Zp"})
_HARMLESS = frozenset("\t\n")
#: Blank glyphs that are letters or marks to Unicode.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
#: Latin and Cyrillic letters and signs of which none acts unseen or is put on others: nearly all
#: texts are made of these alone, and need no look at each character.
_PLAIN = re.compile(r"[\t\n -~\xa0-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f–—’“”…→−●◆■]*")


def visible(text: str) -> str:
    """Captured text with every character that acts without being seen written as `[U+202E]`.

    Unicode Technical Report 36, section 3.4: direction controls reorder what surrounds them.
    """
    if (text.isascii() and text.isprintable()) or _PLAIN.fullmatch(text):
        return text
    displayed, marks = [], 0
    for character in text:
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        hidden = kind in _INVISIBLE and character not in _HARMLESS
        if hidden or character in _BLANK or marks > _MOST_MARKS:
            displayed.append(f"[U+{ord(character):04X}]")
        else:
            displayed.append(character)
    return "".join(displayed)


def shown(value: object) -> object:
    """Return what the templates write for a value: text made visible, markup as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer; `gender` is empty except where it is a witness."""

    text: str
    gender: str = ""


def pieces(
    text: str, witnesses: Sequence[Mapping[str, Any]], longest: int = LONGEST
) -> list[Piece]:
    """An answer cut at its witnesses and at `longest` characters, with the rest counted."""
    return [*_cut(text, witnesses, longest)] if text else []


def _cut(text: str, witnesses: Sequence[Mapping[str, Any]], longest: int) -> Iterator[Piece]:
    limit, position = min(len(text), longest), 0
    for start, end, gender in sorted((w["start"], w["end"], w["gender"]) for w in witnesses):
        if position <= start < end <= limit:
            if position < start:
                yield Piece(text[position:start])
            yield Piece(text[start:end], gender)
            position = end
    if position < limit:
        yield Piece(text[position:limit])
    if limit < len(text):
        yield Piece(f" … ({len(text) - limit:,} more characters)")


def capped(text: str, longest: int = LONGEST) -> str:
    """A text of at most so many characters, with the rest counted."""
    return "".join(piece.text for piece in pieces(text, (), longest))


def shorten(text: str, longest: int) -> str:
    """A text of at most so many characters, the last of them `…` where it goes on."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def percent(value: float) -> str:
    """`95.5 %`, with blanks that do not break."""
    return f"{number(100 * value, 1)}\N{NO-BREAK SPACE}%"


def chances(value: float | None) -> str:
    """A p-value, or that there is none; below 0.001 only that."""
    if value is None:
        return "none"
    return "< 0.001" if value < _LEAST_P else number(value)


def say_test(p: float | None, level: float | None) -> str:
    """Return `p 0.004, level 0.015`; where both are below 0.001, which of them is smaller."""
    if p is None or level is None or max(p, level) >= _LEAST_P:
        return f"p {chances(p)}, level {chances(level)}"
    return f"p < 0.001, {'below' if p <= level else 'above'} its level"


def span(low: float | None, high: float | None, digits: int = 3, sign: bool = False) -> str:
    """`[0.926, 0.964]`, or that there is none."""
    if low is None or high is None:
        return "no interval"
    return f"[{number(low, digits, sign)}, {number(high, digits, sign)}]"


def percent_span(low: float | None, high: float | None) -> str:
    """`[92.6 %, 96.4 %]`, or that there is none."""
    if low is None or high is None:
        return "no interval"
    return f"[{percent(low)}, {percent(high)}]"


def estimate(point: Mapping[str, Any], *, sign: bool = False) -> str:
    """`0.95 [0.926, 0.964]`: the value of a point with its interval."""
    ends = span(point["low"], point["high"], sign=sign)
    return f"{number(point['value'], sign=sign)} {ends}"


def percent_estimate(point: Mapping[str, Any]) -> str:
    """`95.0 % [92.6 %, 96.4 %]`: the share of a point with its interval."""
    return f"{percent(point['value'])} {percent_span(point['low'], point['high'])}"


def count(amount: float) -> str:
    """A number of questions; repeats are averaged, so that it need not be whole."""
    return f"{amount:,.0f}" if float(amount).is_integer() else f"{amount:,.1f}"


def is_measured(point: Mapping[str, Any] | None) -> TypeGuard[dict[str, Any]]:
    """Return whether there is a value."""
    return point is not None and point["value"] is not None


def find_side(point: Mapping[str, Any], neutral: float = 0.0) -> int:
    """Return 1 where a value with its interval is above the neutral one, -1 below it, else 0."""
    low, high = point["low"], point["high"]
    if low is None or high is None or low <= neutral <= high:
        return 0
    return 1 if point["value"] > neutral else -1


def say_missing(point: Mapping[str, Any] | None, what: str) -> str:
    """Return why something has no value, as a sentence."""
    if point is None:
        return f"{what} was not computed."
    return f"{what}: {str(point['state']).upper()}, {point['reason'] or 'no reason stored'}."


def point_ids(*points: Mapping[str, Any] | None) -> str:
    """`point 3`, `points 3, 4`: where values can be checked."""
    ids = ", ".join(str(point["point_id"]) for point in points if point is not None)
    return f"point {ids}" if "," not in ids else f"points {ids}"


def spelt(value: object, *, inside: bool = False) -> str:
    """Settings in words: `floor = 0.5, groups = [women, men]`; what is empty is `none`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (None, "", [], (), {}):
        return "none"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key} = {spelt(value[key], inside=True)}" for key in sorted(value))
        return f"({pairs})" if inside else pairs
    if isinstance(value, Sequence) and not isinstance(value, str):
        entries = ", ".join(spelt(item, inside=True) for item in value)
        return f"[{entries}]" if inside else entries
    return str(value)


def when(moment: datetime, zone: ZoneInfo) -> str:
    """A time with its time zone."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %Z")


def format_day(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d")


def format_minute(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16 05:00 UTC`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")


def format_size(n_bytes: float) -> str:
    """`1.2 MB`, in powers of 1000."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(n_bytes) < _KILO:
            return f"{n_bytes:,.0f} B" if unit == "B" else f"{n_bytes:,.1f} {unit}"
        n_bytes /= _KILO
    return f"{n_bytes:,.1f} TB"


def ranges(ids: Sequence[int]) -> str:
    """`1-40, 45`: ids in the fewest words."""
    rows: list[list[int]] = []
    for number_ in sorted(set(ids)):
        if rows and number_ == rows[-1][1] + 1:
            rows[-1][1] = number_
        else:
            rows.append([number_, number_])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in rows)


def join_names(names: Iterable[str]) -> str:
    """Return `a, b and c`."""
    *firsts, last = list(names) or [""]
    return f"{', '.join(firsts)} and {last}" if firsts else last


def capitalize_first(text: str) -> str:
    """Return a text with its first letter in upper case, and the others as they are."""
    return text[:1].upper() + text[1:]
