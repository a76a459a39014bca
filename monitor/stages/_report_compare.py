"""Puts the systems of a run side by side: one group per list and pair of languages.

Systems stand in the order of their names, controls first, and never in the order of a value.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from monitor.names import base_name
from monitor.stages import _charts, _report_columns, _report_coverage
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.store.report import RunFacts

Row = dict[str, Any]


def groups(systems: Sequence[System], facts: RunFacts) -> list[Row]:
    """One entry per list and pair of languages: shares of classes, and values by measure."""
    found = _report_columns.side_by_side(systems)
    return [
        {
            "title": f"{name}, {names.pair_title(source, target)}",
            "shares": None if some[0].kind == "lm" else _shares(some, facts),
            "measures": _measures(some, f"{place}"),
        }
        for place, ((name, source, target), some) in enumerate(found.items())
    ]


def _measures(systems: Sequence[System], name: str) -> list[Row]:
    by_measure = _report_columns.by_measure(systems)
    families = [base_name(measure) for measure in by_measure]
    found = []
    for place, (measure, some) in enumerate(by_measure.items()):
        chosen, family = _report_columns.columns(some), families[place]
        drawn = plane(some, f"plane-{name}-{place}") if family == "masculine_rate" else None
        found.append(
            {
                "family": family,
                "title": family if families.count(family) == 1 else measure,
                "columns": chosen,
                "meaning": _report_columns.meaning(some),
                "rows": [{"system": s, "cells": [c.of(s) for c in chosen]} for s in some],
                "plane": drawn,
            }
        )
    return found


def _shares(systems: Sequence[System], facts: RunFacts) -> Row:
    """What the answers show: the share of each class, or pronoun, among the answers."""
    return _report_coverage.classes(systems, facts.coverage, facts.pronouns)


def plane(systems: Sequence[System], name: str) -> Markup | None:
    """f_s and f_m of all systems in one chart; None where no system has both."""
    rows = []
    for system in systems:
        values = system.values()
        f_s, f_m = values.get("f_s"), values.get("f_m")
        if f_s and f_m and f_s["value"] is not None and f_m["value"] is not None:
            ends = {
                f"{quantity}_{end}": point[end]
                for quantity, point in (("f_s", f_s), ("f_m", f_m))
                for end in ("low", "high")
            }
            row = {"mark": system.mark, "f_s": f_s["value"], "f_m": f_m["value"]}
            rows.append(row | ends)
    if not rows:
        return None
    return _charts.plane(rows, name, "Stereotype rate against masculine rate")
