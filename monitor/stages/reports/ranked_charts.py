"""Charts of ranked lists: people by cut-off and profession, words over queries and cut-offs.

One faceted chart draws all references: a chart for each would take as long as all the rest of a
report.

All queries of a scatter are one path: a mark for each would take as much room as all the rest of a
report with several systems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from monitor.stages.document import charts
from monitor.stages.document.draw import LazyModule

if TYPE_CHECKING:
    import altair as alt
else:
    alt = LazyModule("altair")


# --- people ---------------------------------------------------------------------------------------

Row = dict[str, Any]

_NARROW, _MIDDLE, _WIDE, _HEIGHT = 150, 200, 320, 92
_COLUMNS = 3  # of histograms
_BINS = 10  # from 0 to 1
#: Half the width of a bar, as a share of a bin.
_HALF = 0.42
#: Where the axes of bias may end.
_STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
_MEASURES = ("mb", "mab", "null")


def draw_cutoffs(rows: Sequence[Row], name: str, title: str) -> Markup:
    """MB and MAB at each cut-off, one column a reference, with the range that chance gives to MAB.

    `rows` have reference, cut, and mb, mab and null with their _low and _high, all None where
    there is no value.
    """
    rows, references = _with_titles(rows)
    cuts = sorted({row["cut"] for row in rows})
    known_rows = [row for row in rows if row["mb"] is not None]
    ends = [
        abs(row[f"{m}_{end}"] or 0)
        for row in known_rows
        for m in _MEASURES
        for end in ("low", "high")
    ]
    top = next((step for step in _STEPS if step >= max(ends)), _STEPS[-1])
    lines = [
        _draw_cutoff_line(known_rows, "mb", [-top, 0, top], cuts, references),
        _draw_cutoff_line(known_rows, "mab", [0, top / 2, top], cuts, references),
    ]
    chart = alt.vconcat(*lines, spacing=6)
    return charts.draw(chart, name, title, "The same numbers stand in the table above this chart.")


def _with_titles(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows with their references made fit to be shown, and these in order."""
    order = list(dict.fromkeys(row["reference"] for row in rows))
    _, texts = charts.labelled([{"reference": name} for name in order], "reference")
    titles = dict(zip(order, texts, strict=True))
    return [row | {"reference": titles[row["reference"]]} for row in rows], texts


def _faceted(layers: Sequence[alt.Chart], rows: Sequence[Row], references: Sequence[str],
             columns: int, *, named: bool, width: int) -> alt.FacetChart:  # fmt: skip
    header = alt.Header(
        labelExpr="split(datum.label, ', ')" if named else "''", labelColor=charts.INK,
        labelFontSize=12, labelLimit=width + 20, labelPadding=4 if named else 0,
    )  # fmt: skip
    facet = alt.Facet("reference:N", sort=list(references), title=None, header=header)
    drawn_properties = alt.layer(*layers, data=charts.data(rows)).properties(
        width=width, height=_HEIGHT
    )
    return drawn_properties.facet(facet, columns=columns, spacing=14)


