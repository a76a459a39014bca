"""Draws the mirror test: shares that were read on one side only, by language."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages.document import charts

Row = dict[str, Any]

_STEP, _APART, _NAMES = 28, 5, 40
_LEAST = 0.01


def draw_sides(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Draw two shares per language: read as masculine only, and read as feminine only.

    `rows` have language, side (masculine, feminine) and share.
    """
    order = list(dict.fromkeys(row["language"] for row in rows))
    end = max(_LEAST, *(row["share"] for row in rows))
    scale = alt.Scale(domain=[0, end])
    y = alt.Y(
        "language:N",
        scale=alt.Scale(domain=order),
        sort=order,
        title=None,
        axis=alt.Axis(ticks=False, domain=False, grid=True, minExtent=_NAMES),
    )
    x = alt.X(
        "share:Q",
        scale=scale,
        axis=alt.Axis(values=[0, end / 2, end], format=".2~p"),
        title=["share of sentences", "● feminine only   ◆ masculine only"],
    )
    data = charts.data([row | {"none": 0} for row in rows])
    layers: list[alt.Chart] = []
    for side, shape, color, shift in (
        ("feminine", "circle", charts.FIRST, -_APART),
        ("masculine", "diamond", charts.SECOND, _APART),
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
    chart = alt.layer(*layers).properties(width=charts.ROW_WIDTH, height=alt.Step(_STEP))
    return charts.draw(chart, name, title, "The same numbers stand in the table of languages.")
