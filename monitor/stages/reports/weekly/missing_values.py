"""Values that are missing in the week, with their reasons.

Series over all questions are told system by system. Those over parts of the questions are as many
as there are stereotypes and tags, so that they are told in one line a measure and kind of reason.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from monitor.model import Flag, RunKind, State
from monitor.stages import alarm_rules
from monitor.stages.document import records as doc
from monitor.stages.document.notation import format_day, format_minute, join_names
from monitor.stages.reports import coverage, names
from monitor.stages.reports.cells import shorten_reason
from monitor.stages.reports.weekly.week import ENDED, JobWeek, ReportedWeek
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.derive.signatures import find_stale
from monitor.store.reports import weekly_report
from monitor.store.rows import group_rows
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
    over_all, over_parts = (
        Counter((row["job"], names.name_system(row), row["state"], row["reason"])
                for row in _lacking(rows))
        for rows in (series, parts)
    )  # fmt: skip
    all_rows = [
        dict(zip(("job", "system", "state", "reason"), key, strict=True))
        | {"n": n, "n_over_all": over_all[key]}
        for key, n in (over_all + over_parts).items()
    ]
    return sorted(all_rows, key=lambda row: (-row["n"], row["job"], row["system"], row["reason"]))


def _by_kind(parts: Sequence[Row]) -> list[Row]:
    grouped = group_rows(parts, lambda row: (row["job"], row["measure"], kind_of(row["reason"])))
    all_rows = [
        {"job": job, "measure": measure, "why": why, "n": len(rows),
         "n_systems": len(set(map(names.name_system, rows)))}
        for (job, measure, why), rows in grouped.items()
    ]  # fmt: skip
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


def write_missing_values(found: Row) -> list[doc.Block]:
    """Series over all questions system by system; parts in a line each, with a list folded away.

    Series of jobs without a tick in the week are told of by their jobs.
    """
    without = set(found["without_tick"])
    first = [row for row in found["series"] if row["n_over_all"] and row["job"] not in without]
    caption = "Series without a value in the newest run, by reason"
    blocks = doc.fold_rest(first, _MOST, "reasons", lambda rows: [_by_system(caption, rows)])
    return [*blocks, *_write_parts(found)]


def _write_parts(found: Row) -> list[doc.Block]:
    kinds = found["parts"]
    if not kinds:
        return []
    sentences = [
        f"{several(row['n'], 'series', 'series')} over parts of the questions alone, "
        f"{row['measure']} of job {row['job']}: {row['why']} "
        f"({several(row['n_systems'], 'system')})."
        for row in kinds
    ]
    what = "reasons of parts of the questions"
    blocks = doc.fold_rest(sentences, _MOST, what, lambda lines: [doc.Items(lines)])
    n = several(sum(row["n"] for row in kinds), "series", "series")
    summary = f"{n} over parts of the questions alone without a value, by system and reason"
    rows = [row for row in found["series"] if row["n"] > row["n_over_all"]]
    return [*blocks, doc.Fold(summary, [_by_system(summary, rows)])]


def _by_system(caption: str, rows: Sequence[Row]) -> doc.Table:
    return doc.grouped(
        caption,
        ["state", doc.Column("why", width=3.5), "#over all", "#over parts"],
        [
            doc.group(f"{system}, job {job}", map(_write_missing, group))
            for (system, job), group in group_rows(rows, itemgetter("system", "job")).items()
        ],
    )


def _write_missing(row: Row) -> list[doc.Entry]:
    n_over_all = row["n_over_all"]
    reason = shorten_reason(row["reason"]) or "no reason is stored"
    return [row["state"], reason, f"{n_over_all:,}", f"{row['n'] - n_over_all:,}"]


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
        "off_grid": dict(sorted(Counter(
            str(row["kind"]) for row in week.runs if row["kind"] != RunKind.SCHEDULED
        ).items())),
        "charts_behind": list_behind(connection, week),
        "undecided": _undecided(connection, week),
        "alarms": weekly_report.read_alarms(connection, week.after, week.until),
        "clock": weekly_report.read_clock_events(connection, week.after, week.until),
    }  # fmt: skip


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
    rows = []
    for job in week.jobs:
        own_series = {row["series_id"] for row in week.series if row["job"] == job.name}
        # another job may have been the last to ask for what stands still
        stale = [
            lagging for lagging in stale_series
            if lagging.job == job.name or not own_series.isdisjoint(lagging.series)
        ]  # fmt: skip
        if stale:
            rows.append(
                {"job": job.name, "series": sum(len(lagging.series) for lagging in stale),
                 "since": min(lagging.since for lagging in stale),
                 "sentence": alarm_rules.say_behind(stale)}
            )  # fmt: skip
    return rows


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

    def describe(row: Row) -> tuple[str, str, str, datetime]:
        is_asked = (row["job"], row["system"]) in requested
        what = f"{row['measure']} on {row['list']}" if is_asked else ""
        return row["job"], row["system"], what, row["ended_at"]

    counted = Counter(describe(row) for row in rows if row["ended_at"] is not None)
    return [
        {"job": job, "system": system, "what": what, "since": since, "n": n}
        for (job, system, what, since), n in counted.items()
    ]


# --- printed --------------------------------------------------------------------------------------


def write_gaps_section(week: ReportedWeek, found: Row) -> doc.Section:
    """Everything that is missing, in words and tables."""
    blocks = [
        *_printed_ticks(week, found),
        *_printed_questions(week, found),
        *write_missing_values(found),
        *_came_and_went(week, found),
        *_say_gap(week, found),
    ]
    nothing = doc.Words(
        "No scheduled run of the week is missing, and every series that is asked has a value in "
        "the newest."
    )
    return doc.Section("missing", "What could not be measured", blocks or [nothing])


def _printed_ticks(week: ReportedWeek, found: Row) -> list[doc.Block]:
    blocks: list[doc.Block] = []
    if found["without_tick"]:
        which = join_names(found["without_tick"])
        n = sum(row["n"] for row in found["series"] if row["job"] in found["without_tick"])
        its = "has" if n == 1 else "have"
        series = f": {several(n, 'series', 'series')} {its} no value in this report" if n else ""
        blocks.append(doc.Words(f"No run was due in this week for {which}{series}."))
    if found["not_asked"]:
        which = join_names(found["not_asked"])
        words = f"Nothing was asked in this week for {which}, although it was due."
        blocks.append(doc.Words(f"{words} The outcome of each run stands below."))
    if not found["ticks"]:
        return blocks
    table = doc.table(
        "Scheduled runs of the week that did not complete",
        ["job", doc.Column("due", width=1.3), "outcome", doc.Column("why", width=2.5)],
        [
            [
                row["job"], format_minute(row["due_at"], week.zone),
                f"{row['state']}, not finished" if row["is_open"] else row["state"],
                row["reason"] or (f"run {row['run_id']}" if row["run_id"] else ""),
            ]
            for row in found["ticks"]
        ],
    )  # fmt: skip
    return [*blocks, table]


def _printed_questions(week: ReportedWeek, found: Row) -> list[doc.Block]:
    table = doc.table(
        "Questions of the week that have no usable answer",
        [doc.Column("engine", width=1.6), doc.Column("what happened", width=2.6), "#questions",
         "#of"],
        [
            [
                week.engine_title(row["engine"]),
                doc.Cell(", ".join(filter(None, (row["outcome"], row["reason"]))), row["meaning"]),
                f"{row['questions']:,}", f"{row['planned']:,}",
            ]
            for row in found["questions"]
        ],
    )  # fmt: skip
    return [table] if found["questions"] else []


def _came_and_went(week: ReportedWeek, found: Row) -> list[doc.Block]:
    lines = []
    for name, words in (
        ("appeared", "{n} began in this week: {which}."),
        ("suspect", "{n} with an instrument in doubt: {which}."),
        ("changed_shape", "{n} from answers of another shape than in the runs before: {which}."),
    ):
        if rows := found[name]:
            which = _list_first(sorted({row["system"] for row in rows}))
            lines.append(words.format(n=several(len(rows), "series", "series"), which=which))
    if found["ended"]:
        n = several(sum(row["n"] for row in found["ended"]), "series", "series")
        which = _list_first([_gone(week, row) for row in found["ended"]])
        lines.append(f"{n} ended: {which}.")
    if found["uncontrolled"]:
        n = several(len(found["uncontrolled"]), "system")
        lines.append(f"{n} without a control series: {'; '.join(found['uncontrolled'][:_MOST])}. A "
                    "change of these may also come from this program.")  # fmt: skip
    return [doc.Items(lines)] if lines else []


def _list_first(entries: Sequence[str]) -> str:
    """Return the first entries, with the others counted."""
    more = f"; and {len(entries) - _MOST:,} more" if entries[_MOST:] else ""
    return "; ".join(entries[:_MOST]) + more


def _gone(week: ReportedWeek, row: Row) -> str:
    """`DeepL, en → cs (Czech) (not asked since 2025-12-08)`."""
    what = f", {row['what']}" if row["what"] else ""
    return f"{row['system']}{what} (not asked since {format_day(row['since'], week.zone)})"


def _say_gap(week: ReportedWeek, found: Row) -> list[doc.Block]:
    blocks: list[doc.Block] = []
    if found["off_grid"]:
        counts = ", ".join(f"{n:,} {kind}" for kind, n in found["off_grid"].items())
        words = f"Runs of the week beside the schedule, which are in no series: {counts}."
        blocks.append(doc.Words(words, "small"))
    lists = {
        "Runs that are not decided": [
            f"{row['job']}: {row['sentence']}. Whether anything changed there is not known."
            for row in found["undecided"]
        ],
        "Stale series": [
            f"{row['job']}: {row['sentence']}. Their newer values are not on the charts yet."
            for row in found["charts_behind"]
        ],
        "The clock was set in this week": [_set(week, row) for row in found["clock"]],
        "Alarms of this week": [_say_alarm(week, row) for row in found["alarms"]],
    }
    for heading, items in lists.items():
        blocks += [doc.Heading(heading), doc.Items(items)] if items else []
    return blocks


def _say_alarm(week: ReportedWeek, row: Row) -> str:
    over = f"over {format_day(row['resolved_at'], week.zone)}" if row["resolved_at"] else "not over"
    since = format_day(row["since"], week.zone)
    return f"{row['kind']}, {row['subject']}: {row['detail']} (since {since}, {over})"


def _set(week: ReportedWeek, row: Row) -> str:
    of = f" of {row['subject']}" if row["subject"] else ""
    return f"{format_day(row['at'], week.zone)}: {_CLOCK[row['kind']]}{of}: {row['detail']}"
