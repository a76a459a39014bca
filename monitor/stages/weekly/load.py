"""What the week took of others: requests, questions, bytes, hours, rests and budgets, by engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.stages._report_text import number
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Heading,
    Items,
    Section,
    Words,
    table,
)
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import minute, size
from monitor.store.database import Connection
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_HOUR = 3600.0


def content(connection: Connection, week: Week, endings: Sequence[Row]) -> Row:
    """Load by engine over all runs of the week, also those off the grid."""
    questions: dict[int, int] = {}
    for row in endings:
        asked = row["questions"] if row["outcome"] != "not asked" else 0
        questions[row["id"]] = questions.get(row["id"], 0) + asked
    return {
        "engines": _engines(
            week, weekly_report.count_requests(connection, week.run_ids), questions
        ),
        "lookups": weekly_report.count_lookups(connection, week.run_ids),
        "suspensions": weekly_report.read_suspensions(connection, week.after, week.until),
    }


def _engines(week: Week, rows: Sequence[Row], questions: Mapping[int, int]) -> list[Row]:
    budgets = _budgets(week)
    kinds = {row["id"]: row["kind"] for row in week.runs}
    found: dict[int, Row] = {}
    for row in rows:
        entry = found.setdefault(
            row["id"],
            {"engine_id": row["id"], "engine": row["name"], "surface": row["surface"],
             "requests": 0, "questions": questions.get(row["id"], 0), "bytes": 0, "seconds": 0.0,
             "runs": 0, "off_grid_requests": 0, "first_at": row["first_at"],
             "last_at": row["last_at"], "daily_budget": budgets.get(row["name"])},
        )  # fmt: skip
        entry["requests"] += row["requests"]
        entry["bytes"] += int(row["bytes"])
        entry["seconds"] += float(row["seconds"] or 0)
        entry["runs"] += 1
        if kinds.get(row["run_id"]) != "scheduled":
            entry["off_grid_requests"] += row["requests"]
        entry["first_at"] = min(entry["first_at"], row["first_at"])
        entry["last_at"] = max(entry["last_at"], row["last_at"])
    return list(found.values())


def _budgets(week: Week) -> dict[str, int]:
    """{label of an engine: questions a day that its job allows}, the largest of several jobs."""
    budgets: dict[str, int] = {}
    for label, use in (pair for job in week.jobs for pair in job.uses):
        if use.daily_budget is not None:
            budgets[label] = max(budgets.get(label, 0), use.daily_budget)
    return budgets


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section:
    """Load by engine, look-ups, and who made us wait."""
    blocks: list[Block] = []
    if found["engines"]:
        blocks += [
            Words(
                "Requests are what was sent, questions what had an ending; several questions can "
                "share a request. Bytes are those of stored answers before they are packed, and "
                "the same answer counts each time. Hours are the time that engines took to answer.",
                "small",
            ),
            _table(week, found["engines"]),
        ]
    else:
        blocks.append(Words("Nobody was asked anything in this week."))
    if found["lookups"]:
        said = [
            f"{row['purpose']}: {several(row['requests'], 'request')}, {row['failed']:,} without "
            f"an answer, {number(float(row['seconds'] or 0) / _HOUR, 2)} hours"
            for row in found["lookups"]
        ]
        blocks += [Heading("Asked of public services beside the engines"), Items(said)]
    blocks += _rests(week, found["suspensions"])
    return Section("load", "Load that we caused", blocks)


def _table(week: Week, rows: Sequence[Row]) -> Block:
    columns = (
        Column("engine", width=2), Column("requests", is_number=True),
        Column("questions", is_number=True), Column("received", is_number=True),
        Column("hours asked", is_number=True), Column("runs", is_number=True),
        Column("daily budget", is_number=True), Column("from, to", width=1.6),
    )  # fmt: skip
    printed = []
    for row in rows:
        off = row["off_grid_requests"]
        budget = row["daily_budget"]
        printed.append(
            [
                Cell(week.engine_title(row["engine"]), row["surface"]),
                Cell(f"{row['requests']:,}", f"{off:,} beside the schedule" if off else ""),
                Cell(f"{row['questions']:,}"),
                Cell(size(row["bytes"])),
                Cell(number(row["seconds"] / _HOUR, 2)),
                Cell(f"{row['runs']:,}"),
                Cell(f"{budget:,}" if budget is not None else "none set"),
                Cell(minute(row["first_at"], week.zone), minute(row["last_at"], week.zone)),
            ]
        )
    return table("What was asked of each engine in this week", columns, printed)


def _rests(week: Week, rows: Sequence[Row]) -> list[Block]:
    if not rows:
        return [Words("No engine has a suspension in this week.", "small")]
    said = [
        f"{row['lane']} by way of {row['exit']}: from {minute(row['since'], week.zone)} to "
        f"{minute(row['until'], week.zone)}, {row['reason'] or 'no reason is stored'}"
        f"{', ' if row['detail'] else ''}{row['detail']} ({several(row['times'], 'time')} in a row)"
        for row in rows
    ]
    return [Heading("Engines that rested, the newest rest of each"), Items(said)]
