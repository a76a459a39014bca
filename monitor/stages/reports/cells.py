"""Cells of values and points in tables: with intervals and bounds, or why there is no value."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from monitor.stages.document import records as doc
from monitor.stages.document.notation import number, ranges, span
from monitor.stages.document.records import Cell, Entry
from monitor.stages.reports import names

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


# --- points ---------------------------------------------------------------------------------------


def write_state(point: Mapping[str, Any], named: str = "") -> Cell:
    """The state of a point and the reason, less what the row is `named`: never blank, never 0."""
    reason = (point["reason"] or "").removeprefix(named) or "no reason stored"
    state = str(point["state"]).upper()
    return Cell(doc.prose("**{state}**: {reason}", state=state, reason=reason), is_missing=True)


def write_value(
    point: Row | None,
    *below: str,
    sign: bool = False,
    digits: int = 3,
    named: str = "",
) -> Cell:
    """A value with its interval, or why there is none; lines `below` where they say anything."""
    if point is None:
        return Cell("not computed", is_missing=True)
    lines = "\n".join(line for line in below if line)
    if point["value"] is None:
        return Cell(write_state(point, named).text, lines, is_missing=True)
    ends = span(point["low"], point["high"], digits, sign)
    return Cell(f"{number(point['value'], digits, sign)} {ends}", lines)


def write_stacked(point: Row | None, *, sign: bool = False) -> Cell:
    """A value above its interval, for tables with many columns; f_s goes with its bound."""
    if point is None or point["value"] is None:
        return write_value(point)
    interval = span(point["low"], point["high"], 3, sign) if point["low"] is not None else ""
    limit = point["facts"].get("f_s_limit")
    lines = (interval, f"at most ±{number(limit)}" if limit is not None else "", write_flags(point))
    return Cell(number(point["value"], 3, sign), "\n".join(line for line in lines if line))


def write_letter(mark: str) -> Cell:
    """The letter of a system."""
    return Cell((doc.Span(mark, "strong"),))


def write_flags(point: Row | None) -> str:
    """Return what a reader must know of a value before using it."""
    return names.say_flags(point["flags"]) if point else ""


def write_notes(point: Row | None) -> str:
    """Return the same after the bound of f_s, which no value of it stands without."""
    limit = point["facts"].get("f_s_limit") if point else None
    bound = "" if limit is None else f"cannot exceed ±{number(limit)}"
    return "; ".join(filter(None, (bound, write_flags(point))))


def write_bounds(row: Row, *, sign: bool = False) -> str:
    """The bounds of a point, or of the bias of an occupation."""
    if row["bound_low"] is None or row["bound_high"] is None:
        return "none known"
    return span(row["bound_low"], row["bound_high"], 3, sign)


def write_bounded(point: Row | None, *, sign: bool = False) -> str:
    """The bounds of a point in words, where it has any."""
    if point is None or point["bound_low"] is None:
        return ""
    return f"bounds {write_bounds(point, sign=sign)}"


def write_used(point: Row | None) -> str:
    """`88 / 100`: questions used, of those planned."""
    return f"{point['used']} / {point['planned']}" if point else ""


def point_id(*points: Row | None) -> str:
    """The numbers of points."""
    return ", ".join(str(point["point_id"]) for point in points if point)


#: What tables say of a point: the title of the column, and what writes its cell.
_POINT_PARTS: Mapping[str, tuple[str, Callable[..., Entry]]] = {
    "value": ("#{title} [95 %]", write_value),
    "flagged": ("#{title} [95 %]", lambda point, **how: write_value(
        point, write_flags(point), **how)),
    "stacked": ("#{title}", write_stacked),
    "bounds": ("#bounds", lambda point, *, sign=False: write_bounds(point, sign=sign)),
    "used": ("#{used}", lambda point, **_: write_used(point)),
    "notes": ("~notes", lambda point, **_: write_notes(point)),
    "flags": ("~notes", lambda point, **_: write_flags(point)),
    "point": ("#point", lambda point, **_: point_id(point)),
}  # fmt: skip


def point_columns(parts: str, title: str = "value", used: str = "used / planned") -> list[str]:
    """Titles of the columns that `point_cells` fills: of a point's parts, separated by blanks."""
    return [_POINT_PARTS[name][0].format(title=title, used=used) for name in parts.split()]


def point_cells(parts: str, point: Row | None, **how: Any) -> list[Entry]:  # noqa: ANN401
    """Cells of a point: value, flagged (with what to know of it), bounds, used, flags, point.

    `notes` are the flags after the bound of f_s. `how` are those of `write_value`.
    """
    return [_POINT_PARTS[name][1](point, **how) for name in parts.split()]


def write_quantities(
    caption: doc.Prose,
    values: Mapping[str, Row],
    titles: Mapping[str, str],
    parts: str = "value bounds used notes point",
    signed: Collection[str] = (),
    used: str = "used / planned",
) -> doc.Table:
    """A table of quantities: a row for each, with these parts of its point."""
    rows = [
        [write_quantity(name, titles), *point_cells(parts, point, sign=name in signed)]
        for name, point in values.items()
    ]
    return doc.table(caption, ["quantity", *point_columns(parts, used=used)], rows)


def write_quantity(name: str, titles: Mapping[str, str]) -> Cell:
    """A quantity by its name in the database, with what it means."""
    return Cell(doc.prose("`{name}`", name=name), titles.get(name, ""))


def write_share(row: Row) -> Cell:
    """The share of feminine forms, or of women, that an occupation has."""
    if row["model"] is None:
        return write_state(row)
    return Cell(f"{number(row['model'])} {span(row['model_low'], row['model_high'])}")


def write_optional(amount: float | None, digits: int = 3, *, sign: bool = False) -> Cell:
    """A number, or that there is none."""
    return Cell("none" if amount is None else number(amount, digits, sign))


def show_count(amount: float | None, lacking: str = "not known") -> Cell:
    """A count, or that it is not known."""
    return Cell(lacking if amount is None else f"{amount:,.0f}")
