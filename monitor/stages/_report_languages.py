"""Languages side by side: heat tables with languages in rows and systems in columns."""

from collections.abc import Sequence
from itertools import groupby
from statistics import fmean
from typing import Any

from monitor import registry
from monitor.model import Kind, Quantity, primary
from monitor.stages import _report_blocks as blocks
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.stages.document import records as doc
from monitor.stages.weekly.wording import brief
from monitor.text.quantity_values import neutral_words, say_interval, say_value

Point = dict[str, Any]

_MEASURE = "masculine_rate"
#: Quantities that have a table each.
QUANTITIES = ("f_m", "f_s")
#: Fewer languages are compared in the tables of systems.
_FEWEST = 3
#: The distance from the neutral value at which the shade is full: of f_m all that is possible, of
#: f_s what makes 3 of 4 answers follow the stereotype.
_FULL = 0.5


def section(systems: Sequence[System]) -> doc.Section | None:
    """Return the section of a report; None with fewer than three languages.

    Each list has its own tables, and each measure with its parameters.
    """
    chosen_systems = [
        system for system in systems if system.family == _MEASURE and system.kind == Kind.MT
    ]
    chosen_systems.sort(key=_group)
    body: list[doc.Block] = []
    for (list_name, source, measure), group in groupby(chosen_systems, key=_group):
        rated = list(group)
        if len({one.target for one in rated}) >= _FEWEST:
            chosen_measure = f", {measure}" if measure != _MEASURE else ""
            title = f"{list_name}, from {names.language_name(source)}{chosen_measure}"
            body.append(doc.Heading(title))
            body += [heat_table(rated, quantity) for quantity in _quantities()]
    return doc.Section("languages", "Languages side by side", body, "Languages") if body else None


def _group(system: System) -> tuple[str, str, str]:
    return system.list_name, system.source_lang, system.measure


def _quantities() -> list[Quantity]:
    by_name = {quantity.name: quantity for quantity in registry.measure(_MEASURE).quantities}
    return [by_name[name] for name in QUANTITIES]


def heat_table(systems: Sequence[System], quantity: Quantity) -> doc.Table:
    """Return a table of one quantity: a row for each language, a column for each engine.

    Languages with the largest mean come first, those without a value last.
    """
    engines = list(dict.fromkeys(system.title for system in systems))
    points = {
        (system.target, system.title): system.values().get(quantity.name) for system in systems
    }
    targets = sorted(
        dict.fromkeys(system.target for system in systems),
        key=lambda target: _order([points.get((target, title)) for title in engines]),
    )
    rows = [
        [
            doc.Cell(names.language_name(target), "" if target == primary(target) else target),
            *(_cell(points, target, title, quantity) for title in engines),
        ]
        for target in targets
    ]
    label = quantity.meaning.label.capitalize()
    neutral = neutral_words(quantity.meaning.unit, quantity.neutral or 0.0)
    caption = doc.prose(
        "**{label}** ({name}), by language and system; beneath, the 95 % interval. The largest "
        "mean stands first. The stronger its colour, the further a value is from neutral "
        "({neutral}): orange above, green below.",
        label=label, name=quantity.name, neutral=neutral,
    )  # fmt: skip
    return doc.table(caption, ["language", *(f"#{title}" for title in engines)], rows)


def _shorten(reason: str) -> str:
    """Return a reason without its details in brackets."""
    return brief(reason).partition(" (")[0]


def _order(points: Sequence[Point | None]) -> tuple[bool, float]:
    values = [point["value"] for point in points if point and point["value"] is not None]
    return (not values, -fmean(values) if values else 0.0)


def _cell(
    points: dict[tuple[str, str], Point | None], target: str, title: str, quantity: Quantity
) -> doc.Cell:
    if (target, title) not in points:
        return doc.Cell("not asked", is_missing=True)
    point = points[target, title]
    if point is None:
        return blocks.value(None)
    if point["value"] is None:  # all of the reason stands in the tables of systems
        return blocks.missing({**point, "reason": _shorten(point["reason"])})
    unit, value = quantity.meaning.unit, point["value"]
    distance = (value - (quantity.neutral or 0.0)) / _FULL
    return doc.Cell(
        say_value(unit, value),
        say_interval(unit, point["low"], point["high"]),
        shade=max(-1.0, min(1.0, distance)),
    )
