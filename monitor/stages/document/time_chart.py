"""The chart of values over time: one to three lines, their intervals, gaps and events, in words.

Pure. Every word of a chart gets a box before it is drawn, so that none covers another. Colours are
names of the page's own style; what a colour says, a word or a shape says too.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby, pairwise
from zoneinfo import ZoneInfo

import numpy as np
from markupsafe import Markup

from monitor.model import Quantity, State
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, QUIET, SECOND, Scale
from monitor.stages.document.notation import capitalize_first, shorten, visible
from monitor.store.changes.series import GridTick
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import (
    axis_label,
    axis_unit,
    neutral_words,
    say_day,
    say_interval,
    say_short_day,
    say_value,
)

#: The variant for a column that is narrower than the chart; pages show one of both.
NARROW = (360, 300)
#: A chart of such a width needs more room than half a column.
_LARGE = 600
_COLORS = (FIRST, SECOND, INK)
_SMALL, _TEXT, _BIG = 11, 12, 17
_ROW = 15.0
_FOOT = 34.0
#: Rows of words between the title of the axis and the plot.
_MOST_ROWS, _NO_ROW = 4, -1
#: More values than these are drawn without dots.
_DOTS = 60
_STEP = 4.0
_LONGEST_LABEL, _LONGEST_EVENT = 90, 40
#: Shares of the width of the plot that the label of a line may take, the best first.
_LABEL_WIDTHS = (0.8, 0.55, 0.4)
#: Pixels of the labels that stand at the ends of lines, at most.
_END = 60
#: Pixels between the middles of a label and its line.
_FARTHEST = 48
#: Width of characters in ems, of a wide typeface: the browser's own is as wide or narrower.
_NARROW_LETTERS, _WIDE_LETTERS = frozenset("iljI.,:;'|!()[] -ftr\u00a0"), frozenset("mwMWO%@+−—…")
_EMS, _BOLD = {True: 0.42, False: 0.65}, 1.12
_PAPER = "#ffffff"
_DAYLIGHT = {
    "var(--ink)": "#1c1f23", "var(--quiet)": "#5c6570", "var(--grid)": "#e3e6ea",
    "var(--area)": "#eef1f4", "var(--first)": "#00646b", "var(--second)": "#a85600",
}  # fmt: skip
_FONT = "Noto Sans, DejaVu Sans, Arial, sans-serif"
_AREA = "var(--area)"
#: What a gap is called whose reason has no words of ours.
NO_VALUE = "no value"
#: What a gap is called, by words of its reason; the first that fits.
_GAPS = (
    ("refused", ("blocked", "refus", "captcha", "suspended", "quota", "rate limit")),
    ("not asked", ("no run at this tick",)),
    ("not finished", ("was not finished",)),
    ("no answer", ("has no final answer",)),
    ("other questions", ("asked with another list",)),
    ("other reference", ("held against another target",)),
    ("not computed", ("computed with signature",)),
    ("too few answers", ("floor", "is insufficient")),
)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Values over time, the oldest first. The label may be empty where there is one line.

    `newest` is the newest value as the page prints it, drawn without a unit that the axis has;
    empty: as its unit is written.
    """

    label: str
    ticks: Sequence[GridTick]
    is_control: bool = False
    newest: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """An event, with the words that stand beside it: `2 Mar: confirmed`."""

    at: datetime
    words: str
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class TimeChart:
    """All that a chart shows. `chosen` are due times that are compared, the earlier one first."""

    title: str
    quantity: Quantity
    lines: Sequence[ChartLine]
    zone: ZoneInfo
    markers: Sequence[Marker] = ()
    chosen: Sequence[datetime] = ()
    neutral_words: str = ""  # what the neutral line says; empty: words of the unit
    axis_title: str = ""  # empty: the label of the quantity with its unit

    @property
    def dotted(self) -> str:
        """Return what the neutral line says; empty without one."""
        meaning, neutral = self.quantity.meaning, self.quantity.neutral
        words = "" if neutral is None else neutral_words(meaning.unit, neutral)
        return self.neutral_words or words if neutral is not None else ""

    @property
    def axis(self) -> str:
        """`Stereotype gap, points`."""
        meaning = self.quantity.meaning
        title = capitalize_first(meaning.label)
        return self.axis_title or ", ".join(filter(None, (title, axis_unit(meaning.unit))))


