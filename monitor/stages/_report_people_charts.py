"""Draws bias of ranked lists: by cut-off beside chance, and over professions. At most two a block.

One faceted chart draws all references: a chart for each would take as long as all the rest of a
report.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Row = dict[str, Any]

_NARROW, _MIDDLE, _WIDE, _HEIGHT = 150, 200, 320, 92
_COLUMNS = 3  # of histograms
_BINS = 10  # from 0 to 1
#: Half the width of a bar, as a share of a bin.
_HALF = 0.42
#: Where the axes of bias may end.
_STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
_MEASURES = ("mb", "mab", "null")


def cutoffs(rows: Sequence[Row], name: str, title: str) -> Markup:
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
        _line(known_rows, "mb", [-top, 0, top], cuts, references),
        _line(known_rows, "mab", [0, top / 2, top], cuts, references),
    ]
    chart = alt.vconcat(*lines, spacing=6)
    return _charts.draw(chart, name, title, "The same numbers stand in the table above this chart.")


def _with_titles(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows with their references made fit to be shown, and these in order."""
    order = list(dict.fromkeys(row["reference"] for row in rows))
    _, shown = _charts.labelled([{"reference": name} for name in order], "reference")
    titles = dict(zip(order, shown, strict=True))
    return [row | {"reference": titles[row["reference"]]} for row in rows], shown


def _faceted(layers: Sequence[alt.Chart], rows: Sequence[Row], references: Sequence[str],
             columns: int, *, named: bool, width: int) -> alt.FacetChart:  # fmt: skip
    header = alt.Header(
        labelExpr="split(datum.label, ', ')" if named else "''", labelColor=_charts.INK,
        labelFontSize=12, labelLimit=width + 20, labelPadding=4 if named else 0,
    )  # fmt: skip
    facet = alt.Facet("reference:N", sort=list(references), title=None, header=header)
    drawn_properties = alt.layer(*layers, data=_charts.data(rows)).properties(
        width=width, height=_HEIGHT
    )
    return drawn_properties.facet(facet, columns=columns, spacing=14)


def _line(
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
        alt.Chart().mark_rule(color=_charts.QUIET, strokeDash=[2, 3]).encode(y=alt.YDatum(0))
        if signed
        else alt.Chart()
        .mark_bar(color=_charts.QUIET, opacity=0.35, size=16)
        .encode(x=x, y="null_low:Q", y2="null_high:Q")
    )
    ends = {"y": f"{quantity}_low:Q", "y2": f"{quantity}_high:Q"}
    layers = [
        expected,
        alt.Chart().mark_rule(color=_charts.FIRST, strokeWidth=2).encode(x=x, **ends),
        alt.Chart()
        .mark_point(filled=True, size=50, color=_charts.FIRST, opacity=1)
        .encode(x=x, y=y),
    ]
    width = max(_NARROW, _WIDE // len(references))
    return _faceted(layers, rows, references, len(references), named=signed, width=width)


def biases(rows: Sequence[Row], name: str, title: str) -> Markup:
    """How many professions have which bias, one panel a reference.

    `rows` have reference, bias and beyond (whether it is beyond what chance makes).
    """
    rows, references = _with_titles(rows)
    bars = _bars(rows)
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
            (_charts.AREA, _charts.FIRST, "false"),
            (_charts.SECOND, _charts.SECOND, "true"),
        )
    ]
    layers.append(
        alt.Chart().mark_rule(color=_charts.QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(0))
    )
    columns = min(_COLUMNS, len(references))
    chart = _faceted(
        layers, bars, references, columns, named=True, width=max(_MIDDLE, _WIDE // columns)
    )
    return _charts.draw(chart, name, title, "The tables of professions have the same numbers.")


def _bars(rows: Sequence[Row]) -> list[Row]:
    """Per reference and tenth of bias a bar within what chance makes and, on it, one beyond."""
    counted = Counter((row["reference"], _bin(row["bias"]), bool(row["beyond"])) for row in rows)
    bars = []
    for (reference, place, beyond), n in sorted(counted.items()):
        low = counted[reference, place, False] if beyond else 0
        ends = {"from": (place - _HALF) / _BINS, "to": (place + _HALF) / _BINS}
        bars.append({"reference": reference, **ends, "low": low, "high": low + n, "beyond": beyond})
    return bars


def _bin(bias: float) -> int:
    """The tenth that a bias is nearest to: lists of ten people have no finer steps."""
    return round(bias * _BINS)
