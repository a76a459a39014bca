"""All series of the week: small charts and the table."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

from monitor.change import ChangeKind, Role, Status
from monitor.model import State
from monitor.stages.document import draw
from monitor.stages.document.draw import FIRST, GRID, INK, QUIET, SECOND, Scale
from monitor.stages.document.notation import number
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Group,
    Panel,
    Panels,
    Section,
    Table,
    Words,
)
from monitor.stages.reports import names, series_text
from monitor.stages.reports.series_text import (
    format_day,
    join_words,
    write_cell,
    write_missing,
    write_quiet,
)
from monitor.stages.reports.weekly.week import ReportedWeek
from monitor.stats.series import QuietTick, noise_floor
from monitor.store.database import Connection
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

# --- one chart ------------------------------------------------------------------------------------

Row = dict[str, Any]

_SIZE = (240, 92)
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 192.0, 9.0, 70.0


def scale_series(charts: Sequence[Row], ends: tuple[float, float]) -> tuple[Scale, Scale] | None:
    """The scales of time and value that all charts of a quantity share; None without a value.

    `ends` are those that the quantity cannot pass.
    """
    ticks = [tick for chart in charts for tick in chart["ticks"]]
    stored = [t[name] for t in ticks for name in ("value", "low", "high") if t[name] is not None]
    if not stored:
        return None
    times = [tick["due_at"].timestamp() for tick in ticks]
    last = max(*times, times[0] + 1)
    x = Scale(min(times), last, _LEFT + 3, _RIGHT - 3)
    return x, draw.nice(stored, _BOTTOM, _TOP, ends)


def draw_series(
    week: ReportedWeek,
    chart: Row,
    scales: tuple[Scale, Scale],
    neutral: float | None,
    name: str,
    title: str,
) -> Markup:
    """The chart of one series."""
    x, y = scales
    ticks = chart["ticks"]
    parts = [*_list_axes(week, x, y, neutral)]
    for run in _list_runs(ticks):
        parts += _list_line(run, x, y)
    parts += _absent(ticks, x)
    parts += [
        draw.stroke(
            f"M{draw.place(x(position))},{draw.place(_TOP)}V{draw.place(_BOTTOM)}", INK, 1, "3 2"
        )
        for position in (switch["at"].timestamp() for switch in chart["switches"])
    ]
    parts += [_draw_change(change, x) for change in chart["changes"]]
    parts.append(_newest(ticks, y))
    described = _described(week, chart)
    return draw.picture(parts, _SIZE, name, f"{title}: {chart['system']}", described)


def _list_axes(week: ReportedWeek, x: Scale, y: Scale, neutral: float | None) -> list[str]:
    parts = []
    for tick in y.ticks:
        position = draw.place(y(tick))
        parts.append(draw.stroke(f"M{_LEFT},{position}H{_RIGHT}", GRID, 1))
    middle, is_odd = divmod(len(y.ticks) - 1, 2)
    shown_ticks = y.ticks[:: middle or 1] if not is_odd else (y.ticks[0], y.ticks[-1])
    parts += [
        draw.text(_LEFT - 4, y(tick) + 4, draw.label(tick, y.ticks), "end") for tick in shown_ticks
    ]
    if neutral is not None and y.low < neutral < y.high:
        position = draw.place(y(neutral))
        parts.append(draw.stroke(f"M{_LEFT},{position}H{_RIGHT}", QUIET, 1, "2 3"))
    first, last = (datetime.fromtimestamp(x_position, week.zone) for x_position in (x.low, x.high))
    foot = _SIZE[1] - 3.0
    parts.append(draw.text(_LEFT, foot, format_day(first, week.zone)))
    if last - first > timedelta(days=2):
        parts.append(draw.text(_RIGHT, foot, format_day(last, week.zone), "end"))
    return parts


def _list_runs(ticks: Sequence[Row]) -> list[list[Row]]:
    """Ticks with values that follow each other without a gap."""
    return [
        list(group)
        for is_there, group in groupby(ticks, key=lambda tick: tick["value"] is not None)
        if is_there
    ]


def _list_line(some: Sequence[Row], x: Scale, y: Scale) -> list[str]:
    position = [(x(tick["due_at"].timestamp()), tick) for tick in some]
    parts = []
    band = [(mark_position, tick) for mark_position, tick in position if tick["low"] is not None]
    if len(band) > 1:
        outline = [(mark_position, y(tick["high"])) for mark_position, tick in band]
        outline += [(mark_position, y(tick["low"])) for mark_position, tick in reversed(band)]
        parts.append(draw.fill(f"{draw.path(outline)}Z", FIRST, 0.2))
    elif band:
        [(x_position, tick)] = band
        ends = [(x_position, y(tick["high"])), (x_position, y(tick["low"]))]
        parts.append(draw.stroke(draw.path(ends), FIRST, 1.5))
    line = [(mark_position, y(tick["value"])) for mark_position, tick in position]
    if len(line) > 1:
        parts.append(draw.stroke(draw.path(line), FIRST, 1.5))
    else:
        parts.append(draw.fill(draw.dot(*line[0]), FIRST))
    return parts


def _absent(ticks: Sequence[Row], x: Scale) -> list[str]:
    missed = [x(t["due_at"].timestamp()) for t in ticks if t["state"] == State.MISSED]
    few = [x(t["due_at"].timestamp()) for t in ticks if t["state"] == State.INSUFFICIENT]
    strokes = "".join(f"M{draw.place(position)},{_BOTTOM + 2:g}v6" for position in missed)
    rings = "".join(draw.dot(position, _BOTTOM + 5, 1.8) for position in few)
    return [draw.stroke(d, INK, 1.2) for d in (strokes, rings) if d]


def _draw_change(one: Row, x: Scale) -> str:
    position = x(one["at"].timestamp())
    if one["status"] == Status.REFUTED:
        cross = f"M{draw.place(position - 3)},1.5l6,6M{draw.place(position + 3)},1.5l-6,6"
        return draw.stroke(cross, SECOND, 1.4)
    triangle = f"M{draw.place(position - 4)},1h8l-4,7Z"
    if one["status"] == Status.CONFIRMED:
        return draw.fill(triangle, SECOND)
    dash = "1.5 1" if one["kind"] == ChangeKind.SHIFT else ""
    return draw.stroke(triangle, SECOND, 1.2, dash)


def _newest(ticks: Sequence[Row], y: Scale) -> str:
    newest = ticks[-1] if ticks else None
    if newest is None or newest["value"] is None:
        return draw.text(_RIGHT + 3, _BOTTOM + 9, "no value", color=INK)
    position = min(max(y(newest["value"]) + 4, _TOP + 6), _BOTTOM + 3)
    return draw.text(_RIGHT + 3, position, number(newest["value"]), color=INK)


def _described(week: ReportedWeek, chart: Row) -> str:
    """The chart in words."""
    ticks = chart["ticks"]
    counts = [
        f"{sum(t['state'] == state for t in ticks)} {state}"
        for state in (State.MEASURED, State.INSUFFICIENT, State.MISSED)
    ]
    measured = [t for t in ticks if t["value"] is not None]
    ends = (
        f"; from {number(measured[0]['value'])} on "
        f"{format_day(measured[0]['due_at'], week.zone)} to "
        f"{number(measured[-1]['value'])} on {format_day(measured[-1]['due_at'], week.zone)}"
        if measured
        else ""
    )
    changes = "; ".join(
        f"change on {format_day(c['at'], week.zone)}, {c['status']}" for c in chart["changes"]
    )
    return f"{len(ticks)} runs: {', '.join(counts)}{ends}{'; ' if changes else ''}{changes}."


# --- charts ---------------------------------------------------------------------------------------

#: What a chart shows: a year, and as many days more as put the tick of a year ago into it.
_SHOWN = timedelta(days=372)
#: Charts of one quantity that are shown at once, and that are drawn at all.
UNFOLDED, DRAWN = 24, 120
_LEGEND = """\
One chart a system, all with the same scales: the value of each run, its 95 % interval as a band, \
the newest value as a number. All values of a chart are computed with one method version. \
The line is broken where there is no value: a stroke below the axis is a run that was missed, a \
ring one with too little to measure, or computed with an older method version only. A dashed line \
is when the series changed to its method version. A filled triangle is a confirmed change, an \
empty one a change that is not confirmed, a cross a refuted one."""


def describe_charts(connection: Connection, week: ReportedWeek, rows: Sequence[Row]) -> list[Row]:
    """One entry per quantity with a row per chart: its dense ticks, switches and changes."""
    first = [row for row in rows if row["role"] == Role.PRIMARY]
    first.sort(
        key=lambda row: (row["job"], series_text.rank_series(row, week.job(row["job"]).content))
    )
    grouped: dict[tuple[str, ...], list[Row]] = {_make_key(row): [] for row in first}
    for row in rows:  # witnesses stand beside what they are witnesses of
        if row["role"] != Role.SECONDARY and _make_key(row) in grouped:
            grouped[_make_key(row)].append(row)
    all_rows = [row for rows in grouped.values() for row in rows[:DRAWN]]
    begin = week.until - _SHOWN
    history = weekly_report.read_history(
        connection, [row["series_id"] for row in all_rows], begin, week.until
    )
    return [
        {
            "job": key[0], "list": key[1], "measure": key[2], "quantity": key[3],
            "title": series_text.write_title(group[0]), "label": group[0]["label"],
            "kind": group[0]["kind"],
            "n_series": len(group),
            "charts": [
                _describe_chart(week, row, history.get(row["series_id"], []), begin)
                for row in group[:DRAWN]
            ],
        }
        for key, group in grouped.items()
    ]  # fmt: skip


def _make_key(row: Row) -> tuple[str, ...]:
    return row["job"], row["list"], row["measure"], row["quantity"], row["reference"]


def _describe_chart(week: ReportedWeek, row: Row, ticks: Sequence[Row], begin: datetime) -> Row:
    """The dense ticks of one series, all under the signature that it has now."""
    columns = ("due_at", "state", "value", "low", "high")
    series_id = row["series_id"]
    return {
        "series_id": series_id,
        "system": row["system"],
        "short": series_text.short_system(row | {"engine_title": week.engine_title(row["engine"])}),
        "ended_at": row["ended_at"],
        "ticks": [{name: tick[name] for name in columns} for tick in ticks],
        "switches": [_switch(week, switch) for switch in week.switches
                     if switch["series_id"] == series_id and switch["switched_at"] > begin],
        "changes": [_describe_mark(change) for change in week.changes
                    if change["series_id"] == series_id and change["changed_at"] > begin],
    }  # fmt: skip


def _switch(week: ReportedWeek, one: Row) -> Row:
    before = week.parts[one["from_id"]]["parts"] if one["from_id"] else {}
    differ = series_text.say_differences(before, week.parts[one["to_id"]]["parts"])
    return {"at": one["switched_at"], "differences": differ if before else ["the first one"]}


def _describe_mark(one: Row) -> Row:
    return {"at": one["changed_at"], "status": one["status"], "kind": one["kind"],
            "change_id": one["id"]}  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def write_charts_section(week: ReportedWeek, groups: Sequence[Row]) -> Section:
    """The charts of each quantity."""
    if not groups:
        text = "There is no main series, and so no chart."
        return Section("charts", "Main series over time", [Words(text)])
    blocks: list[Block] = [Words(_LEGEND, "small")]
    for index, group in enumerate(groups):
        blocks += _printed(week, group, index)
    return Section("charts", "Main series over time", blocks)


def _printed(week: ReportedWeek, group: Row, place: int) -> list[Block]:
    about = series_text.find_quantity(group["measure"], group["quantity"], group["kind"])
    parameters = series_text.say_parameters(group["measure"])
    of = f" ({parameters})" if parameters else ""
    label = f"{group['label'][:1].upper()}{group['label'][1:]}"
    caption = f"{label}{of}. Job {group['job']}, list {group['list']}."
    charts = group["charts"]
    scales = scale_series(charts, (about.low, about.high))
    if scales is None:
        return [Words(f"{caption} No value in any run of the last year.")]
    panels = [
        Panel(
            chart["short"],
            draw_series(week, chart, scales, about.neutral, f"m{place}-{index}", group["label"]),
            _note(week, chart),
        )
        for index, chart in enumerate(charts)
    ]
    blocks: list[Block] = [Panels(caption, panels[:UNFOLDED])]
    if panels[UNFOLDED:]:
        summary = f"{len(panels) - UNFOLDED:,} further charts of {group['label']}"
        blocks.append(Fold(summary, [Panels(caption, panels[UNFOLDED:])]))
    n_left = group["n_series"] - len(panels)
    if n_left:
        words = f"{several(n_left, 'further series is', 'further series are')} not drawn"
        blocks.append(Words(f"{words}; the table of all series has their values.", "small"))
    return blocks


def _note(week: ReportedWeek, chart: Row) -> str:
    sentences = [
        f"{format_day(switch['at'], week.zone)}: changed to {'; '.join(switch['differences'])}"
        for switch in chart["switches"]
    ]
    if chart["ended_at"] is not None:
        sentences.append(f"not asked since {format_day(chart['ended_at'], week.zone)}")
    return ". ".join(sentences)


# --- table ----------------------------------------------------------------------------------------

_ORDER = {Role.PRIMARY: 0, Role.WITNESS: 1, Role.SECONDARY: 2}
#: Rows of primary series of a job that are shown at once.
_UNFOLDED = 60
_HOW = """\
Changes are those of questions that could be used in both runs, with the 95 % interval of the \
paired difference; what it is compared with stands beneath. The noise floor is the standard \
deviation of such a difference when nothing changes, from questions that were asked again on \
purpose. Main series are those that are tested first; a control is never tested and shows whether \
our own software moved."""


def describe_table(week: ReportedWeek) -> list[Row]:
    """One row per series with everything that the table shows of it."""
    return [_describe_row(week, series) for series in week.series]


def _describe_row(week: ReportedWeek, one: Row) -> Row:
    of_series = (
        "series_id", "job", "list", "engine", "engine_id", "kind", "surface", "source_lang",
        "target", "measure", "quantity", "reference", "role", "state", "reason", "due_at", "value",
        "low", "high", "bound_low", "bound_high", "flags", "planned", "answered", "used",
        "unidentified", "point_id", "is_asked", "ended_at", "signature", "first_at", "last_at",
        "n_measured", "n_due",
    )  # fmt: skip
    return {name: one[name] for name in of_series} | {
        "system": series_text.name_system(one),
        "title": series_text.write_title(one),
        "label": series_text.write_label(one),
        "week": _paired(one["week"]),
        "first": _paired(one["first"]),
        "noise": _describe_floor(one, week.job(one["job"]).repeats.get(one["engine"], 1)),
        "is_new": _is_new(week, one),
        "limit": one["facts"].get("f_s_limit"),
    }


def _paired(found: Row | None) -> Row | None:
    if found is None:
        return None
    columns = (
        "state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
        "only_before", "only_after", "changed", "before_due_at", "lists",
    )  # fmt: skip
    return {name: found[name] for name in columns} | {"comparison_id": found["id"]}


def _describe_floor(one: Row, repeats: int) -> Row:
    """The standard deviation of a difference of two ticks when nothing changes, or why not known.

    Of so many questions as the change since the earlier tick is over, or else the value.
    """
    minutes = [n for _, n, _ in one["noise"].get("minutes", ()) if n]
    days = [
        QuietTick(delta, spread**2, n, before_repeats=repeats)
        for delta, n, spread in one["noise"].get("days", ())
        if n and spread is not None
    ]
    over = (one["week"] or {}).get("n") or one["used"] or 0
    floor = noise_floor(days, over, repeats) if over else None
    return {
        "sd": floor.sd_of_difference if floor else None,
        "reason": floor.reason if floor else "no question could be used",
        "questions": over,
        "n_minutes": len(minutes),
        "n_days": len(days),
    }


def _is_new(week: ReportedWeek, one: Row) -> bool:
    """Return whether a series begins in this week, while its job had ticks before."""
    return bool(
        one["first_at"] > week.after
        and any(t.due_at <= week.after for t in week.job(one["job"]).ticks)
    )


# --- printed --------------------------------------------------------------------------------------


def write_table_section(week: ReportedWeek, rows: Sequence[Row]) -> Section:
    """The table, one group of rows for each engine and list, primaries first.

    What has ended has no row in it.
    """
    if not rows:
        text = (
            "There is no series over all questions: no scheduled run has measured anything so far."
        )
        return Section("series", "All series", [Words(text)])
    tables: list[Block] = [Words(_HOW, "small")]
    asked_rows = [row for row in rows if row["ended_at"] is None]
    for job, group in groupby(asked_rows, key=lambda row: row["job"]):
        tables += _of_job(week, job, list(group))
    if n_ended := len(rows) - len(asked_rows):
        text = f"{several(n_ended, 'series has', 'series have')} ended and no row here"
        tables.append(Words(f"{text}: see “What could not be measured”.", "small"))
    n = week.n_other_scopes
    if n:
        suffix = (
            f"{several(n, 'further series is', 'further series are')} about parts of the questions"
        )
        tables.append(
            Words(f"{suffix} (single stereotypes, tags of a list); “monitor series list --scopes” "
                  "has them.", "small")
        )  # fmt: skip
    return Section("series", "All series", tables)


def _of_job(week: ReportedWeek, job: str, rows: Sequence[Row]) -> list[Block]:
    newest = week.job(job).newest
    tick = f"run of {format_day(newest.due_at, week.zone)}" if newest else "no run of this week"
    tested = {_make_quantity(row) for row in rows if row["role"] == Role.PRIMARY}
    first = _write_table(
        week, job, f"{tick}: main series and controls",
        [row for row in rows if row["role"] != Role.SECONDARY and _make_quantity(row) in tested],
    )  # fmt: skip
    rest = _write_table(
        week, job, f"{tick}: other series",
        [row for row in rows if _make_quantity(row) not in tested or row["role"] == Role.SECONDARY],
    )  # fmt: skip
    of_job = f"of job {job}" if newest else f"of job {job}, which had no run in this week"
    most = _UNFOLDED if newest else 0
    has_tick = newest is not None
    return [
        *_folded(first, most, f"main series and controls {of_job}", is_printed=has_tick),
        *_folded(rest, 0, f"other series {of_job}", is_printed=False),
    ]


def _make_quantity(row: Row) -> tuple[str, str, str]:
    return row["list"], row["measure"], row["quantity"]


def _folded(found: Table, most: int, words: str, *, is_printed: bool) -> list[Block]:
    """A table that is folded away if it has more rows than this."""
    n = sum(len(group.rows) for group in found.groups)
    if n <= most:
        return [found] if n else []
    return [Fold(f"{n:,} {words}", [found], is_printed=is_printed)]


def _write_columns(earlier: str) -> tuple[Column, ...]:
    return (
        Column("series", width=2.3),
        Column("value [95 % interval]", is_number=True, width=1.5),
        Column(f"change since {earlier}", is_number=True, width=1.6),
        Column("change since the first run", is_number=True, width=1.6),
        Column("questions used", is_number=True),
        Column("runs measured", is_number=True),
        Column("noise floor", is_number=True),
    )


def _write_table(
    week: ReportedWeek,
    job: str,
    caption: str,
    rows: Sequence[Row],
) -> Table:
    grouped: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row["list"], row["engine"], row["engine_id"]), []).append(row)
    groups = []
    for (list_name, engine, _), group in grouped.items():
        group.sort(
            key=lambda row: (
                _ORDER[row["role"]],
                row["source_lang"],
                row["target"],
                series_text.rank_series(row, week.job(row["job"]).content),
            ),
        )
        heading = f"{week.engine_title(engine)}, list {list_name}"
        groups.append(Group(heading, [_write_cells(week, row) for row in group]))
    return Table(f"Job {job}, {caption}", _write_columns(week.job(job).earlier), groups)


def _write_cells(week: ReportedWeek, row: Row) -> list[Cell]:
    sign = series_text.find_quantity(row["measure"], row["quantity"], row["kind"]).is_signed
    pair = names.short_pair(row["source_lang"], row["target"], row["kind"])
    kind = {Role.PRIMARY: "main series; ", Role.WITNESS: "control; "}.get(row["role"], "")
    parameters = series_text.say_parameters(row["measure"])
    remarks = [
        *([parameters] if parameters else []),
        *([flags] if (flags := names.say_flags(row["flags"])) else []),
    ]
    if row["limit"] is not None:
        remarks.append(f"at most ±{number(row['limit'])}")
    value = write_cell(row, sign)
    return [
        Cell(f"{pair}: {row['label']}", "; ".join([f"{kind}{_since(week, row)}", *remarks])),
        value,
        _say_change(week, row, "week"),
        _say_change(week, row, "first"),
        _used(row),
        Cell(f"{row['n_measured']:,} of {row['n_due']:,}"),
        _write_noise(row),
    ]


def _since(week: ReportedWeek, row: Row) -> str:
    this_day = format_day(row["first_at"], week.zone)
    return f"new, first run {this_day}" if row["is_new"] else f"since {this_day}"


def _used(row: Row) -> Cell:
    if row["planned"] is None:
        return write_quiet("nothing was asked")
    unread = f"{row['answered']:,} answered"
    return Cell(f"{row['used']:,} of {row['planned']:,}", unread)


def _say_change(week: ReportedWeek, row: Row, contrast: str) -> Cell:
    this_row = row[contrast]
    if row["state"] != State.MEASURED:
        return write_quiet("no value in this run")
    if this_row is None:
        first = row["n_measured"] <= 1
        return write_quiet("first measured run" if first else "no comparison is stored")
    if this_row["delta"] is None:
        return write_missing(this_row["reason"])
    this_cell = write_cell(this_row, sign=True, name="delta")
    lists = f" that both {' and '.join(this_row['lists'])} ask" if this_row["lists"] else ""
    against = (
        f"{this_row['n']:,} questions{lists}, {format_day(this_row['before_due_at'], week.zone)}"
    )
    return Cell(this_cell.text, f"{this_cell.under}\n{against}")


def _write_noise(row: Row) -> Cell:
    floor = row["noise"]
    seen = "\n".join(
        join_words(f"{floor[name]:,} {words}")
        for name, words in (("n_days", "a day apart"), ("n_minutes", "at once"))
    )
    if floor["sd"] is None:
        requested = floor["n_days"] + floor["n_minutes"]
        return write_quiet(floor["reason"] if requested else "nothing was asked twice")
    return Cell(number(floor["sd"]), seen)
