"""Charts of a series for a terminal: a line of small bars, and a plot with intervals.

In go ticks in order, out come lines. A tick without a value is a gap with a sign of its own, never
a point on the line, and no line is drawn across it.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from monitor.model import State
from monitor.store.changes.series import GridTick

_BARS = "▁▂▃▄▅▆▇█"
_GAPS = {State.INSUFFICIENT: "·", State.MISSED: "×"}
#: What stands where, beneath charts.
LEGEND = "· no value, × missed; each line has a scale of its own"

_HEIGHT = 9
_MOST = 66  # ticks beside the axis on 80 columns
_LEAST_PLAIN = 0.01  # smaller numbers keep two digits that count
#: What is left of a 0 after sums of binary fractions.
_ROUNDING = 1e-12


class _Valued(Protocol):
    @property
    def state(self) -> State: ...
    @property
    def value(self) -> float | None: ...


def number(value: float) -> str:
    """A number with three decimals, or two digits that count where those would all be 0."""
    return f"{value:.2g}" if _ROUNDING < abs(value) < _LEAST_PLAIN else f"{value:z.3f}"


def interval(low: float | None, high: float | None) -> str:
    """`[0.410, 0.512]`; empty where there is none."""
    return "" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def sparkline(marks: Iterable[_Valued]) -> str:
    """One character for each tick: a bar between the lowest and the highest value, or a gap."""
    marks = list(marks)
    values = [v for one in marks if (v := _drawn(one.value)) is not None]
    low, span = (min(values), max(values) - min(values)) if values else (0.0, 0.0)

    def bar(value: float) -> str:
        place = (value - low) / span if span else 0.5
        return _BARS[min(int(place * len(_BARS)), len(_BARS) - 1)]

    return "".join(
        _GAPS.get(one.state, "·") if (v := _drawn(one.value)) is None else bar(v) for one in marks
    )


def _drawn(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def plot(ticks: Sequence[GridTick], changed: Iterable[datetime], zone: ZoneInfo) -> list[str]:
    """The newest ticks as points with their intervals; beneath them gaps and changes.

    `changed` are the due times at which a change begins.
    """
    ticks = ticks[-_MOST:]
    drawn = [
        v
        for one in ticks
        for number_ in (one.value, one.low, one.high)
        if one.value is not None and (v := _drawn(number_)) is not None
    ]
    if not drawn:
        return ["no tick was measured: there is nothing to draw"]
    low, high = min(drawn), max(drawn)
    if low == high:
        pad = abs(low) / 10 or 0.1
        low, high = low - pad, high + pad
    columns = [_column(one, low, high) for one in ticks]
    lines = []
    for row in range(_HEIGHT):
        at = high - (high - low) * row / (_HEIGHT - 1)
        label = number(at) if row % 4 == 0 else ""
        lines.append(f"{label:>9} ┤{''.join(column[row] for column in columns)}".rstrip())
    starts = set(changed)
    below = "".join("▲" if one.due_at in starts else _GAPS.get(one.state, " ") for one in ticks)
    lines.append(f"{'':>9}  {below}".rstrip())
    first, last = (f"{one.due_at.astimezone(zone):%Y-%m-%d}" for one in (ticks[0], ticks[-1]))
    dates = first if len(ticks) == 1 else f"{first}{last:>{max(len(ticks) - len(first), 12)}}"
    return [line for line in [*lines, f"{'':>9}  {dates}"] if line.strip()]


def _column(tick: GridTick, low: float, high: float) -> list[str]:
    """One tick from top to bottom."""
    cells = [" "] * _HEIGHT
    value = _drawn(tick.value)
    if value is None:
        return cells

    def row(at: float) -> int:
        return round((high - at) / (high - low) * (_HEIGHT - 1))

    lower, upper = _drawn(tick.low), _drawn(tick.high)
    if lower is not None and upper is not None:
        for place in range(row(upper), row(lower) + 1):
            cells[place] = "│"
    cells[row(value)] = "●"
    return cells
