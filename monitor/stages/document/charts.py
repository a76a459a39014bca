"""Draws the charts of the report: rows in, inline SVG out. Nothing is fetched and no script runs.

Colours are names of the page's own style, so that a chart follows light and dark; what a colour
says, a shape and a label say too. The drawing library is imported when the first chart is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from markupsafe import Markup

from monitor.stages.document.draw import LazyModule, inline
from monitor.stages.document.notation import shorten, visible
from monitor.store.rows import group_rows

if TYPE_CHECKING:
    import altair as alt
else:
    alt = LazyModule("altair")

Drawing: TypeAlias = "alt.LayerChart | alt.FacetChart | alt.VConcatChart"

Row = dict[str, Any]

INK, QUIET, GRID, AREA = "var(--ink)", "var(--quiet)", "var(--grid)", "var(--area)"
FIRST, SECOND = "var(--first)", "var(--second)"
_LONGEST_LABEL = 40
_FONT_SIZE = 14
#: Rows are narrow, so that their labels stay legible on a telephone; the labels get more room than
#: they are measured to need, because the reader's typeface may be wider.
ROW_WIDTH, NAMES, _OCCUPATIONS, _FRAMES = 220, 224, 160, 110
#: Steps of a log axis.
_STEPS = (2.0, 3.0, 10.0, 100.0, 1e4)
#: Width of a letter in the plane of f_m, and the f_s from which on names stand below the points.
_LETTER, _CROWDED = 0.04, 0.5
ZERO_TO_ONE = [0, 0.25, 0.5, 0.75, 1]


def label(text: str) -> str:
    """Captured names in charts: visible and short."""
    return shorten(visible(text), _LONGEST_LABEL)


def draw(chart: Drawing, name: str, title: str, text: str, class_name: str = "") -> Markup:
    """The chart in the colours of the page, as inline SVG with a title and a description.

    `class_name` as in `inline`.
    """
    axis = {
        "labelColor": INK, "titleColor": INK, "gridColor": GRID, "domainColor": QUIET,
        "tickColor": QUIET, "labelFontSize": _FONT_SIZE, "titleFontSize": _FONT_SIZE,
        "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "labelPadding": 6,
    }  # fmt: skip
    themed = chart.configure(
        axis=axis,
        view={"stroke": None},
        background="transparent",
        title={"color": INK, "fontSize": _FONT_SIZE, "anchor": "start", "limit": 0},
        text={"fontSize": _FONT_SIZE},
    )
    import vl_convert  # noqa: PLC0415 - a chart is drawn

    svg = vl_convert.vegalite_to_svg(themed.to_dict(validate=False))
    return inline(svg, name, visible(title), text, class_name)


def labelled(rows: Sequence[Row], name: str) -> tuple[list[Row], list[str]]:
    """Rows with their labels made fit to be shown, and these labels in order.

    Two names that are the same after that get numbers: one label is one place in a chart.
    """
    labels: list[str] = []
    for row in rows:
        text, same = label(row[name]), 1
        while text in labels:
            same += 1
            text = f"{label(row[name])} ({same})"
        labels.append(text)
    return [row | {name: label} for row, label in zip(rows, labels, strict=True)], labels


def data(rows: Sequence[Row]) -> alt.InlineData:
    """Rows as the data of a chart."""
    return alt.InlineData(list(rows))


def share_axis(field: str, title: str | list[str] | None) -> alt.X:
    """An axis of shares, from 0 to 1."""
    axis = alt.Axis(values=ZERO_TO_ONE, format=".2~f")
    return alt.X(field, scale=alt.Scale(domain=[0, 1]), axis=axis, title=title)


def name_axis(field: str, labels: Sequence[str], extent: int, *, grid: bool = False) -> alt.Y:
    """Names in a given order: rows without a value would come last in any other."""
    lines = True if grid else alt.Undefined
    axis = alt.Axis(ticks=False, domain=False, grid=lines, minExtent=extent)
    return alt.Y(field, sort=list(labels), title=None, axis=axis)


def estimates(
    base: alt.Chart, x: alt.X, y: alt.Y, shape: str, color: str, shift: int = 0
) -> list[alt.Chart]:
    """Points on their intervals; rows have low and high."""
    offset = shift or alt.Undefined
    points = base.mark_point(
        shape=shape, filled=True, size=80, color=color, opacity=1, yOffset=offset
    )
    return [
        base.mark_rule(color=color, strokeWidth=2, yOffset=offset).encode(
            x="low:Q", x2="high:Q", y=y
        ),
        points.encode(x=x, y=y),
    ]


def without_values(base: alt.Chart, at: float, y: alt.Y) -> alt.Chart:
    """The word for rows that have no value."""
    marks = base.transform_filter("!isValid(datum.value)").mark_text(
        align="left", color=INK, fontStyle="italic"
    )
    chart: alt.Chart = marks.encode(x=alt.XDatum(at), y=y, text=alt.TextDatum("INSUFFICIENT"))
    return chart


#: Women's stereotypes and twins are circles, men's are diamonds.
SHAPES = (("women", "circle", FIRST), ("men", "diamond", SECOND))
_BESIDE = "The same numbers stand in the table beside this chart."


def rates(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Masculine rates as points with intervals, women's stereotypes above men's.

    `rows` have about, label, value, low, high and mean (of their group), each None where there is
    no value, which the chart says in words.
    """
    groups = ((shape, [row for row in rows if row["about"] == shape[0]]) for shape in SHAPES)
    parts = [_rates_of(group, *shape, shape is SHAPES[-1]) for shape, group in groups if group]
    return draw(alt.vconcat(*parts, spacing=14), name, title, _BESIDE)


