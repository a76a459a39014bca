"""Draws the bias of words in a corpus: both sides against each other, and bias against a share.

After Figures 2 and 3 of Rekabsaz et al. 2021. The words that stand furthest out have their names in
a column at the side, each joined to its point by a line: names beside their points would cover one
another. What a colour says, a shape says too.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import altair as alt
from markupsafe import Markup

from monitor.corpus.bias import Unbiased
from monitor.stages import _charts

Row = dict[str, Any]

_WIDTH, _HEIGHT = 300, 400
#: Of names in a column: how many at most, and their height and longest, in pixels and letters.
NAMED = 18
#: Of names beside a regression line.
FAR = 12
_LINE, _LETTERS = 17, 16
#: Room of a column, in pixels.
_COLUMN = 128
#: How far axes go beyond the outermost point, as a share of the range.
_MARGIN = 0.04
_LEAST_RANGE = 1e-6
_MOST_TICKS = 5
_TABLE = "The same numbers stand in the table below this chart."
#: Towards whom a word leans, its shape and colour.
LEANS = (
    ("women", "circle", _charts.FIRST),
    ("men", "diamond", _charts.SECOND),
    ("neither", "square", _charts.QUIET),
)


class _Axis(NamedTuple):
    """What stands along one side of a chart: a column of the rows, from where to where."""

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
    x: _Axis
    y: _Axis


#: What stands along the sides of the chart of both.
ASSOCIATION = ("association with words for women", "association with words for men")


def sides(
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
    low, high = _ends([row[side] for row in rows for side in ("women", "men")])
    column = (high - low) * _COLUMN / _WIDTH
    ticks = _ticks(low, high)
    plane = _Plane(
        _Axis("women", (low - column, high + column), ticks, axes[0]),
        _Axis("men", (low, high), ticks, axes[1]),
    )
    layers = [
        *_area(band, plane),
        *_points(rows, plane),
        *_names(_outermost(rows, "men"), low, "right", plane),
        *_names(_outermost(rows, "women"), high, "left", plane),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH + 2 * _COLUMN, height=_HEIGHT)
    return _charts.draw(chart, name, title, _TABLE, class_name)


def side(word: str, women: float, men: float, area: Unbiased) -> Row:
    """The row of a word by its two associations: on the scale of the area, and how it leans."""
    women, men = area.association(women), area.association(men)
    lean = "women" if women > men else "men"
    if abs(women - men) < area.threshold:
        lean = "neither"
    return {"word": word, "women": women, "men": men, "lean": lean}


def area_said(area: Unbiased) -> str:
    """What the band is."""
    return (
        f"The shaded band is the unbiased area: differences below {area.threshold:.3f}, which is "
        f"the mean over the {area.n:,} words of the vocabulary that have a value, of "
        f"{area.n_total:,}. Both axes run from the least (0) to the largest (1) association that "
        "any word of it has with either side."
    )


def _area(band: float, plane: _Plane) -> list[alt.Chart]:
    """Where the two sides differ by less than the band, and the line where they do not."""
    low, high = plane.y.ends
    edges = sorted({low, min(low + band, high), max(high - band, low), high})
    rows = [{"women": at, "men": max(at - band, low), "top": min(at + band, high)} for at in edges]
    area = alt.Chart(_charts.data(rows)).mark_area(color=_charts.AREA, opacity=1)
    return [
        area.encode(x=plane.x.x, y=plane.y.y, y2="top:Q"),
        _line([(low, low), (high, high)], plane, color=_charts.QUIET, strokeDash=[2, 3]),
    ]


def _outermost(rows: Sequence[Row], lean: str) -> list[Row]:
    some = [row for row in rows if row["lean"] == lean]
    return sorted(some, key=lambda row: -abs(row["women"] - row["men"]))[:NAMED]


def against(
    rows: Sequence[Row], line: tuple[float, float], name: str, title: str, axes: tuple[str, str]
) -> Markup:
    """Bias against the share of women in an occupation, with the regression line.

    `rows` have word, share, bias, low and high (None without an interval); `line` is (intercept,
    slope); `axes` say what the share and the bias are.
    """
    given = [row[end] for row in rows for end in ("bias", "low", "high") if row[end] is not None]
    low, high = _ends([*given, 0.0])
    plane = _Plane(
        _Axis("share", (0.0, 1 + _COLUMN / _WIDTH), _charts.ZERO_TO_ONE, axes[0]),
        _Axis("bias", (low, high), _ticks(low, high), axes[1]),
    )
    intercept, slope = line
    fitted = [(at, intercept + slope * at) for at in (0.0, 1.0)]
    far = sorted(rows, key=lambda row: -abs(row["bias"] - intercept - slope * row["share"]))
    limits = alt.Chart(_charts.data([row for row in rows if row["low"] is not None]))
    layers = [
        _line([(0.0, 0.0), (1.0, 0.0)], plane, color=_charts.QUIET, strokeDash=[2, 3]),
        limits.mark_rule(color=_charts.QUIET, strokeWidth=1, opacity=0.45).encode(
            x=plane.x.x, y=plane.y._replace(key="low").y, y2="high:Q"
        ),
        _marks(rows, plane, "circle", _charts.FIRST),
        _line(fitted, plane, color=_charts.INK, clip=True),
        *_names(far[:FAR], 1.0, "left", plane),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH + _COLUMN, height=_HEIGHT)
    return _charts.draw(chart, name, title, _TABLE)


def _line(places: Sequence[tuple[float, float]], plane: _Plane, **looks: Any) -> alt.Chart:  # noqa: ANN401
    rows = [{plane.x.key: x, plane.y.key: y} for x, y in places]
    mark = alt.Chart(_charts.data(rows)).mark_line(strokeWidth=1.5, **looks)
    chart: alt.Chart = mark.encode(x=plane.x.x, y=plane.y.y)
    return chart


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Where an axis begins and ends."""
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE) * _MARGIN
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """A few round numbers between two others: the columns of names have none."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(by for by in (1, 2, 5, 10) if (high - low) / (step * by) <= _MOST_TICKS)
    return [index * step for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _points(rows: Sequence[Row], plane: _Plane) -> list[alt.Chart]:
    return [
        _marks([row for row in rows if row["lean"] == lean], plane, shape, color)
        for lean, shape, color in reversed(LEANS)
    ]


def _marks(rows: Sequence[Row], plane: _Plane, shape: str, color: str) -> alt.Chart:
    mark = alt.Chart(_charts.data(rows)).mark_point(
        shape=shape, filled=True, size=34, color=color, opacity=0.85
    )
    chart: alt.Chart = mark.encode(x=plane.x.x, y=plane.y.y)
    return chart


def _names(
    rows: Sequence[Row], at: float, align: Literal["left", "right"], plane: _Plane
) -> list[alt.Chart]:
    """Names in a column at `at`, each joined to its point."""
    low, high = plane.y.ends
    rows = sorted(rows, key=lambda row: -float(row[plane.y.key]))
    wanted = [row[plane.y.key] for row in rows]
    heights = _spread(wanted, (high - low) * _LINE / _HEIGHT, plane.y.ends)
    named = [
        {
            plane.x.key: at,
            plane.y.key: height,
            "to_x": row[plane.x.key],
            "to_y": row[plane.y.key],
            "word": _short(row["word"]),
        }
        for row, height in zip(rows, heights, strict=True)
    ]
    base = alt.Chart(_charts.data(named))
    side = 1 if align == "left" else -1
    return [
        base.mark_rule(color=_charts.QUIET, strokeWidth=0.6).encode(
            x=plane.x.x, y=plane.y.y, x2="to_x:Q", y2="to_y:Q"
        ),
        base.mark_text(align=align, baseline="middle", dx=4 * side, color=_charts.INK).encode(
            x=plane.x.x, y=plane.y.y, text="word:N"
        ),
    ]


def _short(word: str) -> str:
    word = _charts.label(word)
    return word if len(word) <= _LETTERS else word[: _LETTERS - 1] + "…"


def _spread(wanted: Sequence[float], gap: float, ends: tuple[float, float]) -> list[float]:
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
