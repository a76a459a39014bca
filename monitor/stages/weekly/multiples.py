"""Small charts of primary series, one for each engine and target, on the same scales."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from monitor.change import Role
from monitor.stages.document.records import Block, Fold, Panel, Panels, Section, Words
from monitor.stages.weekly import names, panel
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day
from monitor.store.database import Connection
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

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


def content(connection: Connection, week: Week, rows: Sequence[Row]) -> list[Row]:
    """One entry per quantity with a row per chart: its dense ticks, switches and changes."""
    first = [row for row in rows if row["role"] == Role.PRIMARY]
    first.sort(key=lambda row: (row["job"], names.place(row, week.job(row["job"]).content)))
    grouped: dict[tuple[str, ...], list[Row]] = {_key(row): [] for row in first}
    for row in rows:  # witnesses stand beside what they are witnesses of
        if row["role"] != Role.SECONDARY and _key(row) in grouped:
            grouped[_key(row)].append(row)
    drawn = [row for some in grouped.values() for row in some[:DRAWN]]
    begin = week.until - _SHOWN
    history = weekly_report.read_history(
        connection, [row["series_id"] for row in drawn], begin, week.until
    )
    return [
        {
            "job": key[0], "list": key[1], "measure": key[2], "quantity": key[3],
            "title": names.title(group[0]), "label": group[0]["label"], "kind": group[0]["kind"],
            "n_series": len(group),
            "charts": [
                _chart(week, row, history.get(row["series_id"], []), begin)
                for row in group[:DRAWN]
            ],
        }
        for key, group in grouped.items()
    ]  # fmt: skip


def _key(row: Row) -> tuple[str, ...]:
    return row["job"], row["list"], row["measure"], row["quantity"], row["reference"]


def _chart(week: Week, row: Row, ticks: Sequence[Row], begin: datetime) -> Row:
    """The dense ticks of one series, all under the signature that it has now."""
    kept = ("due_at", "state", "value", "low", "high")
    mine = row["series_id"]
    return {
        "series_id": mine,
        "system": row["system"],
        "short": names.short_system(row | {"engine_title": week.engine_title(row["engine"])}),
        "ended_at": row["ended_at"],
        "ticks": [{name: tick[name] for name in kept} for tick in ticks],
        "switches": [_switch(week, switch) for switch in week.switches
                     if switch["series_id"] == mine and switch["switched_at"] > begin],
        "changes": [_mark(change) for change in week.changes
                    if change["series_id"] == mine and change["changed_at"] > begin],
    }  # fmt: skip


def _switch(week: Week, one: Row) -> Row:
    before = week.parts[one["from_id"]]["parts"] if one["from_id"] else {}
    differ = names.differences(before, week.parts[one["to_id"]]["parts"])
    return {"at": one["switched_at"], "differences": differ if before else ["the first one"]}


def _mark(one: Row) -> Row:
    return {"at": one["changed_at"], "status": one["status"], "kind": one["kind"],
            "change_id": one["id"]}  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, groups: Sequence[Row]) -> Section:
    """The charts of each quantity."""
    if not groups:
        said = "There is no main series, and so no chart."
        return Section("charts", "Main series over time", [Words(said)])
    blocks: list[Block] = [Words(_LEGEND, "small")]
    for index, group in enumerate(groups):
        blocks += _printed(week, group, index)
    return Section("charts", "Main series over time", blocks)


def _printed(week: Week, group: Row, place: int) -> list[Block]:
    about = names.about(group["measure"], group["quantity"], group["kind"])
    chosen = names.chosen(group["measure"])
    of = f" ({chosen})" if chosen else ""
    label = f"{group['label'][:1].upper()}{group['label'][1:]}"
    caption = f"{label}{of}. Job {group['job']}, list {group['list']}."
    charts = group["charts"]
    scales = panel.scales(charts, (about.low, about.high))
    if scales is None:
        return [Words(f"{caption} No value in any run of the last year.")]
    panels = [
        Panel(
            chart["short"],
            panel.drawn(week, chart, scales, about.neutral, f"m{place}-{index}", group["label"]),
            _note(week, chart),
        )
        for index, chart in enumerate(charts)
    ]
    blocks: list[Block] = [Panels(caption, panels[:UNFOLDED])]
    if panels[UNFOLDED:]:
        summary = f"{len(panels) - UNFOLDED:,} further charts of {group['label']}"
        blocks.append(Fold(summary, [Panels(caption, panels[UNFOLDED:])]))
    left = group["n_series"] - len(panels)
    if left:
        words = f"{several(left, 'further series is', 'further series are')} not drawn"
        blocks.append(Words(f"{words}; the table of all series has their values.", "small"))
    return blocks


def _note(week: Week, chart: Row) -> str:
    said = [
        f"{day(one['at'], week.zone)}: changed to {'; '.join(one['differences'])}"
        for one in chart["switches"]
    ]
    if chart["ended_at"] is not None:
        said.append(f"not asked since {day(chart['ended_at'], week.zone)}")
    return ". ".join(said)
