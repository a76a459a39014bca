"""Draws one difference with its interval, to stand in its row of a table.

All rows of a table have one scale, whose ends are said in words above it.
"""

from collections.abc import Iterable

from markupsafe import Markup

from monitor.stages.document.draw import dot, place

_WIDTH, _HEIGHT, _EDGE = 160.0, 18.0, 5.0
_LEAST = 0.01


def reach(numbers: Iterable[float | None]) -> float:
    """How far the scale goes to either side of zero, so that all of these are on it."""
    return max([_LEAST, *(abs(one) for one in numbers if one is not None)])


def difference(
    delta: float | None, low: float | None, high: float | None, end: float, *, differ: bool
) -> Markup:
    """A dot with its interval beside zero: filled where it is called a difference, else open.

    It stands beside its numbers in words, and is hidden from those who hear the page.
    """
    if delta is None:
        return Markup("")
    middle = _HEIGHT / 2

    def x(value: float) -> float:
        return _EDGE + (value + end) / (2 * end) * (_WIDTH - 2 * _EDGE)

    bar = ""
    if low is not None and high is not None:
        bar = f'<path class="bar" d="M{place(x(low))},{place(middle)}H{place(x(high))}"/>'
    mark = "dot" if differ else "dot open"
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="difference" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" aria-hidden="true">'
        f'<path class="zero" d="M{place(x(0.0))},0V{_HEIGHT:g}"/>{bar}'
        f'<path class="{mark}" d="{dot(x(delta), middle, 4.0)}"/></svg>'
    )
