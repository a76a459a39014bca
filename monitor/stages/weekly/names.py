"""What the weekly report calls series, and which of them come first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from monitor import registry
from monitor.model import (
    Direction,
    InvalidInput,
    Kind,
    Meaning,
    Quantity,
    QuantityUnit,
    Symmetry,
)
from monitor.names import base_name
from monitor.stages import _report_names as names
from monitor.stages import _report_words as words
from monitor.stages._report_text import spelt
from monitor.stages.engine_titles import engine_title

Row = dict[str, Any]

_PARTS = {
    "measure": "measure",
    "measure_version": "version of the measure",
    "parameters": "parameters of the measure",
    "parser": "parser",
    "parser_version": "version of the parser",
    "language": "language",
    "language_version": "version of the language rules",
    "nouns": "whether nouns for persons count",
    "cue": "where the gender is read from",
    "list": "probe list",
    "reference": "target",
    "reference_version": "version of the target's source",
    "text": "texts that are read",
    "lexicons": "lexicon",
    "extractors": "extractor of page texts",
    "block": "block of the page",
    "labels": "version of the labels",
    "mapping": "version of the mapping of genders",
}
_LONGEST_PART = 60


#: A quantity that this installation no longer knows.
_UNKNOWN = Quantity(
    "", "", Direction.SIGNED, Symmetry.EVEN, None, float("-inf"), float("inf"),
    meaning=Meaning(label="", unit=QuantityUnit.SCORE, up="rose", down="fell"),
)  # fmt: skip


@cache
def _measure(family: str, kind: str) -> Any:  # noqa: ANN401 - a measure, or nothing
    try:
        return registry.measure(words.registered(family), Kind(kind))
    except InvalidInput:
        return None


@cache
def about(measure: str, quantity: str, kind: str) -> Quantity:
    """Return a quantity of a measure by its canonical name, with its meaning in words.

    A quantity that is not known any more keeps its name and has no title.
    """
    known = _measure(base_name(measure), kind)
    found: Quantity | None = next((q for q in known.quantities if q.name == quantity), None) if (
        known) else None  # fmt: skip
    if found is None:
        unknown = replace(_UNKNOWN.meaning, label=quantity)
        return replace(_UNKNOWN, name=quantity, meaning=unknown)
    group = str(words.named(measure).parameters.get("group") or known.parameters.get("group", ""))
    return replace(found, meaning=found.meaning.of_group(group or "women"))


@cache
def primaries(measure: str, kind: str) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first."""
    found = _measure(base_name(measure), kind)
    return tuple(found.primaries) if found else ()


@cache
def means(measure: str, kind: str) -> str:
    """What a measure says, in a sentence or two; empty where it is not known any more."""
    found = _measure(base_name(measure), kind)
    return str(found.validity.means) if found else ""


def family(measure: str) -> str:
    """The name that a measure is registered under."""
    return words.registered(base_name(measure))


def place(series: Row, content: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where a series stands in its job: by measure, list, reference, language, then quantity."""
    uses = content.get("measures") or ()
    family = words.registered(base_name(series["measure"]))
    at = next((n for n, use in enumerate(uses) if use.get("name") == family), len(uses))
    references = list(uses[at].get("references") or ()) if at < len(uses) else []
    lists = [str(use.get("name", "")).split("@", 1)[0] for use in content.get("lists") or ()]
    first = primaries(series["measure"], series["kind"])
    return (
        at, words.named(series["measure"]).cutoff or 0, series["measure"],
        _at(lists, series["list"]), _at(references, series["reference"]), series["source_lang"],
        _at(first, series["quantity"]), series["quantity"],
    )  # fmt: skip


def _at(some: Sequence[str], one: str) -> int:
    return some.index(one) if one in some else len(some)


def title(series: Row) -> str:
    """`f_s`, `mab against US labour force, 2019`: the quantity of a series."""
    reference = series["reference"]
    against = f" against {names.short_reference(reference)}" if reference else ""
    return f"{series['quantity']}{against}"


def label(series: Row) -> str:
    """Return `stereotype gap (f_s)`, and against which reference."""
    meaning = about(series["measure"], series["quantity"], series["kind"]).meaning
    reference = series["reference"]
    against = f", against {names.short_reference(reference)}" if reference else ""
    return f"{meaning.label}{against} ({series['quantity']})"


def system(series: Row) -> str:
    """`DeepL, en → cs (Czech)`."""
    pair = names.pair_title(series["source_lang"], series["target"], series["kind"])
    return f"{_engine(series)}, {pair}"


def system_words(series: Row) -> str:
    """Return `DeepL, English to Czech`."""
    pair = names.pair_words(series["source_lang"], series["target"], series["kind"])
    return f"{_engine(series)}, {pair}"


def subject_columns(series: Row) -> dict[str, str]:
    """Return what every row of a table about one series says that it is about."""
    meaning = about(series["measure"], series["quantity"], series["kind"]).meaning
    kept = {name: str(series[name]) for name in ("source_lang", "target", "quantity")}
    return {"system": _engine(series), **kept, "label": meaning.label}


def _engine(series: Row) -> str:
    """Return the title that a job gives the engine of a series, else one made from its label."""
    return str(series.get("engine_title") or engine_title(series["engine"]))


def short_system(series: Row) -> str:
    """`DeepL, en→cs`."""
    pair = names.short_pair(series["source_lang"], series["target"], series["kind"])
    return f"{_engine(series)}, {pair}"


def chosen(measure: str) -> str:
    """A measure's name where it has parameters of its own, or nothing."""
    return measure if measure != base_name(measure) else ""


def differences(before: Row, after: Row) -> list[str]:
    """Which parts of two signatures differ: `probe list gest@1 → gest@2`."""
    keys = [key for key in _PARTS if before.get(key) != after.get(key)]
    keys += sorted(key for key in before.keys() | after.keys() if key not in _PARTS
                   and before.get(key) != after.get(key))  # fmt: skip
    return [
        f"{_PARTS.get(key, key)} {_part(before.get(key))} → {_part(after.get(key))}" for key in keys
    ]


def _part(value: object) -> str:
    text = spelt(value)
    return text if len(text) <= _LONGEST_PART else f"{text[: _LONGEST_PART - 1]}…"
