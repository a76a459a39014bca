"""Parts of what pages show: a value with its interval, a point, and one page of many rows."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from monitor.model import State
from monitor.stages.reports import names

Record = TypeVar("Record", bound=BaseModel)
Row = TypeVar("Row")


class Estimate(BaseModel):
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


class PagedContent(BaseModel):
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