def _rates_of(rows: Sequence[Row], about: str, shape: str, color: str, last: bool) -> Drawing:
    rows, labels = labelled(rows, "label")
    base = alt.Chart(data(rows))
    y = name_axis("label:N", labels, NAMES)
    x = share_axis("value:Q", "share of masculine forms" if last else None)
    second_side = base.transform_filter("isValid(datum.value)")
    layers = [
        base.mark_rule(color=QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(0.5)),
        second_side.mark_rule(color=color, strokeWidth=1, opacity=0.8).encode(x="mean:Q"),
        *estimates(second_side, x, y, shape, color),
        without_values(base, 0.02, y),
    ]
    heading = alt.Title(f"Stereotypes about {about}", offset=6)
    return alt.layer(*layers).properties(title=heading, width=ROW_WIDTH, height=alt.Step(24))


def _named(rows: Sequence[Row]) -> list[Row]:
    """Where the letters stand: side by side on one height, each joined to its point by a line.

    Letters beside their points would be taken for a neighbour's. Points that cannot be told apart
    share a name.
    """
    ordered = sorted(rows, key=lambda row: (row["f_m"], row["f_s"]))
    points = group_rows(ordered, lambda row: (round(row["f_m"], 2), round(row["f_s"], 2)))
    height = -0.8 if max((f_s for _, f_s in points), default=0) > _CROWDED else 0.8
    named_rows: list[Row] = []
    end = 0.0
    for (f_m, f_s), group in points.items():
        half = _LETTER * (1 + len(group)) / 2
        position = max(end + half, f_m)
        marks = ", ".join(row["mark"] for row in group)
        named_rows.append(
            {"f_m": f_m, "f_s": f_s, "at": position, "height": height, "marks": marks}
        )
        end = position + half
    squeezed = min(1.0, 1 / end) if end else 1.0
    return [{**row, "at": row["at"] * squeezed} for row in named_rows]


def plane(rows: Sequence[Row], name: str, title: str) -> Markup:
    """f_s against f_m inside the rhombus that f_m leaves to f_s.

    `rows` have mark (a letter), f_m, f_s and their limits f_m_low, f_m_high, f_s_low, f_s_high.
    """
    rhombus = [{"f_m": m, "top": 2 * min(m, 1 - m), "low": -2 * min(m, 1 - m)} for m in (0, 0.5, 1)]
    edges = [{"from": 0, "to": 0.05}, {"from": 0.95, "to": 1}]
    x = share_axis("f_m:Q", "f_m: masculine rate, mean over stereotypes")
    y = alt.Y(
        "f_s:Q",
        scale=alt.Scale(domain=[-1, 1]),
        axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1]),
        title="f_s: men's minus women's stereotypes",
    )
    allowed, systems = alt.Chart(data(rhombus)), alt.Chart(data(rows))
    layers = [
        allowed.mark_area(color=AREA, opacity=1).encode(x=x, y=alt.Y("low:Q"), y2="top:Q"),
        allowed.mark_line(color=QUIET, strokeWidth=1).encode(x=x, y="top:Q"),
        allowed.mark_line(color=QUIET, strokeWidth=1).encode(x=x, y="low:Q"),
        alt.Chart(data(edges)).mark_rect(color=QUIET, opacity=0.25).encode(x="from:Q", x2="to:Q"),
        systems.mark_rule(color=FIRST, strokeWidth=2).encode(x=x, y="f_s_low:Q", y2="f_s_high:Q"),
        systems.mark_rule(color=FIRST, strokeWidth=2).encode(x="f_m_low:Q", x2="f_m_high:Q", y=y),
        systems.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(x=x, y=y),
    ]
    names = alt.Chart(data(_named(rows)))
    position = alt.X("at:Q", scale=alt.Scale(domain=[0, 1]))
    layers += [
        names.mark_rule(color=QUIET, strokeWidth=0.7).encode(
            x=position, x2="f_m:Q", y="height:Q", y2="f_s:Q"
        ),
        names.mark_text(dy=-7, color=INK, fontWeight="bold").encode(
            x=position, y="height:Q", text="marks:N"
        ),
    ]
    chart = alt.layer(*layers).properties(width=340, height=300)
    return draw(chart, name, title, "The same numbers stand in the table below this chart.")


