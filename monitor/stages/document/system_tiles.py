"""Tiles of systems on pages and in the weekly report: their words, and charts on a common scale.

Pure. A chart has the values of one system over time with their intervals, the neutral value, its
changes, and the times without a value.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from markupsafe import Markup

from monitor.change import Status
from monitor.model import Meaning, Quantity, QuantityUnit
from monitor.stages.changes.detectable_effects import POWERS
from monitor.stages.document import draw
from monitor.stages.document.draw import AREA, FIRST, GRID, INK, QUIET, SECOND, Scale
from monitor.stages.document.time_chart import NO_VALUE
from monitor.store.changes.series import SparklineTick
from monitor.store.rows import group_rows
from monitor.text.quantity_values import (
    PERCENT,
    axis_label,
    neutral_words,
    say_day,
    say_interval,
    say_short_day,
    say_size,
    say_value,
)

#: The probability with which a change of the size that is said to be found is found.
CHANCE = f"{100 * POWERS[0]:.0f}\N{NO-BREAK SPACE}%"
#: Why a change is found that is smaller than the band is wide.
BAND = (
    "Band: 95 % interval of the level, for questions like these. Changes are tested on the same "
    "questions and seen more finely."
)
_SIZE = (220, 66)
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 216.0, 12.0, 60.0


class TileChange(NamedTuple):
    """A change; `is_ours` where something changed on our own side with it.

    `is_recent` where the page counts it among what changed.
    """

    at: datetime
    is_ours: bool = False
    is_recent: bool = True
    status: Status = Status.CONFIRMED


@dataclass(frozen=True, slots=True)
class TileChart:
    """The values of a system, the oldest first, and its changes.

    `switches` are when its series went over to another method version.
    """

    title: str
    quantity: Quantity
    marks: Sequence[SparklineTick]
    changes: Sequence[TileChange]
    zone: ZoneInfo
    switches: Sequence[datetime] = ()


def say_measured(unit: QuantityUnit, value: float | None) -> str:
    """Return `+41 points`, or that there is no value."""
    return NO_VALUE if value is None else say_value(unit, value)


def say_legend(charts: Iterable[TileChart], recently: str) -> str:
    """Return what the marks of charts stand for, as far as one of them has them.

    `recently` says when changes that the page counts were confirmed: `this week`.
    """
    drawn = list(charts)
    changes = [change for chart in drawn for change in chart.changes]
    has_gap = any(mark.value is None for chart in drawn for mark in chart.marks)
    marks = {
        f"Triangle: confirmed {recently}.": any(c.is_recent and not c.is_ours for c in changes),
        "Grey triangle: confirmed earlier.": not all(c.is_recent for c in changes),
        "Hollow triangle: moved when our side changed.": any(c.is_ours for c in changes),
        "Grey: no value.": has_gap,
    }
    return " ".join(words for words, is_drawn in marks.items() if is_drawn)


def say_undecided(at: datetime, zone: ZoneInfo) -> str:
    """Return `a possible change since 1 Jun is not decided yet`."""
    return f"a possible change since {say_short_day(at, zone)} is not decided yet"


def say_missed(sizes: Iterable[tuple[Meaning, float]]) -> str:
    """Return which changes would be found, and that smaller ones often would not."""
    sentence = say_found(sizes, " (by system and language)")
    return f"{sentence}, smaller ones would often be missed" if sentence else ""


def say_found(sizes: Iterable[tuple[Meaning, float]], by: str = "") -> str:
    """Return `a change of 20 points would be found with 80 % probability`; empty without a size.

    Several sizes are a range, `4 to 20 points`, of which `by` is said. Percents and points are of
    one kind; other quantities are named. Empty also where any change is found.
    """
    by_label = group_rows(
        sizes, lambda entry: "" if entry[0].unit in PERCENT else f" ({entry[0].label})"
    )
    ranges, is_spread = [], False
    for label, alike in sorted(by_label.items()):
        ordered = sorted((size, meaning.unit) for meaning, size in alike)
        low, high = (say_size(unit, size) for size, unit in (ordered[0], ordered[-1]))
        zero = say_size(alike[0][0].unit, 0.0)
        if high == zero:
            continue
        first = "" if low in (high, zero) else f"{low.split()[0]} to "
        is_spread |= bool(first)
        ranges.append(f"{first}{high}{label}")
    words = f"{' or '.join(ranges)}{by if is_spread else ''}"
    return f"a change of {words} would be found with {CHANCE} probability" if ranges else ""


def say_neutral(quantity: Quantity) -> str:
    """Return what the dotted line stands for; empty without a neutral value."""
    if quantity.neutral is None:
        return ""
    return f"Dotted line: {neutral_words(quantity.meaning.unit, quantity.neutral)}."


def common_scales(
    charts: Iterable[Sequence[SparklineTick]], neutral: float | None
) -> tuple[Scale, Scale] | None:
    """Return the scales of time and value that hold all intervals; None without any value."""
    marks = [mark for chart in charts for mark in chart]
    values = [x for mark in marks for x in (mark.value, mark.low, mark.high) if x is not None]
    if not values:
        return None
    times = [mark.due_at.timestamp() for mark in marks]
    x = Scale(min(times), max(*times, min(times) + 1), _LEFT + 4, _RIGHT - 4)
    infinite = float("inf")
    ends = [] if neutral is None else [neutral]
    return x, draw.nice([*values, *ends], _BOTTOM, _TOP, (-infinite, infinite))


def draw_tile(
    chart: TileChart, scales: tuple[Scale, Scale] | None, name: str, frame_of: str = ""
) -> Markup:
    """Return the chart; empty without a value in any tile. `name` makes ids unique in the page.

    `frame_of` is the name of a tile of the same page and scales whose frame is shown again.
    """
    if scales is None or not chart.marks:
        return Markup("")
    x, y = scales
    shared = f'<use href="#{draw.name_part(frame_of)}"/>' if frame_of else ""
    parts = [shared or _draw_frame(chart.quantity, y)]
    half = 0.4 * (x.last - x.first) / max(len(chart.marks) - 1, 1)
    bands, lines, dots, gaps = [], [], [], []
    for has_value, group in groupby(chart.marks, lambda mark: mark.value is not None):
        run = [(x(mark.due_at.timestamp()), mark) for mark in group]
        if not has_value:
            gaps.append(_gap(run[0][0] - half, run[-1][0] + half))
            continue
        bands.append(_band(run, y))
        values = [(position, y(mark.value or 0.0)) for position, mark in run]
        if len(values) > 1:
            lines.append(draw.path(values))
        else:
            dots.append(draw.dot(*values[0]))
    # one element for all pieces of a kind takes the fewest bytes
    pieces = (
        (gaps, draw.fill("".join(gaps), AREA)),
        (bands, draw.fill("".join(bands), FIRST, 0.2)),
        (lines, draw.stroke("".join(lines), FIRST, 1.6)),
        (dots, draw.fill("".join(dots), FIRST)),
    )
    parts += [element for paths, element in pieces if any(paths)]
    for at in chart.switches:
        line = f"M{draw.place(x(at.timestamp()))},{_TOP:g}V{_BOTTOM:g}"
        parts.append(draw.stroke(line, INK, 1, "3 2"))
    parts += [_draw_change(change, x(change.at.timestamp())) for change in chart.changes]
    return draw.picture(parts, _SIZE, name, chart.title, _describe(chart), "tile-chart")


def _draw_change(change: TileChange, x: float) -> str:
    color = SECOND if change.is_recent else QUIET
    if change.status is Status.REFUTED:
        cross = f"M{draw.place(x - 3)},1.5l6,6M{draw.place(x + 3)},1.5l-6,6"
        return draw.stroke(cross, color, 1.4)
    triangle = f"M{draw.place(x - 4)},1h8l-4,8Z"
    if change.status is Status.CONFIRMED and not change.is_ours:
        return draw.fill(triangle, color)
    dash = "1.5 1" if change.status is Status.RETROSPECTIVE else ""
    return draw.stroke(triangle, color, 1.2, dash)


def _describe(chart: TileChart) -> str:
    """Return the chart in words, for those who cannot see it."""
    unit, newest = chart.quantity.meaning.unit, chart.marks[-1]
    interval = say_interval(unit, newest.low, newest.high)
    suffix = f" ({interval})" if interval else ""
    n_values = sum(mark.value is not None for mark in chart.marks)
    changes = "".join(
        f" Change on {say_day(change.at, chart.zone)}: {change.status}." for change in chart.changes
    )
    return (
        f"Newest: {say_measured(unit, newest.value)}{suffix}. {n_values} of {len(chart.marks)} "
        f"runs since {say_day(chart.marks[0].due_at, chart.zone)} have a value.{changes}"
    )


def _draw_frame(quantity: Quantity, y: Scale) -> str:
    """Return the ends of the scale with their lines, and the neutral line."""
    ends = (y.ticks[0], y.ticks[-1])
    parts = [
        draw.text(_LEFT - 4, y(tick) + 4, axis_label(quantity.meaning.unit, tick), "end")
        for tick in ends
    ]
    parts.append(draw.stroke("".join(_cross(y(tick)) for tick in ends), GRID))
    if quantity.neutral is not None:
        parts.append(draw.stroke(_cross(y(quantity.neutral)), QUIET, 1, "2 3"))
    return f'<g id="frame" {draw.WORDS}>{"".join(parts)}</g>'


def _cross(y: float) -> str:
    """Return a line across the chart."""
    return f"M{_LEFT:g},{draw.place(y)}H{_RIGHT:g}"


def _gap(left: float, right: float) -> str:
    left, right = max(left, _LEFT), min(right, _RIGHT)
    return f"M{draw.place(left)},{_TOP:g}H{draw.place(right)}V{_BOTTOM:g}H{draw.place(left)}Z"


def _band(run: Sequence[tuple[float, SparklineTick]], y: Scale) -> str:
    """Return the outline of the intervals; empty for fewer than two."""
    band = [
        (x, y(mark.high), y(mark.low))
        for x, mark in run
        if mark.low is not None and mark.high is not None
    ]
    outline = [(x, high) for x, high, _ in band] + [(x, low) for x, _, low in reversed(band)]
    return f"{draw.path(outline)}Z" if len(band) > 1 else ""
