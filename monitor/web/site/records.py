"""Parts of what pages show: a value with its interval, a point, and one page of many rows."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from monitor.model import State
from monitor.stages.document.draw import Scale, dot, place
from monitor.stages.reports import names

Record = TypeVar("Record", bound=BaseModel)
Row = TypeVar("Row")


class Described(BaseModel):
    """Content whose fields are described by the docstrings beneath them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Estimate(Described):
    """A value with the ends of its 95 % interval, null unless `state` is `measured`."""

    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None


class PointEstimate(Estimate):
    """The value of a point with bounds for whatever is missing, and its method version."""

    bound_low: float | None
    bound_high: float | None
    flags: Sequence[str]
    signature: str

    @property
    def flagged(self) -> str:
        """Return the flags in words."""
        return names.say_flags(self.flags)


class PagedContent(Described):
    """One page of many rows; pages are counted from 1."""

    page: int
    n_pages: int


def copy_record(model: type[Record], *stored: object, **others: Any) -> Record:  # noqa: ANN401
    """Return a record with `others`, and each further field from the first record that has it."""
    names = model.model_fields.keys() - others.keys()
    fields = {
        name: getattr(next((one for one in stored if hasattr(one, name)), stored[0]), name)
        for name in names
    }
    return model(**fields, **others)


def count_pages(n: int, size: int) -> int:
    """Return the number of pages for `n` rows; at least 1."""
    return max(1, -(-n // size))


def slice_page(rows: Sequence[Row], page: int, size: int) -> Sequence[Row]:
    """Return the rows of one page; pages are counted from 1."""
    return rows[(page - 1) * size : page * size]


def sort_by_value(rows: Sequence[Row], value: Callable[[Row], Any], *, down: bool) -> list[Row]:
    """Return rows in the order of a value, those without one last and as they stood."""
    valued = sorted((row for row in rows if value(row) is not None), key=value, reverse=down)
    return [*valued, *(row for row in rows if value(row) is None)]


def draw_estimate(
    value: float | None, low: float | None, high: float | None, scale: Scale, line_at: float,
    *, is_open: bool = False,
) -> Markup:  # fmt: skip
    """Draw a value with its interval beside a line; nothing without a value.

    It stands beside its numbers in words, and is hidden from those who hear the page.
    """
    if value is None:
        return Markup("")
    bar = ""
    if low is not None and high is not None:
        bar = f'<path class="bar" d="M{place(scale(low))},9H{place(scale(high))}"/>'
    mark = "dot open" if is_open else "dot"
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="estimate" viewBox="0 0 {scale.first + scale.last:g} 18" aria-hidden="true">'
        f'<path class="line" d="M{place(scale(line_at))},0V18"/>{bar}'
        f'<path class="{mark}" d="{dot(scale(value), 9, 4)}"/></svg>'
    )
