"""Draws measures by cut-off, and one measure against another: rows in, inline SVG out.

Only a study that is run imports this module: the drawing library takes half a second.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Row = dict[str, Any]

_WIDTH, _HEIGHT, _BOX = 250, 150, 300
#: What tells systems apart beside their letter: colour, and how the line is broken.
_LINES = (
    (_charts.FIRST, [1, 0]), (_charts.SECOND, [1, 0]), (_charts.QUIET, [1, 0]),
    (_charts.FIRST, [6, 3]), (_charts.SECOND, [6, 3]), (_charts.QUIET, [6, 3]),
    (_charts.FIRST, [2, 2]), (_charts.SECOND, [2, 2]), (_charts.QUIET, [2, 2]),
)  # fmt: skip
#: As many lines as can be told apart.
MOST = len(_LINES)
#: With more systems than these their intervals would hide each other.
_BANDS = 2
#: Letters stand beside each other, since lines may end in one place.
_APART = 12
_TABLE = "The same numbers stand in the table of this page."


def lines(rows: Sequence[Row], name: str, title: str, panels: Sequence[str],
          low: float, high: float) -> Markup:  # fmt: skip
    """A line a system in one panel a measure, over cut-offs; a letter at its end says which.

    `rows` have panel, mark, cut, value, low and high, the last three None where there is none.
    """
    marks = list(dict.fromkeys(row["mark"] for row in rows))
    last = max(row["cut"] for row in rows)
    parts = [
        _panel([row for row in rows if row["panel"] == panel], panel, marks, last, (low, high),
               bottom=panel == panels[-1])
        for panel in panels
    ]  # fmt: skip
    return _charts.draw(alt.vconcat(*parts, spacing=16), name, title, _TABLE)


def _panel(rows: Sequence[Row], panel: str, marks: Sequence[str], last: int,
           ends: tuple[float, float], *, bottom: bool) -> _charts.Drawing:  # fmt: skip
    x = alt.X(
        "cut:Q",
        scale=alt.Scale(domain=[0.5, last + max(0.5, last / 20)], nice=False),
        axis=alt.Axis(values=_ticks(last), format="d", grid=False, labelFlush=False),
        title="cut-off" if bottom else None,
    )
    ticks = [ends[0], (ends[0] + ends[1]) / 2, ends[1]]
    y = alt.Y(
        "value:Q",
        scale=alt.Scale(domain=list(ends)),
        axis=alt.Axis(values=ticks, format=".2~f"),
        title=None,
    )
    there = [row for row in rows if row["value"] is not None]
    layers: list[alt.Chart] = []
    for at, mark in enumerate(marks):
        color, dash = _LINES[at]
        some = [row for row in there if row["mark"] == mark]
        base = alt.Chart(_charts.data(some))
        if len(marks) <= _BANDS:
            known = alt.Chart(_charts.data([row for row in some if row["low"] is not None]))
            layers.append(
                known.mark_rule(color=color, strokeWidth=1.5, opacity=0.5).encode(
                    x=x, y=alt.Y("low:Q"), y2="high:Q"
                )
            )
        layers.append(base.mark_line(color=color, strokeWidth=2, strokeDash=dash).encode(x=x, y=y))
        layers.append(
            base.mark_point(filled=True, size=22, color=color, opacity=1).encode(x=x, y=y)
        )
        if len(marks) > 1:
            layers.append(
                alt.Chart(_charts.data(some[-1:]))
                .mark_text(align="left", dx=6 + _APART * at, color=_charts.INK, fontWeight="bold")
                .encode(x=x, y=y, text="mark:N")
            )
    heading = alt.Title(panel, offset=6)
    return alt.layer(*layers).properties(title=heading, width=_WIDTH, height=_HEIGHT)


def _ticks(last: int) -> list[int]:
    """1 and four round steps."""
    step = max(1, round(last / 4))
    return [1, *(at for at in range(step, last + 1, step) if at > 1)]


def scatter(rows: Sequence[Row], name: str, title: str, across: str, up: str) -> Markup:
    """One ring a query: the first measure to the right, the second upwards.

    `rows` have first and second, all of them numbers from 0 to 1.
    """
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(values=_charts.ZERO_TO_ONE, format=".2~f")
    x = alt.X("first:Q", scale=scale, axis=axis, title=across)
    y = alt.Y("second:Q", scale=scale, axis=axis, title=up)
    ends = alt.Chart(_charts.data([{"at": 0}, {"at": 1}]))
    layers = [
        ends.mark_line(color=_charts.QUIET, strokeWidth=1, strokeDash=[2, 3]).encode(
            x="at:Q", y="at:Q"
        ),
        alt.Chart(_charts.data(rows))
        .mark_point(size=45, color=_charts.FIRST, strokeWidth=1.6, opacity=0.8)
        .encode(x=x, y=y),
    ]
    chart = alt.layer(*layers).properties(width=_BOX, height=_BOX)
    return _charts.draw(chart, name, title, _TABLE)


def dots(rows: Sequence[Row], name: str, title: str, axis: str) -> Markup:
    """One row each: a point from 0 to 1 with its interval, which the table says where it lacks.

    `rows` have label, value, low and high, the last three None where there is none.
    """
    rows, labels = _charts.labelled(rows, "label")
    base = alt.Chart(_charts.data(rows))
    y = alt.Y(
        "label:N",
        sort=labels,
        scale=alt.Scale(domain=labels),
        title=None,
        axis=alt.Axis(ticks=False, domain=False, minExtent=_charts.NAMES),
    )
    scale, ticks = alt.Scale(domain=[0, 1]), alt.Axis(values=_charts.ZERO_TO_ONE, format=".2~f")
    there = base.transform_filter("isValid(datum.value)")
    layers = [
        there.transform_filter("isValid(datum.low)")
        .mark_rule(color=_charts.FIRST, strokeWidth=2)
        .encode(x=alt.X("low:Q", scale=scale, axis=ticks, title=axis), x2="high:Q", y=y),
        there.mark_point(filled=True, size=80, color=_charts.FIRST, opacity=1).encode(
            x=alt.X("value:Q", scale=scale, axis=ticks, title=axis), y=y
        ),
        base.transform_filter("!isValid(datum.value)")
        .mark_text(align="left", color=_charts.INK, fontStyle="italic")
        .encode(x=alt.value(4), y=y, text=alt.TextDatum("no value")),
    ]
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=alt.Step(24))
    return _charts.draw(chart, name, title, _TABLE)