def furthest(rows: Sequence[Row], name: str, title: str, model: str) -> Markup:
    """Model share with interval and reference share of some occupations, one row each.

    `rows` have topic, target, model, low and high, and stand in the order to be shown.
    """
    rows, labels = labelled(rows, "topic")
    base = alt.Chart(data(rows))
    y = name_axis("topic:N", labels, _OCCUPATIONS, grid=True)
    x = share_axis("model:Q", [f"● {label(model)}", "◇ share of women in the reference"])
    layers = [
        *estimates(base, x, y, "circle", FIRST),
        base.mark_point(shape="diamond", size=80, color=SECOND, strokeWidth=2, opacity=1).encode(
            x="target:Q", y=y
        ),
    ]
    chart = alt.layer(*layers).properties(width=ROW_WIDTH, height=alt.Step(24))
    return draw(chart, name, title, "The same numbers stand in the table below this chart.")


def twins(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Two shares with intervals per row: of sentences in which a woman, or a man, speaks.

    `rows` have label, said (women, men), value, low and high; rows without a value are left out.
    """
    order = list(dict.fromkeys(label(row["label"]) for row in rows))
    all_rows = [row | {"label": label(row["label"])} for row in rows if row["value"] is not None]
    y = name_axis("label:N", order, _FRAMES, grid=True).scale(domain=order)
    x = share_axis(
        "value:Q",
        ["share of forms of the gender that is said", "● a woman speaks   ◆ a man speaks"],
    )
    layers: list[alt.Chart] = []
    for (text, shape, color), shift in zip(SHAPES, (-5, 5), strict=True):
        base = alt.Chart(data(all_rows)).transform_filter(f"datum.said == '{text}'")
        layers += estimates(base, x, y, shape, color, shift)
    chart = alt.layer(*layers).properties(width=ROW_WIDTH, height=alt.Step(34))
    return draw(chart, name, title, _BESIDE)


def ratios(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Ratios by stereotype with intervals on a log axis, with 1 = none in the middle.

    `rows` have about, label, value, low and high, and stand in the order to be shown.
    """
    rows, labels = labelled(rows, "label")
    base = alt.Chart(data(rows))
    measured = [n for row in rows for n in (row["low"], row["high"], row["value"]) if n]
    far = max([2.0, *(max(n, 1 / n) for n in measured)])
    y = name_axis("label:N", labels, NAMES)
    x = alt.X(
        "value:Q",
        scale=alt.Scale(type="log", domain=[1 / far, far]),
        axis=alt.Axis(values=_list_powers(far), format=".2~r"),
        title=["q_i: masculine over feminine probability", "(log axis; 1 = neither is likelier)"],
    )
    second_side = base.transform_filter("isValid(datum.value)")
    layers: list[alt.Chart] = [
        base.mark_rule(color=QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(1))
    ]
    for about, shape, color in SHAPES:
        group = second_side.transform_filter(f"datum.about == '{about}'")
        layers += estimates(group, x, y, shape, color)
    layers.append(without_values(base, 1 / far, y))
    chart = alt.layer(*layers).properties(width=ROW_WIDTH, height=alt.Step(24))
    return draw(chart, name, title, _BESIDE)


def _list_powers(far: float) -> list[float]:
    """Some places on a log axis from 1/far to far, the same on both sides of 1."""
    step = next((s for s in _STEPS if s**4 >= far), _STEPS[-1])
    above = [step**n for n in (1, 2, 3) if step**n <= far]
    return [*(1 / n for n in reversed(above)), 1.0, *above]
