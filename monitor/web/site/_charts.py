"""Draws the charts of pages: numbers in, SVG out. What a colour says, a shape or a word says too.

No style stands in an attribute, because the content policy of the pages refuses that: how a part
looks stands in `site.css` under its class.
"""

from collections.abc import Sequence

from markupsafe import Markup

from monitor.model import State
from monitor.stages.weekly.draw import place
from monitor.store.series_summaries import Mark

_WIDTH, _HEIGHT, _EDGE = 96.0, 22.0, 3.0
_LEAST_RANGE = 0.02
_TILE_WIDTH, _TILE_HEIGHT, _TILE_COLUMN = 250.0, 70.0, 14.0


def spark(marks: Sequence[tuple[State, float | None]]) -> Markup:
    """The newest ticks of a series, the oldest first; a gap is a gap, with a mark at the bottom.

    It stands beside the newest value in words, and is hidden from those who hear the page.
    """
    values = [value for _, value in marks if value is not None]
    if not values:
        return Markup("")
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    bottom = (low + high - room) / 2
    step = (_WIDTH - 2 * _EDGE) / max(len(marks) - 1, 1)
    lines: list[list[str]] = [[]]
    gaps = []
    for at, (_, value) in enumerate(marks):
        x = _EDGE + at * step
        if value is None:
            lines.append([])
            gaps.append(f"M{place(x)},{place(_HEIGHT)}v-4")
            continue
        y = _HEIGHT - _EDGE - (value - bottom) / room * (_HEIGHT - 2 * _EDGE)
        lines[-1].append(f"{place(x)},{place(y)}")
    # a tick between two gaps is a line of no length, which round ends make a dot
    path = "".join("M" + "L".join(line if len(line) > 1 else line * 2) for line in lines if line)
    lost = f'<path class="gap" d="{"".join(gaps)}"/>' if gaps else ""
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="spark" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" aria-hidden="true">'
        f'<path class="line" d="{path}"/>{lost}</svg>'
    )


def common_scale(charts: Sequence[Sequence[Mark]], neutral: float | None) -> tuple[float, float]:
    """Return the ends of one scale for small charts: all intervals and the neutral value."""
    known = [mark for marks in charts for mark in marks if mark.value is not None]
    values = [end for mark in known for end in (mark.value, mark.low, mark.high) if end is not None]
    values += [] if neutral is None else [neutral]
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    room = max(high - low, _LEAST_RANGE)
    return low - room / 10, low + room * 1.1


def tile(marks: Sequence[Mark], scale: tuple[float, float], neutral: float | None) -> Markup:
    """Draw the newest runs of a system on a given scale, the oldest first, with their intervals.

    A run without a value is a light column. The chart stands beside the newest value in words, and
    is hidden from those who hear the page. Empty without any value.
    """
    if all(mark.value is None for mark in marks):
        return Markup("")
    low, high = scale
    step = (_TILE_WIDTH - 2 * _EDGE) / max(len(marks) - 1, 1)
    column = min(step, _TILE_COLUMN)

    def height(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return _TILE_HEIGHT - _EDGE - share * (_TILE_HEIGHT - 2 * _EDGE)

    parts = []
    stretches: list[list[tuple[float, Mark]]] = [[]]
    for at, mark in enumerate(marks):
        x = _EDGE + at * step
        if mark.value is None:
            stretches.append([])
            parts.append(
                f'<rect class="gap" x="{place(x - column / 2)}" y="0" width="{place(column)}" '
                f'height="{_TILE_HEIGHT:g}"/>'
            )
        else:
            stretches[-1].append((x, mark))
    if neutral is not None:
        parts.append(f'<path class="neutral" d="M0,{place(height(neutral))}H{_TILE_WIDTH:g}"/>')
    for stretch in filter(None, stretches):
        with_interval = [(x, mark) for x, mark in stretch if None not in (mark.low, mark.high)]
        upper = [f"{place(x)},{place(height(mark.high or 0))}" for x, mark in with_interval]
        lower = [f"{place(x)},{place(height(mark.low or 0))}" for x, mark in with_interval]
        if len(with_interval) > 1:
            parts.append(f'<path class="band" d="M{"L".join([*upper, *reversed(lower)])}Z"/>')
        values = [f"{place(x)},{place(height(mark.value or 0))}" for x, mark in stretch]
        # a run between two gaps is a line of no length, which round ends make a dot
        line = "L".join(values if len(values) > 1 else values * 2)
        parts.append(f'<path class="line" d="M{line}"/>')
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="tile" viewBox="0 0 {_TILE_WIDTH:g} {_TILE_HEIGHT:g}" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )
