"""Makes a drawn chart safe to stand inside a page: SVG text in, inline SVG markup out.

Captured names become labels of charts, so only elements and attributes that draw are let through,
whatever the drawing library writes.

They are drawn by hand because the drawing library takes some fifty milliseconds for each. Colours
are names of the page's own style; what a colour says, a shape or a word says too.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, groupby, pairwise
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from markupsafe import Markup

from monitor.stages.document.notation import number, visible


class LazyModule:
    """A module that is imported when something of it is first used: altair takes half a second."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        return getattr(import_module(self._name), name)


# --- markup of a page -----------------------------------------------------------------------------

_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset(
    {"svg", "g", "path", "line", "rect", "text", "tspan", "defs", "clipPath", "use"}
)
_ATTRIBUTES = frozenset({
    "clip-path", "d", "dx", "dy", "fill", "fill-opacity", "font-size", "font-style", "font-weight",
    "height", "href", "id", "opacity", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-opacity", "stroke-width", "text-anchor", "transform", "viewBox", "width", "x", "x1",
    "x2", "y", "y1", "y2",
})  # fmt: skip
#: A value that would fetch: anything but a reference into the same picture.
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)|://|javascript:", re.IGNORECASE)
#: What an element `use` may repeat: a part of another picture of the page.
_SHARED = re.compile(r"#[a-z0-9-]*")
_LOCAL = re.compile(r"url\(#([^)]+)\)")


def inline(
    svg: str, name: str, title: str, description: str, class_name: str = "", described_by: str = ""
) -> Markup:
    """The picture with a title and a description for those who cannot see it.

    `name` makes its ids unique in the page. Its width follows the column it stands in, by a style
    of its own, or by that of its class where a page refuses styles in attributes: there it keeps
    its size. `described_by` is the name of a picture of the same page whose description is that of
    this one too. Raises ValueError for an element or a reference that a chart does not need.
    """
    root = ET.fromstring(svg)  # noqa: S314  drawn by ourselves; a DTD would be an unknown element
    ids: dict[str, str] = {}
    for element in root.iter():
        tag = element.tag.removeprefix(f"{{{_SVG}}}")
        if tag not in _ELEMENTS:
            raise ValueError(f"chart {name}: element {tag!r}")
        element.tag = tag
        stored = {k: v for k, v in element.attrib.items() if k in _ATTRIBUTES}
        if any(_OUTSIDE.search(value) for value in stored.values()) or not _SHARED.fullmatch(
            stored.get("href", "#")
        ):
            raise ValueError(f"chart {name}: refers outside")
        if "id" in stored:
            # The library counts its ids on from chart to chart, which would change the bytes.
            stored["id"] = ids.setdefault(stored["id"], name_part(name, len(ids)))
        element.attrib.clear()
        element.attrib.update(stored)
    for element in root.iter():
        for key, value in element.attrib.items():
            if reference := _LOCAL.fullmatch(value):
                part = ids.setdefault(reference[1], name_part(name, len(ids)))
                element.set(key, f"url(#{part})")
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-t {described_by or name}-d"}
    words = {"title": title} if described_by else {"title": title, "desc": description}
    for index, (tag, text) in enumerate(words.items()):
        element = ET.Element(tag, {"id": f"{name}-{tag[0]}"})
        element.text = text
        root.insert(index, element)
    if class_name:
        root.set("class", class_name)
    else:
        width, _ = root.attrib.pop("width"), root.attrib.pop("height")
        root.set("style", f"max-width:{float(width) * 1.25:.0f}px")
    markup = ET.tostring(root, encoding="unicode").replace(" />", "/>")  # in text > is escaped
    return Markup(markup)  # noqa: S704  built element by element


def name_part(name: str, index: int = 0) -> str:
    """Return the id in the page of a part of a picture that has an id, the first one 0."""
    return f"{name}-{index}"


# --- charts ---------------------------------------------------------------------------------------

INK, QUIET, GRID, AREA = "var(--ink)", "var(--quiet)", "var(--grid)", "var(--area)"
FIRST, SECOND = "var(--first)", "var(--second)"
_SMALL = 11
#: The style of words that say nothing else.
WORDS = f'font-size="{_SMALL}" fill="{QUIET}"'
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_TICKS = 4
_LEAST_RANGE = 0.02
_ROUNDING = 1e-6
_ASLANT = (2, 2)


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
    """A coordinate with one digit, always spelt alike: `4`, `4.5`, `-.5`."""
    return _spell(_count_tenths(value))


