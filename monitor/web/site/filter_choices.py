"""Plain words for the values that lists are filtered by, which stand in addresses as codes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel

from monitor.stages.reports import names
from monitor.stages.reports.names import KnownEngines

#: {field: {code: words}} of the values of filters.
ChoiceLabels: TypeAlias = Mapping[str, Mapping[str, str]]
Choices = TypeVar("Choices", bound=BaseModel)


class _Words(NamedTuple):
    """Words for a code, and what tells it from others with the same words."""

    label: str
    detail: str = ""


def list_choices(model: type[Choices], records: Sequence[object]) -> Choices:
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
    said = {
        code: " / ".join(dict.fromkeys(w.label for w in all_)) for code, all_ in by_code.items()
    }
    details = {code: " / ".join(w.detail for w in all_) for code, all_ in by_code.items()}
    for further in (details, dict(zip(by_code, by_code, strict=True))):
        n_codes = Counter(said.values())
        said = {
            code: f"{words} ({further[code]})" if n_codes[words] > 1 and further[code] else words
            for code, words in said.items()
        }
    return dict(sorted(said.items(), key=lambda entry: entry[1].lower()))
