"""Systems side by side in one run: paired differences on the same questions.

The difference is that of `series compare`: the second system's value less the first's.
"""

from collections.abc import Sequence
from typing import Any

from monitor.change import Role
from monitor.stages import engine_comparisons
from monitor.stages.document.records import Block, Fold, Section, Table, Words
from monitor.stages.weekly.gather import Week
from monitor.store.reports.weekly_report import Row
from monitor.text.counted_nouns import several

#: Rows that are shown at once.
_UNFOLDED = 40


def content(week: Week, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One entry per comparison of two engines in a primary quantity."""
    of_series = {(row["job"], row["series_id"]): row for row in rows}
    job_of = {job.run_id: job.name for job in week.jobs}
    found = []
    for engine in week.engines:
        job = job_of[engine["after_run_id"]]
        ours, other = (
            of_series.get((job, engine["series_id"])),
            of_series.get((job, engine["other_id"])),
        )
        if ours is None or other is None:
            continue
        kept = ("state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
                "only_before", "only_after", "changed", "due_at")  # fmt: skip
        found.append(
            {name: engine[name] for name in kept}
            | {
                "comparison_id": engine["id"],
                "job": job,
                "list": ours["list"],
                "measure": ours["measure"],
                "quantity": ours["quantity"],
                "title": ours["title"],
                "label": ours["label"],
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
    of_job: dict[str, dict[int, float | None]] = {}
    for row in found:
        if row["is_primary"]:
            of_job.setdefault(row["job"], {})[row["comparison_id"]] = row["p"]
    q = {
        number: value
        for p in of_job.values()
        for number, value in engine_comparisons.adjust(p).items()
    }
    return [row | {"q": q.get(row["comparison_id"])} for row in found]


# --- printed --------------------------------------------------------------------------------------


def _table(week: Week, rows: Sequence[dict[str, Any]], caption: str) -> Table:
    return engine_comparisons.table(caption, rows, week.engine_title, week.zone)


def section(week: Week, found: Sequence[dict[str, Any]]) -> Section:
    """The table, quantity by quantity."""
    title = "Engines side by side"
    shown = [row for row in found if row["is_primary"]]
    if not shown:
        why = "no comparison of two systems in the same run is stored for this week"
        return Section("engines", title, [Words(f"Not compared: {why}.")])
    blocks: list[Block] = [
        Words(
            "Two systems on the same questions in the same run. The adjusted p (Benjamini and "
            "Hochberg) controls false discoveries over all pairs of a job in its main "
            "quantities; p is of that pair alone.",
            "small",
        )
    ]
    blocks.append(_table(week, shown[:_UNFOLDED], "Differences between systems in main quantities"))
    if shown[_UNFOLDED:]:
        rest = shown[_UNFOLDED:]
        summary = f"{several(len(rest), 'further pair')} of systems"
        blocks.append(Fold(summary, [_table(week, rest, "Further pairs")], is_printed=True))
    left = len(found) - len(shown)
    if left:
        words = f"{several(left, 'comparison')} of other quantities: in the JSON of this report."
        blocks.append(Words(words, "small"))
    return Section("engines", title, blocks)
