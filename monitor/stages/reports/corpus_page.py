"""The bias of words in a corpus as charts and as a page.

After Figures 2 and 3 of Rekabsaz et al. 2021. The words that stand furthest out have their names in
a column at the side, each joined to its point by a line: names beside their points would cover one
another. What a colour says, a shape says too.

The facts are those of the mean bias over all words, as `measures/_corpus.py` tells them.

The page needs no network and no other file. Words and names are captured text: none is markup.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from markupsafe import Markup

from monitor import __version__
from monitor.corpus.bias import Unbiased
from monitor.corpus.concepts import correlate_shares
from monitor.corpus.encoded import EncodedCorpus
from monitor.stages.derive.corpus_bias import (
    MeasuredCorpus,
    rows_of,
    say_correlation,
    without_value,
)
from monitor.stages.document import charts
from monitor.stages.document import records as doc
from monitor.stages.document.draw import LazyModule
from monitor.stages.document.html import html
from monitor.stages.document.notation import capped, number, percent, span

if TYPE_CHECKING:
    import altair as alt
else:
    alt = LazyModule("altair")


# --- charts ---------------------------------------------------------------------------------------

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
        *_draw_points(rows, plane),
        *_draw_names(_outermost(rows, "men"), low, "right", plane),
        *_draw_names(_outermost(rows, "women"), high, "left", plane),
    ]
    chart = alt.layer(*layers).properties(width=_WIDTH + 2 * _COLUMN, height=_HEIGHT)
    return charts.draw(chart, name, title, _TABLE, class_name)


def make_side(word: str, women: float, men: float, area: Unbiased) -> Row:
    """The row of a word by its two associations: on the scale of the area, and how it leans."""
    women, men = area.association(women), area.association(men)
    lean = "women" if women > men else "men"
    if abs(women - men) < area.threshold:
        lean = "neither"
    return {"word": word, "women": women, "men": men, "lean": lean}


def area_said(area: Unbiased) -> str:
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
    chart = alt.layer(*layers).properties(width=_WIDTH + _COLUMN, height=_HEIGHT)
    return charts.draw(chart, name, title, _TABLE)


def _draw_line(places: Sequence[tuple[float, float]], plane: _Plane, **looks: Any) -> alt.Chart:  # noqa: ANN401
    rows = [{plane.x.key: x, plane.y.key: y} for x, y in places]
    mark = alt.Chart(charts.data(rows)).mark_line(strokeWidth=1.5, **looks)
    chart: alt.Chart = mark.encode(x=plane.x.x, y=plane.y.y)
    return chart


def _make_ends(values: Sequence[float]) -> tuple[float, float]:
    """Return where an axis begins and ends."""
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE) * _MARGIN
    return low - room, high + room


def _list_ticks(low: float, high: float) -> list[float]:
    """A few round numbers between two others: the columns of names have none."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(by for by in (1, 2, 5, 10) if (high - low) / (step * by) <= _MOST_TICKS)
    return [index * step for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _draw_points(rows: Sequence[Row], plane: _Plane) -> list[alt.Chart]:
    return [
        _draw_marks([row for row in rows if row["lean"] == lean], plane, shape, color)
        for lean, shape, color in reversed(LEANS)
    ]


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
    heights = _list_spread(needed, (high - low) * _LINE / _HEIGHT, plane.y.ends)
    title = [
        {
            plane.x.key: at,
            plane.y.key: height,
            "to_x": row[plane.x.key],
            "to_y": row[plane.y.key],
            "word": _short(row["word"]),
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


def _short(word: str) -> str:
    word = charts.label(word)
    return word if len(word) <= _LETTERS else word[: _LETTERS - 1] + "…"


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


# --- both sides -----------------------------------------------------------------------------------

_LEAST_POINTS = 3
_NONE = (
    "Both sides of the words are not drawn: the measure has none, or no word has a value, or the "
    "run was measured before they were kept."
)


def measure_unbiased(facts: Mapping[str, float]) -> Unbiased | None:
    """The area that a point tells of; None where it tells of none."""
    if "unbiased_threshold" not in facts:
        return None
    return Unbiased(
        facts["unbiased_threshold"],
        facts["association_low"],
        facts["association_high"],
        int(facts["unbiased_words"]),
        int(facts["vocabulary"]),
    )


def draw_picture(
    words: Sequence[str],
    facts: Mapping[str, float],
    name: str,
    label: str,
    class_name: str = "",
) -> Markup | None:
    """The words that have both sides; None where they are too few, or there is no area.

    `class_name` is that of the page where styles in attributes are refused.
    """
    area = measure_unbiased(facts)
    if area is None:
        return None
    rows = [
        make_side(word, facts[f"women:{word}"], facts[f"men:{word}"], area)
        for word in words
        if f"women:{word}" in facts
    ]
    if len(rows) < _LEAST_POINTS:
        return None
    title = f"Association of words for occupations with words for women and for men: {label}"
    return draw_sides(rows, area.threshold, name, title, class_name=class_name)


def say_area(facts: Mapping[str, float]) -> str:
    """Return what the shaded area is, or why there is none."""
    area = measure_unbiased(facts)
    return _NONE if area is None else area_said(area)


# --- page -----------------------------------------------------------------------------------------

CITATION = (
    "Rekabsaz, N., West, R., Henderson, J., Hanbury, A. (2021). Measuring societal biases from "
    "text corpora with smoothed first-order co-occurrence. Proceedings of the International AAAI "
    "Conference on Web and Social Media 15, 549-560."
)
_SIGNS = {"women": "●", "men": "◆", "neither": "■"}
_LEANS = {"women": "towards women", "men": "towards men", "neither": "within the unbiased area"}


@dataclass(frozen=True, slots=True)
class Labour:
    """Shares that the biases are compared with: name, result in words, and fitted line."""

    title: str
    said: str
    line: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class CorpusPageFacts:
    """All that the page says.

    `rows` are those of `corpus_rows` with a value, and `sides` those that have both sides: word,
    women and men on the scale of the unbiased area, and lean.
    """

    name: str
    facts: Mapping[str, str]
    rows: Sequence[Row]
    missing: Mapping[str, Sequence[str]]
    interval: str
    sides: Sequence[Row] = ()
    area: Unbiased | None = None
    labour: Labour | None = None


def prepare_page(
    name: str,
    corpus: EncodedCorpus,
    found: MeasuredCorpus,
    labour: tuple[str, Mapping[str, float]] | None,
) -> CorpusPageFacts:
    """Return what the page says of biases that were measured, with the unbiased area."""
    title, shares = labour or ("", {})
    rows = [row for row in rows_of(corpus, found, shares) if row["bias"] is not None]
    area = found.area
    sides = [
        make_side(row["word"], row["women"], row["men"], area)
        for row in rows
        if area is not None and row["women"] is not None
    ]
    return CorpusPageFacts(
        name,
        _map_facts(corpus, found),
        rows,
        without_value(found.biases, found.order.floor),
        found.interval,
        sides,
        area,
        None if labour is None else _make_labour(title, found, rows, shares),
    )


_NO_AREA = (
    "Not drawn: this measure has no two sides, or no word of the vocabulary has a value, so that "
    "there is no unbiased area."
)
_TOO_FEW = f"Not drawn: fewer than {_LEAST_POINTS} words have a value."


def _map_facts(corpus: EncodedCorpus, found: MeasuredCorpus) -> dict[str, str]:
    read, rules = corpus.read, corpus.rules
    least = f", each at least {rules.min_count} times" if rules.min_count > 1 else ""
    return {
        "documents": f"{corpus.documents:,}; {read.repeats:,} repeats and {read.empty:,} without "
        "a word were left out",
        "tokens": f"{read.tokens:,}, {len(corpus.tokens):,} of them words that count",
        "vocabulary": f"{len(corpus.vocabulary):,} of {read.words:,} words{least}",
        "measure": found.order.title,
        "words for women": ", ".join(found.biases.women) or "none",
        "words for men": ", ".join(found.biases.men) or "none",
        "words not in the texts": ", ".join(found.biases.missing) or "none",
        "digest of the corpus": corpus.digest,
        **({"note": " ".join(found.notes)} if found.notes else {}),
    }


def _make_labour(
    title: str, found: MeasuredCorpus, rows: Sequence[Row], shares: Mapping[str, float]
) -> Labour:
    correlations = correlate_shares(found.biases.values, shares)
    said = [say_correlation(correlation, title) for correlation in correlations]
    sentences = ". ".join(f"{sentence[:1].upper()}{sentence[1:]}" for sentence in said)
    has_line = all(correlation.value is not None for correlation in correlations)
    line = fit_line([row for row in rows if row["share"] is not None]) if has_line else None
    return Labour(title, f"{sentences}.", line)


def write_page(it: CorpusPageFacts) -> str:
    """The whole page."""
    drawn_pictures = draw_pictures(it)
    n_missing = sum(map(len, it.missing.values()))
    lead = (
        f"{len(it.rows)} words with a value, {n_missing} without. Bias is the association of a "
        "word with words for women, less that with words for men: above 0 towards women, below 0 "
        "towards men."
    )
    facts = doc.Pairs([*it.facts.items()])
    says = [doc.Words(sentence) for sentence in _SAYS]
    document = doc.Document(
        title=f"Bias of words in {it.name}",
        kicker="Words of a corpus",
        banner="",
        page_one=[doc.Words(lead)],
        sections=[
            doc.Section("made", "What it was made of", [facts]),
            doc.Section(
                "sides", "Both sides of each word", [_write_sides(it, drawn_pictures.get("sides"))]
            ),
            doc.Section(
                "labour",
                "Beside the labour market",
                _beside_labour(it, drawn_pictures.get("labour")),
            ),
            doc.Section("words", "All words", _write_words(it)),
            doc.Section("validity", "What it says, and what it does not", says),
        ],
        generator=f"monitor {__version__}",
        closing=CITATION,
    )
    return html(document)


_SAYS = (
    (
        "It says how these texts speak: which words stand near words for women, and which near "
        "words for men. It says nothing of people who have an occupation, of those who wrote, and "
        "of other texts. A word may stand near both for reasons that are no stereotype: a text "
        "about one famous woman is enough."
    ),
    (
        "Intervals hold for documents of this kind, drawn anew. They do not hold for other lists "
        "of words: another list is another measure."
    ),
)


def _write_sides(it: CorpusPageFacts, drawn: Markup | None) -> doc.Block:
    if drawn is None or it.area is None:
        return doc.Words(_NO_AREA if it.area is None else _TOO_FEW)
    counted = "; ".join(
        f"{_SIGNS[lean]} {words}: {sum(row['lean'] == lean for row in it.sides)}"
        for lean, words in _LEANS.items()
    )
    return doc.Picture(
        drawn,
        f"{counted}. {area_said(it.area)} Named are the {NAMED} words furthest out on each side, "
        "or all where there are fewer.",
    )


def _beside_labour(it: CorpusPageFacts, drawn: Markup | None) -> list[doc.Block]:
    if it.labour is None:
        return [doc.Words("Not compared: no shares were given.")]
    caption = (
        "One point an occupation, with its 95 % interval where it has one, and the least-squares "
        f"line. Named are the {FAR} that lie furthest from the line, or all where there are "
        "fewer."
    )
    picture = [doc.Picture(drawn, caption)] if drawn is not None else []
    return [doc.Words(it.labour.said), *picture]


def _write_words(it: CorpusPageFacts) -> list[doc.Block]:
    rows = doc.table(
        "From the one furthest towards women to the one furthest towards men. Brackets: 95 % "
        f"interval; {it.interval}. Expected: how many pairs with the words for women / for men "
        "there would be if the word stood anywhere.",
        ["word", "#bias", "#women", "#men", "#occurs", "#expected",
         *(["#share of women"] if it.labour else [])],
        [_word(row, with_share=it.labour is not None) for row in it.rows],
    )  # fmt: skip
    body: list[doc.Block] = [rows if it.rows else doc.Words("No word has a value.")]
    if it.missing:
        missing = [
            (reason, f"{len(words)}: {', '.join(words)}") for reason, words in it.missing.items()
        ]
        body += [doc.Heading("Without a value"), doc.Pairs(missing)]
    return body


def _word(row: Row, *, with_share: bool) -> list[str]:
    ends = f" {span(row['low'], row['high'], 3, True)}" if row["low"] is not None else ""
    expected = row["expected_women"], row["expected_men"]
    share = "none" if row["share"] is None else percent(row["share"])
    return [
        capped(row["word"]), f"{number(row['bias'], 3, True)}{ends}",
        *("" if row[side] is None else number(row[side]) for side in ("women", "men")),
        "" if row["occurs"] is None else f"{row['occurs']:,}",
        "" if expected[0] is None else " / ".join(f"{pairs:,.1f}" for pairs in expected),
        *([share] if with_share else []),
    ]  # fmt: skip


def draw_pictures(it: CorpusPageFacts, place: str = "") -> dict[str, Markup]:
    """The charts by name: `sides`, and `labour` where there are shares to hold biases against.

    `place` comes before the identifiers in them, where a page has several.
    """
    pictures = {}
    if it.area is not None and len(it.sides) >= _LEAST_POINTS:
        title = f"Association of words with words for women and for men in {it.name}"
        pictures["sides"] = draw_sides(it.sides, it.area.threshold, f"{place}sides", title)
    if it.labour is not None and it.labour.line is not None:
        rows = [row for row in it.rows if row["share"] is not None]
        title = f"Bias of occupations in {it.name} against the share of women in them"
        pictures["labour"] = draw_against(
            rows, it.labour.line, f"{place}labour", title, it.labour.title
        )
    return pictures
