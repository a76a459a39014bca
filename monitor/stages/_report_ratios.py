"""Occupations against references: points and topics of a system in, tables and charts out."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from monitor.stages import _charts, _report_examples, _report_findings, _report_systems
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.store.report import RunFacts

Row = dict[str, Any]
Texts = Mapping[int, Sequence[Row]]


def forms(system: System) -> str:
    """What is counted: feminine forms of the speaker, or a pronoun for a third person."""
    return "share of “she” among “he” and “she”" if system.pronoun else "share of feminine forms"


def section(
    system: System, facts: RunFacts, chosen: Mapping[str, Sequence[Row]], texts: Texts
) -> Row:
    """What the page shows of one system's occupation sentences."""
    by_reference = {
        reference: _report_systems.topic_rows(system, reference, facts)
        for reference in system.references
    }
    references = [
        _against(system, reference, topics, chosen, texts)
        for reference, topics in by_reference.items()
    ]
    first = next(iter(by_reference.values()), [])
    return {
        "system": system,
        "forms": forms(system),
        "findings": [
            _report_findings.occupations(first, pronoun=system.pronoun),
            *(
                _report_findings.distance(
                    r["values"], r["title"], pronoun=system.pronoun, same=r["same"]
                )
                for r in references
            ),
        ],
        "references": references,
        "titles": names.quantity_titles(system.measure),
        "topics": _report_systems.side_by_side(by_reference),
    }


def _against(
    system: System,
    reference: str,
    topics: Sequence[Row],
    chosen: Mapping[str, Sequence[Row]],
    texts: Texts,
) -> Row:
    far = _report_systems.furthest(topics)
    for row in far:
        row["examples"] = _report_examples.described(chosen.get(row["topic"], []), texts)
    same = _report_systems.same_for_all(topics)
    return {
        "name": reference,
        "title": names.reference_title(reference),
        "values": system.values(reference),
        "point": topics[0]["point_id"] if topics else "",
        "same": same,
        "furthest": [] if same else far,
    } | _topic_charts(system, reference, topics, [] if same else far)


def _topic_charts(
    system: System, reference: str, topics: Sequence[Row], far: Sequence[Row]
) -> dict[str, Markup | None]:
    if not far:
        return {"scatter": None, "dumbbells": None}
    title = names.reference_title(reference)
    name = f"{system.place}-{system.references.index(reference)}"

    def drawn(rows: Sequence[Row]) -> list[Row]:
        return [
            {"topic": row["name"], "target": row["target"], "model": row["model"],
             "low": row["model_low"], "high": row["model_high"]}
            for row in rows if row["bias"] is not None
        ]  # fmt: skip

    counted = forms(system)
    heading = f"{counted.capitalize()} by occupation: {system.label}, against {title}"
    short = title.split(",", 1)[0]
    far_name = f"furthest-{name}"
    return {
        "scatter": _charts.shares(drawn(topics), f"shares-{name}", heading, short, counted),
        "dumbbells": _charts.furthest(drawn(far), far_name, f"{heading} (furthest)", counted),
    }
