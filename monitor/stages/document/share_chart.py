"""Scatter charts of professions: shares in answers, or a bias, against reference shares. Pure.

Numbers in, parts of a picture out; the names of dots stand beside them as far as there is room.
"""

from collections.abc import Sequence
from typing import NamedTuple

from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, QUIET, SECOND, Scale, place
from monitor.stages.document.notation import number
from monitor.stages.document.time_chart import Box, text_width

_MARKS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Sizes of words, names at most, and their distance from the dot.
_WORDS, _NAME, _MOST_NAMES, _APART = 11, 12, 24, 6.0


class Dot(NamedTuple):
    """A profession: its share in the reference and in the answers, whether it is marked, its name.

    Of words in texts there is a bias in place of a share.
    """

    target: float
    model: float
    is_marked: bool
    name: str


def draw_shares(dots: Sequence[Dot], group: str, size: tuple[int, int]) -> list[str]:
    """Return shares in answers (upward) against those of the reference, with the diagonal."""
    frame = _make_frame(size)
    x, y = Scale(0, 1, frame.left, frame.right), Scale(0, 1, frame.bottom, frame.top)
    parts = [part for mark in _MARKS for part in _level(frame, y(mark), f"{100 * mark:.0f}", GRID)]
    parts += _upright(frame, x, f"share of {group} in the reference, %")
    axis = f"share of {group} in the answers, %"
    parts += _draw_corner(frame, axis)
    parts.append(draw.stroke(draw.path([(x(0), y(0)), (x(1), y(1))]), QUIET, 1, "3 3"))
    plain = "".join(draw.dot(x(d.target), y(d.model), 3) for d in dots if not d.is_marked)
    marked = "".join(draw.dot(x(d.target), y(d.model), 3.4) for d in dots if d.is_marked)
    if plain:
        parts.append(draw.stroke(plain, FIRST, 1.3))
    if marked:
        parts.append(draw.fill(marked, SECOND, 0.9))
    ordered = sorted(dots, key=lambda dot: -abs(dot.model - dot.target))
    return parts + _draw_names(ordered, x, y, frame, axis)


def describe_shares(dots: Sequence[Dot], group: str) -> str:
    """Return the chart in words, for those who cannot see it."""
    above = sum(d.model > d.target for d in dots)
    below = sum(d.model < d.target for d in dots)
    return (
        f"{len(dots)} professions: {above} above the diagonal, with a larger share of {group} in "
        f"the answers than in the reference, {below} below it."
    )


def draw_leanings(dots: Sequence[Dot], size: tuple[int, int]) -> list[str]:
    """Return the bias of words (upward, 0 in the middle) against the reference share of women."""
    frame = _make_frame(size)
    most = max(abs(dot.model) for dot in dots) or 1.0
    x = Scale(0, 1, frame.left, frame.right)
    y = Scale(-most, most, frame.bottom - 6, frame.top + 6)
    parts = _upright(frame, x, "share of women in the reference, %")
    for position in (-most, 0.0, most):
        look = (GRID, "") if position else (QUIET, "3 3")
        parts += _level(frame, y(position), number(position, 2, sign=True), *look)
    axis = "bias of the word, above 0 towards women"
    parts += _draw_corner(frame, axis)
    rings = "".join(draw.dot(x(dot.target), y(dot.model), 3) for dot in dots)
    parts.append(draw.stroke(rings, FIRST, 1.3))
    ordered = sorted(dots, key=lambda dot: -abs(dot.model))
    return parts + _draw_names(ordered, x, y, frame, axis)


def _make_frame(size: tuple[int, int]) -> Box:
    return Box(44.0, 10.0, size[0] - 10.0, size[1] - 40.0)


def _level(frame: Box, up: float, label: str, color: str, dash: str = "") -> list[str]:
    """Return a line across with its label."""
    across = f"M{place(frame.left)},{place(up)}H{place(frame.right)}"
    label_at = draw.text(frame.left - 6, up + 4, label, "end")
    return [draw.stroke(across, color, 1, dash), label_at]


def _upright(frame: Box, x: Scale, axis: str) -> list[str]:
    """Return the lines of the reference share with their labels."""
    fits = text_width(axis, _WORDS) <= frame.right
    parts = [draw.text(frame.right, frame.bottom + 34, axis, "end")] if fits else []
    for mark in _MARKS:
        parts.append(
            draw.stroke(f"M{place(x(mark))},{place(frame.top)}V{place(frame.bottom)}", GRID)
        )
        parts.append(draw.text(x(mark), frame.bottom + 15, f"{100 * mark:.0f}", "middle"))
    return parts


def _draw_corner(frame: Box, axis: str) -> list[str]:
    """Return what the upward axis is, where there is room for it."""
    fits = text_width(axis, _WORDS) <= frame.right - frame.left - 6
    return [draw.text(frame.left + 6, frame.top + 12, axis)] if fits else []


def _draw_names(dots: Sequence[Dot], x: Scale, y: Scale, frame: Box, axis: str) -> list[str]:
    """Return the names of dots as far as there is room beside them, the first dots first.

    `axis` stands in the corner of the frame.
    """
    places = [(x(dot.target), y(dot.model)) for dot in dots]
    corner = Box(frame.left, frame.top, frame.left + 6 + text_width(axis, _WORDS), frame.top + 16)
    taken = [
        corner,
        *(Box(x_position - 4, up - 4, x_position + 4, up + 4) for x_position, up in places),
    ]
    parts: list[str] = []
    for dot, (position, up) in zip(dots, places, strict=True):
        width = text_width(dot.name, _NAME)
        corners = (
            (position + _APART, up - 7), (position - _APART - width, up - 7),
            (position - width / 2, up - _APART - 14), (position - width / 2, up + _APART),
        )  # fmt: skip
        boxes = (Box(remaining, top, remaining + width, top + 14) for remaining, top in corners)
        free = (
            box for box in boxes
            if box.left >= frame.left and box.right <= frame.right and box.top >= frame.top
            and box.bottom <= frame.bottom and not any(box.overlaps(this_box) for this_box in taken)
        )  # fmt: skip
        if box := next(free, None):
            taken.append(box)
            parts.append(draw.text(box.left, box.bottom - 3, dot.name, color=INK, size=_NAME))
    return parts[:_MOST_NAMES]
