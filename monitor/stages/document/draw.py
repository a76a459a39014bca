"""Small charts of reports: numbers in, SVG out, a thousand in a second.

They are drawn by hand because the drawing library takes some fifty milliseconds for each. Colours
are names of the page's own style; what a colour says, a shape or a word says too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

from markupsafe import Markup

from monitor.stages import _svg
from monitor.stages._report_text import number, visible

INK, QUIET, GRID, AREA = "var(--ink)", "var(--quiet)", "var(--grid)", "var(--area)"
FIRST, SECOND = "var(--first)", "var(--second)"
_SMALL = 11
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_TICKS = 4
_LEAST_RANGE = 0.02
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places: domain, places of its ends, and where its ticks are."""

    low: float
    high: float
    first: float
    last: float
    ticks: tuple[float, ...] = ()

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)


def nice(values: Sequence[float], first: float, last: float, ends: tuple[float, float]) -> Scale:
    """A scale that holds all values, with two to five ticks, and passes no end of the quantity."""
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    middle = (low + high) / 2
    low, high = min(low, middle - room / 2), max(high, middle + room / 2)
    power = 10.0 ** math.floor(math.log10(room / _MOST_TICKS))
    step = next(s * power for s in _STEPS if room / (s * power) <= _MOST_TICKS)
    bottom, top = math.floor(low / step), math.ceil(high / step)
    ticks = tuple(
        n * step
        for n in range(bottom, top + 1)
        if ends[0] - step / 2 < n * step < ends[1] + step / 2
    )
    return Scale(min(ticks[0], low), max(ticks[-1], high), first, last, ticks)


def place(value: float) -> str:
    """A coordinate with one digit, always spelt alike."""
    return f"{value + 0.0:.1f}"


def path(points: Sequence[tuple[float, float]]) -> str:
    """A line through points."""
    return "M" + "L".join(f"{place(x)},{place(y)}" for x, y in points)


def dot(x: float, y: float, radius: float = 2.2) -> str:
    """The outline of a dot."""
    r, across = place(radius), place(2 * radius)
    half = f"a{r},{r} 0 1,0 "
    return f"M{place(x - radius)},{place(y)}{half}{across},0{half}-{across},0"


def stroke(d: str, color: str, width: float = 1.0, dash: str = "") -> str:
    """A drawn line."""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width:g}"{dashed}/>'


def fill(d: str, color: str, opacity: float = 1.0) -> str:
    """A filled area."""
    return f'<path d="{d}" fill="{color}" fill-opacity="{opacity:g}"/>'


def text(
    x: float,
    y: float,
    words: str,
    anchor: str = "start",
    color: str = QUIET,
    size: int = _SMALL,
    *,
    is_bold: bool = False,
) -> str:
    """Words at a place; whatever they are, they stay words."""
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{place(x)}" y="{place(y)}" font-size="{size}"{weight} fill="{color}" '
        f'text-anchor="{anchor}">{escape(visible(words))}</text>'
    )


def sheet(parts: Sequence[str], size: tuple[int, int]) -> str:
    """The parts as one picture by itself."""
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">{"".join(parts)}</svg>'
    )


def picture(
    parts: Sequence[str],
    size: tuple[int, int],
    name: str,
    title: str,
    description: str,
    class_name: str = "",
) -> Markup:
    """The parts as one picture inside a page, with its title and description."""
    svg = sheet(parts, size)
    return _svg.inline(svg, name, visible(title), visible(description), class_name)


def label(value: float, ticks: Sequence[float]) -> str:
    """A tick with as many digits as its step needs."""
    step = min((b - a for a, b in pairwise(ticks)), default=1.0)
    digits = max(0, math.ceil(-math.log10(step) - _ROUNDING))
    shown_digits = step * 10**digits
    is_exact = (
        abs(shown_digits - round(shown_digits)) < _ROUNDING
    )  # 0.25 needs one digit more than 0.2
    return number(value, digits if is_exact else digits + 1)
