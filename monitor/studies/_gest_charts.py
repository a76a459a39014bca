"""Draws what GEST prints: maps of a number by stereotype, places on an axis, correlations.

Rows in, inline SVG out. Only a study that is run imports this module: the drawing library takes
half a second.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Row = dict[str, Any]

_CELL, _STEP, _SMALL = 30, 22, 11
_LETTER = 8
#: How far two that share a row stand from its middle.
_APART = 6
_RANKS = [1, 4, 8, 12, 16]
#: Where a log axis may end.
_STEPS = (1.1, 1.25, 1.5, 2.0, 4.0, 10.0, 100.0, 1e4)
#: How dark a cell may be for its number to stay legible in light and dark.
_DARKEST = 0.55
_TABLE = "The same numbers stand in the table of this page."


def heat(rows: Sequence[Row], name: str, title: str) -> Markup:
    """A map: the fuller the colour, the larger. A cell without a number has a dash.

    `rows` have label and column, in the order to be shown, strength from 0 to 1, and shown, the
    number as it is written; both are None where there is none.
    """
    columns, labels = _shown(rows, "column"), _shown(rows, "label")
    across, down = list(columns.values()), list(labels.values())
    drawn = [
        {
            "label": labels[row["label"]],
            "column": columns[row["column"]],
            "strength": _DARKEST * (row["strength"] or 0.0),
            "shown": row["shown"] or "–",
        }
        for row in rows
    ]
    upright = _room(across) <= _CELL
    axis = alt.Axis(
        orient="top",
        ticks=False,
        domain=False,
        labelAngle=0 if upright else -90,
        minExtent=0 if upright else _room(across),
    )
    down_axis = alt.Axis(ticks=False, domain=False, minExtent=_room(down))
    base = alt.Chart(_charts.data(drawn)).encode(
        x=alt.X("column:N", sort=across, scale=alt.Scale(domain=across), title=None, axis=axis),
        y=alt.Y("label:N", sort=down, scale=alt.Scale(domain=down), title=None, axis=down_axis),
    )
    layers = [
        base.mark_rect(color=_charts.FIRST, stroke=_charts.GRID, strokeWidth=1).encode(
            fillOpacity=alt.FillOpacity("strength:Q", scale=None)
        ),
        base.mark_text(color=_charts.INK, fontSize=_SMALL).encode(text="shown:N"),
    ]
    chart = alt.layer(*layers).properties(width=alt.Step(_CELL), height=alt.Step(_STEP))
    return _charts.draw(chart, name, title, _TABLE)


def _shown(rows: Sequence[Row], key: str) -> dict[str, str]:
    """{name: its label}, in order; names that are the same when shown get numbers."""
    names = list(dict.fromkeys(row[key] for row in rows))
    _, shown = _charts.labelled([{key: name} for name in names], key)
    return dict(zip(names, shown, strict=True))


def _room(labels: Sequence[str]) -> int:
    """Pixels that the longest label may take, in the typeface of any reader."""
    return _LETTER * max(map(len, labels))


def places(rows: Sequence[Row], name: str, title: str, axis: str, *, log: bool = False) -> Markup:
    """One row each: a point with the range that it stands for.

    `rows` have label, second (whether it is a diamond in the second colour), value, low and high,
    None where there is none, which the chart says in words. Two with one label share a row. With
    `log`, 1 stands in the middle of a log axis.
    """
    shown = _shown(rows, "label")
    labels, apart = list(shown.values()), _APART if len(shown) < len(rows) else 0
    base = alt.Chart(_charts.data([row | {"label": shown[row["label"]]} for row in rows]))
    y = alt.Y(
        "label:N",
        sort=labels,
        scale=alt.Scale(domain=labels),
        title=None,
        axis=alt.Axis(ticks=False, domain=False, minExtent=_charts.NAMES),
    )
    scale, ticks = _axis(rows, log=log)
    x = alt.X("low:Q", scale=scale, axis=ticks, title=axis)
    layers: list[alt.Chart] = []
    for second, shape, color, shift in (
        ("false", "circle", _charts.FIRST, -apart),
        ("true", "diamond", _charts.SECOND, apart),
    ):
        some = base.transform_filter(f"datum.second == {second} && isValid(datum.value)")
        layers += [
            some.mark_rule(color=color, strokeWidth=2, yOffset=shift).encode(x=x, x2="high:Q", y=y),
            some.mark_point(
                shape=shape, filled=True, size=80, color=color, opacity=1, yOffset=shift
            ).encode(x=alt.X("value:Q", scale=scale), y=y),
        ]
    layers.append(
        base.transform_filter("!isValid(datum.value)")
        .mark_text(align="left", color=_charts.INK, fontStyle="italic")
        .encode(x=alt.value(4), y=y, text=alt.TextDatum("INSUFFICIENT"))
    )
    height = alt.Step(_STEP + apart)
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=height)
    return _charts.draw(chart, name, title, _TABLE)


def _axis(rows: Sequence[Row], *, log: bool) -> tuple[alt.Scale, alt.Axis]:
    known = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
    if log:
        far = max((max(n, 1 / n) for n in known), default=1.0)
        end = next((step for step in _STEPS if step >= far), far)
        scale = alt.Scale(type="log", domain=[1 / end, end])
        return scale, alt.Axis(values=[1 / end, 1.0, end], format=".3~r")
    if max(known, default=0.0) <= 1:
        return alt.Scale(domain=[0, 1]), alt.Axis(values=_charts.ZERO_TO_ONE, format=".2~f")
    return alt.Scale(domain=[1, max(known)], nice=False), alt.Axis(values=_RANKS)