def _count_tenths(value: float) -> int:
    return round(10 * value)


def _spell(tenths: int) -> str:
    whole, rest = divmod(abs(tenths), 10)
    digits = f"{whole or ''}.{rest}" if rest else str(whole)
    return f"-{digits}" if tenths < 0 else digits


def path(points: Sequence[tuple[float, float]]) -> str:
    """A line through points: the first one, then steps, which are short.

    No rounding adds up, because the places are rounded and not the steps.
    """
    start, *steps = _list_steps(points)
    parts = []
    for direction, run in groupby(steps, _find_direction):
        run_steps = list(run)
        if direction == _ASLANT:
            parts.append(f"l{_join(chain.from_iterable(run_steps))}")
        else:  # places on the way are no corners
            letter = "h" if direction[1] == 0 else "v"
            parts.append(f"{letter}{_spell(sum(x + y for x, y in run_steps))}")
    return f"M{_join(start)}{''.join(parts)}"


def _join(tenths: Iterable[int]) -> str:
    """Return numbers one after the other; a sign or a second point begins a number by itself."""
    text, last = "", ""
    for digits in map(_spell, tenths):
        is_apart = not last or digits[0] == "-" or (digits[0] == "." and "." in last)
        text += digits if is_apart else f" {digits}"
        last = digits
    return text


def _find_direction(step: tuple[int, int]) -> tuple[int, int]:
    """Return the signs of a step along an axis; _ASLANT for any other step."""
    x, y = step
    return _ASLANT if x and y else ((x > 0) - (x < 0), (y > 0) - (y < 0))


def _list_steps(points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return the first place and the steps to each further one, in tenths."""
    places = [(_count_tenths(x), _count_tenths(y)) for x, y in points]
    return [places[0], *((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places))]


def dot(x: float, y: float, radius: float = 2.2) -> str:
    """The outline of a dot."""
    r, across = place(radius), place(2 * radius)
    half = f"a{r},{r} 0 1,0 "
    return f"M{place(x - radius)},{place(y)}{half}{across},0{half}-{across},0"


def stroke(d: str, color: str, width: float = 1.0, dash: str = "") -> str:
    """A drawn line."""
    wide = f' stroke-width="{width:g}"' if width != 1 else ""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{d}" fill="none" stroke="{color}"{wide}{dashed}/>'


def dots(points: Sequence[tuple[float, float]], color: str, radius: float) -> str:
    """Dots of one colour: the round ends of lines without a length, which take few bytes."""
    d = "".join(f"m{_join(step)}h0" for step in _list_steps(points))
    return (
        f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{2 * radius:g}" '
        'stroke-linecap="round"/>'
    )


def fill(d: str, color: str, opacity: float = 1.0) -> str:
    """A filled area."""
    clear = f' fill-opacity="{opacity:g}"' if opacity != 1 else ""
    return f'<path d="{d}" fill="{color}"{clear}/>'


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
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    large = f' font-size="{size}"' if size != _SMALL else ""
    colored = f' fill="{color}"' if color != QUIET else ""
    return (
        f'<text x="{place(x)}" y="{place(y)}"{large}{weight}{colored}{side}>'
        f"{escape(visible(words))}</text>"
    )


def sheet(parts: Sequence[str], size: tuple[int, int]) -> str:
    """The parts as one picture by itself. Words are small and quiet unless they say otherwise."""
    width, height = size
    style = f" {WORDS}" if any("<text" in part for part in parts) else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"{style}>{"".join(parts)}</svg>'
    )


def picture(
    parts: Sequence[str],
    size: tuple[int, int],
    name: str,
    title: str,
    description: str,
    class_name: str = "",
    described_by: str = "",
) -> Markup:
    """The parts as one picture inside a page, with its title and description; see `inline`."""
    svg = sheet(parts, size)
    return inline(svg, name, visible(title), visible(description), class_name, described_by)


def label(value: float, ticks: Sequence[float]) -> str:
    """A tick with as many digits as its step needs."""
    step = min((b - a for a, b in pairwise(ticks)), default=1.0)
    digits = max(0, math.ceil(-math.log10(step) - _ROUNDING))
    steps = step * 10**digits
    is_exact = abs(steps - round(steps)) < _ROUNDING  # 0.25 needs one digit more than 0.2
    return number(value, digits if is_exact else digits + 1)
