"""Stereotypes by feminine rank at the newest tick: Pikuliak et al. (2023), Figure 3.

The feminine rank of a stereotype in one system is its place when stereotypes are ordered by their
share of masculine forms, the most feminine first. All systems of one list stand in one chart.
"""

from collections.abc import Sequence
from statistics import median
from typing import Any

from markupsafe import Markup

from monitor.stages._report_text import number
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, SECOND, Scale
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Picture,
    Section,
    Words,
    table,
)
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import JobWeek, Week
from monitor.stages.weekly.wording import day
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_QUANTITY = "feminine_rank"
_WIDTH, _NAMES, _STEP, _TOP = 520, 250, 19, 22


def content(connection: Connection, week: Week) -> list[Row]:
    """One entry per job, list and measure with a row per stereotype: its rank in every system."""
    found = []
    for job in week.jobs:
        points = [p for p in job.points if p["quantity"] == _QUANTITY]
        if points:
            about = {row["scope"]: row for row in run_report.read_stereotypes(connection)}
            found += _of_job(job, points, about)
    return found


def _of_job(job: JobWeek, points: Sequence[Row], about: dict[str, Row]) -> list[Row]:
    grouped: dict[tuple[str, str], list[Row]] = {}
    for point in points:
        grouped.setdefault((point["list"], point["measure"]), []).append(point)
    return [
        {
            "job": job.name, "list": key[0], "measure": key[1], "due_at": group[0]["due_at"],
            "systems": sorted({names.short_system(point) for point in group}),
            "stereotypes": _stereotypes(group, about),
        }
        for key, group in grouped.items()
    ]  # fmt: skip


def _stereotypes(points: Sequence[Row], about: dict[str, Row]) -> list[Row]:
    of_scope: dict[str, list[Row]] = {}
    for point in points:
        of_scope.setdefault(point["scope"], []).append(point)
    found = []
    for scope, group in of_scope.items():
        known = about.get(scope, {})
        ranks = [
            {"system": names.short_system(p), "rank": p["value"], "point_id": p["point_id"]}
            for p in group if p["value"] is not None
        ]  # fmt: skip
        found.append(
            {
                "scope": scope,
                "about": known.get("about", ""),
                "title": known.get("title", scope),
                "ranks": ranks,
                "n_without": len(group) - len(ranks),
                "median": median(rank["rank"] for rank in ranks) if ranks else None,
            }
        )
    return sorted(found, key=lambda row: (row["median"] is None, row["median"] or 0, row["scope"]))


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, groups: Sequence[Row]) -> Section | None:
    """A chart and a table for each list; None where no stereotype is asked."""
    if not groups:
        return None
    blocks: list[Block] = []
    for index, group in enumerate(groups):
        blocks += _printed(week, group, index)
    return Section("stereotypes", "Stereotypes by feminine rank", blocks)


def _printed(week: Week, group: Row, place: int) -> list[Block]:
    at = day(group["due_at"], week.zone)
    n = several(len(group["systems"]), "system")
    chosen = names.chosen(group["measure"])
    of = f", {chosen}" if chosen else ""
    where = f"job {group['job']}, list {group['list']}{of}, {n}, run of {at}"
    known = [row for row in group["stereotypes"] if row["ranks"]]
    if not known:
        return [Words(f"No stereotype has a rank: {where}.")]
    caption = (
        f"Feminine rank of each stereotype ({where}). 1 has the smallest share of masculine forms. "
        "A point is a system, circles stereotypes about women and squares about men; the stroke is "
        "the median. Ranks have no interval: what they rest on stands in the table of all series."
    )
    picture = Picture(_drawn(known, group, f"r{place}"), caption, 100.0)
    return [picture, Fold(f"Feminine ranks as a table ({where})", [_table(group, where)])]


def _table(group: Row, where: str) -> Block:
    columns = (
        Column("stereotype", width=3), Column("about"), Column("median rank", is_number=True),
        Column("ranks from, to", is_number=True), Column("systems", is_number=True),
        Column("without a rank", is_number=True),
    )  # fmt: skip
    rows = []
    for row in group["stereotypes"]:
        ranks = [one["rank"] for one in row["ranks"]]
        ends = f"{number(min(ranks), 1)}, {number(max(ranks), 1)}" if ranks else "none"
        middle = number(row["median"], 1) if ranks else "not measured"
        rows.append(
            [
                Cell(row["title"].removeprefix(f"{row['about']} are ")), Cell(row["about"]),
                Cell(middle, is_missing=not ranks), Cell(ends), Cell(f"{len(ranks):,}"),
                Cell(f"{row['n_without']:,}"),
            ]
        )  # fmt: skip
    return table(f"Feminine ranks: {where}", columns, rows)


def _drawn(rows: Sequence[Row], group: Row, name: str) -> Markup:
    highest = max(one["rank"] for row in rows for one in row["ranks"])
    last = max(len(group["stereotypes"]), int(highest), 2)
    x = Scale(1, last, _NAMES + 10, _WIDTH - 12)
    foot = _TOP + _STEP * len(rows)
    steps = sorted({1, last, *range(4, last, 4)})
    parts = [draw.stroke(f"M{draw.place(x(at))},{_TOP - 6}V{foot}", GRID) for at in steps]
    parts += [draw.text(x(at), _TOP - 10, str(at), "middle") for at in steps]
    for index, row in enumerate(rows):
        parts += _line(row, x, _TOP + _STEP * (index + 0.5))
    title = f"Feminine rank by stereotype: job {group['job']}, list {group['list']}"
    words = "; ".join(f"{row['title']}: median {number(row['median'], 1)}" for row in rows)
    return draw.picture(parts, (_WIDTH, int(foot + 6)), name, title, f"{words}.")


def _line(row: Row, x: Scale, y: float) -> list[str]:
    label = row["title"].removeprefix(f"{row['about']} are ")
    shown = label if len(label) <= 42 else f"{label[:41]}…"  # noqa: PLR2004 - what there is room for
    women = row["about"] == "women"
    ranks = [one["rank"] for one in row["ranks"]]
    marks = "".join(
        draw.dot(x(rank), y, 3)
        if women
        else f"M{draw.place(x(rank) - 2.7)},{draw.place(y - 2.7)}h5.4v5.4h-5.4Z"
        for rank in ranks
    )
    at = draw.place(x(row["median"]))
    return [
        draw.text(_NAMES, y + 4, shown, "end", INK),
        draw.fill(marks, FIRST if women else SECOND, 0.45),
        draw.stroke(f"M{at},{draw.place(y - 7)}v14", INK, 1.6),
    ]
