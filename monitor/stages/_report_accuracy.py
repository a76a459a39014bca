"""Accuracy where the sentence says the speaker's gender: points of a system in, tables out."""

from typing import Any

from markupsafe import Markup

from monitor.stages import _report_charts
from monitor.stages._report_systems import System

Row = dict[str, Any]

_FRAME, _TOPIC = "tag:frame=", "tag:topic="
_NEITHER = (
    ("both", "both forms"),
    ("inclusive", "inclusive"),
    ("mixed", "contradictory"),
    ("none", "unmarked"),
    ("unidentified", "cannot say"),
)


def section(system: System) -> Row:
    """What the page shows of one system's sentences that say the gender."""
    scopes = dict.fromkeys(p["scope"] for p in system.points)
    frames = [s for s in scopes if s == "all" or s.startswith(_FRAME)]
    rows = [
        {
            "label": "all" if scope == "all" else f"frame {scope.removeprefix(_FRAME)}",
            "values": system.values(scope=scope),
            "neither": _neither(system.values(scope=scope).get("said_marked_share")),
        }
        for scope in frames
    ]
    topics = [
        {"label": scope.removeprefix(_TOPIC), "values": system.values(scope=scope)}
        for scope in scopes
        if scope.startswith(_TOPIC)
    ]
    return {
        "system": system,
        "rows": rows,
        "topics": sorted(topics, key=_topic_order),
        "chart": _chart(system, rows),
    }


def _topic_order(row: Row) -> tuple[int, str]:
    label = row["label"]
    return (int(label) if label.isdecimal() else 10**6, label)


def _neither(point: Row | None) -> str:
    """Answers that are neither right nor wrong, by what they show."""
    facts = point["facts"] if point else {}
    found = [f"{facts[name]:g} {words}" for name, words in _NEITHER if facts.get(name)]
    return ", ".join(found) or "none"


def _chart(system: System, rows: list[Row]) -> Markup | None:
    drawn = [
        {"label": row["label"], "said": said} | {end: p[end] for end in ("value", "low", "high")}
        for row in rows
        for name, said in (("accuracy_f", "women"), ("accuracy_m", "men"))
        if (p := row["values"].get(name)) is not None
    ]
    if all(row["value"] is None for row in drawn):
        return None
    title = f"Share of forms of the gender that is said: {system.label}"
    return _report_charts.twins(drawn, f"accuracy-{system.place}", title)
