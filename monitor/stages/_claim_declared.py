"""What a claim card says of the declaration: confirmatory, or exploratory and why."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import ChangeKind, Role
from monitor.stages import _report_text as text
from monitor.stages import as_declared
from monitor.stages.as_declared import About, Because, Declaration
from monitor.store.database import Connection
from monitor.store.reports import weekly_report

Row = dict[str, Any]

_SAID = {
    None: "confirmatory: declared on {day} before the first run",
    Because.LATE: "exploratory: declared on {day}, after the first run had begun",
    Because.WITNESS: "exploratory: a control series is never tested; others were declared on {day} "
    "before the first run",
    Because.LOOKED_BACK: "exploratory: found in retrospect, which is not among what was declared "
    "on {day} before the first run",
    Because.NOT_DECLARED: "exploratory: not among what was declared on {day} before the first run",
    Because.OVER: "exploratory: after the last run that was declared (stop_rule); declared on "
    "{day} before the first run",
    Because.NOT_AS_DECLARED: "exploratory: not asked as declared on {day} before the first run",
}


def of_change(
    connection: Connection, row: Mapping[str, Any], zone: ZoneInfo, until: datetime | None
) -> Row:
    """Whether a change was declared before the first run, and its runs were asked so.

    Without what was declared after `until`.
    """
    [runs] = as_declared.runs_of(connection, [row])
    job, at = row["runs"][1]["job"], row["detected_at"]
    return _content(connection, row, job, at, (row["role"], row["kind"]), runs, zone, until)


def of_point(connection: Connection, row: Mapping[str, Any], role: Role, zone: ZoneInfo) -> Row:
    """The same of a point, which rests on one run."""
    job, at = row["runs"][0]["job"], row["due_at"]
    how = role, ChangeKind.STEP
    return _content(connection, row, job, at, how, (row["run_id"],), zone)


def _content(
    connection: Connection,
    row: Mapping[str, Any],
    job: str,
    at: datetime,
    how: tuple[str, str],
    runs: tuple[int, ...],
    zone: ZoneInfo,
    until: datetime | None = None,
) -> Row:
    declaration = as_declared.of_job(connection, job, until)
    tick = (
        len(weekly_report.read_due_ticks(connection, [job], at)[job])
        if declaration.registered
        else 0
    )
    about = About(row["quantity"], row["target"], row["scope"], *how, tick, runs)
    because = as_declared.why_exploratory(declaration, about)
    behind = declaration.behind(runs)
    return {
        "confirmatory": because is None,
        "because": because,
        "said": _said(declaration, because),
        "hash": declaration.registered.hash if declaration.registered else "",
        "departures": [one.row() for one in behind],
        "departures_said": [
            f"{text.when(one.due_at, zone)}, {one.kind} run {one.run_id}: "
            f"{as_declared.said(one.differences)}"
            for one in behind
        ],
    }


def _said(declaration: Declaration, because: Because | None) -> str:
    if declaration.registered is None:
        return "exploratory: nothing was declared for this job"
    return _SAID[because].format(day=f"{declaration.registered.registered_at:%Y-%m-%d}")
