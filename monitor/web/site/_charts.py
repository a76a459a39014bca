"""Draws the charts of pages: numbers in, SVG out. What a colour says, a shape or a word says too.

No style stands in an attribute, because the content policy of the pages refuses that: how a part
looks stands in `site.css` under its class.
"""

from collections.abc import Sequence

from markupsafe import Markup

from monitor.model import State
from monitor.stages.document.draw import place

_WIDTH, _HEIGHT, _EDGE = 96.0, 22.0, 3.0
_LEAST_RANGE = 0.02


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
