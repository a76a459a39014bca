"""Names of series, and values with their uncertainty, as weekly reports and pages write them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.model import Direction, InvalidInput, Kind, Meaning, Quantity, QuantityUnit, Symmetry
from monitor.names import SNIPPET, base_name, find_registered_name
from monitor.stages.document.notation import number, ranges, span, spelt
from monitor.stages.document.records import Cell
from monitor.stages.reports import names, word_lists
from monitor.stages.reports.names import engine_title

# --- series ---------------------------------------------------------------------------------------

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
#: Scopes of one site among those that are cited.
SITE = "tag:domain="


#: A quantity that this installation no longer knows.
_UNKNOWN = Quantity(
    "", "", Direction.SIGNED, Symmetry.EVEN, None, float("-inf"), float("inf"),
    meaning=Meaning(label="", unit=QuantityUnit.SCORE, up="rose", down="fell"),
)  # fmt: skip


@cache
def _measure(family: str, kind: str) -> Any:  # noqa: ANN401 - a measure, or nothing
    try:
        return registry.measure(find_registered_name(family), Kind(kind))
    except InvalidInput:
        return None


@cache
def find_quantity(measure: str, quantity: str, kind: str, scope: str = "all") -> Quantity:
    """Return a quantity of a measure by its canonical name, with its meaning in words.

    A measure of a site names it: that of the scope, where the scope is one. A quantity that is not
    known any more keeps its name and has no title.
    """
    this_measure = _measure(base_name(measure), kind)
    declared = this_measure.quantities if this_measure else ()
    this_quantity: Quantity | None = next((q for q in declared if q.name == quantity), None)
    if this_quantity is None:
        unknown = replace(_UNKNOWN.meaning, label=quantity)
        return replace(_UNKNOWN, name=quantity, meaning=unknown)
    parameters = {**this_measure.parameters, **word_lists.parse_name(measure).parameters}
    group = parameters.get("group") or "women"
    site = scope.removeprefix(SITE) if scope.startswith(SITE) else parameters.get("domain", "")
    meaning = this_quantity.meaning.fill(group=str(group), site=str(site))
    return replace(this_quantity, meaning=meaning)


def say_scope(scope: str, title: str = "") -> str:
    """Return the part of the questions in words: its title, `occupation: nurse`, or a site."""
    return title or scope.removeprefix(SITE).removeprefix("tag:").replace("=", ": ")


@cache
def name_primaries(measure: str, kind: str) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first."""
    this_measure = names.summarize_measure(measure, kind)
    return this_measure.primaries if this_measure else ()


@cache
def find_main_quantity(measure: str, kind: str) -> Quantity:
    """Return the quantity of a measure that is said first among those that are tested."""
    primaries = [find_quantity(measure, name, kind) for name in name_primaries(measure, kind)]
    unranked = len(primaries) + 1
    return min(
        primaries,
        key=lambda quantity: quantity.meaning.rank or unranked,
        default=find_quantity(measure, base_name(measure), kind),
    )


@cache
def say_meaning(measure: str, kind: str) -> str:
    """Return what a measure says, in a sentence or two; empty where it is not known any more."""
    this_measure = _measure(base_name(measure), kind)
    return str(this_measure.validity.means) if this_measure else ""


def name_family(measure: str) -> str:
    """The name that a measure is registered under."""
    return find_registered_name(base_name(measure))


