"""Draws what Fabris et al. print: points with their lines by system, words along one axis.

Rows in, inline SVG out. Only a study that is run imports this module: the drawing library takes
half a second.
"""

from collections.abc import Mapping, Sequence

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Point = tuple[float, float]
#: (from x, from y, to x, to y).
Line = tuple[float, float, float, float]

_WIDTH, _HEIGHT = 300, 240
#: Room for the names of rows, and for the numbers of a vertical axis.
_NAMES, _NUMBERS = 204, 56
_LEGEND = 22
_TABLE = "The tables of this page have the same numbers."
#: Colour, shape and dash of the first, second and third system: what one says, the others do too.
_KINDS = (
    (_charts.FIRST, "circle", [1, 0]),
    (_charts.SECOND, "diamond", [7, 4]),
    (_charts.INK, "cross", [2, 3]),
)


def scatter(
    points: Mapping[str, Sequence[Point]],
    lines: Mapping[str, Line],
    name: str,
    title: str,
    axes: tuple[str, str],
) -> Markup:
    """Points of up to three systems, each with the line that was fitted to them, if any."""
    x = alt.X("x:Q", title=axes[0], scale=_scale(), axis=_axis())
    y = alt.Y("y:Q", title=axes[1], scale=_scale(), axis=_axis(_NUMBERS))
    layers: list[alt.Chart] = []
    for (system, some), (color, shape, dash) in zip(points.items(), _KINDS, strict=False):
        rows = [{"x": a, "y": b} for a, b in sorted(some)]
        layers.append(
            alt.Chart(_charts.data(rows))
            .mark_point(shape=shape, size=36, color=color, strokeWidth=1.4, opacity=0.8)
            .encode(x=x, y=y)
        )
        if system in lines:
            a, b, c, d = lines[system]
            ends = [{"x": a, "y": b}, {"x": c, "y": d}]
            line = alt.Chart(_charts.data(ends))
            layers.append(
                line.mark_line(color=color, strokeWidth=2, strokeDash=dash).encode(x=x, y=y)
            )
    chart = alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)
    whole = alt.vconcat(_legend(list(points)), chart, spacing=6)
    return _charts.draw(whole, name, title, _TABLE)


def _scale() -> alt.Scale:
    return alt.Scale(zero=False, nice=False, padding=8)


def _axis(room: int = 0) -> alt.Axis:
    return alt.Axis(tickCount=5, format=".2~f", grid=False, minExtent=room)


def _legend(systems: Sequence[str]) -> _charts.Drawing:
    """Who is who, in a row above the chart: each mark with its name."""
    step = _WIDTH / len(systems)
    y = alt.value(_LEGEND / 2)
    layers: list[alt.Chart] = []
    for place, (system, (color, shape, _)) in enumerate(zip(systems, _KINDS, strict=False)):
        one = alt.Chart(_charts.data([{"said": _charts.label(system)}]))
        layers += [
            one.mark_point(shape=shape, size=60, color=color, strokeWidth=1.8).encode(
                x=alt.value(place * step + 6), y=y
            ),
            one.mark_text(align="left", color=_charts.INK).encode(
                x=alt.value(place * step + 16), y=y, text="said:N"
            ),
        ]
    found: _charts.Drawing = alt.layer(*layers).properties(width=_WIDTH, height=_LEGEND)
    return found


def strips(groups: Mapping[str, Sequence[float]], name: str, title: str, axis: str) -> Markup:
    """One row for each group of words: a stroke for each word, and a diamond for their mean."""
    names = [_charts.label(one) for one in groups]
    rows = [
        {"label": label, "x": x} for label, some in zip(names, groups.values(), strict=True)
        for x in some
    ]  # fmt: skip
    means = [
        {"label": label, "x": sum(some) / len(some)}
        for label, some in zip(names, groups.values(), strict=True)
        if some
    ]
    x = alt.X(
        "x:Q",
        title=axis,
        scale=alt.Scale(zero=True, nice=False, padding=8),
        axis=alt.Axis(tickCount=5, format=".2~f"),
    )
    y = alt.Y(
        "label:N",
        sort=names,
        scale=alt.Scale(domain=names),
        title=None,
        axis=alt.Axis(ticks=False, domain=False, minExtent=_NAMES),
    )
    layers = [
        alt.Chart().mark_rule(color=_charts.QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(0)),
        alt.Chart(_charts.data(rows))
        .mark_tick(color=_charts.FIRST, thickness=1.5, size=16, opacity=0.7)
        .encode(x=x, y=y),
        alt.Chart(_charts.data(means))
        .mark_point(shape="diamond", filled=True, size=70, color=_charts.SECOND, opacity=1)
        .encode(x=x, y=y),
    ]
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=alt.Step(24))
    return _charts.draw(chart, name, title, _TABLE)
