"""Draws shares: of professions against their reference, of stereotypes with their intervals."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from monitor.stages.document import draw
from monitor.stages.document.draw import Scale, place
from monitor.stages.share_chart import Dot, describe_shares, draw_leanings, draw_shares

_SIZE, _NARROW = (520, 420), (360, 340)


def against(dots: Sequence[Dot], group: str, title: str) -> Markup:
    """Shares in answers (upward) against those of the reference; nothing where there is none."""
    said = describe_shares(dots, group)
    return _in_two_widths(lambda size: draw_shares(dots, group, size), title, said, has=bool(dots))


def leaning(dots: Sequence[Dot], title: str) -> Markup:
    """Bias of words (upward, 0 in the middle) against the reference share of women."""
    women = sum(one.model > 0 for one in dots)
    said = (
        f"{len(dots)} words for professions with a bias and a reference share: {women} towards "
        f"women, {sum(one.model < 0 for one in dots)} towards men."
    )
    return _in_two_widths(lambda size: draw_leanings(dots, size), title, said, has=bool(dots))


def _in_two_widths(
    drawn: Callable[[tuple[int, int]], list[str]], title: str, said: str, *, has: bool
) -> Markup:
    """Return a chart for wide and for narrow columns, of which the page shows one."""
    if not has:
        return Markup("")
    pictures = [
        draw.picture(drawn(size), size, name, title, said, class_name)
        for size, name, class_name in (
            (_SIZE, "professions", "full"), (_NARROW, "professions-phone", "phone"),
        )
    ]  # fmt: skip
    return Markup('<div class="time-chart">{}{}</div>').format(*pictures)


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
