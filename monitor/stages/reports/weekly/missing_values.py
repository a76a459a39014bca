"""Values that are missing in the week, with their reasons.

Series over all questions are told system by system. Those over parts of the questions are as many
as there are stereotypes and tags, so that they are told in one line a measure and kind of reason.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from monitor.model import Flag, RunKind, State
from monitor.stages import alarm_rules
from monitor.stages.document.notation import format_day, format_minute, join_names
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Group,
    Heading,
    Items,
    Section,
    Table,
    Words,
    fold_rest,
    table,
)
from monitor.stages.reports import coverage, names
from monitor.stages.reports.cells import shorten_reason
from monitor.stages.reports.weekly.week import ENDED, JobWeek, ReportedWeek
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.derive.signatures import StaleSeries, find_stale
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

# --- series without a value -----------------------------------------------------------------------

Row = dict[str, Any]

#: Reasons that are listed at once; the JSON of the report has all.
_MOST = 30
#: `stereotype 3: 4 usable answers of 40 planned, floor 10`, and what of it is said of many parts.
_FEW = re.compile(
    r"(?:.*: )?[\d,.]+ (?P<what>[^\d:]+?) of [\d,.]+ planned(?P<rest> can be compared)?, "
    r"floor (?P<floor>[\d,.]+)",
    re.DOTALL,
)
#: `p_i is insufficient for stereotype 1, 2 (stereotype 1: 3 usable answers of 8 planned, floor 4)`.
_NEEDED = re.compile(r"\S+ is insufficient for .*", re.DOTALL)


def describe_missing_values(week: ReportedWeek) -> Row:
    """Counts by system and reason (`series`), and of parts by measure and kind of reason (`parts`).

    Those over all questions as they stand on the grid, those of single stereotypes or tags by their
    points.
    """
    parts = [
        row | {"job": job.name} for job in week.jobs for row in job.points if row["scope"] != "all"
    ]
    return {"series": _by_reason(week.series, parts), "parts": _by_kind(_lacking(parts))}


def _lacking(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["state"] not in (State.MEASURED, ENDED)]


def _by_reason(series: Sequence[Row], parts: Sequence[Row]) -> list[Row]:
    all_rows: dict[tuple[str, str, str, str], Row] = {}
    for rows, is_over_all in ((series, True), (parts, False)):
        for row in _lacking(rows):
            key = row["job"], names.name_system(row), row["state"], row["reason"]
            about = dict(zip(("job", "system", "state", "reason"), key, strict=True))
            entry = all_rows.setdefault(key, about | {"n": 0, "n_over_all": 0})
            entry["n"] += 1
            entry["n_over_all"] += is_over_all
    return sorted(
        all_rows.values(), key=lambda row: (-row["n"], row["job"], row["system"], row["reason"])
    )


def _by_kind(parts: Sequence[Row]) -> list[Row]:
    rows: dict[tuple[str, str, str], Row] = {}
    systems: dict[tuple[str, str, str], set[str]] = {}
    for row in parts:
        key = row["job"], row["measure"], kind_of(row["reason"])
        about = dict(zip(("job", "measure", "why"), key, strict=True))
        rows.setdefault(key, about | {"n": 0})["n"] += 1
        systems.setdefault(key, set()).add(names.name_system(row))
    all_rows = [row | {"n_systems": len(systems[key])} for key, row in rows.items()]
    return sorted(all_rows, key=lambda row: (-row["n"], row["job"], row["measure"], row["why"]))


def kind_of(reason: str) -> str:
    """A reason without the part that it is about and the numbers of that part alone.

    `fewer than 10 usable answers`; what is of no such kind stays as it is.
    """
    if _NEEDED.fullmatch(reason):
        return "too few answers in another part that they rest on"
    few = _FEW.fullmatch(reason)
    if few is None:
        return reason or "no reason is stored"
    rest = " that can be compared" if few["rest"] else ""
    return f"fewer than {few['floor']} {few['what']}{rest}"


# --- printed --------------------------------------------------------------------------------------


def write_missing_values(found: Row) -> list[Block]:
    """Series over all questions system by system; parts in a line each, with a list folded away.

    Series of jobs without a tick in the week are told of by their jobs.
    """
    without = set(found["without_tick"])
    first = [row for row in found["series"] if row["n_over_all"] and row["job"] not in without]
    caption = "Series without a value in the newest run, by reason"
    blocks = fold_rest(first, _MOST, "reasons", lambda rows: [_by_system(caption, rows)])
    return [*blocks, *_write_parts(found)]


def _write_parts(found: Row) -> list[Block]:
    kinds = found["parts"]
    if not kinds:
        return []
    blocks = fold_rest(
        [_say_reason_counts(row) for row in kinds], _MOST, "reasons of parts of the questions",
        lambda lines: [Items(lines)],
    )  # fmt: skip
    n = several(sum(row["n"] for row in kinds), "series", "series")
    summary = f"{n} over parts of the questions alone without a value, by system and reason"
    rows = [row for row in found["series"] if row["n"] > row["n_over_all"]]
    return [*blocks, Fold(summary, [_by_system(summary, rows)])]


def _say_reason_counts(row: Row) -> str:
    """`412 series over parts ..., masculine_rate of job mt: fewer than 10 usable answers (...)`."""
    n = several(row["n"], "series", "series")
    systems = several(row["n_systems"], "system")
    return (
        f"{n} over parts of the questions alone, {row['measure']} of job {row['job']}: "
        f"{row['why']} ({systems})."
    )


def _by_system(caption: str, rows: Sequence[Row]) -> Table:
    columns = (Column("state"), Column("why", width=3.5), Column("over all", is_number=True),
               Column("over parts", is_number=True))  # fmt: skip
    grouped: dict[tuple[str, str], list[list[Cell]]] = {}
    for row in rows:
        cells = [
            Cell(row["state"]), Cell(shorten_reason(row["reason"]) or "no reason is stored"),
            Cell(f"{row['n_over_all']:,}"), Cell(f"{row['n'] - row['n_over_all']:,}"),
        ]  # fmt: skip
        grouped.setdefault((row["system"], row["job"]), []).append(cells)
    groups = [Group(f"{system}, job {job}", group) for (system, job), group in grouped.items()]
    return Table(caption, columns, groups)


# --- section --------------------------------------------------------------------------------------

#: Reasons that are listed at once; the JSON of the report has all.
_ENDED = frozenset({"done"})
_CLOCK = {
    "clock_jumped": "the clock was set, or the machine slept",
    "clock_trusted": "a person said that the clock is right",
    "ticks_taken_back": "runs were taken back",
}


def describe_gaps(
    connection: Connection, week: ReportedWeek, rows: Sequence[Row], endings: Sequence[Row]
) -> Row:
    """Ticks that did not go well, questions without answer, gaps of series, alarms, clocks."""
    return {
        "ticks": [tick for job in week.jobs for tick in _list_ticks(job)],
        "without_tick": [job.name for job in week.jobs if not job.in_week],
        "not_asked": [job.name for job in week.jobs if job.is_not_asked],
        "questions": _list_questions(endings),
        **describe_missing_values(week),
        "appeared": [_describe_brief(row) for row in rows if row["is_new"]],
        "ended": _ended(rows),
        "suspect": [
            _describe_brief(row) for row in rows if Flag.INSTRUMENT_SUSPECT in row["flags"]
        ],
        "changed_shape": [
            _describe_brief(row) for row in rows if Flag.ANSWERS_CHANGED in row["flags"]
        ],
        "uncontrolled": sorted({row["system"] for row in rows if Flag.NO_CONTROL in row["flags"]}),
        "off_grid": _off_grid(week),
        "charts_behind": list_behind(connection, week),
        "undecided": _undecided(connection, week),
        "alarms": weekly_report.read_alarms(connection, week.after, week.until),
        "clock": weekly_report.read_clock_events(connection, week.after, week.until),
    }


def _list_ticks(job: JobWeek) -> list[Row]:
    return [
        {"job": job.name, "due_at": tick.due_at, "state": tick.state, "reason": tick.reason,
         "run_id": tick.run_id, "is_open": tick.is_open}
        for tick in job.in_week
        if tick.state not in _ENDED
    ]  # fmt: skip


def _undecided(connection: Connection, week: ReportedWeek) -> list[Row]:
    """The jobs of the week with ticks up to it that were measured and are not decided."""
    all_runs = [run for run in runs.find_undecided(connection) if run.due_at <= week.until]
    return [
        {"job": job.name, "due_at": sorted({run.due_at for run in own_value}),
         "sentence": alarm_rules.undecided_ticks(own_value)}
        for job in week.jobs
        if (own_value := [run for run in all_runs if run.job == job.name])
    ]  # fmt: skip


def list_behind(connection: Connection, week: ReportedWeek) -> list[Row]:
    """The jobs of the week with charts that its newest ticks are not on yet."""
    stale_series = [lagging for lagging in find_stale(connection) if lagging.since <= week.until]
    of_job: dict[str, set[int]] = {}
    for row in week.series:
        of_job.setdefault(row["job"], set()).add(row["series_id"])
    return [
        {"job": job.name, "series": sum(len(lagging.series) for lagging in lagging_series),
         "since": min(lagging.since for lagging in lagging_series),
         "sentence": alarm_rules.say_behind(lagging_series)}
        for job in week.jobs
        if (
            lagging_series := [
                lagging
                for lagging in stale_series
                if _asks(job, of_job.get(job.name, set()), lagging)
            ]
        )
    ]  # fmt: skip


def _asks(job: JobWeek, series: set[int], one: StaleSeries) -> bool:
    """Return whether a job asks for what stands still; another may have been the last to do so."""
    return one.job == job.name or not series.isdisjoint(one.series)


def _list_questions(endings: Sequence[Row]) -> list[Row]:
    """Per engine and reason how many questions of the week have no answer."""
    planned = Counter[int]()
    for row in endings:
        planned[row["id"]] += row["questions"]
    return [
        {"engine": row["name"], "engine_id": row["id"], "outcome": row["outcome"],
         "reason": row["reason"], "questions": row["questions"], "planned": planned[row["id"]],
         "meaning": coverage.say_meaning(row["outcome"], row["reason"])}
        for row in endings
        if not coverage.is_answer(row)
    ]  # fmt: skip


def _describe_brief(row: Row) -> Row:
    columns = ("series_id", "job", "list", "system", "title", "first_at", "last_at")
    return {name: row[name] for name in columns}


def _ended(rows: Sequence[Row]) -> list[Row]:
    """Series that their job does not ask any more: systems and measures, with how many and when.

    A system that is still asked has lost a measure or a list: only there these are named.
    """
    requested = {(row["job"], row["system"]) for row in rows if row["ended_at"] is None}
    all_rows: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if row["ended_at"] is None:
            continue
        job, system = row["job"], row["system"]
        what = f"{row['measure']} on {row['list']}" if (job, system) in requested else ""
        about = {"job": job, "system": system, "what": what, "since": row["ended_at"]}
        entry = all_rows.setdefault(tuple(about.values()), about | {"n": 0})
        entry["n"] += 1
    return list(all_rows.values())


def _off_grid(week: ReportedWeek) -> Row:
    counts = Counter(row["kind"] for row in week.runs if row["kind"] != RunKind.SCHEDULED)
    return {str(kind): counts[kind] for kind in sorted(counts)}


# --- printed --------------------------------------------------------------------------------------


def write_gaps_section(week: ReportedWeek, found: Row) -> Section:
    """Everything that is missing, in words and tables."""
    blocks: list[Block] = [*_printed_ticks(week, found), *_printed_questions(week, found)]
    blocks += write_missing_values(found)
    blocks += _came_and_went(week, found)
    blocks += _say_gap(week, found)
    if not blocks:
        blocks.append(
            Words(
                "No scheduled run of the week is missing, and every series that is asked has a "
                "value in the newest."
            )
        )
    return Section("missing", "What could not be measured", blocks)


def _printed_ticks(week: ReportedWeek, found: Row) -> list[Block]:
    blocks: list[Block] = []
    if found["without_tick"]:
        which = join_names(found["without_tick"])
        n = sum(row["n"] for row in found["series"] if row["job"] in found["without_tick"])
        its = "has" if n == 1 else "have"
        series = f": {several(n, 'series', 'series')} {its} no value in this report" if n else ""
        blocks.append(Words(f"No run was due in this week for {which}{series}."))
    if found["not_asked"]:
        which = join_names(found["not_asked"])
        words = f"Nothing was asked in this week for {which}, although it was due."
        blocks.append(Words(f"{words} The outcome of each run stands below."))
    if not found["ticks"]:
        return blocks
    columns = (Column("job"), Column("due", width=1.3), Column("outcome"),
               Column("why", width=2.5))  # fmt: skip
    rows = [
        [
            Cell(row["job"]), Cell(format_minute(row["due_at"], week.zone)),
            Cell(f"{row['state']}, not finished" if row["is_open"] else row["state"]),
            Cell(row["reason"] or ("run " + str(row["run_id"]) if row["run_id"] else "")),
        ]
        for row in found["ticks"]
    ]  # fmt: skip
    return [*blocks, table("Scheduled runs of the week that did not complete", columns, rows)]


def _printed_questions(week: ReportedWeek, found: Row) -> list[Block]:
    rows = found["questions"]
    if not rows:
        return []
    columns = (Column("engine", width=1.6), Column("what happened", width=2.6),
               Column("questions", is_number=True), Column("of", is_number=True))  # fmt: skip
    printed = [
        [
            Cell(week.engine_title(row["engine"])),
            Cell(f"{row['outcome']}{', ' if row['reason'] else ''}{row['reason']}", row["meaning"]),
            Cell(f"{row['questions']:,}"), Cell(f"{row['planned']:,}"),
        ]
        for row in rows
    ]  # fmt: skip
    return [table("Questions of the week that have no usable answer", columns, printed)]


def _came_and_went(week: ReportedWeek, found: Row) -> list[Block]:
    lines = []
    for name, words in (
        ("appeared", "{n} began in this week: {which}."),
        ("suspect", "{n} with an instrument in doubt: {which}."),
        ("changed_shape", "{n} from answers of another shape than in the runs before: {which}."),
    ):
        rows = found[name]
        if rows:
            which = sorted({row["system"] for row in rows})
            text = "; ".join(which[:_MOST])
            more = f"; and {len(which) - _MOST:,} more" if which[_MOST:] else ""
            n = several(len(rows), "series", "series")
            lines.append(words.format(n=n, which=text + more))
    if found["ended"]:
        n = several(sum(row["n"] for row in found["ended"]), "series", "series")
        which = [_gone(week, row) for row in found["ended"]]
        more = f"; and {len(which) - _MOST:,} more" if which[_MOST:] else ""
        lines.append(f"{n} ended: {'; '.join(which[:_MOST])}{more}.")
    if found["uncontrolled"]:
        n = several(len(found["uncontrolled"]), "system")
        lines.append(f"{n} without a control series: {'; '.join(found['uncontrolled'][:_MOST])}. A "
                    "change of these may also come from this program.")  # fmt: skip
    return [Items(lines)] if lines else []


def _gone(week: ReportedWeek, row: Row) -> str:
    """`DeepL, en → cs (Czech) (not asked since 2025-12-08)`."""
    what = f", {row['what']}" if row["what"] else ""
    return f"{row['system']}{what} (not asked since {format_day(row['since'], week.zone)})"


def _say_gap(week: ReportedWeek, found: Row) -> list[Block]:
    blocks: list[Block] = []
    if found["off_grid"]:
        counts = ", ".join(f"{n:,} {kind}" for kind, n in found["off_grid"].items())
        blocks.append(
            Words(
                f"Runs of the week beside the schedule, which are in no series: {counts}.", "small"
            )
        )
    if found["undecided"]:
        blocks.append(Heading("Runs that are not decided"))
        sentences = [f"{row['job']}: {row['sentence']}" for row in found["undecided"]]
        blocks.append(
            Items([f"{item}. Whether anything changed there is not known." for item in sentences])
        )
    if found["charts_behind"]:
        blocks.append(Heading("Stale series"))
        sentences = [f"{row['job']}: {row['sentence']}" for row in found["charts_behind"]]
        blocks.append(
            Items([f"{item}. Their newer values are not on the charts yet." for item in sentences])
        )
    if found["clock"]:
        blocks.append(Heading("The clock was set in this week"))
        blocks.append(Items([_set(week, row) for row in found["clock"]]))
    if found["alarms"]:
        blocks.append(Heading("Alarms of this week"))
        blocks.append(
            Items(
                [
                    f"{row['kind']}, {row['subject']}: {row['detail']} (since "
                    f"{format_day(row['since'], week.zone)}, "
                    + (f"over {format_day(row['resolved_at'], week.zone)})" if row["resolved_at"]
                       else "not over)")
                    for row in found["alarms"]
                ]
            )
        )  # fmt: skip
    return blocks


def _set(week: ReportedWeek, row: Row) -> str:
    of = f" of {row['subject']}" if row["subject"] else ""
    return f"{format_day(row['at'], week.zone)}: {_CLOCK[row['kind']]}{of}: {row['detail']}"
