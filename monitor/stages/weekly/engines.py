"""Engines side by side in one tick: paired differences on the same questions.

The difference is that of `series compare`: the second engine's value less the first's.
"""

from collections.abc import Sequence
from typing import Any

from monitor.change import Role
from monitor.stages import _report_names as titles
from monitor.stages._report_text import chances
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Group,
    Section,
    Table,
    Words,
)
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import cell, day, missing
from monitor.stats.chance import benjamini_hochberg
from monitor.store.weekly import Row
from monitor.text.counted_nouns import several

#: Rows that are shown at once.
_UNFOLDED = 40
_COLUMNS = (
    Column("engines", width=2), Column("first", is_number=True), Column("second", is_number=True),
    Column("difference (second - first) [95 %]", is_number=True, width=1.6),
    Column("p", is_number=True),
    Column("adjusted p", is_number=True), Column("questions", is_number=True, width=1.3),
)  # fmt: skip


def content(week: Week, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One entry per comparison of two engines in a primary quantity."""
    of_series = {(row["job"], row["series_id"]): row for row in rows}
    job_of = {job.run_id: job.name for job in week.jobs}
    found = []
    for one in week.engines:
        job = job_of[one["after_run_id"]]
        ours, other = of_series.get((job, one["series_id"])), of_series.get((job, one["other_id"]))
        if ours is None or other is None:
            continue
        kept = ("state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
                "only_before", "only_after", "changed", "due_at")  # fmt: skip
        found.append(
            {name: one[name] for name in kept}
            | {
                "comparison_id": one["id"],
                "job": job,
                "list": ours["list"],
                "measure": ours["measure"],
                "quantity": ours["quantity"],
                "title": ours["title"],
                "kind": ours["kind"],
                "source_lang": ours["source_lang"],
                "target": ours["target"],
                "engine": ours["engine"],
                "other": other["engine"],
                "is_primary": Role.PRIMARY in (ours["role"], other["role"]),
            }
        )
    return sorted(
        _adjusted(found),
        key=lambda row: (row["job"], row["list"], row["measure"], row["title"], row["source_lang"],
                         row["target"], row["engine"], row["other"], row["comparison_id"]),
    )  # fmt: skip


def _adjusted(found: Sequence[Row]) -> list[Row]:
    """The same with p adjusted over all pairs of a job in its primary quantities."""
    of_job: dict[str, list[int]] = {}
    for place, row in enumerate(found):
        if row["is_primary"] and row["p"] is not None:
            of_job.setdefault(row["job"], []).append(place)
    q: dict[int, float] = {}
    for places in of_job.values():
        values = benjamini_hochberg([found[place]["p"] for place in places])
        q |= {place: float(one) for place, one in zip(places, values, strict=True)}
    return [row | {"q": q.get(place)} for place, row in enumerate(found)]


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Sequence[dict[str, Any]]) -> Section:
    """The table, quantity by quantity."""
    title = "Engines side by side"
    shown = [row for row in found if row["is_primary"]]
    if not shown:
        why = "no comparison of two engines in the same tick is stored for this week"
        return Section("engines", title, [Words(f"Not compared: {why}.")])
    blocks: list[Block] = [
        Words(
            "Two engines on the same questions in the same tick. The adjusted p (Benjamini and "
            "Hochberg) controls false discoveries over all pairs of a job in its primary "
            "quantities; p is of that pair alone.",
            "small",
        )
    ]
    blocks.append(_table(week, shown[:_UNFOLDED], "Differences of engines in primary quantities"))
    if shown[_UNFOLDED:]:
        rest = shown[_UNFOLDED:]
        summary = f"{several(len(rest), 'further pair')} of engines"
        blocks.append(Fold(summary, [_table(week, rest, "Further pairs")], is_printed=True))
    left = len(found) - len(shown)
    if left:
        said = f"{several(left, 'comparison')} of secondary quantities: in the JSON of this report."
        blocks.append(Words(said, "small"))
    return Section("engines", title, blocks)


def _table(week: Week, rows: Sequence[dict[str, Any]], caption: str) -> Table:
    grouped: dict[str, list[list[Cell]]] = {}
    for row in rows:
        pair = titles.short_pair(row["source_lang"], row["target"], row["kind"])
        chosen = names.chosen(row["measure"])
        of = f" ({chosen})" if chosen else ""
        heading = f"{row['title']}{of}, {pair}, list {row['list']}, {day(row['due_at'], week.zone)}"
        grouped.setdefault(heading, []).append(_cells(week, row))
    return Table(caption, _COLUMNS, [Group(heading, some) for heading, some in grouped.items()])


def _cells(week: Week, row: dict[str, Any]) -> list[Cell]:
    pair = f"{week.engine_title(row['other'])}, {week.engine_title(row['engine'])}"
    if row["delta"] is None:
        why = missing(row["reason"])
        return [Cell(pair), why, *(Cell("none", is_missing=True) for _ in range(5))]
    ends = [cell({"value": row[name], "low": None, "high": None, "reason": ""})
            for name in ("before", "after")]  # fmt: skip
    alone = f"{row['changed']:,} answered otherwise"
    return [
        Cell(pair),
        *(Cell(one.text, "on these questions") for one in ends),
        cell(row, sign=True, name="delta"),
        Cell(chances(row["p"])),
        Cell(chances(row["q"])),
        Cell(f"{row['n']:,}", alone),
    ]
