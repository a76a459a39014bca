"""Draws what is particular to one measure: accuracies of twins, ratios of language models."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from monitor.stages import _charts

Row = dict[str, Any]

_FRAMES = 110
#: Steps of a log axis.
_STEPS = (2.0, 3.0, 10.0, 100.0, 1e4)


def twins(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Two shares with intervals per row: of sentences in which a woman, or a man, speaks.

    `rows` have label, said (women, men), value, low and high; rows without a value are left out.
    """
    order = list(dict.fromkeys(_charts.label(row["label"]) for row in rows))
    drawn = [
        row | {"label": _charts.label(row["label"])} for row in rows if row["value"] is not None
    ]
    y = alt.Y(
        "label:N",
        scale=alt.Scale(domain=order),
        sort=order,
        title=None,
        axis=alt.Axis(ticks=False, domain=False, grid=True, minExtent=_FRAMES),
    )
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=_charts.ZERO_TO_ONE, format=".2~f"),
        title=["share of forms of the gender that is said", "● a woman speaks   ◆ a man speaks"],
    )
    layers: list[alt.Chart] = []
    for said, shape, color, shift in (
        ("women", "circle", _charts.FIRST, -5),
        ("men", "diamond", _charts.SECOND, 5),
    ):
        base = alt.Chart(_charts.data(drawn)).transform_filter(f"datum.said == '{said}'")
        layers += [
            base.mark_rule(color=color, strokeWidth=2, yOffset=shift).encode(
                x="low:Q", x2="high:Q", y=y
            ),
            base.mark_point(
                shape=shape, filled=True, size=80, color=color, opacity=1, yOffset=shift
            ).encode(x=x, y=y),
        ]
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=alt.Step(34))
    return _charts.draw(
        chart, name, title, "The same numbers stand in the table beside this chart."
    )


def ratios(rows: Sequence[Row], name: str, title: str) -> Markup:
    """Ratios by stereotype with intervals on a log axis, with 1 = none in the middle.

    `rows` have about, label, value, low and high, and stand in the order to be shown.
    """
    rows, labels = _charts.labelled(rows, "label")
    base = alt.Chart(_charts.data(rows))
    measured = [n for row in rows for n in (row["low"], row["high"], row["value"]) if n]
    far = max([2.0, *(max(n, 1 / n) for n in measured)])
    y = alt.Y(
        "label:N",
        sort=labels,
        title=None,
        axis=alt.Axis(ticks=False, domain=False, minExtent=_charts.NAMES),
    )
    x = alt.X(
        "value:Q",
        scale=alt.Scale(type="log", domain=[1 / far, far]),
        axis=alt.Axis(values=_powers(far), format=".2~r"),
        title=["q_i: masculine over feminine probability", "(log axis; 1 = neither is likelier)"],
    )
    there = base.transform_filter("isValid(datum.value)")
    layers: list[alt.Chart] = [
        base.mark_rule(color=_charts.QUIET, strokeDash=[2, 3]).encode(x=alt.XDatum(1))
    ]
    for about, shape, color in (
        ("women", "circle", _charts.FIRST),
        ("men", "diamond", _charts.SECOND),
    ):
        some = there.transform_filter(f"datum.about == '{about}'")
        layers += [
            some.mark_rule(color=color, strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y),
            some.mark_point(shape=shape, filled=True, size=80, color=color, opacity=1).encode(
                x=x, y=y
            ),
        ]
    layers.append(
        base.transform_filter("!isValid(datum.value)")
        .mark_text(align="left", color=_charts.INK, fontStyle="italic")
        .encode(x=alt.XDatum(1 / far), y=y, text=alt.TextDatum("INSUFFICIENT"))
    )
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=alt.Step(24))
    return _charts.draw(
        chart, name, title, "The same numbers stand in the table beside this chart."
    )


def _powers(far: float) -> list[float]:
    """Some places on a log axis from 1/far to far, the same on both sides of 1."""
    step = next((s for s in _STEPS if s**4 >= far), _STEPS[-1])
    above = [step**n for n in (1, 2, 3) if step**n <= far]
    return [*(1 / n for n in reversed(above)), 1.0, *above]
