"""The table of all series over all questions: rows of the week in, numbers and a table out."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from monitor.change import Role
from monitor.model import State
from monitor.stages import _report_names as titles
from monitor.stages._report_text import number
from monitor.stages.document.records import Block, Cell, Column, Fold, Group, Section, Table, Words
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import cell, day, missing, quiet, unbroken
from monitor.stats import noise
from monitor.stats.noise import QuietTick
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_ORDER = {Role.PRIMARY: 0, Role.WITNESS: 1, Role.SECONDARY: 2}
#: Rows of primary series of a job that are shown at once.
_UNFOLDED = 60
_HOW = """\
Changes are those of questions that could be used in both runs, with the 95 % interval of the \
paired difference; what it is compared with stands beneath. The noise floor is the standard \
deviation of such a difference when nothing changes, from questions that were asked again on \
purpose. Main series are those that are tested first; a control is never tested and shows whether \
our own software moved."""


def content(week: Week) -> list[Row]:
    """One row per series with everything that the table shows of it."""
    return [_row(week, one) for one in week.series]


def _row(week: Week, one: Row) -> Row:
    of_series = (
        "series_id", "job", "list", "engine", "engine_id", "kind", "surface", "source_lang",
        "target", "measure", "quantity", "reference", "role", "state", "reason", "due_at", "value",
        "low", "high", "bound_low", "bound_high", "flags", "planned", "answered", "used",
        "unidentified", "point_id", "is_asked", "ended_at", "signature", "first_at", "last_at",
        "n_measured", "n_due",
    )  # fmt: skip
    return {name: one[name] for name in of_series} | {
        "system": names.system(one),
        "title": names.title(one),
        "label": names.label(one),
        "week": _paired(one["week"]),
        "first": _paired(one["first"]),
        "noise": _floor(one, week.job(one["job"]).repeats.get(one["engine"], 1)),
        "is_new": _is_new(week, one),
        "limit": one["facts"].get("f_s_limit"),
    }


def _paired(found: Row | None) -> Row | None:
    if found is None:
        return None
    kept = (
        "state", "reason", "before", "after", "delta", "low", "high", "p", "test", "n",
        "only_before", "only_after", "changed", "before_due_at", "lists",
    )  # fmt: skip
    return {name: found[name] for name in kept} | {"comparison_id": found["id"]}


def _floor(one: Row, repeats: int) -> Row:
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
    found = noise.noise_floor(days, over, repeats) if over else None
    return {
        "sd": found.sd_of_difference if found else None,
        "reason": found.reason if found else "no question could be used",
        "questions": over,
        "n_minutes": len(minutes),
        "n_days": len(days),
    }


def _is_new(week: Week, one: Row) -> bool:
    """Whether a series begins in this week, while its job had ticks before."""
    return bool(
        one["first_at"] > week.after
        and any(t.due_at <= week.after for t in week.job(one["job"]).ticks)
    )


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, rows: Sequence[Row]) -> Section:
    """The table, one group of rows for each engine and list, primaries first.

    What has ended has no row in it.
    """
    if not rows:
        said = (
            "There is no series over all questions: no scheduled run has measured anything so far."
        )
        return Section("series", "All series", [Words(said)])
    tables: list[Block] = [Words(_HOW, "small")]
    asked_rows = [row for row in rows if row["ended_at"] is None]
    for job, group in groupby(asked_rows, key=lambda row: row["job"]):
        tables += _of_job(week, job, list(group))
    if n_ended := len(rows) - len(asked_rows):
        said = f"{several(n_ended, 'series has', 'series have')} ended and no row here"
        tables.append(Words(f"{said}: see “What could not be measured”.", "small"))
    n = week.n_other_scopes
    if n:
        beside = (
            f"{several(n, 'further series is', 'further series are')} about parts of the questions"
        )
        tables.append(
            Words(f"{beside} (single stereotypes, tags of a list); “monitor series list --scopes” "
                  "has them.", "small")
        )  # fmt: skip
    return Section("series", "All series", tables)


def _of_job(week: Week, job: str, rows: Sequence[Row]) -> list[Block]:
    at = week.job(job).newest
    tick = f"run of {day(at.due_at, week.zone)}" if at else "no run of this week"
    tested = {_quantity(row) for row in rows if row["role"] == Role.PRIMARY}
    first = _table(
        week, job, f"{tick}: main series and controls",
        [row for row in rows if row["role"] != Role.SECONDARY and _quantity(row) in tested],
    )  # fmt: skip
    rest = _table(
        week, job, f"{tick}: other series",
        [row for row in rows if _quantity(row) not in tested or row["role"] == Role.SECONDARY],
    )  # fmt: skip
    of_job = f"of job {job}" if at else f"of job {job}, which had no run in this week"
    most = _UNFOLDED if at else 0
    has_tick = at is not None
    return [
        *_folded(first, most, f"main series and controls {of_job}", is_printed=has_tick),
        *_folded(rest, 0, f"other series {of_job}", is_printed=False),
    ]


def _quantity(row: Row) -> tuple[str, str, str]:
    return row["list"], row["measure"], row["quantity"]


def _folded(found: Table, most: int, words: str, *, is_printed: bool) -> list[Block]:
    """A table that is folded away if it has more rows than this."""
    n = sum(len(group.rows) for group in found.groups)
    if n <= most:
        return [found] if n else []
    return [Fold(f"{n:,} {words}", [found], is_printed=is_printed)]


def _columns(earlier: str) -> tuple[Column, ...]:
    return (
        Column("series", width=2.3),
        Column("value [95 % interval]", is_number=True, width=1.5),
        Column(f"change since {earlier}", is_number=True, width=1.6),
        Column("change since the first run", is_number=True, width=1.6),
        Column("questions used", is_number=True),
        Column("runs measured", is_number=True),
        Column("noise floor", is_number=True),
    )


def _table(
    week: Week,
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
                names.place(row, week.job(row["job"]).content),
            ),
        )
        heading = f"{week.engine_title(engine)}, list {list_name}"
        groups.append(Group(heading, [_cells(week, row) for row in group]))
    return Table(f"Job {job}, {caption}", _columns(week.job(job).earlier), groups)


def _cells(week: Week, row: Row) -> list[Cell]:
    sign = names.about(row["measure"], row["quantity"], row["kind"]).is_signed
    pair = titles.short_pair(row["source_lang"], row["target"], row["kind"])
    kind = {Role.PRIMARY: "main series; ", Role.WITNESS: "control; "}.get(row["role"], "")
    chosen = names.chosen(row["measure"])
    remarks = [
        *([chosen] if chosen else []),
        *([flags] if (flags := titles.flags(row["flags"])) else []),
    ]
    if row["limit"] is not None:
        remarks.append(f"at most ±{number(row['limit'])}")
    value = cell(row, sign)
    return [
        Cell(f"{pair}: {row['label']}", "; ".join([f"{kind}{_since(week, row)}", *remarks])),
        value,
        _change(week, row, "week"),
        _change(week, row, "first"),
        _used(row),
        Cell(f"{row['n_measured']:,} of {row['n_due']:,}"),
        _noise(row),
    ]


def _since(week: Week, row: Row) -> str:
    at = day(row["first_at"], week.zone)
    return f"new, first run {at}" if row["is_new"] else f"since {at}"


def _used(row: Row) -> Cell:
    if row["planned"] is None:
        return quiet("nothing was asked")
    unread = f"{row['answered']:,} answered"
    return Cell(f"{row['used']:,} of {row['planned']:,}", unread)


def _change(week: Week, row: Row, contrast: str) -> Cell:
    found = row[contrast]
    if row["state"] != State.MEASURED:
        return quiet("no value in this run")
    if found is None:
        first = row["n_measured"] <= 1
        return quiet("first measured run" if first else "no comparison is stored")
    if found["delta"] is None:
        return missing(found["reason"])
    shown = cell(found, sign=True, name="delta")
    lists = f" that both {' and '.join(found['lists'])} ask" if found["lists"] else ""
    against = f"{found['n']:,} questions{lists}, {day(found['before_due_at'], week.zone)}"
    return Cell(shown.text, f"{shown.under}\n{against}")


def _noise(row: Row) -> Cell:
    floor = row["noise"]
    seen = "\n".join(
        unbroken(f"{floor[name]:,} {words}")
        for name, words in (("n_days", "a day apart"), ("n_minutes", "at once"))
    )
    if floor["sd"] is None:
        asked = floor["n_days"] + floor["n_minutes"]
        return quiet(floor["reason"] if asked else "nothing was asked twice")
    return Cell(number(floor["sd"]), seen)
