"""Genderedness of ranked lists against that of queries at the newest tick: Fabris et al., Figure 9.

The scatter is that of the report of a run, with both lines: the fitted one, and that of the
documents judged relevant where there are judgements.
"""

from collections.abc import Sequence
from typing import Any

from monitor.stages import _report_systems as systems
from monitor.stages import _report_words as words
from monitor.stages import _report_words_section as drawn
from monitor.stages._report_text import number
from monitor.stages._report_words import Heard, Listing
from monitor.stages.document.records import Block, Fold, Picture, Section, Words
from monitor.stages.weekly.gather import JobWeek, Week
from monitor.stages.weekly.wording import day, estimate
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Scatters that are shown at once, and that are drawn at all.
UNFOLDED, DRAWN = 4, 24


def content(connection: Connection, week: Week) -> list[Row]:
    """One entry per slope of each system, with its queries and its picture."""
    found = []
    for job in week.jobs:
        apt = any(words.named(p["measure"]).family in words.SLOPES for p in job.points)
        if apt and job.run_id is not None:
            found += _of_job(connection, job, job.run_id)
    return found


def _of_job(connection: Connection, job: JobWeek, run_id: int) -> list[Row]:
    all_systems = systems.systems(job.points, job.content, run_report.read_cues(connection, run_id))
    queries = run_report.read_queries(connection, run_id)
    listings = words.listings(
        all_systems, [], queries, run_report.read_questions(connection, run_id)
    )
    return [
        _slope(job, listing, one)
        for listing in listings
        for one in listing.of(*words.SLOPES)
        if one.point is not None
    ]


def _slope(job: JobWeek, listing: Listing, one: Heard) -> Row:
    point = one.point or {}
    name = f"s{job.name}-{listing.place}-{one.system.place}"
    top = words.influential(one, drawn.INFLUENTIAL)
    kept = ("point_id", "state", "reason", "value", "low", "high", "due_at", "used", "planned")
    return {
        "job": job.name,
        "system": listing.label,
        "measure": one.named.name,
        **{key: point.get(key) for key in kept},
        "intercept": one.fact("intercept"),
        "relevant_slope": one.fact("relevant_slope"),
        "queries": [
            {"key": row["key"], "x": row["x"], "y": row["value"]}
            for row in one.queries
            if row["x"] is not None and row["value"] is not None
        ],
        "n_without": words.without_value(one),
        "picture": drawn.scatter(listing, one, top, name),
    }


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, slopes: Sequence[Row]) -> Section | None:
    """The scatters; None where no slope is measured."""
    if not slopes:
        return None
    printed = [_printed(week, row) for row in slopes[:DRAWN]]
    blocks: list[Block] = [block for some in printed[:UNFOLDED] for block in some]
    if printed[UNFOLDED:]:
        rest = [block for some in printed[UNFOLDED:] for block in some]
        blocks.append(Fold(f"{len(printed) - UNFOLDED:,} further slopes", rest))
    if len(slopes) > DRAWN:
        blocks.append(Words(f"{len(slopes) - DRAWN:,} further slopes are not drawn.", "small"))
    return Section("slopes", "Gender stereotype reinforcement of ranked lists", blocks)


def _printed(week: Week, row: Row) -> list[Block]:
    where = f"{row['system']}, {row['measure']}, job {row['job']}"
    if row["due_at"] is None or row["value"] is None:
        return [Words(f"{where}: not measured, {row['reason'] or 'no reason is stored'}.")]
    judged = (
        f"; of documents judged relevant (dashed line) {number(row['relevant_slope'], 3, True)}"
        if row["relevant_slope"] is not None
        else "; there are no judgements, and so no second line"
    )
    words = (
        f"{where}, run of {day(row['due_at'], week.zone)}: slope {estimate(row, sign=True)} over "
        f"{several(len(row['queries']), 'query', 'queries')}{judged}."
    )
    if row["n_without"]:
        words += f" {several(row['n_without'], 'query has', 'queries have')} no value."
    return [Words(words)] if row["picture"] is None else [Picture(row["picture"], words, 90.0)]