def _draw_cutoff_line(
    rows: Sequence[Row], quantity: str, ticks: Sequence[float], cuts: Sequence[int],
    references: Sequence[str],
) -> alt.FacetChart:  # fmt: skip
    signed = quantity == "mb"
    x = alt.X(
        "cut:O",
        scale=alt.Scale(domain=list(cuts)),
        axis=alt.Axis(labelAngle=0, labels=not signed, ticks=not signed),
        title=None if signed else "first places",
    )
    y = alt.Y(
        f"{quantity}:Q",
        scale=alt.Scale(domain=[ticks[0], ticks[-1]]),
        axis=alt.Axis(values=list(ticks), format=".2~f"),
        title=quantity.upper(),
    )
    expected = (
        alt.Chart().mark_rule(color=charts.QUIET, strokeDash=[2, 3]).encode(y=alt.YDatum(0))
        if signed
        else alt.Chart()
        .mark_bar(color=charts.QUIET, opacity=0.35, size=16)
        .encode(x=x, y="null_low:Q", y2="null_high:Q")
    )
    ends = {"y": f"{quantity}_low:Q", "y2": f"{quantity}_high:Q"}
    layers = [
        expected,
        alt.Chart().mark_rule(color=charts.FIRST, strokeWidth=2).encode(x=x, **ends),
        alt.Chart()
        .mark_point(filled=True, size=50, color=charts.FIRST, opacity=1)
        .encode(x=x, y=y),
    ]
    width = max(_NARROW, _WIDE // len(references))
    return _faceted(layers, rows, references, len(references), named=signed, width=width)


def draw_biases(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Return how many professions have which bias, one panel a reference.

    `rows` have reference, bias and beyond (whether it is beyond what chance makes).
    """
    rows, references = _with_titles(rows)
    bars = _list_bars(rows)
    x = alt.X(
        "from:Q",
        scale=alt.Scale(domain=[-1.05, 1.05]),
        axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1], format=".2~f"),
        title="bias",
    )
    y = alt.Y(
        "low:Q",
        scale=alt.Scale(domain=[0, max(bar["high"] for bar in bars)]),
        axis=alt.Axis(tickMinStep=1, tickCount=4, format="d"),
        title="professions",
    )
    layers = [
        alt.Chart()
        .mark_rect(fill=fill, stroke=stroke, strokeWidth=1.4)
        .encode(x=x, x2="to:Q", y=y, y2="high:Q")
        .transform_filter(f"datum.beyond == {beyond}")
        for fill, stroke, beyond in (
            (charts.AREA, charts.FIRST, "false"),
            (charts.SECOND, charts.SECOND, "true"),
        )
    ]
    layers.append(
        alt.Chart().mark_rule(color=charts.QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(0))
    )
    columns = min(_COLUMNS, len(references))
    chart = _faceted(
        layers, bars, references, columns, named=True, width=max(_MIDDLE, _WIDE // columns)
    )
    return charts.draw(chart, name, title, "The tables of professions have the same numbers.")


def _list_bars(rows: Sequence[Row]) -> list[Row]:
    """Per reference and tenth of bias a bar within what chance makes and, on it, one beyond."""
    counted = Counter(
        (row["reference"], _compute_bin(row["bias"]), bool(row["beyond"])) for row in rows
    )
    bars = []
    for (reference, position, beyond), n in sorted(counted.items()):
        low = counted[reference, position, False] if beyond else 0
        ends = {"from": (position - _HALF) / _BINS, "to": (position + _HALF) / _BINS}
        bars.append({"reference": reference, **ends, "low": low, "high": low + n, "beyond": beyond})
    return bars


def _compute_bin(bias: float) -> int:
    """The tenth that a bias is nearest to: lists of ten people have no finer steps."""
    return round(bias * _BINS)


# --- words ----------------------------------------------------------------------------------------

#: (from x, from y, to x, to y).
Line = tuple[float, float, float, float]

_WIDTH, _WORD_HEIGHT = 300, 240
_WORD_NARROW, _LOW, _WORD_COLUMNS = 190, 120, 3
_DOT = 5
#: How far axes go beyond the outermost point, as a share of the range.
_MARGIN = 0.06
#: What an axis spans at least: five ticks whose labels, of two digits, differ.
_LEAST_RANGE = 0.05


def draw_scatter(
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
    ends = [(line[position], line[position + 1]) for line in lines.values() for position in (0, 2)]
    axis = alt.Axis(tickCount=5, format=".2~f", grid=False)
    x = alt.X(
        "x:Q",
        scale=_draw_scale([a for a, _ in (*points, *ends)]),
        axis=axis,
        title="genderedness of the query: men ← → women",
    )
    y = alt.Y(
        "y:Q",
        scale=_draw_scale([b for _, b in (*points, *ends)]),
        axis=axis,
        title="genderedness of its list",
    )
    layers = [
        *_draw_zeros(points),
        _draw_dots(points, x, y, charts.FIRST, _DOT),
        *([_draw_dots(top, x, y, charts.SECOND, _DOT + 3)] if top else []),
        *(_draw_measure_line(kind, line, x, y) for kind, line in lines.items()),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH, height=_WORD_HEIGHT)
    return charts.draw(chart, name, title, "The table of all queries has the same numbers.")


def _draw_scale(values: Sequence[float]) -> alt.Scale:
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    reach = room * (0.5 + _MARGIN)
    middle = (low + high) / 2
    return alt.Scale(domain=[middle - reach, middle + reach], nice=False)


def _draw_zeros(points: Sequence[tuple[float, float]]) -> list[alt.Chart]:
    """A rule where nothing leans to women or men, on each axis that reaches it."""
    x, y = [a for a, _ in points], [b for _, b in points]
    result = [_draw_rule(x=alt.XDatum(0))] if min(x) <= 0 <= max(x) else []
    return [*result, _draw_rule(y=alt.YDatum(0))] if min(y) <= 0 <= max(y) else result


def _draw_rule(**at: alt.XDatum | alt.YDatum) -> alt.Chart:
    chart: alt.Chart = alt.Chart().mark_rule(color=charts.QUIET, strokeDash=[2, 3]).encode(**at)
    return chart


def _draw_dots(
    points: Sequence[tuple[float, float]], x: alt.X, y: alt.Y, color: str, size: float
) -> alt.Chart:
    """One path of dots: a line that is broken after each point, with round ends."""
    rows: list[Row] = []
    for a, b in sorted(points):
        rows += [{"n": len(rows), "x": a, "y": b}, {"n": len(rows) + 1, "x": None, "y": None}]
    mark = alt.Chart(charts.data(rows)).mark_line(
        color=color, strokeWidth=size, strokeCap="round", opacity=0.75
    )
    chart: alt.Chart = mark.encode(x=x, y=y, order="n:Q")
    return chart


def _draw_measure_line(kind: str, line: Line, x: alt.X, y: alt.Y) -> alt.Chart:
    fitted = kind == "fitted"
    rows = [{"x": line[0], "y": line[1]}, {"x": line[2], "y": line[3]}]
    mark = alt.Chart(charts.data(rows)).mark_line(
        color=charts.INK if fitted else charts.SECOND,
        strokeWidth=2,
        strokeDash=[1, 0] if fitted else [7, 4],
    )
    chart: alt.Chart = mark.encode(x=x, y=y)
    return chart


def draw_curves(rows: Sequence[Row], signed: Sequence[str], name: str, title: str) -> Markup:
    """Measures by cut-off with their intervals, one panel a measure.

    `rows` have measure, cut, value, low and high, the last three None where there is no value.
    """
    titles = list(dict.fromkeys(row["measure"] for row in rows))
    panels = [
        _draw_panel([row for row in rows if row["measure"] == title], title, signed=title in signed)
        for title in titles
    ]
    lines = [
        alt.hconcat(*panels[index : index + _WORD_COLUMNS], spacing=18)
        for index in range(0, len(panels), _WORD_COLUMNS)
    ]
    chart = alt.vconcat(*lines, spacing=14)
    return charts.draw(chart, name, title, "The same numbers stand in the table above this chart.")


def _draw_panel(rows: Sequence[Row], measure: str, *, signed: bool) -> charts.Drawing:
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
    base = alt.Chart(charts.data(known_rows))
    layers = [
        base.mark_line(color=charts.QUIET, strokeWidth=1).encode(x=x, y=y),
        base.mark_rule(color=charts.FIRST, strokeWidth=2).encode(x=x, y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=45, color=charts.FIRST, opacity=1).encode(x=x, y=y),
    ]
    if signed:
        layers.insert(0, _draw_rule(y=alt.YDatum(0)))
    heading = alt.Title(charts.label(measure), offset=6)
    panel: charts.Drawing = alt.layer(*layers).properties(
        title=heading, width=_WORD_NARROW, height=_LOW
    )
    return panel
