"""The systems of a run side by side, and what is missing, for a terminal of 80 columns."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.table import Table

from monitor.cli._console import out
from monitor.model import Kind
from monitor.stages import _report_columns as columns
from monitor.stages import _report_coverage as coverage
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.stages._report_text import visible
from monitor.stages.engine_titles import engine_title

Row = dict[str, Any]

#: Of parity the occupations are not printed: all shares are held against 1/2; the report has them.
IN_REPORT_ONLY = ("parity",)
#: Characters of a service's words that are printed.
_LONGEST_WORDS = 120
_SHORT = {
    "masculine": "masc.",
    "feminine": "fem.",
    "both forms": "both",
    "inclusive": "incl.",
    "contradictory": "contra.",
    "cannot say": "unclear",
    "he and she, contradictory": "contra.",
}


def say(line: str) -> None:
    """Print a line in which nothing captured is markup."""
    out.print(visible(line), markup=False, highlight=False)


def compared(systems: Sequence[System], rows: Sequence[Row], pronouns: Sequence[Row]) -> None:
    """Print who is who, what the answers show and the values of every group of systems."""
    for mark, system in _marked(systems).items():
        role = f" [{system.role}]" if system.role else ""
        pair = names.short_pair(system.source_lang, system.target, system.kind)
        say(f"{mark:>2} {system.engine}, {pair}{role}")
    if any(system.uncontrolled for system in systems):
        say(names.NO_CONTROL)
    for (name, source, target), some in columns.side_by_side(systems).items():
        place = f"{name}, {names.short_pair(source, target, some[0].kind)}"
        if some[0].kind != Kind.LM:
            out.print(_shares(place, coverage.classes(some, rows, pronouns)))
        for measure, same in columns.by_measure(some).items():
            if chosen := columns.columns(same):
                out.print(_values(f"{measure}, {place}", chosen, same))


def _marked(systems: Sequence[System]) -> dict[str, System]:
    return {system.mark: system for system in systems}


def _grid(title: str, heads: Sequence[str], caption: str = "") -> Table:
    grid = Table(
        title=title, title_justify="left", title_style="bold", caption=caption or None,
        caption_justify="left", caption_style="dim", box=box.SIMPLE_HEAD, pad_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    grid.add_column("")
    for head in heads:
        grid.add_column(head, justify="right")
    return grid


def _shares(place: str, found: Row) -> Table:
    heads = [_SHORT.get(head, head) for head in found["heads"]]
    grid = _grid(f"Shares of answers in %, {place}", [*heads, "answered", "of"])
    for row in found["rows"]:
        shares = ["none" if n is None else f"{100 * n:.1f}" for n in row["shares"]]
        grid.add_row(row["system"].mark, *shares, f"{row['answered']:,}", f"{row['planned']:,}")
    return grid


def _values(title: str, chosen: Sequence[columns.Column], systems: Sequence[System]) -> Table:
    notes: list[str] = [columns.meaning(systems)]
    grid = _grid(title, [column.short for column in chosen])
    for system in systems:
        cells = []
        for column in chosen:
            point = column.of(system)
            cells.append(_cell(point, "+" if column.sign else ""))
            if point is not None and point["value"] is None:
                notes.append(f"{system.mark} {column.short}: {visible(point['reason'])}")
        grid.add_row(system.mark, *cells)
    grid.caption = "\n".join(note for note in notes if note)
    return grid


def _cell(point: Row | None, sign: str) -> str:
    """A value, below it its interval, its bound and what a reader must know."""
    if point is None:
        return "not computed"
    if point["value"] is None:
        return str(point["state"]).upper()
    lines = [f"{point['value']:{sign}.2f}"]
    if point["low"] is not None:
        lines.append(f"\\[{point['low']:{sign}.2f}, {point['high']:{sign}.2f}]")
    if "f_s_limit" in point["facts"]:
        lines.append(f"bound ±{point['facts']['f_s_limit']:.2f}")
    flags = names.flags(point["flags"]).replace("not interpretable (saturated)", "saturated")
    return "\n".join([*lines, *([flags] if flags else [])])


def missing(endings: Sequence[Row], suspended: Sequence[Row]) -> None:
    """Print what stopped and what is missing, with the services' own words."""
    for row in suspended:
        until = f"{row['until']:%Y-%m-%d %H:%M} UTC"
        say(f"{', '.join(row['engines'])}: suspended until {until} ({row['reason']})")
    for row in coverage.missing(endings, engine_title):
        say(f"{row['label']}: {coverage.sentence(row)}")
        for line in _reasons(row["reasons"]):
            say(line)


def _reasons(reasons: Sequence[Row]) -> Iterator[str]:
    for one in reasons:
        words = " ".join((one["text"] or one["words"]).split())
        short = words if len(words) <= _LONGEST_WORDS else f"{words[:_LONGEST_WORDS]}…"
        what = f"{one['outcome']} ({one['reason']})" if one["reason"] else one["outcome"]
        said = f": “{short}”" if short else ""
        yield f"   {what}, {', '.join(one['pairs'])}: {one['meaning']}{said}"
