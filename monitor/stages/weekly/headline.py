"""What changed in the week with all that it rests on, and how much could have gone unnoticed."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.change import ChangeKind, Role, Status
from monitor.stages import as_declared
from monitor.stages.detectable_effects import smallest_changes
from monitor.stages.document.records import Block, Fold, Heading, Items, Section, Words
from monitor.stages.weekly import changed, first, origin, tested, unnoticed
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day
from monitor.store.database import Connection
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_ORDER = (
    Status.CONFIRMED, Status.CANDIDATE, Status.UNCONFIRMED, Status.REFUTED, Status.RETROSPECTIVE,
)  # fmt: skip


def content(
    connection: Connection,
    week: Week,
    rows: Sequence[Row],
    effects: Mapping[int, float | None],
) -> Row:
    """Changes of the week by what became of them, first values, what could have gone unnoticed.

    `effects` are those of `smallest_effects`.
    """
    some = [changed.content(week, row) for row in week.changes if _is_of_week(week, row)]
    found = {(row["job"], row["series_id"]) for row in some if _stands(row)}
    some.sort(key=_rank)
    return {
        "changes": [row for row in some if row["kind"] != ChangeKind.SHIFT],
        "retrospective": [row for row in some if row["kind"] == ChangeKind.SHIFT],
        "departures": [
            {"job": job.name} | stretch.row()
            for job in week.jobs
            for stretch in job.declaration.stretches
        ],
        "ours": origin.switches(week),
        "looks": [_look(row) for row in week.looks],
        "untested": _untested(week),
        "first": first.content(connection, week, rows),
        "unnoticed": unnoticed.content(week, rows, found, effects),
    }


def confirmed(week: Week) -> list[Row]:
    """Return the changes of the week that are confirmed, as they are stored."""
    return [row for row in week.changes if _stands(row) and _is_of_week(week, row)]


def smallest_effects(
    connection: Connection, week: Week, rows: Sequence[Row]
) -> dict[int, float | None]:
    """Return by primary series the smallest change that its runs find; None with too few runs."""
    effects: dict[int, float | None] = {}
    for job in week.jobs:
        series = [
            row["series_id"]
            for row in rows
            if row["job"] == job.name and row["role"] == Role.PRIMARY and row["ended_at"] is None
        ]
        effects |= smallest_changes(connection, job.name, series, first.alpha_of(job), week.until)
    return effects


def _rank(row: Row) -> tuple[object, ...]:
    """Confirmed changes come first, and primary series before secondary ones."""
    is_beside = row["role"] != Role.PRIMARY
    return _ORDER.index(row["status"]), is_beside, row["detected_at"]


def _is_of_week(week: Week, row: Row) -> bool:
    """Found in the week, or asked again in it."""
    again = row["again_due_at"]
    return bool(row["detected_at"] > week.after or (again and week.after < again <= week.until))


def _look(row: Row) -> Row:
    kept = ("job", "due_at", "number", "families", "hypotheses", "p", "alpha", "selected", "rule")
    return {name: row[name] for name in kept}


def _stands(row: Row) -> bool:
    """Return whether a change is confirmed."""
    return bool(row["kind"] != ChangeKind.SHIFT and row["status"] == Status.CONFIRMED)


def _untested(week: Week) -> list[str]:
    """Jobs with a run in the week of which no test is stored."""
    looked = {row["job"] for row in week.looks}
    return [job.name for job in week.jobs if job.run_id is not None and job.name not in looked]


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section:
    """Headline changes with everything that they rest on."""
    standing = [row for row in found["changes"] if _stands(row)]
    signals = [row for row in found["changes"] if not _stands(row)] + found["retrospective"]
    blocks: list[Block] = [Words(_departed(week, row), "strong") for row in found["departures"]]
    main = [row for row in standing if row["role"] == Role.PRIMARY]
    beside = [row for row in standing if row["role"] != Role.PRIMARY]
    blocks += [block for row in main for block in changed.printed(week, row)]
    if beside:
        words = several(len(beside), "other quantity", "other quantities")
        inside = [block for row in beside for block in changed.printed(week, row)]
        blocks.append(Fold(f"{words} that changed as well", inside))
    if not found["looks"]:
        blocks.append(Words("No test of this week’s runs is stored.", "strong"))
    blocks += tested.printed(week, found["looks"], found["untested"])
    blocks += unnoticed.printed(found["unnoticed"], week.earlier, beside=bool(standing))
    blocks += first.printed(found["first"])
    if found["ours"]:
        blocks.append(Heading("What changed with us"))
        blocks.append(Items([origin.switch(week, row) for row in found["ours"]]))
    if signals:
        said = several(len(signals), "unconfirmed signal", "unconfirmed signals")
        inside = [one for row in signals for one in changed.printed(week, row)]
        blocks.append(Fold(f"{said} (no findings)", inside))
    return Section("headline", "What changed", blocks)


def _departed(week: Week, row: Row) -> str:
    """Since when a job is another than declared, or when it was."""
    since, last = (day(row[name], week.zone) for name in ("since", "last"))
    what = as_declared.said(row["differences"])
    if row["back_at"] is None:
        return (
            f"The job {row['job']} differs from what was declared since {since}: {what}. What is "
            "found from then on is exploratory."
        )
    ticks = several(row["n_ticks"], "run")
    when = f"on {since}" if row["n_ticks"] == 1 else f"from {since} to {last}"
    return (
        f"The job {row['job']} differed from what was declared in {ticks} {when}: {what}. Since "
        f"{day(row['back_at'], week.zone)} it is asked as declared again; what is compared with "
        "one of those runs is exploratory."
    )