def say_gap(state: State, reason: str) -> str:
    """Return in two words why a tick has no value: `not asked`, `too few answers`."""
    folded = reason.casefold()
    for words, signs in _GAPS:
        if any(sign in folded for sign in signs):
            return words
    return "not asked" if state == State.MISSED else NO_VALUE


def draw_time_chart(chart: TimeChart, name: str, size: tuple[int, int] = (500, 270)) -> Markup:
    """Return the chart for a page, in two widths of which its style shows one.

    Empty without any value. `name` makes ids unique in the page.
    """
    if not _list_numbers(chart):
        return Markup("")
    words = describe_time_chart(chart)
    full = "full large" if size[0] >= _LARGE else "full"
    pictures = [
        draw.picture(
            _Drawing(chart, shape).parts(), shape, own_name, chart.title, words, class_name, other
        )
        for shape, own_name, class_name, other in (
            (size, name, full, ""),
            (NARROW, f"{name}-phone", "phone", name),
        )
    ]
    return Markup('<div class="time-chart">{}{}</div>').format(*pictures)


def draw_saved_chart(chart: TimeChart, notes: Sequence[str]) -> str:
    """Return SVG that stands by itself: title, chart, and notes below; empty without any value."""
    if not _list_numbers(chart):
        return ""
    width, height = size = 760, 320
    title = list(_wrapped(chart.title, width - 28, 15, is_bold=True))
    lines = [line for note in notes for line in _wrapped(note, width - 28, _SMALL)]
    top = 14 + 20 * len(title)
    whole = top + height + 15 * len(lines) + 18
    texts = [
        draw.text(14, 22 + 20 * n, words, color=INK, size=15, is_bold=True)
        for n, words in enumerate(title)
    ]
    texts += [draw.text(14, top + height + 16 + 15 * n, words) for n, words in enumerate(lines)]
    svg = draw.sheet(
        [
            f'<rect width="{width}" height="{whole}" fill="{_PAPER}"/><g font-family="{_FONT}">',
            *texts, f'<g transform="translate(0,{top})">', *_Drawing(chart, size).parts(),
            "</g></g>",
        ], (width, whole),
    )  # fmt: skip
    for variable, color in _DAYLIGHT.items():
        svg = svg.replace(f'"{variable}"', f'"{color}"')
    return svg


def describe_time_chart(chart: TimeChart) -> str:
    """Return the chart in words, for those who cannot see it."""
    unit, zone = chart.quantity.meaning.unit, chart.zone
    sentences = [f"{chart.axis}."]
    for line in chart.lines:
        measured = [tick for tick in line.ticks if tick.value is not None]
        title = f"{line.label}{' (control)' if line.is_control else ''}: " if line.label else ""
        count = several(len(line.ticks), "run", "runs")
        sentences.append(f"{title}{len(measured)} of {count} with a value.")
        for words, tick in zip(("First", "Newest"), _list_ends(measured), strict=False):
            interval = say_interval(unit, tick.low, tick.high)
            suffix = f" (95 % interval {interval})" if interval else ""
            printed = line.newest if tick is line.ticks[-1] else ""
            value = printed or say_value(unit, tick.value or 0.0)
            sentences.append(f"{words}: {value}{suffix} on {say_day(tick.due_at, zone)}.")
        for words, ticks in _list_gaps(line.ticks):
            days = dict.fromkeys(say_day(tick.due_at, zone) for tick in _list_ends(ticks))
            sentences.append(f"{capitalize_first(words)}: {' to '.join(days)}.")
    sentences += [f"{event.words} ({say_day(event.at, zone)})." for event in chart.markers]
    if chart.dotted and chart.quantity.neutral is not None:
        neutral = say_value(unit, chart.quantity.neutral)
        sentences.append(f"Dotted line: {chart.dotted} ({neutral}).")
    return " ".join(sentences)


def _list_ends(ticks: Sequence[GridTick]) -> Sequence[GridTick]:
    return ticks if len(ticks) < 2 else (ticks[0], ticks[-1])  # noqa: PLR2004 - first and last


def _list_gaps(ticks: Sequence[GridTick]) -> Iterator[tuple[str, list[GridTick]]]:
    """Yield ticks without a value that follow each other, with the words for their reason."""
    for words, gap in groupby(
        ticks, lambda tick: say_gap(tick.state, tick.reason) if tick.value is None else ""
    ):
        if words:
            yield words, list(gap)


