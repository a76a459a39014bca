"""Draws one small chart of a series: dense ticks, switches and changes in, a picture out."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

from monitor.change import ChangeKind, Status
from monitor.model import State
from monitor.stages._report_text import number
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, QUIET, SECOND, Scale
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day

Row = dict[str, Any]

_SIZE = (240, 92)
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 192.0, 9.0, 70.0


def scales(charts: Sequence[Row], ends: tuple[float, float]) -> tuple[Scale, Scale] | None:
    """The scales of time and value that all charts of a quantity share; None without a value.

    `ends` are those that the quantity cannot pass.
    """
    ticks = [tick for chart in charts for tick in chart["ticks"]]
    known = [t[name] for t in ticks for name in ("value", "low", "high") if t[name] is not None]
    if not known:
        return None
    times = [tick["due_at"].timestamp() for tick in ticks]
    last = max(*times, times[0] + 1)
    x = Scale(min(times), last, _LEFT + 3, _RIGHT - 3)
    return x, draw.nice(known, _BOTTOM, _TOP, ends)


def drawn(
    week: Week,
    chart: Row,
    scales: tuple[Scale, Scale],
    neutral: float | None,
    name: str,
    title: str,
) -> Markup:
    """The chart of one series."""
    x, y = scales
    ticks = chart["ticks"]
    parts = [*_axes(week, x, y, neutral)]
    for run in _runs(ticks):
        parts += _line(run, x, y)
    parts += _absent(ticks, x)
    parts += [
        draw.stroke(f"M{draw.place(x(at))},{draw.place(_TOP)}V{draw.place(_BOTTOM)}", INK, 1, "3 2")
        for at in (one["at"].timestamp() for one in chart["switches"])
    ]
    parts += [_change(one, x) for one in chart["changes"]]
    parts.append(_newest(ticks, y))
    said = _described(week, chart)
    return draw.picture(parts, _SIZE, name, f"{title}: {chart['system']}", said)


def _axes(week: Week, x: Scale, y: Scale, neutral: float | None) -> list[str]:
    parts = []
    for tick in y.ticks:
        at = draw.place(y(tick))
        parts.append(draw.stroke(f"M{_LEFT},{at}H{_RIGHT}", GRID, 1))
    middle, is_odd = divmod(len(y.ticks) - 1, 2)
    shown_ticks = y.ticks[:: middle or 1] if not is_odd else (y.ticks[0], y.ticks[-1])
    parts += [
        draw.text(_LEFT - 4, y(tick) + 4, draw.label(tick, y.ticks), "end") for tick in shown_ticks
    ]
    if neutral is not None and y.low < neutral < y.high:
        at = draw.place(y(neutral))
        parts.append(draw.stroke(f"M{_LEFT},{at}H{_RIGHT}", QUIET, 1, "2 3"))
    first, last = (datetime.fromtimestamp(at, week.zone) for at in (x.low, x.high))
    foot = _SIZE[1] - 3.0
    parts.append(draw.text(_LEFT, foot, day(first, week.zone)))
    if last - first > timedelta(days=2):
        parts.append(draw.text(_RIGHT, foot, day(last, week.zone), "end"))
    return parts


def _runs(ticks: Sequence[Row]) -> list[list[Row]]:
    """Ticks with values that follow each other without a gap."""
    return [
        list(group)
        for is_there, group in groupby(ticks, key=lambda tick: tick["value"] is not None)
        if is_there
    ]


def _line(some: Sequence[Row], x: Scale, y: Scale) -> list[str]:
    at = [(x(tick["due_at"].timestamp()), tick) for tick in some]
    parts = []
    band = [(place, tick) for place, tick in at if tick["low"] is not None]
    if len(band) > 1:
        outline = [(place, y(tick["high"])) for place, tick in band]
        outline += [(place, y(tick["low"])) for place, tick in reversed(band)]
        parts.append(draw.fill(f"{draw.path(outline)}Z", FIRST, 0.2))
    elif band:
        [(place, tick)] = band
        ends = [(place, y(tick["high"])), (place, y(tick["low"]))]
        parts.append(draw.stroke(draw.path(ends), FIRST, 1.5))
    line = [(place, y(tick["value"])) for place, tick in at]
    if len(line) > 1:
        parts.append(draw.stroke(draw.path(line), FIRST, 1.5))
    else:
        parts.append(draw.fill(draw.dot(*line[0]), FIRST))
    return parts


def _absent(ticks: Sequence[Row], x: Scale) -> list[str]:
    missed = [x(t["due_at"].timestamp()) for t in ticks if t["state"] == State.MISSED]
    few = [x(t["due_at"].timestamp()) for t in ticks if t["state"] == State.INSUFFICIENT]
    strokes = "".join(f"M{draw.place(at)},{_BOTTOM + 2:g}v6" for at in missed)
    rings = "".join(draw.dot(at, _BOTTOM + 5, 1.8) for at in few)
    return [draw.stroke(d, INK, 1.2) for d in (strokes, rings) if d]


def _change(one: Row, x: Scale) -> str:
    at = x(one["at"].timestamp())
    if one["status"] == Status.REFUTED:
        cross = f"M{draw.place(at - 3)},1.5l6,6M{draw.place(at + 3)},1.5l-6,6"
        return draw.stroke(cross, SECOND, 1.4)
    triangle = f"M{draw.place(at - 4)},1h8l-4,7Z"
    if one["status"] == Status.CONFIRMED:
        return draw.fill(triangle, SECOND)
    dash = "1.5 1" if one["kind"] == ChangeKind.SHIFT else ""
    return draw.stroke(triangle, SECOND, 1.2, dash)


def _newest(ticks: Sequence[Row], y: Scale) -> str:
    newest = ticks[-1] if ticks else None
    if newest is None or newest["value"] is None:
        return draw.text(_RIGHT + 3, _BOTTOM + 9, "no value", color=INK)
    at = min(max(y(newest["value"]) + 4, _TOP + 6), _BOTTOM + 3)
    return draw.text(_RIGHT + 3, at, number(newest["value"]), color=INK)


def _described(week: Week, chart: Row) -> str:
    """The chart in words."""
    ticks = chart["ticks"]
    counts = [
        f"{sum(t['state'] == state for t in ticks)} {state}"
        for state in (State.MEASURED, State.INSUFFICIENT, State.MISSED)
    ]
    measured = [t for t in ticks if t["value"] is not None]
    ends = (
        f"; from {number(measured[0]['value'])} on {day(measured[0]['due_at'], week.zone)} to "
        f"{number(measured[-1]['value'])} on {day(measured[-1]['due_at'], week.zone)}"
        if measured
        else ""
    )
    changes = "; ".join(
        f"change on {day(c['at'], week.zone)}, {c['status']}" for c in chart["changes"]
    )
    return f"{len(ticks)} runs: {', '.join(counts)}{ends}{'; ' if changes else ''}{changes}."
