"""What the sections of a run's report share: cells for points and shares, and chapters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.stages._report_text import number, span
from monitor.stages.document.records import Block, Cell, Span, Words, part, prose

Row = dict[str, Any]

INSUFFICIENT = prose("*INSUFFICIENT*")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a report says of one system by one measure.

    `blocks` stand in the section of the measure, `tables` and `examples` in the annexes, `numbers`
    in the JSON.
    """

    label: str
    title: str
    findings: Sequence[str]
    blocks: Sequence[Block] = field(repr=False)
    tables: Sequence[Block] = field(default=(), repr=False)
    examples: Sequence[Block] = field(default=(), repr=False)
    numbers: Row = field(default_factory=dict, repr=False)


def chapter_title(system: System) -> str:
    """`A: DeepL, en → pt (Portuguese), stereo`."""
    return f"{system.mark}: {system.label}, {system.list_name}"


def without_control(system: System) -> list[Block]:
    """That a system has no control, where it has none."""
    return [Words(f"{names.NO_CONTROL}.", "small")] if system.uncontrolled else []


def chapters(found: Sequence[Chapter], *, folded: bool) -> list[Block]:
    """The blocks of chapters, each under its title."""
    return [
        block for chapter in found for block in part(chapter.title, chapter.blocks, folded=folded)
    ]


# --- cells ----------------------------------------------------------------------------------------


def missing(point: Mapping[str, Any], named: str = "") -> Cell:
    """The state of a point and the reason, less what the row is `named`: never blank, never 0."""
    reason = (point["reason"] or "").removeprefix(named) or "no reason stored"
    state = str(point["state"]).upper()
    return Cell(prose("**{state}**: {reason}", state=state, reason=reason), is_missing=True)


def value(
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
        return Cell(missing(point, named).text, lines, is_missing=True)
    ends = span(point["low"], point["high"], digits, sign)
    return Cell(f"{number(point['value'], digits, sign)} {ends}", lines)


def stacked(point: Row | None, *, sign: bool = False) -> Cell:
    """A value above its interval, for tables with many columns; f_s goes with its bound."""
    if point is None or point["value"] is None:
        return value(point)
    interval = span(point["low"], point["high"], 3, sign) if point["low"] is not None else ""
    limit = point["facts"].get("f_s_limit")
    lines = (interval, f"at most ±{number(limit)}" if limit is not None else "", flags(point))
    return Cell(number(point["value"], 3, sign), "\n".join(line for line in lines if line))


def letter(mark: str) -> Cell:
    """The letter of a system."""
    return Cell((Span(mark, "strong"),))


def flags(point: Row | None) -> str:
    """What a reader must know of a value before using it."""
    return names.flags(point["flags"]) if point else ""


def bounds(row: Row, *, sign: bool = False) -> str:
    """The bounds of a point, or of the bias of an occupation."""
    if row["bound_low"] is None or row["bound_high"] is None:
        return "none known"
    return span(row["bound_low"], row["bound_high"], 3, sign)


def bounded(point: Row | None, *, sign: bool = False) -> str:
    """The bounds of a point in words, where it has any."""
    if point is None or point["bound_low"] is None:
        return ""
    return f"bounds {bounds(point, sign=sign)}"


def used(point: Row | None) -> str:
    """`88 / 100`: questions used, of those planned."""
    return f"{point['used']} / {point['planned']}" if point else ""


def point_id(*points: Row | None) -> str:
    """The numbers of points."""
    return ", ".join(str(point["point_id"]) for point in points if point)


def quantity(name: str, titles: Mapping[str, str]) -> Cell:
    """A quantity by its name in the database, with what it means."""
    return Cell(prose("`{name}`", name=name), titles.get(name, ""))


def share(row: Row) -> Cell:
    """The share of feminine forms, or of women, that an occupation has."""
    if row["model"] is None:
        return missing(row)
    return Cell(f"{number(row['model'])} {span(row['model_low'], row['model_high'])}")


def optional(amount: float | None, digits: int = 3, *, sign: bool = False) -> Cell:
    """A number, or that there is none."""
    return Cell("none" if amount is None else number(amount, digits, sign))


def count(amount: float | None, lacking: str = "not known") -> Cell:
    """A count, or that it is not known."""
    return Cell(lacking if amount is None else f"{amount:,.0f}")
