"""Every series of some jobs: how it stands at the newest tick of its job, and why it is tested.

In go jobs of a week and what was compared at their newest ticks, out comes a row for each series.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import Contrast, Role
from monitor.model import State
from monitor.stages.engine_titles import declared_titles
from monitor.stages.series_roles import series_roles
from monitor.stages.weekly.job_week import ENDED, JobWeek
from monitor.stages.weekly.wording import day
from monitor.store.changes.baseline_runs import ABOUT_A_WEEK
from monitor.store.database import Connection
from monitor.store.reports import weekly_report
from monitor.store.reports.weekly_report import SeriesLength

Row = dict[str, Any]


def series_of(
    connection: Connection,
    jobs: Sequence[JobWeek],
    compared: Sequence[Row],
    until: datetime,
    zone: ZoneInfo,
) -> list[Row]:
    """Every series over all questions that has begun, with how it stands at the newest tick."""
    chosen_names = [job_week.name for job_week in jobs]
    lengths = weekly_report.read_lengths(connection, chosen_names, until)
    noise = weekly_report.read_noise(connection, until)
    facts = {
        (job_week.name, p["series_id"]): p["facts"] for job_week in jobs for p in job_week.points
    }
    of_contrast = {(row["after_run_id"], row["series_id"], row["contrast"]): row
                   for row in compared}  # fmt: skip
    by_name = {job_week.name: job_week for job_week in jobs}
    titles = declared_titles(job_week.content for job_week in jobs)
    runs = {row[side] for row in compared for side in ("before_run_id", "after_run_id")}
    asked_list_versions = weekly_report.read_list_versions(connection, runs)
    standing = {
        job_week.name: weekly_report.read_tick(connection, job_week.name, job_week.newest.due_at)
        if job_week.newest
        else {}
        for job_week in jobs
    }
    every = [  # without those of runs off the grid alone, or later than the week
        row | {"job": name}
        for name, row in product(chosen_names, weekly_report.read_series(connection))
        if (name, row["series_id"]) in lengths
    ]
    parts: dict[bool, list[Row]] = {True: [], False: []}
    for row in every:
        parts[_is_over(by_name[row["job"]], lengths[row["job"], row["series_id"]])].append(row)
    # apart: what has ended takes no place among those that are tested first
    roles = {
        job_week.name: _roles(parts[False], job_week) | _roles(parts[True], job_week)
        for job_week in jobs
    }
    found = []
    for row in every:
        job, key = by_name[row["job"]], row["series_id"]
        length = lengths[job.name, key]
        changes = _changes(of_contrast, job.run_id, key)
        found.append(
            row
            | _standing(job, standing[job.name].get(key), length, zone)
            | {
                "engine_title": titles.get(row["engine"], ""),
                "role": roles[job.name][key],
                "facts": facts.get((job.name, key), {}),
                "first_at": length.first_at,
                "last_at": length.last_at,
                "n_measured": length.n_measured,
                "n_due": length.n_due,
                "noise": noise.get(key, {}),
                **{
                    name: _on_lists(change, row["list"], asked_list_versions)
                    for name, change in changes.items()
                },
            }
        )
    return found


def _is_over(job: JobWeek, length: SeriesLength) -> bool:
    """Whether a newer tick of the job did not ask a series: it has ended, or rests."""
    return job.ended_at is not None and length.asked_at < job.ended_at


def _on_lists(one: Row | None, name: str, asked: Mapping[tuple[int, str], str]) -> Row | None:
    """A comparison with the versions of the list on both sides, where these differ; else none."""
    if one is None:
        return None
    sides = [asked.get((one[side], name), "") for side in ("before_run_id", "after_run_id")]
    return one | {"lists": sides if sides[0] != sides[1] else []}


def _changes(
    of_contrast: Mapping[tuple[int | None, int, str], Row], run_id: int | None, key: int
) -> dict[str, Row | None]:
    """What a series is compared with: the tick of a week before, and the first.

    Either is stored once: where it is the tick before, as that.
    """
    step, week, first = (
        of_contrast.get((run_id, key, one))
        for one in (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)
    )
    is_week = step is not None and step["due_at"] - step["before_due_at"] >= ABOUT_A_WEEK
    return {"week": week or (step if is_week else None), "first": first or step}


def _roles(series: Sequence[Row], job: JobWeek) -> dict[int, Role]:
    """Return {series of a job: why it is tested}."""
    own = [row for row in series if row["job"] == job.name]
    return series_roles(own, job.content, job.declaration.declared)


_COLUMNS = (
    "state", "reason", "due_at", "value", "low", "high", "bound_low", "bound_high", "flags",
    "planned", "answered", "used", "unidentified", "point_id", "signature",
)  # fmt: skip


def _standing(job: JobWeek, found: Row | None, length: SeriesLength, zone: ZoneInfo) -> Row:
    """State, reason and value of a series at the newest tick of its job."""
    if found is not None:
        return {name: found[name] for name in _COLUMNS} | {
            "is_asked": True,
            "ended_at": None,
            "flags": found["flags"] or [],
            "signature": found["signature"] or "",
        }
    last = f"last measured {day(length.last_at, zone)}" if length.last_at else "never measured"
    at = job.newest.due_at if job.newest else None
    is_over = _is_over(job, length)
    if is_over:
        why = f"not asked since {day(length.asked_at, zone)}"
    elif at is not None:
        why = "not asked in this run"
    else:
        why = (
            "no scheduled run of the week has ended"
            if job.in_week
            else "no run was due in this week"
        )
    nothing = dict.fromkeys(_COLUMNS)
    return nothing | {
        "is_asked": False,
        "ended_at": length.asked_at if is_over else None,
        "state": ENDED if is_over else State.MISSED,
        "reason": f"{why}; {last}",
        "flags": [],
        "due_at": at,
        "signature": "",
    }
