"""Tiles of page one: every system with its newest value and its course, all on one scale."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from monitor.change import Status
from monitor.stages.document.records import Tile, Tiles
from monitor.stages.weekly import draw
from monitor.stages.weekly.draw import AREA, FIRST, GRID, QUIET, SECOND, Scale
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.systems import PERCENT, Check, quantity, say_system
from monitor.text.dates import say_day, say_short_day
from monitor.text.quantity_values import (
    axis_label,
    axis_unit,
    neutral_words,
    say_interval,
    say_value,
)

Row = dict[str, Any]

_SIZE = (220, 66)
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 216.0, 12.0, 60.0
_NO_VALUE = "no value"
_MARKS = "Triangle: confirmed change. Grey: no value."


def tiles(
    week: Week, systems: Sequence[Row], charts: Sequence[Row], unchanged_words: str
) -> list[Tiles]:
    """Return the tiles of these systems, one block for each quantity.

    `charts` are those of main series over time. Values in percent and in points share one scale.
    """
    courses = {chart["series_id"]: chart for group in charts for chart in group["charts"]}
    blocks = []
    by_quantity: dict[str, list[Row]] = {}
    for row in systems:
        by_quantity.setdefault(quantity(row).meaning.label, []).append(row)
    percent = [row for row in systems if quantity(row).meaning.unit in PERCENT]
    for place, (label, own) in enumerate(by_quantity.items()):
        about = quantity(own[0])
        meaning = about.meaning
        alike = percent if meaning.unit in PERCENT else own
        ticks = {row["series_id"]: _ticks(courses, row) for row in alike}
        scales = _scales([tick for some in ticks.values() for tick in some], about.neutral)
        shown = [
            _tile(week, row, ticks[row["series_id"]], courses.get(row["series_id"], {}), scales,
                  f"t{place}-{n}", _note(week, row, unchanged_words))
            for n, row in enumerate(own)
        ]  # fmt: skip
        unit = f", {axis_unit(meaning.unit)}" if axis_unit(meaning.unit) else ""
        caption = f"{label[:1].upper()}{label[1:]}{unit}."
        if about.neutral is not None:
            caption += f" Dotted line: {neutral_words(meaning.unit, about.neutral)}."
        blocks.append(Tiles(caption if place else f"{caption} {_MARKS}", shown))
    return blocks


def _ticks(courses: Mapping[int, Row], row: Row) -> Sequence[Row]:
    course = courses.get(row["series_id"])
    return list(course["ticks"]) if course else []


def _scales(ticks: Sequence[Row], neutral: float | None) -> tuple[Scale, Scale] | None:
    """Return the scales of time and value; None without a value."""
    values = [tick[name] for tick in ticks for name in ("value", "low", "high")
              if tick[name] is not None]  # fmt: skip
    if not values:
        return None
    times = [tick["due_at"].timestamp() for tick in ticks]
    x = Scale(min(times), max(*times, min(times) + 1), _LEFT + 4, _RIGHT - 4)
    neutral_values = [] if neutral is None else [neutral]
    infinite = float("inf")
    return x, draw.nice([*values, *neutral_values], _BOTTOM, _TOP, (-infinite, infinite))


def _tile(
    week: Week, row: Row, ticks: Sequence[Row], course: Mapping[str, Any],
    scales: tuple[Scale, Scale] | None, name: str, note: str,
) -> Tile:  # fmt: skip
    unit = quantity(row).meaning.unit
    value = _NO_VALUE if row["value"] is None else say_value(unit, row["value"])
    interval = say_interval(unit, row["low"], row["high"])
    is_changed = row["check"] == Check.CHANGED
    return Tile(
        title=say_system(row), under=row["asked_in"], value=value,
        svg=_drawn(week, row, ticks, course, scales, name, f"{value} ({interval})" if interval
                   else value) if scales else "",
        note=note,
        is_changed=is_changed,
    )  # fmt: skip


def _note(week: Week, row: Row, unchanged_words: str) -> str:
    """Return what became of a system: `no change found since 23 Feb`."""
    if row["check"] == Check.NOT_CHECKED:
        return "not checked"
    last = row["last_change"]
    if row["check"] == Check.CHANGED:
        return f"changed {say_short_day(last, week.zone)}" if last else "changed"
    return f"{unchanged_words} since {say_short_day(last, week.zone)}" if last else unchanged_words


def _drawn(
    week: Week, row: Row, ticks: Sequence[Row], course: Mapping[str, Any],
    scales: tuple[Scale, Scale], name: str, said: str,
) -> Markup:  # fmt: skip
    x, y = scales
    about = quantity(row)
    parts = [
        draw.text(_LEFT - 4, y(tick) + 4, axis_label(about.meaning.unit, tick), "end")
        for tick in (y.ticks[0], y.ticks[-1])
    ]
    parts += [
        draw.stroke(f"M{_LEFT},{draw.place(y(tick))}H{_RIGHT}", GRID)
        for tick in (y.ticks[0], y.ticks[-1])
    ]
    if about.neutral is not None:
        parts.append(
            draw.stroke(f"M{_LEFT},{draw.place(y(about.neutral))}H{_RIGHT}", QUIET, 1, "2 3")
        )
    half = 0.4 * (x.last - x.first) / max(len(ticks) - 1, 1)
    for has_value, group in groupby(ticks, lambda tick: tick["value"] is not None):
        run = [(x(tick["due_at"].timestamp()), tick) for tick in group]
        parts += _line(run, y) if has_value else [_gap(run[0][0] - half, run[-1][0] + half)]
    parts += [
        draw.fill(f"M{draw.place(at - 4)},1h8l-4,8Z", SECOND)
        for change in course.get("changes", ())
        if change["status"] == Status.CONFIRMED
        for at in [x(change["at"].timestamp())]
    ]
    n_values = sum(tick["value"] is not None for tick in ticks)
    words = (
        f"Newest: {said}. {n_values} of {len(ticks)} runs since "
        f"{say_day(ticks[0]['due_at'], week.zone)} have a value."
        if ticks
        else f"Newest: {said}."
    )
    title = f"{about.meaning.label}: {row['system']}, {row['asked_in']}"
    return draw.picture(parts, _SIZE, name, title, words)


def _gap(left: float, right: float) -> str:
    left, right = max(left, _LEFT), min(right, _RIGHT)
    return draw.fill(
        f"M{draw.place(left)},{_TOP}H{draw.place(right)}V{_BOTTOM}H{draw.place(left)}Z", AREA
    )


def _line(run: Sequence[tuple[float, Row]], y: Scale) -> list[str]:
    band = [(x, y(tick["high"]), y(tick["low"])) for x, tick in run if tick["low"] is not None]
    outline = [(x, high) for x, high, _ in band] + [(x, low) for x, _, low in reversed(band)]
    line = [(x, y(tick["value"])) for x, tick in run]
    parts = [draw.fill(f"{draw.path(outline)}Z", FIRST, 0.2)] if len(band) > 1 else []
    if len(line) > 1:
        return [*parts, draw.stroke(draw.path(line), FIRST, 1.6)]
    return [draw.fill(draw.dot(*line[0]), FIRST)]