def _list_numbers(chart: TimeChart) -> list[float]:
    """Return all that has to be on the scale; empty without any value."""
    ticks = [tick for line in chart.lines for tick in line.ticks if tick.value is not None]
    numbers = [x for tick in ticks for x in (tick.value, tick.low, tick.high) if x is not None]
    neutral = chart.quantity.neutral
    return [*numbers, neutral] if numbers and neutral is not None else numbers


# --- boxes of words ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the picture, in its own pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether both share more than an edge."""
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.bottom and other.top < self.bottom
        )  # fmt: skip


def text_width(words: str, size: int, *, is_bold: bool = False) -> float:
    """Return how wide words are at most, in a usual typeface."""
    ems = sum(1.0 if c in _WIDE_LETTERS else _EMS[c in _NARROW_LETTERS] for c in visible(words))
    return ems * size * (_BOLD if is_bold else 1.0)


def _cut(words: str, most: int) -> str:
    return shorten(" ".join(visible(words).split()), most)


def _wrapped(words: str, width: float, size: int, *, is_bold: bool = False) -> list[str]:
    """Return the lines of a text that is no wider."""
    text = visible(words)
    per_letter = max(text_width(text, size, is_bold=is_bold) / max(len(text), 1), 1.0)
    return textwrap.wrap(text, max(8, int(width / per_letter))) or [""]


@dataclass(slots=True)
class _HeadingWords:
    """Lines of text with their box; `left` and `top` are those of the box."""

    lines: Sequence[str]
    color: str
    size: int = _TEXT
    is_bold: bool = False

    def wrapped(self, text: str, width: float) -> "_HeadingWords":
        """Return a text in lines that are no wider, in the same style."""
        label = _cut(text, _LONGEST_LABEL)
        return replace(self, lines=_wrapped(label, width, self.size, is_bold=self.is_bold))

    @property
    def width(self) -> float:
        return max(text_width(line, self.size, is_bold=self.is_bold) for line in self.lines)

    @property
    def height(self) -> float:
        return len(self.lines) * (self.size + 3.0)

    def at(self, left: float, top: float) -> Box:
        return Box(left, top, left + self.width, top + self.height)

    def drawn(self, box: Box, anchor: str = "start") -> list[str]:
        """Return the lines in their box: at its left, middle or right, as they are anchored."""
        x = {"start": box.left, "middle": (box.left + box.right) / 2, "end": box.right}[anchor]
        return [
            draw.text(x, box.top + (n + 1) * (self.size + 3.0) - 4, line, anchor, self.color,
                      self.size, is_bold=self.is_bold)
            for n, line in enumerate(self.lines)
        ]  # fmt: skip


#: Words one below the other: at the end of a line its newest value, and a label that is short.
_Stack = Sequence[_HeadingWords]


def _drawn(stack: _Stack, left: float, top: float) -> list[str]:
    """Return words one below the other, the left upper corner of the first at a place."""
    parts = []
    for words in stack:
        parts += words.drawn(words.at(left, top))
        top += words.height
    return parts


@dataclass(frozen=True, slots=True)
class _MarkerHeading:
    """Words above the plot that belong to a place in it.

    `n_rows` are those that it may use; `row` is its own, the lowest one 0, _NO_ROW without room.
    """

    words: _HeadingWords
    x: float
    has_line: bool
    dash: str = ""
    n_rows: int = _MOST_ROWS
    row: int = _NO_ROW
    left: float = 0.0
    anchor: str = "middle"


# --- drawing -------------------------------------------------------------------------------------


