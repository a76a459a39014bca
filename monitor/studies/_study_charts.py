"""Charts of studies: heat maps, ranges, points with fitted lines, curves by cut-off.

Rows become inline SVG. Only a running study imports this module: the drawing library takes half a
second to load.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages.document import charts

Row = dict[str, Any]

_CELL, _STEP, _SMALL = 30, 22, 11
_LETTER = 8
#: How far two that share a row stand from its middle.
_PAIR_OFFSET = 6
_RANKS = [1, 4, 8, 12, 16]
#: Where a log axis may end.
_STEPS = (1.1, 1.25, 1.5, 2.0, 4.0, 10.0, 100.0, 1e4)
#: How dark a cell may be for its number to stay legible in light and dark.
_DARKEST = 0.55
_SAME_NUMBERS = "The same numbers stand in the table of this page."


def draw_heat_map(rows: Sequence[Row], name: str, title: str) -> Markup:
    """A map: the fuller the colour, the larger. A cell without a number has a dash.

    `rows` have label and column, in the order to be shown, strength from 0 to 1, and shown, the
    number as it is written; both are None where there is none.
    """
    columns, labels = _label_names(rows, "column"), _label_names(rows, "label")
    across, down = list(columns.values()), list(labels.values())
    cells = [
        {
            "label": labels[row["label"]],
            "column": columns[row["column"]],
            "strength": _DARKEST * (row["strength"] or 0.0),
            "shown": row["shown"] or "–",
        }
        for row in rows
    ]
    upright = _label_width(across) <= _CELL
    axis = alt.Axis(
        orient="top",
        ticks=False,
        domain=False,
        labelAngle=0 if upright else -90,
        minExtent=0 if upright else _label_width(across),
    )
    base = alt.Chart(charts.data(cells)).encode(
        x=alt.X("column:N", sort=across, scale=alt.Scale(domain=across), title=None, axis=axis),
        y=_place_rows(down, _label_width(down)),
    )
    layers = [
        base.mark_rect(color=charts.FIRST, stroke=charts.GRID, strokeWidth=1).encode(
            fillOpacity=alt.FillOpacity("strength:Q", scale=None)
        ),
        base.mark_text(color=charts.INK, fontSize=_SMALL).encode(text="shown:N"),
    ]
    chart = alt.layer(*layers).properties(width=alt.Step(_CELL), height=alt.Step(_STEP))
    return charts.draw(chart, name, title, _SAME_NUMBERS)


def _place_rows(labels: Sequence[str], extent: int) -> alt.Y:
    """One row each in this order, those without a mark too."""
    return charts.name_axis("label:N", labels, extent).scale(domain=list(labels))


def _label_names(rows: Sequence[Row], key: str) -> dict[str, str]:
    """{name: its label}, in order; names that are the same when shown get numbers."""
    names = list(dict.fromkeys(row[key] for row in rows))
    _, labels = charts.labelled([{key: name} for name in names], key)
    return dict(zip(names, labels, strict=True))


def _label_width(labels: Sequence[str]) -> int:
    """Pixels that the longest label may take, in the typeface of any reader."""
    return _LETTER * max(map(len, labels))


def draw_ranges(
    rows: Sequence[Row], name: str, title: str, axis: str, *, log: bool = False
) -> Markup:
    """One row each: a point with the range that it stands for.

    `rows` have label, second (whether it is a diamond in the second colour), value, low and high,
    None where there is none, which the chart says in words. Two with one label share a row. With
    `log`, 1 stands in the middle of a log axis.
    """
    labels_by_name = _label_names(rows, "label")
    labels, apart = (
        list(labels_by_name.values()),
        _PAIR_OFFSET if len(labels_by_name) < len(rows) else 0,
    )
    base = alt.Chart(charts.data([row | {"label": labels_by_name[row["label"]]} for row in rows]))
    y = _place_rows(labels, charts.NAMES)
    scale, ticks = _range_axis(rows, log=log)
    x = alt.X("low:Q", scale=scale, axis=ticks, title=axis)
    layers: list[alt.Chart] = []
    for second, shape, color, shift in (
        ("false", "circle", charts.FIRST, -apart),
        ("true", "diamond", charts.SECOND, apart),
    ):
        filtered = base.transform_filter(f"datum.second == {second} && isValid(datum.value)")
        layers += [
            filtered.transform_filter("isValid(datum.low)")
            .mark_rule(color=color, strokeWidth=2, yOffset=shift)
            .encode(x=x, x2="high:Q", y=y),
            filtered.mark_point(
                shape=shape, filled=True, size=80, color=color, opacity=1, yOffset=shift
            ).encode(x=alt.X("value:Q", scale=scale), y=y),
        ]
    marks = base.transform_filter("!isValid(datum.value)").mark_text(
        align="left", color=charts.INK, fontStyle="italic"
    )
    layers.append(marks.encode(x=alt.value(4), y=y, text=alt.TextDatum("no value")))
    height = alt.Step(_STEP + apart)
    chart = alt.layer(*layers).properties(width=charts.ROW_WIDTH, height=height)
    return charts.draw(chart, name, title, _SAME_NUMBERS)


def _range_axis(rows: Sequence[Row], *, log: bool) -> tuple[alt.Scale, alt.Axis]:
    ends = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
    if log:
        far = max((max(n, 1 / n) for n in ends), default=1.0)
        end = next((step for step in _STEPS if step >= far), far)
        scale = alt.Scale(type="log", domain=[1 / end, end])
        return scale, alt.Axis(values=[1 / end, 1.0, end], format=".3~r")
    if max(ends, default=0.0) <= 1:
        return alt.Scale(domain=[0, 1]), alt.Axis(values=charts.ZERO_TO_ONE, format=".2~f")
    return alt.Scale(domain=[1, max(ends)], nice=False), alt.Axis(values=_RANKS)


Point = tuple[float, float]
#: (from x, from y, to x, to y).
Line = tuple[float, float, float, float]

_POINTS_WIDTH, _POINTS_HEIGHT = 300, 240
#: Room for the names of rows, and for the numbers of a vertical axis.
_NAMES, _NUMBERS = 204, 56
_LEGEND = 22
_TABLE = "The tables of this page have the same numbers."
#: Colour, shape and dash of the first, second and third system: what one says, the others do too.
_KINDS = (
    (charts.FIRST, "circle", [1, 0]),
    (charts.SECOND, "diamond", [7, 4]),
    (charts.INK, "cross", [2, 3]),
)


def draw_system_points(
    points: Mapping[str, Sequence[Point]],
    lines: Mapping[str, Line],
    name: str,
    title: str,
    axes: tuple[str, str],
) -> Markup:
    """Points of up to three systems, each with the line that was fitted to them, if any."""
    x = alt.X("x:Q", title=axes[0], scale=_point_scale(), axis=_word_axis())
    y = alt.Y("y:Q", title=axes[1], scale=_point_scale(), axis=_word_axis(_NUMBERS))
    layers: list[alt.Chart] = []
    for (system, system_points), (color, shape, dash) in zip(points.items(), _KINDS, strict=False):
        rows = [{"x": a, "y": b} for a, b in sorted(system_points)]
        layers.append(
            alt.Chart(charts.data(rows))
            .mark_point(shape=shape, size=36, color=color, strokeWidth=1.4, opacity=0.8)
            .encode(x=x, y=y)
        )
        if system in lines:
            a, b, c, d = lines[system]
            ends = [{"x": a, "y": b}, {"x": c, "y": d}]
            line = alt.Chart(charts.data(ends))
            layers.append(
                line.mark_line(color=color, strokeWidth=2, strokeDash=dash).encode(x=x, y=y)
            )
    chart = alt.layer(*layers).properties(width=_POINTS_WIDTH, height=_POINTS_HEIGHT)
    whole = alt.vconcat(_draw_legend(list(points)), chart, spacing=6)
    return charts.draw(whole, name, title, _TABLE)


def _point_scale() -> alt.Scale:
    return alt.Scale(zero=False, nice=False, padding=8)


def _word_axis(room: int = 0) -> alt.Axis:
    return alt.Axis(tickCount=5, format=".2~f", grid=False, minExtent=room)


def _draw_legend(systems: Sequence[str]) -> charts.Drawing:
    """Draw the legend above the chart: each mark with its name."""
    step = _POINTS_WIDTH / len(systems)
    y = alt.value(_LEGEND / 2)
    layers: list[alt.Chart] = []
    for position, (system, (color, shape, _)) in enumerate(zip(systems, _KINDS, strict=False)):
        mark_chart = alt.Chart(charts.data([{"said": charts.label(system)}]))
        layers += [
            mark_chart.mark_point(shape=shape, size=60, color=color, strokeWidth=1.8).encode(
                x=alt.value(position * step + 6), y=y
            ),
            mark_chart.mark_text(align="left", color=charts.INK).encode(
                x=alt.value(position * step + 16), y=y, text="said:N"
            ),
        ]
    legend: charts.Drawing = alt.layer(*layers).properties(width=_POINTS_WIDTH, height=_LEGEND)
    return legend


def draw_strips(groups: Mapping[str, Sequence[float]], name: str, title: str, axis: str) -> Markup:
    """One row for each group of words: a stroke for each word, and a diamond for their mean."""
    names = [charts.label(group) for group in groups]
    rows = [
        {"label": label, "x": x} for label, values in zip(names, groups.values(), strict=True)
        for x in values
    ]  # fmt: skip
    means = [
        {"label": label, "x": sum(values) / len(values)}
        for label, values in zip(names, groups.values(), strict=True)
        if values
    ]
    x = alt.X(
        "x:Q",
        title=axis,
        scale=alt.Scale(zero=True, nice=False, padding=8),
        axis=alt.Axis(tickCount=5, format=".2~f"),
    )
    y = _place_rows(names, _NAMES)
    layers = [
        alt.Chart().mark_rule(color=charts.QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(0)),
        alt.Chart(charts.data(rows))
        .mark_tick(color=charts.FIRST, thickness=1.5, size=16, opacity=0.7)
        .encode(x=x, y=y),
        alt.Chart(charts.data(means))
        .mark_point(shape="diamond", filled=True, size=70, color=charts.SECOND, opacity=1)
        .encode(x=x, y=y),
    ]
    chart = alt.layer(*layers).properties(width=charts.ROW_WIDTH, height=alt.Step(24))
    return charts.draw(chart, name, title, _TABLE)


_WIDTH, _HEIGHT, _BOX = 250, 150, 300
#: What tells systems apart beside their letter: colour, and how the line is broken.
_LINES = (
    (charts.FIRST, [1, 0]), (charts.SECOND, [1, 0]), (charts.QUIET, [1, 0]),
    (charts.FIRST, [6, 3]), (charts.SECOND, [6, 3]), (charts.QUIET, [6, 3]),
    (charts.FIRST, [2, 2]), (charts.SECOND, [2, 2]), (charts.QUIET, [2, 2]),
)  # fmt: skip
#: As many lines as can be told apart.
MOST = len(_LINES)
#: With more systems than these their intervals would hide each other.
_BANDS = 2
#: Letters stand beside each other, since lines may end in one place.
_APART = 12


def draw_curves(rows: Sequence[Row], name: str, title: str, panels: Sequence[str],
          low: float, high: float) -> Markup:  # fmt: skip
    """A line a system in one panel a measure, over cut-offs; a letter at its end says which.

    `rows` have panel, mark, cut, value, low and high, the last three None where there is none.
    """
    marks = list(dict.fromkeys(row["mark"] for row in rows))
    last = max(row["cut"] for row in rows)
    parts = [
        _draw_panel([row for row in rows if row["panel"] == panel], panel, marks, last, (low, high),
               bottom=panel == panels[-1])
        for panel in panels
    ]  # fmt: skip
    return charts.draw(alt.vconcat(*parts, spacing=16), name, title, _SAME_NUMBERS)


def _draw_panel(rows: Sequence[Row], panel: str, marks: Sequence[str], last: int,
           ends: tuple[float, float], *, bottom: bool) -> charts.Drawing:  # fmt: skip
    x = alt.X(
        "cut:Q",
        scale=alt.Scale(domain=[0.5, last + max(0.5, last / 20)], nice=False),
        axis=alt.Axis(values=_cutoff_ticks(last), format="d", grid=False, labelFlush=False),
        title="cut-off" if bottom else None,
    )
    ticks = [ends[0], (ends[0] + ends[1]) / 2, ends[1]]
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=list(ends)),
        axis=alt.Axis(values=ticks, format=".2~f"),
        title=None,
    )
    measured_rows = [row for row in rows if row["value"] is not None]
    layers: list[alt.Chart] = []
    for index, mark in enumerate(marks):
        color, dash = _LINES[index]
        mark_rows = [row for row in measured_rows if row["mark"] == mark]
        base = alt.Chart(charts.data(mark_rows))
        if len(marks) <= _BANDS:
            intervals = alt.Chart(charts.data([row for row in mark_rows if row["low"] is not None]))
            layers.append(
                intervals.mark_rule(color=color, strokeWidth=1.5, opacity=0.5).encode(
                    x=x, y=alt.Y("low:Q"), y2="high:Q"
                )
            )
        layers.append(base.mark_line(color=color, strokeWidth=2, strokeDash=dash).encode(x=x, y=y))
        layers.append(
            base.mark_point(filled=True, size=22, color=color, opacity=1).encode(x=x, y=y)
        )
        if len(marks) > 1:
            layers.append(
                alt.Chart(charts.data(mark_rows[-1:]))
                .mark_text(align="left", dx=6 + _APART * index, color=charts.INK, fontWeight="bold")
                .encode(x=x, y=y, text="mark:N")
            )
    heading = alt.Title(panel, offset=6)
    return alt.layer(*layers).properties(title=heading, width=_WIDTH, height=_HEIGHT)


def _cutoff_ticks(last: int) -> list[int]:
    """1 and four round steps."""
    step = max(1, round(last / 4))
    return [1, *(tick for tick in range(step, last + 1, step) if tick > 1)]


def draw_value_pairs(rows: Sequence[Row], name: str, title: str, across: str, up: str) -> Markup:
    """One ring a query: the first measure to the right, the second upwards.

    `rows` have first and second, all of them numbers from 0 to 1.
    """
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(values=charts.ZERO_TO_ONE, format=".2~f")
    x = alt.X("first:Q", scale=scale, axis=axis, title=across)
    y = alt.Y("second:Q", scale=scale, axis=axis, title=up)
    ends = alt.Chart(charts.data([{"at": 0}, {"at": 1}]))
    layers = [
        ends.mark_line(color=charts.QUIET, strokeWidth=1, strokeDash=[2, 3]).encode(
            x="at:Q", y="at:Q"
        ),
        alt.Chart(charts.data(rows))
        .mark_point(size=45, color=charts.FIRST, strokeWidth=1.6, opacity=0.8)
        .encode(x=x, y=y),
    ]
    chart = alt.layer(*layers).properties(width=_BOX, height=_BOX)
    return charts.draw(chart, name, title, _SAME_NUMBERS)


#: Rows of languages, how far two marks of one stand from its middle, and the shortest axis.
_SIDES_STEP, _SIDES_APART, _LANGUAGE_WIDTH = 28, 5, 40
_LEAST_END = 0.01


def draw_sides(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Draw two shares per language: read as masculine only, and read as feminine only.

    `rows` have language, side (masculine, feminine) and share.
    """
    order = list(dict.fromkeys(row["language"] for row in rows))
    end = max(_LEAST_END, *(row["share"] for row in rows))
    scale = alt.Scale(domain=[0, end])
    y = charts.name_axis("language:N", order, _LANGUAGE_WIDTH, grid=True)
    x = alt.X(
        "share:Q",
        scale=scale,
        axis=alt.Axis(values=[0, end / 2, end], format=".2~p"),
        title=["share of sentences", "● feminine only   ◆ masculine only"],
    )
    data = charts.data([row | {"none": 0} for row in rows])
    layers: list[alt.Chart] = []
    for side, shape, color, shift in (
        ("feminine", "circle", charts.FIRST, -_SIDES_APART),
        ("masculine", "diamond", charts.SECOND, _SIDES_APART),
    ):
        base = alt.Chart(data).transform_filter(f"datum.side == '{side}'")
        layers += [
            base.mark_rule(color=color, strokeWidth=2, yOffset=shift).encode(
                x=alt.X("none:Q", scale=scale), x2="share:Q", y=y
            ),
            base.mark_point(
                shape=shape, filled=True, size=80, color=color, opacity=1, yOffset=shift
            ).encode(x=x, y=y),
        ]
    chart = alt.layer(*layers).properties(width=charts.ROW_WIDTH, height=alt.Step(_SIDES_STEP))
    return charts.draw(chart, name, title, "The same numbers stand in the table of languages.")
