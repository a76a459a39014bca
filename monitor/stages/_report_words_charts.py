"""Draws ranked lists by their words: a slope over queries, and measures along the cut-offs.

All queries of a scatter are one path: a mark for each would take as much room as all the rest of a
report with several systems.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Row = dict[str, Any]
#: (from x, from y, to x, to y).
Line = tuple[float, float, float, float]

_WIDTH, _HEIGHT = 300, 240
_NARROW, _LOW, _COLUMNS = 190, 120, 3
_DOT = 5
#: How far axes go beyond the outermost point, as a share of the range.
_MARGIN = 0.06
#: What an axis spans at least: five ticks whose labels, of two digits, differ.
_LEAST_RANGE = 0.05


def scatter(
    points: Sequence[tuple[float, float]],
    lines: Mapping[str, Line],
    name: str,
    title: str,
    top: Sequence[tuple[float, float]] = (),
) -> Markup:
    """List genderedness against query genderedness, one point a query, with the fitted line.

    `lines` are "fitted" and, where judgements exist, "relevant"; `top` are the points of the most
    influential queries.
    """
    ends = [(line[at], line[at + 1]) for line in lines.values() for at in (0, 2)]
    axis = alt.Axis(tickCount=5, format=".2~f", grid=False)
    x = alt.X(
        "x:Q",
        scale=_scale([a for a, _ in (*points, *ends)]),
        axis=axis,
        title="genderedness of the query: men ← → women",
    )
    y = alt.Y(
        "y:Q",
        scale=_scale([b for _, b in (*points, *ends)]),
        axis=axis,
        title="genderedness of its list",
    )
    layers = [
        *_zeros(points),
        _dots(points, x, y, _charts.FIRST, _DOT),
        *([_dots(top, x, y, _charts.SECOND, _DOT + 3)] if top else []),
        *(_line(kind, line, x, y) for kind, line in lines.items()),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)
    return _charts.draw(chart, name, title, "The table of all queries has the same numbers.")


def _scale(values: Sequence[float]) -> alt.Scale:
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    reach = room * (0.5 + _MARGIN)
    middle = (low + high) / 2
    return alt.Scale(domain=[middle - reach, middle + reach], nice=False)


def _zeros(points: Sequence[tuple[float, float]]) -> list[alt.Chart]:
    """A rule where nothing leans to women or men, on each axis that reaches it."""
    x, y = [a for a, _ in points], [b for _, b in points]
    found = [_rule(x=alt.XDatum(0))] if min(x) <= 0 <= max(x) else []
    return [*found, _rule(y=alt.YDatum(0))] if min(y) <= 0 <= max(y) else found


def _rule(**at: alt.XDatum | alt.YDatum) -> alt.Chart:
    chart: alt.Chart = alt.Chart().mark_rule(color=_charts.QUIET, strokeDash=[2, 3]).encode(**at)
    return chart


def _dots(
    points: Sequence[tuple[float, float]], x: alt.X, y: alt.Y, color: str, size: float
) -> alt.Chart:
    """One path of dots: a line that is broken after each point, with round ends."""
    rows: list[Row] = []
    for a, b in sorted(points):
        rows += [{"n": len(rows), "x": a, "y": b}, {"n": len(rows) + 1, "x": None, "y": None}]
    mark = alt.Chart(_charts.data(rows)).mark_line(
        color=color, strokeWidth=size, strokeCap="round", opacity=0.75
    )
    chart: alt.Chart = mark.encode(x=x, y=y, order="n:Q")
    return chart


def _line(kind: str, line: Line, x: alt.X, y: alt.Y) -> alt.Chart:
    fitted = kind == "fitted"
    rows = [{"x": line[0], "y": line[1]}, {"x": line[2], "y": line[3]}]
    mark = alt.Chart(_charts.data(rows)).mark_line(
        color=_charts.INK if fitted else _charts.SECOND,
        strokeWidth=2,
        strokeDash=[1, 0] if fitted else [7, 4],
    )
    chart: alt.Chart = mark.encode(x=x, y=y)
    return chart


def curves(rows: Sequence[Row], signed: Sequence[str], name: str, title: str) -> Markup:
    """Measures by cut-off with their intervals, one panel a measure.

    `rows` have measure, cut, value, low and high, the last three None where there is no value.
    """
    titles = list(dict.fromkeys(row["measure"] for row in rows))
    panels = [
        _panel([row for row in rows if row["measure"] == title], title, signed=title in signed)
        for title in titles
    ]
    lines = [
        alt.hconcat(*panels[index : index + _COLUMNS], spacing=18)
        for index in range(0, len(panels), _COLUMNS)
    ]
    chart = alt.vconcat(*lines, spacing=14)
    return _charts.draw(chart, name, title, "The same numbers stand in the table above this chart.")


def _panel(rows: Sequence[Row], measure: str, *, signed: bool) -> _charts.Drawing:
    known_rows = [row for row in rows if row["value"] is not None]
    ends = [
        row[end] for row in known_rows for end in ("value", "low", "high") if row[end] is not None
    ]
    low, high = min([*ends, 0.0]), max([*ends, 0.0 if signed else 1.0])
    x = alt.X(
        "cut:O",
        scale=alt.Scale(domain=sorted({row["cut"] for row in rows})),
        axis=alt.Axis(labelAngle=0, labelOverlap=True),
        title="first documents",
    )
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[low, high], nice=signed),
        axis=alt.Axis(tickCount=4, format=".2~f"),
        title=None,
    )
    base = alt.Chart(_charts.data(known_rows))
    layers = [
        base.mark_line(color=_charts.QUIET, strokeWidth=1).encode(x=x, y=y),
        base.mark_rule(color=_charts.FIRST, strokeWidth=2).encode(x=x, y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=45, color=_charts.FIRST, opacity=1).encode(x=x, y=y),
    ]
    if signed:
        layers.insert(0, _rule(y=alt.YDatum(0)))
    heading = alt.Title(_charts.label(measure), offset=6)
    panel: _charts.Drawing = alt.layer(*layers).properties(
        title=heading, width=_NARROW, height=_LOW
    )
    return panel
