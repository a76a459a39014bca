"""Draws shares: of professions against their reference, of stereotypes with their intervals."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from monitor.stages._report_text import number
from monitor.stages.weekly import draw
from monitor.stages.weekly.draw import FIRST, GRID, QUIET, SECOND, Scale, place

_SIZE = (360, 330)
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 350.0, 10.0, 290.0
_MARKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Dot(NamedTuple):
    """A profession: its reference share, its share in the answers, whether that is marked.

    Of words in texts there is a bias in place of a share.
    """

    target: float
    model: float
    is_marked: bool


def against(dots: Sequence[Dot], group: str, title: str) -> Markup:
    """Shares in answers (upward) against those of the reference; nothing where there is none."""
    if not dots:
        return Markup("")
    x, y = Scale(0, 1, _LEFT, _RIGHT), Scale(0, 1, _BOTTOM, _TOP)
    parts = [draw.stroke(f"M{place(_LEFT)},{place(y(at))}H{place(_RIGHT)}", GRID) for at in _MARKS]
    parts += [draw.stroke(f"M{place(x(at))},{place(_TOP)}V{place(_BOTTOM)}", GRID) for at in _MARKS]
    parts += [draw.text(_LEFT - 6, y(at) + 4, number(at, 2), "end") for at in _MARKS]
    parts += [draw.text(x(at), _BOTTOM + 15, number(at, 2), "middle") for at in _MARKS]
    parts.append(draw.text(_RIGHT, _BOTTOM + 34, "reference share", "end"))
    parts.append(draw.text(_LEFT + 6, _TOP + 12, f"share of {group} in the answers"))
    parts.append(draw.stroke(draw.path([(x(0), y(0)), (x(1), y(1))]), QUIET, 1, "3 3"))
    plain = "".join(draw.dot(x(d.target), y(d.model), 3) for d in dots if not d.is_marked)
    marked = "".join(draw.dot(x(d.target), y(d.model), 3.4) for d in dots if d.is_marked)
    if plain:
        parts.append(draw.stroke(plain, FIRST, 1.3))
    if marked:
        parts.append(draw.fill(marked, SECOND, 0.9))
    above = sum(d.model > d.target for d in dots)
    below = sum(d.model < d.target for d in dots)
    said = (
        f"{len(dots)} professions: {above} above the diagonal, with a larger share of {group} in "
        f"the answers than in the reference, {below} below it."
    )
    return draw.picture(parts, _SIZE, "professions", title, said, "square")


def leaning(dots: Sequence[Dot], title: str) -> Markup:
    """Bias of words (upward, 0 in the middle) against the reference share of women."""
    if not dots:
        return Markup("")
    most = max(abs(one.model) for one in dots) or 1.0
    x, y = Scale(0, 1, _LEFT, _RIGHT), Scale(-most, most, _BOTTOM - 6, _TOP + 6)
    parts = [draw.stroke(f"M{place(x(at))},{place(_TOP)}V{place(_BOTTOM)}", GRID) for at in _MARKS]
    parts += [draw.text(x(at), _BOTTOM + 15, number(at, 2), "middle") for at in _MARKS]
    for at in (-most, 0.0, most):
        line = f"M{place(_LEFT)},{place(y(at))}H{place(_RIGHT)}"
        parts.append(draw.stroke(line, GRID if at else QUIET, 1, "" if at else "3 3"))
        parts.append(draw.text(_LEFT - 6, y(at) + 4, number(at, 2, sign=True), "end"))
    parts.append(draw.text(_RIGHT, _BOTTOM + 34, "reference share of women", "end"))
    parts.append(draw.text(_LEFT + 6, _TOP + 22, "bias of the word, above 0 towards women"))
    rings = "".join(draw.dot(x(one.target), y(one.model), 3) for one in dots)
    parts.append(draw.stroke(rings, FIRST, 1.3))
    women = sum(one.model > 0 for one in dots)
    said = (
        f"{len(dots)} words for professions with a bias and a reference share: {women} towards "
        f"women, {sum(one.model < 0 for one in dots)} towards men."
    )
    return draw.picture(parts, _SIZE, "professions", title, said, "square")


def rate(value: float, low: float | None, high: float | None) -> Markup:
    """A share from 0 to 1 with its interval, and a line at one half; words stand beside it."""
    x = Scale(0, 1, 3, 93)
    bar = "" if low is None or high is None else f"M{place(x(low))},9H{place(x(high))}"
    dot = draw.dot(x(value), 9, 3)
    return Markup(  # noqa: S704 - numbers alone
        '<svg class="rate" viewBox="0 0 96 18" aria-hidden="true">'
        f'<path class="half" d="M{place(x(0.5))},1V17"/><path class="bar" d="{bar}"/>'
        f'<path class="dot" d="{dot}"/></svg>'
    )
