"""All series of the week: small charts and the table."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from monitor.change import Role, Status
from monitor.model import State
from monitor.stages.document import records as doc
from monitor.stages.document.notation import capitalize_first, format_day, number
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
from monitor.store.rows import group_rows
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
    # witnesses stand beside what they are witnesses of
    tested = group_rows((row for row in rows if row["role"] != Role.SECONDARY), _name_quantity)
    grouped = {key: tested[key] for key in map(_name_quantity, first)}
    drawn = [row["series_id"] for group in grouped.values() for row in group[:DRAWN]]
    begin = week.until - _SHOWN
    history = weekly_report.read_history(connection, drawn, begin, week.until)
    return [
        {
            **{name: group[0][name] for name in ("job", "list", "measure", "quantity", "title",
                                                 "label", "kind")},
            "n_series": len(group),
            "charts": [
                _describe_chart(week, row, history.get(row["series_id"], []), begin)
                for row in group[:DRAWN]
            ],
        }
        for group in grouped.values()
    ]  # fmt: skip


#: What all series of a chart have in common.
_name_quantity = itemgetter("job", "list", "measure", "quantity", "reference")


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
        "changes": [
            {"at": change.changed_at, "status": change.status, "kind": change.kind,
             "change_id": change.change_id}
            for change in week.changes
            if change.series_id == series_id and change.changed_at > begin
        ],
    }  # fmt: skip


def _switch(week: ReportedWeek, one: Row) -> Row:
    before = week.parts[one["from_id"]]["parts"] if one["from_id"] else {}
    differ = names.say_differences(before, week.parts[one["to_id"]]["parts"])
    return {"at": one["switched_at"], "differences": differ if before else ["the first one"]}


# --- printed --------------------------------------------------------------------------------------


def write_charts_section(week: ReportedWeek, groups: Sequence[Row]) -> doc.Section:
    """The charts of each quantity."""
    if not groups:
        text = "There is no main series, and so no chart."
        return doc.Section("charts", "Main series over time", [doc.Words(text)])
    blocks: list[doc.Block] = [doc.Words(_LEGEND, "small")]
    for index, group in enumerate(groups):
        blocks += _printed(week, group, index)
    return doc.Section("charts", "Main series over time", blocks)


def make_marks(ticks: Iterable[Row]) -> list[SparklineTick]:
    """Return the ticks of a chart as tiles draw them."""
    return [
        SparklineTick(
            tick["due_at"], State(tick["state"]), tick["value"], tick["low"], tick["high"]
        )
        for tick in ticks
    ]


def _printed(week: ReportedWeek, group: Row, place: int) -> list[doc.Block]:
    about = names.find_quantity(group["measure"], group["quantity"], group["kind"])
    of = names.bracket_parameters(group["measure"])
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
        return [doc.Words(f"{caption}. No value in any run of the last year.")]
    times = [mark.due_at for tile in tiles for mark in tile.marks]
    first, last = (format_day(moment, week.zone) for moment in (min(times), max(times)))
    caption = f"{caption}; {first} to {last}."
    panels = [
        doc.Panel(
            chart["short"], draw_tile(tile, scales, f"m{place}-{index}"), _note(week, chart, tile)
        )
        for index, (chart, tile) in enumerate(zip(charts, tiles, strict=True))
    ]
    what = f"charts of {group['label']}"
    blocks = doc.fold_rest(panels, UNFOLDED, what, lambda part: [doc.Panels(caption, part)])
    n_left = group["n_series"] - len(panels)
    if n_left:
        words = f"{several(n_left, 'further series is', 'further series are')} not drawn"
        blocks.append(doc.Words(f"{words}; the table of all series has their values.", "small"))
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
    of_series = (
        "series_id", "job", "list", "engine", "engine_id", "kind", "surface", "source_lang",
        "target", "measure", "quantity", "reference", "role", "state", "reason", "due_at", "value",
        "low", "high", "bound_low", "bound_high", "flags", "planned", "answered", "used",
        "unidentified", "point_id", "is_asked", "ended_at", "signature", "first_at", "last_at",
        "n_measured", "n_due",
    )  # fmt: skip
    return [
        {name: row[name] for name in of_series} | {
            "system": names.name_system(row),
            "title": names.write_title(row),
            "label": names.write_label(row),
            "week": _paired(row["week"]),
            "first": _paired(row["first"]),
            "noise": _describe_floor(row, week.job(row["job"]).repeats.get(row["engine"], 1)),
            "is_new": row["first_at"] > week.after
            and any(tick.due_at <= week.after for tick in week.job(row["job"]).ticks),
            "limit": row["facts"].get("f_s_limit"),
        }
        for row in week.series
    ]  # fmt: skip


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


# --- printed --------------------------------------------------------------------------------------


def write_table_section(week: ReportedWeek, rows: Sequence[Row]) -> doc.Section:
    """The table, one group of rows for each engine and list, primaries first.

    What has ended has no row in it.
    """
    if not rows:
        nothing = (
            "There is no series over all questions: no scheduled run has measured anything so far."
        )
        return doc.Section("series", "All series", [doc.Words(nothing)])
    tables: list[doc.Block] = [doc.Words(_HOW, "small")]
    asked_rows = [row for row in rows if row["ended_at"] is None]
    for job, group in group_rows(asked_rows, itemgetter("job")).items():
        tables += _of_job(week, job, group)
    if n_ended := len(rows) - len(asked_rows):
        ended = several(n_ended, "series has", "series have")
        words = f"{ended} ended and no row here: see “What could not be measured”."
        tables.append(doc.Words(words, "small"))
    if n := week.n_other_scopes:
        words = (
            f"{several(n, 'further series is', 'further series are')} about parts of the questions "
            "(single stereotypes, tags of a list); “monitor series list --scopes” has them."
        )
        tables.append(doc.Words(words, "small"))
    return doc.Section("series", "All series", tables)


def _of_job(week: ReportedWeek, job: str, rows: Sequence[Row]) -> list[doc.Block]:
    """Return the tables of a job; that of other series is folded away, and so is a long one."""
    newest = week.job(job).newest
    tick = f"run of {format_day(newest.due_at, week.zone)}" if newest else "no run of this week"
    of_job = f"of job {job}" if newest else f"of job {job}, which had no run in this week"
    name_quantity = itemgetter("list", "measure", "quantity")
    tested = {name_quantity(row) for row in rows if row["role"] == Role.PRIMARY}
    parts = group_rows(
        rows, lambda row: row["role"] != Role.SECONDARY and name_quantity(row) in tested
    )
    blocks: list[doc.Block] = []
    for is_main, words in ((True, "main series and controls"), (False, "other series")):
        if some := parts.get(is_main):
            table = _write_table(week, job, f"{tick}: {words}", some)
            is_shown = newest is not None and is_main
            fold = doc.Fold(f"{len(some):,} {words} {of_job}", [table], is_printed=is_shown)
            blocks.append(table if is_shown and len(some) <= _UNFOLDED else fold)
    return blocks


def _write_table(week: ReportedWeek, job: str, caption: str, rows: Sequence[Row]) -> doc.Table:
    def rank(row: Row) -> tuple[object, ...]:
        place = names.rank_series(row, week.job(job).content)
        return _ORDER[row["role"]], row["source_lang"], row["target"], place

    grouped = group_rows(rows, itemgetter("list", "engine", "engine_id"))
    return doc.grouped(
        f"Job {job}, {caption}",
        [
            doc.Column("series", width=2.3),
            doc.Column("value [95 % interval]", is_number=True, width=1.5),
            doc.Column(f"change since {week.job(job).earlier}", is_number=True, width=1.6),
            doc.Column("change since the first run", is_number=True, width=1.6),
            "#questions used",
            "#runs measured",
            "#noise floor",
        ],
        [
            doc.group(
                f"{week.engine_title(engine)}, list {list_name}",
                [_write_cells(week, row) for row in sorted(group, key=rank)],
            )
            for (list_name, engine, _), group in grouped.items()
        ],
    )


def _write_cells(week: ReportedWeek, row: Row) -> list[doc.Entry]:
    sign = names.find_quantity(row["measure"], row["quantity"], row["kind"]).is_signed
    pair = names.pair_words(row["source_lang"], row["target"], row["kind"])
    began = format_day(row["first_at"], week.zone)
    remarks = (
        {Role.PRIMARY: "main series", Role.WITNESS: "control"}.get(row["role"], ""),
        f"new, first run {began}" if row["is_new"] else f"since {began}",
        names.say_parameters(row["measure"]),
        names.say_flags(row["flags"]),
        f"at most ±{number(row['limit'])}" if row["limit"] is not None else "",
    )
    used = write_quiet("nothing was asked")
    if row["planned"] is not None:
        used = doc.Cell(f"{row['used']:,} of {row['planned']:,}", f"{row['answered']:,} answered")
    return [
        doc.Cell(f"{pair}: {row['label']}", "; ".join(filter(None, remarks))),
        write_cell(row, sign),
        _say_change(week, row, "week"),
        _say_change(week, row, "first"),
        used,
        f"{row['n_measured']:,} of {row['n_due']:,}",
        _write_noise(row),
    ]


def _say_change(week: ReportedWeek, row: Row, contrast: str) -> doc.Cell:
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
    return doc.Cell(this_cell.text, f"{this_cell.under}\n{against}")


def _write_noise(row: Row) -> doc.Cell:
    floor = row["noise"]
    seen = "\n".join(
        join_words(f"{floor[name]:,} {words}")
        for name, words in (("n_days", "a day apart"), ("n_minutes", "at once"))
    )
    if floor["sd"] is None:
        requested = floor["n_days"] + floor["n_minutes"]
        return write_quiet(floor["reason"] if requested else "nothing was asked twice")
    return doc.Cell(number(floor["sd"]), seen)