def rank_series(series: Row, content: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where a series stands in its job: by measure, list, reference, language, then quantity."""
    uses = content.get("measures") or ()
    family = find_registered_name(base_name(series["measure"]))
    position = next((n for n, use in enumerate(uses) if use.get("name") == family), len(uses))
    references = list(uses[position].get("references") or ()) if position < len(uses) else []
    lists = [str(use.get("name", "")).split("@", 1)[0] for use in content.get("lists") or ()]
    first = name_primaries(series["measure"], series["kind"])
    return (
        position, word_lists.parse_name(series["measure"]).cutoff or 0, series["measure"],
        _at(lists, series["list"]), _at(references, series["reference"]), series["source_lang"],
        _at(first, series["quantity"]), series["quantity"],
    )  # fmt: skip


def _at(some: Sequence[str], one: str) -> int:
    return some.index(one) if one in some else len(some)


def write_title(series: Row) -> str:
    """`f_s`, `mab against US labour force, 2019`: the quantity of a series."""
    reference = series["reference"]
    against = f" against {names.short_reference(reference)}" if reference else ""
    return f"{series['quantity']}{against}"


def write_label(series: Row) -> str:
    """Return `stereotype gap (f_s)`, and against which reference."""
    meaning = find_quantity(series["measure"], series["quantity"], series["kind"]).meaning
    reference = series["reference"]
    against = f", against {names.short_reference(reference)}" if reference else ""
    return f"{meaning.label}{against} ({series['quantity']})"


def name_system(series: Row) -> str:
    """Return `DeepL, English to Czech`."""
    pair = names.pair_words(series["source_lang"], series["target"], series["kind"])
    return f"{_say_engine(series)}, {pair}"


def subject_columns(series: Row) -> dict[str, str]:
    """Return what every row of a table about one series says that it is about."""
    meaning = find_quantity(series["measure"], series["quantity"], series["kind"]).meaning
    stored = {name: str(series[name]) for name in ("source_lang", "target", "quantity")}
    return {"system": _say_engine(series), **stored, "label": meaning.label}


def _say_engine(series: Row) -> str:
    """Return the title that a job gives the engine of a series, else one made from its label."""
    return str(series.get("engine_title") or engine_title(series["engine"]))


@cache
def title_measure(measure: str, kind: str) -> str:
    """Return `GEST masculine rate (floor 3)`; the name alone where it is not known any more."""
    summary = names.summarize_measure(measure, kind)
    if summary is None:
        return measure
    parameters = say_parameters(measure)
    return f"{summary.title} ({parameters})" if parameters else summary.title


@cache
def say_parameters(measure: str) -> str:
    """Return `first 10, floor 3` of a canonical name; empty without parameters of its own."""
    named = word_lists.parse_name(measure)
    parts = ["titles and snippets"] if named.family == SNIPPET else []
    parts += [f"first {named.cutoff}"] if named.cutoff else []
    parts += [
        f"{name.replace('_', ' ')} {spelt(value)}"
        for name, value in named.parameters.items()
        if name != "cutoff"
    ]
    return ", ".join(parts)


def say_differences(before: Row, after: Row) -> list[str]:
    """Return which parts of two signatures differ: `probe list gest@1 → gest@2`."""
    keys = [key for key in _PARTS if before.get(key) != after.get(key)]
    keys += sorted(key for key in before.keys() | after.keys() if key not in _PARTS
                   and before.get(key) != after.get(key))  # fmt: skip
    return [
        f"{_PARTS.get(key, key)} {_say_part(before.get(key))} → {_say_part(after.get(key))}"
        for key in keys
    ]


def _say_part(value: object) -> str:
    text = spelt(value)
    return text if len(text) <= _LONGEST_PART else f"{text[: _LONGEST_PART - 1]}…"


# --- values ---------------------------------------------------------------------------------------

#: What a state without a value is called.
NOT_MEASURED = "not measured"
_KILO = 1000.0
_CODE = re.compile(r"[a-z][a-z0-9_]*")
#: `1, 2, 3, 4`: at least three whole numbers in a row.
_NUMBERS = re.compile(r"\b\d{1,6}(?:, \d{1,6}){2,}\b")


def write_estimate(row: Row, sign: bool = False, name: str = "value") -> str:
    """`0.512 [0.488, 0.536]`: a value with its 95 % interval, or that there is no interval."""
    return f"{number(row[name], 3, sign)} {span(row['low'], row['high'], 3, sign)}"


def write_cell(row: Row, sign: bool = False, name: str = "value") -> Cell:
    """A value above its interval; why there is none where it was not measured."""
    if row[name] is None:
        return write_missing(row["reason"])
    return Cell(number(row[name], 3, sign), join_words(span(row["low"], row["high"], 3, sign)))


def join_words(words: str) -> str:
    """Words that are kept on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def write_missing(reason: str) -> Cell:
    """That something was not measured, and why."""
    return Cell(NOT_MEASURED, shorten_reason(reason) or "no reason is stored", is_missing=True)


def shorten_reason(reason: str) -> str:
    """A reason with the numbers of its parts in the fewest words: `stereotype 1-7, 9`."""
    return _NUMBERS.sub(lambda match: ranges([int(word) for word in match[0].split(", ")]), reason)


def spell_quantities(reason: str, measure: str, kind: str) -> str:
    """Return a reason with the labels of the quantities of a measure in place of their codes."""
    this_measure = _measure(base_name(measure), kind)
    labels = {q.name: q.meaning.label for q in this_measure.quantities} if this_measure else {}
    return _CODE.sub(lambda match: labels.get(match[0], match[0]), reason)


def write_quiet(reason: str) -> Cell:
    """Words in place of a number that was not to be had."""
    return Cell("none", reason, is_missing=True)


def format_day(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d")


def format_minute(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-16 05:00 UTC`."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")


def format_size(n_bytes: float) -> str:
    """`1.2 MB`, in powers of 1000."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(n_bytes) < _KILO:
            return f"{n_bytes:,.0f} B" if unit == "B" else f"{n_bytes:,.1f} {unit}"
        n_bytes /= _KILO
    return f"{n_bytes:,.1f} TB"
