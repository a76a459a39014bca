"""Draws one series: ticks, changes and switches in, a chart for a page or a picture to save out.

A value is a dot with its 95 % interval; a gap is a gap, with a mark below the axis that says which
sort; the same marks as in the weekly report.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from markupsafe import Markup

from monitor.change import ChangeKind, Status
from monitor.model import State
from monitor.stages._report_text import number
from monitor.stages.weekly import draw
from monitor.stages.weekly.draw import FIRST, GRID, INK, QUIET, SECOND, Scale
from monitor.stages.weekly.wording import day
from monitor.store.series import Tick
from monitor.store.series_history import Changed, Switch

_SIZE = (760, 300)
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 690.0, 26.0, 252.0
_FOOT = 284.0
#: Half the width of the bar behind a tick that is compared.
_HALF = 9.0
_HEADING = 52
#: So many values keep bars of their own; the intervals of more are one area.
_BARS = 60
_DATES = 5
_MARGIN = 14
#: Characters of a line above a picture.
_LONGEST = 125
#: What the colours of pages are in daylight: a picture by itself has no page around it.
_COLORS = {
    "var(--ink)": "#1c1f23", "var(--quiet)": "#5c6570", "var(--grid)": "#e3e6ea",
    "var(--first)": "#00646b", "var(--second)": "#a85600",
}  # fmt: skip
_PAPER = "#ffffff"
_FONT = "Noto Sans, DejaVu Sans, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Drawn:
    """All that a chart shows. `chosen` are due times of ticks that are compared."""

    title: str
    ticks: Sequence[Tick]
    changes: Sequence[Changed]
    switches: Sequence[Switch]
    neutral: float | None
    ends: tuple[float, float]
    zone: ZoneInfo
    chosen: Sequence[datetime] = ()


def chart(it: Drawn) -> Markup:
    """The chart for a page, with its description in words; empty where there is no value."""
    parts = _parts(it)
    if not parts:
        return Markup("")
    return draw.picture(parts, _SIZE, "series", it.title, described(it), "chart")


def picture(it: Drawn, under: str) -> str:
    """The chart as SVG that stands by itself, with its title; empty where there is no value."""
    parts = _parts(it)
    if not parts:
        return ""
    width, height = _SIZE[0], _SIZE[1] + _HEADING
    lines = [
        draw.text(_MARGIN, 20, textwrap.shorten(it.title, _LONGEST, placeholder="…"), color=INK),
        draw.text(_MARGIN, 36, textwrap.shorten(under, _LONGEST, placeholder="…")),
        f'<g transform="translate(0,{_HEADING - _MARGIN})">{"".join(parts)}</g>',
    ]
    paper = f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>'
    svg = draw.sheet([paper, f'<g font-family="{_FONT}">', *lines, "</g>"], (width, height))
    for name, color in _COLORS.items():
        svg = svg.replace(f'"{name}"', f'"{color}"')
    return svg


def _parts(it: Drawn) -> list[str]:
    ticks = it.ticks
    names = ("value", "low", "high")
    known = [x for tick in ticks for x in (getattr(tick, name) for name in names) if x is not None]
    if not known:
        return []
    times = [tick.due_at.timestamp() for tick in ticks]
    x = Scale(times[0], max(times[-1], times[0] + 1), _LEFT + _MARGIN, _RIGHT - _MARGIN)
    y = draw.nice(known, _BOTTOM, _TOP, it.ends)
    parts = [*_axes(it, x, y), *_chosen(it, x), *_switched(it, x)]
    runs = [
        list(some)
        for is_there, some in groupby(ticks, key=lambda tick: tick.value is not None)
        if is_there
    ]
    is_few = sum(map(len, runs)) <= _BARS
    for some in runs:
        parts += _line(some, x, y, is_few=is_few)
    return [*parts, *_absent(ticks, x), *(_change(one, x) for one in it.changes)]


def _axes(it: Drawn, x: Scale, y: Scale) -> list[str]:
    parts = []
    for tick in y.ticks:
        parts.append(draw.stroke(f"M{_LEFT:g},{draw.place(y(tick))}H{_RIGHT:g}", GRID))
        parts.append(draw.text(_LEFT - 6, y(tick) + 4, draw.label(tick, y.ticks), "end"))
    if it.neutral is not None and y.low <= it.neutral <= y.high:
        parts.append(
            draw.stroke(f"M{_LEFT:g},{draw.place(y(it.neutral))}H{_RIGHT:g}", QUIET, 1, "2 3")
        )
        parts.append(draw.text(_RIGHT + 4, y(it.neutral) + 4, "neutral"))
    dates: dict[str, float] = {}
    for at in range(_DATES):
        moment = x.low + (x.high - x.low) * at / (_DATES - 1)
        dates.setdefault(day(datetime.fromtimestamp(moment, it.zone), it.zone), x(moment))
    parts += [draw.text(place, _FOOT, words, "middle") for words, place in dates.items()]
    return parts


def _chosen(it: Drawn, x: Scale) -> list[str]:
    """The two ticks that are compared."""
    parts = []
    for words, moment in zip(("before", "after"), sorted(it.chosen), strict=False):
        at = x(moment.timestamp())
        area = f"M{draw.place(at - _HALF)},{_TOP:g}h{2 * _HALF:g}V{_BOTTOM:g}h-{2 * _HALF:g}Z"
        parts.append(draw.fill(area, QUIET, 0.2))
        parts.append(draw.text(at, _BOTTOM + 16, words, "middle", INK))
    return parts


def _switched(it: Drawn, x: Scale) -> list[str]:
    found = (one.switched_at.timestamp() for one in it.switches if one.before)
    return [
        draw.stroke(f"M{draw.place(x(at))},{_TOP:g}V{_BOTTOM:g}", INK, 1, "3 2")
        for at in found
        if x.low <= at <= x.high
    ]


def _line(some: Sequence[Tick], x: Scale, y: Scale, *, is_few: bool) -> list[str]:
    at = [(x(tick.due_at.timestamp()), tick) for tick in some]
    values = [(place, y(tick.value)) for place, tick in at if tick.value is not None]
    parts = []
    band = [
        (place, y(tick.low), y(tick.high))
        for place, tick in at
        if tick.low is not None and tick.high is not None
    ]
    if is_few or len(band) == 1:
        bars = "".join(
            f"M{draw.place(place)},{draw.place(low)}V{draw.place(high)}"
            for place, low, high in band
        )
        parts += [draw.stroke(bars, FIRST, 1.6)] if bars else []
    elif band:
        outline = [(place, high) for place, _, high in band]
        outline += [(place, low) for place, low, _ in reversed(band)]
        parts.append(draw.fill(f"{draw.path(outline)}Z", FIRST, 0.2))
    if len(values) > 1:
        parts.append(draw.stroke(draw.path(values), FIRST, 1.2))
    if is_few or len(values) == 1:
        parts.append(draw.fill("".join(draw.dot(*one, 3.2) for one in values), FIRST))
    return parts


def _absent(ticks: Sequence[Tick], x: Scale) -> list[str]:
    missed = [x(t.due_at.timestamp()) for t in ticks if t.state is State.MISSED]
    few = [x(t.due_at.timestamp()) for t in ticks if t.state is State.INSUFFICIENT]
    strokes = "".join(f"M{draw.place(at)},{_BOTTOM + 4:g}v9" for at in missed)
    rings = "".join(draw.dot(at, _BOTTOM + 8, 3.2) for at in few)
    return [draw.stroke(d, INK, 1.4) for d in (strokes, rings) if d]


def _change(one: Changed, x: Scale) -> str:
    """A filled triangle is confirmed, an empty one is not, a cross is refuted."""
    at = min(max(x(one.changed_at.timestamp()), _LEFT), _RIGHT)
    if one.status is Status.REFUTED:
        return draw.stroke(
            f"M{draw.place(at - 5)},8l10,10M{draw.place(at + 5)},8l-10,10", SECOND, 2
        )
    triangle = f"M{draw.place(at - 6)},8h12l-6,11Z"
    if one.status is Status.CONFIRMED:
        return draw.fill(triangle, SECOND)
    dash = "2 1.5" if one.kind is ChangeKind.SHIFT else ""
    return draw.stroke(triangle, SECOND, 1.6, dash)


def described(it: Drawn) -> str:
    """The chart in words, for those who cannot see it."""
    counts = ", ".join(
        f"{sum(tick.state is state for tick in it.ticks)} {state}" for state in State
    )
    known = [(tick.due_at, tick.value) for tick in it.ticks if tick.value is not None]
    said = [f"{len(it.ticks)} ticks: {counts}"]
    if known:
        (first_at, first), (last_at, last) = known[0], known[-1]
        said.append(
            f"from {number(first)} on {day(first_at, it.zone)} to {number(last)} on "
            f"{day(last_at, it.zone)}"
        )
    said += [f"change on {day(one.changed_at, it.zone)}, {one.status}" for one in it.changes]
    said += [
        f"another signature on {day(one.switched_at, it.zone)}" for one in it.switches if one.before
    ]
    return f"{'; '.join(said)}. The table below has every tick."
