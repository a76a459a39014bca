"""Parts of what pages show: a value with its interval, a page of many rows, words of filters."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from monitor.model import State
from monitor.stages.document.draw import Scale, dot, place
from monitor.stages.reports import names
from monitor.stages.reports.names import KnownEngines

Record = TypeVar("Record", bound=BaseModel)
Row = TypeVar("Row")
#: {field: {code: words}} of the values of filters.
ChoiceLabels: TypeAlias = Mapping[str, Mapping[str, str]]


class Described(BaseModel):
    """Content whose fields are described by the docstrings beneath them; pictures are markup."""

    model_config = ConfigDict(use_attribute_docstrings=True, arbitrary_types_allowed=True)


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
        name: getattr(next((record for record in stored if hasattr(record, name)), stored[0]), name)
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


# --- words of filters -----------------------------------------------------------------------------


class _Words(NamedTuple):
    """Words for a code, and what tells it from others with the same words."""

    label: str
    detail: str = ""


def list_choices(model: type[Record], records: Sequence[object]) -> Record:
    """Return the values that records have in each field of a model, sorted."""
    return model(**{
        name: sorted({getattr(record, name) for record in records}) for name in model.model_fields
    })  # fmt: skip


def label_choices(
    records: Iterable[tuple[str, Any]], engines: KnownEngines
) -> dict[str, dict[str, str]]:
    """Return words for the values that fields of records have, each with its engine."""
    labels: dict[str, dict[str, dict[_Words, None]]] = {}
    for label, record in records:
        for field, code, words in _describe(label, record, engines):
            labels.setdefault(field, {}).setdefault(code, {})[words] = None
    return {field: _tell_apart(by_code) for field, by_code in labels.items()}


def _describe(
    label: str,
    record: Any,  # noqa: ANN401 - any record of a series
    engines: KnownEngines,
) -> Iterable[tuple[str, str, _Words]]:
    """Yield the fields of a record: field, code and words."""
    engine, measure = engines[label], record.measure
    yield "engine", label, _Words(engine.title)
    yield "target", record.target, _Words(names.target_words(record.target, engine.kind))
    if reference := getattr(record, "reference", ""):
        yield "reference", reference, _Words(names.short_reference(reference))
    yield "measure", measure, _Words(names.title_measure(measure, engine.kind))
    if code := getattr(record, "quantity", ""):
        quantity = names.find_quantity(measure, code, engine.kind)
        yield "quantity", code, _Words(quantity.meaning.label, quantity.title)


def _tell_apart(by_code: Mapping[str, Iterable[_Words]]) -> dict[str, str]:
    """Return {code: words} in the order of the words; those of two codes are never the same."""
    labels = {
        code: " / ".join(dict.fromkeys(w.label for w in all_)) for code, all_ in by_code.items()
    }
    details = {code: " / ".join(w.detail for w in all_) for code, all_ in by_code.items()}
    for further in (details, dict(zip(by_code, by_code, strict=True))):
        n_codes = Counter(labels.values())
        labels = {
            code: f"{words} ({further[code]})" if n_codes[words] > 1 and further[code] else words
            for code, words in labels.items()
        }
    return dict(sorted(labels.items(), key=lambda entry: entry[1].lower()))
