"""Chapter about the AI overviews of one system: how often they are shown, and whom they cite."""

from collections.abc import Sequence
from typing import Any

from monitor import registry
from monitor.model import Kind, Meaning
from monitor.stages.document import records as doc
from monitor.stages.reports import run_systems, series_text
from monitor.stages.reports.run_systems import Chapter, MeasuredSystem
from monitor.stages.reports.series_text import SITE
from monitor.text.quantity_values import say_interval, say_value

Row = dict[str, Any]

#: Measures of this chapter.
FAMILIES = ("overview_rate", "cited_domains")
_MEANING = (
    "An AI overview is a text that a model wrote above the results. Shown, declined, unavailable "
    "and still loading are told apart; a page without an overview counts as not shown, and an "
    "overview that was still loading as neither. Shares of sites are among the pages that an "
    "overview cites: they say nothing of whether the text follows these pages."
)


def write_section(chapters: Sequence[Chapter], *, folded: bool) -> doc.Section:
    """Return the section of all systems."""
    blocks = [doc.Words(_MEANING), *run_systems.write_chapters(chapters, folded=folded)]
    return doc.Section("overviews", "AI overviews", blocks)


def write_chapter(system: MeasuredSystem) -> Chapter:
    """Return what the report says of the overviews of one system by one measure."""
    quantities = registry.measure(system.family, Kind.SEARCH).quantities
    meanings = {
        q.name: series_text.find_quantity(system.measure, q.name, Kind.SEARCH).meaning
        for q in quantities
    }
    points = [point for point in system.points if point["quantity"] in meanings]
    overall = [point for point in points if not point["scope"].startswith(SITE)]
    sites = [point for point in points if point["scope"].startswith(SITE)]
    sites.sort(key=lambda point: (-(point["value"] or 0.0), point["scope"]))
    findings = [_say_point(point, meanings[point["quantity"]]) for point in overall]
    if best := [point for point in sites if point["value"]][:3]:
        named = (
            f"{point['scope'].removeprefix(SITE)} "
            f"({say_value(meanings[point['quantity']].unit, point['value'])})"
            for point in best
        )
        findings.append(f"Cited most: {', '.join(named)}.")
    blocks = [_write_table("", overall, meanings)] if overall else []
    if sites:
        blocks.append(
            _write_table("Sites that are cited most, now or in the run before", sites, meanings)
        )
    return Chapter(system.label, run_systems.chapter_title(system), findings, blocks)


def _say_point(point: Row, meaning: Meaning) -> str:
    if point["value"] is None:
        return f"{_capitalise(meaning.label)}: no value ({point['reason']})."
    ends = say_interval(meaning.unit, point["low"], point["high"])
    return (
        f"{_capitalise(meaning.label)}: {say_value(meaning.unit, point['value'])}"
        f"{f' [{ends}]' * bool(ends)}, over {point['used']} of {point['planned']} questions."
    )


def _capitalise(label: str) -> str:
    return label[:1].upper() + label[1:]


def _write_table(caption: str, points: Sequence[Row], meanings: dict[str, Meaning]) -> doc.Table:
    rows = []
    for point in points:
        meaning = meanings[point["quantity"]]
        site = point["scope"].removeprefix(SITE)
        name = site if site != point["scope"] else _capitalise(meaning.label)
        rows.append(
            [
                name,
                doc.Cell(point["reason"], is_missing=True)
                if point["value"] is None
                else doc.Cell(
                    say_value(meaning.unit, point["value"]),
                    say_interval(meaning.unit, point["low"], point["high"]),
                ),
                run_systems.write_bounds(point), run_systems.write_used(point),
                run_systems.write_flags(point), run_systems.point_id(point),
            ]
        )  # fmt: skip
    titles = ["site" if points[0]["scope"].startswith(SITE) else "quantity", "#value [95 %]",
              "#bounds", "#used / planned", "~notes", "#point"]  # fmt: skip
    return doc.table(caption, titles, rows)
