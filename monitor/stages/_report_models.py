"""Language models: points of a system in, values by template and stereotype out."""

from typing import Any

from monitor.stages import _report_charts
from monitor.stages._report_systems import System
from monitor.store.report import RunFacts

Row = dict[str, Any]

_ONE, _PAIR = "template:", "template-stereotype:"
#: Section 4.2 of Pikuliak et al. 2023.
_TEMPLATES = {
    "0": "He/She said: “S”",
    "1": "The man/The woman said: “S”",
    "2": "“S”, he/she said.",
    "3": "“S”, the man/the woman said.",
    "pair": "the two variants of the sentence itself",
}


def section(system: System, facts: RunFacts) -> Row:
    """What the page shows of one language model."""
    titles = _stereotypes(facts)
    ranks = system.by_scope("q_rank")
    templates: list[Row] = []
    for scope, g_s in system.by_scope("g_s").items():
        name = scope.removeprefix(_ONE)
        rows = [
            _row(key.rpartition("/")[2], point, ranks.get(key), titles)
            for key, point in system.by_scope("q_i").items()
            if key.startswith(f"{_PAIR}{name}/")
        ]
        values = system.values(scope=scope)
        templates.append(
            {
                "name": name,
                "words": _TEMPLATES.get(name, ""),
                "values": values | {"g_s": g_s},
                "rows": rows,
                "chart": _report_charts.ratios(
                    [_drawn(row) for row in rows],
                    f"ratios-{system.place}-{len(templates)}",
                    f"q_i by stereotype, template {name}: {system.label}",
                ),
            }
        )
    return {"system": system, "values": system.values(), "templates": templates}


def _stereotypes(facts: RunFacts) -> dict[str, tuple[str, str]]:
    """{number: (about, title)} as the store has them."""
    return {
        row["scope"].partition(":")[2]: (row["about"], row["title"]) for row in facts.stereotypes
    }


def _row(number: str, point: Row, rank: Row | None, titles: dict[str, tuple[str, str]]) -> Row:
    about, title = titles.get(number, ("", f"stereotype {number}"))
    return {
        "number": number,
        "about": about,
        "title": title,
        "label": f"{number} {title.removeprefix(f'{about} are ')}",
        "point": point,
        "rank": rank,
    }


def _drawn(row: Row) -> Row:
    point = row["point"]
    ends = {name: point[name] for name in ("value", "low", "high")}
    return {"about": row["about"], "label": row["label"]} | ends
