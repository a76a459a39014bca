"""Tiles of page one: every system with its newest value and its course, all on one scale."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.change import Status
from monitor.model import State
from monitor.stages import system_tiles
from monitor.stages.document.draw import Scale
from monitor.stages.document.records import Tile, Tiles
from monitor.stages.system_tiles import TileChart
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.systems import PERCENT, Check, quantity, say_system
from monitor.store.changes.series_summaries import Mark
from monitor.text.quantity_values import axis_unit

Row = dict[str, Any]


def tiles(
    week: Week, systems: Sequence[Row], charts: Sequence[Row], unchanged_words: str
) -> list[Tiles]:
    """Return the tiles of these systems, one block for each quantity.

    `charts` are those of main series over time. Values in percent and in points share one scale.
    """
    courses = {chart["series_id"]: chart for group in charts for chart in group["charts"]}
    drawn = {row["series_id"]: _chart(week, row, courses.get(row["series_id"], {}))
             for row in systems}  # fmt: skip
    blocks = []
    by_quantity: dict[str, list[Row]] = {}
    for row in systems:
        by_quantity.setdefault(quantity(row).meaning.label, []).append(row)
    percent = [row for row in systems if quantity(row).meaning.unit in PERCENT]
    for index, (label, own) in enumerate(by_quantity.items()):
        about = quantity(own[0])
        alike = percent if about.meaning.unit in PERCENT else own
        marks = (drawn[row["series_id"]].marks for row in alike)
        scales = system_tiles.common_scales(marks, about.neutral)
        shown = [
            _tile(row, drawn[row["series_id"]], scales, f"t{index}-{n}",
                  _note(week, row, unchanged_words))
            for n, row in enumerate(own)
        ]  # fmt: skip
        unit = f", {axis_unit(about.meaning.unit)}" if axis_unit(about.meaning.unit) else ""
        caption = f"{label[:1].upper()}{label[1:]}{unit}."
        legend = "" if index else system_tiles.LEGEND
        words = filter(None, (caption, system_tiles.say_neutral(about), legend))
        blocks.append(Tiles(" ".join(words), shown))
    return blocks


def _chart(week: Week, row: Row, course: Mapping[str, Any]) -> TileChart:
    about = quantity(row)
    return TileChart(
        title=f"{about.meaning.label}: {row['system']}, {row['asked_in']}",
        quantity=about,
        marks=[
            Mark(tick["due_at"], State(tick["state"]), tick["value"], tick["low"], tick["high"])
            for tick in course.get("ticks", ())
        ],
        changes=[
            change["at"]
            for change in course.get("changes", ())
            if change["status"] == Status.CONFIRMED
        ],
        zone=week.zone,
    )


def _tile(
    row: Row, chart: TileChart, scales: tuple[Scale, Scale] | None, name: str, note: str
) -> Tile:
    return Tile(
        title=say_system(row), under=row["asked_in"],
        value=system_tiles.say_measured(chart.quantity.meaning.unit, row["value"]),
        svg=system_tiles.draw_tile(chart, scales, name), note=note,
        is_changed=row["check"] == Check.CHANGED,
    )  # fmt: skip


def _note(week: Week, row: Row, unchanged_words: str) -> str:
    """Return what became of a system: `changed 23 Feb; no change found since`."""
    last, undecided = row["last_change"], row["undecided"]
    if row["check"] == Check.NOT_CHECKED:
        changed = f"{system_tiles.say_changed(last, week.zone)}; " if last else ""
        return f"{changed}not checked{' since' if last else ''}"
    open_words = f"; {system_tiles.say_undecided(undecided, week.zone)}" if undecided else ""
    if row["check"] == Check.CHANGED:
        return (system_tiles.say_changed(last, week.zone) if last else "changed") + open_words
    if last:
        changed = system_tiles.say_changed(last, week.zone)
        return f"{changed}; {unchanged_words} since{open_words}"
    return f"{unchanged_words}{open_words}"
