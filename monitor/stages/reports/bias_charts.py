"""Charts of bias: people by cut-off and profession, words over queries and cut-offs, corpora.

One faceted chart draws all references: a chart for each would take as long as all the rest of a
report. All queries of a scatter are one path: a mark for each would take as much room as all the
rest of a report with several systems.

Charts of corpora are after Figures 2 and 3 of Rekabsaz et al. 2021. The words that stand furthest
out have their names in a column at the side, each joined to its point by a line: names beside their
points would cover one another. What a colour says, a shape says too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from markupsafe import Markup

from monitor.corpus.bias import Unbiased
from monitor.stages.document import charts
from monitor.stages.document.draw import LazyModule
from monitor.stages.document.notation import shorten

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
        _draw_rule(y=alt.YDatum(0))
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
    layers.append(_draw_rule(x=alt.XDatum(0)))
    columns = min(_COLUMNS, len(references))
    chart = _faceted(
        layers, bars, references, columns, named=True, width=max(_MIDDLE, _WIDE // columns)
    )
    return charts.draw(chart, name, title, "The tables of professions have the same numbers.")


def _list_bars(rows: Sequence[Row]) -> list[Row]:
    """Per reference and tenth of bias a bar within what chance makes and, on it, one beyond."""
    # the nearest tenth: lists of ten people have no finer steps
    counted = Counter(
        (row["reference"], round(row["bias"] * _BINS), bool(row["beyond"])) for row in rows
    )
    bars = []
    for (reference, position, beyond), n in sorted(counted.items()):
        low = counted[reference, position, False] if beyond else 0
        ends = {"from": (position - _HALF) / _BINS, "to": (position + _HALF) / _BINS}
        bars.append({"reference": reference, **ends, "low": low, "high": low + n, "beyond": beyond})
    return bars


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
    return alt.Scale(domain=list(_make_ends(values, _MARGIN, _LEAST_RANGE)), nice=False)


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


# --- words of corpora -----------------------------------------------------------------------------

_CORPUS_HEIGHT = 400
#: Of names in a column: how many at most, and their height and longest, in pixels and letters.
NAMED = 18
#: Of names beside a regression line.
FAR = 12
_LINE, _LETTERS = 17, 16
#: Room of a column, in pixels.
_COLUMN = 128
_CORPUS_MARGIN, _CORPUS_LEAST_RANGE = 0.04, 1e-6
_MOST_TICKS = 5
_TABLE = "The same numbers stand in the table below this chart."
#: Towards whom a word leans, its shape and colour.
LEANS = (
    ("women", "circle", charts.FIRST),
    ("men", "diamond", charts.SECOND),
    ("neither", "square", charts.QUIET),
)


class _PlaneAxis(NamedTuple):
    """Axis of a chart: a column of the rows, and its limits."""

    key: str
    ends: tuple[float, float]
    ticks: Sequence[float]
    title: str

    @property
    def scale(self) -> alt.Scale:
        return alt.Scale(domain=list(self.ends), nice=False, zero=False)

    @property
    def x(self) -> alt.X:
        return alt.X(f"{self.key}:Q", scale=self.scale, axis=self._drawn, title=self.title)

    @property
    def y(self) -> alt.Y:
        return alt.Y(f"{self.key}:Q", scale=self.scale, axis=self._drawn, title=self.title)

    @property
    def _drawn(self) -> alt.Axis:
        return alt.Axis(values=list(self.ticks), grid=False, format=".3~f", titlePadding=12)


class _Plane(NamedTuple):
    x: _PlaneAxis
    y: _PlaneAxis


#: What stands along the sides of the chart of both.
ASSOCIATION = ("association with words for women", "association with words for men")


def draw_sides(
    rows: Sequence[Row],
    band: float,
    name: str,
    title: str,
    axes: tuple[str, ...] = ASSOCIATION,
    class_name: str = "",
) -> Markup:
    """Association with the words for women and for men, one point a word, and the unbiased area.

    `rows` have word, women, men and lean (one of LEANS); `band` is half the height of the area, in
    the units of the axes, 0 where there is none; `axes` say what these are.
    """
    low, high = _make_ends([row[side] for row in rows for side in ("women", "men")])
    column = (high - low) * _COLUMN / _WIDTH
    ticks = _list_ticks(low, high)
    plane = _Plane(
        _PlaneAxis("women", (low - column, high + column), ticks, axes[0]),
        _PlaneAxis("men", (low, high), ticks, axes[1]),
    )
    layers = [
        *_draw_area(band, plane),
        *(_draw_marks([row for row in rows if row["lean"] == lean], plane, shape, color)
          for lean, shape, color in reversed(LEANS)),
        *_draw_names(_outermost(rows, "men"), low, "right", plane),
        *_draw_names(_outermost(rows, "women"), high, "left", plane),
    ]  # fmt: skip
    chart = alt.layer(*layers).properties(width=_WIDTH + 2 * _COLUMN, height=_CORPUS_HEIGHT)
    return charts.draw(chart, name, title, _TABLE, class_name)


def make_side(word: str, women: float, men: float, area: Unbiased) -> Row:
    """The row of a word by its two associations: on the scale of the area, and how it leans."""
    women, men = area.association(women), area.association(men)
    lean = "women" if women > men else "men"
    if abs(women - men) < area.threshold:
        lean = "neither"
    return {"word": word, "women": women, "men": men, "lean": lean}


def say_unbiased(area: Unbiased) -> str:
    """Return what the band is."""
    return (
        f"The shaded band is the unbiased area: differences below {area.threshold:.3f}, which is "
        f"the mean over the {area.n:,} words of the vocabulary that have a value, of "
        f"{area.n_total:,}. Both axes run from the least (0) to the largest (1) association that "
        "any word of it has with either side."
    )


def _draw_area(band: float, plane: _Plane) -> list[alt.Chart]:
    """Return where the two sides differ by less than the band, and the line where they do not."""
    low, high = plane.y.ends
    edges = sorted({low, min(low + band, high), max(high - band, low), high})
    rows = [
        {"women": position, "men": max(position - band, low), "top": min(position + band, high)}
        for position in edges
    ]
    area = alt.Chart(charts.data(rows)).mark_area(color=charts.AREA, opacity=1)
    return [
        area.encode(x=plane.x.x, y=plane.y.y, y2="top:Q"),
        _draw_line([(low, low), (high, high)], plane, color=charts.QUIET, strokeDash=[2, 3]),
    ]


def _outermost(rows: Sequence[Row], lean: str) -> list[Row]:
    all_rows = [row for row in rows if row["lean"] == lean]
    return sorted(all_rows, key=lambda row: -abs(row["women"] - row["men"]))[:NAMED]


def fit_line(rows: Sequence[Row]) -> tuple[float, float]:
    """Return intercept and slope of the least-squares line of bias against share."""
    import numpy as np  # noqa: PLC0415 - for corpora alone

    x, y = ([row[name] for row in rows] for name in ("share", "bias"))
    slope, intercept = np.polyfit(x, y, 1)
    return float(intercept), float(slope)


def draw_against(
    rows: Sequence[Row], line: tuple[float, float], name: str, title: str, reference: str
) -> Markup:
    """Bias against the share of women in an occupation, with the regression line.

    `rows` have word, share, bias, low and high (None without an interval); `line` is (intercept,
    slope); `reference` says whose shares they are.
    """
    value = [row[end] for row in rows for end in ("bias", "low", "high") if row[end] is not None]
    low, high = _make_ends([*value, 0.0])
    plane = _Plane(
        _PlaneAxis(
            "share", (0.0, 1 + _COLUMN / _WIDTH), charts.ZERO_TO_ONE, f"share of women: {reference}"
        ),
        _PlaneAxis(
            "bias", (low, high), _list_ticks(low, high), "bias of the word: men < 0 < women"
        ),
    )
    intercept, slope = line
    fitted = [(position, intercept + slope * position) for position in (0.0, 1.0)]
    far = sorted(rows, key=lambda row: -abs(row["bias"] - intercept - slope * row["share"]))
    limits = alt.Chart(charts.data([row for row in rows if row["low"] is not None]))
    layers = [
        _draw_line([(0.0, 0.0), (1.0, 0.0)], plane, color=charts.QUIET, strokeDash=[2, 3]),
        limits.mark_rule(color=charts.QUIET, strokeWidth=1, opacity=0.45).encode(
            x=plane.x.x, y=plane.y._replace(key="low").y, y2="high:Q"
        ),
        _draw_marks(rows, plane, "circle", charts.FIRST),
        _draw_line(fitted, plane, color=charts.INK, clip=True),
        *_draw_names(far[:FAR], 1.0, "left", plane),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH + _COLUMN, height=_CORPUS_HEIGHT)
    return charts.draw(chart, name, title, _TABLE)


def _draw_line(places: Sequence[tuple[float, float]], plane: _Plane, **looks: Any) -> alt.Chart:  # noqa: ANN401
    rows = [{plane.x.key: x, plane.y.key: y} for x, y in places]
    mark = alt.Chart(charts.data(rows)).mark_line(strokeWidth=1.5, **looks)
    chart: alt.Chart = mark.encode(x=plane.x.x, y=plane.y.y)
    return chart


def _make_ends(
    values: Sequence[float],
    margin: float = _CORPUS_MARGIN,
    least: float = _CORPUS_LEAST_RANGE,
) -> tuple[float, float]:
    """Return where an axis begins and ends: beyond the outermost values by a share of the range."""
    low, high = min(values), max(values)
    reach = max(high - low, least) * (0.5 + margin)
    middle = (low + high) / 2
    return middle - reach, middle + reach


def _list_ticks(low: float, high: float) -> list[float]:
    """A few round numbers between two others: the columns of names have none."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(by for by in (1, 2, 5, 10) if (high - low) / (step * by) <= _MOST_TICKS)
    return [index * step for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _draw_marks(rows: Sequence[Row], plane: _Plane, shape: str, color: str) -> alt.Chart:
    mark = alt.Chart(charts.data(rows)).mark_point(
        shape=shape, filled=True, size=34, color=color, opacity=0.85
    )
    chart: alt.Chart = mark.encode(x=plane.x.x, y=plane.y.y)
    return chart


def _draw_names(
    rows: Sequence[Row], at: float, align: Literal["left", "right"], plane: _Plane
) -> list[alt.Chart]:
    """Names in a column at `at`, each joined to its point."""
    low, high = plane.y.ends
    rows = sorted(rows, key=lambda row: -float(row[plane.y.key]))
    needed = [row[plane.y.key] for row in rows]
    heights = _list_spread(needed, (high - low) * _LINE / _CORPUS_HEIGHT, plane.y.ends)
    title = [
        {
            plane.x.key: at,
            plane.y.key: height,
            "to_x": row[plane.x.key],
            "to_y": row[plane.y.key],
            "word": shorten(charts.label(row["word"]), _LETTERS),
        }
        for row, height in zip(rows, heights, strict=True)
    ]
    base = alt.Chart(charts.data(title))
    side = 1 if align == "left" else -1
    return [
        base.mark_rule(color=charts.QUIET, strokeWidth=0.6).encode(
            x=plane.x.x, y=plane.y.y, x2="to_x:Q", y2="to_y:Q"
        ),
        base.mark_text(align=align, baseline="middle", dx=4 * side, color=charts.INK).encode(
            x=plane.x.x, y=plane.y.y, text="word:N"
        ),
    ]


def _list_spread(wanted: Sequence[float], gap: float, ends: tuple[float, float]) -> list[float]:
    """Falling heights moved as little as may be, until they are `gap` apart and within the ends.

    Heights plus their place times the gap have to fall: least squares under that order, by pooling
    neighbours that break it (Ayer et al. 1955).
    """
    pools: list[tuple[float, int]] = []
    for index, height in enumerate(wanted):
        pool = (height + index * gap, 1)
        while pools and pools[-1][0] < pool[0]:
            mean, n = pools.pop()
            pool = ((mean * n + pool[0] * pool[1]) / (n + pool[1]), n + pool[1])
        pools.append(pool)
    lowest, highest = ends[0] + gap * (len(wanted) - 0.5), ends[1] - gap / 2
    fitted = [max(min(mean, highest), lowest) for mean, n in pools for _ in range(n)]
    return [height - index * gap for index, height in enumerate(fitted)]
