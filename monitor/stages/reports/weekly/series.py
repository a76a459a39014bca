"""All series of the week: small charts and the table."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from monitor.change import Role, Status
from monitor.model import State
from monitor.stages.document.notation import capitalize_first, format_day, number
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
    fold_rest,
)
from monitor.stages.document.system_tiles import (
    TileChange,
    TileChart,
    common_scales,
    draw_tile,
    say_measured,
)
from monitor.stages.reports import names
from monitor.stages.reports.cells import join_words, write_cell, write_missing, write_quiet
from monitor.stages.reports.weekly.week import ReportedWeek
from monitor.stats.series import QuietTick, noise_floor
from monitor.store.changes.series import SparklineTick
from monitor.store.database import Connection
from monitor.store.reports import weekly_report
from monitor.store.reports.weekly_report import WeekChange
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import axis_unit

# --- charts ---------------------------------------------------------------------------------------

Row = dict[str, Any]

#: What a chart shows: a year, and as many days more as put the tick of a year ago into it.
_SHOWN = timedelta(days=372)
#: Charts of one quantity that are shown at once, and that are drawn at all.
UNFOLDED, DRAWN = 24, 120
_LEGEND = """\
One chart a system, all with the same scales: the value of each run and its 95 % interval as a \
band. All values of a chart are computed with one method version. Grey is without a value; below \
the chart stands how many runs were missed, and how many had too little to measure or were \
computed with an older method version only. A dashed line is when the series changed to its method \
version. A filled triangle is a confirmed change, an empty one a change that is not confirmed, a \
cross a refuted one."""


def describe_charts(connection: Connection, week: ReportedWeek, rows: Sequence[Row]) -> list[Row]:
    """One entry per quantity with a row per chart: its dense ticks, switches and changes."""
    first = [row for row in rows if row["role"] == Role.PRIMARY]
    first.sort(key=lambda row: (row["job"], names.rank_series(row, week.job(row["job"]).content)))
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
            "title": names.write_title(group[0]), "label": group[0]["label"],
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
        "short": names.name_system(row | {"engine_title": week.engine_title(row["engine"])}),
        "ended_at": row["ended_at"],
        "ticks": [{name: tick[name] for name in columns} for tick in ticks],
        "switches": [_switch(week, switch) for switch in week.switches
                     if switch["series_id"] == series_id and switch["switched_at"] > begin],
        "changes": [_describe_mark(change) for change in week.changes
                    if change.series_id == series_id and change.changed_at > begin],
    }  # fmt: skip


def _switch(week: ReportedWeek, one: Row) -> Row:
    before = week.parts[one["from_id"]]["parts"] if one["from_id"] else {}
    differ = names.say_differences(before, week.parts[one["to_id"]]["parts"])
    return {"at": one["switched_at"], "differences": differ if before else ["the first one"]}


def _describe_mark(one: WeekChange) -> Row:
    return {"at": one.changed_at, "status": one.status, "kind": one.kind,
            "change_id": one.change_id}  # fmt: skip


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


def make_marks(ticks: Iterable[Row]) -> list[SparklineTick]:
    """Return the ticks of a chart as tiles draw them."""
    return [
        SparklineTick(
            tick["due_at"], State(tick["state"]), tick["value"], tick["low"], tick["high"]
        )
        for tick in ticks
    ]


def _printed(week: ReportedWeek, group: Row, place: int) -> list[Block]:
    about = names.find_quantity(group["measure"], group["quantity"], group["kind"])
    parameters = names.say_parameters(group["measure"])
    of = f" ({parameters})" if parameters else ""
    unit = axis_unit(about.meaning.unit)
    label = ", ".join(filter(None, (f"{capitalize_first(group['label'])}{of}", unit)))
    caption = f"{label}. Job {group['job']}, list {group['list']}"
    charts = group["charts"]
    tiles = [
        TileChart(
            title=f"{group['label']}: {chart['system']}", quantity=about,
            marks=make_marks(chart["ticks"]), zone=week.zone,
            changes=[
                TileChange(change["at"], status=Status(change["status"]))
                for change in chart["changes"]
            ],
            switches=[switch["at"] for switch in chart["switches"]],
        )
        for chart in charts
    ]  # fmt: skip
    scales = common_scales([tile.marks for tile in tiles], about.neutral)
    if scales is None:
        return [Words(f"{caption}. No value in any run of the last year.")]
    times = [mark.due_at for tile in tiles for mark in tile.marks]
    first, last = (format_day(moment, week.zone) for moment in (min(times), max(times)))
    caption = f"{caption}; {first} to {last}."
    panels = [
        Panel(
            chart["short"], draw_tile(tile, scales, f"m{place}-{index}"), _note(week, chart, tile)
        )
        for index, (chart, tile) in enumerate(zip(charts, tiles, strict=True))
    ]
    what = f"charts of {group['label']}"
    blocks = fold_rest(panels, UNFOLDED, what, lambda part: [Panels(caption, part)])
    n_left = group["n_series"] - len(panels)
    if n_left:
        words = f"{several(n_left, 'further series is', 'further series are')} not drawn"
        blocks.append(Words(f"{words}; the table of all series has their values.", "small"))
    return blocks


def _note(week: ReportedWeek, chart: Row, tile: TileChart) -> str:
    """Return the newest value, runs without one, and since when the method version is used."""
    newest = tile.marks[-1].value if tile.marks else None
    states = Counter(mark.state for mark in tile.marks)
    absent = {"missed": State.MISSED, "with too little to measure": State.INSUFFICIENT}
    counts = [f"{n:,} {words}" for words, state in absent.items() if (n := states[state])]
    said = f"newest {say_measured(tile.quantity.meaning.unit, newest)}"
    sentences = [
        f"{said} ({', '.join(counts)})" if counts else said,
        *(
            f"{format_day(switch['at'], week.zone)}: changed to {'; '.join(switch['differences'])}"
            for switch in chart["switches"]
        ),
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
        "system": names.name_system(one),
        "title": names.write_title(one),
        "label": names.write_label(one),
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
                names.rank_series(row, week.job(row["job"]).content),
            ),
        )
        heading = f"{week.engine_title(engine)}, list {list_name}"
        groups.append(Group(heading, [_write_cells(week, row) for row in group]))
    return Table(f"Job {job}, {caption}", _write_columns(week.job(job).earlier), groups)


def _write_cells(week: ReportedWeek, row: Row) -> list[Cell]:
    sign = names.find_quantity(row["measure"], row["quantity"], row["kind"]).is_signed
    pair = names.pair_words(row["source_lang"], row["target"], row["kind"])
    kind = {Role.PRIMARY: "main series; ", Role.WITNESS: "control; "}.get(row["role"], "")
    parameters = names.say_parameters(row["measure"])
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