@dataclass
class _Drawing:
    """One chart of one size. Words are placed first; what finds no place inside goes above."""

    chart: TimeChart
    size: tuple[int, int]
    boxes: list[Box] = field(default_factory=list)  # of words that are placed

    def __post_init__(self) -> None:
        self.unit = self.chart.quantity.meaning.unit
        self.colors = self._line_colors()
        ends = (self.chart.quantity.low, self.chart.quantity.high)
        self.y = draw.nice(_list_numbers(self.chart), 1.0, 0.0, ends)
        labels = [axis_label(self.unit, tick) for tick in self.y.ticks]
        self.left = max(text_width(label, _TEXT) for label in labels) + 10
        self.ends = self._label_ends(
            [[self._newest(line, color)] for line, color in self._colored()]
        )
        self.right = self.size[0] - max(words.width for end in self.ends for words in end) - 12
        times = [tick.due_at.timestamp() for line in self.chart.lines for tick in line.ticks]
        first, last = min(times), max(times)
        widened = 1.0 if first == last else 0.0
        self.x = Scale(first - widened, last + widened, self.left + 6, self.right - 6)
        self.bottom = self.size[1] - _FOOT
        self.axis = _HeadingWords(_wrapped(self.chart.axis, self.size[0] - 12, _TEXT), QUIET)

    def parts(self) -> list[str]:
        headed = _headed(self._headings(), (2.0, self.size[0] - 2.0))
        n_rows = max((heading.row + 1 for heading in headed), default=0)
        above: list[_HeadingWords] = []
        while True:
            self.top = self.axis.height + n_rows * _ROW + sum(words.height for words in above) + 8
            self.y = Scale(self.y.low, self.y.high, self.bottom, self.top, self.y.ticks)
            self.boxes = []
            placed, homeless = self._labels(headed, above)
            if homeless is None:
                break
            above.append(homeless)
        parts = [*_drawn([self.axis], 4, 0), *_drawn(above, 4, self.axis.height + 2)]
        parts += [*self._axes(), *self._columns(), *self._heading_parts(headed)]
        is_few = sum(t.value is not None for o in self.chart.lines for t in o.ticks) <= _DOTS
        for line, color in self._colored():
            parts += self._values(line, color, is_few=is_few)
        return [*parts, *placed, *self._newest_parts()]

    def _line_colors(self) -> list[str]:
        own_colors = iter(_COLORS)
        return [QUIET if line.is_control else next(own_colors, INK) for line in self.chart.lines]

    def _colored(self) -> Iterator[tuple[ChartLine, str]]:
        return zip(self.chart.lines, self.colors, strict=True)

    def _at(self, tick: GridTick) -> float:
        return self.x(tick.due_at.timestamp())

    # axes

    def _axes(self) -> list[str]:
        places = [self.y(tick) for tick in self.y.ticks]
        parts = [draw.stroke("".join(map(self._cross, places)), GRID)]
        for tick, y in zip(self.y.ticks, places, strict=True):
            words = axis_label(self.unit, tick)
            parts.append(draw.text(self.left - 5, y + 4, words, "end", size=_TEXT))
        return [*parts, *self._neutral_line(), *self._dates()]

    def _cross(self, y: float) -> str:
        """Return a line across the plot."""
        return f"M{draw.place(self.left)},{draw.place(y)}H{draw.place(self.right)}"

    def _neutral_line(self) -> list[str]:
        neutral = self.chart.quantity.neutral
        if neutral is None:
            return []
        return [draw.stroke(self._cross(self.y(neutral)), QUIET, 1.4, "1.5 3")]

    def _dates(self) -> list[str]:
        """Dates below the axis, the year where it changes; the newest one always."""
        zone = self.chart.zone
        moments = sorted({tick.due_at for line in self.chart.lines for tick in line.ticks})
        n = max(2, int((self.right - self.left) / 78))
        numbers = [self.x.low + (self.x.high - self.x.low) * k / (n - 1) for k in range(n)]
        choice = {
            min(moments, key=lambda moment: abs(moment.timestamp() - position))
            for position in numbers
        }
        dates: list[tuple[float, datetime]] = []
        free, last_words = float(self.size[0]), ""
        for moment in sorted(choice, reverse=True):
            words = say_short_day(moment, zone)
            half = text_width(words, _TEXT) / 2
            x = min(max(self.x(moment.timestamp()), half + 2), self.size[0] - half - 2)
            if x + half < free - 6 and words != last_words:
                dates.append((x, moment))
                free, last_words = x - half, words
        parts, year = [], 0
        for x, moment in reversed(dates):
            parts.append(draw.text(x, self.bottom + 15, say_short_day(moment, zone), "middle",
                                   size=_TEXT))  # fmt: skip
            local = moment.astimezone(zone)
            if local.year != year:
                year = local.year
                parts.append(draw.text(x, self.bottom + 29, str(year), "middle", size=_TEXT))
        return parts

    # gaps and events

    def _gap_columns(self) -> list[tuple[str, float, float]]:
        """Return words, left and right of every time without a value of a line."""
        lines = [line for line in self.chart.lines if not line.is_control] or self.chart.lines
        by_time: dict[datetime, GridTick] = {}
        for line in lines:
            for tick in line.ticks:
                if tick.value is not None or tick.due_at not in by_time:
                    by_time[tick.due_at] = tick
        ticks = [by_time[moment] for moment in sorted(by_time)]
        places = [self._at(tick) for tick in ticks]
        between = sorted(b - a for a, b in pairwise(places))
        half = min(9.0, max(2.0, 0.35 * between[len(between) // 2])) if between else 9.0
        return [
            (words, max(self.left, self._at(gap[0]) - half),
             min(self.right, self._at(gap[-1]) + half))
            for words, gap in _list_gaps(ticks)
        ]  # fmt: skip

    def _columns(self) -> list[str]:
        columns = [(start, right, _AREA, 1.0) for _, start, right in self._gap_columns()]
        columns += [
            (self.x(position.timestamp()) - 7, self.x(position.timestamp()) + 7, QUIET, 0.2)
            for position in self.chart.chosen
        ]
        return [
            draw.fill(
                f"M{draw.place(remaining)},{draw.place(self.top)}H{draw.place(right)}"
                f"V{draw.place(self.bottom)}H{draw.place(remaining)}Z", color, opacity,
            )
            for remaining, right, color, opacity in columns
        ]  # fmt: skip

    def _headings(self) -> Iterator[_MarkerHeading]:
        """Yield what stands above the plot, the most important first."""
        for marker in sorted(
            self.chart.markers, key=lambda event: (not event.is_confirmed, event.at)
        ):
            position = marker.at.timestamp()
            if not self.x.low <= position <= self.x.high:
                continue
            words = _HeadingWords(
                [_cut(marker.words, _LONGEST_EVENT)],
                INK if marker.is_confirmed else QUIET, _TEXT, is_bold=marker.is_confirmed,
            )  # fmt: skip
            dash = "4 2.5" if marker.is_confirmed else "2 3"
            yield _MarkerHeading(words, self.x(position), has_line=True, dash=dash)
        days = {say_short_day(line.ticks[-1].due_at, self.chart.zone)
                for line in self.chart.lines if line.ticks}  # fmt: skip
        newest = _HeadingWords([days.pop() if len(days) == 1 else "newest"], QUIET, _SMALL)
        center = self.right + 8 + newest.width / 2
        yield _MarkerHeading(newest, center, has_line=False)
        for words_, moment in zip(("before", "after"), sorted(self.chart.chosen), strict=False):
            yield _MarkerHeading(
                _HeadingWords([words_], INK), self.x(moment.timestamp()), has_line=False
            )
        columns = self._gap_columns()
        widest = {
            words: max(
                (right - this_start, this_start)
                for other_name, this_start, right in columns
                if other_name == words
            )
            for words, _, _ in columns
        }
        columns.sort(key=lambda column: (column[2] - column[1], column[1]) != widest[column[0]])
        for n, (words_, start, right) in enumerate(columns):
            rows = _MOST_ROWS if n < len(widest) else 1
            words = _HeadingWords([words_], QUIET, _SMALL)
            yield _MarkerHeading(words, (start + right) / 2, has_line=False, n_rows=rows)

    def _heading_parts(self, headed: Sequence[_MarkerHeading]) -> list[str]:
        parts = []
        for heading in headed:
            top = self.top - 3 - (heading.row + 1) * _ROW
            if heading.has_line:
                line = f"M{draw.place(heading.x)},{draw.place(top + 3)}V{draw.place(self.bottom)}"
                parts.append(draw.stroke(line, heading.words.color, 1.2, heading.dash))
            if heading.row != _NO_ROW:
                parts += heading.words.drawn(heading.words.at(heading.left, top), heading.anchor)
        return parts

    # values

    def _values(self, line: ChartLine, color: str, *, is_few: bool) -> list[str]:
        bars, bands, lines, dots = [], [], [], []
        for ticks in _list_runs(line.ticks):
            band = [
                (self._at(tick), self.y(tick.low), self.y(tick.high))
                for tick in ticks
                if tick.low is not None and tick.high is not None
            ]
            if len(band) == 1:
                [(x, low, high)] = band
                bars.append(f"M{draw.place(x)},{draw.place(low)}V{draw.place(high)}")
            elif band:
                outline = [(x, high) for x, _, high in band]
                outline += [(x, low) for x, low, _ in reversed(band)]
                bands.append(f"{draw.path(outline)}Z")
            values = [(self._at(tick), self.y(tick.value or 0.0)) for tick in ticks]
            if len(values) > 1:
                lines.append(draw.path(values))
            if is_few or len(values) == 1:
                dots += values
        parts = [draw.stroke("".join(bars), color, 1.6)] if bars else []
        parts += [draw.fill("".join(bands), color, 0.15)] if bands else []
        parts += [draw.stroke("".join(lines), color, 1.8)] if lines else []
        parts += [draw.dots(dots, color, 2.6)] if dots else []
        return parts

    def _newest(self, line: ChartLine, color: str) -> _HeadingWords:
        """Return the newest value as it stands at the right end, or why there is none."""
        tick = line.ticks[-1] if line.ticks else None
        if tick is None or tick.value is None:
            return _HeadingWords(["no", "value"], QUIET)
        value = line.newest.removesuffix("%") or say_value(self.unit, tick.value)
        text = value.removesuffix("points").removesuffix("point").rstrip()
        size = _TEXT + 1 if line.is_control else _BIG
        return _HeadingWords([text], color, size, is_bold=True)

    def _label_ends(self, ends: Sequence[_Stack]) -> Sequence[_Stack]:
        """Return the ends with the labels of lines, if all are short and all lines have a value."""
        labels = [
            _HeadingWords([], color, is_bold=True).wrapped(line.label, _END)
            for line, color in self._colored()
            if line.label and any(tick.value is not None for tick in line.ticks)
        ]
        is_short = all(len(label.lines) == 1 and label.width <= _END for label in labels)
        if not is_short or len(labels) < len(ends):
            return ends
        return [[*end, label] for end, label in zip(ends, labels, strict=True)]

    def _newest_parts(self) -> list[str]:
        """Words at the right end, each at the height of its line, as far as there is room."""
        needed: list[tuple[float, float, _Stack]] = []
        for end, line in zip(self.ends, self.chart.lines, strict=True):
            value = next((t.value for t in reversed(line.ticks) if t.value is not None), None)
            if value is not None:
                height = sum(words.height for words in end)
                needed.append((self.y(value) - end[0].height / 2, height, end))
        needed.sort(key=lambda entry: entry[0])
        tops: list[float] = []
        floor = self.top - 3
        for top, height, _ in needed:
            tops.append(max(top, floor))
            floor = tops[-1] + height
        ceiling = self.bottom + 4
        parts = []
        for top, (_, height, end) in zip(reversed(tops), reversed(needed), strict=True):
            ceiling = min(top, ceiling - height)
            parts += _drawn(end, self.right + 8, ceiling)
        return parts

    # words inside the plot

    def _labels(
        self, headed: Sequence[_MarkerHeading], above: Sequence[_HeadingWords]
    ) -> tuple[list[str], _HeadingWords | None]:
        """Return labels in their places; or the first that finds none and is not yet above."""
        events = [
            Box(heading.x - 3, self.top, heading.x + 3, self.bottom)
            for heading in headed
            if heading.has_line
        ]
        shadows = [list(self._shadow(line)) for line in self.chart.lines]
        subjects = [
            (line.label, line.label, _HeadingWords([], color, is_bold=True), shadow)
            for (line, color), end, shadow in zip(
                self._colored(), self.ends, shadows, strict=True
            )
            if line.label and len(end) == 1
        ]  # fmt: skip
        if self.chart.dotted and self.chart.quantity.neutral is not None:
            y = self.y(self.chart.quantity.neutral)
            dotted = [Box(self.left, y - 1, self.right, y + 1)]
            away = f"dotted line: {self.chart.dotted}"
            subjects.append((self.chart.dotted, away, _HeadingWords([], QUIET, _SMALL), dotted))
        parts: list[str] = []
        for label, away, style, own_value in subjects:
            outside = style.wrapped(away, self.size[0] - 12)
            if outside in above:
                continue
            other_rows = [
                piece for shadow in shadows if shadow is not own_value for piece in shadow
            ]
            for share in _LABEL_WIDTHS:
                words = style.wrapped(label, share * (self.right - self.left))
                if box := self._best(words, own_value, [*self.boxes, *other_rows, *events]):
                    break
            else:
                return [], outside
            self.boxes.append(box)
            parts += words.drawn(box)
        return parts, None

    def _shadow(self, line: ChartLine) -> Iterator[Box]:
        """Yield slices of what a line covers with its interval."""
        for ticks in _list_runs(line.ticks):
            x, top, bottom = zip(*(
                (self._at(tick), self.y(value if tick.high is None else tick.high),
                 self.y(value if tick.low is None else tick.low))
                for tick in ticks if (value := tick.value) is not None
            ), strict=True)  # fmt: skip
            yield Box(x[0] - 4, top[0] - 3, x[0] + 4, bottom[0] + 3)
            places = sorted({*x, *np.arange(x[0], x[-1], _STEP)})
            edges = zip(places, np.interp(places, x, top), np.interp(places, x, bottom),
                        strict=True)  # fmt: skip
            for near, far in pairwise(edges):
                yield Box(near[0], min(near[1], far[1]) - 3, far[0] + 1, max(near[2], far[2]) + 3)

    def _beside(self, words: _HeadingWords, own: Sequence[Box]) -> Iterator[Box]:
        """Yield places just above and just below a line."""
        for step in _list_steps(self.left + 4, self.right - words.width - 4):
            near = [
                piece for piece in own if piece.left < step + words.width and step < piece.right
            ]
            if near:
                yield words.at(step, min(piece.top for piece in near) - words.height)
                yield words.at(step, max(piece.bottom for piece in near))

    def _best(
        self, words: _HeadingWords, own: Sequence[Box], hindering: Sequence[Box]
    ) -> Box | None:
        """Return the place with the least distance to its line, the right one of several."""
        gaps = [Box(start, self.top, right, self.bottom) for _, start, right in self._gap_columns()]
        best: tuple[float, Box] | None = None
        for box in self._beside(words, own):
            is_inside = box.top >= self.top + 1 and box.bottom <= self.bottom - 1
            if not is_inside or any(box.overlaps(other_box) for other_box in hindering):
                continue
            middle = (box.top + box.bottom) / 2
            near = [
                abs((piece.top + piece.bottom) / 2 - middle)
                for piece in own if piece.left < box.right and box.left < piece.right
            ]  # fmt: skip
            distance = sum(near) / len(near)
            cost = distance + 12 * any(box.overlaps(gap) for gap in gaps) - box.left / 100
            if distance <= _FARTHEST and (best is None or cost < best[0]):
                best = cost, box
        return best[1] if best else None


def _list_steps(first: float, last: float) -> Iterator[float]:
    """Yield places from the first to the last, the last included."""
    if last < first:
        return
    yield from (first + 8 * k for k in range(int((last - first) / 8) + 1))
    yield last


def _list_runs(ticks: Sequence[GridTick]) -> Iterator[list[GridTick]]:
    """Yield ticks with values that follow each other without a gap."""
    for has_value, run in groupby(ticks, lambda tick: tick.value is not None):
        if has_value:
            yield list(run)


def _headed(headings: Iterable[_MarkerHeading], frame: tuple[float, float]) -> list[_MarkerHeading]:
    """Give headings rows above the plot, so that no words meet others, or the line of an event."""
    taken: list[Box] = []  # a row is 1 high, the lowest one from -1 to 0
    headed = []
    for heading in headings:
        for placed in _heading_places(heading, frame):
            top, width = -1.0 - placed.row, heading.words.width
            line = [Box(heading.x - 2, top, heading.x + 2, 0)] if heading.has_line else []
            words = Box(placed.left, top, placed.left + width, top + 1)
            if not any(box.overlaps(other_box) for box in (words, *line) for other_box in taken):
                taken += [replace(words, left=words.left - 4, right=words.right + 4), *line]
                headed.append(placed)
                break
        else:
            headed.append(heading)
    rows = [_NO_ROW, *sorted({heading.row for heading in headed} - {_NO_ROW})]
    return [replace(heading, row=rows.index(heading.row) - 1) for heading in headed]


def _heading_places(
    heading: _MarkerHeading, frame: tuple[float, float]
) -> Iterator[_MarkerHeading]:
    """Yield places of a heading: left of its line in the lowest row, else right in the highest.

    So the lines of later events pass beside the words of earlier ones.
    """
    width, rows = heading.words.width, range(heading.n_rows)
    sides = [("end", heading.x - 5 - width, rows), ("start", heading.x + 5, reversed(rows))]
    if not heading.has_line:
        remaining = min(max(heading.x - width / 2, frame[0]), frame[1] - width)
        sides = [("middle", remaining, rows)]
    for anchor, left, order in sides:
        if frame[0] <= left and left + width <= frame[1]:
            yield from (replace(heading, row=row, left=left, anchor=anchor) for row in order)
